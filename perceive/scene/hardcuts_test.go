package scene

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"omniscope/internal/testing/clips"
	"omniscope/media"
	"omniscope/perceive"
)

// momentsOf are frames, 40 ms each, with their changes.
func momentsOf(changes ...float32) (list []media.Moment) {
	for i, c := range changes {
		list = append(list, media.Moment{Time: time.Duration(i) * 40 * time.Millisecond, Change: c})
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

func filled(at time.Duration, luma, blue, red uint8) *picture {
	fill := func(v uint8) plane { return plane{width: 8, height: 8, pix: slices.Repeat([]uint8{v}, 64)} }
	return &picture{at: at, luma: fill(luma), blue: fill(blue), red: fill(red)}
}

func TestColoursThatJump(t *testing.T) {
	for _, c := range []struct {
		name string
		blue []uint8 // of each frame
		want int     // frame, 0 = none
	}{
		{"at once", []uint8{90, 90, 90, 140, 140, 140}, 3},
		{"at once, and a little after", []uint8{90, 91, 90, 140, 143, 145}, 3},
		{"little by little", []uint8{90, 100, 110, 120, 130, 140}, 0},
		{"in two steps", []uint8{90, 90, 115, 115, 140, 140}, 0},
		{"and back", []uint8{90, 90, 140, 90, 90, 90}, 0},
		{"too little", []uint8{90, 90, 100, 100, 100, 100}, 0},
	} {
		var frames []*picture
		for i, b := range c.blue {
			frames = append(frames, filled(time.Duration(i)*time.Second, 100, b, 128))
		}
		if got := jump(frames); got != time.Duration(c.want)*time.Second {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestWildMotionThatEnds(t *testing.T) {
	calm := slices.Repeat([]float32{2}, 15)
	snow := slices.Repeat([]float32{60}, 15)
	for _, c := range []struct {
		name    string
		changes []float32
		after   *picture
		want    bool
	}{
		{"another picture", slices.Concat(snow, []float32{66}, calm), filled(700*time.Millisecond, 40, 128, 128), true},
		{"the same picture, frozen", slices.Concat(snow, []float32{60}, calm), filled(700*time.Millisecond, 100, 128, 128), false},
		{"an explosion", slices.Concat(calm[:11], []float32{30, 60, 40, 26}, []float32{30}, calm), filled(700*time.Millisecond, 40, 128, 128), false},
		{"it goes on", slices.Concat(snow, []float32{66}, snow), filled(700*time.Millisecond, 40, 128, 128), false},
	} {
		s := &media.VideoSurvey{Moments: momentsOf(c.changes...)}
		found := wildEnds(s, []*picture{filled(500*time.Millisecond, 100, 128, 128), c.after})
		if got := len(found) == 1 && found[0] == 600*time.Millisecond; got != c.want {
			t.Errorf("%s: %v", c.name, found)
		}
	}
}

func TestSoftCuts(t *testing.T) {
	still := slices.Repeat([]float32{1}, 15)
	moving := slices.Repeat([]float32{7, 9}, 8)
	shown := func(lumas ...uint8) (list []*picture) { // 0.3 s apart
		for i, l := range lumas {
			p := filled(time.Duration(50+300*i)*time.Millisecond, l, 128, 128)
			for k := range p.luma.pix[:32] { // not one brightness alone
				p.luma.pix[k] = 100
			}
			list = append(list, p)
		}
		return list
	}
	for _, c := range []struct {
		name     string
		changes  []float32
		pictures []*picture
		want     bool
	}{
		{"between still pictures", slices.Concat(still, []float32{12}, still), shown(60, 60, 130, 130), true},
		{"the same picture after", slices.Concat(still, []float32{12}, still), shown(60, 60, 60, 60), false},
		{"pictures that differ all the time", slices.Concat(still, []float32{12}, still), shown(20, 60, 130, 200), false},
		{"amid motion", slices.Concat(moving[:15], []float32{12}, moving), shown(60, 60, 130, 130), false},
		{"hardly any change", slices.Concat(still, []float32{4}, still), shown(60, 60, 130, 130), false},
	} {
		s := &media.VideoSurvey{Moments: momentsOf(c.changes...)}
		for i := range s.Moments {
			s.Moments[i].Score = 0.01
		}
		found := softCuts(s, c.pictures)
		if got := len(found) == 1 && found[0] == 600*time.Millisecond; got != c.want {
			t.Errorf("%s: %v", c.name, found)
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
			var got, want []string
			for _, o := range ofKind(observed(t, path), perceive.Cut) {
				got = append(got, fmt.Sprintf("%.2f", o.Span.Start.Seconds()))
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
