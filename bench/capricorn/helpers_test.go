package capricorn

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/testing/fixture"
	"omniscope/metric"
	"omniscope/model"
	"omniscope/model/judge"
)

// pairs is JSON to be put together in any order.
type pairs = map[string]any

// lists are the events of a video by class.
type lists = map[string][]string

const (
	evts  = "main_sbj_evts"
	ints  = "main_sbj_ints"
	bg    = "bg_desc"
	trans = "trans_desc"
	minor = "minor_evts"
)

// aRow is a row of the annotations. Classes that are not given are empty; a nil
// duration is left out.
func aRow(id string, duration any, events lists) pairs {
	all := lists{}
	for _, c := range classes {
		all[c.key] = append([]string{}, events[c.key]...)
	}
	row := pairs{"video_id": id, "events": all}
	if duration != nil {
		row["duration"] = duration
	}
	return row
}

func aCaption(id string, caption any) pairs { return pairs{"video_id": id, "caption": caption} }

// jsonl writes rows, which may be text as well, one to a line.
func jsonl(rows ...any) string {
	var b strings.Builder
	for _, row := range rows {
		text, isText := row.(string)
		if !isText {
			text = jsonText(row)
		}
		b.WriteString(text + "\n")
	}
	return b.String()
}

// inputs are annotations and captions, for a judge.
func inputs(t testing.TB, scoring bench.Scoring, m model.Model, annotations, captions string) bench.Inputs {
	t.Helper()
	in := bench.Inputs{Data: fixture.File(t, "annotations.jsonl", annotations), Predictions: fixture.File(t, "captions.jsonl", captions), Scoring: scoring, Allow: true}
	if m != nil {
		in.Judge = &judge.Judge{Name: "fake", Request: "fake", Model: m, Attempts: 5}
	}
	return in
}

func opened(t testing.TB, b Benchmark, in bench.Inputs) *evaluation {
	t.Helper()
	ev, err := b.Open(t.Context(), in)
	fixture.OK(t, err)
	t.Cleanup(func() { ev.Close() })
	return ev.(*evaluation)
}

func evaluated(t testing.TB, e *evaluation, i int) *bench.Result {
	t.Helper()
	r, err := e.Evaluate(t.Context(), i)
	fixture.OK(t, err)
	return r
}

// A fake is a judge that goes by the last word of an event: right, wrong, and
// anything else is not mentioned. It describes <x> as "the x", and puts all
// descriptions into one category. What it says to a step otherwise is in says,
// by attempt; nil is a call that fails.
type fake struct {
	says map[string][]any

	mu    sync.Mutex
	asked []string // the steps of all calls
}

func (f *fake) Generate(ctx context.Context, req *model.Request) (*model.Response, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f.mu.Lock()
	f.asked = append(f.asked, req.Step)
	f.mu.Unlock()
	text := ""
	if replies, ok := f.says[req.Step]; ok {
		if req.Attempt > len(replies) {
			return nil, &omniscope.Error{Kind: omniscope.Exhausted, Err: fmt.Errorf("%s: no reply to attempt %d", req.Step, req.Attempt)}
		}
		switch reply := replies[req.Attempt-1].(type) {
		case nil:
			return nil, &omniscope.Error{Kind: omniscope.Transient, Err: errors.New("it fails")}
		case *model.Response:
			return reply, nil
		case error:
			return nil, reply
		case string:
			text = reply
		}
	} else {
		text = byRule(req)
	}
	return &model.Response{Text: text, Finish: model.Stop, Model: "fake", Tries: 1}, nil
}

// calls are the steps that were asked, sorted, and forgets them.
func (f *fake) calls() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	asked := f.asked
	f.asked = nil
	slices.Sort(asked)
	return strings.Join(asked, "\n")
}

