package pg

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/jackc/pgx/v5"

	"omniscope"
	"omniscope/internal/pgtext"
	"omniscope/run"
	"omniscope/run/journal"
)

// A Journal is a run's view of the store. It finds what any process appends, at once.
type Journal struct {
	store     *Store
	name      string
	described journal.Description
	id        int64
	opened    int64 // the newest call when the journal was opened
	from      since // which answers count, see StartFresh
	holder    *holder
	budget    atomic.Int64 // that was drawn of last

	stop    context.CancelFunc
	hurried func() bool
	lookups batcher[call, answer]
	claims  batcher[call, claimed]
	writer  writer

	mu      sync.Mutex
	closed  bool
	inside  sync.WaitGroup     // callers that use what Close closes
	claimed map[call]int64     // and how often the holder had slept by then
	given   map[int64]struct{} // calls of other runs this one was given answers of
	marks   []int32            // units that are done, not written yet
}

var (
	_ journal.Journal = (*Journal)(nil)
	_ run.Claimer     = (*Journal)(nil)

	errClosed = errors.New("the journal is closed")
)

// connections for look-ups at a time: while the server works on one batch, the next
// is on its way.
const lookupsAtOnce = 2

// Run implements store.Store. Several processes may work on the same run.
func (s *Store) Run(ctx context.Context, d journal.Description) (journal.Journal, error) {
	j := &Journal{store: s, name: d.Name, described: d, claimed: make(map[call]int64), given: make(map[int64]struct{})}
	if err := j.open(ctx); err != nil {
		return nil, s.fail("open run "+d.Name, err)
	}
	return j, nil
}

func (j *Journal) open(ctx context.Context) (err error) {
	s := j.store
	if j.name == "" {
		return omniscope.Usagef("a run needs a name")
	}
	// The same run from files that lie elsewhere by now: replay must find them.
	err = s.retry(ctx, func(ctx context.Context) error {
		return s.pool.QueryRow(ctx, `INSERT INTO run(name, kind, manifest) VALUES($1, $2, $3)
			ON CONFLICT (name) DO UPDATE SET kind = excluded.kind, manifest = excluded.manifest
			RETURNING id, (SELECT coalesce(max(id), 0) FROM call)`, pgtext.Encode(j.name), j.described.Kind, pgtext.Encode(j.described.Manifest)).Scan(&j.id, &j.opened)
	})
	if err != nil {
		return err
	}
	if j.holder, err = s.hold(ctx, j.id); err != nil {
		return err
	}
	if err := j.writer.start(ctx, j); err != nil {
		j.holder.close(ctx)
		return err
	}
	j.hurried = context.AfterFunc(run.Stopping(ctx), s.outage.end)
	var life context.Context
	life, j.stop = context.WithCancel(context.WithoutCancel(ctx))
	j.lookups.start(life, lookupsAtOnce, func(ctx context.Context, asked []call) ([]answer, error) { return s.lookup(ctx, asked, j.from) })
	j.claims.start(life, 1, j.claimTogether)
	return nil
}

// enter reports false when the journal is closed. Who enters calls inside.Done.
func (j *Journal) enter() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.closed {
		return false
	}
	j.inside.Add(1)
	return true
}

