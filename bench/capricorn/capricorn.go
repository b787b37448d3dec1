// Package capricorn scores captions on CapRiCorn-1K (arXiv 2606.21949). For
// each annotated keypoint of a long video, a judge decides whether the caption
// mentions it. For each subject, the judge then groups the caption's
// descriptions that a reader would take for the same subject.
//
// Official scoring reproduces the published scorer and writes its four files;
// strict scoring corrects its faults. Both are computed from the same calls where
// both ask the same question.
//
// The package makes no captions and knows no provider: package session runs
// models, package judge asks them, package metric turns counts into scores.
package capricorn

import (
	"context"
	"embed"
	"errors"
	"io/fs"

	"omniscope"
	"omniscope/bench"
	"omniscope/metric"
	"omniscope/model/judge"
)

//go:embed prompts/*.txt
var promptFiles embed.FS

// Benchmark is CapRiCorn-1K, with the audiovisual annotations or the
// visual-only ones: the file says which. Its Open takes the annotations as Data.
type Benchmark struct {
	Batched  bool   // one call for all keypoints of a video, instead of one for each
	Continue string // folder with result files of an earlier run, ours or the published scripts'

	// Annotations are audio-visual (CapRiCorn-1K) or visual (CapRiCorn-1K-V); "" = as the name of their file says.
	Annotations string
}

var _ bench.Optioned = (*Benchmark)(nil)

// Info implements bench.Benchmark.
func (Benchmark) Info() bench.Info {
	return bench.Info{
		Name:      "capricorn",
		Hears:     true,
		Sees:      true,
		SeenAlone: "annotations_vision_only",
		Title:     "CapRiCorn-1K: keypoints and referential consistency of captions of long videos",
		Paper:     "arXiv 2606.21949",
		Licence:   "data: XinlongChen/CapRiCorn-1K, CC BY-NC-ND 4.0; bring your own copy",
		Judge:     "openai/gpt-4.1",
		Examined:  true,
		Asking:    bench.Asking{OfficialAttempts: 5, Attempts: 5, MaxTokens: 3072, AtOnce: atOnce},
		Metric:    &metric.Keypoints,
		StepKeys:  "VIDEO/subject|EVENT and VIDEO/other|EVENT for keypoints, VIDEO/cluster|SUBJECT for the descriptions of a subject, VIDEO/batch for all keypoints of a video at once",
		Records:   recordFiles,
		Cluster:   "video",
		Item:      "item",
		// The data set's page asks for its conditions to be accepted. The names are those
		// that the published scorer's manual has; all else is taken for media.
		Needs: []bench.Need{
			{Part: "annotations", Dataset: "XinlongChen/CapRiCorn-1K", Names: []string{"annotations*.jsonl"}, Licence: "CC BY-NC-ND 4.0", Gated: true, Flag: "--data"},
			{Part: "media", Dataset: "XinlongChen/CapRiCorn-1K", Licence: "CC BY-NC-ND 4.0", Gated: true, YouTube: true, Flag: "--media"},
		},
		Files: bench.Files{
			Predictions:  "file of captions: JSON Lines with video_id and caption",
			Data:         "the benchmark's annotations, audiovisual or visual-only",
			DataNeeded:   true,
			CaptionField: "field of the caption (default caption, else predicted_caption, prediction or response)",
		},
		Examples: `  omniscope eval capricorn --data annotations.jsonl --predictions captions.jsonl
  omniscope eval capricorn -d annotations.jsonl -p captions.jsonl --judge openai/gpt-4.1 --judge-mode batched --scoring strict --dry-run
  omniscope eval capricorn -d annotations.jsonl -p a.jsonl -p b.jsonl --judge openai/gpt-4.1 --judge openai/qwen3 --out ablation
  omniscope eval capricorn -d annotations.jsonl -p captions.jsonl --judge openai/gpt-4.1 --continue published/`,
	}
}

// New returns the benchmark with its defaults.
func New() *Benchmark { return &Benchmark{} }

