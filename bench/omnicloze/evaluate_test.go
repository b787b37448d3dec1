package omnicloze

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/runtest"
	"omniscope/model"
	"omniscope/model/judge"
	"omniscope/model/scripted"
	"omniscope/model/wrap"
	"omniscope/run"
	"omniscope/run/local"
)

// A script holds the replies to each step, by attempt.
type script = map[string][]scripted.Reply

// A listener is a model that notes what it is asked.
type listener struct {
	model.Model
	mu    sync.Mutex
	heard []*model.Request
}

func (l *listener) Generate(ctx context.Context, req *model.Request) (*model.Response, error) {
	l.mu.Lock()
	l.heard = append(l.heard, req)
	l.mu.Unlock()
	return l.Model.Generate(ctx, req)
}

// follows makes a judge that follows a script and asks at most twice, and the
// listener that hears what it is asked.
func follows(replies script) (*judge.Judge, *listener) {
	stack := wrap.Stack(scripted.New(replies), wrap.Options{Name: "scripted/test", Source: "script", Once: &run.Once{Journal: runtest.NewMemory()}})
	l := &listener{Model: stack}
	return &judge.Judge{Name: "scripted/test", Model: l, Request: "test", Attempts: 2}, l
}

// A line is one line of blanks.jsonl.
type line struct {
	UUID        string `json:"uuid"`
	Number      int    `json:"number"`
	Modality    string `json:"modality"`
	Category    string `json:"category"`
	Subcategory string `json:"subcategory"`
	AnswerKey   string `json:"answer_key"`
	Judged      string `json:"judged"`
	JudgeText   string `json:"judge_text"`
	Strict      string `json:"strict"`
	Official    string `json:"official"`
	Outcome     string `json:"outcome"`
}

func linesOf(t *testing.T, r *bench.Result) (lines []line) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(string(r.Records[0])))
	d.DisallowUnknownFields()
	for d.More() {
		var l line
		fixture.OK(t, d.Decode(&l))
		lines = append(lines, l)
	}
	return lines
}

// verdicts joins what became of the blanks.
func verdicts(t *testing.T, r *bench.Result) (official, strict string) {
	var o, s []string
	for _, l := range linesOf(t, r) {
		o, s = append(o, l.Official), append(s, l.Strict)
	}
	return strings.Join(o, " "), strings.Join(s, " ")
}

func names(diffs []bench.UnitDifference) string {
	var out []string
	for _, d := range diffs {
		out = append(out, d.What)
	}
	return strings.Join(out, "; ")
}

func evaluated(t *testing.T, e *evaluation, i int) *bench.Result {
	t.Helper()
	r, err := e.Evaluate(t.Context(), i)
	fixture.OK(t, err)
	return r
}

const (
	right    = `{"1": "A: red", "2": "B: honks"}`
	twice    = `{"1": "C: green", "2": "E: not given", "1": "A: red"}`
	unjudged = "unjudged unjudged"
	given    = "correct correct"
	none     = "not_given not_given"
)

