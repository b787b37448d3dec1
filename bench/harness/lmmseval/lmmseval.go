// Package lmmseval reads logs of lmms-eval: {date}_samples_{task}.jsonl, which --log_samples
// writes into a folder of the model's name (lmms_eval/loggers/evaluation_tracker.py,
// save_results_samples). They have no document, but what the task's metrics repeat of it.
package lmmseval

import (
	"slices"
	"strings"

	"omniscope"
	"omniscope/bench/harness"
)

// Harness is lmms-eval.
var Harness = harness.Harness{
	Name:  "lmms-eval",
	Title: "lmms-eval",
	Files: "files called {date}_samples_{task}.jsonl, or {task}.json of version 0.2",
	Known: map[string][]string{
		"mmau":      {"submission.id"},
		"mmar":      {"mmar_accuracy.id"},
		"video-mme": {"videomme_perception_score.question_id", "videomme_percetion_score.question_id"},
		"":          {"doc.id", "doc.question_id", "doc.video_name"},
		"vdc":       {"gpt_eval_score.video_name", "gpt_eval_acc.video_name"},
	},
	Luck: map[string]string{
		"mmau":       "draws an option at random",
		"mmar":       "draws an option at random",
		"worldsense": "takes option A",
	},
	Recognise: func(g *harness.Glance) bool {
		return slices.Contains(g.Keys, "logs") || slices.Contains(g.Keys, "samples") && !slices.Contains(g.Keys, "eval") || // Inspect's has "eval"
			g.Has("doc_id", "doc_hash", "filtered_resps") && !g.Has("doc") && !g.Has("arguments")
	},
	Read: log.Read,
}

var log = &harness.SampleLog{
	Not:      []string{"doc_id", "doc", "arguments", "input", "target", "resps", "filtered_resps", "doc_hash", "token_counts", "filter", "metrics", "success"},
	Failures: failures,
	Document: "doc", // up to 0.2
	Task: func(name string) string {
		_, task, _ := strings.Cut(strings.TrimSuffix(name, ".gz"), "_samples_")
		return strings.TrimSuffix(task, ".jsonl")
	},
	Odd: func(s *harness.Sample) {
		if s.Outcome == omniscope.OK && blind(strings.ToLower(s.Answer)) {
			s.Suspicion = harness.SuspiciousMedia
		}
	},
}

// blind reports whether an answer says that no image came, in the words that lmms-eval itself
// takes for a failure and does not remember (lmms_eval/models/model_utils, the shared detection of
// responses to ask for again).
func blind(answer string) bool {
	for _, words := range []string{"no image was provided", "no images were provided", "no image provided", "image was not provided", "image is not provided", "please provide the image"} {
		if strings.Contains(answer, words) {
			return true
		}
	}
	return false
}
