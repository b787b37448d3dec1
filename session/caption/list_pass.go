package caption

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"omniscope"
	"omniscope/bench/captionrow"
	"omniscope/detective"
	"omniscope/perceive"
	"omniscope/session"
	"omniscope/session/production"
)

// failPass notes a failure for all captions of a pass that are not there.
func (w *List) failPass(i int, p *pass, outcome omniscope.Outcome, why string) error {
	for _, folder := range p.folders() {
		if w.output.Done(i, folder) {
			continue
		}
		if err := w.output.Fail(i, folder, outcome, why); err != nil {
			return err
		}
	}
	return nil
}

// pass investigates an open clip by one set of senses; cannot is the reason why it could not be opened. Captions are written before
// the investigation counts as ended, so that a command that continues it takes the same steps.
func (w *List) pass(ctx context.Context, i int, p pass, clip *perceive.Clip, cannot error) (session.Done, error) {
	name := w.List.Rows[i].ID + "/" + p.name
	var kept error // of this machine, not of the clip
	o := detective.Options{OnTurn: func(t detective.Turn) { w.note(fmt.Sprintf("%s turn %d: %s", name, t.Number, t.Inquiry.Tool)) }}
	if w.output != nil {
		o.Keep = func(r *detective.Report) error {
			kept = w.keep(i, &p, r)
			return kept
		}
	}
	var report *detective.Report
	err := cannot
	if err == nil {
		report, err = w.investigate(ctx, p.spec, clip, name, o)
	}
	switch {
	case kept != nil:
		return session.Done{}, kept
	case stopsAll(ctx, err):
		return session.Done{}, err
	case errors.As(err, new(busyClip)) && w.output == nil:
		return session.Done{}, nil // another process works on it
	case err != nil && w.output != nil:
		return session.Done{Failed: err.Error()}, w.failPass(i, &p, omniscope.OutcomeOf(err), err.Error())
	case err != nil:
		return session.Done{Failed: err.Error()}, nil
	}
	return outcomeOfReport(report), nil
}

// outcomeOfReport is that of an investigation and all its captions.
func outcomeOfReport(r *detective.Report) session.Done {
	out := session.DoneAs(r.Outcome, "", r.Why)
	for _, e := range r.Earlier {
		if o := session.DoneAs(e.Caption.Outcome, "", e.Caption.Why); !o.Complete {
			out = o
		}
	}
	return out
}

// keep writes what came of an investigation.
func (w *List) keep(i int, p *pass, r *detective.Report) error {
	r.Flags = w.flags
	if row := &w.List.Rows[i]; row.Remote() {
		r.Clip.Path = row.Path // the file may be gone
	}
	if w.Pages || r.Outcome != omniscope.OK {
		if err := w.page(i, p, r); err != nil {
			return err
		}
	}
	for n, folder := range p.earlier {
		if err := w.putEarlier(i, folder, p.spec.ConcludeAt[n], r); err != nil {
			return err
		}
	}
	return w.put(i, p.name, r)
}

// put writes a caption, or notes that there is none.
func (w *List) put(i int, folder string, r *detective.Report) error {
	switch {
	case w.output.Done(i, folder):
		return nil
	case r.Outcome != omniscope.OK:
		return w.output.Fail(i, folder, r.Outcome, r.Why)
	}
	return w.output.Put(i, captionrow.Of(r, w.List.Rows[i].ID, "", w.spec.System()), production.Summarise(r, folder), r.Trajectory)
}

// putEarlier writes the caption after so many inquiries. Where there were fewer, it is the last one.
func (w *List) putEarlier(i int, folder string, inquiries int, r *detective.Report) error {
	at := slices.IndexFunc(r.Earlier, func(e detective.EarlierCaption) bool { return e.Inquiries == inquiries })
	if at < 0 {
		return w.put(i, folder, r)
	}
	e, then := &r.Earlier[at], *r
	then.Outcome, then.Why, then.Caption, then.Trajectory = e.Caption.Outcome, e.Caption.Why, e.Caption, e.Trajectory
	then.Turns, then.Ledger, then.Contradictions, then.Ended = r.Turns[:inquiries], r.Ledger[:e.Observations], e.Contradictions, detective.EndedBudget
	return w.put(i, folder, &then)
}

// page writes the folder of an investigation.
func (w *List) page(i int, p *pass, r *detective.Report) error {
	dir := filepath.Join(w.Out, "reports", p.name, w.names[i])
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return writePage(dir, r.Clip.Path, r)
}
