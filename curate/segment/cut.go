package segment

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"omniscope"
	"omniscope/internal/ondisk"
	"omniscope/internal/outfile"
	"omniscope/media"
	"omniscope/media/pdac"
	"omniscope/media/wav"
)

// done reports whether all segments of a talk are there.
func (w *work) done(t talkPart) bool {
	planned := w.made.find(t.Wav)
	if planned == nil || t.video != "" && planned.VideoBytes == 0 {
		return false
	}
	for i := range planned.Segments {
		if !ondisk.IsFile(w.soundPath(t, i)) || t.video != "" && !ondisk.IsFile(w.videoPath(t, i)) {
			return false
		}
	}
	return true
}

func (w *work) soundPath(t talkPart, i int) string {
	return filepath.Join(w.segments(), fmt.Sprintf("%s_%d.wav", t.base(), i))
}

func (w *work) videoPath(t talkPart, i int) string {
	return filepath.Join(w.videos(), fmt.Sprintf("%s_%d.mp4", t.base(), i))
}

// cutTalk cuts the segments of a talk that are not there yet. A file under its
// final name is whole, and belongs to the plan: those of an earlier plan were
// removed before this one was saved.
func (w *work) cutTalk(ctx context.Context, t talkPart) error {
	if err := w.unlist(); err != nil {
		return err
	}
	planned, err := w.plan(ctx, t)
	if err != nil {
		return err
	}
	if err := w.cutSound(ctx, t, planned); err != nil {
		return err
	}
	if t.video == "" || len(planned) == 0 {
		return nil
	}
	return w.cutVideo(ctx, t, planned)
}

// plan decides where to cut a talk, unless that is decided, and saves it.
func (w *work) plan(ctx context.Context, t talkPart) ([]pdac.Segment, error) {
	planned := w.made.find(t.Wav)
	switch {
	case planned != nil && planned.VideoBytes == 0 && t.VideoBytes != 0: // the pictures are new
		planned.VideoBytes = t.VideoBytes
		return planned.Segments, w.save()
	case planned != nil:
		return planned.Segments, nil
	}
	probs, err := w.o.Probabilities.Of(ctx, t)
	if err != nil {
		return nil, err
	}
	list, err := pdac.Segments(probs, w.o.PDAC)
	if err != nil {
		return nil, err
	}
	// For silence the published program lists one segment of zero length.
	list = slices.DeleteFunc(list, func(s pdac.Segment) bool { return s.Start == s.End })
	if err := w.removeSegments(t.base()); err != nil {
		return nil, err
	}
	w.made.Talks = append(w.made.Talks, segments{t, list})
	slices.SortFunc(w.made.Talks, func(a, b segments) int { return strings.Compare(a.Wav, b.Wav) })
	return list, w.save()
}

func (w *work) cutSound(ctx context.Context, t talkPart, planned []pdac.Segment) error {
	sound, err := wav.OpenFile(t.path)
	if err != nil {
		return omniscope.Invalidf("%w", err)
	}
	defer sound.Close()
	for i, s := range planned {
		if err := ctx.Err(); err != nil {
			return err
		}
		path := w.soundPath(t, i)
		if ondisk.IsFile(path) {
			continue
		}
		from, to := samplesOf(s, sound)
		err := outfile.WriteIn(filepath.Dir(path), filepath.Base(path), func(out io.Writer) error { return sound.Cut(out, from, to) })
		if err != nil {
			return fmt.Errorf("cut %s: %w", path, err)
		}
	}
	return nil
}

// samplesOf are the samples of a segment. Its start and end are rounded to the
// nearest sample, and no segment goes beyond the end of the talk: the last frame may,
// by up to half a frame.
func samplesOf(s pdac.Segment, sound *wav.File) (from, to int64) {
	nearest := func(seconds float64) int64 {
		return min(int64(math.Round(seconds*float64(sound.Rate))), sound.Frames)
	}
	return nearest(s.Offset), nearest(s.Offset + s.Duration)
}

func (w *work) cutVideo(ctx context.Context, t talkPart, planned []pdac.Segment) error {
	if err := os.MkdirAll(w.videos(), 0o777); err != nil {
		return err
	}
	f, err := media.Probe(ctx, t.video)
	if err != nil {
		return err
	}
	for i, s := range planned {
		path := w.videoPath(t, i)
		if ondisk.IsFile(path) {
			continue
		}
		span := omniscope.Span{Start: duration(s.Offset), End: duration(s.Offset + s.Duration)}
		if err := media.CutFullSize(ctx, f, span, path); err != nil {
			return err
		}
	}
	return nil
}

func duration(seconds float64) time.Duration { return time.Duration(math.Round(seconds * 1e9)) }
