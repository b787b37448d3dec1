package media

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"omniscope"
)

// batchLength bounds the sound that is held in memory for each file of a batch.
const batchLength = time.Minute

// InBatch reports whether SpeechOfSeveral takes the sound of a file.
func (f *File) InBatch() bool {
	return morePipes && f.Audio != nil && f.End() > 0 && f.End() <= batchLength
}

var errAlone = errors.New("a file is to be read alone")

// SpeechOfSeveral extracts all sound of short files, as Speech does, with one
// program: to start ffmpeg with its libraries costs as much as to decode minutes of
// sound. If anything is wrong with any of them, it is an error, and each is to be
// read by Speech, which reports what.
func SpeechOfSeveral(ctx context.Context, files []*File) (pcm [][]byte, heard []*AudioSummary, err error) {
	p := program{name: "ffmpeg", path: files[0].Path, args: slices.Clone(general)}
	p.line = func(text string) bool { return strings.Contains(text, "[info] ") } // else there are too many
	for _, f := range files {
		p.args = append(p.args, f.input(omniscope.Span{})...)
	}
	taps := make([]speechTap, len(files))
	sound := make([]bytes.Buffer, len(files))
	for i, f := range files {
		taps[i] = speechTap{w: &sound[i], most: int64(2 * batchLength.Seconds() * SpeechRate)}
		from := f.soundFrom(omniscope.Span{}, f.spanStart(omniscope.Span{}))
		from[1] = fmt.Sprintf("%d:%d", i, f.Audio.Index)
		p.args = append(p.args, speechOutput(from, descriptor(i))...)
		p.readers = append(p.readers, func(r io.Reader) error { return taps[i].read(r) })
	}
	log, err := p.run(ctx)
	if err != nil {
		return nil, nil, err
	}
	for i, f := range files {
		if log.dropped > 0 || len(f.notice(log)) > 0 || taps[i].frames == 0 || taps[i].frames == taps[i].most {
			return nil, nil, errAlone
		}
		h := &AudioSummary{Start: f.soundStart(omniscope.Span{})}
		heard = append(heard, h.close(f, omniscope.Span{}, taps[i].frames, SpeechRate, taps[i].peak))
		pcm = append(pcm, sound[i].Bytes())
	}
	return pcm, heard, nil
}

// FramesWithSpeech takes the frames of a policy and all sound of a short film, as
// Frames and Speech do, with one program. If anything is wrong, it is an error, and
// both are to be taken by these, which report what.
func FramesWithSpeech(ctx context.Context, f *File, p Policy, pcm io.Writer) (*SampledFrames, *AudioSummary, error) {
	plan, err := p.Plan(ctx, f, omniscope.Span{})
	if err != nil {
		return nil, nil, err
	}
	t, err := f.Timeline(ctx)
	if err != nil {
		return nil, nil, err
	}
	sound := &speechTap{w: pcm, most: -1}
	g := &frameExtraction{
		file: f, plan: plan, timeline: t, quality: p.filled().Quality, sound: sound,
		pts: slices.Compact(slices.Clone(plan.PTS)),
	}
	log, err := g.extractInOnePass(ctx, 0)
	if err != nil {
		return nil, nil, err
	}
	if len(g.found) < len(g.pts) || len(f.notice(log)) > 0 || sound.frames == 0 {
		return nil, nil, errAlone
	}
	h := &AudioSummary{Start: f.soundStart(omniscope.Span{})}
	return g.sampled(), h.close(f, omniscope.Span{}, sound.frames, SpeechRate, sound.peak), nil
}
