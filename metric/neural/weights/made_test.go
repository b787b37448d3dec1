package weights

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
)

// What made pickles hold, beside nil, bool, int, float64 and string.
type (
	pyTuple   []any
	pyList    []any
	pyDict    []any // keys and values in turn
	pyOrdered []any
	pyGlobal  string // module.name
	pyRaw     string // operations as they are
	pyCall    struct {
		f    any
		args pyTuple
	}
	pyStored struct { // a persistent id
		class, key string
		elements   int
		legacy     bool
	}
)

// pickled is a whole pickle of protocol 2.
func pickled(v any) []byte { return append(pickle([]byte{0x80, 2}, v), '.') }

func pickle(out []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(out, 'N')
	case bool:
		return append(out, map[bool]byte{true: 0x88, false: 0x89}[v])
	case int:
		return binary.LittleEndian.AppendUint64(append(out, 0x8a, 8), uint64(v))
	case float64:
		return binary.BigEndian.AppendUint64(append(out, 'G'), math.Float64bits(v))
	case string:
		return append(binary.LittleEndian.AppendUint32(append(out, 'X'), uint32(len(v))), v...)
	case pyTuple:
		return append(pickleAll(append(out, '('), v), 't')
	case pyList:
		return append(pickleAll(append(out, ']', '('), v), 'e')
	case pyDict:
		return append(pickleAll(append(out, '}', '('), v), 'u')
	case pyOrdered:
		return append(pickleAll(append(pickle(out, pyCall{orderedDict, nil}), '('), v), 'u')
	case global:
		return pickle(out, pyGlobal(v))
	case pyGlobal:
		dot := strings.LastIndex(string(v), ".")
		return append(out, "c"+string(v[:dot])+"\n"+string(v[dot+1:])+"\n"...)
	case pyRaw:
		return append(out, v...)
	case pyCall:
		return append(pickle(pickle(out, v.f), v.args), 'R')
	case pyStored:
		id := pyTuple{"storage", pyGlobal("torch." + v.class), v.key, "cpu", v.elements}
		if v.legacy {
			id = append(id, nil)
		}
		return append(pickle(out, id), 'Q')
	}
	panic(fmt.Sprintf("%T", v))
}

func pickleAll(out []byte, values []any) []byte {
	for _, v := range values {
		out = pickle(out, v)
	}
	return out
}

// tensorOf is a pickled tensor.
func tensorOf(s pyStored, offset int, shape, stride pyTuple) pyCall {
	return pyCall{rebuildTensorV2, pyTuple{s, offset, shape, stride, false, pyCall{orderedDict, nil}}}
}

// An entryOf is a file of a zip archive.
type entryOf struct{ name, data string }

// archived is a zip archive as torch makes it: entries as they are, each
// beginning at a multiple of 64 bytes.
func archived(t testing.TB, entries ...entryOf) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, e := range entries {
		w.Flush()
		padding := 64 - (out.Len()+30+len(e.name)+4)%64
		h := &zip.FileHeader{Name: e.name, Method: zip.Store, CRC32: crc32.ChecksumIEEE([]byte(e.data)),
			CompressedSize64: uint64(len(e.data)), UncompressedSize64: uint64(len(e.data)),
			Extra: append([]byte{'F', 'B', byte(padding), 0}, make([]byte, padding)...)}
		part, err := w.CreateRaw(h)
		fixture.OK(t, err)
		part.Write([]byte(e.data))
	}
	fixture.OK(t, w.Close())
	return out.Bytes()
}

// compressed is the same with compressed entries.
func compressed(t testing.TB, entries ...entryOf) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, e := range entries {
		part, err := w.Create(e.name)
		fixture.OK(t, err)
		part.Write([]byte(e.data))
	}
	fixture.OK(t, w.Close())
	return out.Bytes()
}

// A stored is the bytes of a storage of the old stream.
type stored struct {
	key      string
	elements int
	data     string
}

