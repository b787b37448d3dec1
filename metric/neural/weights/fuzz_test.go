package weights

import (
	"bytes"
	"context"
	"testing"

	"omniscope/internal/testing/fixture"
)

// mustHold reads all of a file that is in memory, if it can be opened, and
// converts it: whatever it is, that ends, and what is converted can be read.
func mustHold(t *testing.T, data []byte) {
	f, err := inMemory(data)
	if err != nil {
		return
	}
	p, err := planOf(f)
	if err != nil || p.total > 1<<22 {
		return
	}
	var out bytes.Buffer
	if err := p.write(context.Background(), &out, func(int64, int64) {}); err != nil {
		return // a compressed entry is damaged
	}
	again, err := inMemory(out.Bytes())
	if err != nil {
		t.Fatalf("what was converted cannot be read: %v", err)
	}
	for _, name := range f.Names() {
		a, _ := f.Tensor(name)
		b, ok := again.Tensor(name)
		if !ok || a.Len() != b.Len() || a.kept() != b.Type {
			t.Fatalf("%q is %v %v, was %v %v", name, b.Type, b.Shape, a.Type, a.Shape)
		}
	}
}

func FuzzUnpickle(f *testing.F) {
	object, _ := sampleObject(false)
	f.Add(pickled(object))
	for _, sort := range []string{"plain", "tensors"} {
		for _, data := range pythonPickles(f, sort) {
			f.Add(data)
		}
	}
	f.Add(pickled(pyCall{pyGlobal("posix.system"), pyTuple{"echo"}}))
	f.Add([]byte("]q\x00h\x00a."))
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := read(data)
		if err != nil {
			return
		}
		(&plainer{left: maxPlain}).plain(v, 0)
		if t, ok := v.(*madeTensor); ok && (t.offset < 0 || int64(t.Len()) > max(t.in.elements, maxRepeated)) {
			panic("a tensor beyond its storage")
		}
	})
}

func FuzzSafetensors(f *testing.F) {
	object, err := inMemory(sampleStream())
	fixture.OK(f, err)
	p, err := planOf(object)
	fixture.OK(f, err)
	var out bytes.Buffer
	fixture.OK(f, p.write(context.Background(), &out, func(int64, int64) {}))
	f.Add(out.Bytes())
	f.Add(safed(`{"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}`, f32(1, 2)))
	f.Fuzz(func(t *testing.T, data []byte) { mustHold(t, data) })
}

func FuzzStream(f *testing.F) {
	f.Add(sampleStream())
	f.Add(streamed(pyDict{"w", tensorOf(pyStored{"FloatStorage", "0", 2, true}, 0, pyTuple{2}, pyTuple{1})}, stored{"0", 2, f32(1, 2)}))
	f.Fuzz(func(t *testing.T, data []byte) { mustHold(t, data) })
}

// FuzzArchive changes the pickle within an archive, and the archive.
func FuzzArchive(f *testing.F) {
	object, _ := sampleObject(false)
	f.Add(pickled(object), false, 0, byte(0))
	f.Add(pickled(pyDict{"w", tensorOf(pyStored{"HalfStorage", "0", 12, false}, 0, pyTuple{3, 4}, pyTuple{1, 3})}), true, 0, byte(0))
	f.Fuzz(func(t *testing.T, text []byte, deflate bool, at int, flip byte) {
		entries := []entryOf{{"m/data.pkl", string(text)}}
		_, storages := sampleObject(false)
		for _, s := range storages {
			entries = append(entries, entryOf{"m/data/" + s.key, s.data})
		}
		zipped := archived
		if deflate {
			zipped = compressed
		}
		data := zipped(t, entries...)
		data[uint(at)%uint(len(data))] ^= flip
		mustHold(t, data)
	})
}

func TestFlippedBytes(t *testing.T) {
	for _, data := range [][]byte{sampleArchive(t, archived), sampleStream(), safed(`{"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}`, f32(1, 2))} {
		for i := range data {
			flip := byte(i*37 | 1)
			data[i] ^= flip
			mustHold(t, data)
			data[i] ^= flip
		}
	}
}
