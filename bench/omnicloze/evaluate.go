package omnicloze

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"omniscope"
	"omniscope/bench"
	"omniscope/judge"
	"omniscope/judge/lexical"
	"omniscope/model"
)

// An evaluation is one set of captions opened for scoring.
type evaluation struct {
	in     bench.Inputs
	judge  *judge.Judge // nil = the lexical reader
	prompt *judge.Prompt
	system *judge.Prompt
	data   *data
	plan   *bench.Plan
}

func (e *evaluation) Plan() *bench.Plan { return e.plan }

func (e *evaluation) Close() error { return e.data.Close() }

// Requests implements bench.Evaluation: one call for each caption there is.
func (e *evaluation) Requests(i int) ([]*model.Request, error) {
	it, caption, err := e.data.load(i)
	if err != nil || e.judge == nil || !e.asks(caption) {
		return nil, err
	}
	return []*model.Request{{Step: it.uuid, Attempt: 1, Model: e.judge.Request, Params: e.judge.Params,
		Messages: e.question(it, caption).Messages}}, nil
}

// asks reports whether the judge is asked about a caption. The released scorer
// asks about any, absent and empty ones too; strict knows what those say.
func (e *evaluation) asks(caption *string) bool {
	return e.in.Profile == bench.Official || caption != nil && *caption != ""
}

// Evaluate implements bench.Evaluation.
func (e *evaluation) Evaluate(ctx context.Context, i int) (*bench.Result, error) {
	it, caption, err := e.data.load(i)
	if err != nil {
		return nil, err
	}
	u := &unit{item: it, caption: caption}
	switch {
	case e.judge == nil:
		u.readOffline()
	case e.asks(caption):
		answer, err := judge.Ask(ctx, e.judge, e.question(it, caption))
		if err != nil {
			return nil, err
		}
		u.take(answer)
	default:
		u.unasked = true
	}
	u.settle()
	return u.result(), nil
}

func (e *evaluation) question(it *item, caption *string) judge.Question[reply] {
	text := ""
	if caption != nil {
		text = *caption
	}
	n := len(it.blanks)
	return judge.Question[reply]{
		Step: it.uuid,
		Messages: []model.Message{
			model.Text(model.System, e.system.Text),
			model.Text(model.User, e.prompt.Fill("number", strconv.Itoa(n), "modality", e.in.Modality,
				"cloze", it.text(), "prediction", text)),
		},
		Schema: schema(n),
		Read:   func(text string) (reply, error) { return readStrict(text, n) },
	}
}

// schema is the wanted form of a reply to n blanks.
func schema(n int) *model.Schema {
	properties := make(map[string]any, n)
	required := make([]string, n)
	for i := range n {
		required[i] = strconv.Itoa(i + 1)
		properties[required[i]] = map[string]any{"type": "string", "pattern": "^[A-E]: "}
	}
	text, err := json.Marshal(map[string]any{"type": "object", "properties": properties,
		"required": required, "additionalProperties": false})
	if err != nil {
		panic(err) // a map of strings always encodes
	}
	return &model.Schema{Name: "cloze", JSON: text}
}

// take notes what the judge answered, for either profile.
func (u *unit) take(answer judge.Answer[reply]) {
	u.attempts = len(answer.Attempts)
	first, last := answer.Attempts[0], answer.Attempts[u.attempts-1]
	u.outcome, u.failure = answer.Outcome, last.Err
	if first.Response != nil {
		u.answered = true
		u.official, u.officialOK = readOfficial(first.Response.Text, len(u.item.blanks))
	}
	if answer.Outcome == omniscope.OK {
		u.strict = answer.Value
	}
	if last.Response != nil && len(last.Response.Conceded) > 0 {
		u.warnings = append(u.warnings, fmt.Sprintf("the endpoint does not take %v; calls went without", last.Response.Conceded))
	}
}

// readOffline lets the lexical reader fill the blanks.
func (u *unit) readOffline() {
	caption := ""
	if u.caption != nil {
		caption = *u.caption
	}
	blanks := make([]lexical.Blank, len(u.item.blanks))
	for i, b := range u.item.blanks {
		blanks[i] = lexical.Blank{Number: b.number, Options: b.options}
	}
	r := make(reply, len(blanks))
	for i, c := range lexical.Read(u.item.passage, blanks, caption) {
		r[i] = choice{letter: c.Letter[0], text: c.Quote}
	}
	u.outcome, u.answered, u.officialOK = omniscope.OK, true, true
	u.official, u.strict = r, r
}
