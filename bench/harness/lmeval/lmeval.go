// Package lmeval reads logs of lm-evaluation-harness: samples_{task}_{date}.jsonl, which
// --log_samples writes into a folder of the model's name (lm_eval/loggers/evaluation_tracker.py,
// save_results_samples).
package lmeval

import (
	"strings"

	"omniscope/bench/harness"
)

// Harness is lm-evaluation-harness.
var Harness = harness.Harness{
	Name:  "lm-eval",
	Title: "lm-evaluation-harness",
	Files: "files called samples_{task}_{date}.jsonl",
	Known: map[string][]string{"": {"doc.id", "doc.question_id", "doc.uuid", "doc.video_id", "doc.video_name"}},
	Recognise: func(g *harness.Glance) bool {
		return g.Has("doc_id", "doc", "arguments", "resps")
	},
	Read: log.Read,
}

var log = &harness.SampleLog{
	Not:      []string{"doc_id", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"},
	Document: "doc",
	Task: func(name string) string {
		name = strings.TrimPrefix(strings.TrimSuffix(name, ".gz"), "samples_")
		if i := strings.LastIndex(name, "_"); i > 0 {
			return name[:i]
		}
		return ""
	},
}