// Options implements bench.Optioned.
func (b *Benchmark) Options() []bench.Option {
	return []bench.Option{
		{Name: "judge-mode", Value: bench.Either(&b.Batched, "single", "batched"), Choices: []string{"single", "batched"},
			Help: "single asks one call for each keypoint, as published; batched asks all of a video in one:\nabout 5 calls a video instead of 41. 'omniscope compare' shows how far the two agree"},
		{Name: "continue", Value: bench.Text(&b.Continue), Path: true, OneRun: "the files hold one judge's verdicts on one system",
			Help: "folder with the result files of an earlier run, ours or the published scripts':\nwhat is judged there is not asked again"},
		{Name: "annotations", Value: bench.Text(&b.Annotations), Choices: []string{"audio-visual", "visual"}, Display: true,
			Help: "what --data holds: audio-visual (CapRiCorn-1K) or visual (CapRiCorn-1K-V) annotations\n(default: as the released names say, annotations.jsonl and annotations_vision_only.jsonl)"},
	}
}

func (b Benchmark) mode() string {
	if b.Batched {
		return "batched"
	}
	return "single"
}

// Open implements bench.Benchmark.
func (b Benchmark) Open(ctx context.Context, in bench.Inputs) (bench.Evaluation, error) {
	switch {
	case in.Data == "":
		return nil, omniscope.Usagef("give the benchmark's annotations with --data FILE")
	case b.Batched && in.Scoring == bench.Official:
		return nil, omniscope.Usagef("scoring official asks one call for each keypoint: leave out --judge-mode batched, or score with --scoring strict")
	}
	e := &evaluation{b: b, in: in, judge: in.Judge}
	if err := e.loadPrompts(); err != nil {
		return nil, err
	}
	var err error
	if e.data, err = openData(ctx, in); err != nil {
		return nil, err
	}
	if e.known, err = openPast(ctx, b.Continue); err != nil {
		return nil, errors.Join(err, e.data.Close())
	}
	if !in.Allow {
		if err := e.known.refuse(e.data, b.Continue); err != nil {
			return nil, errors.Join(err, e.Close())
		}
	}
	e.effect = &effects{units: make([]effect, len(e.data.units))}
	e.scores = make([]videoScore, len(e.data.units))
	e.plan = e.newPlan()
	return e, nil
}

func (e *evaluation) loadPrompts() error {
	builtin, err := fs.Sub(promptFiles, "prompts")
	if err != nil {
		return err
	}
	if err := judge.OnlyPrompts(e.in.Prompts, e.in.PromptsName, "subject.txt", "other.txt", "cluster.txt", "batch.txt"); err != nil {
		return err
	}
	for _, p := range []struct {
		to    **judge.Prompt
		name  string
		needs []string
	}{
		{&e.prompts.subject, "subject.txt", []string{"event", "caption"}},
		{&e.prompts.other, "other.txt", []string{"event", "caption"}},
		{&e.prompts.cluster, "cluster.txt", []string{"descriptions"}},
		{&e.prompts.batch, "batch.txt", []string{"keypoints", "caption"}},
	} {
		if *p.to, err = judge.LoadPrompt(builtin, e.in.Prompts, e.in.PromptsName, p.name); err != nil {
			return err
		}
		if err := (*p.to).Require(p.needs...); err != nil {
			return err
		}
	}
	return nil
}

// batchJudge returns the judge with MaxTokens raised for a reply about n keypoints.
func (e *evaluation) batchJudge(n int) *judge.Judge {
	const tokensEach = 160 // a verdict, a sentence and a description or two
	j := *e.judge
	if j.Params.MaxTokens > 0 {
		j.Params.MaxTokens = max(j.Params.MaxTokens, tokensEach*n)
	}
	return &j
}

// Explain implements bench.Explainer.
func (e *evaluation) Explain() bench.Explanation {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.effect.sum()
	return bench.Explanation{Pages: e.pages(), Tables: e.tables(), Effects: e.effect.byDifference(), Warnings: e.runWarnings()}
}
