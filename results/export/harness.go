package export

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/internal/sha256hex"
	"omniscope/results"
)

// Harnesses are the programs in whose own forms results can be written, as their
// loggers write them: lm_eval/loggers/evaluation_tracker.py and lm_eval/evaluator.py of
// EleutherAI/lm-evaluation-harness (commit 034ab03), and
// lmms_eval/loggers/evaluation_tracker.py of EvolvingLMMs-Lab/lmms-eval (commit 0716c69). For Inspect see inspectForm.
var Harnesses = []string{"lm-eval", "lmms-eval", inspectForm}

// A HarnessFile is a file of a harness.
type HarnessFile struct {
	Name  string // below the folder, with slashes
	Write func(w io.Writer) error
}

// Harness returns the files of a run: a document of results, and lines of samples where
// the run kept its counts. Both scorings are in them, as filters in the harnesses' terms.
//
// What could not be scored has no value there: the key of a score that does not exist is
// left out, and a sample without a score has a line with its outcome and without metrics.
// Standard errors are "N/A": intervals are of resampled clusters, and stand in the
// metadata of the task's config.
func Harness(ctx context.Context, form string, run *results.Run, info bench.Info) ([]HarnessFile, error) {
	h := &harness{form: form, run: run, info: info, task: run.Results.Benchmark.Name}
	if err := h.readSamples(ctx); err != nil {
		return nil, err
	}
	folder := sanitize(run.Results.System)
	if form == inspectForm {
		return []HarnessFile{{path.Join(folder, h.inspectName()), h.writeInspect}}, nil
	}
	date := strings.ReplaceAll(run.Results.Run.Finished.UTC().Format("2006-01-02T15:04:05.000000"), ":", "-")
	document, lines := "results_"+date+".json", "samples_"+h.task+"_"+date+".jsonl"
	if form == "lmms-eval" {
		document, lines = date+"_results.json", date+"_samples_"+h.task+".jsonl"
	}
	files := []HarnessFile{{path.Join(folder, document), h.writeResults}}
	if len(h.samples) > 0 {
		files = append(files, HarnessFile{path.Join(folder, lines), h.writeSamples})
	}
	return files, nil
}

// unsafe are the characters that the harnesses take out of names (sanitize_model_name in
// lm_eval/utils.py).
var unsafe = regexp.MustCompile(`["<>:/|\\?*\[\]]+`)

// sanitize makes the name of a folder, never one that leads elsewhere.
func sanitize(name string) string {
	name = unsafe.ReplaceAllString(name, "__")
	if strings.Trim(name, ".") == "" {
		name = "_" + name
	}
	return name
}

type harness struct {
	form      string
	run       *results.Run
	info      bench.Info
	task      string
	samples   []map[string]any
	effective int    // units with a score in strict scoring
	hashes    string // of the samples, one after the other
}

// readSamples makes a line for each unit and scoring.
func (h *harness) readSamples(ctx context.Context) error {
	counts := source{path: filepath.Join(h.run.Dir, bench.CountsFile), run: h.run}
	answers := make(map[string]string)
	if d, _, err := h.run.Details(ctx); err == nil && d != nil {
		for id, p := range d.Predictions {
			if p.Outcome == omniscope.OK {
				answers[string(id)] = p.Answer
			}
		}
	}
	if !slices.Contains(h.run.Results.Run.Files, bench.CountsFile) {
		return nil
	}
	number := 0
	return counts.each(ctx, func(text []byte) error {
		var line bench.CountLine
		if err := json.Unmarshal(text, &line); err != nil {
			return fmt.Errorf("%s: %w", counts.path, err)
		}
		for _, one := range []struct {
			filter string
			counts map[string]float64
		}{{"official", line.Official}, {"strict", line.Strict}} {
			h.addSample(number, line, one.filter, one.counts, answers)
		}
		number++
		return nil
	})
}

func (h *harness) addSample(number int, line bench.CountLine, filter string, counts map[string]float64, answers map[string]string) {
	doc := map[string]any{"unit": line.Unit, "cluster": line.Cluster}
	text, _ := json.Marshal(doc) // two texts
	s := map[string]any{"doc_id": number, "target": "", "filter": filter, "outcome": line.Outcome.String(),
		"doc_hash": sha256hex.Of(string(text)), "prompt_hash": sha256hex.Of(""), "target_hash": sha256hex.Of(""), "resps": [][]string{}, "filtered_resps": []string{}}
	if answer, ok := answers[line.Unit]; ok {
		s["resps"], s["filtered_resps"] = [][]string{{answer}}, []string{answer}
	}
	if h.form == "lmms-eval" {
		s["input"] = line.Unit
	} else {
		s["doc"], s["arguments"] = doc, map[string]any{}
	}
	values := make([]float64, len(h.info.Metric.Fields))
	for i, field := range h.info.Metric.Fields {
		values[i] = counts[field]
	}
	metrics := []string{}
	for _, d := range h.info.Metric.Scores {
		if v, ok := d.Value(values); ok {
			s[d.Name] = v
			metrics = append(metrics, d.Name)
		}
	}
	s["metrics"] = metrics
	if filter == "strict" && len(metrics) > 0 {
		h.effective++
	}
	if h.form == "lmms-eval" {
		h.hashes += "sample_" + strconv.Itoa(len(h.samples)) + s["doc_hash"].(string)
	} else {
		h.hashes += s["doc_hash"].(string) + s["prompt_hash"].(string) + s["target_hash"].(string)
	}
	h.samples = append(h.samples, s)
}

