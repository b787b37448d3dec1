package session

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"omniscope/detective"
)

// CaptionWork opens the work of a list, a unit for each row, of which a part is to be done. Its reports are thrown away: CaptionList
// makes the captions of what the journal has then.
func CaptionWork(ctx context.Context, s *InvestigationSpec, o *Captioning, part Shard) (*Work, error) {
	w, name, err := openCaptioning(ctx, s, o)
	if err != nil {
		return nil, err
	}
	rows := Shard{0, 1}
	if !w.Journal.shared() {
		rows = part
	}
	w.rows = slices.Collect(rows.own(len(o.List.Rows)))
	w.fetchInto(fmt.Sprintf("%s-part-%d-of-%d", name, part.I, part.N)) // two parts may be done on one machine
	order := orderOf(o.Calls, w.All)
	order.Tools = namesOf(w.tools)
	return &Work{Run: name, Units: len(o.List.Rows), Unit: "clip", Shared: w.Journal.shared(), Queue: CPUQueue, Order: order, beginBudget: w.Journal.beginBudget,
		State: func() []string { return LastErrors(w.clipRun.Shared.Reaches.All()...) },
		close: func() error {
			w.Warn(o.Warnings)
			return errors.Join(w.fetch.Close(), w.Close())
		},
		marks: w.Journal.marks(),
		do: func(ctx context.Context, i int) (unitOutcome, error) {
			id := o.List.Rows[i].ID
			outcome, err := w.unit(ctx, i)
			switch {
			case errors.As(err, new(busyClip)):
				return unitOutcome{}, nil // whoever works on it does it
			case stopsAll(ctx, err):
				return unitOutcome{}, errors.Join(about(id, w.Models.explain(err)), w.Journal.StoppedBy(err))
			case err != nil:
				outcome.failed = err.Error()
			}
			if outcome.failed != "" {
				outcome.failed = id + ": " + outcome.failed
			}
			return outcome, nil
		},
	}, nil
}

// unit investigates a row in all passes and throws the reports away.
func (w *captioning) unit(ctx context.Context, i int) (unitOutcome, error) {
	clip, done, err := w.open(ctx, i)
	defer done()
	if err != nil {
		return unitOutcome{}, err
	}
	all := unitOutcome{whole: true}
	for _, p := range w.passes {
		report, err := w.investigate(ctx, p.spec, clip, w.List.Rows[i].ID+"/"+p.name, detective.Options{})
		var one unitOutcome
		switch {
		case stopsAll(ctx, err):
			return unitOutcome{}, err
		case err != nil:
			one.failed = err.Error()
		default:
			one = outcomeOf(report.Outcome, report.Why)
			for _, e := range report.Earlier {
				if o := outcomeOf(e.Caption.Outcome, e.Caption.Why); !o.whole {
					one = o
				}
			}
		}
		if one.failed != "" {
			all = unitOutcome{failed: "pass " + p.name + ": " + one.failed}
		}
	}
	return all, nil
}
