package export

import (
	"encoding/json"
	"io"
	"strings"
	"time"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/sha256hex"
)

// inspectForm is a log of Inspect in one JSON file (EvalLog in src/inspect_ai/log/_log.py, version 2). The scorings are its scorers.
const inspectForm = "inspect"

// inspectName is the name of the log, as Inspect forms it: time, task and id.
func (h *harness) inspectName() string {
	r := h.run.Results
	date := r.Run.Finished.UTC().Format("2006-01-02T15-04-05+00-00")
	return date + "_" + strings.ReplaceAll(h.task, "_", "-") + "_" + sha256hex.Of(r.Run.ID)[:22] + ".json"
}

func (h *harness) writeInspect(w io.Writer) error {
	r := h.run.Results
	_, metadata, _ := h.scores()
	date := r.Run.Finished.UTC().Format(time.RFC3339)
	completed := r.Outcomes[omniscope.OK.String()]
	document := map[string]any{
		"version": 2,
		"status":  "success",
		"eval": map[string]any{"run_id": r.Run.ID, "created": date, "task": h.task, "task_id": sha256hex.Of(r.Run.ID)[:22], "task_version": 0,
			"task_attribs": map[string]any{}, "task_args": map[string]any{}, "dataset": map[string]any{"name": h.dataset(), "samples": max(r.Samples, r.Data.Samples)},
			"model": r.System, "model_args": map[string]any{}, "config": map[string]any{}, "packages": map[string]any{"omniscope": r.Run.Version}, "metadata": metadata},
		"plan":    map[string]any{"name": "plan", "steps": []any{}, "config": map[string]any{}},
		"results": map[string]any{"total_samples": r.Samples, "completed_samples": completed, "scores": h.inspectScores()},
		"stats":   map[string]any{"started_at": date, "completed_at": date, "model_usage": map[string]any{}},
		"samples": h.inspectSamples(),
	}
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return out.Encode(document)
}

// inspectScores has the overall scores of each scoring. A score that does not exist is left out; the metadata have its reason.
func (h *harness) inspectScores() []any {
	all := []any{}
	for _, p := range []bench.Scoring{bench.Official, bench.Strict} {
		whole, _ := h.run.Overall(p)
		metrics := map[string]any{}
		for _, d := range h.info.Metric.Scores {
			if v := whole.Scores[d.Name].Value; v != nil {
				metrics[d.Name] = map[string]any{"name": d.Name, "value": *v, "params": map[string]any{}}
			}
		}
		if len(metrics) > 0 {
			all = append(all, map[string]any{"name": p.String(), "scorer": p.String(), "params": map[string]any{}, "metrics": metrics})
		}
	}
	return all
}

// inspectSamples has a sample for each unit, with the scores of both scorings. A sample without a score has no value: its outcome
// is in the metadata.
func (h *harness) inspectSamples() []any {
	samples := []any{}
	var last map[string]any
	for _, s := range h.samples {
		if last == nil || last["unit"] != s["doc_id"] {
			doc := s["doc"].(map[string]any)
			choices := []any{}
			for _, answer := range s["filtered_resps"].([]string) {
				choices = append(choices, map[string]any{"message": map[string]any{"role": "assistant", "content": answer, "source": "generate"}, "stop_reason": "stop"})
			}
			last = map[string]any{"unit": s["doc_id"], "id": doc["unit"], "epoch": 1, "input": "", "target": "", "messages": []any{},
				"output": map[string]any{"model": h.run.Results.System, "choices": choices}, "scores": map[string]any{},
				"metadata": map[string]any{"outcome": s["outcome"], "cluster": doc["cluster"]}, "store": map[string]any{}, "events": []any{}, "model_usage": map[string]any{}}
			samples = append(samples, last)
		}
		values := map[string]any{}
		for _, name := range s["metrics"].([]string) {
			values[name] = s[name]
		}
		if len(values) > 0 {
			last["scores"].(map[string]any)[s["filter"].(string)] = map[string]any{"value": values}
		}
	}
	for _, s := range samples {
		delete(s.(map[string]any), "unit")
	}
	return samples
}