func TestCaptionOutcomes(t *testing.T) {
	fails := scripted.Reply{Error: omniscope.Transient}
	refuses := scripted.Reply{Refusal: "I'd rather not."}
	say := func(text string) scripted.Reply { return scripted.Reply{Text: text} }
	for _, c := range []struct {
		name             string
		replies          []scripted.Reply
		outcome          omniscope.Outcome
		official, strict string
		difference       string
		asked            int
	}{
		{"a good reply", []scripted.Reply{say(right)}, omniscope.OK, given, given, "", 1},
		{"a wrong letter and one not given", []scripted.Reply{say(`{"1": "C: green", "2": "E: not given"}`)}, omniscope.OK, "wrong not_given", "wrong not_given", "", 1},
		{"a good reply in a fence", []scripted.Reply{say("```json\n" + right + "\n```")}, omniscope.OK, none, given, "reply not in the published form, but clear", 1},
		{"repaired", []scripted.Reply{say("A and B"), say(right)}, omniscope.OK, none, given, "first reply unusable, asked again", 2},
		{"repaired with a fence", []scripted.Reply{say("A and B"), say("```\n" + right + "\n```")}, omniscope.OK, none, given, "first reply unusable, asked again", 2},
		{"never usable", []scripted.Reply{say("A and B"), say("{}")}, omniscope.Unparsed, none, unjudged, "no usable reply", 2},
		{"an empty reply", []scripted.Reply{say(""), say("")}, omniscope.Unparsed, none, unjudged, "no usable reply", 2},
		{"refused", []scripted.Reply{refuses, refuses}, omniscope.Refused, none, unjudged, "no usable reply", 2},
		{"refused at first", []scripted.Reply{refuses, say(right)}, omniscope.OK, none, given, "first reply unusable, asked again", 2},
		{"filtered", []scripted.Reply{{Finish: model.ContentFilter}, {Finish: model.ContentFilter}}, omniscope.Refused, none, unjudged, "no usable reply", 2},
		{"declined by a filter before any answer", []scripted.Reply{{Error: omniscope.Declined}}, omniscope.Refused, unjudged, unjudged, "", 1},
		{"cut off", []scripted.Reply{{Text: right[:20], Finish: model.Length}, {Text: right[:20], Finish: model.Length}}, omniscope.Truncated, none, unjudged, "no usable reply", 2},
		{"whole, though the limit was reached", []scripted.Reply{{Text: right, Finish: model.Length}}, omniscope.OK, given, given, "", 1},
		{"failed", []scripted.Reply{fails, fails}, omniscope.Failed, unjudged, unjudged, "", 2},
		{"failed at first", []scripted.Reply{fails, say(right)}, omniscope.OK, unjudged, given, "first call failed, asked again", 2},
		{"failed, then unusable", []scripted.Reply{fails, say("no")}, omniscope.Unparsed, unjudged, unjudged, "", 2},
		{"unusable, then failed", []scripted.Reply{say("no"), fails}, omniscope.Failed, none, unjudged, "no usable reply", 2},
		{"given up", nil, omniscope.Failed, unjudged, unjudged, "", 1},
		{"outside the protocol", []scripted.Reply{{Error: omniscope.Malformed}}, omniscope.Unparsed, unjudged, unjudged, "", 1},
		{"not a valid request", []scripted.Reply{{Error: omniscope.Invalid}}, omniscope.Failed, unjudged, unjudged, "", 1},
		{"a blank answered twice", []scripted.Reply{say(twice), say(twice)}, omniscope.Unparsed, "correct not_given", unjudged, "blank answered twice, no usable reply", 2},
		{"a blank answered twice, then once", []scripted.Reply{say(twice), say(right)}, omniscope.OK, "correct not_given", given, "blank answered twice, asked again", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			j, l := follows(script{"7": c.replies})
			e := opened(t, bench.Inputs{Predictions: fixture.File(t, "rows.jsonl", jsonl(aRow(7, nil))), Judge: j, Scoring: bench.Strict})
			r := evaluated(t, e, 0)
			official, strict := verdicts(t, r)
			if r.Outcome != c.outcome || official != c.official || strict != c.strict {
				t.Errorf("%v: official %s, strict %s; want %v: %s, %s", r.Outcome, official, strict, c.outcome, c.official, c.strict)
			}
			if names(r.Differences) != c.difference || len(l.heard) != c.asked {
				t.Errorf("differences %q after %d calls, want %q after %d", names(r.Differences), len(l.heard), c.difference, c.asked)
			}
			if failed := c.outcome != omniscope.OK; failed != (len(r.Warnings) == 1) || failed && !strings.HasPrefix(r.Warnings[0], "uuid 7: "+c.outcome.String()) {
				t.Errorf("warnings %q", r.Warnings)
			}
			if forced, all := r.Tallies[bench.Official][0].Counts[4], c.official == none; forced > 0 != all {
				t.Errorf("%v blanks were forced", forced)
			}
		})
	}
}

