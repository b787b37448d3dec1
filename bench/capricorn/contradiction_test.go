package capricorn

import (
	"fmt"
	"strings"
	"testing"

	"omniscope/bench"
)

// TestContradictingReasons compares a verdict with its reason and descriptions.
func TestContradictingReasons(t *testing.T) {
	ev := event{text: "<a> runs", class: 0, subjects: []string{"<a>"}}
	for _, c := range []struct {
		name, verdict, reason, description string
		says                               string // part of the contradiction; "" = clear
	}{
		{"a reason", "correctly mentioned", "The caption says that the man runs.", "the man", ""},
		{"no reason", "correctly mentioned", "", "the man", ""},
		{"a part that is not mentioned", "correctly mentioned", "The caption does not mention the time of day.", "the man", ""},
		{"a part that is not mentioned, in time", "mentioned but with errors", "The event is not described in the right order.", "the man", ""},
		{"a remark after a denial", "mentioned but with errors", "It does not mention it directly, but the man moves fast.", "the man", ""},
		{"the verdict as its reason", "not mentioned", "Not mentioned.", "-", ""},
		{"a denial of a verdict that denies", "not mentioned", "The caption does not mention it.", "-", ""},
		{"the caption mentions something else", "not mentioned", "The caption mentions a dog.", "-", ""},

		{"the name of another verdict", "correctly mentioned", "not mentioned", "the man", `the reason "not mentioned"`},
		{"the name of another verdict, in capitals", "not mentioned", "Correctly mentioned.", "-", "the reason"},
		{"a denial", "correctly mentioned", "The caption does not mention the event.", "the man", "the reason"},
		{"a short denial", "mentioned but with errors", "Not mentioned in the caption", "the man", "the reason"},
		{"a denial with it", "correctly mentioned", "The caption doesn't describe this event at all.", "the man", "the reason"},
		{"a confirmation", "not mentioned", "The caption clearly mentions the event.", "-", "the reason"},
		{"the reason of the format", "correctly mentioned", "one sentence", "the man", "placeholder"},
		{"dots for a reason", "correctly mentioned", "...", "the man", "placeholder"},
		{"words for null", "correctly mentioned", "He runs.", "not mentioned", "words for null"},
		{"null as a text", "correctly mentioned", "He runs.", "null", "words for null"},
		{"a choice of the format", "correctly mentioned", "He runs.", "description or null", "placeholder"},
		{"dots for a description", "correctly mentioned", "He runs.", "...", "placeholder"},
		{"an empty description", "correctly mentioned", "He runs.", "", ""},
		{"a description with such a word", "correctly mentioned", "He runs.", "a man with no description", ""},
		{"another alphabet", "correctly mentioned", "他在跑。", "那个男人", ""},
		{"the description of the format", "correctly mentioned", "He runs.", "description", "placeholder"},
	} {
		descriptions := `{"<a>": null}`
		if c.description != "-" {
			descriptions = fmt.Sprintf(`{"<a>": %q}`, c.description)
		}
		j, err := readEvent(fmt.Sprintf(`{"event_type": %q, "reason": %q, "subject_description_in_caption": %s}`, c.verdict, c.reason, descriptions), ev)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if err := j.contradiction(); (err != nil) != (c.says != "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", c.name, err, c.says)
		}
	}
}

// The published scorer reads one part of these replies.
func TestReplyWithTwoVerdicts(t *testing.T) {
	const good = `{"event_type": "correctly mentioned", "reason": "It rains."}`
	for reply, says := range map[string]string{
		good:                         "",
		"```json\n" + good + "\n```": "",
		"<think>hm</think>" + good:   "",
		`{"event_type": "correctly mentioned", ` + good[1:]: "",
		`{"event_type": "not mentioned", ` + good[1:]:       "as well",
		"<think>perhaps " + good:                            withinThought,
	} {
		j, err := readEvent(reply, event{text: "It rains", class: 2})
		if err != nil {
			t.Fatalf("%s: %v", reply, err)
		}
		if err := j.contradiction(); (err != nil) != (says != "") || err != nil && !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", reply, err, says)
		}
	}
}

// TestContradictingJudgements scores replies that contradict themselves: official scoring counts them, strict
// asks again.
func TestContradictingJudgements(t *testing.T) {
	wrong := func(verdict string) string { return `{"event_type": "` + verdict + `", "reason": "one sentence"}` }
	const clear = `{"event_type": "not mentioned", "reason": "It never rains."}`
	for _, c := range []struct {
		name             string
		scoring          bench.Scoring
		replies          []any
		official, strict string
		calls            int // about the event
	}{
		{"strict asks again", bench.Strict, []any{wrong("correctly mentioned"), clear}, "acc 100, cov 100, ref –", "acc 50, cov 50, ref –", 2},
		{"strict, to the end", bench.Strict, []any{wrong("correctly mentioned"), wrong("correctly mentioned"), wrong("not mentioned"), wrong("correctly mentioned"), wrong("correctly mentioned")},
			"acc 100, cov 100, ref –", "acc 100 (1 unscored, 50–100), cov 100 (1 unscored, 50–100), ref –", 5},
		{"official takes the first", bench.Official, []any{wrong("correctly mentioned"), clear}, "acc 100, cov 100, ref –", "acc 100 (1 unscored, 50–100), cov 100 (1 unscored, 50–100), ref –", 1},
		{"unreadable before", bench.Strict, []any{"no", wrong("correctly mentioned"), clear}, "acc 100, cov 100, ref –", "acc 50, cov 50, ref –", 3},
	} {
		for _, batched := range []bool{false, true} {
			if batched && c.scoring == bench.Official {
				continue // official asks about one keypoint at a time
			}
			f := &fake{says: map[string][]any{"v/other|rain": c.replies}}
			b := Benchmark{Batched: batched}
			if batched {
				var replies []any
				for _, r := range c.replies {
					second := r.(string)
					if second == "no" {
						second = "{}"
					}
					replies = append(replies, `{"1": {"event_type": "correctly mentioned", "reason": "because"}, "2": `+second+`}`)
				}
				f.says = map[string][]any{"v/batch": replies}
			}
			annotations := jsonl(aRow("v", 10, lists{bg: {"wind right", "rain"}}))
			r := evaluated(t, opened(t, b, inputs(t, c.scoring, f, annotations, jsonl(aCaption("v", "Wind.")))), 0)
			if official, strict := summary(overall(r, bench.Official)), summary(overall(r, bench.Strict)); official != c.official || strict != c.strict {
				t.Errorf("%s, batched %v: official %s, want %s; strict %s, want %s", c.name, batched, official, c.official, strict, c.strict)
			}
			if d := differences(r.Differences); !strings.Contains(d, "1 judgements that contradict themselves") {
				t.Errorf("%s, batched %v: %s", c.name, batched, d)
			}
			if n := strings.Count(f.calls(), "rain"); !batched && n != c.calls {
				t.Errorf("%s: %d calls, want %d", c.name, n, c.calls)
			}
		}
	}
}
