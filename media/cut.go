package media

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"omniscope"
)

// CutAudio writes a span of the sound to a WAV file of 16-bit samples, at the
// stream's own rate and channels, exact to the sample. An existing file is
// replaced.
func CutAudio(ctx context.Context, f *File, span omniscope.Span, to string) error {
	if f.Audio == nil {
		return errNoAudio(f.Path)
	}
	// Without -copyts ffmpeg takes the first sound of a transport stream for its
	// start, however late it is.
	return f.cut(ctx, span, to, append(f.soundFrom(span, f.spanStart(span)), "-copyts", "-c:a", "pcm_s16le", "-f", "wav")...)
}

// CutVideo writes a span to an MP4 file with picture and sound, encoded anew,
// at most 480 lines high. Copying without encoding would be cheap and wrong: it
// starts at the key frame before the span, seconds earlier. Whoever can take
// (file, span) instead of a file should.
//
// An existing file is replaced. Sound that is not there is left out.
func CutVideo(ctx context.Context, f *File, span omniscope.Span, to string) error {
	return f.cutVideo(ctx, span, to, "-2:'min(480,trunc(ih/2)*2)'", "-preset", "ultrafast", "-crf", "23")
}

// CutFullSize is CutVideo at the height of the file and with little loss, for clips that are
// to be published. With one thread, the same program writes the same bytes.
func CutFullSize(ctx context.Context, f *File, span omniscope.Span, to string) error {
	return f.cutVideo(ctx, span, to, "'trunc(iw/2)*2':'trunc(ih/2)*2'", "-preset", "veryfast", "-crf", "18", "-threads", "1",
		"-fflags", "+bitexact", "-flags:v", "+bitexact", "-flags:a", "+bitexact", "-map_metadata", "-1", "-b:a", "160k")
}

func (f *File) cutVideo(ctx context.Context, span omniscope.Span, to, size string, quality ...string) error {
	if f.Video == nil {
		return errNoVideo(f.Path)
	}
	tones, err := f.tones()
	if err != nil {
		return err
	}
	defer tones.close()
	args := []string{"-filter_complex", fmt.Sprintf("[0:%d]%s,format=yuv420p%s[v]", f.Video.Index, tones.scale(size, tones.matrix()), tones.sdr()),
		"-map", "[v]", "-fps_mode", "vfr", "-c:v", "libx264"}
	if f.Audio != nil {
		args = append(append(args, f.soundFrom(span, 0)...), "-c:a", "aac", "-ac", "2")
	}
	return f.cut(ctx, span, to, append(append(args, quality...), "-movflags", "+faststart", "-f", "mp4")...)
}

// cut writes a span to a file.
func (f *File) cut(ctx context.Context, span omniscope.Span, to string, output ...string) error {
	if end := f.End(); span.Start < 0 || span.End < 0 || span.End > 0 && span.End <= span.Start || end > 0 && span.Start >= end {
		return &omniscope.Error{Kind: omniscope.Invalid, Op: "cut " + shown(f.Path), Err: fmt.Errorf("no span from %v to %v in %v", span.Start, span.End, end)}
	}
	// Here times start at zero again: no -copyts.
	args := slices.DeleteFunc(slices.Clone(general), func(s string) bool { return s == "-copyts" })
	args = append(append(args, f.input(span)...), output...)
	_, err := runTo(ctx, program{path: f.Path, args: args}, to,
		&omniscope.Error{Kind: omniscope.Invalid, Op: "cut " + shown(f.Path), Err: errors.New("nothing can be decoded there")})
	return err
}
