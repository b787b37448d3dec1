package captions

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/testing/benchtest"
	"omniscope/internal/testing/captionstest"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/golden"
	"omniscope/metric"
	"omniscope/model/judge"
)

const m3Data = `{
"v1": {"video_url": "x", "qa_list": [
  {"question": "Who sings?", "answer": "Ann", "question_id": "v1_Q1", "type": ["Person Understanding", "Multi-Hop Reasoning"]},
  {"question": "Does it rain?", "answer": "No", "question_id": "v1_Q2", "type": ["Person Understanding"]}]},
"v2": {"qa_list": [{"question": "Why?", "answer": "Fun", "question_id": "v2_Q1", "type": ["General Knowledge Extraction"]}]},
"v3": {"qa_list": [{"question": "Why?", "answer": "Fun", "question_id": "v3_Q1", "type": []}]}
}`

const m3Captions = `{"video_id": "v1.mp4", "caption": ["Ann sings on a stage.", "Bob walks in the rain.", "Then the sun shines."]}
{"video_id": "v2", "caption": ""}
{"video_id": "v3", "caption": "They laugh."}`

func m3Replies(step string, attempt int, _ string) string {
	switch {
	case !strings.HasSuffix(step, "/judge"):
		return "Ann, says " + step
	case step == "v1/q2/judge" && attempt == 1:
		return "Yes and no"
	}
	return "Yes"
}

// TestMemoryM3 shows what the model is given: all captions, the passages that fit the question by
// their words or by their vectors, or nothing.
func TestMemoryM3(t *testing.T) {
	data := captionstest.File(t, "web.json", m3Data)
	whole := "Ann sings on a stage.\n\nBob walks in the rain.\n\nThen the sun shines."
	near := map[string]string{"Who sings?": "[1, 0]", "Does it rain?": "[0, 1]", "Ann sings on a stage.": "[0, 2]", "Bob walks in the rain.": "[0.1, 1]", "Then the sun shines.": "[3, 1]"}
	for _, c := range []struct {
		name    string
		options []string
		dense   bool
		bare    bool
		want    [2]string // by question
	}{
		{"it fits", nil, false, false, [2]string{whole, whole}},
		{"by words", []string{"memory-limit", "30", "top-k", "1"}, false, false, [2]string{"Ann sings on a stage.", "Bob walks in the rain."}},
		{"two by words, in the order of the video", []string{"memory-limit", "30", "top-k", "2"}, false, false, [2]string{"Ann sings on a stage.\n\nBob walks in the rain.", "Ann sings on a stage.\n\nBob walks in the rain."}},
		{"by meaning", []string{"memory-limit", "30", "top-k", "1"}, true, false, [2]string{"Then the sun shines.", "Ann sings on a stage."}},
		{"it fits, so that no vectors are wanted", nil, true, false, [2]string{whole, whole}},
	} {
		t.Run(c.name, func(t *testing.T) {
			texts := make(map[string]string)
			in := captionstest.Inputs(data, captionstest.File(t, "c.jsonl", m3Captions), func(step string, attempt int, text string) string {
				texts[step] = text
				return m3Replies(step, attempt, text)
			}, bench.Strict, 2)
			vectors := 0
			if c.dense {
				in.Roles = map[string]*judge.Judge{embedder: {Name: "test/embedder", Request: "e", Model: captionstest.OneByOne(func(step string, _ int, text string) string {
					vectors++
					return near[strings.TrimSuffix(text, "\n")]
				})}}
			}
			in.Samples = []omniscope.SampleID{"v1"}
			captionstest.One(t, benchtest.With(t, M3Bench(), c.options...), in, 0)
			for i, s := range []string{"v1", "v1/q2"} {
				if !strings.Contains(texts[s], "\n\n"+c.want[i]+"\n\nAnswer the question") {
					t.Errorf("%s is given %q, want %q", s, texts[s], c.want[i])
				}
			}
			if want := map[bool]int{true: 5}[c.dense && c.options != nil]; vectors != want {
				t.Errorf("%d vectors, want %d", vectors, want)
			}
		})
	}
}

