package captions

import (
	"context"
	"errors"
	"regexp"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/internal/parallel"
	"omniscope/metric"
	"omniscope/model/judge"
	"omniscope/model/marks"
)

// An m3Item is the outcome of a question.
type m3Item struct {
	asked
	by [2]omniscope.Verdict // by scoring
}

// score has all questions answered from the captions, and the answers judged.
func (b *m3bench) score(ctx context.Context, a *asking, c *clip, caption *string, wanted bool, out *result) error {
	items := make([]m3Item, len(c.Questions))
	switch {
	case caption == nil:
		out.Outcome = omniscope.Missing
		for i := range items {
			items[i].by[bench.Official] = omniscope.Wrong
		}
	case wanted:
		if err := b.askAll(ctx, a, c, *caption, items); err != nil {
			return err
		}
		for i := range items {
			out.note(c, i, &items[i].asked)
		}
	}
	if caption != nil && *caption == "" && !a.bare {
		out.Outcome = omniscope.Abstained
		for i := range items {
			items[i].by[bench.Strict] = omniscope.NotGiven
		}
	}
	out.differBy(m3Ways, len(items), func(i int) string { return items[i].how(caption, wanted) })
	out.tally(c, "type", func(p bench.Scoring, questions []int) metric.Counts {
		counts := make(metric.Counts, len(metric.OpenAnswers.Fields))
		for _, i := range questions {
			metric.CountOpen(counts, items[i].by[p])
		}
		return counts
	})
	recordM3(out, c, items)
	return nil
}

func (b *m3bench) askAll(ctx context.Context, a *asking, c *clip, caption string, items []m3Item) error {
	m := b.newMemory(caption)
	if b.dense(a, caption) {
		embedded, err := m.embed(ctx, a.roles[embedder], c.ID)
		if err != nil {
			return err
		}
		if embedded.outcome != omniscope.OK {
			for i := range items {
				items[i].asked, items[i].by[bench.Official] = embedded, omniscope.Wrong
			}
			return nil
		}
	}
	return parallel.Calls(atOnce, len(items), func(i int) error {
		it := &items[i]
		memory, err := b.recall(ctx, a, m, c.step("q", i), &c.Questions[i], it)
		if err == nil && it.outcome == omniscope.OK {
			err = it.ask(ctx, a, c.step("q", i), &c.Questions[i], memory)
		}
		if it.outcome != omniscope.OK && it.outcome != omniscope.Pending && it.by[bench.Official] == omniscope.Unjudged {
			it.by[bench.Official] = omniscope.Wrong
		}
		return err
	})
}

// recall is the memory that a question is given.
func (b *m3bench) recall(ctx context.Context, a *asking, m *memory, step string, q *question, it *m3Item) (string, error) {
	it.outcome = omniscope.OK
	if m.vectors == nil {
		return b.best(m, m.byWords(q.Text)), nil
	}
	v, embedded, err := vector(ctx, a.roles[embedder], step+"/embed", q.Text)
	if it.asked = embedded; err != nil || it.outcome != omniscope.OK {
		return "", err
	}
	return b.best(m, m.byMeaning(v)), nil
}

// ask has a question answered, and the answer judged. A blank answer is wrong in official scoring, without asking the judge.
func (it *m3Item) ask(ctx context.Context, a *asking, step string, q *question, memory string) error {
	judged, later := false, false // the first answer, a later one
	err := a.answer(ctx, step, m3AnswerMessages(a, q, memory), false, &it.asked, func(step, answer string, first, usable bool) error {
		verdict := *it
		err := verdict.judge(ctx, a, step, q, strings.TrimSpace(answer))
		if later = !first; first {
			it.by[bench.Official], judged = verdict.by[bench.Official], true
		}
		if usable {
			it.by[bench.Strict], it.outcome, it.why = verdict.by[bench.Strict], verdict.outcome, verdict.why
		}
		return err
	})
	it.answer = strings.TrimSpace(it.answer)
	if !judged && (later || it.outcome != omniscope.Pending) {
		it.by[bench.Official] = omniscope.Wrong
	}
	return err
}

// judge has an answer judged.
func (it *m3Item) judge(ctx context.Context, a *asking, step string, q *question, answer string) error {
	question := judge.Question[omniscope.Verdict]{Step: step, Messages: m3JudgeMessages(a, q, answer), Read: readM3Verdict, Whole: a.scoring == bench.Strict}
	if a.judge.Schema {
		question.Schema = m3Schema
	}
	var unread error
	strict := &it.by[bench.Strict]
	if a.scoring == bench.Official { // any reply counts, and is not asked for again
		question.Repeat = true
		question.Read = func(reply string) (omniscope.Verdict, error) {
			if *strict, unread = readM3Verdict(reply); unread != nil && saysVerdict.MatchString(reply) {
				unread = nil // it makes two statements, and the published program takes one
			}
			return publishedM3Verdict(reply), nil
		}
	}
	verdict, err := judge.Ask(ctx, a.judge, question)
	if err != nil {
		return err
	}
	it.outcome, it.why = verdict.Outcome, why(verdict)
	if first := verdict.First(); first != nil {
		it.by[bench.Official] = publishedM3Verdict(first.Text)
	}
	if a.scoring == bench.Strict {
		*strict = verdict.Value
		return nil
	}
	if it.outcome, it.why = checkReply(verdict); it.outcome != omniscope.OK {
		*strict = omniscope.Unjudged
	} else if unread != nil {
		it.outcome, it.why = omniscope.Unparsed, unread
	}
	return nil
}

