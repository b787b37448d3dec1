package omnicloze

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/valyala/fastjson"

	"omniscope/bench"
	"omniscope/internal/quantity"
)

// A scorable counts the scorable blanks of a row before its caption is judged.
type scorable struct {
	blanks, ok         uint16 // saturated; a row has few
	noKey, noOptions   uint16 // blanks without the field
	gaps               bool   // the passage shows where blanks are
	answered, captured bool   // the caption is not empty; the row has the field
}

// gap stands in a passage where a blank is, with the blank's number behind it.
const gap = "[BLANK_"

// countScorable counts the blanks of a row that the scoring can score.
func countScorable(it *item, scoring bench.Scoring) (s scorable) {
	s.gaps = bytes.Contains(it.cloze.GetStringBytes("passage"), []byte(gap))
	for i := range it.blanks {
		b := &it.blanks[i]
		s.blanks++
		if scorableBy(b, scoring) {
			s.ok++
			continue
		}
		if b.row.Get("answer_key") == nil {
			s.noKey++
		}
		if b.choices == 0 && offered(b.row) == nil {
			s.noOptions++
		}
	}
	return s
}

// scorableBy reports whether a blank has a verdict once it is judged. The
// released scorer compares whatever key there is.
func scorableBy(b *blank, scoring bench.Scoring) bool {
	if scoring == bench.Official {
		return b.key != ""
	}
	return b.scorable() == nil
}

// check returns an error if too few blanks can be scored, before any call.
func (d *data) check(in bench.Inputs, rows []rowInfo) error {
	if in.Allow {
		return nil
	}
	total := bench.Scorable{What: "blanks"}
	var noKey, noOptions, gaps int
	first := nowhere
	for _, s := range d.samples {
		g := rows[s.row].scorable
		total.All, total.OK = total.All+int(g.blanks), total.OK+int(g.ok)
		noKey, noOptions, gaps = noKey+int(g.noKey), noOptions+int(g.noOptions), gaps+quantity.If(g.gaps)
		if first == nowhere && g.ok < g.blanks {
			first = s.row
		}
	}
	total.Lacking = max(noKey, noOptions)
	if !total.Enough() {
		why, err := d.whyUnscorable(first, in.Scoring)
		if err != nil {
			return err
		}
		return total.Refuse(why)
	}
	if gaps == 0 && len(d.samples) > 0 {
		return bench.Doubtful("no passage of %s has a gap such as %s1], so that nobody can tell which blank is where", d.rows.Path, gap)
	}
	return nil
}

const nowhere = -1

// whyUnscorable returns what is wrong with a row's first blank that cannot be scored.
func (d *data) whyUnscorable(row int, scoring bench.Scoring) (why, err error) {
	text, err := d.rows.At(row)
	if err != nil {
		return nil, err
	}
	p := parsers.Get().(*parser)
	defer parsers.Put(p)
	it, err := readItem(p, text)
	if err != nil {
		return nil, err
	}
	for i := range it.blanks {
		if b := &it.blanks[i]; !scorableBy(b, scoring) {
			return fmt.Errorf("%s: blank %d: %w", d.rows.Place(row), i+1, b.whatIsMissing()), nil
		}
	}
	return nil, errors.New("the file changes while it is read")
}

// whatIsMissing returns which field a blank lacks, or what else is wrong with it.
func (b *blank) whatIsMissing() error {
	switch there := fieldsOf(b.row); {
	case b.row.Get("answer_key") == nil:
		return bench.NoField("answer_key", there)
	case b.choices == 0 && offered(b.row) == nil:
		return bench.NoField("options", there)
	case b.key == "":
		return errors.New("answer_key is empty")
	}
	return b.scorable()
}

// fieldsOf are the names of an object's members.
func fieldsOf(v *fastjson.Value) (names []string) {
	if o, err := v.Object(); err == nil {
		o.Visit(func(key []byte, _ *fastjson.Value) { names = append(names, string(key)) })
	}
	return names
}

// notEmpty reports whether a caption is not empty.
func notEmpty(v *fastjson.Value) bool {
	switch v.Type() {
	case fastjson.TypeString:
		return len(bytes.TrimSpace(v.GetStringBytes())) > 0
	case fastjson.TypeNull:
		return false
	}
	return true
}