// magic is the number that old streams begin with, as torch pickles it.
const magic = pyRaw("\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19")

// streamed is a file as torch made it before 1.6.
func streamed(object any, storages ...stored) []byte {
	out := pickled(magic)
	out = append(out, pickled(1001)...)
	out = append(out, pickled(pyDict{"protocol_version", 1001, "little_endian", true})...)
	out = append(out, pickled(object)...)
	var keys pyList
	for _, s := range storages {
		keys = append(keys, s.key)
	}
	out = append(out, pickled(keys)...)
	for _, s := range storages {
		out = binary.LittleEndian.AppendUint64(out, uint64(s.elements))
		out = append(out, s.data...)
	}
	return out
}

// safed is a safetensors file.
func safed(header string, data string) []byte {
	return append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header...), data...)
}

func f32(x ...float32) string {
	var out []byte
	for _, x := range x {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(x))
	}
	return string(out)
}

func f64(x ...float64) string {
	var out []byte
	for _, x := range x {
		out = binary.LittleEndian.AppendUint64(out, math.Float64bits(x))
	}
	return string(out)
}

func i64(x ...int64) string {
	var out []byte
	for _, x := range x {
		out = binary.LittleEndian.AppendUint64(out, uint64(x))
	}
	return string(out)
}

// sampleObject is a Lightning checkpoint of some tensors and the data of their
// storages.
func sampleObject(legacy bool) (object any, storages []stored) {
	square := pyStored{"FloatStorage", "0", 6, legacy}
	state := pyOrdered{
		"a.weight", tensorOf(square, 0, pyTuple{2, 3}, pyTuple{3, 1}),
		"a.turned", tensorOf(square, 0, pyTuple{3, 2}, pyTuple{1, 3}),
		"a.column", tensorOf(square, 1, pyTuple{2}, pyTuple{3}),
		"a.one", pyCall{rebuildTensor, pyTuple{square, 5, pyTuple{}, pyTuple{}}},
		"a.repeated", tensorOf(square, 2, pyTuple{2, 2}, pyTuple{0, 1}),
		"a.none", tensorOf(square, 6, pyTuple{0, 4}, pyTuple{4, 1}),
		"b.half", tensorOf(pyStored{"HalfStorage", "1", 2, legacy}, 0, pyTuple{2}, pyTuple{1}),
		"b.brain", tensorOf(pyStored{"BFloat16Storage", "2", 2, legacy}, 0, pyTuple{2}, pyTuple{1}),
		"b.double", tensorOf(pyStored{"DoubleStorage", "3", 1, legacy}, 0, pyTuple{1}, pyTuple{1}),
		"c.long", tensorOf(pyStored{"LongStorage", "4", 2, legacy}, 0, pyTuple{2}, pyTuple{1}),
		"c.int", tensorOf(pyStored{"IntStorage", "5", 1, legacy}, 0, pyTuple{1}, pyTuple{1}),
		"c.short", tensorOf(pyStored{"ShortStorage", "6", 1, legacy}, 0, pyTuple{1}, pyTuple{1}),
		"c.char", tensorOf(pyStored{"CharStorage", "7", 1, legacy}, 0, pyTuple{1}, pyTuple{1}),
		"c.byte", tensorOf(pyStored{"ByteStorage", "8", 1, legacy}, 0, pyTuple{1}, pyTuple{1}),
		"c.bool", tensorOf(pyStored{"BoolStorage", "9", 2, legacy}, 0, pyTuple{2}, pyTuple{1}),
		"d.parameter", pyCall{rebuildParameter, pyTuple{tensorOf(pyStored{"FloatStorage", "10", 2, legacy}, 1, pyTuple{1}, pyTuple{1}), true, nil}},
		"not a tensor", 7,
	}
	object = pyDict{
		"epoch", 3, "pytorch-lightning_version", "1.5.10",
		"state_dict", state,
		"hyper_parameters", pyDict{"pool", "avg", "sizes", pyList{3072, 1024}, "rate", 1.0, "none", nil, "deep", pyDict{"on", true}},
	}
	return object, []stored{
		{"0", 6, f32(1, 2, 3, 4, 5, 6)},
		{"1", 2, "\x00\x3c\x01\x80"}, // 1, -2^-24
		{"2", 2, "\x80\x3f\x80\xff"}, // 1, -infinity
		{"3", 1, f64(1.0 / 3)},
		{"4", 2, i64(-1, 1<<40)},
		{"5", 1, "\xfe\xff\xff\xff"},
		{"6", 1, "\xfd\xff"},
		{"7", 1, "\xfc"},
		{"8", 1, "\xfb"},
		{"9", 2, "\x00\x01"},
		{"10", 2, f32(8, 9)},
	}
}

