package gemm

import (
	"math/rand/v2"
	"syscall"
	"testing"
	"unsafe"
)

// walled returns n floats between two pages that nobody may touch, so that they
// touch the upper one or the lower one.
func walled(t *testing.T, n int, upper bool) []float32 {
	t.Helper()
	page := syscall.Getpagesize()
	size := max(1, ceil(4*n, page)) * page
	mem, err := syscall.Mmap(-1, 0, size+2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Skip("no memory map:", err)
	}
	t.Cleanup(func() { syscall.Munmap(mem) })
	for _, wall := range [][]byte{mem[:page], mem[page+size:]} {
		if err := syscall.Mprotect(wall, syscall.PROT_NONE); err != nil {
			t.Skip("no protected pages:", err)
		}
	}
	at := page
	if upper {
		at += size - 4*n
	}
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*float32)(unsafe.Pointer(&mem[at])), n)
}

// TestSliceBounds: one float too many would end the program.
func TestSliceBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	for _, g := range kernels() {
		for range 60 {
			p := made(r, 1+r.IntN(2*g.maxRows()), 1+r.IntN(2*g.columns+1), 1+r.IntN(280), r.Float32)
			upper := r.IntN(2) == 0
			for _, s := range []*[]float32{&p.x, &p.w, &p.bias} {
				if *s != nil {
					to := walled(t, len(*s), upper)
					copy(to, *s)
					*s = to
				}
			}
			w := p.pack(g)
			panels := walled(t, len(w.panels), upper)
			copy(panels, w.panels)
			w.panels = panels
			out := walled(t, (p.m-1)*p.ldo+p.n, upper)
			g.Mul(out, p.ldo, p.x, p.ldx, p.m, w, p.bias)
			p.verify(t, g, out)
		}
	}
}
