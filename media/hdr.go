package media

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"omniscope"
	"omniscope/internal/scratch"
)

// The transfer functions of films with high dynamic range, as ffprobe names
// them: PQ (SMPTE ST 2084) and HLG (ARIB STD-B67), both defined in ITU-R BT.2100.
const (
	pq  = "smpte2084"
	hlg = "arib-std-b67"
)

// HDR reports whether a track is made for screens that are much brighter than
// others. Its pictures are given as such a screen's picture would look on
// another one: see tones.
func (s *Stream) HDR() bool { return s.Transfer == pq || s.Transfer == hlg }

// tones maps the colours of a film with high dynamic range. The zero value is
// for others, and maps nothing. Close it.
type tones struct {
	files *scratch.Folder
	lut   string // the filter that maps the colours
}

// tones makes what maps the colours of the video.
func (f *File) tones() (tones, error) {
	if f.Video == nil || !f.Video.HDR() {
		return tones{}, nil
	}
	failed := func(err error) (tones, error) {
		return tones{}, &omniscope.Error{Kind: omniscope.Internal, Op: "map the colours of " + shown(f.Path), Err: err}
	}
	files, err := scratch.New()
	if err != nil {
		return failed(err)
	}
	table := filepath.Join(files.Path, "tones.cube")
	if err := os.WriteFile(table, cubes[f.Video.Transfer](), 0o600); err != nil {
		files.Close()
		return failed(err)
	}
	return tones{files, "format=gbrp10le,lut3d=file=" + escaped(table) + ":interp=tetrahedral,setparams=color_primaries=bt709:color_trc=bt709,"}, nil
}

func (t tones) close() {
	if t.files != nil {
		t.files.Close()
	}
}

// scale is the filter that scales the picture, and maps its colours. size and
// output are options of ffmpeg's scale filter: about the size, and about the
// colours that come out.
func (t tones) scale(size, output string) string {
	if t.files == nil {
		return "scale=" + joinOptions(size, output)
	}
	// Small first: to map the colours of large pictures takes long.
	return "scale=" + joinOptions(size, "in_color_matrix=bt2020") + "," + t.lut + "scale=" + joinOptions("flags=bilinear", output)
}

func joinOptions(a, b string) string {
	if b == "" {
		return a
	}
	return a + ":" + b
}

// sdr names the colours in a file that is written, where they were mapped.
func (t tones) sdr() string {
	if t.files == nil {
		return ""
	}
	return ",setparams=colorspace=bt709:range=tv"
}

// matrix are the options of scale for pictures that sdr names.
func (t tones) matrix() string {
	if t.files == nil {
		return ""
	}
	return "out_color_matrix=bt709:out_range=tv"
}

// escaped writes a path as an option of a filter within a filter graph.
func escaped(path string) string {
	for _, special := range []string{`\':`, `\'[],;`} {
		var b strings.Builder
		for _, c := range []byte(path) { // names need not be UTF-8
			if strings.IndexByte(special, c) >= 0 {
				b.WriteByte('\\')
			}
			b.WriteByte(c)
		}
		path = b.String()
	}
	return path
}

// cubes are the tables of colours, by transfer function.
var cubes = map[string]func() []byte{
	pq:  sync.OnceValue(func() []byte { return cube(displayedPQ) }),
	hlg: sync.OnceValue(func() []byte { return cube(displayedHLG) }),
}

// cubeSide is the number of steps of each colour.
const cubeSide = 33

// cube is a table of colours in the format .cube (Adobe, Cube LUT
// Specification 1.0): red changes fastest.
func cube(displayed func([3]float64) [3]float64) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "LUT_3D_SIZE %d\n", cubeSide)
	at := func(i int) float64 { return float64(i) / (cubeSide - 1) }
	for blue := range cubeSide {
		for green := range cubeSide {
			for red := range cubeSide {
				c := shownSDR(displayed([3]float64{at(red), at(green), at(blue)}))
				fmt.Fprintf(&b, "%.6f %.6f %.6f\n", c[0], c[1], c[2])
			}
		}
	}
	return b.Bytes()
}

// white is the luminance that becomes the white of other films, in cd/m²: the
// nominal peak of SDR in BT.2100's conversions, and of ffmpeg's and zimg's.
const white = 100

// displayedPQ returns the luminances of an RGB colour in PQ, in units of white
// (BT.2100, table 4: EOTF).
func displayedPQ(c [3]float64) (light [3]float64) {
	const m1, m2, c1, c2, c3 = 2610.0 / 16384, 2523.0 / 4096 * 128, 3424.0 / 4096, 2413.0 / 4096 * 32, 2392.0 / 4096 * 32
	for i, v := range c {
		p := math.Pow(v, 1/m2)
		light[i] = 10000 / white * math.Pow(max(p-c1, 0)/(c2-c3*p), 1/m1)
	}
	return light
}

// displayedHLG returns the luminances of an RGB colour in HLG on a screen of
// 1000 cd/m², in units of white (BT.2100, table 5: inverse OETF and OOTF).
func displayedHLG(c [3]float64) (light [3]float64) {
	const a, b, d, peak, gamma = 0.17883277, 0.28466892, 0.55991073, 1000.0, 1.2
	for i, v := range c {
		if v <= 0.5 {
			light[i] = v * v / 3
		} else {
			light[i] = (math.Exp((v-d)/a) + b) / 12
		}
	}
	luminance := 0.2627*light[0] + 0.6780*light[1] + 0.0593*light[2]
	for i := range light {
		light[i] *= peak / white * math.Pow(luminance, gamma-1)
	}
	return light
}

// shownSDR returns a colour of BT.2020 primaries, linear and with 1 as white,
// in sRGB. Light above four fifths of white is compressed, evenly in all three
// colours, so that hues stay.
func shownSDR(c [3]float64) (out [3]float64) {
	// BT.2087, annex 2: from BT.2020 to BT.709.
	out = [3]float64{
		1.6605*c[0] - 0.5876*c[1] - 0.0728*c[2],
		-0.1246*c[0] + 1.1329*c[1] - 0.0083*c[2],
		-0.0182*c[0] - 0.1006*c[1] + 1.1187*c[2],
	}
	const knee = 0.8
	most := max(out[0], out[1], out[2])
	scale := 1.0
	if most > knee {
		scale = (knee + (1-knee)*(1-math.Exp(-(most-knee)/(1-knee)))) / most
	}
	for i := range out {
		out[i] = sRGB(min(max(out[i]*scale, 0), 1))
	}
	return out
}

// sRGB encodes linear light (IEC 61966-2-1).
func sRGB(v float64) float64 {
	if v <= 0.0031308 {
		return 12.92 * v
	}
	return 1.055*math.Pow(v, 1/2.4) - 0.055
}
