package contamination

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"

	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
)

// Made clips are small and short, so that hundreds of them are soon made.
const (
	madeSize    = "160x120"
	madeSeconds = 6
)

// pictureOf is a source of pictures for ffmpeg: seeds differ in kind and in what is seen.
func pictureOf(seed int) string {
	r := rand.New(rand.NewPCG(uint64(seed), 11))
	const fit = "scale=160:120:flags=bicubic,fps=10"
	life := fmt.Sprintf("life=s=%dx%d:rate=%d:seed=%d:ratio=%.2f", 32+16*r.IntN(2), 24+12*r.IntN(2), 1+r.IntN(4), seed, 0.3+0.2*r.Float64())
	switch seed % 6 {
	case 0:
		return life + "," + fit
	case 1:
		return fmt.Sprintf("cellauto=s=40x30:rule=%d:rate=%d:seed=%d,", []int{18, 22, 30, 45, 60, 90, 110, 150}[r.IntN(8)], 2+r.IntN(4), seed) + fit
	case 2: // a zoom into another place at the edge of the set for each seed
		angle := 2.39996 * float64(seed)
		x, y := math.Cos(angle)/2-math.Cos(2*angle)/4, math.Sin(angle)/2-math.Sin(2*angle)/4
		return fmt.Sprintf("mandelbrot=s=160x120:rate=10:start_x=%.5f:start_y=%.5f:start_scale=%.3f:end_scale=%.4f:end_pts=120", x, y, 0.1+0.3*r.Float64(), 0.004+0.01*r.Float64())
	case 3: // two pictures, one moving over the other
		return fmt.Sprintf("%s,%s,split[a][b];[b]scale=80:60,hue=h=%d,vflip[c];[a][c]overlay=x='mod(t*%d,160)-40':y=%d", life, fit, r.IntN(360), 20+r.IntN(60), r.IntN(80))
	case 4: // smooth: many of its pictures are too empty to be compared
		return fmt.Sprintf("gradients=s=160x120:rate=10:seed=%d:n=%d:speed=%.3f:c0=0x%06x:c1=0x%06x:c2=0x%06x", seed, 3+r.IntN(5), 0.01+0.05*r.Float64(), r.IntN(1<<24), r.IntN(1<<24), r.IntN(1<<24))
	}
	return fmt.Sprintf("testsrc2=s=160x120:rate=10,rotate=a=%.2f,hue=h=%d[a];%s,%s[b];[a][b]blend=all_mode=%s", 6.28*r.Float64(), r.IntN(360), life, fit, []string{"difference", "average", "screen"}[r.IntN(3)])
}

// soundOf is a source of sound with its filters; "" = this one has none.
func soundOf(seed int) string {
	r := rand.New(rand.NewPCG(uint64(seed), 13))
	f := func(from, to int) int { return from + r.IntN(to-from) }
	switch seed % 7 {
	case 0:
		return fmt.Sprintf("anoisesrc=d=6:seed=%d:r=16000:a=0.5:c=%s,tremolo=f=%d:d=0.9,aphaser=speed=0.%d:decay=0.6,lowpass=%d", seed, []string{"white", "pink", "brown"}[r.IntN(3)], f(2, 6), f(3, 9), f(1500, 3500))
	case 1: // a sweep that sways: two straight ones of the same rate would be one sound at another time
		return fmt.Sprintf("aevalsrc='0.4*sin(2*PI*(%d*t+%d*t*t)+%d*sin(2*PI*0.%d*t))':s=16000:d=6", f(120, 900), f(20, 250), f(20, 200), f(2, 9))
	case 2: // sweeps and beats
		return fmt.Sprintf("aevalsrc='0.3*sin(2*PI*(%d*t+%d*t*t)+%d*sin(2*PI*0.%d*t))+0.3*sin(2*PI*%d*t)*gt(sin(2*PI*%d*t),0)':s=16000:d=6", f(120, 900), f(20, 250), f(20, 200), f(2, 9), f(300, 1800), f(1, 5))
	case 3: // a tune of noise
		return fmt.Sprintf("anoisesrc=d=6:seed=%d:r=16000:a=0.5,bandpass=f=%d:w=%d,tremolo=f=%d:d=0.8", seed, f(300, 2500), f(100, 700), f(2, 9))
	case 4: // steps from note to note
		return fmt.Sprintf("aevalsrc='0.4*sin(2*PI*t*(%d+%d*floor(mod(t*%d,%d))))':s=16000:d=6", f(200, 500), f(60, 300), f(2, 6), f(3, 7))
	case 5:
		return fmt.Sprintf("anoisesrc=d=6:seed=%d:r=16000:a=0.3,chorus=0.6:0.9:50|60:0.4|0.32:0.25|0.4:2|1.3,vibrato=f=%d:d=0.9,highpass=%d,tremolo=f=%d:d=0.7", seed, f(2, 8), f(300, 1500), f(1, 4))
	}
	return ""
}

