package weights

import (
	"archive/zip"
	"bytes"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
)

// mustHoldTheSample checks all of the sample's tensors.
func mustHoldTheSample(t *testing.T, f *File, kept func(DType) DType) {
	t.Helper()
	if want := slices.Sorted(maps.Keys(sampleNumbers)); !slices.Equal(f.Names(), want) {
		t.Fatalf("names %q, want %q", f.Names(), want)
	}
	for name, want := range sampleNumbers {
		got, ok := f.Tensor(name)
		if !ok || got.Type != kept(want.kind) || !slices.Equal(got.Shape, want.shape) {
			t.Errorf("%s is %s %v, want %s %v", name, got.Type, got.Shape, kept(want.kind), want.shape)
		}
		if values := numbers(t, got); !slices.Equal(values, want.values) {
			t.Errorf("%s = %v, want %v", name, values, want.values)
		}
	}
	if !reflect.DeepEqual(f.Hyperparameters(), sampleHyper) {
		t.Errorf("hyperparameters %v, want %v", f.Hyperparameters(), sampleHyper)
	}
}

func asTheyAre(d DType) DType { return d }

func TestCheckpointFormats(t *testing.T) {
	for _, form := range []struct {
		name string
		data []byte
	}{
		{"a zip archive", sampleArchive(t, archived)},
		{"a compressed zip archive", sampleArchive(t, compressed)},
		{"the stream of old versions", sampleStream()},
	} {
		t.Run(form.name, func(t *testing.T) {
			path := saved(t, form.data)
			mustHoldTheSample(t, opened(t, path), asTheyAre)
			t.Run("read without mapping", func(t *testing.T) {
				f := opened(t, path)
				unmapped(t, f)
				mustHoldTheSample(t, f, asTheyAre)
			})
		})
	}
}

// unmapped makes a file one of a system that cannot map it.
func unmapped(t *testing.T, f *File) {
	t.Helper()
	fixture.OK(t, unmap(f.disk.mapped))
	f.disk.mapped = nil
}

func TestTruncatedCheckpoint(t *testing.T) {
	for name, data := range map[string][]byte{"archive": sampleArchive(t, archived), "compressed": sampleArchive(t, compressed), "stream": sampleStream()} {
		for n := range data {
			if f, err := inMemory(data[:n]); err == nil {
				t.Errorf("%s: the first %d of %d bytes were read as %q", name, n, len(data), f.Names())
			}
		}
	}
}

// inMemory opens a file that is in memory.
func inMemory(data []byte) (*File, error) {
	f := &File{disk: &disk{path: "memory", mapped: data, size: int64(len(data))}, tensors: make(map[string]Tensor)}
	return f, f.read()
}

// model is an archive with one pickle and a storage of two float32.
func model(t testing.TB, object any) []byte {
	return archived(t, entryOf{"m/data.pkl", string(pickled(object))}, entryOf{"m/data/0", f32(1, 2)})
}

