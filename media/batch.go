package media

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"omniscope"
)

// What one program takes at most: sound, which is held in memory, and pictures to
// decode. To decode 25 million pixels costs as much as to start ffmpeg with its
// libraries.
const (
	takeLength  = time.Minute // of each file
	batchLength = 8 * time.Minute
	batchPixels = 800e6
	batchSounds = 32
	batchFilms  = 8
)

// A Take is a part of a short file that a program takes together with parts of
// others: the frames of a policy, all sound, or both.
type Take struct {
	File   *File
	Frames *Policy // nil = no frames
	Sound  bool

	// Results of TakeTogether.
	Sampled *SampledFrames
	PCM     []byte // as Speech writes it
	Heard   *AudioSummary

	frames *frameExtraction
	speech *speechTap
}

// ShortSound reports whether TakeTogether takes the sound of a file. Sound with gaps
// is padded at the end of a span, if that has one, and is left to Speech.
func (f *File) ShortSound() bool {
	return f.short() && f.Audio != nil && !f.movesSound(omniscope.Span{})
}

// ShortFilm reports whether TakeTogether takes the frames of a file.
func (f *File) ShortFilm() bool { return f.short() && f.Video != nil }

func (f *File) short() bool {
	return morePipes && f.whole == nil && f.End() > 0 && f.End() <= takeLength
}

// Share returns how much of the work of one program a take is, up to 1.
func (t *Take) Share() float64 {
	share := max(1./batchSounds, t.File.End().Seconds()/batchLength.Seconds())
	if v := t.File.Video; t.Frames != nil {
		share = max(share, 1./batchFilms, float64(v.Packets)*float64(v.Width)*float64(v.Height)/batchPixels)
		if v.HDR() { // each has tables of its own
			share = 1
		}
	}
	return min(share, 1)
}

var errAlone = errors.New("a file is to be read alone")

// TakeTogether takes parts of several files with one program, as Frames and Speech
// take them: to start ffmpeg with its libraries costs as much as to decode minutes
// of sound. If anything is wrong with any of the files, it is an error, and each is
// to be read by these functions, which report it.
func TakeTogether(ctx context.Context, takes []*Take) error {
	p := program{name: "ffmpeg", path: takes[0].File.Path, args: slices.Concat(general, []string{"-loglevel", "level+warning"})}
	if len(takes) > 1 {
		p.args = append(p.args, "-filter_threads", "1", "-filter_complex_threads", "1")
	}
	for _, t := range takes {
		p.args = append(append(p.args, t.threads(len(takes))...), t.File.input(omniscope.Span{})...)
	}
	for i, t := range takes {
		done, err := t.addTo(ctx, &p, i)
		if err != nil {
			return err
		}
		defer done()
	}
	log, err := p.run(ctx)
	if err != nil {
		return err
	}
	for _, t := range takes {
		if log.dropped > 0 || len(t.File.notice(log)) > 0 || !t.collect() {
			return errAlone
		}
	}
	return nil
}

// threads are options of the input where several files are decoded at the same time: more
// than one thread for each film costs time, and sound is read far ahead, instead of
// changing from one thread to the other for every few packets. Decoders of sound keep their
// threads: of joined FLAC files ffmpeg decodes a little more with one.
func (t *Take) threads(takes int) []string {
	switch {
	case takes == 1:
		return nil
	case t.Frames == nil:
		return []string{"-thread_queue_size", "1024"}
	}
	return []string{"-threads:v", "1"}
}

// addTo adds the outputs of a take to a program with its file as an input. done is to
// be called after the program.
func (t *Take) addTo(ctx context.Context, p *program, input int) (done func(), err error) {
	f, all := t.File, omniscope.Span{}
	done = func() {}
	if t.Frames != nil {
		if done, err = t.addFrames(ctx, p, input); err != nil {
			return nil, err
		}
	}
	if t.Sound {
		pcm := &bytes.Buffer{}
		t.speech = &speechTap{w: pcm, most: int64(2 * takeLength.Seconds() * SpeechRate)}
		from := f.soundFrom(all, f.spanStart(all))
		from[1] = fmt.Sprintf("%d:%d", input, f.Audio.Index)
		p.args = append(p.args, speechOutput(from, descriptor(len(p.readers)))...)
		p.readers = append(p.readers, func(r io.Reader) error {
			err := t.speech.read(r)
			t.PCM = pcm.Bytes()
			return err
		})
	}
	return done, nil
}

func (t *Take) addFrames(ctx context.Context, p *program, input int) (done func(), err error) {
	plan, err := t.Frames.Plan(ctx, t.File, omniscope.Span{})
	if err != nil {
		return nil, err
	}
	g := &frameExtraction{file: t.File, plan: plan, quality: t.Frames.filled().Quality, pts: slices.Compact(slices.Clone(plan.PTS))}
	if g.timeline, err = t.File.Timeline(ctx); err != nil {
		return nil, err
	}
	tones, err := t.File.tones()
	if err != nil {
		return nil, err
	}
	t.frames = g
	g.addTo(p, input, g.pts, tones)
	return tones.close, nil
}

// collect makes the results; false = something is missing.
func (t *Take) collect() bool {
	if g := t.frames; g != nil {
		if len(g.found) < len(g.pts) {
			return false
		}
		t.Sampled = g.sampled()
	}
	if s := t.speech; s != nil {
		if s.frames == 0 || s.frames == s.most {
			return false
		}
		heard := &AudioSummary{Start: t.File.soundStart(omniscope.Span{})}
		t.Heard = heard.close(t.File, omniscope.Span{}, s.frames, SpeechRate, s.peak)
	}
	return true
}