func TestScoringsM3(t *testing.T) {
	for _, c := range []struct {
		name             string
		scoring          bench.Scoring
		video            int
		answer, verdict  string // to every question; later verdicts are No
		official, strict string // correct wrong unanswered unjudged
		outcome          omniscope.Outcome
		differs          string
	}{
		{"yes", bench.Strict, 0, "x", "**Yes**.", "2 0 0 0", "2 0 0 0", omniscope.OK, ""},
		{"no", bench.Strict, 0, "x", "No", "0 2 0 0", "0 2 0 0", omniscope.OK, ""},
		{"no, with a yes in it", bench.Strict, 0, "x", "No, although yes would do.", "2 0 0 0", "0 2 0 0", omniscope.OK, "verdict read otherwise"},
		{"the answer at the end", bench.Strict, 0, "x", "The meaning is the same. Output: Yes", "2 0 0 0", "2 0 0 0", omniscope.OK, ""},
		{"neither", bench.Strict, 0, "x", "Perhaps.", "0 2 0 0", "0 2 0 0", omniscope.OK, ""}, // asked again
		{"neither, yes in a word", bench.Strict, 0, "x", "As of yesterday.", "2 0 0 0", "0 2 0 0", omniscope.OK, "verdict read otherwise"},
		{"no answer", bench.Strict, 0, " \n", "Yes", "0 2 0 0", "0 0 0 2", omniscope.Unparsed, "no usable reply"},
		{"failed answers", bench.Strict, 0, "", "Yes", "0 2 0 0", "0 0 0 2", omniscope.Failed, "no usable reply"},
		{"failed verdicts", bench.Strict, 0, "x", "", "0 2 0 0", "0 0 0 2", omniscope.Failed, "no usable reply"},
		{"empty captions", bench.Strict, 1, "x", "Yes", "0 0 0 1", "0 0 1 0", omniscope.Abstained, "empty captions"},
		{"empty captions, official", bench.Official, 1, "x", "Yes", "1 0 0 0", "0 0 1 0", omniscope.Abstained, "no answer"},
		{"no captions", bench.Strict, 3, "x", "Yes", "0 1 0 0", "0 0 0 1", omniscope.Missing, "video without captions"},
		{"official asks once", bench.Official, 0, "x", "Perhaps.", "0 2 0 0", "0 0 0 2", omniscope.Unparsed, "no usable reply"},
		{"official, no visible character", bench.Official, 0, "x", " \u200b ", "0 2 0 0", "0 0 0 2", omniscope.Unparsed, "no usable reply"},
		{"official, an answer without a word", bench.Official, 0, "...", "Yes", "2 0 0 0", "0 0 0 2", omniscope.Unparsed, "no usable reply"},
	} {
		t.Run(c.name, func(t *testing.T) {
			data := captionstest.File(t, "web.json", strings.Replace(m3Data, "\n}", `,`+"\n"+`"v4": {"qa_list": [{"question": "?", "answer": "!", "question_id": "v4_Q1"}]}}`, 1))
			in := captionstest.Inputs(data, captionstest.File(t, "c.jsonl", m3Captions), func(step string, attempt int, _ string) string {
				switch {
				case !strings.HasSuffix(step, "/judge"):
					return c.answer
				case attempt > 1 && c.verdict != "":
					return "No"
				}
				return c.verdict
			}, c.scoring, 2)
			r := captionstest.One(t, M3Bench(), in, c.video)
			scored{c.official, c.strict, c.outcome, c.differs}.check(t, r, "overall", func(k metric.Counts) string {
				return fmt.Sprintf("%g %g %g %g", k[0], k[1], k[2], k[3])
			})
		})
	}
}

func TestPassagesM3(t *testing.T) {
	long := strings.Repeat("A man walks along the road. ", 100)
	parts := passages("One.\n\n\n\n" + long + "\n\n" + strings.Repeat("山", 1200))
	if parts[0] != "One." || len(parts) < 5 {
		t.Errorf("%d passages, the first %q", len(parts), parts[0])
	}
	for _, p := range parts[1:] {
		if len(p) > longestPassage+3 || strings.HasPrefix(p, "A man") && !strings.HasSuffix(p, "road.") || !strings.HasPrefix(p, "A man") && strings.Trim(p, "山") != "" {
			t.Errorf("a passage of %d bytes: %.40q … %q", len(p), p, p[max(0, len(p)-20):])
		}
	}
	if joined := strings.Join(parts[1:len(parts)-3], " "); !strings.HasPrefix(long, joined[:200]) {
		t.Errorf("the parts begin with %q", joined[:200])
	}
}

