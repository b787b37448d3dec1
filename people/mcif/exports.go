package mcif

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"omniscope/bench/mcif/talkqa"
	"omniscope/internal/quantity"
	"omniscope/metric/textnorm"
	"omniscope/people"
)

// Names of the builder's tables, as it looks for them; the blank before .tsv is theirs.
const (
	mainTable       = "[IWSLT 2025] Test Set - ASR, ST, SQA (also cross-lingual), SSUM final .tsv"
	transcriptTable = "[IWSLT 2025] Test Set - Test set with revised transcript.tsv"
	abstractTable   = "[IWSLT 2025] Test Set - SSUM (only abstract in English).tsv"
)

func exports() []people.Export {
	all := []people.Export{
		{Name: "questions", File: "questions.jsonl", About: "all questions, a line of JSON each", Write: writeQuestions},
		{Name: "table", File: mainTable, About: "verified questions in the four languages, as MCIF's builder reads them", Write: writing(mainRows, mainHeader...), LeftOut: unverified},
		{Name: "transcripts", File: transcriptTable, About: "transcripts, as MCIF's builder reads them", Write: writing(transcriptRow, "Video Link", "Revised Transcript")},
		{Name: "abstracts", File: abstractTable, About: "abstracts, as MCIF's builder reads them", Write: writing(abstractRow, "ID", "Video Link", "Abstract_en")},
	}
	for _, l := range languages {
		all = append(all,
			people.Export{Name: "transcripts-" + l.code, File: "[IWSLT 2025] Test Set - TRANSCRIPT_" + l.column + " - REVISED.tsv", About: "transcripts in " + l.name + ", line by line", Write: writeLines(l.code, lineSection)},
			people.Export{Name: "abstracts-" + l.code, File: "[IWSLT 2025] Test Set - SSUM_" + l.column + " - REVISED.tsv", About: "abstracts in " + l.name, Write: writeLines(l.code, abstractSection)})
	}
	return all
}

// unverified reports the number of talks without verified questions, which the table lacks.
func unverified(ctx context.Context, w *people.Workplace) (string, error) {
	all, open := 0, 0
	err := each(ctx, w, func(one *work) error {
		all, open = all+1, open+quantity.If(!one.verified)
		return nil
	})
	if err != nil || open == 0 {
		return "", err
	}
	return fmt.Sprintf("%d of %s left out: their questions are not verified", open, quantity.Of(all, "talk is", "talks are")), nil
}

// A work is a talk with all that people did.
type work struct {
	talk           *talkInfo
	kept, rejected []question
	verified       bool
	to             map[string]translation // by language
}

func each(ctx context.Context, w *people.Workplace, do func(*work) error) error {
	var names []string
	for _, s := range w.Project().Stages {
		names = append(names, s.Name)
	}
	return people.EachItem(ctx, w, talkOf, func(_ *people.Item, t *talkInfo, done map[string][]people.Done) error {
		one := &work{talk: t, verified: len(done[verifyStage]) > 0, to: make(map[string]translation)}
		one.kept, one.rejected = final(done[questions], done[verifyStage])
		for _, l := range languages {
			one.to[l.code] = newTranslation(done[translate+l.code], done[review+l.code])
		}
		return do(one)
	}, names...)
}

