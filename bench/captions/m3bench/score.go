package m3bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/captions"
	"omniscope/bench/document"
	"omniscope/internal/parallel"
	"omniscope/metric"
	"omniscope/model"
	"omniscope/model/judge"
	"omniscope/model/marks"
)

func step(c *captions.Clip[[]judgedQuestion], i int) string {
	if i == 0 {
		return c.ID
	}
	return fmt.Sprintf("%s/q%d", c.ID, i+1)
}

// asked reports whether questions are asked about captions.
func asked(a *captions.Asking, caption *string) bool {
	return caption != nil && (*caption != "" || a.Bare || a.Scoring == bench.Official)
}

// dense reports whether a video's captions are searched by vectors.
func (b *benchmark) dense(a *captions.Asking, caption string) bool {
	return len(caption) > b.limit && a.Roles[embedder] != nil
}

func answerMessages(a *captions.Asking, q *judgedQuestion, memory string) []model.Message {
	if a.Bare {
		return a.Messages("", "bare.txt", "question", q.Text)
	}
	return a.Messages("", "answer.txt", "memory", memory, "question", q.Text)
}

func judgeMessages(a *captions.Asking, q *judgedQuestion, answer string) []model.Message {
	return a.Messages("", "judge.txt", "question", q.Text, "ground_truth_answer", q.Answer, "agent_answer", answer)
}

func (b *benchmark) first(a *captions.Asking, c *captions.Clip[[]judgedQuestion], caption *string) (out []*model.Request) {
	if !asked(a, caption) {
		return nil
	}
	m := b.newMemory(*caption)
	if b.dense(a, *caption) {
		return embedRequests(a, c, m)
	}
	for i := range c.Facts {
		q := &c.Facts[i]
		out = append(out, captions.Request(a.Role(answerer), step(c, i), answerMessages(a, q, b.best(m, m.byWords(q.Text))), nil))
	}
	return out
}

// firstRole is the embedder where captions are searched by meaning, else the answerer.
func (b *benchmark) firstRole(a *captions.Asking, caption *string) string {
	if caption != nil && b.dense(a, *caption) {
		return embedder
	}
	return answerer
}

// embedRequests ask for the vectors of the passages and the questions.
func embedRequests(a *captions.Asking, c *captions.Clip[[]judgedQuestion], m *memory) (out []*model.Request) {
	request := func(step, text string) {
		r := captions.Request(a.Roles[embedder], step, []model.Message{model.Text(model.User, text)}, nil)
		r.Embed = true
		out = append(out, r)
	}
	for i, passage := range m.passages {
		request(passageStep(c.ID, i), passage)
	}
	for i := range c.Facts {
		request(step(c, i)+"/embed", c.Facts[i].Text)
	}
	return out
}

func (b *benchmark) bound(a *captions.Asking, c *captions.Clip[[]judgedQuestion], caption *string) bench.Bound {
	if !asked(a, caption) {
		return bench.Bound{}
	}
	const words = 1000 // of a later asking
	size := 0
	for i := range c.Facts {
		size = max(size, captions.Size(judgeMessages(a, &c.Facts[i], ""))+words+a.Judge.Params.MaxTokens)
	}
	verdicts := bench.Further{Questions: len(c.Facts), Bytes: size, Replies: 1, Quoted: a.Role(answerer).Params.MaxTokens, MaxTokens: a.Judge.Params.MaxTokens, Sure: true}
	out := bench.Bound{Further: a.Verdicts(a.Role(answerer), verdicts)}
	if b.dense(a, *caption) {
		memory := b.top*longest + captions.Size(answerMessages(a, &c.Facts[0], ""))
		out.Further = append(out.Further, bench.Further{Role: answerer, Questions: len(c.Facts), Bytes: memory, MaxTokens: a.Role(answerer).Params.MaxTokens, Sure: true})
	}
	return out
}

// An item is what became of a question.
type item struct {
	answer           string
	official, strict omniscope.Verdict
	outcome          omniscope.Outcome
	why              error
	asked            bool
}

