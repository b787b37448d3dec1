package media

import (
	"bytes"
	"context"
	"fmt"
	"image/jpeg"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
)

// patches are colours that an HDR film and an SDR copy of it show.
var patches = [][3]float64{{255, 255, 255}, {192, 0, 0}, {0, 160, 0}, {32, 32, 192}, {128, 128, 128}, {200, 150, 120}, {32, 32, 32}, {224, 192, 0}}

// hdrPatch returns a film of one colour of sRGB with a transfer function of
// BT.2100, on a screen with white at 100 cd/m², and the peak of HLG at 1000.
func hdrPatch(t *testing.T, colour [3]float64, transfer string) string {
	var light [3]float64 // in cd/m²
	for i, v := range colour {
		light[i] = 100 * linear(v)
	}
	// BT.2087: from BT.709 to BT.2020.
	light = [3]float64{
		0.6274*light[0] + 0.3293*light[1] + 0.0433*light[2],
		0.0691*light[0] + 0.9195*light[1] + 0.0114*light[2],
		0.0164*light[0] + 0.0880*light[1] + 0.8956*light[2],
	}
	var code [3]int
	for i, v := range light {
		code[i] = int(math.Round(1023 * encoded(v, 0.2627*light[0]+0.6780*light[1]+0.0593*light[2], transfer)))
	}
	return clips.Made(t, fmt.Sprintf("%s-%v.mp4", transfer, colour), fmt.Sprintf("-f lavfi -i color=s=64x64:r=5:d=1,format=gbrp10,geq=r=%d:g=%d:b=%d,"+
		"scale=out_color_matrix=bt2020:out_range=tv,format=yuv420p10le -c:v libx264 -qp 1 -color_primaries bt2020 -color_trc %s -colorspace bt2020nc",
		code[0], code[1], code[2], transfer))
}

// encoded is the signal, from 0 to 1, of light in cd/m².
func encoded(light, luminance float64, transfer string) float64 {
	if transfer == pq {
		p := math.Pow(light/10000, 0.1593017578125)
		return math.Pow((0.8359375+18.8515625*p)/(1+18.6875*p), 78.84375)
	}
	if luminance <= 0 {
		return 0
	}
	scene := light / 1000 / math.Pow(math.Pow(luminance/1000, 1/1.2), 0.2)
	if scene <= 1.0/12 {
		return math.Sqrt(3 * scene)
	}
	return 0.17883277*math.Log(12*scene-0.28466892) + 0.55991073
}

func linear(v float64) float64 {
	if v /= 255; v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

// shownColour is the mean colour of a frame.
func shownColour(t *testing.T, path string) (rgb [3]float64) {
	t.Helper()
	f, err := Probe(context.Background(), path)
	fixture.OK(t, err)
	jpg, err := Thumbnail(context.Background(), f, 500*time.Millisecond, 64)
	fixture.OK(t, err)
	picture, err := jpeg.Decode(bytes.NewReader(jpg))
	fixture.OK(t, err)
	b := picture.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			r, g, b, _ := picture.At(x, y).RGBA()
			rgb[0], rgb[1], rgb[2] = rgb[0]+float64(r>>8), rgb[1]+float64(g>>8), rgb[2]+float64(b>>8)
		}
	}
	n := float64(b.Dx() * b.Dy())
	return [3]float64{rgb[0] / n, rgb[1] / n, rgb[2] / n}
}

// distance is the CIE 1976 colour difference of two colours of sRGB.
func distance(a, b [3]float64) float64 {
	lab := func(c [3]float64) [3]float64 {
		var l [3]float64
		for i, v := range c {
			l[i] = linear(v)
		}
		f := func(v float64) float64 {
			if v > 216.0/24389 {
				return math.Cbrt(v)
			}
			return (24389.0/27*v + 16) / 116
		}
		x := f((0.4124*l[0] + 0.3576*l[1] + 0.1805*l[2]) / 0.9505)
		y := f(0.2126*l[0] + 0.7152*l[1] + 0.0722*l[2])
		z := f((0.0193*l[0] + 0.1192*l[1] + 0.9505*l[2]) / 1.0890)
		return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
	}
	p, q := lab(a), lab(b)
	return math.Sqrt((p[0]-q[0])*(p[0]-q[0]) + (p[1]-q[1])*(p[1]-q[1]) + (p[2]-q[2])*(p[2]-q[2]))
}

func TestColoursOfHDR(t *testing.T) {
	for i, colour := range patches {
		for _, transfer := range []string{pq, hlg} {
			path := hdrPatch(t, colour, transfer)
			got := shownColour(t, path)
			if i > 1 {
				continue
			}
			cut := filepath.Join(t.TempDir(), "it's [a] cut, 1:2;.mp4")
			f, err := Probe(context.Background(), path)
			fixture.OK(t, err)
			if _, err := EncodeProxy(context.Background(), f, 64, cut, nil); err != nil {
				t.Fatal(err)
			}
			if d := distance(got, colour); d > 4 {
				t.Errorf("%s of %v is shown as %.0f: off by %.1f", transfer, colour, got, d)
			}
			if d := distance(shownColour(t, cut), got); d > 3 {
				t.Errorf("the proxy of %s of %v differs by %.1f", transfer, colour, d)
			}
		}
	}
}

// A table of colours is found in a folder with any name.
func TestTablesInFoldersOfAnyName(t *testing.T) {
	path := hdrPatch(t, [3]float64{192, 0, 0}, pq)
	folder := filepath.Join(t.TempDir(), `it's [a] tab, 1:2;\%`)
	fixture.OK(t, os.Mkdir(folder, 0o700))
	t.Setenv("TMPDIR", folder)
	if got := shownColour(t, path); distance(got, [3]float64{192, 0, 0}) > 6 {
		t.Errorf("shown as %.0f", got)
	}
}

// A folder for temporary files that cannot be used is not a fault of the film.
func TestHDRWithoutTemporaryFolder(t *testing.T) {
	f := probedFile(t, hdrPatch(t, patches[1], pq))
	odd := filepath.Join(t.TempDir(), "a:b'c\\d,[e];\xff")
	if err := os.Mkdir(odd, 0o700); err != nil {
		t.Skip("no such name can be given here: ", err)
	}
	t.Setenv("TMPDIR", odd)
	if s, err := Frames(t.Context(), f, Policy{Frames: 2}, omniscope.Span{}, ""); err != nil || len(s.Frames) != 2 {
		t.Errorf("with an odd name: %+v, %v", s, err)
	}
	t.Setenv("TMPDIR", filepath.Join(odd, "missing"))
	if s, err := Frames(t.Context(), f, Policy{Frames: 2}, omniscope.Span{}, ""); omniscope.KindOf(err) != omniscope.Internal {
		t.Errorf("without a folder: %+v, %v", s, err)
	}
}
