package media

import (
	"bytes"
	"image"
	"image/jpeg"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
)

// Files whose frames have times of all kinds.
var timings = []struct{ name, file, args string }{
	{"constant rate", "cfr.mp4", counting + "-t 2 " + x264},
	{"no B-frames", "plain.webm", counting + "-t 2 -c:v libvpx -b:v 300k"},
	{"variable rate", "vfr.mp4", counting + "-t 2 -vf select='not(eq(mod(n,7),3))*not(between(n,20,29))' -vsync vfr " + x264},
	{"variable rate in milliseconds", "vfr.mkv", counting + "-t 2 -vf settb=1/1000,setpts='40*N+13*mod(N,3)' -vsync vfr -enc_time_base 1/1000 " + x264},
	{"a start of its own", "late.ts", counting + "-t 2 " + x264 + "-output_ts_offset 7.3"},
	{"video after sound", "after.mkv", counting + "-f lavfi -i sine=d=3 -t 2 -vf setpts=PTS+0.5/TB -c:a aac " + x264},
	{"no time stamps", "old.avi", counting + "-t 2 -c:v mpeg4 -q:v 2"},
}

func TestFrameTimesMatchFFprobe(t *testing.T) {
	for _, c := range timings {
		t.Run(c.name, func(t *testing.T) {
			path := clips.Made(t, c.file, c.args)
			f := probedFile(t, path)
			want := ffprobeStamps(t, path, "v:0")
			line, err := f.Timeline(t.Context())
			if err != nil || !slices.Equal(line.PTS, want) {
				t.Fatalf("timeline %v, %v\nwant %v", line, err, want)
			}
			counts := []int{7}
			if c.name == "variable rate" {
				counts = []int{1, 7, 30}
			}
			for _, n := range counts {
				taken, err := Frames(t.Context(), f, Policy{Frames: n}, omniscope.Span{}, "")
				if err != nil || len(taken.Frames) != n || len(taken.Warnings) > 0 {
					t.Fatalf("%d frames, want %d: %v %v", len(taken.Frames), n, err, taken.Warnings)
				}
				for i, frame := range taken.Frames {
					if frame.PTS != want[taken.Plan.Indices[i]] || frame.Index != taken.Plan.Indices[i] {
						t.Errorf("frame %d of %d has PTS %d, want %d", i, n, frame.PTS, want[taken.Plan.Indices[i]])
					}
					if at := durationOf(frame.PTS, f.Video.TimeBase) - f.Start; frame.Time != at {
						t.Errorf("frame %d at %v, want %v", i, frame.Time, at)
					}
				}
			}
		})
	}
}

// The picture tells which frame it is.
func TestFramesShowWhatWasOnTheScreen(t *testing.T) {
	f := probedFile(t, clips.Made(t, "count.mp4", counting+"-t 2 "+x264))
	for _, way := range []struct {
		name string
		span omniscope.Span
	}{{"the whole", omniscope.Span{}}, {"a span", omniscope.Span{Start: 600 * time.Millisecond, End: 1400 * time.Millisecond}}} {
		taken, err := Frames(t.Context(), f, Policy{FPS: 10}, way.span, "")
		if err != nil || len(taken.Frames) < 8 {
			t.Fatal(len(taken.Frames), err)
		}
		for _, frame := range taken.Frames {
			if got := numberOf(t, frame.JPEG); got != frame.Index {
				t.Errorf("%s: frame %d at %v shows number %d", way.name, frame.Index, frame.Time, got)
			}
		}
	}
}

