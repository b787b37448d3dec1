package omnicloze

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/model"
	"omniscope/model/judge"
	"omniscope/model/judge/baseline"
)

// An evaluation is one set of captions opened for scoring.
type evaluation struct {
	in     bench.Inputs
	judge  *judge.Judge // nil = the offline reader
	prompt *judge.Prompt
	system *judge.Prompt
	data   *data
	plan   *bench.Plan

	patterns patterns
}

func (e *evaluation) Plan() *bench.Plan { return e.plan }

func (e *evaluation) Close() error { return e.data.Close() }

// Requests implements bench.Evaluation: one call for each caption there is.
func (e *evaluation) Requests(i int) ([]*model.Request, error) {
	p := parsers.Get().(*parser)
	defer parsers.Put(p)
	it, caption, err := e.data.load(p, i)
	if err != nil || e.judge == nil || !e.asks(caption) {
		return nil, err
	}
	q := e.question(p, it, caption)
	return []*model.Request{q.First(e.judge)}, nil
}

// asks reports whether the judge is asked about a caption. The released scorer
// asks about every caption; strict does not ask about absent and empty ones.
func (e *evaluation) asks(caption *string) bool {
	return e.in.Scoring == bench.Official || caption != nil && *caption != ""
}

// Evaluate implements bench.Evaluation.
func (e *evaluation) Evaluate(ctx context.Context, i int) (*bench.Result, error) {
	u, question, err := e.prepare(i)
	if err != nil {
		return nil, err
	}
	defer u.release()
	if question != nil {
		answer, err := judge.Ask(ctx, e.judge, *question)
		if err != nil {
			return nil, err
		}
		u.recordAnswer(answer)
		e.patterns.add(i, u.readable())
	}
	u.computeVerdicts()
	line, err := e.caseLine(i, u)
	if err != nil {
		return nil, err
	}
	return u.result(line), nil
}

// prepare reads unit i and keeps only what is needed after the call, because
// thousands of calls can wait at once. question is nil if no call is needed.
func (e *evaluation) prepare(i int) (u *unit, question *judge.Question[reply], err error) {
	p := parsers.Get().(*parser)
	defer parsers.Put(p)
	it, caption, err := e.data.load(p, i)
	if err != nil {
		return nil, nil, err
	}
	u = newUnit(it, caption)
	switch {
	case e.judge == nil:
		u.readOffline(it, caption)
	case e.asks(caption):
		q := e.question(p, it, caption)
		q.Read = func(text string) (reply, error) { return e.read(u, i, text) }
		return u, &q, nil
	default:
		u.unasked = true
	}
	return u, nil, nil
}

func (e *evaluation) question(p *parser, it *item, caption *string) judge.Question[reply] {
	text := ""
	if caption != nil {
		text = *caption
	}
	n := len(it.blanks)
	p.text = it.appendText(p.text[:0])
	return judge.Question[reply]{
		Step: it.uuid,
		Messages: []model.Message{
			model.Text(model.System, e.system.Text),
			model.Text(model.User, e.prompt.Fill("number", strconv.Itoa(n), "modality", e.in.Modality,
				"cloze", string(p.text), "prediction", text)),
		},
		Schema: func() *model.Schema { return schema(n) },
	}
}

// schema is the wanted form of a reply to n blanks, in the order of the passage: servers that hold a model to
// a grammar have it write the properties in this order, and accept only patterns with ^ and $.
func schema(n int) *model.Schema {
	var properties, required strings.Builder
	for i := range n {
		if i > 0 {
			properties.WriteByte(',')
			required.WriteByte(',')
		}
		fmt.Fprintf(&properties, `"%d":{"type":"string","pattern":"^[A-E]: .*$"}`, i+1)
		fmt.Fprintf(&required, `"%d"`, i+1)
	}
	return &model.Schema{Name: "cloze", JSON: fmt.Appendf(nil, `{"type":"object","properties":{%s},"required":[%s],"additionalProperties":false}`, properties.String(), required.String())}
}

// read reads a reply to unit i as the scoring of the run does, and keeps what strict reads.
func (e *evaluation) read(u *unit, i int, text string) (reply, error) {
	if e.in.Scoring == bench.Official { // asks once: a further reply is one of --ask-failed, and counts instead
		u.answered, u.contradicts, u.strict = false, false, nil
	}
	r, err := e.readClear(u, i, text)
	if err == nil {
		u.strict = r
	}
	switch {
	case e.in.Scoring == bench.Strict:
		return r, err
	case u.officialOK:
		return nil, nil
	case err == nil:
		err = errors.New("it is not in the published form")
	}
	return nil, err
}

// readClear reads a reply with letters and words that agree. The row is read again: see prepare.
func (e *evaluation) readClear(u *unit, i int, text string) (reply, error) {
	first := !u.answered
	r, err := u.read(text)
	if err != nil {
		return nil, err
	}
	it, _, err := u.load(e.data, i)
	if err != nil {
		return nil, err // Evaluate meets it, too
	}
	for k := range r {
		if err := r[k].contradiction(it.blanks[k].options()); err != nil {
			u.contradicts = u.contradicts || first
			u.release() // the judge is asked again
			return nil, fmt.Errorf("the value of \"%d\": %w", k+1, err)
		}
	}
	return r, nil
}

// load reads the row of the unit and its caption, once until release.
func (u *unit) load(d *data, i int) (*item, *string, error) {
	if u.parser != nil {
		return u.item, u.text, nil
	}
	u.parser = parsers.Get().(*parser)
	var err error
	if u.item, u.text, err = d.load(u.parser, i); err != nil {
		u.release()
	}
	return u.item, u.text, err
}

// release forgets the row.
func (u *unit) release() {
	if u.parser != nil {
		parsers.Put(u.parser)
		u.parser, u.item, u.text = nil, nil, nil
	}
}

// read reads the form of a reply as strict does. It also reads the first reply as official does.
func (u *unit) read(text string) (reply, error) {
	n := len(u.blanks)
	if u.answered {
		return readStrict(text, n)
	}
	var once bool
	u.answered = true
	if u.official, once, u.officialOK = readWhole(text, n); u.officialOK && once {
		return u.official, nil
	}
	return readStrict(text, n)
}

// recordAnswer stores the judge's answer for both scorings.
func (u *unit) recordAnswer(answer judge.Answer[reply]) {
	u.attempts = len(answer.Attempts)
	first, last := answer.Attempts[0], answer.Attempts[u.attempts-1]
	if first.Response == nil {
		u.answered, u.officialOK = false, false // official asks once; later replies count for strict only
	}
	u.outcome = answer.Outcome
	switch answer.Outcome {
	case omniscope.OK:
	case omniscope.Pending: // the results say of how many samples
	default:
		u.warnings = append(u.warnings, fmt.Sprintf("uuid %s: %s, asked %s: %v", u.uuid, u.outcome, times(u.attempts), last.Err))
	}
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// readOffline fills the blanks without a model. It is a baseline: its scores do not compare with published ones.
func (u *unit) readOffline(it *item, caption *string) {
	text := ""
	if caption != nil {
		text = *caption
	}
	blanks := make([]baseline.Blank, len(it.blanks))
	for i := range it.blanks {
		blanks[i] = baseline.Blank{Number: it.blanks[i].number, Options: it.blanks[i].options()}
	}
	r := make(reply, len(blanks))
	for i, c := range baseline.Read(it.passage(), blanks, text) {
		r[i] = choice{letter: c.Letter[0], text: c.Quote}
	}
	u.outcome, u.answered, u.officialOK = omniscope.OK, true, true
	u.official, u.strict = r, r
}
