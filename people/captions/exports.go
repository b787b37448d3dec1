package captions

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope/internal/quantity"
	"omniscope/internal/rows"
	"omniscope/people"
)

// Reviewed is what a project of people adds to the row of a caption, or replaces in it. train export and curate read it.
type Reviewed struct {
	Caption   string              `json:"caption"`             // as corrected by the review that counts
	Given     string              `json:"given,omitempty"`     // the caption before that; "" = it did not change
	Sentences []correctedSentence `json:"sentences,omitempty"` // of Caption; empty = the row lists no sentences
	Verdict   string              `json:"verdict,omitempty"`   // Approve or SendBack; "" = not decided
	Comment   string              `json:"comment,omitempty"`   // of the review that counts
	Reviewed  bool                `json:"reviewed"`            // the caption is decided
	Reviews   []oneReview         `json:"reviews,omitempty"`
}

// ReviewedBy returns the outcome of reviews. counts is the review that counts; nil = the caption is not decided.
func (c *Caption) ReviewedBy(reviews, settled []people.Done, counts *people.Done) *Reviewed {
	out := &Reviewed{Caption: c.Text, Sentences: c.listed()}
	for i := range reviews {
		out.Reviews = append(out.Reviews, c.ReviewOf(&reviews[i]))
	}
	for i := range settled {
		r := c.ReviewOf(&settled[i])
		r.Settles = true
		out.Reviews = append(out.Reviews, r)
	}
	if counts == nil {
		return out
	}
	r := c.ReviewOf(counts)
	out.Reviewed, out.Verdict, out.Comment = true, r.Verdict, r.Comment
	if r.Caption != "" {
		out.Caption, out.Given = r.Caption, c.Text
	}
	if out.Sentences != nil {
		_, corrected := c.Corrected(counts.Answers)
		out.Sentences = slices.DeleteFunc(corrected, func(s correctedSentence) bool { return s.Text == "" })
	}
	return out
}

// reviewFields are the fields of Reviewed. A row may have them from an earlier review, which does not count here.
var reviewFields = []string{"caption", "given", "sentences", "verdict", "comment", "reviewed", "reviews"}

// Set puts the outcome into a row, a JSON object. Its other fields stay as they are.
func (r *Reviewed) Set(row string) (string, error) {
	var text bytes.Buffer
	if err := people.Lines(&text).Encode(r); err != nil {
		return "", err
	}
	var fields []rows.Field
	gjson.ParseBytes(text.Bytes()).ForEach(func(key, value gjson.Result) bool {
		fields = append(fields, rows.Field{Name: key.Str, JSON: value.Raw})
		return true
	})
	return with(row, fields, reviewFields)
}

// with replaces fields of a JSON object, and removes the other fields out of own.
func with(row string, fields []rows.Field, own []string) (string, error) {
	record, err := rows.ParseRecord(strings.TrimSpace(row))
	if err != nil {
		return "", err
	}
	text, err := record.AppendWith(nil, fields, own)
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	err = json.Compact(&out, text)
	return out.String(), err
}

// each calls do for each caption of a project with its outcome.
func each(ctx context.Context, w *people.Workplace, do func(item *people.Item, t *task, out *Reviewed) error) error {
	p := w.Project()
	return people.EachItem(ctx, w, taskOf, func(item *people.Item, t *task, done map[string][]people.Done) error {
		counts := t.decided(done[review], done[settle], wanted(&p))
		return do(item, t, t.ReviewedBy(done[review], done[settle], counts))
	}, review, settle)
}

func write(ctx context.Context, w *people.Workplace, to io.Writer) error {
	return each(ctx, w, func(item *people.Item, t *task, out *Reviewed) error {
		line, err := out.Set(t.Row)
		if err == nil {
			_, err = io.WriteString(to, line+"\n")
		}
		return err
	})
}

// undecided reports the number of captions that are in the export without a verdict.
func undecided(ctx context.Context, w *people.Workplace) (string, error) {
	all, open := 0, 0
	err := each(ctx, w, func(_ *people.Item, _ *task, out *Reviewed) error {
		all++
		open += quantity.If(!out.Reviewed)
		return nil
	})
	if err != nil || open == 0 {
		return "", err
	}
	return fmt.Sprintf("%d of %s no verdict yet: not reviewed by all, or not settled by a senior", open, quantity.Of(all, "caption has", "captions have")), nil
}
