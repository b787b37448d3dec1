package plane

import (
	"math"
	"math/rand/v2"
	"testing"
)

// hills are waves of brightness, moved by dx and dy.
func hills(dx, dy int) Plane {
	p := Plane{Width: 160, Height: 90}
	for y := range 90 {
		for x := range 160 {
			u, v := float64(x-dx), float64(y-dy)
			p.Pix = append(p.Pix, uint8(128+60*(math.Sin(0.31*u+2*math.Sin(0.09*v))+math.Sin(0.27*v+3*math.Sin(0.13*u)))))
		}
	}
	return p
}

func flat(value uint8) Plane {
	p := Plane{Width: 8, Height: 4, Pix: make([]uint8, 32)}
	for i := range p.Pix {
		p.Pix[i] = value
	}
	return p
}

func TestMotionOfThePicture(t *testing.T) {
	for _, c := range []struct{ dx, dy int }{{0, 0}, {-8, 0}, {5, 3}} {
		m, ok := Scale(hills(0, 0)).To(Scale(hills(c.dx, c.dy)))
		if !ok || math.Abs(m.Right-float64(c.dx)) > 1 || math.Abs(m.Down-float64(c.dy)) > 1 || math.Abs(m.Growth) > 0.02 {
			t.Errorf("moved by %d and %d: %+v, %v", c.dx, c.dy, m, ok)
		}
	}
	a, b := flat(10), flat(200)
	if m, ok := Scale(a).To(Scale(b)); ok {
		t.Errorf("pictures without texture move by %+v", m)
	}
}

func TestDifferences(t *testing.T) {
	a, b, half := flat(16), flat(80), flat(16)
	copy(half.Pix[:16], b.Pix)
	for _, c := range []struct {
		name          string
		a, b          Plane
		apart, unlike float64
	}{
		{"equal", a, a, 0, 0},
		{"another brightness", a, b, 64, 1},
		{"half of it", a, half, 32, 0.5},
		{"another size", a, a.Part(0, 0, 4, 4), 0, 0},
	} {
		if apart, unlike := c.a.Difference(&c.b), c.a.Unlike(&c.b); apart != c.apart || math.Abs(unlike-c.unlike) > 1e-9 {
			t.Errorf("%s: apart %g, unlike %g, want %g and %g", c.name, apart, unlike, c.apart, c.unlike)
		}
	}
}

func TestShrunkToMeans(t *testing.T) {
	p := Shrunk([]uint8{0, 10, 20, 30, 99, 40, 50, 60, 70, 99}, 5, 4, 2, 2, 1) // a stride of 5
	if p.Width != 2 || p.Height != 1 || p.Pix[0] != 25 || p.Pix[1] != 45 {
		t.Errorf("%+v", p)
	}
	if m := p.Mean(); m != 35 {
		t.Errorf("mean %g", m)
	}
}

func TestShapesWhateverTheLight(t *testing.T) {
	lit := func(p Plane, gain, offset float64) *Plane {
		q := Plane{Width: p.Width, Height: p.Height}
		for _, v := range p.Pix {
			q.Pix = append(q.Pix, uint8(min(max(gain*float64(v)+offset, 0), 255)))
		}
		return &q
	}
	room, other := hills(0, 0), hills(37, 21)
	bars := func(p Plane) *Plane {
		q := lit(p, 1, 0)
		clear(q.Pix[:20*q.Width])
		clear(q.Pix[70*q.Width:])
		return q
	}
	for _, c := range []struct {
		name        string
		a, b        *Plane
		same, known bool
	}{
		{"a lamp", lit(room, 0.2, 5), lit(room, 1, 0), true, true},
		{"an exposure step that clips", lit(room, 1, 0), lit(room, 1, 60), true, true},
		{"a little moved", lit(room, 0.5, 5), lit(hills(1, 1), 1, 0), true, true},
		{"another picture", lit(room, 0.2, 5), lit(other, 1, 0), false, true},
		{"other pictures behind bars", bars(room), bars(other), false, true},
		{"a negative", lit(room, 1, 0), lit(room, -1, 255), false, true},
		{"white", lit(room, 1, 0), lit(room, 0, 255), true, false},
		{"black", lit(room, 0, 0), lit(room, 1, 0), true, false},
		{"two sizes", &Plane{Width: 8, Height: 8, Pix: make([]uint8, 64)}, lit(room, 1, 0), false, false},
	} {
		if same, known := c.a.SameShapes(c.b); known != c.known || known && same != c.same {
			t.Errorf("%s: same %v, known %v", c.name, same, known)
		}
	}
}

// Eight pixels at a time give the same as one after the other, at all lengths and values.
func TestSumsOfPixels(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, length := range []int{1, 7, 8, 9, 1023, 1024, 1025, 5000} {
		for _, mask := range []uint32{0, 1, 0x3f, 0x7f, 0xff} {
			a, b := make([]uint8, length), make([]uint8, length)
			for i := range a {
				a[i], b[i] = uint8(random.Uint32()&mask), uint8(255-random.Uint32()&mask)
			}
			sum, dark, distance := 0, 0, 0
			for i, v := range a {
				sum += int(v)
				distance += max(int(v)-int(b[i]), int(b[i])-int(v))
				if v <= 25 {
					dark++
				}
			}
			if got := total(a); got != sum {
				t.Errorf("sum of %d pixels: %d, not %d", length, got, sum)
			}
			if got := AtMost(a, 25); got != dark {
				t.Errorf("%d of %d pixels are dark, not %d", got, length, dark)
			}
			if got, back := Difference(a, b)*float64(length), Difference(b, a)*float64(length); math.Round(got) != float64(distance) || got != back {
				t.Errorf("difference of %d pixels: %g and %g, not %d", length, got, back, distance)
			}
		}
	}
}