func byRule(req *model.Request) string {
	_, call, _ := strings.Cut(req.Step, "/")
	kind, text, _ := strings.Cut(call, "|")
	prompt := req.Messages[0].Parts[0].Text
	switch kind {
	case "cluster":
		_, after, _ := strings.Cut(prompt, "as a JSON list:\n")
		list, _, _ := strings.Cut(after, "\n")
		return `{"category_1": ` + list + `}`
	case "batch":
		return jsonText(batchByRule(prompt))
	}
	return jsonText(eventByRule(text, kind == "subject"))
}

func eventByRule(text string, ofSubjects bool) pairs {
	reply := pairs{typeKey: verdictIn(text), reasonKey: "because"}
	if ofSubjects {
		descriptions := pairs{}
		for _, s := range subjectsOf(text) {
			descriptions[s] = nil
			if reply[typeKey] != "not mentioned" {
				descriptions[s] = "the " + strings.Trim(s, "<>")
			}
		}
		reply[descriptionsKey] = descriptions
	}
	return reply
}

func verdictIn(text string) string {
	switch words := strings.Fields(text); words[len(words)-1] {
	case "right":
		return "correctly mentioned"
	case "wrong":
		return "mentioned but with errors"
	}
	return "not mentioned"
}

func batchByRule(prompt string) pairs {
	reply := pairs{}
	list, _, _ := strings.Cut(prompt, "Caption:")
	for line := range strings.Lines(list) {
		number, text, ok := strings.Cut(strings.TrimSpace(line), ". ")
		if !ok || strings.Trim(number, "0123456789") != "" {
			continue
		}
		text, _, ofSubjects := strings.Cut(text, " (subjects: ")
		reply[number] = eventByRule(text, ofSubjects)
	}
	return reply
}

// judged is a reply about an event; descriptions go by subject and text, "-"
// for null.
func judged(verdict string, descriptions ...string) string {
	reply := pairs{typeKey: verdict, reasonKey: "because"}
	if len(descriptions) > 0 {
		of := pairs{}
		for i := 0; i < len(descriptions); i += 2 {
			of[descriptions[i]] = nil
			if descriptions[i+1] != "-" {
				of[descriptions[i]] = descriptions[i+1]
			}
		}
		reply[descriptionsKey] = of
	}
	return jsonText(reply)
}

// summary returns the scores of a unit in percent, – for no score,
// and behind each what could not be scored and the bounds.
func summary(c metric.Counts) string {
	var out []string
	for _, s := range metric.Keypoints.Scores {
		text := s.Name + " –"
		if v, ok := s.Value(c); ok {
			text = fmt.Sprintf("%s %.3g", s.Name, 100*v)
		}
		if n := s.Unscored(c); n > 0 {
			low, high, _ := s.Bounds(c)
			text += fmt.Sprintf(" (%d unscored, %.3g–%.3g)", n, 100*low, 100*high)
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

func overall(r *bench.Result, p bench.Scoring) metric.Counts {
	for _, tally := range r.Tallies[p] {
		if tally.Dimension == "overall" {
			return tally.Counts
		}
	}
	return nil
}

// groupsOf are the groups of a dimension that a unit counts in.
func groupsOf(r *bench.Result, p bench.Scoring, dimension string) string {
	var out []string
	for _, tally := range r.Tallies[p] {
		if tally.Dimension == dimension {
			out = append(out, tally.Group)
		}
	}
	return strings.Join(out, " ")
}

// differences are those of a unit, with how many items each is about.
func differences(diffs []bench.UnitDifference) string {
	var out []string
	for _, d := range diffs {
		out = append(out, fmt.Sprintf("%d %s", d.Items, d.What))
	}
	slices.Sort(out)
	return strings.Join(out, "; ")
}

func recordsOf[T any](t *testing.T, text []byte) (out []T) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.DisallowUnknownFields()
	for d.More() {
		var one T
		fixture.OK(t, d.Decode(&one))
		out = append(out, one)
	}
	return out
}

// UnmarshalJSON reads what MarshalJSON wrote, for tests that read files again.
func (d *description) UnmarshalJSON(text []byte) error {
	if text[0] != '"' {
		*d = description{text: string(text), json: true}
		return nil
	}
	return json.Unmarshal(text, &d.text)
}