// saysVerdict finds a verdict anywhere in a reply.
var saysVerdict = regexp.MustCompile(`(?i)\b(yes|no)\b`)

// publishedM3Verdict is the published program's reading of a verdict: yes anywhere is yes.
func publishedM3Verdict(reply string) omniscope.Verdict {
	if strings.Contains(strings.ToLower(reply), "yes") {
		return omniscope.Correct
	}
	return omniscope.Wrong
}

// readM3Verdict reads a verdict soundly: the word that the reply consists of, or begins or ends with, without
// a train of thought and special tokens; of a JSON object the word that is a value. A reply that has both in these
// places, denies the word, or says the opposite of the answer is not clear.
func readM3Verdict(reply string) (omniscope.Verdict, error) {
	text, ok := marks.AfterThought(marks.FirstTurn(reply))
	if !ok {
		return omniscope.Unjudged, errors.New("it ends before its answer")
	}
	text = strings.ToLower(marks.WithoutTokens(text))
	found := statedWords(text)
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

// statedWords are the words of a reply that may be its verdict.
func statedWords(text string) map[string]bool {
	found := make(map[string]bool)
	if fields, err := judge.Object(text); err == nil {
		for _, v := range fields {
			found[strings.Trim(v.Str, " .!'\"")] = true
		}
		return found
	}
	words := strings.FieldsFunc(choices.ReplaceAllString(text, " "), func(r rune) bool { return !('a' <= r && r <= 'z') })
	for i, w := range words {
		if i == 0 || i == len(words)-1 && words[i-1] != "not" {
			found[w] = true
		}
	}
	return found
}

var (
	choices     = regexp.MustCompile(`['"*]*yes['"*]*\s*(?:or|/)\s*['"*]*no\b['"*]*`) // copied from the prompt
	answerRight = regexp.MustCompile(`\banswer is (?:correct|right|true)\b`)
	answerWrong = regexp.MustCompile(`\banswer is (?:wrong|incorrect|false|not (?:correct|right|true))\b|\bcannot be (?:\w+ )?(?:inferred|derived)\b`)
)

// m3Ways describe what the scorings treat differently.
var m3Ways = []way{
	{"video without captions", "its questions are wrong", "left unjudged"},
	{"empty captions", "asks all the same: run with --scoring official to have it asked", "no answer, without asking"},
	{"no answer", "wrong", "no answer, which is not right either"},
	{"no usable reply", "wrong, unless it has a yes", "left unjudged"},
	{"verdict read otherwise", "yes anywhere is yes", "the word that it begins or ends with"},
}

func (it *m3Item) how(caption *string, wanted bool) string {
	switch official, strict := it.by[bench.Official], it.by[bench.Strict]; {
	case official == strict:
		return ""
	case caption == nil:
		return m3Ways[0].how
	case *caption == "" && !wanted:
		return m3Ways[1].how
	case strict == omniscope.NotGiven:
		return m3Ways[2].how
	case strict == omniscope.Unjudged:
		return m3Ways[3].how
	}
	return m3Ways[4].how
}

var verdictTones = map[omniscope.Verdict]document.Tone{omniscope.Correct: document.Good, omniscope.Wrong: document.Bad, omniscope.NotGiven: document.Mild, omniscope.Unjudged: document.Dim}

func recordM3(out *result, c *clip, items []m3Item) {
	right, judged := 0.0, 0
	out.recordQuestions(c, []string{"question", "right answer", "answer from the captions", "verdict"}, func(i int, line *questionRecord) (bench.ItemVerdict, [][]document.Piece) {
		q, it := &c.Questions[i], &items[i]
		strict := it.by[bench.Strict]
		if strict != omniscope.Unjudged {
			judged++
		}
		if strict == omniscope.Correct {
			right++
		}
		line.ID, line.Answer, line.Official, line.Strict, line.Outcome = &q.ID, it.answer, it.by[bench.Official].String(), strict.String(), it.outcome
		return bench.ItemVerdict{Item: q.ID, Verdict: strict}, [][]document.Piece{cell(strict.String(), verdictTones[strict])}
	})
	out.good(right, judged)
}