// score has all questions answered from the captions, and the answers judged.
func (b *benchmark) score(ctx context.Context, a *captions.Asking, c *captions.Clip[[]judgedQuestion], caption *string) (*captions.Result, error) {
	items := make([]item, len(c.Facts))
	out := &captions.Result{Outcome: omniscope.OK}
	switch {
	case asked(a, caption):
		if err := b.askAll(ctx, a, c, *caption, items); err != nil {
			return nil, err
		}
		for i, it := range items {
			out.Outcome = captions.Worst(out.Outcome, it.outcome)
			if it.outcome != omniscope.OK && it.outcome != omniscope.Pending {
				out.Warn("video %s, question %d: %s: %v", c.ID, i+1, it.outcome, it.why)
			}
		}
	case caption == nil:
		out.Outcome = omniscope.Missing
		for i := range items {
			items[i].official = omniscope.Wrong
		}
	}
	if caption != nil && *caption == "" && !a.Bare {
		out.Outcome = omniscope.Abstained
		for i := range items {
			items[i].strict = omniscope.NotGiven
		}
	}
	differences(out, caption, items)
	finish(out, c, items)
	return out, nil
}

func (b *benchmark) askAll(ctx context.Context, a *captions.Asking, c *captions.Clip[[]judgedQuestion], caption string, items []item) error {
	m := b.newMemory(caption)
	if b.dense(a, caption) {
		outcome, why, err := m.embed(ctx, a.Roles[embedder], c.ID)
		if err != nil {
			return err
		}
		if outcome != omniscope.OK {
			for i := range items {
				items[i].outcome, items[i].why, items[i].official = outcome, why, omniscope.Wrong
			}
			return nil
		}
	}
	return parallel.Calls(atOnce, len(items), func(i int) error {
		items[i].asked = true
		memory, err := b.recall(ctx, a, m, step(c, i), &c.Facts[i], &items[i])
		if err == nil && items[i].outcome == omniscope.OK {
			err = ask(ctx, a, step(c, i), &c.Facts[i], memory, &items[i])
		}
		if o := items[i].outcome; o != omniscope.OK && o != omniscope.Pending && items[i].official == omniscope.Unjudged {
			items[i].official = omniscope.Wrong
		}
		return err
	})
}

// recall is the memory that a question is given.
func (b *benchmark) recall(ctx context.Context, a *captions.Asking, m *memory, step string, q *judgedQuestion, it *item) (string, error) {
	it.outcome = omniscope.OK
	if m.vectors == nil {
		return b.best(m, m.byWords(q.Text)), nil
	}
	v, outcome, why, err := vector(ctx, a.Roles[embedder], step+"/embed", q.Text)
	if it.outcome, it.why = outcome, why; err != nil || outcome != omniscope.OK {
		return "", err
	}
	return b.best(m, m.byMeaning(v)), nil
}

// ask has a question answered, and the answer judged. A blank answer is wrong in official scoring, without asking the judge. Where
// the first answer is of no use and a later one is, each is judged: the first for official scoring, the later one for strict.
func ask(ctx context.Context, a *captions.Asking, step string, q *judgedQuestion, memory string, it *item) error {
	answer, err := a.Answer(ctx, a.Role(answerer), step, answerMessages(a, q, memory))
	if err != nil {
		return err
	}
	it.outcome, it.why, it.answer = answer.Outcome, answer.Why, strings.TrimSpace(answer.Text)
	if first, ok := answer.FirstText(); !ok {
		if it.outcome != omniscope.Pending {
			it.official = omniscope.Wrong
		}
	} else {
		only := *it // a verdict on an answer of no use counts in official scoring only
		if err := askJudge(ctx, a, step+"/judge", q, strings.TrimSpace(first), &only); err != nil {
			return err
		}
		it.official = only.official
		if it.outcome == omniscope.OK && !answer.Again {
			*it = only
		}
	}
	if !answer.Again {
		return nil
	}
	later := *it
	err = askJudge(ctx, a, step+"/judge2", q, it.answer, &later)
	it.strict, it.outcome, it.why = later.strict, later.outcome, later.why
	return err
}

