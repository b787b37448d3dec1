package collect

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"time"

	"omniscope"
	"omniscope/curate/fingerprint"
	"omniscope/internal/outfile"
	"omniscope/media"
	"omniscope/media/signal"
)

// measuresVersion changes when the same file would be measured otherwise.
var measuresVersion = fmt.Sprintf("1, cuts %d", media.CutRules)

// measures are what is known of a file. Times are media time in seconds.
type measures struct {
	Version string       `json:"version"`
	Digest  string       `json:"digest"`
	Width   int          `json:"width"` // as shown; 0 = no picture
	Height  int          `json:"height"`
	Seconds float64      `json:"seconds"`
	Cuts    []float64    `json:"cuts,omitempty"`
	Still   [][2]float64 `json:"still,omitempty"`
	Sound   bool         `json:"sound"` // there is some, not digital silence alone
	Quiet   [][2]float64 `json:"quiet,omitempty"`
	Speech  [][2]float64 `json:"speech,omitempty"`
	// TextAreas holds, for each frame that was read, the share of the picture that text in its lower
	// third covers; nil = no frame was read.
	TextAreas []float64 `json:"text_areas,omitempty"`
	Warnings  []string  `json:"warnings,omitempty"`
}

// header is what the file's header tells.
func header(f *media.File, digest string) *measures {
	m := &measures{Digest: digest, Seconds: rounded(f.End())}
	if f.Video != nil {
		m.Width, m.Height = f.Video.Width, f.Video.Height
	}
	return m
}

// A meter measures files and remembers what it measured.
type meter struct {
	dir    string
	prints *fingerprint.Memory
	text   textReader // nil: text is not looked for
}

// remembered is what was measured of the file with a digest; nil = nothing, or not by these rules of measuring.
func (e *meter) remembered(digest string) (*measures, *fingerprint.Fingerprint) {
	if m, print := e.load(digest), e.prints.Load(digest); m != nil && print != nil {
		return m, print
	}
	return nil, nil
}

// measure decodes a file, and remembers what it found.
func (e *meter) measure(ctx context.Context, f *media.File, digest string) (*measures, *fingerprint.Fingerprint, error) {
	m, print, err := e.decode(ctx, f, digest)
	if err != nil {
		return nil, nil, err
	}
	if err := e.prints.Save(print); err != nil {
		return nil, nil, err
	}
	return m, print, e.save(m)
}

func (e *meter) decode(ctx context.Context, f *media.File, digest string) (*measures, *fingerprint.Fingerprint, error) {
	taker := fingerprint.NewTaker()
	var voice *signal.Analyzer
	o := media.SurveyOptions{Grey: taker.Grey, Sound: func(c media.Chunk) (err error) {
		if voice == nil {
			if voice, err = signal.New(c.Rate, c.Channels); err != nil {
				return err
			}
		}
		voice.Add(c.Samples)
		return taker.Sound(c)
	}}
	if e.text != nil && f.Video != nil {
		o.Samples = []media.Sample{{Policy: textFrames}}
	}
	survey, err := media.RunSurvey(ctx, f, o)
	if err != nil {
		return nil, nil, err
	}
	print, err := taker.Finish(ctx, f, survey)
	if err != nil {
		return nil, nil, err
	}
	m := header(f, digest)
	m.Version, m.Warnings = e.version(), survey.Warnings
	m.add(survey, voice)
	if len(survey.Samples) > 0 {
		m.TextAreas, err = textAreas(ctx, e.text, survey.Samples[0].Frames)
	}
	return m, print, err
}

// add adds what was decoded. A file's length is what was decoded of it, whatever its header says.
func (m *measures) add(s *media.Survey, voice *signal.Analyzer) {
	var end time.Duration
	if v := s.Video; v != nil {
		end = v.End
		for _, cut := range v.Cuts {
			m.Cuts = append(m.Cuts, rounded(cut.Time))
		}
		m.Still = spans(v.Still, func(s omniscope.Span) omniscope.Span { return s })
	}
	if a := s.Audio; a != nil {
		end = max(end, a.Start+a.Duration)
		m.Sound = !a.Silent()
		m.Quiet = spans(a.Quiet, func(q media.Quiet) omniscope.Span { return q.Span })
		if voice != nil {
			m.Speech = spans(voice.Facts().Speech.Spans, func(s signal.SpeechSpan) omniscope.Span {
				return omniscope.Span{Start: s.Start + a.Start, End: s.End + a.Start}
			})
		}
	}
	m.Seconds = rounded(end)
}

func spans[T any](list []T, of func(T) omniscope.Span) (out [][2]float64) {
	for _, v := range list {
		s := of(v)
		out = append(out, [2]float64{rounded(s.Start), rounded(s.End)})
	}
	return out
}

// rounded is a time in seconds, to a thousandth.
func rounded(d time.Duration) float64 { return math.Round(d.Seconds()*1000) / 1000 }

func (m *measures) silentShare() float64 {
	if !m.Sound || m.Seconds <= 0 {
		return 1
	}
	return share(within(m.Quiet, 0, m.Seconds) / m.Seconds)
}

// stillShare is 0 where there is no picture.
func (m *measures) stillShare() float64 {
	if m.Seconds <= 0 {
		return 0
	}
	return share(within(m.Still, 0, m.Seconds) / m.Seconds)
}

// share rounds a share to a thousandth.
func share(v float64) float64 { return math.Round(1000*min(1, v)) / 1000 }

// within is how much of a stretch some spans cover, in seconds.
func within(spans [][2]float64, from, to float64) (sum float64) {
	for _, s := range spans {
		sum += max(0, min(to, s[1])-max(from, s[0]))
	}
	return sum
}

// version says how files are measured: with or without reading text.
func (e *meter) version() string {
	if e.text == nil {
		return measuresVersion + ", text is not read"
	}
	return measuresVersion + ", " + e.text.Version()
}

func (e *meter) load(digest string) *measures {
	text, err := os.ReadFile(e.path(digest))
	m := &measures{}
	if err != nil || json.Unmarshal(text, m) != nil || m.Version != e.version() || m.Digest != digest {
		return nil
	}
	return m
}

func (e *meter) save(m *measures) error {
	path := e.path(m.Digest)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return outfile.Write(path, func(w io.Writer) error { return outfile.JSON(w, m) })
}

func (e *meter) path(digest string) string {
	return filepath.Join(e.dir, digest[:2], digest+".measures.json")
}
