package pg

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// marksAtOnce is how many units are marked together. Marks that are lost cost a look
// at each of their calls, nothing else.
const marksAtOnce = 200

// MarkDone notes that all calls of a unit of the run are in the journal.
func (j *Journal) MarkDone(ctx context.Context, unit int) error {
	j.mu.Lock()
	j.marks = append(j.marks, int32(unit))
	full := len(j.marks) >= marksAtOnce
	j.mu.Unlock()
	if !full {
		return nil
	}
	return j.writeMarks(ctx)
}

func (j *Journal) writeMarks(ctx context.Context) error {
	j.mu.Lock()
	marks := j.marks
	j.marks = nil
	j.mu.Unlock()
	if len(marks) == 0 {
		return nil
	}
	return j.store.do(ctx, "mark units", func(ctx context.Context) error {
		_, err := j.store.loose.Exec(ctx, "INSERT INTO done SELECT $1, $2, unit FROM unnest($3::int[]) t(unit) ORDER BY unit ON CONFLICT DO NOTHING", j.id, j.from.call, marks)
		return err
	})
}

// Done returns the units that any process has marked.
func (j *Journal) Done(ctx context.Context) (units map[int]bool, err error) {
	if err := j.writeMarks(ctx); err != nil {
		return nil, err
	}
	err = j.store.do(ctx, "read marks", func(ctx context.Context) error {
		rows, _ := j.store.loose.Query(ctx, "SELECT unit FROM done WHERE run = $1 AND since = $2", j.id, j.from.call)
		units = make(map[int]bool)
		var unit int
		_, err := pgx.ForEachRow(rows, []any{&unit}, func() error {
			units[unit] = true
			return nil
		})
		return err
	})
	return units, err
}