// askJudge has an answer judged.
func askJudge(ctx context.Context, a *captions.Asking, step string, q *judgedQuestion, answer string, it *item) error {
	question := judge.Question[omniscope.Verdict]{Step: step, Messages: judgeMessages(a, q, answer), Read: read, Whole: a.Scoring == bench.Strict}
	if a.Judge.Schema {
		question.Schema = schema
	}
	var unread error
	if a.Scoring == bench.Official { // any reply counts, and is not asked for again
		question.Repeat = true
		question.Read = func(reply string) (omniscope.Verdict, error) {
			if it.strict, unread = read(reply); unread != nil && saysVerdict.MatchString(reply) {
				unread = nil // it makes two statements, and the published program takes one
			}
			return published(reply), nil
		}
	}
	verdict, err := judge.Ask(ctx, a.Judge, question)
	if err != nil {
		return err
	}
	it.outcome, it.why = verdict.Outcome, captions.Why(verdict)
	if first := verdict.First(); first != nil {
		it.official = published(first.Text)
	}
	if a.Scoring == bench.Strict {
		it.strict = verdict.Value
		return nil
	}
	if it.outcome, it.why = captions.CheckReply(verdict); it.outcome != omniscope.OK {
		it.strict = omniscope.Unjudged
	} else if unread != nil {
		it.outcome, it.why = omniscope.Unparsed, unread
	}
	return nil
}

// saysVerdict finds a verdict anywhere in a reply.
var saysVerdict = regexp.MustCompile(`(?i)\b(yes|no)\b`)

func schema() *model.Schema {
	return &model.Schema{Name: "verdict", JSON: json.RawMessage(`{"type": "object", "properties": {"verdict": {"type": "string", "enum": ["Yes", "No"]}}, "required": ["verdict"], "additionalProperties": false}`)}
}

// published is the published program's reading of a verdict: yes anywhere is yes.
func published(reply string) omniscope.Verdict {
	if strings.Contains(strings.ToLower(reply), "yes") {
		return omniscope.Correct
	}
	return omniscope.Wrong
}

// read reads a verdict soundly: the word that the reply consists of, or begins or ends with, without
// a train of thought and special tokens; of a JSON object the word that is a value. A reply that has both in these
// places, denies the word, or says the opposite of the answer is not clear.
func read(reply string) (omniscope.Verdict, error) {
	text, ok := marks.AfterThought(marks.FirstTurn(reply))
	if !ok {
		return omniscope.Unjudged, errors.New("it ends before its answer")
	}
	text = strings.ToLower(marks.WithoutTokens(text))
	found := make(map[string]bool)
	if fields, err := judge.Object(text); err == nil {
		for _, v := range fields {
			found[strings.Trim(v.Str, " .!'\"")] = true
		}
	} else {
		words := strings.FieldsFunc(choices.ReplaceAllString(text, " "), func(r rune) bool { return !('a' <= r && r <= 'z') })
		for i, w := range words {
			if i == 0 || i == len(words)-1 && words[i-1] != "not" {
				found[w] = true
			}
		}
	}
	agrees, denies := answerRight.MatchString(text), answerWrong.MatchString(text)
	switch {
	case found["yes"] == found["no"]:
		return omniscope.Unjudged, errors.New(`it is neither "Yes" nor "No"`)
	case found["yes"] && denies && !agrees || found["no"] && agrees && !denies:
		return omniscope.Unjudged, errors.New("its word and its reason contradict")
	case found["yes"]:
		return omniscope.Correct, nil
	}
	return omniscope.Wrong, nil
}

var (
	choices     = regexp.MustCompile(`['"*]*yes['"*]*\s*(?:or|/)\s*['"*]*no\b['"*]*`) // copied from the prompt
	answerRight = regexp.MustCompile(`\banswer is (?:correct|right|true)\b`)
	answerWrong = regexp.MustCompile(`\banswer is (?:wrong|incorrect|false|not (?:correct|right|true))\b|\bcannot be (?:\w+ )?(?:inferred|derived)\b`)
)