func TestCodeRefused(t *testing.T) {
	const nothing, advice = "Nothing of the file was run", "Get the model as .safetensors"
	pair := pyStored{"FloatStorage", "0", 2, false}
	good := tensorOf(pair, 0, pyTuple{2}, pyTuple{1})
	for _, c := range []struct {
		name   string
		object any
		says   string
	}{
		{"os.system", pyCall{pyGlobal("posix.system"), pyTuple{"echo"}}, `"posix.system"`},
		{"os.system beside a tensor", pyDict{"w", good, "x", pyCall{pyGlobal("os.system"), pyTuple{"echo"}}}, `"os.system"`},
		{"eval", pyCall{pyGlobal("builtins.eval"), pyTuple{"1"}}, `"builtins.eval"`},
		{"eval of Python 2", pyCall{pyGlobal("__builtin__.eval"), pyTuple{"1"}}, `"__builtin__.eval"`},
		{"eval by STACK_GLOBAL", pyCall{pyRaw("\x8c\x08builtins\x8c\x04eval\x93"), pyTuple{"1"}}, `"builtins.eval"`},
		{"getattr", pyCall{pyGlobal("builtins.getattr"), pyTuple{1, "x"}}, `"builtins.getattr"`},
		{"a name with dots", pyRaw("\x8c\x0ccollections\x2e\x8c\x0bOrderedDict\x93"), "collections"},
		{"a name that only ends well", pyGlobal("evil.collections.OrderedDict"), `"evil.collections.OrderedDict"`},
		{"torch.load", pyCall{pyGlobal("torch.load"), pyTuple{"http://example.org"}}, `"torch.load"`},
		{"torch.hub", pyCall{pyGlobal("torch.hub.load"), pyTuple{"a", "b"}}, `"torch.hub.load"`},
		{"storages from bytes", pyCall{pyGlobal("torch.storage._load_from_bytes"), pyTuple{"x"}}, `"torch.storage._load_from_bytes"`},
		{"a module by name", pyCall{pyGlobal("importlib.import_module"), pyTuple{"os"}}, `"importlib.import_module"`},
		{"a namespace, harmless", pyGlobal("argparse.Namespace"), `"argparse.Namespace"`},
		{"a class of storages that there is not", pyGlobal("torch.EvilStorage"), `"torch.EvilStorage"`},
		{"a class of storages elsewhere", pyGlobal("torch.cuda.FloatStorage"), `"torch.cuda.FloatStorage"`},
		{"calling a storage", pyCall{pyGlobal("torch.FloatStorage"), pyTuple{2}}, "torch.FloatStorage called"},
		{"calling a tensor", pyCall{good, pyTuple{}}, "a tensor called"},
		{"calling what a call made", pyCall{pyCall{orderedDict, nil}, pyTuple{}}, "a dict called"},
		{"a tensor of three arguments", pyCall{rebuildTensorV2, pyTuple{1, 2, 3}}, "called with 3 arguments"},
		{"a parameter of no tensor", pyCall{rebuildParameter, pyTuple{1, true, nil}}, "called with 3 arguments"},
		{"INST", pyRaw("(ios\nsystem\n"), `"os.system" made (INST)`},
		{"OBJ", pyRaw("(ccollections\nOrderedDict\no"), "OBJ"},
		{"NEWOBJ", pyRaw("ccollections\nOrderedDict\n)\x81"), "NEWOBJ"},
		{"NEWOBJ_EX", pyRaw("ccollections\nOrderedDict\n)}\x92"), "NEWOBJ_EX"},
		{"EXT1", pyRaw("\x82\x01"), "EXT1"},
		{"EXT2", pyRaw("\x83\x01\x00"), "EXT2"},
		{"EXT4", pyRaw("\x84\x01\x00\x00\x00"), "EXT4"},
		{"NEXT_BUFFER", pyRaw("\x97"), "NEXT_BUFFER"},
		{"PERSID", pyRaw("Pstorage\n"), "PERSID"},
		{"BUILD of a dict", pyRaw("}}b"), "a dict set (BUILD)"},
		{"BUILD of a tensor", pyList{good, pyRaw("}b")}, "a tensor set (BUILD)"},
		{"BUILD with __setstate__", pyList{pyCall{orderedDict, nil}, pyRaw("X\x04\x00\x00\x00evilb")}, "(BUILD)"},
		{"a persistent id that is a string", pyRaw("X\x01\x00\x00\x00xQ"), "BINPERSID"},
		{"a persistent id of a module", pyList{pyTuple{"module", 1, "f.py", "import os", nil}, pyRaw("Q")}, "BINPERSID"},
		{"a persistent id of an unknown class", pyList{pyTuple{"storage", "FloatStorage", "0", "cpu", 2}, pyRaw("Q")}, "a string"},
		{"a persistent id of a function", pyList{pyTuple{"storage", orderedDict, "0", "cpu", 2}, pyRaw("Q")}, "collections.OrderedDict"},
		{"terminal escapes in a name", pyGlobal("\x1b[2J.x"), `\x1b[2J.x`},
	} {
		t.Run(c.name, func(t *testing.T) {
			mustRefuse(t, model(t, c.object), c.says, nothing, advice)
			mustRefuse(t, model(t, pyList{c.object}), c.says, nothing)
			mustRefuse(t, append(pickled(magic), append(pickled(1001), append(pickled(nil), pickled(c.object)...)...)...), nothing)
		})
	}
	t.Run("TorchScript", func(t *testing.T) {
		mustRefuse(t, archived(t, entryOf{"m/data.pkl", "x"}, entryOf{"m/constants.pkl", "x"}), "TorchScript", nothing)
	})
}