// sampleNumbers are what is in the sample.
var sampleNumbers = map[string]struct {
	kind   DType
	shape  []int
	values []float64
}{
	"a.weight":    {float32Type, []int{2, 3}, []float64{1, 2, 3, 4, 5, 6}},
	"a.turned":    {float32Type, []int{3, 2}, []float64{1, 4, 2, 5, 3, 6}},
	"a.column":    {float32Type, []int{2}, []float64{2, 5}},
	"a.one":       {float32Type, []int{}, []float64{6}},
	"a.repeated":  {float32Type, []int{2, 2}, []float64{3, 4, 3, 4}},
	"a.none":      {float32Type, []int{0, 4}, []float64{}},
	"b.half":      {f16, []int{2}, []float64{1, -0x1p-24}},
	"b.brain":     {BF16, []int{2}, []float64{1, math.Inf(-1)}},
	"b.double":    {float64Type, []int{1}, []float64{float64(float32(1.0 / 3))}},
	"c.long":      {int64Type, []int{2}, []float64{-1, 1 << 40}},
	"c.int":       {i32, []int{1}, []float64{-2}},
	"c.short":     {i16, []int{1}, []float64{-3}},
	"c.char":      {i8, []int{1}, []float64{-4}},
	"c.byte":      {u8, []int{1}, []float64{251}},
	"c.bool":      {boolType, []int{2}, []float64{0, 1}},
	"d.parameter": {float32Type, []int{1}, []float64{9}},
}

var sampleHyper = map[string]any{"pool": "avg", "sizes": []any{int64(3072), int64(1024)}, "rate": 1.0, "none": nil, "deep": map[string]any{"on": true}}

// sampleArchive is the sample's zip archive; zipped makes it of its entries.
func sampleArchive(t testing.TB, zipped func(testing.TB, ...entryOf) []byte) []byte {
	object, storages := sampleObject(false)
	entries := []entryOf{{"model/data.pkl", string(pickled(object))}, {"model/byteorder", "little"}}
	for _, s := range storages {
		entries = append(entries, entryOf{"model/data/" + s.key, s.data})
	}
	return zipped(t, append(entries, entryOf{"model/version", "3\n"})...)
}

func sampleStream() []byte {
	object, storages := sampleObject(true)
	return streamed(object, storages...)
}

// saved writes a file to open.
func saved(t testing.TB, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "model.bin")
	fixture.OK(t, os.WriteFile(path, data, 0o600))
	return path
}

// mustRefuse checks that a file cannot be opened, of which kind the error is
// and what it says.
func mustRefuse(t *testing.T, data []byte, says ...string) {
	t.Helper()
	path := saved(t, data)
	f, err := Open(path)
	if err == nil {
		f.Close()
		t.Fatalf("the file was opened; it has %v", f.Names())
	}
	mustSay(t, err, append(says, path)...)
}

func mustSay(t *testing.T, err error, says ...string) {
	t.Helper()
	if omniscope.KindOf(err) != omniscope.Invalid {
		t.Errorf("%v is of kind %v, want invalid", err, omniscope.KindOf(err))
	}
	for _, want := range says {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v lacks %q", err, want)
		}
	}
}