// makeFile makes a clip with one thread.
func makeFile(path string, args ...string) error {
	return clips.MakeFile(path, append([]string{"-filter_complex_threads", "1"}, args...)...)
}

// makeClip makes a clip of a seed.
func makeClip(path string, seed int) error {
	graph, args := pictureOf(seed)+"[v]", []string{"-map", "[v]"}
	if sound := soundOf(seed); sound != "" {
		graph += ";" + sound + "[s]"
		args = append(args, "-map", "[s]", "-c:a", "aac", "-b:a", "64k")
	}
	args = append([]string{"-filter_complex", graph}, args...)
	return makeFile(path, append(args, "-t", fmt.Sprint(madeSeconds), "-threads", "1", "-c:v", "libx264", "-preset", "ultrafast", "-crf", "24", "-pix_fmt", "yuv420p")...)
}

// A change is what was done to a copy.
type change struct {
	name string
	of   func(n int) string // arguments of ffmpeg for the n-th copy of this kind; nil = its sound gets another picture
}

const recode = " -threads 1 -c:v libx264 -preset ultrafast -crf 32 -c:a aac -b:a 48k"

// changes are the kinds of copies that are planted, eight of each.
var changes = []change{
	{name: "recoded, scaled, softer or louder", of: func(n int) string {
		return fmt.Sprintf("-vf scale=%d:-2 -af volume=%.1f"+recode, 96+16*n, 0.4+0.2*float64(n))
	}},
	{name: "cut", of: func(n int) string {
		return fmt.Sprintf("-ss %.1f -t %.1f"+recode, 0.4*float64(n%4), 4.4-0.2*float64(n))
	}},
	{name: "cropped", of: func(n int) string {
		return fmt.Sprintf("-vf crop=iw*%.2f:ih*%[1]f,scale=160:120"+recode, []float64{0.8, 0.8, 0.8, 0.8, 0.9, 0.86, 0.76, 0.72}[n])
	}},
	{name: "mirrored", of: func(n int) string { return "-vf hflip" + recode }},
	{name: "other speed", of: func(n int) string {
		speed := []float64{0.9, 1.1, 1.25}[n%3]
		return fmt.Sprintf("-vf setpts=PTS/%.2f -af atempo=%[1]f"+recode, speed)
	}},
	{name: "framed", of: func(n int) string {
		return []string{"-vf scale=160:90,pad=160:120:0:15", "-vf scale=120:120,pad=160:120:20:0"}[n%2] + recode
	}},
	{name: "sound under another picture", of: nil},
}

const copiesOfEach = 8

// copyClip makes a changed copy.
func copyClip(from, to string, c change, n, seed int) error {
	if c.of == nil { // the picture of another seed
		return makeFile(to, "-i", from, "-filter_complex", pictureOf(seed)+"[v]", "-map", "[v]", "-map", "0:a", "-t", "5.5", "-threads", "1", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac", "-b:a", "48k")
	}
	return makeFile(to, append([]string{"-i", from}, strings.Fields(c.of(n))...)...)
}

// madeSet makes a benchmark and a training set with planted copies, and returns what each planted clip is a copy of and how it was
// changed. Names are of what is in a file, so that failures can be looked at.
func madeSet(t *testing.T, benchmark, training string, originals, others int) (of map[string]string, kind map[string]string) {
	need.FFmpeg(t)
	of, kind = make(map[string]string), make(map[string]string)
	for _, dir := range []string{benchmark, training} {
		fixture.OK(t, os.MkdirAll(dir, 0o755))
	}
	var group errgroup.Group
	group.SetLimit(2)
	for i := range originals {
		group.Go(func() error { return makeClip(filepath.Join(benchmark, fmt.Sprintf("test%03d.mp4", i)), i+1) })
	}
	for i := range others {
		group.Go(func() error { return makeClip(filepath.Join(training, fmt.Sprintf("other%03d.mp4", i)), 1001+i) })
	}
	fixture.OK(t, group.Wait())
	next := 0
	for k, c := range changes {
		for n := range copiesOfEach {
			for c.of == nil && soundOf(next+1) == "" {
				next++
			}
			from, id := fmt.Sprintf("test%03d.mp4", next), fmt.Sprintf("copy%d%d", k, n)
			of[id], kind[id] = from, c.name
			seed := 3001 + next
			group.Go(func() error {
				return copyClip(filepath.Join(benchmark, from), filepath.Join(training, id+".mp4"), c, n, seed)
			})
			next++
		}
	}
	fixture.OK(t, group.Wait())
	return of, kind
}

// options are those of a small comparison.
func options(list, out string, against ...Against) *Options {
	return &Options{List: list, Against: against, Dir: out, Memory: filepath.Join(filepath.Dir(out), "prints"), Jobs: 2,
		Progress: func(int) (func(int), func(string), func()) { return func(int) {}, func(string) {}, func() {} }}
}