func TestBrokenCheckpoints(t *testing.T) {
	pair := pyStored{"FloatStorage", "0", 2, false}
	tensor := func(offset any, shape, stride any) any {
		return pyDict{"w", pyCall{rebuildTensor, pyTuple{pair, offset, shape, stride}}}
	}
	const beyond = "reaches beyond its storage"
	for _, c := range []struct {
		name   string
		object any
		says   string
	}{
		{"one element too many", tensor(0, pyTuple{3}, pyTuple{1}), beyond},
		{"an offset too far", tensor(1, pyTuple{2}, pyTuple{1}), beyond},
		{"an offset below zero", tensor(-1, pyTuple{2}, pyTuple{1}), beyond},
		{"the lowest offset", tensor(math.MinInt64, pyTuple{2}, pyTuple{1}), beyond},
		{"the highest offset", tensor(math.MaxInt64, pyTuple{2}, pyTuple{1}), beyond},
		{"nothing, behind the storage", tensor(3, pyTuple{0}, pyTuple{1}), beyond},
		{"a stride too wide", tensor(0, pyTuple{2}, pyTuple{2}), beyond},
		{"the widest stride", tensor(0, pyTuple{3}, pyTuple{math.MaxInt64}), beyond},
		{"strides whose sum is too wide", tensor(0, pyTuple{2, 2, 2}, pyTuple{1 << 62, 1 << 62, 1 << 62}), beyond},
		{"a stride below zero", tensor(1, pyTuple{2}, pyTuple{-1}), "no proper shape"},
		{"a side below zero", tensor(0, pyTuple{-2}, pyTuple{1}), "no proper shape"},
		{"sides whose product is too large", tensor(0, pyTuple{1 << 40, 1 << 40}, pyTuple{0, 0}), "impossible shape"},
		{"too large behind a zero", tensor(0, pyTuple{0, 1 << 40, 1 << 40}, pyTuple{0, 0, 0}), "impossible shape"},
		{"a side that is no number", tensor(0, pyTuple{"2"}, pyTuple{1}), "no proper shape"},
		{"a side that is true", tensor(0, pyTuple{true}, pyTuple{1}), "no proper shape"},
		{"more sides than strides", tensor(0, pyTuple{2, 1}, pyTuple{1}), "no proper shape"},
		{"a list for a shape", tensor(0, pyList{2}, pyTuple{1}), "no proper shape"},
		{"33 sides", tensor(0, pyTuple(slices.Repeat([]any{1}, 33)), pyTuple(slices.Repeat([]any{1}, 33))), "no proper shape"},
		{"an offset that is a tuple", tensor(pyTuple{}, pyTuple{2}, pyTuple{1}), "no proper shape"},
		{"a number repeated for ever", tensor(0, pyTuple{1 << 50}, pyTuple{0}), "repeats a storage"},
		{"a tensor of no storage", pyCall{rebuildTensor, pyTuple{1, 0, pyTuple{}, pyTuple{}}}, "not well-formed"},
		{"a storage of fewer bytes than it should have", pyDict{"w", tensorOf(pyStored{"FloatStorage", "0", 3, false}, 0, pyTuple{3}, pyTuple{1})}, `storage "0" has 8 bytes, should have 12`},
		{"a storage that is not there", pyDict{"w", tensorOf(pyStored{"FloatStorage", "1", 3, false}, 0, pyTuple{3}, pyTuple{1})}, `storage "1" is not there`},
		{"a storage by two types", pyList{pair, pyStored{"LongStorage", "0", 2, false}}, "there as two"},
		{"a storage of a negative size", pyStored{"FloatStorage", "0", -1, false}, "not well-formed"},
		{"a storage of the greatest size", pyStored{"FloatStorage", "0", math.MaxInt64, false}, "not well-formed"},
		{"a persistent id with an item too many", pyStored{"FloatStorage", "0", 2, true}, "BINPERSID"},
		{"a negated tensor", pyCall{rebuildTensorV2, pyTuple{pair, 0, pyTuple{2}, pyTuple{1}, false, nil, pyDict{"neg", true}}}, "metadata"},
		{"a list", pyList{1}, "holds a list, not tensors by name"},
		{"a tensor alone", tensorOf(pair, 0, pyTuple{2}, pyTuple{1}), "holds a tensor, not tensors by name"},
		{"no tensors", pyDict{"model", pyDict{}, "step", 3}, `no tensors by name, only "model", "step"`},
		{"an empty dict", pyDict{}, "only an empty dict"},
	} {
		t.Run(c.name, func(t *testing.T) { mustRefuse(t, model(t, c.object), c.says) })
	}
}

