package cloze

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"

	"omniscope"
	"omniscope/internal/quantity"
	"omniscope/internal/rows"
	"omniscope/people"
	"omniscope/people/captions"
)

// A reviewed item is a row with all that people did.
type reviewed struct {
	item         *people.Item
	sheet        *sheetTask
	row          *row
	descriptions []people.Done
	open, keyed  []people.Done
	settled      []people.Done
	results      []result // of the blanks
}

// each calls do for each item of a project, in their order.
func each(ctx context.Context, w *people.Workplace, do func(*reviewed) error) error {
	project, wanted := w.Project(), 1
	if s := project.Stage(blanksKey); s != nil {
		wanted = s.People
	}
	return people.EachItem(ctx, w, sheetOf, func(item *people.Item, s *sheetTask, done map[string][]people.Done) error {
		row, err := s.row()
		if err != nil {
			return err
		}
		r := &reviewed{item: item, sheet: s, row: row, descriptions: done[description], open: done[blanksOpen], keyed: done[blanksKey], settled: done[settle]}
		for i := range row.blanks {
			r.results = append(r.results, row.blanks[i].resultOf(r.keyed, r.settled, wanted))
		}
		return do(r)
	}, description, blanksOpen, blanksKey, settle)
}

// leftOut reports whether the row is no part of the benchmark where rejected rows are left out.
func (r *reviewed) leftOut() bool {
	return slices.ContainsFunc(r.descriptions, captions.SentBack) || slices.ContainsFunc(r.results, func(one result) bool { return one.outcome == rejected })
}

func leavesOut(w *people.Workplace) bool { return w.Project().Settings[settingLeaveOut] == "true" }

func writeRows(ctx context.Context, w *people.Workplace, to io.Writer) error {
	out, leaveOut := bufio.NewWriter(to), leavesOut(w)
	finished := false
	err := each(ctx, w, func(r *reviewed) error {
		if r.openBlanks() > 0 {
			return nil
		}
		finished = true
		if leaveOut && r.leftOut() {
			return nil
		}
		changed := make(map[int]*blank)
		for i, one := range r.results {
			if one.outcome == fixed {
				b := r.row.blanks[i].changed(one.changes)
				changed[b.number] = &b
			}
		}
		text, err := apply(r.sheet.Row, changed)
		if err != nil {
			return omniscope.Invalidf("item %s: %w", r.item.ID, err)
		}
		_, err = out.WriteString(text + "\n")
		return err
	})
	if err != nil {
		return err
	}
	if !finished { // a file without rows would be of no use
		return omniscope.Usagef("no row has all blanks reviewed and settled yet")
	}
	return out.Flush()
}

// openBlanks is how many blanks of the row are not reviewed, or not settled.
func (r *reviewed) openBlanks() (n int) {
	for _, one := range r.results {
		n += quantity.If(one.outcome == openDecision)
	}
	return n
}

// unreviewedRows reports the number of unfinished rows, which the export lacks.
func unreviewedRows(ctx context.Context, w *people.Workplace) (string, error) {
	rows, open, blanks := 0, 0, 0
	err := each(ctx, w, func(r *reviewed) error {
		rows++
		n := r.openBlanks()
		open, blanks = open+quantity.If(n > 0), blanks+n
		return nil
	})
	if err != nil || open == 0 {
		return "", err
	}
	return fmt.Sprintf("%d of %s left out, since %s not reviewed or not settled", open, quantity.Of(rows, "row is", "rows are"), quantity.Of(blanks, "blank is", "blanks are")), nil
}

// outcome is what people did with the description. It is sent back if one of its reviewers sends it back; else the first one's text
// counts.
func (r *reviewed) outcome() *captions.Reviewed {
	var counts *people.Done
	for i := range r.descriptions {
		if counts == nil || captions.SentBack(r.descriptions[i]) {
			counts = &r.descriptions[i]
		}
	}
	return r.sheet.Caption.ReviewedBy(r.descriptions, nil, counts)
}

func writeDescriptions(ctx context.Context, w *people.Workplace, to io.Writer) error {
	return each(ctx, w, func(r *reviewed) error {
		if r.sheet.Caption.Text == "" {
			return nil
		}
		row, err := rows.Set("{}", rows.String("uuid", r.row.uuid))
		if r.row.video != "" {
			row, err = rows.Set(row, rows.String("video_path", r.row.video))
		}
		if err == nil {
			row, err = r.outcome().Set(row)
		}
		if err == nil {
			_, err = io.WriteString(to, row+"\n")
		}
		return err
	})
}

// A reviewRow is a line of review.jsonl.
type reviewRow struct {
	UUID        string      `json:"uuid"`
	Description string      `json:"description,omitempty"` // the verdict on it
	LeftOut     bool        `json:"left_out,omitempty"`    // the row is not in omni_cloze.jsonl
	Blanks      []blankInfo `json:"blanks"`
}

type blankInfo struct {
	Number  int           `json:"number"`
	Outcome outcome       `json:"outcome"`
	Settled bool          `json:"settled,omitempty"` // by a senior
	Open    []openInfo    `json:"open,omitempty"`
	Key     []verdictInfo `json:"key,omitempty"`
	Final   *verdictInfo  `json:"final,omitempty"` // what the senior said
}

type openInfo struct {
	By     string `json:"by"`
	Answer string `json:"answer"`
	Sense  string `json:"sense"`
}

type verdictInfo struct {
	By      string       `json:"by"`
	Verdict string       `json:"verdict"`
	Changes people.Value `json:"changes,omitempty"`
	Comment string       `json:"comment,omitempty"`
}

func writeReview(ctx context.Context, w *people.Workplace, to io.Writer) error {
	out, leaveOut := people.Lines(to), leavesOut(w)
	return each(ctx, w, func(r *reviewed) error {
		row := reviewRow{UUID: r.row.uuid, LeftOut: leaveOut && r.leftOut() || r.openBlanks() > 0}
		row.Description = r.outcome().Verdict
		for i := range r.row.blanks {
			row.Blanks = append(row.Blanks, r.blankInfo(i))
		}
		return out.Encode(&row)
	})
}

func (r *reviewed) blankInfo(i int) blankInfo {
	b := &r.row.blanks[i]
	info := blankInfo{Number: b.number, Outcome: r.results[i].outcome, Settled: r.results[i].settled}
	for _, d := range r.open {
		v := d.Answers[b.cardKey()]
		info.Open = append(info.Open, openInfo{By: d.Person, Answer: v.Text(fieldAnswer), Sense: v.Text(fieldSense)})
	}
	for i := range r.keyed {
		info.Key = append(info.Key, b.verdictInfo(&r.keyed[i]))
	}
	if r.results[i].settled {
		final := b.verdictInfo(&r.settled[0])
		info.Final = &final
	}
	return info
}

func (b *blank) verdictInfo(d *people.Done) verdictInfo {
	v := d.Answers[b.cardKey()]
	said := b.decision(v)
	info := verdictInfo{By: d.Person, Verdict: said.verdict, Comment: v.Text(fieldComment), Changes: people.Value{}}
	for _, c := range said.list() {
		info.Changes[c.field] = c.text
	}
	return info
}