// Lookup implements run.Journal.
func (j *Journal) Lookup(ctx context.Context, key run.Key, source string) (*run.Entry, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if !j.enter() {
		return nil, j.store.fail("look up "+key.String(), errClosed)
	}
	defer j.inside.Done()
	q := j.lookups.put(call{key, source})
	select {
	case <-q.done:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	err := q.err
	if err == nil {
		err = q.answer.damaged
	}
	if err != nil {
		return nil, j.store.fail("look up "+key.String(), err)
	}
	if q.answer.Entry != nil {
		j.used(&q.answer)
	}
	return q.answer.Entry, nil
}

// used notes an answer of another run.
func (j *Journal) used(a *answer) {
	if a.run == j.id || a.Outcome != omniscope.OK {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.given[a.id] = struct{}{}
}

// writeUsed records which answers of other runs this run used. A run that was killed
// before this looks them up again when it resumes, and records them then.
func (j *Journal) writeUsed(ctx context.Context) error {
	j.mu.Lock()
	calls := make([]int64, 0, len(j.given))
	for id := range j.given {
		calls = append(calls, id)
	}
	j.mu.Unlock()
	if len(calls) == 0 {
		return nil
	}
	return j.store.retry(ctx, func(ctx context.Context) error {
		_, err := j.store.pool.Exec(ctx, "INSERT INTO used SELECT $1, call FROM unnest($2::bigint[]) t(call) ORDER BY call ON CONFLICT DO NOTHING", j.id, calls)
		return err
	})
}

// Steps implements store.Journal.
func (j *Journal) Steps(ctx context.Context) (steps map[string]bool, err error) {
	err = j.store.do(ctx, "read steps", func(ctx context.Context) error {
		rows, _ := j.store.loose.Query(ctx, "SELECT DISTINCT step FROM call WHERE run = $1 AND outcome = 1 AND NOT late AND id > $2", j.id, j.from.call)
		steps = make(map[string]bool)
		var step string
		_, err := pgx.ForEachRow(rows, []any{&step}, func() error {
			steps[pgtext.Decode(step)] = true
			return nil
		})
		return err
	})
	return steps, err
}

// Reserve implements store.Journal. The server's disk is its operator's business.
func (j *Journal) Reserve(int) error {
	return j.exec("write", "UPDATE run SET manifest = manifest WHERE id = $1")
}

// exec changes the run's own rows; $1 is its number.
func (j *Journal) exec(op, statement string) error {
	return j.store.do(context.Background(), op, func(ctx context.Context) error {
		_, err := j.store.pool.Exec(ctx, statement, j.id)
		return err
	})
}

// CheckFailures implements store.Journal.
func (j *Journal) CheckFailures(ctx context.Context) error {
	return j.store.do(ctx, "check the failed calls", func(ctx context.Context) error {
		rows, _ := j.store.loose.Query(ctx, "SELECT "+columnsOfAnswer+" FROM call WHERE run = $1 AND outcome <> 1", j.id)
		defer rows.Close()
		for rows.Next() {
			var a answer
			if err := a.scan(rows); err != nil {
				return err
			}
			if a.damaged != nil {
				return a.damaged
			}
		}
		return rows.Err()
	})
}

// StartFresh implements store.Journal.
func (j *Journal) StartFresh(ctx context.Context) (begun bool, err error) {
	err = j.store.do(ctx, "start a fresh run", func(ctx context.Context) error {
		tag, err := j.store.pool.Exec(ctx, `UPDATE run SET fresh_from = (SELECT coalesce(max(id), 0) FROM call), fresh_ended = false
			WHERE id = $1 AND fresh_ended IS DISTINCT FROM false`, j.id)
		if err == nil {
			begun = begun || tag.RowsAffected() > 0
			j.from, err = j.store.freshFrom(ctx, j.name)
		}
		return err
	})
	return begun && err == nil, err
}

// EndFresh implements store.Journal.
func (j *Journal) EndFresh() error {
	if j.from == (since{}) {
		return nil
	}
	return j.exec("end a fresh run", "UPDATE run SET fresh_ended = true WHERE id = $1")
}

// freshFrom returns from where on answers count in a fresh run that has not come to its
// end, zero if there is none.
func (s *Store) freshFrom(ctx context.Context, name string) (from since, err error) {
	err = s.retry(ctx, func(ctx context.Context) error {
		return s.pool.QueryRow(ctx, "SELECT id, fresh_from FROM run WHERE name = $1 AND NOT fresh_ended", pgtext.Encode(name)).Scan(&from.run, &from.call)
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return since{}, nil
	}
	return from, err
}

// Close implements store.Journal.
func (j *Journal) Close() error {
	j.mu.Lock()
	again := j.closed
	j.closed = true
	j.mu.Unlock()
	if again {
		return nil
	}
	j.inside.Wait()
	err := j.writer.close()
	j.lookups.close()
	j.claims.close()
	// Which answers of other runs were used is noted again by the next command.
	ctx, cancel := context.WithTimeout(context.Background(), hurry)
	defer cancel()
	if used := j.writeUsed(ctx); err == nil && omniscope.KindOf(used) != omniscope.Unreachable && ctx.Err() == nil {
		err = used
	}
	_ = j.writeMarks(ctx)
	j.writer.forgetReceipt(ctx)
	j.holder.close(ctx)
	j.hurried()
	j.stop()
	return j.store.fail("close run", err)
}