func TestBrokenArchives(t *testing.T) {
	pkl := entryOf{"m/data.pkl", string(pickled(pyDict{"w", tensorOf(pyStored{"FloatStorage", "0", 2, false}, 0, pyTuple{2}, pyTuple{1})}))}
	storage := entryOf{"m/data/0", f32(1, 2)}
	whole := archived(t, pkl, storage)
	lying := func(from, to string) []byte {
		if bytes.Count(whole, []byte(from)) < 1 {
			t.Fatalf("%q is not there", from)
		}
		return bytes.ReplaceAll(whole, []byte(from), []byte(to))
	}
	for _, c := range []struct {
		name string
		data []byte
		says string
	}{
		{"no pickle", archived(t, storage), "no data.pkl"},
		{"a pickle too deep", archived(t, entryOf{"a/b/data.pkl", pkl.data}), "no data.pkl"},
		{"two pickles", archived(t, pkl, entryOf{"n/data.pkl", pkl.data}), "two checkpoints"},
		{"an entry twice", archived(t, pkl, storage, storage), `"m/data/0" is there twice`},
		{"a big-endian machine", archived(t, pkl, storage, entryOf{"m/byteorder", "big"}), "big-endian"},
		{"a byte order of great length", archived(t, pkl, storage, entryOf{"m/byteorder", strings.Repeat("little", 9)}), "more than 16 bytes"},
		{"a damaged pickle", lying("FloatStorage", "LongStorage\n"), "damaged"},
		{"fewer entries than its end tells of", lying("PK\x05\x06\x00\x00\x00\x00\x02\x00\x02", "PK\x05\x06\x00\x00\x00\x00\x02\x00\x03"), "cut off or is damaged"},
		{"an empty archive", archived(t), "something else"},
	} {
		t.Run(c.name, func(t *testing.T) { mustRefuse(t, c.data, c.says) })
	}
}

