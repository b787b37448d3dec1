package choice

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/metric"
	"omniscope/model"
	"omniscope/model/judge"
	"omniscope/model/judge/letters"
)

// An evaluation is answers or captions of one system, opened for scoring.
type evaluation struct {
	*protocol
	in             bench.Inputs
	questions      []question
	all            []question      // of the file
	byRow          bool            // answers go by question.Row
	texts          *bench.TextFile // nil = the model answers blind
	system, prompt *judge.Prompt
	plan           *bench.Plan
	made           *os.File // rows of answers that were made of a result file; nil = the predictions are rows
	shuffle        int
	circular, any  bool
	clusters       bench.Clusters
	repeats        map[string]*repeat // by question: of rows that contradict it, or have its options in another order
	unread         unreadAnswers
}

func (e *evaluation) Plan() *bench.Plan { return e.plan }

// Close closes the files.
func (e *evaluation) Close() error {
	if e.texts == nil {
		return nil
	}
	err := e.texts.Lines.Close()
	if e.made != nil {
		err = errors.Join(err, e.made.Close())
	}
	return err
}

// cascade reports whether a model answers from captions.
func (e *evaluation) cascade() bool { return e.in.Judge != nil }

// blind reports whether a model answers without captions.
func (e *evaluation) blind() bool { return e.cascade() && e.in.Predictions == bench.NoPredictions }

// A pick is what an answer says.
type pick struct {
	text   string // the answer itself
	option int    // -1 = none
	why    letters.Why
	hollow bool // its words do not fit its letter, or it names several options
}

// declines reports whether an answer says that it cannot be told.
func (p pick) declines() bool { return p.why == letters.Abstains || p.why == letters.Empty }

// Requests implements bench.Evaluation.
func (e *evaluation) Requests(i int) ([]*model.Request, error) {
	q := &e.questions[i]
	caption, err := e.caption(q)
	if err != nil || !e.cascade() || caption == nil || *caption == "" && !e.blind() {
		return nil, err
	}
	var requests []*model.Request
	for turn, order := range e.orders(q) {
		asked := e.asking(q, order, *caption, q.step(turn))
		requests = append(requests, asked.First(e.in.Judge))
	}
	return requests, nil
}

// caption is what is known of a question's recording: its caption, or the answer itself.
func (e *evaluation) caption(q *question) (*string, error) {
	if e.blind() {
		return new(string), nil
	}
	text, err := e.texts.Get(e.names(q)...)
	if r := e.repeats[q.ID]; r != nil && text != nil {
		return r.answer(*text, q), err
	}
	return text, err
}

// step is the step key of a question, in the order of one turn.
func (q *question) step(turn int) string {
	if turn == 0 {
		return q.ID
	}
	return fmt.Sprintf("%s/turn%d", q.ID, turn+1)
}

func (e *evaluation) messages(q *question, order []int, caption string) (m []model.Message) {
	if e.system != nil {
		m = append(m, model.Text(model.System, e.system.Text))
	}
	return append(m, model.Text(model.User, e.prompt.Fill("caption", caption, "question", q.Text, "options", lettered(q.inOrder(order)))))
}

// asking is a question to the model that answers, without a reader.
func (e *evaluation) asking(q *question, order []int, caption, step string) judge.Question[pick] {
	return judge.Question[pick]{Step: step, Messages: e.messages(q, order, caption), Whole: true,
		Schema: func() *model.Schema { return schema(len(q.Options)) }}
}

// Evaluate implements bench.Evaluation.
func (e *evaluation) Evaluate(ctx context.Context, i int) (*bench.Result, error) {
	u := &unit{q: &e.questions[i], protocol: e.protocol, cascade: e.cascade()}
	u.cluster = e.clusters.Of(u.q.Clip[0])
	var err error
	if u.given, err = e.caption(u.q); err != nil {
		return nil, err
	}
	switch {
	case u.given == nil:
		u.outcome = omniscope.Missing
	case !u.cascade:
		u.direct(*u.given, e.in.Form)
	case *u.given == "" && !e.blind():
		u.outcome, u.strict, u.official = omniscope.Abstained, omniscope.NotGiven, omniscope.Wrong
	default:
		if err := e.ask(ctx, u); err != nil {
			return nil, err
		}
	}
	if u.outcome == omniscope.Missing {
		u.official = e.Lacking
		if r := e.repeats[u.q.ID]; r != nil {
			u.why = letters.Why(r.why())
		}
	}
	e.unread.add(i, u)
	return u.result()
}

