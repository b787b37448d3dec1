package captions

import (
	"context"
	"errors"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/metric"
	"omniscope/model"
	"omniscope/model/judge"
)

// answerer is the role of the model that answers questions from captions.
const answerer = "answerer"

// atOnce is how many questions about one clip are asked at a time.
const atOnce = 8

// An asked is the outcome of a question that a model answers in free words, and of the verdict on its answer.
type asked struct {
	answer  string // the usable answer; "" = no usable answer
	outcome omniscope.Outcome
	why     error // the outcome is not OK
}

// note puts the outcome of a question into that of its clip.
func (r *result) note(c *clip, i int, it *asked) {
	r.Outcome = firstFailure(r.Outcome, it.outcome)
	if it.outcome != omniscope.OK && it.outcome != omniscope.Pending {
		r.warn("video %s, question %d: %s: %v", c.ID, i+1, it.outcome, it.why)
	}
}

// answer has a model answer a question in free words, and the answer judged. A reply that is empty, cut off or refused is a failure of
// that model: strict scoring asks again. Official scoring asks once, as the published programs do. Where the first answer is of no use
// and a later one is, each is judged: the first for official scoring, as the published program has it judged, the later one for strict.
// The first is not judged if it was refused, or is blank; blanks says that official scoring has blanks judged. judged has the
// first or a later answer judged under a step of its own; usable is whether strict scoring counts the verdict.
func (a *asking) answer(ctx context.Context, step string, messages []model.Message, blanks bool, it *asked, judged func(step, answer string, first, usable bool) error) error {
	j := *a.role(answerer)
	if a.scoring == bench.Official {
		j.Attempts = 1
	}
	answer, err := judge.Ask(ctx, &j, judge.Question[string]{Step: step, Messages: messages, Repeat: true, Whole: true,
		Read: func(reply string) (string, error) { return reply, judge.CheckAnswer(reply) }})
	if err != nil {
		return err
	}
	*it = asked{answer.Value, answer.Outcome, why(answer)}
	first, ok, again := answer.First(), answer.Outcome == omniscope.OK, false
	if ok {
		again = answer.Attempts[len(answer.Attempts)-1].Response != first
	} else {
		it.answer = ""
	}
	if first != nil && first.Outcome() != omniscope.Refused && (strings.TrimSpace(first.Text) != "" || blanks && a.scoring == bench.Official) {
		err = judged(step+"/judge", first.Text, true, ok && !again)
	}
	if err == nil && again {
		err = judged(step+"/judge2", answer.Value, false, true)
	}
	return err
}

// boundVerdicts bounds the verdicts on the answers to a clip's questions: one for each answer, and another one where the answer is
// asked for again. messages ask for the verdict on an answer; repaired is whether they may be asked again.
func (a *asking) boundVerdicts(c *clip, messages func(q *question, answer string) []model.Message, repaired bool) bench.Bound {
	most, j := 0, a.role(answerer)
	for i := range c.Questions {
		most = max(most, size(messages(&c.Questions[i], "")))
	}
	if repaired {
		most += repairWords + a.judge.Params.MaxTokens
	}
	verdicts := bench.Further{Questions: len(c.Questions), Bytes: most, Replies: 1, Quoted: j.Params.MaxTokens, MaxTokens: a.judge.Params.MaxTokens, Sure: true}
	b := bench.Bound{Further: []bench.Further{verdicts}}
	if a.scoring == bench.Strict && j.Attempts > 1 {
		verdicts.Sure = false
		b.Further = append(b.Further, verdicts)
	}
	return b
}

// checkReply returns the outcome of a judge's first reply: an empty, cut or refused reply is not a verdict, however the published
// reader reads it.
func checkReply[T any](a judge.Answer[T]) (omniscope.Outcome, error) {
	first := a.First()
	if first == nil || a.Outcome != omniscope.OK {
		return a.Outcome, why(a)
	}
	if outcome := first.Outcome(); outcome != omniscope.OK {
		return outcome, errors.New(first.Problem())
	}
	if err := judge.CheckAnswer(first.Text); err != nil {
		return omniscope.Unparsed, err
	}
	return omniscope.OK, nil
}

// numbers lists the numbers of all questions.
func (c *clip) numbers() (all []int) {
	for i := range c.Questions {
		all = append(all, i)
	}
	return all
}

// tally counts the questions of a clip: all of them, and each group. A question may be in several groups.
// count counts the questions with the given numbers.
func (r *result) tally(c *clip, dimension string, count func(p bench.Scoring, questions []int) metric.Counts) {
	var order []string
	groups := make(map[string][]int)
	for i, q := range c.Questions {
		for _, g := range q.Groups {
			if groups[g] == nil {
				order = append(order, g)
			}
			groups[g] = append(groups[g], i)
		}
	}
	all := c.numbers()
	for _, p := range scorings {
		r.Counts[p] = count(p, all)
		for _, g := range order {
			r.Parts[p] = append(r.Parts[p], bench.Tally{Dimension: dimension, Group: g, Counts: count(p, groups[g])})
		}
	}
}

// A questionRecord is a question in its clip's line of clips.jsonl.
type questionRecord struct {
	ID       *string           `json:"id,omitempty"`
	Question string            `json:"question"`
	Category string            `json:"category,omitempty"`
	Right    string            `json:"right"`
	Answer   string            `json:"answer"`
	Official any               `json:"official"`
	Strict   any               `json:"strict"`
	Outcome  omniscope.Outcome `json:"outcome"`
}

// recordQuestions writes the questions of a clip and their table. one fills in the answers and the last columns.
func (r *result) recordQuestions(c *clip, columns []string, one func(i int, line *questionRecord) (bench.ItemVerdict, [][]document.Piece)) {
	var lines []questionRecord
	table := document.Section{Title: "Questions", Columns: columns}
	for i, q := range c.Questions {
		line := questionRecord{Question: q.Text, Right: q.Answer}
		verdict, cells := one(i, &line)
		lines, r.Verdicts = append(lines, line), append(r.Verdicts, verdict)
		table.Rows = append(table.Rows, append([][]document.Piece{cell(q.Text, document.Plain), cell(q.Answer, document.Plain), cell(line.Answer, document.Plain)}, cells...))
	}
	r.Sections = []document.Section{table}
	r.Record = struct {
		record
		Questions []questionRecord `json:"questions"`
	}{record{c.ID, r.Outcome}, lines}
}