func TestUnreadableEntries(t *testing.T) {
	const room = 1 << 20
	for _, c := range []struct {
		name     string
		elements int
		header   zip.FileHeader
		says     string
	}{
		{"encrypted", 2, zip.FileHeader{Flags: 1, CompressedSize64: 8, UncompressedSize64: 8}, "is encrypted"},
		{"compressed by bzip2", 2, zip.FileHeader{Method: 12, CompressedSize64: 8, UncompressedSize64: 8}, "by a method, 12"},
		{"compressed, of 4 GB", 1 << 30, zip.FileHeader{Method: zip.Deflate, CompressedSize64: room, UncompressedSize64: 1 << 32}, "more than 2147483648"},
		{"compressed more than can be", 1 << 20, zip.FileHeader{Method: zip.Deflate, CompressedSize64: 8, UncompressedSize64: 1 << 22}, "does not lie within"},
		{"compressed, beyond the file", 1 << 24, zip.FileHeader{Method: zip.Deflate, CompressedSize64: 1 << 24, UncompressedSize64: 1 << 26}, "does not lie within"},
		{"stored, beyond the file", 1 << 24, zip.FileHeader{CompressedSize64: 1 << 26, UncompressedSize64: 1 << 26}, "does not lie within"},
		{"stored, of two sizes", 2, zip.FileHeader{CompressedSize64: 8, UncompressedSize64: 9}, "is damaged"},
		{"stored, of the greatest size", 2, zip.FileHeader{CompressedSize64: 1 << 63, UncompressedSize64: 1 << 63}, "does not lie within"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out bytes.Buffer
			w := zip.NewWriter(&out)
			c.header.Name = "m/data/0"
			part, err := w.CreateRaw(&c.header)
			fixture.OK(t, err)
			part.Write(make([]byte, room))
			part, err = w.Create("m/data.pkl")
			fixture.OK(t, err)
			part.Write(pickled(pyDict{"w", tensorOf(pyStored{"FloatStorage", "0", c.elements, false}, 0, pyTuple{c.elements}, pyTuple{1})}))
			fixture.OK(t, w.Close())
			mustRefuse(t, out.Bytes(), c.says)
		})
	}
}

func TestEndlessEntryList(t *testing.T) {
	entries := make([]entryOf, 70_000)
	for i := range entries {
		entries[i].name = fmt.Sprintf("%0250d", i)
	}
	mustRefuse(t, archived(t, entries...), "list of entries has more than 16777216 bytes")
}

func TestStreamsOfOtherProtocols(t *testing.T) {
	whole := sampleStream()
	rest := whole[len(pickled(magic)):]
	for _, c := range []struct{ name, magic string }{
		{"0", "L119547037146038801333356L\n."},
		{"2", string(pickled(magic))},
		{"4", "\x80\x04\x95\x0d\x00\x00\x00\x00\x00\x00\x00" + string(magic) + "."},
	} {
		t.Run("protocol "+c.name, func(t *testing.T) {
			mustHoldTheSample(t, opened(t, saved(t, append([]byte(c.magic), rest...))), asTheyAre)
		})
	}
}

func TestBrokenStreams(t *testing.T) {
	object := pyDict{"w", tensorOf(pyStored{"FloatStorage", "0", 2, true}, 0, pyTuple{2}, pyTuple{1})}
	start := func(protocol, properties any) []byte {
		return append(append(append(pickled(magic), pickled(protocol)...), pickled(properties)...), append(pickled(object), pickled(pyList{})...)...)
	}
	for _, c := range []struct {
		name string
		data []byte
		says string
	}{
		{"a version unknown", start(1002, pyDict{}), "version is unknown"},
		{"a big-endian machine", start(1001, pyDict{"little_endian", false}), "big-endian"},
		{"no storages", start(1001, pyDict{}), `storage "0" is not there`},
		{"a storage too short", streamed(object, stored{"0", 1, f32(1)}), `has 1 elements, should have 2`},
		{"a storage too long", streamed(object, stored{"0", 3, f32(1, 2, 3)}), `has 3 elements, should have 2`},
		{"a storage that nobody named", streamed(object, stored{"1", 1, f32(1)}), "not well-formed"},
		{"a storage twice", streamed(object, stored{"0", 2, f32(1, 2)}, stored{"0", 2, f32(1, 2)}), "not well-formed"},
		{"a view of a storage", streamed(pyList{pyTuple{"storage", pyGlobal("torch.FloatStorage"), "0", "cpu", 2, pyTuple{"1", 0, 1}}, pyRaw("Q")}), "view of another"},
		{"another pickle", pickled(pyDict{"a", 1}), "a Python pickle that torch.save did not write"},
	} {
		t.Run(c.name, func(t *testing.T) { mustRefuse(t, c.data, c.says) })
	}
}