// TestReleasedFileM3 answers every question as the file does, but for those about persons.
func TestReleasedFileM3(t *testing.T) {
	data := golden.Path(t, "bench", "m3-bench", "web.json")
	var released map[string]struct {
		List []struct {
			Type []string
		} `json:"qa_list"`
	}
	text, err := os.ReadFile(data)
	if err == nil {
		err = json.Unmarshal(text, &released)
	}
	fixture.OK(t, err)
	persons, all := make(map[string]bool), 0
	var file strings.Builder
	for video, v := range released {
		fmt.Fprintf(&file, `{"video_id": %q, "caption": "x"}`+"\n", video)
		for i, q := range v.List {
			all++
			s := video
			if i > 0 {
				s += fmt.Sprint("/q", i+1)
			}
			persons[s+"/judge"] = slices.Contains(q.Type, "Person Understanding")
		}
	}
	r := captionstest.Score(t, M3Bench(), captionstest.Inputs(data, captionstest.File(t, "c.jsonl", file.String()), func(step string, _ int, _ string) string {
		return map[bool]string{true: "No", false: "Yes"}[persons[step]]
	}, bench.Strict, 1))
	groups := make(map[string]string)
	for _, s := range r.Scorings[bench.Strict].Slices {
		groups[s.Group] = fmt.Sprint(s.Counts["correct"]+s.Counts["wrong"], s.Counts["wrong"])
	}
	for group, want := range map[string]string{"": "3214 1301", "Person Understanding": "1301 1301", "General Knowledge Extraction": "972 ", "Multi-Evidence Reasoning": "968 ", "Multi-Hop Reasoning": "457 ", "Cross-Modal Reasoning": "424 "} {
		if !strings.HasPrefix(groups[group], want) {
			t.Errorf("%q: %s questions, wrong ones; want %s", group, groups[group], want)
		}
	}
	if len(released) != 920 || all != 3214 || len(r.Warnings) > 0 {
		t.Errorf("%d videos, %d questions, warnings %q", len(released), all, r.Warnings)
	}
}

func TestVerdictsAmongMarksM3(t *testing.T) {
	for reply, want := range map[string]omniscope.Verdict{
		"Yes":                           omniscope.Correct,
		"Yes<|im_end|>":                 omniscope.Correct,
		"<think>no</think>Yes":          omniscope.Correct,
		"<analysis>No</analysis>\nYes.": omniscope.Correct,
		"No</s>":                        omniscope.Wrong,
		"<|channel|>analysis<|message|>Yes<|end|><|start|>assistant<|channel|>final<|message|>No<|return|>": omniscope.Wrong,
		"<think>No, or yes":           omniscope.Unjudged,
		"'Yes'":                       omniscope.Correct,
		"**No**":                      omniscope.Wrong,
		"The answer is yes":           omniscope.Correct,
		"Output ('Yes' or 'No'): Yes": omniscope.Correct,
		"Output ('Yes' or 'No'):":     omniscope.Unjudged,
		"Yes or No":                   omniscope.Unjudged,
		"Not yes":                     omniscope.Unjudged,
		`{"answer": "Yes"}`:           omniscope.Correct,
		`{"verdict": "No", "reason": "the answer does not say yes"}`: omniscope.Wrong,
		`{"verdict": "Yes", "reason": "No"}`:                         omniscope.Unjudged,
		"Yes, the answer is wrong.":                                  omniscope.Unjudged,
		"Yes. It cannot be inferred.":                                omniscope.Unjudged,
		"No, the answer is correct.":                                 omniscope.Unjudged,
		"No, the answer is incorrect.":                               omniscope.Wrong,
		"No, it cannot be inferred.":                                 omniscope.Wrong,
	} {
		if got, err := readM3Verdict(reply); got != want || (err != nil) != (want == omniscope.Unjudged) {
			t.Errorf("%q is %v, %v; want %v", reply, got, err, want)
		}
	}
}