// writeQuestions writes the questions of all talks. Given ones that nobody worked on stay as they are.
func writeQuestions(ctx context.Context, w *people.Workplace, to io.Writer) error {
	buffered := bufio.NewWriter(to)
	out := people.Lines(buffered)
	err := each(ctx, w, func(one *work) error {
		if len(one.kept)+len(one.rejected) == 0 {
			for _, g := range one.talk.Given {
				if _, err := buffered.WriteString(g.Line + "\n"); err != nil {
					return err
				}
			}
		}
		for i, q := range append(one.kept, one.rejected...) {
			if err := out.Encode(one.row(i+1, &q)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return buffered.Flush()
}

func (one *work) row(n int, q *question) *talkqa.Row {
	r := &talkqa.Row{Talk: one.talk.ID, Number: n, Origin: q.origin, Label: q.label, Question: q.text, Answer: q.answer, State: "written", Author: q.author, Verifier: q.verifier}
	switch {
	case q.verdict == reject:
		r.State = "rejected"
	case q.verdict != "":
		r.State = "verified"
	}
	if q.timed && q.label != talkqa.Unanswered {
		r.Start, r.End = &q.start, &q.end
	}
	if i := one.talk.given(q.key); i >= 0 {
		// Of a question that was changed nobody knows on which passages it rests.
		if g := &one.talk.Given[i]; g.Question == q.text && g.Answer == q.answer && g.Label == q.label {
			r.From, r.Evidence = g.From, g.Evidence
		}
	}
	for code, t := range one.to {
		if v, ok := t.answers[q.key]; ok {
			if r.Translations == nil {
				r.Translations = make(map[string]talkqa.Translation)
			}
			r.Translations[code] = talkqa.Translation{Question: trimmed(v, fieldQuestion), Answer: trimmed(v, fieldAnswer)}
		}
	}
	return r
}

// A table writes cells with tabs between them. The builder knows no quotes: white space within a cell
// becomes a blank.
type table struct{ to *bufio.Writer }

func (t *table) row(cells ...string) error {
	for i, cell := range cells {
		if i > 0 {
			t.to.WriteByte('\t')
		}
		t.to.WriteString(strings.Join(textnorm.Fields(cell), " "))
	}
	return t.to.WriteByte('\n') // a bufio.Writer keeps its first error, and Flush returns it
}

// writing returns what writes a table with the rows of each talk.
func writing(rows func(t *table, one *work) error, header ...string) func(context.Context, *people.Workplace, io.Writer) error {
	return func(ctx context.Context, w *people.Workplace, to io.Writer) error {
		t := &table{bufio.NewWriter(to)}
		_ = t.row(header...)
		if err := each(ctx, w, func(one *work) error { return rows(t, one) }); err != nil {
			return err
		}
		return t.to.Flush()
	}
}

var mainHeader = []string{"Video ID", "ID", "Video Link", "Revised Transcript", "Abstract_en", "Question ID", "Question Origin", "Question Type",
	"Question_en", "Question_de", "Question_it", "Question_zh", "Answer_en", "Answer_de", "Answer_it", "Answer_zh", "Answer Start", "Answer End"}

// mainRows are the verified questions; talks that are not verified yet are left out.
func mainRows(t *table, one *work) error {
	if !one.verified {
		return nil
	}
	for i, q := range one.kept {
		n := strconv.Itoa(i + 1)
		cells := []string{one.talk.ID, n, one.talk.Link, one.talk.transcript(), one.talk.Abstract, n, strings.ToUpper(q.origin[:1]) + q.origin[1:] + " Q", q.label, q.text}
		answers := []string{q.answer}
		if q.label == talkqa.Unanswered {
			q.start, q.end, answers[0] = 0, 0, noAnswerEnglish
		}
		for _, l := range languages {
			v := one.to[l.code].answers[q.key]
			cells, answers = append(cells, trimmed(v, fieldQuestion)), append(answers, trimmed(v, fieldAnswer))
		}
		if err := t.row(append(append(cells, answers...), clock(math.Floor(q.start)), clock(math.Ceil(q.end)))...); err != nil {
			return err
		}
	}
	return nil
}

// clock is a time in whole seconds.
func clock(seconds float64) string {
	s := int(seconds)
	return fmt.Sprintf("%02d:%02d:%02d", s/3600, s/60%60, s%60)
}

func transcriptRow(t *table, one *work) error { return t.row(one.talk.Link, one.talk.transcript()) }

func abstractRow(t *table, one *work) error {
	return t.row(one.talk.ID, one.talk.Link, one.talk.Abstract)
}

// writeLines writes pairs of source and target for each talk that was translated.
func writeLines(code, section string) func(context.Context, *people.Workplace, io.Writer) error {
	return func(ctx context.Context, w *people.Workplace, to io.Writer) error {
		var rows [][]string
		widest := 0
		err := each(ctx, w, func(one *work) error {
			t := one.to[code]
			if t.answers == nil {
				return nil
			}
			lines := one.talk.Lines
			if section == abstractSection {
				lines = one.talk.parts()
			}
			cells := []string{one.talk.ID, one.talk.Link}
			for i, l := range lines {
				cells = append(cells, l.Source, t.line(section, i))
			}
			rows, widest = append(rows, cells), max(widest, len(cells))
			return nil
		})
		if err != nil {
			return err
		}
		t := &table{bufio.NewWriter(to)}
		header := []string{"Video ID", "link"}
		for i := 2; i < widest; i++ {
			header = append(header, fmt.Sprintf("c%d", i-2))
		}
		_ = t.row(header...)
		for _, cells := range rows {
			_ = t.row(append(cells, make([]string, widest-len(cells))...)...)
		}
		return t.to.Flush()
	}
}
