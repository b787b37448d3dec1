package session

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"sync/atomic"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/predict"
	"omniscope/internal/sha256hex"
	"omniscope/media/cache"
	"omniscope/run"
	"omniscope/run/journal"
)

// predictKind is the kind of runs of this package, in the journal.
const predictKind = "predict"

// PredictRuns are runs that ask a model about samples.
var PredictRuns = Kind{Name: predictKind, New: func() Task { return &PredictionSpec{} }}

// Answering is the role of the model under test.
const Answering = "model"

// A PredictionSpec says what a run of a model on a dataset does, as plain data: it
// is the run's manifest, and what a run is named by. It holds nothing secret.
type PredictionSpec struct {
	Benchmark string             `json:"dataset,omitempty"` // a benchmark by its name in the catalog; "" = captions of Clips
	Data      string             `json:"data,omitempty"`    // the dataset's file
	SHA256    string             `json:"data_sha256,omitempty"`
	Clips     []string           `json:"clips,omitempty"` // whole paths
	Media     string             `json:"media,omitempty"` // folder that the dataset's media are named below
	Modality  omniscope.Modality `json:"modality"`
	Profile   *predict.Profile   `json:"model_profile,omitempty"`
	Model     *Role              `json:"model,omitempty"`
	KeepCut   bool               `json:"keep_cut,omitempty"`
	Limit     int                `json:"limit,omitempty"`
	SampleIDs []string           `json:"sample_ids,omitempty"`
	Seed      uint64             `json:"seed"`
	Answers   string             `json:"answers,omitempty"` // the form that the samples' prompts ask for: results.WordsOfOptions; "" = any

	Investigation *InvestigationSpec `json:"investigation,omitempty"` // by which the detective describes the clips, in place of Profile and Model
}

// work implements task.
func (s *PredictionSpec) work(ctx context.Context, m *Machine) (*Work, error) {
	if then := s.SHA256; then != "" {
		now, err := sha256hex.File(m.at(s.Data))
		if err != nil {
			return nil, err
		}
		if now != then {
			return nil, omniscope.Invalidf("%s has the SHA-256 %s, and here %s", s.Data, then, now)
		}
	}
	if s.Profile == nil {
		s.Profile = &predict.Profile{}
	}
	return PredictionWork(ctx, s, &Predicting{Machine: *m, Blind: m.order.Blind, MostBlind: m.order.MostBlind, MediaAs: m.order.MediaAs})
}

// listed implements task.
func (s *PredictionSpec) listed() listing {
	l := listing{command: "predict " + cmp.Or(s.Benchmark, "captions"), what: s.Clips, by: modelOf(s.Model)}
	if s.Data != "" {
		l.what = []string{s.Data}
	}
	return l
}

// Predicting says how a model is run and what becomes of its answers. None of it
// shapes an answer.
type Predicting struct {
	Machine
	System     string  // name of the system in the file of answers; "" = the model's
	Blind      float64 // share of samples that are asked again without their media; 0 = none
	MostBlind  int     // of these at most; 0 = no limit
	CacheBytes int64   // most that the frames and sound of clips may take in the working folder; 0 = cache.DefaultMaxBytes
	MediaAs    string  // how files that are sent whole reach the model: "" or AsData, catalog.AsFile, catalog.AsHTTP
	ServeMedia string  // host and port at which they are served for AsHTTP; "" = 127.0.0.1 and any port
	Engine     run.Engine
}

// Predicted is what a run of a model came to.
type Predicted struct {
	System      string            // its name
	ScoredWith  map[string]string // what eval scores the answers with, by the names of its flags
	File        string            // of the answers
	Details     string            // file of all samples, with what was sent and what went wrong
	Samples     int
	Outcomes    map[string]int // by name
	Symptoms    map[string]int
	Blind       predict.BlindCounts
	Few         int   // samples for which the endpoint counted fewer tokens than what was sent has
	Words       []int // of each answer
	Warnings    []string
	Predictions []*predict.Prediction
}

// A prediction is the work of one command.
type prediction struct {
	*Predicting
	*Models
	spec    *PredictionSpec
	dataset bench.Dataset // nil = captions of clips
	samples []omniscope.Sample
	system  *predict.System
	results []*predict.Prediction // by sample; nil = discarded: the journal keeps the answers
	served  *mediaFileServer      // nil = no media are served

	investigators []string // models of the detective and its observers, with their addresses
}

