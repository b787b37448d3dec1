package people

import (
	"context"
	"slices"
	"strconv"

	"omniscope"
)

// Assign gives items at a stage to a person. A single number n in place of item ids assigns the
// first n items that are free and unassigned. If any item cannot be assigned, none is.
func (w *Workplace) Assign(ctx context.Context, stage, person string, items []string) error {
	if len(items) == 1 {
		if n, err := strconv.Atoi(items[0]); err == nil && n > 0 && !w.Has(items[0]) {
			if items = w.unassigned(stage, person, n); len(items) == 0 {
				return omniscope.Usagef("no item at the stage %q is left to be assigned to %s", stage, person)
			}
		}
	}
	if len(items) == 0 {
		return omniscope.Usagef("name items, or how many")
	}
	w.mu.Lock()
	var events []*Event
	for _, item := range items {
		id := TaskID{item, stage, person}
		if err := w.state.mayAssign(id); err != nil {
			w.mu.Unlock()
			return err
		}
		e := NewEvent(Assign, "", nil)
		e.Task = id
		events = append(events, e)
	}
	w.mu.Unlock()
	return w.saveAll(ctx, events...)
}

// Has reports whether there is an item.
func (w *Workplace) Has(item string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.state.byID[item] != nil
}

func (w *Workplace) unassigned(stage, person string, n int) (items []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.state.project.Stage(stage)
	if s == nil {
		return nil
	}
	for _, one := range w.state.items {
		taken := one.wanted(s) - one.places(s, w.now(), w.beats)
		assigned := w.state.assignedTo(one, stage)
		free := len(assigned) < one.wanted(s) && taken < one.wanted(s)
		if len(items) < n && free && !one.skipped[stage] && !slices.Contains(assigned, person) {
			items = append(items, one.id)
		}
	}
	return items
}

// TakeNext takes for a person what Next says, and opens it to them. Of many who ask at the same
// time each gets an item of their own. ok = false: there is none.
func (w *Workplace) TakeNext(ctx context.Context, person, stage string) (id TaskID, ok bool, err error) {
	w.taking.Lock() // else all would be told of the same item
	defer w.taking.Unlock()
	if id, ok = w.Next(person, stage); !ok {
		return id, false, nil
	}
	err = w.SaveTask(ctx, Take, id, person)
	return id, err == nil, err
}
