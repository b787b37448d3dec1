package perceive

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"omniscope"
	"omniscope/internal/once"
	"omniscope/internal/scratch"
	"omniscope/media"
	"omniscope/media/signal"
)

// sampling is how tools that read pictures take frames of a whole clip: close enough together
// for a text that stands for a second, and large enough to read it.
var sampling = media.Policy{FPS: 2, MaxFrames: 200, MaxPixels: 1280 * 720}

// closely is how they take them for a closer look: enlarged, since letters of less than 20 pixels are read badly.
var closely = media.Policy{FPS: 2, MaxFrames: 48, MaxPixels: 2560 * 1440}

// sampling is how frames are taken of this clip.
func (c *Clip) sampling() media.Policy {
	if c.Focus.Whole() {
		return sampling
	}
	return c.Finely(closely)
}

// Sampling identifies how frames are taken for tools that look at the same ones.
// What a tool said of other frames is not its answer.
func (c *Clip) Sampling() string { return c.sampling().Hash() }

// A Clip is media that is opened once for all tools. It is safe for concurrent
// use.
type Clip struct {
	omniscope.Clip
	File  *media.File // of a closer look: the region alone
	Focus Focus       // zero = the clip is looked at as a whole

	files *scratch.Folder // of frames and sound
	look  once.Value[*Look]

	mu       sync.Mutex
	expected []media.Policy // of frames that the look takes on its way
	closer   map[Focus]*Clip
	frames   map[string]*once.Value[*media.SampledFrames] // by the policy that chose them
	made     map[string]*once.Value[struct{}]             // files, by name
}

// A Look is what one pass over a clip tells all tools. Times are media time.
type Look struct {
	*media.Survey
	Plan   *media.Plan   // of the frames that all tools look at; nil: no video
	Frames []media.Frame // those frames
	Signal *signal.Facts // nil: no sound, or nothing but digital silence; times are from the sound's first sample
	Speech string        // file of 16 kHz mono sound, as media.Survey writes it; "" = no sound
}

// Open opens a clip. Frames and sound of it are kept in a folder until Close.
func Open(ctx context.Context, c omniscope.Clip) (*Clip, error) {
	f, err := media.Probe(ctx, c.Path)
	if err != nil {
		return nil, err
	}
	return newClip(c, f)
}

func newClip(c omniscope.Clip, f *media.File) (*Clip, error) {
	files, err := scratch.New()
	if err != nil {
		return nil, fmt.Errorf("folder for frames: %w", err)
	}
	return &Clip{Clip: c, File: f, files: files}, nil
}

// Close removes what was kept of the clip.
func (c *Clip) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	err := c.files.Close()
	for _, part := range c.closer {
		err = errors.Join(err, part.Close())
	}
	return err
}

// Look decodes the clip, the first time, and returns what was found. A failed
// look is tried again by the next call.
func (c *Clip) Look(ctx context.Context) (*Look, error) {
	return c.look.Do(ctx, func() (*Look, error) {
		return decode(ctx, func() (*Look, error) { return c.survey(ctx) })
	})
}

func (c *Clip) survey(ctx context.Context) (*Look, error) {
	samples, err := c.samples()
	if err != nil {
		return nil, err
	}
	speech := filepath.Join(c.files.Path, "speech.s16")
	f, err := os.Create(speech)
	if err != nil {
		return nil, err
	}
	out := bufio.NewWriterSize(f, 1<<20)
	look := &Look{}
	look.Survey, look.Signal, err = survey(ctx, c.File, c.Span, samples, out)
	if err = errors.Join(err, out.Flush(), f.Close()); err != nil {
		return nil, err
	}
	if len(look.Samples) > 0 {
		look.Plan, look.Frames = &look.Samples[0].Plan, look.Samples[0].Frames
	}
	if look.Audio != nil {
		look.Speech = speech
	}
	return look, nil
}

// samples are the frames that the look takes, each in a folder of its own: those for all tools, and those that are expected.
func (c *Clip) samples() (list []media.Sample, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range append([]media.Policy{c.sampling()}, c.expected...) {
		if len(list) > 0 && p.Hash() == c.Sampling() {
			continue
		}
		sample := media.Sample{Policy: p, Folder: filepath.Join(c.files.Path, "look-"+p.Hash())}
		if err := os.MkdirAll(sample.Folder, 0o700); err != nil {
			return nil, fmt.Errorf("folder for frames: %w", err)
		}
		list = append(list, sample)
	}
	return list, nil
}

func survey(ctx context.Context, f *media.File, span omniscope.Span, samples []media.Sample, speech io.Writer) (*media.Survey, *signal.Facts, error) {
	var analyzer *signal.Analyzer
	s, err := media.RunSurvey(ctx, f, media.SurveyOptions{
		Span: span, Samples: samples, Speech: speech,
		Sound: func(c media.Chunk) (err error) {
			if analyzer == nil {
				if analyzer, err = signal.New(c.Rate, c.Channels); err != nil {
					return err
				}
			}
			analyzer.Add(c.Samples)
			return nil
		},
	})
	if err != nil || analyzer == nil {
		return s, nil, err
	}
	facts := analyzer.Facts()
	return s, &facts, nil
}