// Predict asks a model about the samples of a dataset and writes its answers in the
// form that the benchmark's evaluation reads.
func Predict(ctx context.Context, s *PredictionSpec, o *Predicting) (out *Predicted, err error) {
	var files predictionFiles
	w, d, err := openPrediction(ctx, s, o, func(w *prediction, name string) (err error) {
		w.warnOfUnsent()
		if files, err = w.files(); err == nil {
			err = w.checkFiles(files, name)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if s.Investigation != nil {
		if err := w.investigateAll(ctx, files.investigations); err != nil {
			return nil, err
		}
		if err := w.checkSource(files); err != nil {
			return nil, err
		}
		return w.write(files, d.Name)
	}
	work, err := w.work(ctx, d)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, work.Close()) }()
	if err := w.checkSource(files); err != nil {
		return nil, err
	}
	before, err := w.Journal.Steps(ctx)
	if err != nil {
		return nil, err
	}
	if err := w.all(ctx, work); err != nil {
		return nil, err
	}
	w.warnOfChanged(before)
	return w.write(files, d.Name)
}

// PredictionWork opens the work of a run of a model: a unit for each sample, followed by a unit for each sample
// that is asked again without its media. If the detective describes the clips, it is the investigation's work.
func PredictionWork(ctx context.Context, s *PredictionSpec, o *Predicting) (*Work, error) {
	w, d, err := openPrediction(ctx, s, o, func(*prediction, string) error { return nil })
	if err != nil {
		return nil, err
	}
	if s.Investigation == nil {
		return w.work(ctx, d)
	}
	paths, _, err := w.clips()
	if err != nil {
		return nil, err
	}
	return InvestigationWork(ctx, s.Investigation, &Investigating{Machine: o.Machine, Files: paths})
}

// openPrediction reads the samples and opens their media. check checks where the results go, by the run's name.
func openPrediction(ctx context.Context, s *PredictionSpec, o *Predicting, check func(w *prediction, name string) error) (w *prediction, d journal.Description, err error) {
	w = &prediction{Predicting: o, spec: s}
	if err = w.readSamples(ctx); err != nil {
		return w, d, err
	}
	if d, err = describe(predictKind, predictKind, s); err != nil {
		return w, d, err
	}
	if err = check(w, d.Name); err != nil {
		return w, d, err
	}
	return w, d, w.openMedia(ctx)
}

// warnOfChanged warns of samples that had answers to other requests than now.
func (w *prediction) warnOfChanged(before map[string]bool) {
	if w.Calls.Fresh || w.Models.All[0].ByStep {
		return
	}
	var changed []string
	for _, p := range w.results {
		if p != nil && p.New && before[string(p.Sample)] {
			changed = append(changed, string(p.Sample))
		}
	}
	if len(changed) > 0 {
		fmt.Fprintf(w.Warnings, "warning: %d samples had answers to other requests and were asked again (%s): their media files changed, or workers have other files at these paths\n",
			len(changed), firstIDs(changed, len(changed)))
	}
}

// openMedia makes sure that the media can be opened, and opens the cache of what is made
// of them.
func (w *prediction) openMedia(ctx context.Context) error {
	if err := w.checkPrograms(ctx); err != nil {
		return err
	}
	kept, err := cache.Open(mediaDir(w.Calls.WorkDir), cache.Options{MaxBytes: w.CacheBytes, Warn: func(message string) { fmt.Fprintln(w.Warnings, "warning:", message) }})
	if err != nil {
		return err
	}
	s := w.spec
	w.system = &predict.System{Clips: predict.NewClips(kept), Profile: s.Profile, Modality: s.Modality, Folder: w.at(s.Media), Seed: s.Seed, KeepCut: s.KeepCut, MostRejected: w.Calls.StopUnusable}
	return w.checkMedia()
}

// open opens the model.
func (w *prediction) open(ctx context.Context) error {
	s := w.spec
	role := *s.Model
	role.Name = Answering
	if w.Address != nil {
		w.Address(&role)
	}
	m, err := w.Models.Open(ctx, &role)
	if err != nil {
		return err
	}
	d := s.Profile.Decoding
	if m.Judge.Params.Temperature == nil {
		m.Judge.Params.Temperature = d.Temperature
	}
	m.Judge.Params.TopP = d.TopP
	if m.Judge.Params.MaxTokens == 0 {
		m.Judge.Params.MaxTokens = d.MaxTokens
	}
	for name, value := range d.Extra {
		text, err := json.Marshal(value)
		if err != nil {
			return err
		}
		if m.Judge.Params.Extra == nil {
			m.Judge.Params.Extra = make(map[string]json.RawMessage)
		}
		if _, given := m.Judge.Params.Extra[name]; !given {
			m.Judge.Params.Extra[name] = text
		}
	}
	w.system.Asker = m.Judge
	w.Announce(w.Warnings)
	return w.linkMedia()
}

// work opens the journal and the model, and returns the work of the run.
func (w *prediction) work(ctx context.Context, d journal.Description) (_ *Work, err error) {
	if w.Models, err = openModels(ctx, &w.Machine, d); err != nil {
		return nil, err
	}
	w.Models.used = w.Used
	if err := w.open(ctx); err != nil {
		return nil, errors.Join(err, w.served.Close(), w.Close())
	}
	return w.opened(d.Name), nil
}

// opened is the work of the run, once the model is open.
func (w *prediction) opened(name string) *Work {
	twins := w.blindTwins()
	work := w.Models.work(name, len(w.samples)+len(twins), func(ctx context.Context, unit int) (unitOutcome, error) {
		if unit < len(w.samples) {
			return w.ask(ctx, unit)
		}
		return unitOutcome{}, w.askBlind(ctx, twins[unit-len(w.samples)])
	})
	work.Order.Blind, work.Order.MostBlind, work.Order.MediaAs = w.Blind, w.MostBlind, w.MediaAs
	work.id = func(unit int) string {
		if unit < len(w.samples) {
			return string(w.samples[unit].ID)
		}
		return string(w.samples[twins[unit-len(w.samples)]].ID) + " (blind)"
	}
	endRun := work.end
	work.end = func() error { return errors.Join(w.served.Close(), endRun()) }
	return work
}

// ask asks about a sample.
func (w *prediction) ask(ctx context.Context, i int) (unitOutcome, error) {
	p, err := w.system.Predict(ctx, &w.samples[i])
	if err != nil {
		return unitOutcome{}, err
	}
	if w.results != nil {
		w.results[i] = p
	}
	o := outcomeOf(p.Outcome, p.Why)
	if o.failed != "" {
		o.failed = string(p.Sample) + ": " + o.failed
	}
	return o, nil
}

// askBlind asks about a sample without its media, if it was answered with them. The outcome of the twin is not reported, so
// that the next command asks it again.
func (w *prediction) askBlind(ctx context.Context, i int) (err error) {
	var p *predict.Prediction
	if w.results != nil {
		p = w.results[i]
	} else if p, err = w.system.Predict(ctx, &w.samples[i]); err != nil { // remembered, or being asked now
		return err
	}
	if p.Outcome != omniscope.OK {
		return nil // the sample has reported it
	}
	return w.system.AskBlind(ctx, &w.samples[i], p)
}

// all asks about every sample, several at a time, then the blind twins: a budget goes to the answers first.
func (w *prediction) all(ctx context.Context, work *Work) error {
	samples, twins := len(w.samples), work.Units-len(w.samples)
	display := w.shows(samples, work.State)
	defer display.Stop()
	w.results = make([]*predict.Prediction, samples)
	var n atomic.Int64
	err := work.DoAll(ctx, w.Engine, units(0, samples), func() { display.Done(int(n.Add(1))) })
	if err == nil && twins > 0 {
		err = work.DoAll(ctx, w.Engine, units(samples, work.Units), func() {})
	}
	w.system.CheckTokens(w.results)
	if err != nil {
		return err
	}
	return w.Journal.EndFresh()
}

// blindTwins are the samples that are asked again without their media.
func (w *prediction) blindTwins() []int {
	if !w.system.CanBeBlind() || w.Models.All[0].ByStep { // a script answers by the step's name
		return nil
	}
	return predict.BlindTwins(w.samples, w.Blind, w.MostBlind, w.spec.Seed)
}

// PreviewClip says what a model would be sent of a clip. Its frames and sound are kept
// in the working folder, as predict keeps them.
func PreviewClip(ctx context.Context, p *predict.Profile, modality omniscope.Modality, workDir, path string) (*predict.Preview, error) {
	kept, err := cache.Open(mediaDir(workDir), cache.Options{})
	if err != nil {
		return nil, err
	}
	s := &predict.System{Profile: p, Modality: modality, Clips: predict.NewClips(kept)}
	return s.Preview(ctx, &omniscope.Sample{ID: omniscope.SampleID(clipBase(path)), Media: omniscope.Media{Video: path, Text: path}})
}

// mediaDir is where frames and sound of clips are kept.
func mediaDir(workDir string) string { return filepath.Join(workDir, "media") }
