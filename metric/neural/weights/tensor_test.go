package weights

import (
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"omniscope/internal/testing/fixture"
)

func TestHalfFloats(t *testing.T) {
	for h := range 1 << 16 {
		sign, exponent, fraction := 1-2*float64(h>>15), h>>10&31, float64(h&1023)
		var want float64
		switch exponent {
		case 0:
			want = sign * fraction * 0x1p-24
		case 31:
			want = sign * math.Inf(1)
			if fraction > 0 {
				want = math.NaN()
			}
		default:
			want = sign * (1 + fraction/1024) * math.Pow(2, float64(exponent-15))
		}
		got := float64(half(uint16(h)))
		if got != want && !(math.IsNaN(got) && math.IsNaN(want)) || math.Signbit(got) != (h>>15 == 1) {
			t.Fatalf("half %#04x is %v, want %v", h, got, want)
		}
	}
}

// twoHalves has w, aligned, and after one byte v, which is not.
func twoHalves(t *testing.T) *File {
	header := `{"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"b":{"dtype":"U8","shape":[1],"data_offsets":[8,9]},` +
		`"v":{"dtype":"F32","shape":[1,2],"data_offsets":[9,17]}}`
	header += strings.Repeat(" ", -len(header)&7)
	return opened(t, saved(t, safed(header, f32(1, 2)+"\x05"+f32(3, 4))))
}

func TestFloatsWithoutCopy(t *testing.T) {
	f := twoHalves(t)
	if f.disk.mapped == nil {
		t.Skip("files are not mapped here")
	}
	within := func(x []float32) bool {
		at, start := uintptr(unsafe.Pointer(&x[0])), uintptr(unsafe.Pointer(&f.disk.mapped[0]))
		return at >= start && at < start+uintptr(len(f.disk.mapped))
	}
	w, err := f.Floats("w", 2)
	if err != nil || !slices.Equal(w, []float32{1, 2}) || !within(w) {
		t.Errorf("w = %v, in the file: %t (error %v)", w, err == nil && within(w), err)
	}
	v, err := f.Floats("v", 1, 2)
	if err != nil || !slices.Equal(v, []float32{3, 4}) || within(v) {
		t.Errorf("v, which is not aligned, = %v (error %v)", v, err)
	}
}

func TestFloatsShapeAndType(t *testing.T) {
	f := twoHalves(t)
	for _, shape := range [][]int{{}, {1}, {2, 1}, {1, 2}} {
		_, err := f.Floats("w", shape...)
		mustSay(t, err, f.disk.path, `tensor "w" has shape [2], needs [`)
	}
	_, err := f.Floats("x.weight", 2)
	mustSay(t, err, f.disk.path, `tensor "x.weight" is missing`)
	if !errors.Is(err, errMissing) {
		t.Errorf("%v is not ErrMissing", err)
	}
	_, err = f.Floats("b", 1)
	mustSay(t, err, f.disk.path, `tensor "b" holds whole numbers (U8)`)
	w, _ := f.Tensor("w")
	_, err = w.Ints()
	mustSay(t, err, f.disk.path, `tensor "w" holds floating point numbers (F32)`)
}

func TestPartPrefix(t *testing.T) {
	f := opened(t, saved(t, sampleArchive(t, archived)))
	a := f.Under("a.")
	if !a.Has("weight") || a.Has("a.weight") || a.Has("half") {
		t.Error("a part has other names than it should")
	}
	column, err := a.Floats("column", 2)
	if err != nil || !slices.Equal(column, []float32{2, 5}) {
		t.Errorf("column %v (error %v)", column, err)
	}
	_, err = a.Floats("half", 2)
	mustSay(t, err, `"a.half" is missing`)
	a.Release("weight")
	a.Release("half")
}

func TestReadAfterRelease(t *testing.T) {
	for _, data := range [][]byte{sampleArchive(t, archived), sampleArchive(t, compressed), sampleStream()} {
		f := opened(t, saved(t, data))
		for _, name := range f.Names() {
			tensor, _ := f.Tensor(name)
			before := numbers(t, tensor)
			tensor.Release()
			if after := numbers(t, tensor); !slices.Equal(after, before) {
				t.Errorf("%s is %v after its release, was %v", name, after, before)
			}
		}
	}
}

