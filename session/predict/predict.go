package predict

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/predict"
	"omniscope/internal/sha256hex"
	"omniscope/media/cache"
	"omniscope/run/journal"
	"omniscope/session"
	"omniscope/session/caption"
)

// predictKind is the kind of runs of this package, in the journal.
const kindName = "predict"

// Kind is the kind of runs that ask a model about samples.
var Kind = session.Kind{Name: kindName, New: func() session.Task { return &Spec{} }}

// Answering is the role of the model under test.
const Answering = "model"

// A Spec describes a run of a model on a dataset as plain data: it
// is the run's manifest, and what a run is named by. It holds nothing secret. Model with Benchmark or Clips is enough: all else
// is then as the command without flags has it.
type Spec struct {
	Benchmark  string             `json:"dataset,omitempty"` // a benchmark by its name in the catalog; "" = captions of Clips
	Data       string             `json:"data,omitempty"`    // the dataset's file; "" = that of the hub's cache
	SHA256     string             `json:"data_sha256,omitempty"`
	Clips      []string           `json:"clips,omitempty"`         // paths of media, and of folders with such
	Media      string             `json:"media,omitempty"`         // folder that the dataset's media are named below; "" = that of Data
	Modality   omniscope.Modality `json:"modality"`                // what the model is given; "" = the first that profile and dataset have
	Profile    *predict.Profile   `json:"model_profile,omitempty"` // how it is asked; nil = the one made for it, else the one called default
	Model      *session.Role      `json:"model,omitempty"`
	KeepCut    bool               `json:"keep_cut,omitempty"`
	Limit      int                `json:"limit,omitempty"`
	SampleIDs  []string           `json:"sample_ids,omitempty"`
	Seed       uint64             `json:"seed"`
	Repetition int                `json:"repetition,omitempty"` // of several of the same run, from 1, each with another seed of the model; 0 = it is the only one
	AnySense   bool               `json:"-"`                    // Modality is a default: if it can ask no sample, another may
	Answers    string             `json:"answers,omitempty"`    // the form that the samples' prompts ask for: results.WordsOfOptions; "" = any

	Investigation *caption.Spec `json:"investigation,omitempty"` // by which the detective describes the clips, in place of Profile and Model
}

// Open implements Task. Ordered by another process, it refuses a dataset that is not that of the order.
func (s *Spec) Open(ctx context.Context, m *session.Machine) (session.Units, error) {
	o := &Options{Machine: *m}
	if m.Order != nil {
		o.Blind, o.MostBlind, o.MediaAs = m.Order.Blind, m.Order.MostBlind, m.Order.MediaAs
		if err := s.checkSame(m); err != nil {
			return nil, err
		}
	}
	if m.Order == nil {
		u, _, err := openFront(ctx, s, m)
		if err != nil {
			return nil, err
		}
		return u, nil
	}
	if s.Profile == nil {
		s.Profile = &predict.Profile{}
	}
	return Open(ctx, s, o)
}

// checkSame refuses another dataset than that of an order.
func (s *Spec) checkSame(m *session.Machine) error {
	if s.SHA256 == "" {
		return nil
	}
	now, err := sha256hex.File(m.At(s.Data))
	if err == nil && now != s.SHA256 {
		err = omniscope.Invalidf("%s has the SHA-256 %s, and here %s", s.Data, s.SHA256, now)
	}
	return err
}

// Listed implements Task.
func (s *Spec) Listed() session.Listing {
	l := session.Listing{Command: "caption", What: s.Clips, By: session.ModelOf(s.Model)}
	if s.Benchmark != "" {
		l.Command, l.What = "run "+s.Benchmark, []string{s.Data}
	}
	return l
}

// Options are the settings of a run that do not shape answers.
type Options struct {
	session.Machine
	System     string  // name of the system in the file of answers; "" = the model's
	Blind      float64 // share of samples that are asked again without their media; 0 = none
	MostBlind  int     // of these at most; 0 = no limit
	CacheBytes int64   // most that the frames and sound of clips may take in the working folder; 0 = cache.DefaultMaxBytes
	MediaAs    string  // how files that are sent whole reach the model: "" or AsData, catalog.AsFile, catalog.AsHTTP
	ServeMedia string  // host and port at which they are served for AsHTTP; "" = 127.0.0.1 and any port
	Jobs       int     // clips at a time that the detective describes; 0 = as many as processors
}

