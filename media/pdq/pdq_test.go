package pdq

import (
	"math"
	"math/rand/v2"
	"testing"

	"omniscope/internal/testing/fixture"
)

// scene draws soft blobs and a few hard edges, the same for a seed at any size.
func scene(seed uint64, width, height int, gain float64) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	type blob struct{ x, y, size, level float64 }
	blobs := make([]blob, 24)
	for i := range blobs {
		blobs[i] = blob{r.Float64(), r.Float64(), 0.04 + 0.1*r.Float64(), 200 * (r.Float64() - 0.5)}
	}
	pix := make([]byte, width*height)
	for y := range height {
		for x := range width {
			u, v, level := (float64(x)+0.5)/float64(width), (float64(y)+0.5)/float64(height), 128.
			for _, b := range blobs {
				if math.Hypot(u-b.x, v-b.y) < b.size {
					level += b.level
				}
			}
			pix[y*width+x] = byte(max(0, min(255, gain*level)))
		}
	}
	return pix
}

func TestCopiesAreNear(t *testing.T) {
	whole, quality := Of(scene(1, 640, 360, 1), 640, 360)
	if quality < 50 {
		t.Errorf("quality %d of a picture full of edges, want at least 50", quality)
	}
	for name, c := range map[string]struct {
		width, height int
		gain          float64
	}{
		"half the size": {320, 180, 1},
		"larger":        {960, 540, 1},
		"darker":        {640, 360, 0.8},
		"squeezed":      {300, 300, 1},
	} {
		copied, _ := Of(scene(1, c.width, c.height, c.gain), c.width, c.height)
		if d := whole.Distance(copied); d > 31 {
			t.Errorf("%s: distance %d, want at most 31", name, d)
		}
	}
}

// mirror exchanges left and right.
func mirror(pix []byte, width int) []byte {
	out := make([]byte, len(pix))
	for i := range pix {
		out[i] = pix[i-i%width+width-1-i%width]
	}
	return out
}

func TestMirroredHash(t *testing.T) {
	for seed := range uint64(20) {
		for _, size := range [][2]int{{320, 180}, {160, 120}, {256, 128}, {641, 359}, {90, 160}} {
			pix := scene(seed, size[0], size[1], 1)
			want, _ := Of(mirror(pix, size[0]), size[0], size[1])
			h, got, _ := New(pix, size[0], size[1]).Hashes()
			if d := got.Distance(want); d > 10 {
				t.Errorf("seed %d, %d × %d: distance %d of the derived hash to that of the mirrored picture, want at most 10", seed, size[0], size[1], d)
			}
			if d := got.Distance(h); d < 60 {
				t.Errorf("seed %d: distance %d of a picture and its mirror image", seed, d)
			}
		}
	}
}

// In a picture of 64 points a side nothing is left out, so that the derived hash is exact.
func TestMirroredHashIsExact(t *testing.T) {
	for seed := range uint64(50) {
		pix := scene(seed, side, side, 1)
		want, _ := Of(mirror(pix, side), side, side)
		if _, got, _ := New(pix, side, side).Hashes(); got.Distance(want) > 0 {
			t.Errorf("seed %d: derived %s, hashed %s", seed, got, want)
		}
	}
}

// cropped is the picture without a margin of so many pixels.
func cropped(pix []byte, width, height, x, y int) (out []byte, w, h int) {
	w, h = width-2*x, height-2*y
	for row := y; row < y+h; row++ {
		out = append(out, pix[row*width+x:][:w]...)
	}
	return out, w, h
}

func TestHashOfTheInside(t *testing.T) {
	for seed := range uint64(20) {
		pix := scene(seed, 320, 180, 1)
		part, w, h := cropped(pix, 320, 180, 32, 18)
		want, _ := Of(part, w, h)
		if d := New(pix, 320, 180).Inside(0.1, 0.1).Distance(want); d > 20 {
			t.Errorf("seed %d: distance %d of the inside to the cropped picture, want at most 20", seed, d)
		}
	}
}