// differences lists what the scorings treat differently.
func differences(out *captions.Result, caption *string, items []item) {
	n := make(map[string]int)
	for _, it := range items {
		switch {
		case it.official == it.strict:
		case caption == nil:
			n["video without captions"]++
		case *caption == "" && !it.asked:
			n["empty captions"]++
		case it.strict == omniscope.NotGiven:
			n["no answer"]++
		case it.strict == omniscope.Unjudged:
			n["no usable reply"]++
		default:
			n["verdict read otherwise"]++
		}
	}
	out.Differ("video without captions", n["video without captions"], "its questions are wrong", "left unjudged")
	out.Differ("empty captions", n["empty captions"], "asks all the same: run with --profile official to have it asked", "no answer, without asking")
	out.Differ("no answer", n["no answer"], "wrong", "no answer, which is not right either")
	out.Differ("no usable reply", n["no usable reply"], "wrong, unless it has a yes", "left unjudged")
	out.Differ("verdict read otherwise", n["verdict read otherwise"], "yes anywhere is yes", "the word that it begins or ends with")
}

// finish counts the questions, the whole and by their types, of which one may have several.
func finish(out *captions.Result, c *captions.Clip[[]judgedQuestion], items []item) {
	right, judged := 0, 0
	for _, p := range []bench.Scoring{bench.Official, bench.Strict} {
		out.Counts[p] = make(metric.Counts, len(metric.OpenAnswers.Fields))
		parts := make(map[string]metric.Counts)
		var order []string
		for i, it := range items {
			v := it.strict
			if p == bench.Official {
				v = it.official
			}
			metric.CountOpen(out.Counts[p], v)
			for _, t := range c.Facts[i].Types {
				if parts[t] == nil {
					parts[t] = make(metric.Counts, len(metric.OpenAnswers.Fields))
					order = append(order, t)
				}
				metric.CountOpen(parts[t], v)
			}
		}
		for _, t := range order {
			out.Parts[p] = append(out.Parts[p], bench.Tally{Dimension: "type", Group: t, Counts: parts[t]})
		}
	}
	for _, it := range items {
		if it.strict != omniscope.Unjudged {
			judged++
		}
		if it.strict == omniscope.Correct {
			right++
		}
	}
	if judged > 0 {
		share := float64(right) / float64(judged)
		out.Good = &share
	}
	records(out, c, items)
}

// A record is a video's line of clips.jsonl.
type record struct {
	Clip      string            `json:"clip"`
	Outcome   omniscope.Outcome `json:"outcome"`
	Questions []questionRecord  `json:"questions"`
}

type questionRecord struct {
	ID       string            `json:"id"`
	Question string            `json:"question"`
	Right    string            `json:"right"`
	Answer   string            `json:"answer"`
	Official string            `json:"official"`
	Strict   string            `json:"strict"`
	Outcome  omniscope.Outcome `json:"outcome"`
}

var tones = map[omniscope.Verdict]document.Tone{omniscope.Correct: document.Good, omniscope.Wrong: document.Bad, omniscope.NotGiven: document.Mild, omniscope.Unjudged: document.Dim}

func records(out *captions.Result, c *captions.Clip[[]judgedQuestion], items []item) {
	line := record{Clip: c.ID, Outcome: out.Outcome}
	table := document.Section{Title: "Questions", Columns: []string{"question", "right answer", "answer from the captions", "verdict"}}
	for i, it := range items {
		q := &c.Facts[i]
		line.Questions = append(line.Questions, questionRecord{q.ID, q.Text, q.Answer, it.answer, it.official.String(), it.strict.String(), it.outcome})
		out.Verdicts = append(out.Verdicts, bench.ItemVerdict{Item: q.ID, Verdict: it.strict})
		table.Rows = append(table.Rows, [][]document.Piece{{{Text: q.Text}}, {{Text: q.Answer}}, {{Text: it.answer}}, {{Text: it.strict.String(), Tone: tones[it.strict]}}})
	}
	out.Record, out.Sections = line, []document.Section{table}
}