func TestClosedFile(t *testing.T) {
	f, err := Open(saved(t, sampleArchive(t, archived)))
	fixture.OK(t, err)
	for range 2 {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
	for _, name := range []string{"a.weight", "a.turned", "b.half"} {
		tensor, _ := f.Tensor(name)
		tensor.Release()
		_, err := tensor.Floats()
		mustSay(t, err, name, "was closed")
	}
}

func TestReadTensorsConcurrently(t *testing.T) {
	f := opened(t, saved(t, sampleArchive(t, compressed)))
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for range 20 {
				for _, name := range f.Names() {
					tensor, _ := f.Tensor(name)
					if tensor.Type.float() {
						if _, err := tensor.Floats(); err != nil {
							t.Error(err)
						}
						tensor.Release()
					}
				}
			}
		})
	}
	wait.Wait()
}

func TestMultidimensionalViews(t *testing.T) {
	// 4x3x2 numbers, seen with their sides in another order, and every other one
	// of the longest.
	data := make([]float32, 24)
	for i := range data {
		data[i] = float32(i)
	}
	view := tensorOf(pyStored{"FloatStorage", "0", 24, false}, 1, pyTuple{2, 1, 3, 2}, pyTuple{12, 99, 2, -0})
	mixed := tensorOf(pyStored{"FloatStorage", "0", 24, false}, 0, pyTuple{3, 2, 2}, pyTuple{2, 12, 1})
	f := opened(t, saved(t, archived(t, entryOf{"m/data.pkl", string(pickled(pyDict{"view", view, "mixed", mixed}))}, entryOf{"m/data/0", f32(data...)})))
	for name, want := range map[string][]float64{
		"view":  {1, 1, 3, 3, 5, 5, 13, 13, 15, 15, 17, 17},
		"mixed": {0, 1, 12, 13, 2, 3, 14, 15, 4, 5, 16, 17},
	} {
		tensor, _ := f.Tensor(name)
		if got := numbers(t, tensor); !slices.Equal(got, want) {
			t.Errorf("%s = %v, want %v", name, got, want)
		}
	}
}

func TestLargeViews(t *testing.T) {
	const rows, columns = 700, 900 // more than two pieces
	data := make([]float32, rows*columns)
	for i := range data {
		data[i] = float32(i)
	}
	s := pyStored{"FloatStorage", "0", rows * columns, false}
	object := pyDict{"turned", tensorOf(s, 0, pyTuple{columns, rows}, pyTuple{1, columns}), "straight", tensorOf(s, 0, pyTuple{rows, columns}, pyTuple{columns, 1})}
	for _, zipped := range []func(testing.TB, ...entryOf) []byte{archived, compressed} {
		f := opened(t, saved(t, zipped(t, entryOf{"m/data.pkl", string(pickled(object))}, entryOf{"m/data/0", f32(data...)})))
		turned, err := f.Floats("turned", columns, rows)
		fixture.OK(t, err)
		straight, err := f.Floats("straight", rows, columns)
		if err != nil || !slices.Equal(straight, data) {
			t.Errorf("straight differs (error %v)", err)
		}
		for i, x := range turned {
			if want := data[i%rows*columns+i/rows]; x != want {
				t.Fatalf("element %d is %v, want %v", i, x, want)
			}
		}
	}
}

func TestDamagedCompressedStorage(t *testing.T) {
	data := make([]float32, 1000)
	object := pyDict{"w", tensorOf(pyStored{"FloatStorage", "0", 1000, false}, 0, pyTuple{1000}, pyTuple{1}),
		"part", tensorOf(pyStored{"FloatStorage", "0", 1000, false}, 3, pyTuple{5}, pyTuple{1})}
	for i := range data {
		data[i] = float32(i) * 1.37
	}
	file := compressed(t, entryOf{"m/data.pkl", string(pickled(object))}, entryOf{"m/data/0", f32(data...)})
	file[len(file)/2] ^= 0x10
	f := opened(t, saved(t, file))
	for _, name := range f.Names() {
		tensor, _ := f.Tensor(name)
		_, err := tensor.Floats()
		mustSay(t, err, name)
	}
}
