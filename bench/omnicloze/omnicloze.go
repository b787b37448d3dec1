// Package omnicloze scores captions on Omni-Cloze: a judge fills the blanks of
// a passage from the caption alone, one call per caption (Omni-Captioner,
// arXiv 2510.12720, section 5 and appendix B).
//
// Official scoring is the released scorer: the first reply counts, an unusable
// one reads as "not given" for every blank, blanks without reply or key are
// left out. Strict scoring asks again, leaves blanks of unusable replies
// unjudged, and says how many. Both are computed from the same calls.
//
// The package makes no captions and knows no provider: package session runs
// models, package judge asks them, package metric turns counts into scores.
package omnicloze

import (
	"context"
	"embed"
	"fmt"
	"io/fs"

	"omniscope"
	"omniscope/bench"
	"omniscope/metric"
	"omniscope/model/judge"
)

//go:embed prompts/*.txt
var promptFiles embed.FS

// Benchmark is Omni-Cloze.
type Benchmark struct{}

var _ bench.Benchmark = Benchmark{}

// readers is the version of the code that reads replies; it is part of every
// score's signature. Count it up when a change can alter how a reply is read.
const readers = "reader4"

// offlineReader is the version of the offline reader; it is part of the signature
// of its scores. Count it up when a change can alter a letter.
const offlineReader = "words2"

// Info implements bench.Benchmark.
func (Benchmark) Info() bench.Info {
	return bench.Info{
		Name:     "omni-cloze",
		Title:    "Omni-Cloze: cloze test of detailed audio-visual captions",
		Paper:    "arXiv 2510.12720",
		Licence:  "data: BoJack/Omni-Cloze, licence not stated there; bring your own copy",
		Judge:    "openai/gpt-4o-2024-11-20",
		Asking:   bench.Asking{OfficialAttempts: 1, Attempts: 3},
		Examined: true,
		Metric:   &metric.Cloze,
		StepKeys: "the sample's uuid",
		Records:  []string{"blanks.jsonl", bench.CasesFile},
		Cluster:  "clip",
		Item:     "question",
		Modality: true,
		Hears:    true,
		Sees:     true,
		// Its commits and its licence are not known here; its videos are cut from FineVideo.
		Needs: []bench.Need{
			{Part: "annotations", Dataset: "BoJack/Omni-Cloze", Names: []string{"omni_cloze*.jsonl", "omni-cloze*.jsonl"}, Flag: "--data"},
			{Part: "media", Dataset: "BoJack/Omni-Cloze", Flag: "--media"},
		},
		Files: bench.Files{
			Predictions:  "file of captions: rows of the released format (cloze and caption together), or\ncaptions by uuid (JSON Lines, CSV, Parquet, a folder such as set#test), with --data",
			Data:         "the benchmark's file, where --predictions holds captions only",
			CaptionField: "field of the caption (default predicted_caption; in a separate file also caption, prediction, response)",
		},
		Examples: `  omniscope eval omni-cloze --predictions rows.jsonl
  omniscope eval omni-cloze --data omni_cloze.jsonl --predictions captions.csv --judge openai/gpt-4o-2024-11-20 --dry-run
  omniscope eval omni-cloze -p rows.jsonl --judge openai/my-model,base-url=http://localhost:8000/v1 -j 256`,
	}
}

// Open implements bench.Benchmark.
func (Benchmark) Open(ctx context.Context, in bench.Inputs) (bench.Evaluation, error) {
	e := &evaluation{in: in, judge: in.Judge}
	if e.in.Modality == "" {
		e.in.Modality = string(omniscope.AudioVisual)
	}
	builtin, err := fs.Sub(promptFiles, "prompts")
	if err != nil {
		return nil, err
	}
	if e.prompt, err = judge.LoadPrompt(builtin, in.Prompts, in.PromptsName, "judge.txt"); err != nil {
		return nil, err
	}
	if e.system, err = judge.LoadPrompt(builtin, in.Prompts, in.PromptsName, "system.txt"); err != nil {
		return nil, err
	}
	if err := e.prompt.Require("cloze", "prediction"); err != nil {
		return nil, err
	}
	if err := judge.OnlyPrompts(in.Prompts, in.PromptsName, e.prompt.Name, e.system.Name); err != nil {
		return nil, err
	}
	if e.data, err = openData(ctx, in); err != nil {
		return nil, err
	}
	e.makePlan()
	return e, nil
}

func (e *evaluation) makePlan() {
	e.plan = &bench.Plan{
		System:   e.in.System,
		Units:    len(e.data.samples),
		Of:       e.data.of,
		Part:     map[string]string{"modality": e.in.Modality},
		Steps:    func(i int) string { return e.data.samples[i].uuid },
		Inputs:   e.data.digests(),
		Warnings: e.data.warnings,
		Protocol: fmt.Sprintf("%s|modality:%s", readers, e.in.Modality),
		Data:     e.data.digest,
		Baseline: e.judge == nil,
	}
	if e.judge == nil {
		e.plan.Protocol += "|" + offlineReader
	}
	if e.plan.System == "" {
		e.plan.System = bench.SystemName(e.in.Predictions)
	}
	if e.judge != nil {
		for _, p := range []*judge.Prompt{e.system, e.prompt} {
			e.plan.Prompts = append(e.plan.Prompts, p.Info())
		}
	}
}
