package session

import (
	"context"
	"path/filepath"
	"sync"

	"omniscope"
	"omniscope/bench/predict"
	"omniscope/detective"
	"omniscope/metric/textnorm"
	"omniscope/model"
	"omniscope/model/symptoms"
	"omniscope/run"
)

// DetectiveSystem is the name of the system that describes clips by investigation, in
// place of a model: see PredictionSpec.Investigation.
const DetectiveSystem = "detective"

// investigateAll has the detective describe the samples' clips. A clip that several
// samples have is investigated once.
func (w *prediction) investigateAll(ctx context.Context, folder string) error {
	paths, samplesOf, err := w.clips()
	if err != nil {
		return err
	}
	w.results = make([]*predict.Prediction, len(w.samples))
	var mu sync.Mutex
	set := func(path string, p predict.Prediction) {
		mu.Lock()
		defer mu.Unlock()
		for _, i := range samplesOf[path] {
			own := p
			own.Sample = w.samples[i].ID
			w.results[i] = &own
		}
	}
	used := make(map[string]*model.Usage) // by clip
	machine := w.Machine
	machine.Out = folder
	return Investigate(ctx, w.spec.Investigation, &Investigating{
		Machine: machine, Files: paths, Engine: w.Engine,
		Took: func(path string, t run.Tallied) {
			if !t.Older {
				used[path] = &model.Usage{TokensIn: t.Cost.TokensIn, TokensOut: t.Cost.TokensOut, CostUSD: t.Cost.USD}
			}
		},
		Show: func(r *detective.Report, _ string) error {
			p := described(r, w.spec.Modality)
			p.Usage = used[r.Clip.Path]
			w.investigators = r.Sources
			set(r.Clip.Path, p)
			return nil
		},
		Failed: func(path string, err error) {
			if mu.Lock(); w.results[samplesOf[path][0]] != nil { // its report says why
				mu.Unlock()
				return
			}
			mu.Unlock()
			set(path, predict.Prediction{Outcome: omniscope.Missing, Why: err.Error(), Sent: predict.Sent{Modality: w.spec.Modality, File: path}})
		},
	})
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
func (w *prediction) clips() (paths []string, samplesOf map[string][]int, err error) {
	samplesOf = make(map[string][]int)
	for i := range w.samples {
		if w.samples[i].Prompt != "" {
			return nil, nil, omniscope.Usagef("sample %s asks something of its own: the detective describes clips, and answers no questions", w.samples[i].ID)
		}
		path, err := w.system.Path(&w.samples[i])
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
