package eval

import (
	"regexp"
	"testing"

	"omniscope/bench/document"
)

// contradictions are replies that say two things. The published scorers count one of them.
const contradictions = `
-- letters.json --
{"0001": ["{\"1\": \"A: xxx\", \"2\": \"B: xxx\"}"], "0002": ["{\"1\": \"C: not given\", \"2\": \"D: not given\"}"], "0003": ["{\"1\": \"C: phone\", \"2\": \"A: bell\", \"1\": \"D: nurse\"}"]}
-- hollow.json --
{"a": ["A: xxx"], "b": ["B. Man"]}
-- vdc-two.json --
{"1": ["A dog."], "1/judge": ["{'pred': 'yes', 'score': 0}"], "1/q2": ["Not said."], "1/q2/judge": ["{'pred': 'no', 'score': 5}"]}
-- dream-two.json --
{"1": ["{'events': ['a dog barks']}"],
 "1/recall": ["{\"events\": [{\"event\": \"A dog barks.\", \"relationship\": \"entailment\", \"reason\": \"contradiction: no dog\"}, {\"event\": \"Rain falls.\", \"relationship\": \"neutral\"}]}"],
 "1/precision": ["{\"events\": [{\"event\": \"copy an event here\", \"relationship\": \"entailment\", \"reason\": \"give your reason here\"}]}"]}
-- capricorn-two.json --
{"roof/other|A dog barks": ["{\"event_type\": \"correctly mentioned\", \"reason\": \"Not mentioned.\"}"]}
`

// A run of official with a judge that contradicts itself has its scores as published and ends well, and strict leaves the items
// unjudged. A run of strict asks again, and fails if the judge does not answer.
func TestContradictionsInBothProfiles(t *testing.T) {
	f := enter(t, capricornFiles+regexp.MustCompile(`-- (captions|empty)\.\w+ --`).ReplaceAllString(captionBenchFiles, "-- of-$1.jsonl --")+spokenFiles+contradictions)
	for _, c := range []struct {
		benchmark, captions, judge string
		settings                   []setting
		score                      string
		value                      float64
		difference                 string
	}{
		{"omni-cloze", "clips.jsonl", "letters.json", nil, "accuracy", 5.0 / 6, "letter and words contradict, no usable reply"},
		{"mmau", "spoken.jsonl", "hollow.json", []setting{data("data.json")}, "accuracy", 0.5, "answer that contradicts itself"},
		{"vdc", "of-captions.jsonl", "vdc-two.json", []setting{data("vdc.jsonl")}, "accuracy", 0.5, "verdict and score contradict"},
		{"dream-1k", "of-captions.jsonl", "dream-two.json", []setting{data("dream.jsonl")}, "recall", 0.5, "relationships that contradict themselves"},
		{"capricorn", "captions.jsonl", "capricorn-two.json", []setting{data("annotations.jsonl"), samples("roof")}, "acc", 1, "judgements that contradict themselves"},
	} {
		t.Run(c.benchmark, func(t *testing.T) {
			f.t = t
			more := append(c.settings, judgedBy("scripted/"+c.judge))
			f.eval(c.benchmark, c.captions, append(more, official)...).ok().prints(`official counts .* that strict leaves unjudged`)
			value := f.results.In("official").Headline.Scores[c.score].Value
			if value == nil || *value-c.value > 1e-9 || c.value-*value > 1e-9 {
				t.Errorf("official %s %v, want %v", c.score, value, c.value)
			}
			if strict := f.results.In("strict").Headline.Scores[c.score]; strict.Value != nil || strict.Unscored == 0 {
				t.Errorf("strict %s %v of %d, want no score", c.score, strict.Value, strict.N)
			}
			if !hasDifference(f.results, c.difference) {
				t.Errorf("differences %+v, want %q", f.results.Differences, c.difference)
			}
			f.eval(c.benchmark, c.captions, more...).failsToJudge(`no usable reply|no score`)
		})
	}
}

func hasDifference(r *document.Results, what string) bool {
	for _, d := range r.Differences {
		if d.What == what {
			return true
		}
	}
	return false
}
