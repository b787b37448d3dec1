package people

import (
	"context"
	"encoding/json"
	"io"

	"omniscope"
)

// Payload reads what an item is about. what names it in errors, such as "battle".
func Payload[T any](item *Item, what string) (*T, error) {
	p := new(T)
	if err := json.Unmarshal(item.Payload, p); err != nil {
		return nil, omniscope.Invalidf("item %s is no %s: %w", item.ID, what, err)
	}
	return p, nil
}

// EachDone calls do for each item on which people submitted work of a stage, in the project's order. read reads an item's payload.
func EachDone[T any](ctx context.Context, w *Workplace, stage string, read func(*Item) (*T, error), do func(item *Item, of *T, done []Done) error) error {
	for _, id := range w.Items() {
		done, err := w.Done(ctx, id, stage)
		if err != nil {
			return err
		}
		if len(done) == 0 {
			continue
		}
		item, err := w.Item(ctx, id)
		if err != nil {
			return err
		}
		of, err := read(item)
		if err != nil {
			return err
		}
		if err := do(item, of, done); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// EachTask calls do for each submitted task that counts. read reads an item's payload.
func EachTask[T any](ctx context.Context, w *Workplace, read func(*Item) (*T, error), do func(t *Task, item *Item, of *T, answers map[string]Current) error) error {
	for _, t := range w.Tasks() {
		if !t.Counts() {
			continue
		}
		item, err := w.Item(ctx, t.Item)
		if err != nil {
			return err
		}
		of, err := read(item)
		if err != nil {
			return err
		}
		answers, err := w.Answers(ctx, t.TaskID)
		if err != nil {
			return err
		}
		if err := do(&t, item, of, answers); err != nil {
			return err
		}
	}
	return nil
}

// Writing returns what writes an export of the rows that read returns.
func Writing[T any](read func(context.Context, *Workplace) ([]T, error), write func(io.Writer, []T) error) func(context.Context, *Workplace, io.Writer) error {
	return func(ctx context.Context, w *Workplace, to io.Writer) error {
		rows, err := read(ctx, w)
		if err != nil {
			return err
		}
		return write(to, rows)
	}
}

// Lines returns an encoder of JSON Lines, which does not escape HTML.
func Lines(to io.Writer) *json.Encoder {
	out := json.NewEncoder(to)
	out.SetEscapeHTML(false)
	return out
}

// WriteLines writes rows as JSON Lines.
func WriteLines[T any](to io.Writer, rows []T) error {
	out := Lines(to)
	for i := range rows {
		if err := out.Encode(&rows[i]); err != nil {
			return err
		}
	}
	return nil
}