func TestSeekEqualsOnePass(t *testing.T) {
	f := probedFile(t, clips.Made(t, "long.mp4", counting+"-t 40 "+x264))
	p := Policy{Frames: 5}
	plan, err := p.Plan(t.Context(), f, omniscope.Span{})
	fixture.OK(t, err)
	line, _ := f.Timeline(t.Context())
	var ways [2]*frameExtraction
	for i := range ways {
		ways[i] = &frameExtraction{file: f, plan: plan, timeline: line, quality: 3, pts: plan.PTS}
	}
	fixture.OK(t, ways[0].extractBySeeking(t.Context()))
	if _, err := ways[1].extractInOnePass(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	for _, pts := range plan.PTS {
		if a, b := ways[0].found[pts], ways[1].found[pts]; len(a) == 0 || !bytes.Equal(a, b) {
			t.Errorf("PTS %d: %d bytes sought, %d in one pass", pts, len(a), len(b))
		}
	}
	taken, err := Frames(t.Context(), f, p, omniscope.Span{}, "")
	if err != nil || len(taken.Frames) != 5 || !bytes.Equal(taken.Frames[4].JPEG, ways[1].found[plan.PTS[4]]) {
		t.Errorf("%d frames, %v", len(taken.Frames), err)
	}
}

func TestManyFrames(t *testing.T) {
	f := probedFile(t, clips.Made(t, "many.mp4", counting+"-t 36 "+x264))
	folder := t.TempDir()
	taken, err := Frames(t.Context(), f, Policy{Frames: 768, Width: 16, Height: 16}, omniscope.Span{}, folder)
	if err != nil || len(taken.Frames) != 768 || len(taken.Warnings) > 0 {
		t.Fatal(len(taken.Frames), err, taken.Warnings)
	}
	files, _ := filepath.Glob(filepath.Join(folder, "*.jpg"))
	b, err := taken.Frames[767].Bytes()
	if len(files) != 768 || err != nil || numberOf(t, b) != 899%50 {
		t.Errorf("%d files, %v, last %d", len(files), err, numberOf(t, b))
	}
}

func TestTimesBeyondEnd(t *testing.T) {
	// The container is longer than its video: the sound goes on.
	f := probedFile(t, clips.Made(t, "sound_goes_on.mp4", counting+"-f lavfi -i sine=d=3 -filter_complex [0:v]trim=end=1[v] -map [v] -map 1:a -c:a aac "+x264))
	taken, err := FramesAt(t.Context(), f, Policy{}, []time.Duration{2900 * time.Millisecond, 0, 90 * time.Millisecond, time.Hour}, "")
	fixture.OK(t, err)
	var got []int
	for _, frame := range taken.Frames {
		got = append(got, frame.Index)
	}
	if !slices.Equal(got, []int{0, 2, 24}) {
		t.Errorf("frames %v, want 0, 2 and the last, 24", got)
	}
	_, err = Frames(t.Context(), f, Policy{}, omniscope.Span{Start: 2 * time.Second, End: 3 * time.Second}, "")
	fixture.WantError(t, err, omniscope.Invalid, "no span from 2s to 3s in a video of 1s")
}

func TestTruncatedFile(t *testing.T) {
	for _, name := range []string{"cut.webm", "cut.mp4", "cut.ts"} {
		codec := x264 + "-movflags +faststart"
		if filepath.Ext(name) == ".webm" {
			codec = "-c:v libvpx -b:v 300k"
		}
		path := clips.Made(t, name, "-f lavfi -i testsrc2=s=320x240:r=25 -t 8 "+codec)
		truncated(t, path, 0.5)
		f := probedFile(t, path)
		taken, err := Frames(t.Context(), f, Policy{FPS: 2}, omniscope.Span{}, "")
		if err != nil || len(taken.Frames) < 2 || len(taken.Frames) > 12 {
			t.Errorf("%s: %d frames, %v", name, len(taken.Frames), err)
			continue
		}
		s, err := RunSurvey(t.Context(), f, SurveyOptions{})
		if err != nil || s.Video.End < 2*time.Second || s.Video.End > 6*time.Second {
			t.Errorf("%s: survey %+v, %v", name, s, err)
		}
		if name != "cut.ts" && len(f.Warnings)+len(s.Warnings) == 0 { // a transport stream promises nothing
			t.Errorf("%s: nobody is told that the file is cut off", name)
		}
	}
}

func truncated(t *testing.T, path string, share float64) {
	t.Helper()
	info, err := os.Stat(path)
	if err == nil {
		err = os.Truncate(path, int64(float64(info.Size())*share))
	}
	fixture.OK(t, err)
}

// numberOf reads the number of a counting picture.
func numberOf(t *testing.T, text []byte) int {
	t.Helper()
	picture, err := jpeg.Decode(bytes.NewReader(text))
	fixture.OK(t, err)
	y := picture.(*image.YCbCr)
	sum := 0
	for _, v := range y.Y {
		sum += int(v)
	}
	// 8-bit video spans 16 to 235, a JPEG 0 to 255.
	grey := float64(sum) / float64(len(y.Y))
	return int(math.Round((grey - 20) / 4))
}