func TestMissingAndEmptyCaptions(t *testing.T) {
	const lost, blank = "sample without a caption", "empty caption"
	for _, c := range []struct {
		name             string
		scoring          bench.Scoring
		caption          any
		reply            string
		asked            int
		outcome          omniscope.Outcome
		official, strict string
		difference       string
	}{
		{"strict does not ask about an absent one", bench.Strict, nil, right, 0, omniscope.Missing, unjudged, unjudged, lost},
		{"nor about null", bench.Strict, null, right, 0, omniscope.Missing, unjudged, unjudged, lost},
		{"and knows what an empty one says", bench.Strict, "", right, 0, omniscope.Abstained, unjudged, none, blank},
		{"a blank one is a caption", bench.Strict, " ", right, 1, omniscope.OK, given, given, ""},
		{"official asks about an absent one", bench.Official, nil, right, 1, omniscope.Missing, given, unjudged, lost},
		{"and about an empty one", bench.Official, "", right, 1, omniscope.Abstained, given, none, blank},
		{"and reads an unusable reply as not given", bench.Official, nil, "no", 2, omniscope.Missing, none, unjudged, lost},
		{"of an empty one, too", bench.Official, "", "no", 2, omniscope.Abstained, none, none, blank},
	} {
		t.Run(c.name, func(t *testing.T) {
			j, l := follows(script{"7": {{Text: c.reply}, {Text: c.reply}}})
			path := fixture.File(t, "rows.jsonl", jsonl(aRow(7, object{"predicted_caption": c.caption}), aRow(8, nil)))
			e := opened(t, bench.Inputs{Predictions: path, Judge: j, Scoring: c.scoring})
			r := evaluated(t, e, 0)
			official, strict := verdicts(t, r)
			if r.Outcome != c.outcome || official != c.official || strict != c.strict || len(l.heard) != c.asked {
				t.Errorf("%v after %d calls: official %s, strict %s", r.Outcome, len(l.heard), official, strict)
			}
			if names(r.Differences) != c.difference {
				t.Errorf("differences %q, want %q", names(r.Differences), c.difference)
			}
			if requests, err := e.Requests(0); err != nil || len(requests) != min(c.asked, 1) {
				t.Errorf("%d requests foretold (%v), %d made", len(requests), err, c.asked)
			}
			if c.asked > 0 && c.caption != " " && !strings.HasSuffix(textOf(l.heard[0]), "**Caption:**\n\n\n\n**Output:**\n") {
				t.Errorf("asked %q", textOf(l.heard[0]))
			}
		})
	}
}

func TestBlanksExcludedByStrict(t *testing.T) {
	blanks := []any{aBlank(1, nil), aBlank(2, object{"answer_key": ""}), aBlank(3, object{"answer_key": "E"}), aBlank(4, object{"options": nil, "answer": nil})}
	j, _ := follows(script{"7": {{Text: `{"1": "A: red", "2": "A:", "3": "E:", "4": "C:"}`}}})
	e := opened(t, bench.Inputs{Predictions: fixture.File(t, "rows.jsonl", jsonl(aRow(7, object{"cloze": aCloze(object{"blanks": blanks})}))), Judge: j})
	r := evaluated(t, e, 0)
	official, strict := verdicts(t, r)
	if official != "correct unjudged correct wrong" || strict != "correct unjudged unjudged unjudged" {
		t.Errorf("official %s, strict %s", official, strict)
	}
	if len(r.Differences) != 1 || r.Differences[0].Items != 3 || len(r.Warnings) != 3 || !strings.HasPrefix(r.Warnings[0], "uuid 7, blank 2 is not scored: ") {
		t.Errorf("differences %v, warnings %q", r.Differences, r.Warnings)
	}
}

func TestUnknownCategories(t *testing.T) {
	j, _ := follows(script{"7": {{Text: `{"1": "A: red"}`}}})
	row := aRow(7, object{"metadata": nil, "video_path": nil, "cloze": aCloze(object{"blanks": []any{aBlank(1, object{"required_modality": nil})}})})
	r := evaluated(t, opened(t, bench.Inputs{Predictions: fixture.File(t, "rows.jsonl", jsonl(row)), Judge: j}), 0)
	var slices []string
	for _, tally := range r.Tallies[bench.Official] {
		slices = append(slices, tally.Dimension+":"+tally.Group)
	}
	if got := strings.Join(slices, " "); got != "overall: modality:unknown category:unknown subcategory:unknown" || r.Cluster != "7" {
		t.Errorf("cluster %q, slices %s", r.Cluster, got)
	}
}