func (h *harness) writeSamples(w io.Writer) error {
	lines := json.NewEncoder(w)
	lines.SetEscapeHTML(false)
	for _, s := range h.samples {
		if err := lines.Encode(s); err != nil {
			return err
		}
	}
	return nil
}

func (h *harness) writeResults(w io.Writer) error {
	r := h.run.Results
	scores, metadata, better := h.scores()
	of := func(v any) map[string]any { return map[string]any{h.task: v} }
	metrics := []map[string]any{}
	for _, d := range h.info.Metric.Scores {
		metrics = append(metrics, map[string]any{"metric": d.Name, "aggregation": "omniscope", "higher_is_better": !d.Lower})
	}
	effective := h.effective
	if len(h.samples) == 0 {
		effective = r.Outcomes[omniscope.OK.String()] // the run kept no counts
	}
	hashes := map[string]any{}
	if len(h.samples) > 0 {
		hashes[h.task] = sha256hex.Of(h.hashes)
	}
	var limit any
	if r.Data.Samples > r.Samples {
		limit = r.Samples
	}
	document := map[string]any{
		"results":        of(scores),
		"group_subtasks": of([]string{}),
		"configs": of(map[string]any{"task": h.task, "dataset_path": h.dataset(), "output_type": "generate_until", "num_fewshot": 0,
			"metric_list": metrics, "metadata": metadata}),
		"versions":         of(signaturePart(r.Signature, "data")),
		"n-shot":           of(0),
		"higher_is_better": of(better),
		"n-samples":        of(map[string]int{"original": max(r.Samples, r.Data.Samples), "effective": effective}),
		"config": map[string]any{"model": "omniscope", "model_args": "model=" + r.System, "batch_size": nil, "device": nil, "limit": limit,
			"bootstrap_iters": nil, "gen_kwargs": nil},
		"git_hash":                      r.Run.Version,
		"date":                          float64(r.Run.Finished.UnixMicro()) / 1e6,
		"task_hashes":                   hashes,
		"model_source":                  "omniscope",
		"model_name":                    r.System,
		"model_name_sanitized":          sanitize(r.System),
		"total_evaluation_time_seconds": strconv.FormatFloat(r.Usage.Seconds, 'f', -1, 64),
	}
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return out.Encode(document)
}

// scores are the overall scores of both scorings by METRIC,FILTER, and what the form has
// no place for.
func (h *harness) scores() (scores, metadata map[string]any, better map[string]bool) {
	r := h.run.Results
	scores, better = map[string]any{"alias": h.task}, make(map[string]bool)
	intervals, unscored, none := map[string]any{}, map[string]int{}, map[string]string{}
	for _, p := range []bench.Scoring{bench.Official, bench.Strict} {
		whole, ok := h.run.Overall(p)
		if !ok {
			continue
		}
		for _, d := range h.info.Metric.Scores {
			s, there := whole.Scores[d.Name]
			if !there {
				continue
			}
			key := d.Name + "," + p.String()
			better[d.Name], unscored[key] = !d.Lower, s.Unscored
			if s.Value == nil {
				none[key] = string(document.NoScore)
				if s.Why != "" {
					none[key] = s.Why
				}
				continue
			}
			scores[key], scores[d.Name+"_stderr,"+p.String()] = *s.Value, "N/A"
			if s.Interval != nil {
				intervals[key] = []float64{s.Interval.Low, s.Interval.High}
			}
		}
	}
	return scores, map[string]any{"version": signaturePart(r.Signature, "data"), "title": r.Benchmark.Title, "paper": r.Benchmark.Paper, "judge": r.Judge.Name,
		"baseline": r.Judge.Baseline, "signature": r.Signature, "sample_outcomes": everyOutcome(r.Outcomes), "intervals_95": intervals, "unscored": unscored, "no_score": none, "marks": r.Marks}, better
}

// everyOutcome adds the outcomes that a document leaves out because their count is 0.
func everyOutcome(counts map[string]int) map[string]int {
	all := make(map[string]int)
	for _, o := range omniscope.Outcomes {
		all[o.String()] = 0
	}
	maps.Copy(all, counts)
	return all
}

func (h *harness) dataset() string {
	for _, n := range h.info.Needs {
		if n.Dataset != "" {
			return n.Dataset
		}
	}
	return h.task
}

// signaturePart is the value of a part NAME:VALUE of a signature; "" = there is none.
func signaturePart(signature, name string) string {
	for part := range strings.SplitSeq(signature, "|") {
		if value, ok := strings.CutPrefix(part, name+":"); ok {
			return value
		}
	}
	return ""
}
