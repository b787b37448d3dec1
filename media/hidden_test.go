package media

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
)

// momentsOf are frames, 40 ms each, with their changes.
func momentsOf(changes ...float32) (list []Moment) {
	for i, c := range changes {
		list = append(list, Moment{Time: time.Duration(i) * 40 * time.Millisecond, Change: c})
	}
	return list
}

func TestChangesAmidOthers(t *testing.T) {
	repeat := func(n int, list ...float32) []float32 { return slices.Repeat(list, n) }
	for _, c := range []struct {
		name    string
		changes []float32
		at      int
		want    bool
	}{
		{"a cut between still pictures", slices.Concat(repeat(12, 1), []float32{48}, repeat(12, 1)), 12, false},
		{"a cut in motion", slices.Concat(repeat(12, 12), []float32{48}, repeat(12, 15)), 12, false},
		{"a cut to a pattern that flickers", slices.Concat(repeat(12, 0), []float32{60}, repeat(12, 45)), 12, false},
		{"a repeated frame in noise", slices.Concat(repeat(12, 44), []float32{0, 44}, repeat(12, 44)), 13, true},
		{"noise at a third of the frame rate", slices.Concat(repeat(5, 44, 0, 0), repeat(5, 44, 0, 0)), 15, true},
		{"the first change of noise", slices.Concat([]float32{0}, repeat(12, 48)), 1, true},
		{"a frame of another shot at the start", slices.Concat([]float32{0, 60}, repeat(12, 3)), 1, false},
		{"a frame of another shot at the end", slices.Concat(repeat(12, 3), []float32{60}), 12, false},
		{"the last change of noise", slices.Concat(repeat(12, 44), []float32{0, 44}), 13, true},
		{"one other change", slices.Concat(repeat(6, 1), []float32{40}, repeat(5, 1), []float32{48}, repeat(12, 1)), 12, false},
	} {
		m := momentsOf(c.changes...)
		if got := amidChanges(m, m[c.at].Time); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// painted is a picture of two brightnesses and one colour.
func painted(luma, other, blue uint8) *smallPicture {
	p := newSmallPicture(16, 16)
	for i := range p.luma.Pix {
		p.luma.Pix[i] = luma
		if i%2 == 0 {
			p.luma.Pix[i] = other
		}
	}
	for i := range p.blue.Pix {
		p.blue.Pix[i], p.red.Pix[i] = blue, 128
	}
	return p
}

// hiddenIn measures pictures, 40 ms each, with changes as given or measured.
func hiddenIn(pictures []*smallPicture, changes []float32) (found []time.Duration) {
	var f hiddenFinder
	var moments []Moment
	for i, p := range pictures {
		p.at = time.Duration(i) * 40 * time.Millisecond
		m := Moment{Time: p.at, Change: changes[i]}
		if i > 0 {
			m.Colours = float32(pictures[i-1].recoloured(p))
		}
		moments = append(moments, m)
		f.see(moments, p.clone())
	}
	for _, c := range f.all(moments) {
		found = append(found, c.Time)
	}
	return found
}

func TestHiddenCuts(t *testing.T) {
	still, moving := slices.Repeat([]float32{1}, 15), slices.Repeat([]float32{7, 9}, 8)
	calm, snow := slices.Repeat([]float32{2}, 15), slices.Repeat([]float32{60}, 15)
	lumas := func(list ...uint8) (out []*smallPicture) {
		for _, l := range list {
			for range 31 / len(list) {
				out = append(out, painted(l, 100, 128))
			}
		}
		for len(out) < 31 {
			out = append(out, painted(list[len(list)-1], 100, 128))
		}
		return out
	}
	blues := func(of func(i int) uint8) (out []*smallPicture) {
		for i := range 31 {
			out = append(out, painted(100, 100, of(i)))
		}
		return out
	}
	step := func(at int, from, to uint8) func(int) uint8 {
		return func(i int) uint8 {
			if i < at {
				return from
			}
			return to
		}
	}
	one := slices.Concat(still, []float32{12}, still)
	two := lumas(60, 130) // from frame 15 on
	ending := slices.Concat(lumas(100)[:15], lumas(100)[:1], lumas(40)[:15])
	flat := make([]float32, 31)
	for _, c := range []struct {
		name     string
		changes  []float32
		pictures []*smallPicture
		want     int // frame; 0 = no cut
	}{
		{"between still pictures", one, two, 15},
		{"the same picture after", one, lumas(60), 0},
		{"amid motion", slices.Concat(moving[:15], []float32{12}, moving[:15]), two, 0},
		{"hardly any change", slices.Concat(still, []float32{4}, still), two, 0},
		{"colours at once", flat, blues(step(15, 90, 140)), 15},
		{"colours at once, and a little after", flat, blues(func(i int) uint8 { return step(15, 90, 140)(i) + uint8(max(i-15, 0)/5) }), 15},
		{"colours little by little", flat, blues(func(i int) uint8 { return uint8(60 + 5*i) }), 0},
		{"colours in two steps", flat, blues(func(i int) uint8 { return max(step(15, 90, 115)(i), step(18, 90, 140)(i)) }), 0},
		{"colours and back", flat, blues(func(i int) uint8 { return min(step(15, 90, 140)(i), 230-step(17, 90, 140)(i)) }), 0},
		{"hardly any colours", flat, blues(step(15, 90, 100)), 0},
		{"wild motion that ends in another picture", slices.Concat(snow, []float32{66}, calm), slices.Concat(lumas(100)[:15], lumas(40)[:16]), 15},
		{"wild motion that ends in a frozen picture", slices.Concat(snow, []float32{60}, calm), lumas(100), 0},
		{"an explosion", slices.Concat(calm[:11], []float32{30, 60, 40, 26}, []float32{30}, calm), ending, 0},
		{"wild motion without an end", slices.Concat(snow, []float32{66}, snow), slices.Concat(lumas(100)[:15], lumas(40)[:16]), 0},
	} {
		var want []time.Duration
		if c.want > 0 {
			want = append(want, time.Duration(c.want)*40*time.Millisecond)
		}
		if got := hiddenIn(c.pictures, c.changes); !slices.Equal(got, want) {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// TestCutsOfPatterns by the clips of ffmpeg's test sources, each for some seconds.
func TestCutsOfPatterns(t *testing.T) {
	const size = "s=160x90:r=25"
	for name, c := range map[string]struct {
		parts []string // sources, each for 1.2 s, or one for 4 s
	}{
		"colours of one brightness": {[]string{"color=0xb44646:" + size, "color=0x2f7f2f:" + size, "color=0x5f5fb9:" + size}},
		"pictures of low contrast":  {[]string{"testsrc2=" + size + ",eq=contrast=0.4", "rgbtestsrc=" + size + ",eq=contrast=0.4", "smptebars=" + size + ",eq=contrast=0.4"}},
		"snow before a test card":   {[]string{"color=gray:" + size + ",noise=alls=100:allf=t", "testsrc2=" + size, "smptebars=" + size}},
		"snow":                      {[]string{"color=gray:" + size + ",noise=alls=100:allf=t:all_seed=1"}},
		"a pattern that jumps":      {[]string{"sierpinski=" + size + ":seed=9"}},
		"a slow pattern that jumps": {[]string{"sierpinski=s=160x90:r=11:seed=5,fps=25"}},
		"changing colours":          {[]string{"smptebars=" + size + ",hue=h=200*t"}},
		"a turning picture":         {[]string{"smptebars=" + size + ",rotate=4*t"}},
		"coloured light":            {[]string{"testsrc2=" + size + ",hue=h='if(lt(mod(t,1),0.5),0,120)'"}},
		"twelve colours":            {slices.Repeat([]string{"color=0xb44646:" + size, "color=0x2f7f2f:" + size}, 6)},
		"words on a page":           {[]string{"color=white:" + size + ",drawbox=x=40:y=30:w=60:h=40:color=0xd0d0d0:t=fill:enable='gt(t,2)'"}},
	} {
		t.Run(name, func(t *testing.T) {
			var args []string
			graph := ""
			for i, p := range c.parts {
				args = append(args, "-f", "lavfi", "-i", p)
				seconds := 1.2
				if len(c.parts) == 1 {
					seconds = 4
				}
				graph += fmt.Sprintf("[%d:v]trim=end_frame=%d,setpts=PTS-STARTPTS,format=yuv420p,setsar=1,fps=25[v%d];", i, int(math.Round(seconds*25)), i)
			}
			for i := range c.parts {
				graph += fmt.Sprintf("[v%d]", i)
			}
			path := filepath.Join(t.TempDir(), "clip.mp4")
			clips.Make(t, path, append(args, "-filter_complex", graph+fmt.Sprintf("concat=n=%d:v=1:a=0[out]", len(c.parts)), "-map", "[out]", "-c:v", "libx264", "-crf", "20", "-preset", "ultrafast")...)
			s, err := RunSurvey(t.Context(), probedFile(t, path), SurveyOptions{})
			fixture.OK(t, err)
			var got, want []string
			for _, c := range s.Video.Cuts {
				got = append(got, fmt.Sprintf("%.2f", c.Time.Seconds()))
			}
			for i := 1; i < len(c.parts); i++ {
				want = append(want, fmt.Sprintf("%.2f", 1.2*float64(i)))
			}
			if !slices.Equal(got, want) {
				t.Errorf("cuts at %v, want %v", got, want)
			}
		})
	}
}

func TestFadesAndCutsToBlack(t *testing.T) {
	const black = time.Second
	for _, c := range []struct {
		name    string
		lumas   string // of frames before and after black, 40 ms each
		cuts    []Cut
		out, in time.Duration
	}{
		{"at once", "99999.99999", nil, 0, 0},
		{"darkens slowly", "99998642.9999", nil, 120 * time.Millisecond, 0},
		{"both ways", "99997531.13579999", nil, 120 * time.Millisecond, 120 * time.Millisecond},
		{"starts black", ".1122334455667788999", nil, 0, 520 * time.Millisecond},
		{"a cut to something brighter follows", ".4444444449999", []Cut{{Time: 2*black + 360*time.Millisecond}}, 0, 0},
		{"a cut to something darker precedes", "999994444444.9", []Cut{{Time: black - 280*time.Millisecond}}, 0, 0},
	} {
		s := &VideoSurvey{Cuts: c.cuts}
		before, after, _ := strings.Cut(c.lumas, ".")
		for i, r := range before {
			s.Moments = append(s.Moments, Moment{Time: black - time.Duration(len(before)-i)*40*time.Millisecond, Luma: float32(r-'0') * 20})
		}
		for i, r := range after {
			s.Moments = append(s.Moments, Moment{Time: 2*black + time.Duration(i)*40*time.Millisecond, Luma: float32(r-'0') * 20})
		}
		out, in := s.Fades(omniscope.Span{Start: black, End: 2 * black})
		if near := 90 * time.Millisecond; (out-c.out).Abs() > near || (in-c.in).Abs() > near || (out == 0) != (c.out == 0) || (in == 0) != (c.in == 0) {
			t.Errorf("%s: fades out %v and in %v, want %v and %v", c.name, out, in, c.out, c.in)
		}
	}
}
