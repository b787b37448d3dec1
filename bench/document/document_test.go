package document_test

import (
	"testing"

	"omniscope"
	"omniscope/bench/document"
)

// TestIn shows a run in each profile, whichever was asked for.
func TestIn(t *testing.T) {
	scoring := func(name string, value *float64) document.ScoringInfo {
		return document.ScoringInfo{Name: name, Slices: []document.Slice{{Dimension: "modality", Group: "audio"}, {Dimension: "overall", Scores: map[string]omniscope.Score{"accuracy": {Value: value}}}}}
	}
	ten := 0.1
	r := &document.Results{Scoring: "strict", Status: document.Scored, Signature: "cloze|profile:strict|seed:0",
		Headline: document.Headline{Scoring: "strict", Scores: map[string]omniscope.Score{"accuracy": {Value: &ten}}},
		Scorings: []document.ScoringInfo{scoring("official", nil), scoring("strict", &ten)}}
	if got := r.In("strict"); got != r {
		t.Error("the profile that was asked for is another document")
	}
	got := r.In("official")
	if got.Scoring != "official" || got.Status != document.NoScore || got.Headline.Scoring != "official" || got.Headline.Scores["accuracy"].Value != nil || got.Signature != "cloze|profile:official|seed:0" {
		t.Errorf("%+v", got)
	}
	if r.Scoring != "strict" || r.Headline.Scoring != "strict" {
		t.Errorf("the document was changed: %+v", r)
	}
	if back := got.In("strict"); back.Status != document.Scored || *back.Headline.Scores["accuracy"].Value != ten {
		t.Errorf("%+v", back)
	}
}

// TestShownJudge leaves out folders of scripts and of people's projects.
func TestShownJudge(t *testing.T) {
	for name, want := range map[string]string{
		"openai/gpt-4o": "openai/gpt-4o", "vllm/Qwen/Qwen3-235B": "vllm/Qwen/Qwen3-235B", "offline": "offline", "": "",
		"scripted//home/me/judge.json": "scripted/judge.json", "scripted/judge.json": "scripted/judge.json", "people/../rated": "people/rated",
	} {
		if got := (document.JudgeInfo{Name: name}).Shown(); got != want {
			t.Errorf("%q is shown as %q, want %q", name, got, want)
		}
	}
}