// A Summary is what a run of a model came to.
type Summary struct {
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

// preparedAhead is how many more samples than calls are worked on at a time: while calls
// are on their way, the media of further ones are prepared, several files by one program.
// One call at a time keeps the order of the samples.
const preparedAhead = 32

// A Run is an open run of a model on samples: a unit for each sample, followed by a unit for each sample
// that is asked again without its media.
type Run struct {
	*Options
	*session.Models
	Predicted *Summary // once the results are written

	Spec      *Spec
	Described journal.Description
	dataset   bench.Dataset // nil = captions of clips
	Samples   []omniscope.Sample
	twins     []int // samples that are asked again without their media
	Tested    *predict.System
	files     predictionFiles
	served    *mediaFileServer // nil = no media are served
	before    map[string]bool  // steps that had an answer when the run began

	mu      sync.Mutex
	Results []*predict.Prediction // by sample; nil = discarded: the journal keeps the answers

	investigators []string // models of the detective and its observers, with their addresses
}

// Asking is an opened run that asks a model.
type Asking interface {
	session.Units
	// Check refuses files of answers that hold something else. It writes nothing.
	Check() error
	// StandIn writes invented answers: see Run.StandIn.
	StandIn(dir string, tokens int) (*Summary, error)
	Forecast(context.Context) (*Forecast, error)
	// Summary describes the results, once they are written.
	Summary() *Summary
}

// Open opens a run that asks a model, or has the detective describe clips, and writes the answers in the
// form that the benchmark's evaluation reads.
func Open(ctx context.Context, s *Spec, o *Options) (Asking, error) {
	o.Ready(session.ClipCalls())
	w := &Run{Options: o, Spec: s, Models: session.NewModels(&o.Machine)}
	err := w.readSamples(ctx)
	if err != nil {
		return nil, err
	}
	if w.Described, err = session.Describe(kindName, kindName, s); err != nil {
		return nil, err
	}
	if o.Out == "" {
		o.Out = w.defaultOut()
	}
	if err := w.openMedia(ctx); err != nil {
		return nil, err
	}
	if s.Investigation != nil {
		return w.openDetective(ctx)
	}
	return w, w.OpenModel(ctx)
}

// defaultOut is the folder of the answers where no other is named.
func (w *Run) defaultOut() string {
	if w.Spec.Benchmark != "" {
		return defaultOut
	}
	return caption.FolderOf(w.Calls, w.systemName(), strings.TrimPrefix(w.Described.Name, kindName+"-")) + string(filepath.Separator)
}

// Summary returns what the run came to, once its results are written.
func (w *Run) Summary() *Summary { return w.Predicted }

// Plan implements Units.
func (w *Run) Plan() *session.Plan {
	workers := w.Calls.MaxConcurrency
	if workers > 1 {
		workers += preparedAhead
	}
	return &session.Plan{Description: w.Described, Units: len(w.Samples) + len(w.twins), First: len(w.Samples), ID: w.id, Models: w.Models, Workers: workers, Ordered: w.ordered}
}

// ordered has workers ask the same samples without their media, and send media in the same way.
func (w *Run) ordered(o *session.Order) {
	o.Blind, o.MostBlind, o.MediaAs = w.Blind, w.MostBlind, w.MediaAs
}

func (w *Run) id(unit int) string {
	if unit < len(w.Samples) {
		return string(w.Samples[unit].ID)
	}
	return string(w.Samples[w.twins[unit-len(w.Samples)]].ID) + " (blind)"
}

// Claim implements Units.
func (w *Run) Claim(context.Context) (err error) {
	w.warnOfUnsent()
	if err := w.Check(); err != nil {
		return err
	}
	return os.MkdirAll(filepath.Dir(w.files.answers), 0o755)
}

// Check refuses files of answers that hold something else. It writes nothing.
func (w *Run) Check() error {
	w.files = w.fileNames()
	if err := w.checkFiles(w.files, w.Described.Name); err != nil {
		return err
	}
	return w.checkSource(w.files)
}

// Begin implements Units.
func (w *Run) Begin(ctx context.Context, e *session.Env) (err error) {
	if err := w.linkMedia(); err != nil || !e.Results {
		return err
	}
	w.Results = make([]*predict.Prediction, len(w.Samples))
	w.before, err = w.Journal.Steps(ctx)
	return err
}

// Do implements Units.
func (w *Run) Do(ctx context.Context, unit int) (session.Done, error) {
	if unit < len(w.Samples) {
		return w.ask(ctx, unit)
	}
	return session.Done{}, w.askBlind(ctx, w.twins[unit-len(w.Samples)])
}

// Write implements Units.
func (w *Run) Write(context.Context) (err error) {
	w.Tested.CheckTokens(w.Results)
	w.warnOfChanged()
	w.Predicted, err = w.write(w.files, w.Described.Name)
	return err
}

// Close implements Units.
func (w *Run) Close() error { return errors.Join(w.Models.Close(), w.served.Close()) }

// warnOfChanged warns of samples that had answers to other requests than now.
func (w *Run) warnOfChanged() {
	if w.Calls.Fresh || w.Models.All[0].ByStep {
		return
	}
	var changed []string
	for _, p := range w.Results {
		if p != nil && p.New && w.before[string(p.Sample)] {
			changed = append(changed, string(p.Sample))
		}
	}
	if len(changed) > 0 {
		fmt.Fprintf(w.Warnings, "warning: %d samples had answers to other requests and were asked again (%s): their media files changed, or workers have other files at these paths\n",
			len(changed), session.FirstIDs(changed, len(changed)))
	}
}

// openMedia makes sure that the media can be opened, and opens the cache of what is made
// of them.
func (w *Run) openMedia(ctx context.Context) error {
	if err := w.CheckPrograms(ctx); err != nil {
		return err
	}
	kept, err := cache.Open(mediaDir(w.Calls.WorkDir), cache.Options{MaxBytes: w.CacheBytes, Warn: func(message string) { fmt.Fprintln(w.Warnings, "warning:", message) }})
	if err != nil {
		return err
	}
	s := w.Spec
	w.Tested = &predict.System{Clips: predict.NewClips(kept), Profile: s.Profile, Modality: s.Modality, Folder: w.At(s.Media), Seed: s.Seed, KeepCut: s.KeepCut, MostRejected: w.Calls.MostUnusable()}
	return w.checkMedia()
}

// OpenModel opens the model.
func (w *Run) OpenModel(ctx context.Context) error {
	s := w.Spec
	role := *s.Model
	role.Name = Answering
	role.Repeat(s.Repetition)
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
	if m.Judge.Params.TopP == nil {
		m.Judge.Params.TopP = d.TopP
	}
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
	w.Tested.Asker = m.Judge
	if w.Tested.CanBeBlind() && !m.ByStep { // a script answers by the step's name
		w.twins = predict.BlindTwins(w.Samples, w.Blind, w.MostBlind, s.Seed)
	}
	return nil
}

// ask asks about a sample.
func (w *Run) ask(ctx context.Context, i int) (session.Done, error) {
	p, err := w.Tested.Predict(ctx, &w.Samples[i])
	if err != nil {
		return session.Done{}, err
	}
	w.keep(i, p)
	return session.DoneAs(p.Outcome, string(p.Sample), p.Why), nil
}

// keep keeps the result of a sample, and returns the one that is kept: the sample and its blind twin may be done at the same time, and
// what is found out without media is added to the one that is written.
func (w *Run) keep(i int, p *predict.Prediction) *predict.Prediction {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.Results == nil {
		return p
	}
	before := w.Results[i]
	if before == nil || before.Outcome != omniscope.OK {
		w.Results[i] = p
		return p
	}
	before.New = before.New || p.New
	return before
}

// askBlind asks about a sample without its media, if it was answered with them. The outcome of the twin is not reported, so
// that the next command asks it again.
func (w *Run) askBlind(ctx context.Context, i int) (err error) {
	p := w.result(i)
	if p == nil {
		if p, err = w.Tested.Predict(ctx, &w.Samples[i]); err != nil { // remembered, or being asked now
			return err
		}
		p = w.keep(i, p)
	}
	if p.Outcome != omniscope.OK {
		return nil // the sample has reported it
	}
	return w.Tested.AskBlind(ctx, &w.Samples[i], p)
}

// result is the result of a sample; nil = there is none here.
func (w *Run) result(i int) *predict.Prediction {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.Results == nil {
		return nil
	}
	return w.Results[i]
}

// Preview shows what a model would be sent of a clip. Its frames and sound are kept
// in the working folder, as predict keeps them.
func Preview(ctx context.Context, p *predict.Profile, modality omniscope.Modality, workDir, path string) (*predict.Preview, error) {
	kept, err := cache.Open(mediaDir(workDir), cache.Options{})
	if err != nil {
		return nil, err
	}
	s := &predict.System{Profile: p, Modality: modality, Clips: predict.NewClips(kept)}
	return s.Preview(ctx, &omniscope.Sample{ID: omniscope.SampleID(caption.ClipBase(path)), Media: omniscope.Media{Video: path, Text: path}})
}

// mediaDir is where frames and sound of clips are kept.
func mediaDir(workDir string) string { return filepath.Join(workDir, "media") }
