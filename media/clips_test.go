package media

import (
	"context"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
)

// Pictures whose brightness tells the number of the frame: 4 levels a frame,
// from black on, for 50 frames.
const counting = "-f lavfi -i color=black:s=64x48:r=25,format=gray,geq=lum='20+4*mod(N,50)',format=yuv420p "

// x264 with B-frames and a key frame each second.
const x264 = "-c:v libx264 -preset veryfast -bf 2 -g 25 -crf 12 "

func probedFile(t testing.TB, path string) *File {
	t.Helper()
	f, err := Probe(t.Context(), path)
	fixture.OK(t, err)
	return f
}

// ffprobeStamps asks ffprobe for the time stamps of decoded frames.
func ffprobeStamps(t testing.TB, path, stream string) (pts []int64) {
	t.Helper()
	out, err := exec.CommandContext(context.Background(), "ffprobe", "-v", "error", "-select_streams", stream,
		"-show_entries", "frame=best_effort_timestamp", "-of", "csv=p=0", "-i", "file:"+path).Output()
	fixture.OK(t, err)
	for line := range strings.Lines(string(out)) {
		field, _, _ := strings.Cut(strings.TrimSpace(line), ",")
		if v, err := strconv.ParseInt(field, 10, 64); err == nil {
			pts = append(pts, v)
		}
	}
	return pts
}