// direct reads a model's own answer.
func (u *unit) direct(answer string, form bench.AnswerForm) {
	u.outcome, u.answer = omniscope.OK, answer
	u.official = u.Count(answer, u.q)
	option, why := readOption(answer, u.q.Options, form)
	u.read(pick{text: answer, option: option, why: why})
}

// readOption reads the option that a reply names. A reply that is one option in the form that was asked for is that option, also where
// its letter is the text of another one, as the chord C among A: C, B: F, C: G.
func readOption(reply string, options []string, form bench.AnswerForm) (option int, why letters.Why) {
	reply = strings.TrimSpace(reply)
	option = bench.AsShown(reply, options)
	switch form {
	case bench.Words:
		option = max(option, slices.Index(options, reply))
	case bench.Letters:
		option = max(option, letters.Index(reply, len(options)))
	}
	if option >= 0 {
		return option, ""
	}
	return letters.Read(reply, options)
}

// read is the verdict of strict scoring.
func (u *unit) read(p pick) {
	u.chosen, u.why = p.option, p.why
	switch {
	case p.option >= 0 && u.q.Options[p.option] == u.q.Options[u.q.Gold]:
		u.strict = omniscope.Correct
	case p.option >= 0:
		u.strict = omniscope.Wrong
	case p.declines():
		u.strict = omniscope.NotGiven
	default:
		u.unread = true
	}
}

// ask has the model answer from the caption, in each order of the options.
func (e *evaluation) ask(ctx context.Context, u *unit) error {
	for turn, order := range e.orders(u.q) {
		one := &unit{q: u.q, protocol: u.protocol, cluster: u.cluster, cascade: true, given: u.given}
		if err := e.askOnce(ctx, one, order, u.q.step(turn)); err != nil {
			return err
		}
		if turn == 0 {
			*u = *one
		} else {
			u.also(one)
		}
	}
	return nil
}

// also joins another asking of the same question: all have to be right.
func (u *unit) also(other *unit) {
	u.official = worse(u.official, other.official)
	u.warnings = append(u.warnings, other.warnings...)
	switch {
	case u.outcome != omniscope.OK:
	case other.outcome != omniscope.OK:
		u.outcome, u.strict = other.outcome, omniscope.Unjudged
	case worse(u.strict, other.strict) != u.strict:
		u.strict, u.chosen, u.why, u.answer, u.hollow = other.strict, other.chosen, other.why, other.answer, other.hollow
	}
}

// worse is the worse of two verdicts; what is not judged makes both so.
func worse(a, b omniscope.Verdict) omniscope.Verdict {
	for _, v := range []omniscope.Verdict{omniscope.Unjudged, omniscope.Wrong, omniscope.NotGiven} {
		if a == v || b == v {
			return v
		}
	}
	return a
}

// pickIn reads what a reply chooses of options that were shown in an order.
func (e *evaluation) pickIn(reply string, q *question, order []int) pick {
	form := bench.AnyForm
	if e.in.Prompts == nil { // the built-in prompts ask for a letter
		form = bench.Letters
	}
	option, why := readOption(reply, q.inOrder(order), form)
	if option >= 0 {
		option = order[option]
	}
	hollow := option >= 0 && letters.IsHollow(reply, q.Options[option]) || why == letters.Disagree || why == letters.Several
	return pick{text: reply, option: option, why: why, hollow: hollow}
}

// accept returns the reason to ask again for a reply; nil = it is an answer.
func (e *evaluation) accept(p pick) error {
	switch {
	case p.hollow && p.option >= 0 && e.in.Scoring == bench.Strict:
		return errors.New("its words do not fit its letter; give the letter of one option, or N/A")
	case p.hollow && e.in.Scoring == bench.Official:
		return judge.CheckAnswer(p.text)
	case p.option >= 0:
		return nil
	case p.declines():
		return judge.CheckAnswer(p.text)
	}
	return fmt.Errorf("it %s; give the letter of one option, or N/A", p.why)
}

// askOnce has the model answer with the options in one order. A reply that is empty, cut off or refused is a failure of that model,
// not an abstention: strict scoring asks again and leaves the question unjudged in the end.
func (e *evaluation) askOnce(ctx context.Context, u *unit, order []int, step string) error {
	q := e.asking(u.q, order, *u.given, step)
	q.Read = func(reply string) (pick, error) {
		p := e.pickIn(reply, u.q, order)
		return p, e.accept(p)
	}
	answer, err := judge.Ask(ctx, e.in.Judge, q)
	if err != nil {
		return err
	}
	u.outcome, u.official = answer.Outcome, u.Lacking
	if first := answer.First(); first != nil {
		u.official = u.published(e.pickIn(first.Text, u.q, order))
	}
	switch {
	case answer.Outcome == omniscope.OK && answer.Value.hollow: // only official counts it
		u.answer, u.hollow = answer.Value.text, true
	case answer.Outcome == omniscope.OK:
		u.answer = answer.Value.text
		u.read(answer.Value)
	case answer.Outcome != omniscope.Pending:
		u.warnings = append(u.warnings, fmt.Sprintf("question %s: %s: %v", step, u.outcome, answer.Attempts[len(answer.Attempts)-1].Err))
	}
	return nil
}

