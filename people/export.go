package people

import (
	"context"
	"encoding/json"
	"io"
)

// EventsExport is the whole log, which every project has. Secrets are left out: nobody signs in
// with an export.
var EventsExport = Export{Name: "events", File: "events.jsonl", About: "the whole log, a line for each event", Write: writeEvents}

func writeEvents(ctx context.Context, w *Workplace, to io.Writer) error {
	out := json.NewEncoder(to)
	out.SetEscapeHTML(false)
	for e, err := range w.log.Events(ctx, 0) {
		if err != nil {
			return err
		}
		switch e.Kind {
		case SessionNew, SessionEnd:
			e.Body = nil
		case PersonSet:
			var p Person
			if err := readBody(e, &p); err != nil {
				return err
			}
			p.Invite = nil
			if e.Body, err = json.Marshal(&p); err != nil {
				return err
			}
			e.ID = ""
		}
		if err := out.Encode(e); err != nil {
			return err
		}
	}
	return nil
}

// Add adds the items of a plan that are not there yet, and the work that was done elsewhere by
// people who have none on that item at that stage. An import that was interrupted is completed by
// another one. It returns how many items were added, and how many were there.
func (w *Workplace) Add(ctx context.Context, p *Plan) (added, there int, err error) {
	for item, err := range p.Items {
		if err != nil {
			return added, there, err
		}
		if w.Has(item.ID) {
			there++
			continue
		}
		if err := w.saveAll(ctx, NewEvent(ItemAdd, "", item)); err != nil {
			return added, there, err
		}
		added++
	}
	if p.Done == nil {
		return added, there, nil
	}
	for d, err := range p.Done {
		if err != nil {
			return added, there, err
		}
		if _, has := w.Task(d.TaskID); !has { // else an import before this one added it
			err = w.addDone(ctx, d)
		}
		if err != nil {
			return added, there, err
		}
	}
	return added, there, nil
}
