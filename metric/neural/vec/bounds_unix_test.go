//go:build unix

package vec

import (
	"math"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"omniscope/metric/neural/isa"
)

// A fenced row lies against a page that must not be touched, either before or
// behind it; the bytes on its other side are known.
type fenced struct {
	row    []float32
	margin []byte // the rest of the row's pages
}

const marginByte = 0xa5

// fence maps pages for n values between two forbidden ones.
func fence(t *testing.T, n int, atEnd bool) fenced {
	t.Helper()
	page := unix.Getpagesize()
	size := (n*4 + page) / page * page // never 0
	m, err := unix.Mmap(-1, 0, size+2*page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Skip("no pages: ", err)
	}
	t.Cleanup(func() { _ = unix.Munmap(m) })
	for _, edge := range [][]byte{m[:page], m[page+size:]} {
		if err := unix.Mprotect(edge, unix.PROT_NONE); err != nil {
			t.Skip("no forbidden page: ", err)
		}
	}
	inner := m[page : page+size]
	row, margin := inner[:n*4], inner[n*4:]
	if atEnd {
		margin, row = inner[:size-n*4], inner[size-n*4:]
	}
	for i := range margin {
		margin[i] = marginByte
	}
	return fenced{unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(row))), n), margin}
}

// damaged says whether something was written beside the row.
func (f fenced) damaged() bool {
	for _, b := range f.margin {
		if b != marginByte {
			return true
		}
	}
	return false
}

func TestRowBounds(t *testing.T) {
	for _, atEnd := range []bool{false, true} {
		for _, n := range []int{0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 23, 31, 32, 33, 47, 48, 49, 63, 64, 65, 70, 1023, 1024, 1025} {
			var rows [5]fenced
			for i := range rows {
				rows[i] = fence(t, n, atEnd)
			}
			for _, set := range isa.Available() {
				for _, o := range operations {
					if n < 2 && o.name == "add bias" {
						continue
					}
					checkFences(t, New(set), o, rows, n)
				}
			}
		}
	}
}

// checkFences runs o on the fenced rows: a read beside them is a fault that
// ends the test.
func checkFences(t *testing.T, v *Kernel, o operation, rows [5]fenced, n int) {
	t.Helper()
	plain := fillers[0].rows(n)
	var r [5][]float32
	for i, f := range rows {
		copy(f.row, plain[i])
		r[i] = f.row[:n&^one(o, n)]
	}
	o.run(v, r)
	for i, f := range rows {
		if f.damaged() {
			t.Fatalf("%s, %s: wrote beside row %d of %d values", v.Set(), o.name, i, n)
		}
		for k, x := range f.row {
			if i > 0 && math.Float32bits(x) != math.Float32bits(plain[i][k]) {
				t.Fatalf("%s, %s: changed row %d, which it should only read", v.Set(), o.name, i)
			}
		}
	}
}
