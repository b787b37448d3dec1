package report

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"omniscope/bench/document"
	"omniscope/internal/quantity"
)

//go:embed cases.js
var casesScript string

// A caseList is all cases of a run, packed into a page.
type caseList struct {
	About    string
	Outcomes []string
	Still    []*document.Case // for paper, and readers without scripts
	Data     string           // elements of the page: the index, and the cases in groups
}

// The page holds its cases in groups, each packed by itself: one is unpacked when a case
// of it is looked at.
const (
	casesOfGroup = 40
	stillWorst   = 4
	stillBest    = 2
)

// indexed is what the page's script knows of a case before it is looked at.
type indexed struct {
	unit    string
	score   *float64
	outcome string
	group   int
}

// MarshalJSON writes a list: unit, score, outcome, group, score for people.
func (x indexed) MarshalJSON() ([]byte, error) {
	shown := ""
	if x.score != nil {
		shown = caseScore(x.score)
	}
	return json.Marshal([]any{x.unit, x.score, x.outcome, x.group, shown})
}

func newCaseList(ctx context.Context, cases Cases, t terms) (*caseList, error) {
	l := &caseList{}
	index := make([]indexed, 0, cases.Len())
	var data, group bytes.Buffer
	z := gzip.NewWriter(nil)
	first := ""
	if len(t.columns) > 0 {
		first = " by " + t.columns[0].Title
	}
	l.About = fmt.Sprintf("%s. Keys: j and k go to the next and to the one before, / finds. Underlined: right; dashed: wrong; dotted: not given or in part. On paper, and without scripts, the worst and the best%s are shown.", quantity.Things(cases.Len(), "case"), first)
	for i := range cases.Len() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c, err := cases.At(i)
		if err != nil {
			return nil, err
		}
		number := i / casesOfGroup
		if group.Len() > 0 {
			group.WriteByte(0)
		}
		if err := CaseHTML(c).Render(&group); err != nil {
			return nil, err
		}
		if i%casesOfGroup == casesOfGroup-1 || i == cases.Len()-1 {
			if err := pack(&data, z, number, group.Bytes()); err != nil {
				return nil, err
			}
			group.Reset()
		}
		outcome := c.Outcome.String()
		if !slices.Contains(l.Outcomes, outcome) {
			l.Outcomes = append(l.Outcomes, outcome)
		}
		index = append(index, indexed{clean(c.Unit), c.Score, outcome, number})
	}
	text, err := json.Marshal(index) // which escapes what could end the element
	if err != nil {
		return nil, err
	}
	l.Data = `<script type="application/json" id="index">` + string(text) + "</script>\n" + data.String()
	for _, i := range extremes(index) {
		c, err := cases.At(i)
		if err != nil {
			return nil, err
		}
		l.Still = append(l.Still, c)
	}
	return l, nil
}

// pack adds a group of cases as an element of the page. z is any writer; its memory is used again.
func pack(to *bytes.Buffer, z *gzip.Writer, number int, texts []byte) error {
	var packed bytes.Buffer
	z.Reset(&packed)
	if _, err := z.Write(texts); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	fmt.Fprintf(to, `<script type="text/plain" id="cases-%d">%s</script>`+"\n", number, base64.StdEncoding.EncodeToString(packed.Bytes()))
	return nil
}

// extremes are the worst cases and the best.
func extremes(index []indexed) []int {
	var order []int
	for i := range index {
		if index[i].score != nil && !math.IsNaN(*index[i].score) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(*index[a].score, *index[b].score) })
	if len(order) <= stillWorst+stillBest {
		return order
	}
	return slices.Concat(order[:stillWorst], order[len(order)-stillBest:])
}
