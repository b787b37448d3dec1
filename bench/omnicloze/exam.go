package omnicloze

import (
	"bytes"
	_ "embed"
	"errors"

	"omniscope/bench"
)

// examRows are invented rows in the released format. The field expected has the right letters: that of the
// caption, which is not always that of the clip, and E for what it leaves out.
//
//go:embed exam.jsonl
var examRows []byte

var _ bench.Examiner = (*evaluation)(nil)

// Exam implements bench.Examiner: an item is right if all its blanks are.
func (e *evaluation) Exam() (items []bench.ExamItem, err error) {
	p := parsers.Get().(*parser)
	defer parsers.Put(p)
	for line := range bytes.Lines(examRows) {
		it, err := readItem(p, line)
		if err != nil {
			return nil, err
		}
		expected, caption := scalar(it.row.Get("expected")), scalar(it.row.Get("predicted_caption"))
		var options [][]string
		for i := range it.blanks {
			options = append(options, it.blanks[i].options())
		}
		if len(expected) != len(options) {
			return nil, errors.New("an item of the examination has other letters than blanks")
		}
		q := e.question(p, it, &caption)
		q.Read = func(text string) (reply, error) {
			r, err := readStrict(text, len(options))
			for k := 0; err == nil && k < len(r); k++ {
				err = r[k].contradiction(options[k])
			}
			return r, err
		}
		items = append(items, bench.NewExamItem(e.judge, q, func(r reply) bool { return lettersIn(r) == expected }))
	}
	return items, nil
}

func lettersIn(r reply) string {
	text := make([]byte, len(r))
	for i, c := range r {
		text[i] = c.letter
	}
	return string(text)
}