func TestOtherPicturesAreFar(t *testing.T) {
	for seed := range uint64(20) {
		a, _ := Of(scene(2*seed+2, 320, 180, 1), 320, 180)
		b, _ := Of(scene(2*seed+3, 320, 180, 1), 320, 180)
		if d := a.Distance(b); d < 80 {
			t.Errorf("seeds %d and %d: distance %d, want about 128", 2*seed+2, 2*seed+3, d)
		}
	}
}

func TestHalfOfTheBitsAreSet(t *testing.T) {
	h, _ := Of(scene(5, 320, 180, 1), 320, 180)
	if n := h.Distance(Hash{}); n != Bits/2 {
		t.Errorf("%d bits above the median, want %d", n, Bits/2)
	}
}

func TestEmptyPicturesHaveNoQuality(t *testing.T) {
	flat := make([]byte, 100*80)
	for i := range flat {
		flat[i] = 90
	}
	if _, quality := Of(flat, 100, 80); quality != 0 {
		t.Errorf("quality %d of a flat picture, want 0", quality)
	}
	if _, quality := Of(flat[:10], 100, 80); quality != 0 {
		t.Errorf("quality %d of a picture cut short, want 0", quality)
	}
}

// The transform of a cosine is that cosine's own frequency and nothing else.
func TestTransformOfOneFrequency(t *testing.T) {
	var a [side * side]float64
	for y := range side {
		for x := range side {
			a[y*side+x] = math.Cos(math.Pi/side*3*(float64(x)+0.5)) * math.Cos(math.Pi/side*5*(float64(y)+0.5))
		}
	}
	for k, v := range transform(&a) {
		want := 0.
		if k == 4*kept+2 {
			want = side / 2
		}
		if math.Abs(v-want) > 1e-9 {
			t.Errorf("frequency %d down, %d across: %g, want %g", k/kept+1, k%kept+1, v, want)
		}
	}
}

func TestBoxAveragesWhatIsThere(t *testing.T) {
	from := []float64{1, 2, 3, 4, 5}
	for _, c := range []struct {
		window int
		want   []float64
	}{
		{1, []float64{1, 2, 3, 4, 5}},
		{2, []float64{1.5, 2.5, 3.5, 4.5, 5}},
		{3, []float64{1.5, 2, 3, 4, 4.5}},
	} {
		to := make([]float64, len(from))
		box(to, from, len(from), 1, c.window)
		for i := range to {
			if math.Abs(to[i]-c.want[i]) > 1e-12 {
				t.Errorf("window %d: %v, want %v", c.window, to, c.want)
				break
			}
		}
	}
}

func TestHashAsText(t *testing.T) {
	h, _ := Of(scene(7, 200, 100, 1), 200, 100)
	text, err := h.MarshalText()
	fixture.OK(t, err)
	var back Hash
	if err := back.UnmarshalText(text); err != nil || back != h {
		t.Errorf("%s read back as %s, %v", text, back, err)
	}
	if err := back.UnmarshalText([]byte("12")); err == nil {
		t.Error("a hash of two digits was read")
	}
}

func BenchmarkOf(b *testing.B) {
	pix := scene(1, 320, 180, 1)
	for b.Loop() {
		Of(pix, 320, 180)
	}
}

// BenchmarkHashes is the cost of both hashes; the mirrored one costs at most what BenchmarkInside measures.
func BenchmarkHashes(b *testing.B) {
	pix := scene(1, 320, 180, 1)
	for b.Loop() {
		New(pix, 320, 180).Hashes()
	}
}

// BenchmarkInside is the cost of one further part of a picture.
func BenchmarkInside(b *testing.B) {
	p := New(scene(1, 320, 180, 1), 320, 180)
	for b.Loop() {
		p.Inside(0.1, 0.1)
	}
}
