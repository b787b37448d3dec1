package predict

import (
	"context"
	"errors"
	"path/filepath"
	"sync"

	"omniscope"
	"omniscope/bench/predict"
	"omniscope/detective"
	"omniscope/metric/textnorm"
	"omniscope/model"
	"omniscope/model/symptoms"
	"omniscope/run"
	"omniscope/session"
	"omniscope/session/caption"
)

// DetectiveSystem is the name of the system that describes clips by investigation, in
// place of a model: see Spec.Investigation.
const DetectiveSystem = "detective"

// A detection is a prediction with captions of the detective as answers. A clip that several
// samples have is investigated once.
type detection struct {
	*Run
	*caption.Investigation
	samplesOf map[string][]int // by clip

	mu   sync.Mutex
	used map[string]*model.Usage // by clip
}

// openDetective opens the investigation of the samples' clips.
func (w *Run) openDetective(ctx context.Context) (*detection, error) {
	d := &detection{Run: w, used: make(map[string]*model.Usage)}
	paths, samplesOf, err := w.clips()
	if err != nil {
		return nil, err
	}
	d.samplesOf = samplesOf
	w.Spec.Investigation.Repeat(w.Spec.Repetition)
	d.Investigation, err = caption.Open(ctx, w.Spec.Investigation, &caption.Options{Machine: w.Machine, Files: paths, Jobs: w.Jobs, Pages: true, Took: d.took, Show: d.show, Failed: d.fail})
	if err == nil {
		w.investigators = d.Investigation.Sources() // answers of others are not continued
	}
	return d, err
}

// Plan implements Units.
func (d *detection) Plan() *session.Plan { return d.Investigation.Plan() }

// Claim implements Units.
func (d *detection) Claim(ctx context.Context) error {
	if err := d.Run.Claim(ctx); err != nil {
		return err
	}
	d.Run.Results = make([]*predict.Prediction, len(d.Samples))
	d.Investigation.Out = d.Run.files.investigations
	return d.Investigation.Claim(ctx)
}

// Begin implements Units.
func (d *detection) Begin(ctx context.Context, e *session.Env) error {
	return d.Investigation.Begin(ctx, e)
}

// Do implements Units.
func (d *detection) Do(ctx context.Context, unit int) (session.Done, error) {
	return d.Investigation.Do(ctx, unit)
}

// Write implements Units.
func (d *detection) Write(ctx context.Context) (err error) {
	if err := d.Investigation.Write(ctx); err != nil {
		return err
	}
	d.Predicted, err = d.Run.write(d.Run.files, d.Run.Described.Name)
	return err
}

// Close implements Units.
func (d *detection) Close() error { return errors.Join(d.Investigation.Close(), d.Run.Close()) }

// took keeps what the calls about a clip took, if all are of this run.
func (d *detection) took(path string, t run.Tallied) {
	if !t.Older {
		d.used[path] = &model.Usage{TokensIn: t.Cost.TokensIn, TokensOut: t.Cost.TokensOut, CostUSD: t.Cost.USD}
	}
}

// show takes the caption of a clip.
func (d *detection) show(r *detective.Report, _ string) error {
	p := described(r, d.Run.Spec.Modality)
	p.Usage = d.used[r.Clip.Path]
	d.set(r.Clip.Path, p, true)
	return nil
}

// fail takes the reason why a clip has no caption, unless its report has said it.
func (d *detection) fail(path string, err error) {
	modality := d.Run.Spec.Modality
	d.set(path, predict.Prediction{Outcome: omniscope.Missing, Why: err.Error(), Sent: predict.Sent{Modality: modality, File: path}}, false)
}

// set sets the answers of the samples of a clip; with replace it overwrites earlier answers.
func (d *detection) set(path string, p predict.Prediction, replace bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, i := range d.samplesOf[path] {
		if own := p; replace || d.Run.Results[i] == nil {
			own.Sample = d.Samples[i].ID
			d.Run.Results[i] = &own
		}
	}
}

// described is what an investigation makes of a sample.
func described(r *detective.Report, modality omniscope.Modality) predict.Prediction {
	p := predict.Prediction{Outcome: r.Outcome, Why: r.Why, Warnings: r.Warnings, Inquiries: len(r.Turns),
		Sent: predict.Sent{Modality: modality, File: r.Clip.Path, SHA256: r.Clip.SHA256, Seconds: r.Clip.LengthS}}
	if r.Outcome == omniscope.OK && r.Caption != nil {
		p.Answer = r.Caption.Text
		p.Words = textnorm.CountWords(p.Answer)
		p.Symptoms = symptoms.Find(symptoms.Given{Text: p.Answer})
	}
	return p
}

// clips are the samples' clips, each once, and the samples of each.
func (w *Run) clips() (paths []string, samplesOf map[string][]int, err error) {
	samplesOf = make(map[string][]int)
	for i := range w.Samples {
		if w.Samples[i].Prompt != "" {
			return nil, nil, omniscope.Usagef("sample %s asks something of its own: the detective describes clips, and answers no questions", w.Samples[i].ID)
		}
		path, err := w.Tested.Path(&w.Samples[i])
		if err != nil {
			return nil, nil, err
		}
		if path, err = filepath.Abs(path); err != nil {
			return nil, nil, err
		}
		if samplesOf[path] == nil {
			paths = append(paths, path)
		}
		samplesOf[path] = append(samplesOf[path], i)
	}
	return paths, samplesOf, nil
}
