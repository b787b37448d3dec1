package media

import (
	"fmt"
	"math"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"omniscope"
	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
)

// atRate are counting pictures at another rate than 25 a second.
func atRate(rate string) string {
	return strings.Replace(strings.Replace(counting, "r=25", "r="+rate, 1), "s=64x48", "s=32x32", 1)
}

// Each clip with the number of frames that the published samplers take of it, by
// hand: see samplers. 0 = they refuse it.
var sampledClips = []struct {
	name, file, args string
	want             [3]int
}{
	{"24 fps, 5.5 s", "24.mp4", atRate("24") + "-frames:v 132 " + x264, [3]int{10, 11, 5}},
	{"25 fps, 5.52 s", "25.mp4", atRate("25") + "-frames:v 138 " + x264, [3]int{10, 11, 5}},
	{"29.97 fps, 5.5055 s", "2997.mp4", atRate("30000/1001") + "-frames:v 165 " + x264, [3]int{10, 11, 5}},
	{"30 fps, 5.5 s", "30.webm", atRate("30") + "-frames:v 165 -c:v libvpx -b:v 300k", [3]int{10, 11, 5}},
	{"60 fps, 5.5 s", "60.mp4", atRate("60") + "-frames:v 330 " + x264, [3]int{10, 11, 5}},
	{"0.3 s at 30 fps", "short.mp4", atRate("30") + "-frames:v 9 " + x264, [3]int{4, 4, 1}},
	{"one frame", "one.mp4", atRate("25") + "-frames:v 1 " + x264, [3]int{0, 1, 1}},
	// 100 frames in 4 s, then 30 in 5.52 s: 130 at an average of 13.66 a second.
	{"variable: 25, then 5 fps", "vfr.mp4", atRate("25") + "-t 10 -vf select='if(lt(t,4),1,not(mod(n,5)))' -vsync vfr " + x264, [3]int{18, 19, 9}},
	{"3 h at 0.2 fps", "3h.mp4", atRate("1/5") + "-t 10800 -c:v libx264 -preset ultrafast -g 50 -crf 12 ", [3]int{200, 768, 64}},
}

// The samplers, in the order of want. Pictures are tiny, since this is about times.
var samplers = []struct {
	name   string
	policy Policy
}{
	// smart_nframes of qwen-vl-utils: 2 a second, 4 to 200 here, made even, refused
	// below 2.
	{"qwen-utils", Policy{Count: QwenUtils, MaxFrames: 200, Width: 32, Height: 32}},
	// Qwen3VLVideoProcessor of transformers: 2 a second, 4 to 768, as many as there are.
	{"qwen-transformers", Policy{Count: QwenTransformers, Width: 32, Height: 32}},
	// Table 6 of CapRiCorn: frames a second, and at most so many.
	{"spread", Policy{FPS: 1, MaxFrames: 64, Width: 32, Height: 32}},
}

// TestFrameTimesOfPublishedSamplers compares what is taken of clips of all kinds with
// the rules of the samplers, with the times of ffprobe's packets, and with the number
// that each picture shows. With -v it prints what was asked and what came.
func TestFrameTimesOfPublishedSamplers(t *testing.T) { sampledTimes(t, "29.97", "one", "3 h") }

func TestLongFrameTimesOfPublishedSamplers(t *testing.T) { sampledTimes(t, "") }

// sampledTimes has the clips whose names begin so.
func sampledTimes(t *testing.T, beginnings ...string) {
	t.Helper()
	var out strings.Builder
	table := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "clip\tsampler\tframes asked\tcame\tfurthest from ffprobe's time\tfurthest from even times")
	for _, c := range sampledClips {
		if !slices.ContainsFunc(beginnings, func(b string) bool { return strings.HasPrefix(c.name, b) }) {
			continue
		}
		path := clips.Made(t, c.file, c.args)
		f, packets := probedFile(t, path), packetTimes(t, path)
		for i, s := range samplers {
			taken, err := Frames(t.Context(), f, s.policy, omniscope.Span{}, "")
			if c.want[i] == 0 {
				fixture.WantError(t, err, omniscope.Invalid, "at least 2")
				fmt.Fprintf(table, "%s\t%s\trefused\trefused\t\t\n", c.name, s.name)
				continue
			}
			if err != nil || len(taken.Frames) != c.want[i] || len(taken.Warnings) > 0 {
				t.Fatalf("%s, %s: %d frames, want %d: %v %v", c.name, s.name, len(taken.Frames), c.want[i], err, taken.Warnings)
			}
			off := offTimes(t, c.name+", "+s.name, taken.Frames, packets)
			fmt.Fprintf(table, "%s\t%s\t%d\t%d\t%v\t%.3f s\n", c.name, s.name, c.want[i], len(taken.Frames), off, offEven(taken.Frames, packets))
		}
	}
	table.Flush()
	t.Log("\n" + out.String())
}

// offTimes checks which frames were taken, and returns how far their times are at most
// from those of the packets.
func offTimes(t *testing.T, name string, frames []Frame, packets []time.Duration) (off time.Duration) {
	t.Helper()
	for i, frame := range frames {
		// The rule is linspace(0, total - 1, n), rounded. In single precision, as in
		// PyTorch, the place may be off by a thousandth, which decides half-way cases.
		place := 0.
		if n := len(frames); n > 1 {
			place = float64(i) * float64(len(packets)-1) / float64(n-1)
		}
		if frame.Index < 0 || frame.Index >= len(packets) || math.Abs(float64(frame.Index)-place) > 0.501 {
			t.Fatalf("%s: frame %d is number %d of %d, want the one nearest to %.3f", name, i, frame.Index, len(packets), place)
		}
		if shown := numberOf(t, frame.JPEG); shown != frame.Index%50 && !strings.Contains(name, "variable") { // there the numbers were counted before frames were left out
			t.Errorf("%s: frame %d shows number %d, want %d", name, frame.Index, shown, frame.Index%50)
		}
		off = max(off, (frame.Time - packets[frame.Index]).Abs())
	}
	if off > time.Microsecond { // ffprobe prints times to the microsecond
		t.Errorf("%s: the times of frames are up to %v from those of ffprobe's packets", name, off)
	}
	return off
}

// offEven is how far the times of frames are at most from even ones, in seconds: half
// a frame at a constant rate; more at a variable one, since the samplers count frames.
func offEven(frames []Frame, packets []time.Duration) (off float64) {
	step := 0.
	if n := len(frames); n > 1 {
		step = packets[len(packets)-1].Seconds() / float64(n-1)
	}
	for i, frame := range frames {
		off = max(off, math.Abs(frame.Time.Seconds()-float64(i)*step))
	}
	return off
}

// packetTimes asks ffprobe for the times of packets, in the order they are shown,
// from the first on.
func packetTimes(t *testing.T, path string) (times []time.Duration) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries", "packet=pts_time", "-of", "csv=p=0", "-i", "file:"+path).Output()
	fixture.OK(t, err)
	for field := range strings.FieldsSeq(string(out)) {
		at, err := strconv.ParseFloat(strings.TrimRight(field, ","), 64)
		fixture.OK(t, err)
		times = append(times, time.Duration(math.Round(at*1e6))*time.Microsecond)
	}
	slices.Sort(times)
	for i := len(times) - 1; i >= 0; i-- {
		times[i] -= times[0]
	}
	return times
}
