package people

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"

	"omniscope"
	"omniscope/internal/rows"
	"omniscope/internal/spreadsheet"
)

// Payload returns a reader of what items are about. what names it in errors, such as "battle".
func Payload[T any](what string) func(*Item) (*T, error) {
	return func(item *Item) (*T, error) {
		p := new(T)
		if err := json.Unmarshal(item.Payload, p); err != nil {
			return nil, omniscope.Invalidf("item %s is no %s: %w", item.ID, what, err)
		}
		return p, nil
	}
}

// EachItem calls do for each item, in the project's order, with the submitted work of some stages. read
// reads an item's payload.
func EachItem[T any](ctx context.Context, w *Workplace, read func(*Item) (*T, error), do func(item *Item, of *T, done map[string][]Done) error, stages ...string) error {
	return eachItem(ctx, w, read, do, stages, false)
}

// EachDone does the same for the items on which people submitted work of the first stage.
func EachDone[T any](ctx context.Context, w *Workplace, read func(*Item) (*T, error), do func(item *Item, of *T, done map[string][]Done) error, stages ...string) error {
	return eachItem(ctx, w, read, do, stages, true)
}

func eachItem[T any](ctx context.Context, w *Workplace, read func(*Item) (*T, error), do func(*Item, *T, map[string][]Done) error, stages []string, worked bool) error {
	for _, id := range w.Items() {
		done, err := w.doneAt(ctx, id, stages, worked)
		if err != nil {
			return err
		}
		if done == nil {
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

// doneAt is the submitted work of an item at some stages; nil = there has to be some at the first one, and is not.
func (w *Workplace) doneAt(ctx context.Context, item string, stages []string, worked bool) (done map[string][]Done, err error) {
	done = make(map[string][]Done, len(stages))
	for i, stage := range stages {
		if done[stage], err = w.Done(ctx, item, stage); err != nil || worked && i == 0 && len(done[stage]) == 0 {
			return nil, err
		}
	}
	return done, nil
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

// MadeItems are n items, made one by one, with what they are about as JSON.
func MadeItems(n int, one func(i int) (item *Item, of any, err error)) iter.Seq2[*Item, error] {
	return func(yield func(*Item, error) bool) {
		for i := range n {
			item, of, err := one(i)
			if err == nil {
				item.Payload, err = json.Marshal(of)
			}
			if !yield(item, err) || err != nil {
				return
			}
		}
	}
}

// ReadRows opens a file, calls do for each row, and closes it. An error of do gets file, line and text.
func ReadRows(ctx context.Context, path string, do func(lines *rows.File, i int, text []byte) error) (err error) {
	lines, err := rows.Open(ctx, path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lines.Close()) }()
	return EachRow(ctx, lines, func(i int, text []byte) error { return do(lines, i, text) })
}

// EachRow calls do for each row of an open file. An error of do gets file, line and text.
func EachRow(ctx context.Context, lines *rows.File, do func(i int, text []byte) error) error {
	for i := range lines.Len() {
		if err := ctx.Err(); err != nil {
			return err
		}
		text, err := lines.At(i)
		if err != nil {
			return err
		}
		switch err := do(i, text).(type) {
		case nil:
		case placed:
			return err.error
		default:
			return lines.Bad(i, text, err)
		}
	}
	return nil
}

// placed is an error of EachRow that names file and line already.
type placed struct{ error }

// Once notes that row i of a file has an id, and refuses an id that a row before has. what names it, such as "task".
func Once(first map[string]int, id string, i int, what string, lines *rows.File) error {
	if at, twice := first[id]; twice {
		return placed{lines.Bad(i, nil, fmt.Errorf("%s %s is there already, on %s", what, id, lines.LineName(at)))}
	}
	first[id] = i
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

// WriteCSV writes a header and rows, with cells that no spreadsheet takes for formulas.
func WriteCSV(to io.Writer, header []string, rows func(write func(cells ...string))) error {
	out := csv.NewWriter(to)
	err := out.Write(header)
	rows(func(cells ...string) { err = errors.Join(err, out.Write(spreadsheet.Cells(cells))) })
	out.Flush()
	return errors.Join(err, out.Error())
}

// Choices are values as people choose them, with a help for some.
func Choices(values []string, help map[string]string) (out []Choice) {
	for _, v := range values {
		out = append(out, Choice{Value: v, Label: strings.ToUpper(v[:1]) + v[1:], Help: help[v]})
	}
	return out
}

// List is texts as a value has them that was read from JSON.
func List(texts []string) []any {
	out := make([]any, len(texts))
	for i, text := range texts {
		out[i] = text
	}
	return out
}

// CardOf is the card of a key.
func CardOf(key string) string {
	_, id, _ := strings.Cut(key, "/")
	return id
}

// KeysIn are the keys of a section's answers that are not struck, in order.
func KeysIn(answers map[string]Value, section string) (keys []string) {
	for _, key := range slices.Sorted(maps.Keys(answers)) {
		if strings.HasPrefix(key, section+"/") && !answers[key].Struck() {
			keys = append(keys, key)
		}
	}
	return keys
}