func TestResultLineFields(t *testing.T) {
	j, _ := follows(script{"a\"b": {{Text: `{"1": "A: r\u00e9d\n\u2028", "2": "E: not given"}`}}})
	e := opened(t, bench.Inputs{Predictions: fixture.File(t, "rows.jsonl", jsonl(aRow("a\"b", nil))), Judge: j})
	got := linesOf(t, evaluated(t, e, 0))
	want := []line{
		{`a"b`, 1, "visual", "Sports", "Bowling", "A", "A", "A: réd\n\u2028", "correct", "correct", "ok"},
		{`a"b`, 2, "audio", "Sports", "Bowling", "B", "E", "E: not given", "not_given", "not_given", "ok"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

// What a forecast counts is what is asked, word by word.
func TestRequestsMatchEvaluate(t *testing.T) {
	j, l := follows(script{"7": {{Text: "no"}, {Text: right}}})
	e := opened(t, bench.Inputs{Predictions: fixture.File(t, "rows.jsonl", jsonl(aRow(7, nil))), Judge: j})
	foretold, err := e.Requests(0)
	if err != nil || len(foretold) != 1 || len(l.heard) != 0 {
		t.Fatalf("%d requests, %d calls, %v", len(foretold), len(l.heard), err)
	}
	evaluated(t, e, 0)
	if got, want := fixture.JSON(foretold[0]), fixture.JSON(l.heard[0]); got != want {
		t.Errorf("foretold %s\nasked %s", got, want)
	}
	if l.heard[0].Step != "7" || l.heard[0].Schema != nil || l.heard[1].Attempt != 2 {
		t.Errorf("asked %+v, then %+v", l.heard[0], l.heard[1])
	}
	if schema := string(l.heard[1].Schema.JSON); !strings.Contains(schema, `"required":["1","2"]`) || !json.Valid([]byte(schema)) {
		t.Errorf("schema %s", schema)
	}
}

func textOf(r *model.Request) string { return r.Messages[len(r.Messages)-1].Parts[0].Text }

// scored judges rows 1, 2, ... with a script and returns the results.
func scored(t *testing.T, scoring bench.Scoring, replies script, rows ...any) *document.Results {
	t.Helper()
	j, _ := follows(replies)
	e := opened(t, bench.Inputs{Predictions: fixture.File(t, "rows.jsonl", jsonl(rows...)), Judge: j, Scoring: scoring})
	r, err := bench.Score(t.Context(), Benchmark{}, e, scoring, bench.Options{Engine: &local.Engine{Workers: 3}})
	fixture.OK(t, err)
	return r
}

func TestNoScoreWithoutJudgements(t *testing.T) {
	fails, no := []scripted.Reply{{Error: omniscope.Transient}, {Error: omniscope.Transient}}, []scripted.Reply{{Text: "no"}, {Text: "no"}}
	for _, c := range []struct {
		name    string
		scoring bench.Scoring
		replies []scripted.Reply
		want    document.Status
	}{
		{"every call failed, official", bench.Official, fails, document.NoScore},
		{"every call failed, strict", bench.Strict, fails, document.NoScore},
		{"every reply unusable, official", bench.Official, no, document.Scored},
		{"every reply unusable, strict", bench.Strict, no, document.NoScore},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := scored(t, c.scoring, script{"1": c.replies, "2": c.replies}, aRow(1, nil), aRow(2, nil))
			score := r.Headline.Scores["accuracy"]
			if r.Status != c.want || (score.Value != nil) != (c.want == document.Scored) {
				t.Errorf("%s, accuracy %+v", r.Status, score)
			}
			if score.Unscored != 4 || score.Bounds == nil || score.Bounds.Low != 0 || score.Bounds.High != 1 {
				t.Errorf("nothing is known, but unscored is %d and bounds are %+v", score.Unscored, score.Bounds)
			}
		})
	}
}

func TestDifferences(t *testing.T) {
	said := func(uuid int) any { // equal questions would be one call
		return aRow(uuid, object{"predicted_caption": strconv.Itoa(uuid) + " cars"})
	}
	r := scored(t, bench.Strict, script{
		"1": {{Text: right}}, "2": {{Text: "no"}, {Text: right}}, "3": {{Text: "no"}, {Text: right}}, "4": {{Text: "```" + right + "```"}},
		"5": {{Error: omniscope.Transient}, {Text: right}}, "6": {{Text: "no"}, {Text: "no"}},
	}, said(1), said(2), said(3), said(4), said(5), said(6),
		aRow(7, object{"predicted_caption": ""}), aRow(8, object{"predicted_caption": null}))
	var got []string
	for _, d := range r.Differences {
		got = append(got, strings.Join([]string{d.What, strings.Repeat("s", d.Samples), strings.Repeat("i", d.Items)}, " "))
	}
	want := []string{
		"empty caption s ii", "first call failed, asked again s ii", "first reply unusable, asked again ss iiii",
		"no usable reply s ii", "reply not in the published form, but clear s ii", "sample without a caption s ii",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	if outcomes := fixture.JSON(r.Outcomes); outcomes != `{"abstained":1,"missing":1,"ok":5,"unparsed":1}` {
		t.Errorf("outcomes %s", outcomes)
	}
}
