package media

import (
	"context"
	"errors"
	"fmt"

	"omniscope"
)

// steadyRate is the frame rate of steady files whose original does not say its own.
var steadyRate = Rational{25, 1}

// CutSteady is CutFullSize for readers that take frames by their number and sound by its: all frames are equally far apart,
// picture and sound begin at zero, and are equally long. What a track lacks at the beginning or the end is its first or last
// frame, or silence. A file without sound has none.
func CutSteady(ctx context.Context, f *File, span omniscope.Span, to string) error {
	if f.Video == nil {
		return errNoVideo(f.Path)
	}
	end := f.End()
	if span.End > 0 && (end == 0 || span.End < end) {
		end = span.End
	}
	if end <= span.Start {
		return &omniscope.Error{Kind: omniscope.Invalid, Op: "cut " + shown(f.Path), Err: errors.New("its length is not known: give a span with an end")}
	}
	tones, err := f.tones()
	if err != nil {
		return err
	}
	defer tones.close()
	length := seconds(end - span.Start)
	rate := f.Video.FrameRate
	if v := rate.Float(); v < 1 || v > 120 {
		rate = steadyRate
	}
	graph := fmt.Sprintf("[0:%d]fps=%s:start_time=0,tpad=stop_mode=clone:stop_duration=%s,%s,format=yuv420p%s[v]", f.Video.Index, rate, length,
		tones.scale("'trunc(iw/2)*2':'trunc(ih/2)*2'", tones.matrix()), tones.sdr())
	args := []string{"-map", "[v]"}
	if f.Audio != nil {
		graph += fmt.Sprintf(";[0:%d]%sapad[a]", f.Audio.Index, f.allSound())
		args = append(args, "-map", "[a]", "-c:a", "aac", "-ac", "2", "-b:a", "160k")
	}
	args = append([]string{"-filter_complex", graph}, args...)
	args = append(args, "-t", length, "-c:v", "libx264", "-preset", "veryfast", "-crf", "18", "-threads", "1",
		"-fflags", "+bitexact", "-flags:v", "+bitexact", "-flags:a", "+bitexact", "-map_metadata", "-1", "-movflags", "+faststart", "-f", "mp4")
	return f.cut(ctx, span, to, args...)
}