// published is the published scorer's verdict on a model's first reply in a cascade: what
// it chooses is said as that scorer wants it, what abstains is wrong, and what cannot be
// read is left to that scorer.
func (u *unit) published(p pick) omniscope.Verdict {
	switch {
	case p.option >= 0:
		return u.Count(u.Say(u.q, p.option), u.q)
	case p.declines():
		return omniscope.Wrong
	}
	return u.Count(p.text, u.q)
}

// schema is the wanted form of an answer to a question of so many options.
func schema(options int) *model.Schema {
	names := []string{"N/A"}
	for i := range options {
		names = append(names, letters.Letter(i))
	}
	text, err := json.Marshal(map[string]any{"type": "object", "properties": map[string]any{"answer": map[string]any{"type": "string", "enum": names}},
		"required": []string{"answer"}, "additionalProperties": false})
	if err != nil {
		panic(err) // a map of strings always encodes
	}
	return &model.Schema{Name: "answer", JSON: text}
}

// Bound implements bench.Bounder: a later asking sends the reply back, says what is wrong
// with it, and gives the wanted form.
func (e *evaluation) Bound(i int) (bench.Bound, error) {
	const words = 1000
	return bench.Bound{RepairBytes: words + len(schema(len(e.questions[i].Options)).JSON)}, nil
}

// A unit is what became of a question.
type unit struct {
	*protocol
	q        *question
	cluster  string
	cascade  bool
	given    *string // caption, or answer
	answer   string
	chosen   int
	why      letters.Why
	unread   bool // there is an answer without an option
	hollow   bool // the answer's words do not fit its letter, and only official counts it
	outcome  omniscope.Outcome
	official omniscope.Verdict
	strict   omniscope.Verdict
	warnings []string
}

func (u *unit) result() (*bench.Result, error) {
	r := &bench.Result{Unit: u.q.ID, Cluster: u.cluster, Outcome: u.outcome, Warnings: u.warnings,
		Verdicts: []bench.ItemVerdict{{Item: "answer", Verdict: u.strict}}}
	for _, p := range []bench.Scoring{bench.Official, bench.Strict} {
		r.Tallies[p] = u.tallies(p)
	}
	if u.official != u.strict {
		r.Differences = []bench.UnitDifference{{What: u.difference(), Official: said(u.official), Strict: u.saidStrict(), Items: 1}}
	}
	return r, r.WriteRecords(u.record(), u.shown())
}

// tallies counts the question in all its groups.
func (u *unit) tallies(p bench.Scoring) (tallies []bench.Tally) {
	for _, tag := range append([]bench.Tag{{Dimension: "overall"}}, u.q.Tags...) {
		c := make(metric.Counts, len(metric.Choice.Fields))
		if p == bench.Official {
			metric.CountChoice(c, u.official, false)
		} else {
			metric.CountChoice(c, u.strict, u.unread)
		}
		tallies = append(tallies, bench.Tally{Dimension: tag.Dimension, Group: tag.Group, Counts: c})
	}
	return tallies
}

// difference says why the scorings differ.
func (u *unit) difference() string {
	switch {
	case u.given == nil:
		return "question without an answer"
	case u.outcome != omniscope.OK && u.outcome != omniscope.Abstained:
		return "no usable reply"
	case u.hollow:
		return "answer that contradicts itself"
	case u.why == letters.Empty:
		return "empty answer"
	case u.why != "":
		return "answer that " + string(u.why)
	}
	return "answer that the published reader reads otherwise"
}

func said(v omniscope.Verdict) string {
	if v == omniscope.Unjudged {
		return "left out"
	}
	return "counted as " + v.String()
}

func (u *unit) saidStrict() string {
	switch {
	case u.unread:
		return "counted as an answer without an option"
	case u.strict == omniscope.NotGiven:
		return "counted as abstained"
	case u.strict == omniscope.Unjudged:
		return "left unjudged"
	}
	return said(u.strict)
}
