// Package river hands the parts of runs to processes on many machines, by a queue in the
// journal's database (River). A part is a range of a run's units. What its units mean,
// and where their answers go, is the business of those who do them: a part may be done
// twice, and is done at least once unless its run is cancelled.
package river

import (
	"cmp"
	"context"
	"errors"
	"io"
	"iter"
	"log/slog"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"

	"omniscope"
	"omniscope/run"
)

// A Part is the units From to To-1 of a run.
type Part struct {
	Run   string `json:"run"`
	Order string `json:"order"` // by which the run was handed out
	From  int    `json:"from"`
	To    int    `json:"to"`
}

// Kind names the job for River.
func (Part) Kind() string { return "omniscope_part" }

const (
	// longest is how long a part may take. It is not what finds workers that died: their
	// leases in the journal do.
	longest = time.Hour
	// waitToFetch is how long a worker gathers before it fetches parts again.
	waitToFetch = 20 * time.Millisecond
	// mostTries of a part that ends with a passing error.
	mostTries = 10
	// setup is the advisory lock under which processes make River's tables in turn.
	setup = 0x6f6d6e6971756575
)

// A Queue is the queue of a database. It is safe for concurrent use.
type Queue struct {
	pool   *pgxpool.Pool
	client *river.Client[pgx.Tx]
}

// Open opens the queue in the database at an address, and makes its tables if they are
// not there.
func Open(ctx context.Context, address string) (*Queue, error) {
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, omniscope.Usagef("the database's address cannot be read") // err may quote its password
	}
	config.MaxConns = 6
	config.ConnConfig.RuntimeParams["application_name"] = "omniscope-queue"
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	q := &Queue{pool: pool}
	if err := q.migrate(ctx); err != nil {
		pool.Close()
		return nil, err
	}
	if q.client, err = river.NewClient(riverpgxv5.New(pool), &river.Config{Logger: silent()}); err != nil {
		pool.Close()
		return nil, err
	}
	return q, nil
}

// silent is a log nobody reads: what goes wrong is told by errors.
func silent() *slog.Logger { return slog.New(slog.NewTextHandler(io.Discard, nil)) }

// migrate makes River's tables, one process at a time. Each of its steps is a
// transaction of its own.
func (q *Queue) migrate(ctx context.Context) error {
	return q.pool.AcquireFunc(ctx, func(c *pgxpool.Conn) error {
		if _, err := c.Exec(ctx, "SELECT pg_advisory_lock($1)", int64(setup)); err != nil {
			return err
		}
		defer func() { _, _ = c.Exec(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock($1)", int64(setup)) }()
		migrator, err := rivermigrate.New(riverpgxv5.New(q.pool), &rivermigrate.Config{Logger: silent()})
		if err != nil {
			return err
		}
		_, err = migrator.Migrate(ctx, rivermigrate.DirectionUp, nil)
		return err
	})
}

// Close closes the queue.
func (q *Queue) Close() { q.pool.Close() }

// Parts yields the units 0 to units-1 of a run, so many in each part.
func Parts(name, order string, units, each int) iter.Seq[Part] {
	return func(yield func(Part) bool) {
		for from := 0; from < units; from += each {
			if !yield(Part{name, order, from, min(from+each, units)}) {
				return
			}
		}
	}
}

// Add puts parts into a named queue.
func (q *Queue) Add(ctx context.Context, queue string, parts iter.Seq[Part]) error {
	const together = 1000
	for chunk := range slices.Chunk(slices.Collect(parts), together) {
		params := make([]river.InsertManyParams, len(chunk))
		for i, part := range chunk {
			params[i] = river.InsertManyParams{Args: part, InsertOpts: &river.InsertOpts{Queue: queue, MaxAttempts: mostTries}}
		}
		if _, err := q.client.InsertManyFast(ctx, params); err != nil {
			return err
		}
	}
	return nil
}

// drop removes what waits of a run.
func (q *Queue) drop(ctx context.Context, name string) error {
	_, err := q.pool.Exec(ctx, "DELETE FROM river_job WHERE kind = $1 AND args->>'run' = $2 AND state <> 'running'", Part{}.Kind(), name)
	return err
}

// Cancel removes what waits of a run, and has those who work on it wind down.
func (q *Queue) Cancel(ctx context.Context, name string) error {
	if err := q.drop(ctx, name); err != nil {
		return err
	}
	rows, err := q.pool.Query(ctx, "SELECT id FROM river_job WHERE kind = $1 AND args->>'run' = $2 AND state = 'running'", Part{}.Kind(), name)
	if err != nil {
		return err
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return err
	}
	for _, id := range ids {
		if _, err := q.client.JobCancel(ctx, id); err != nil && !errors.Is(err, river.ErrNotFound) {
			return err
		}
	}
	return nil
}

// Forget removes everything of a run, whatever became of it.
func (q *Queue) Forget(ctx context.Context, name string) error {
	_, err := q.pool.Exec(ctx, "DELETE FROM river_job WHERE kind = $1 AND args->>'run' = $2", Part{}.Kind(), name)
	return err
}

// Hasten has parts wait no longer than they should: when they are offered again was said
// by a worker's clock, which may be wrong.
func (q *Queue) Hasten(ctx context.Context, name string) error {
	_, err := q.pool.Exec(ctx, `UPDATE river_job SET scheduled_at = now() WHERE kind = $1 AND args->>'run' = $2
		AND state IN ('available', 'scheduled', 'retryable') AND scheduled_at > now() + $3::float8 * interval '1 second'`, Part{}.Kind(), name, (2 * mostLater).Seconds())
	return err
}

// A State is what is left to do of a run, in units.
type State struct {
	Waiting int            // for a worker
	Working map[string]int // by the worker's name
	Given   int            // given up, with the error below
	Why     string         // of one that was given up
}

// Left is how many units are not done.
func (s State) Left() (n int) {
	n = s.Waiting + s.Given
	for _, units := range s.Working {
		n += units
	}
	return n
}

// State says what is left to do of a run.
func (q *Queue) State(ctx context.Context, name string) (s State, err error) {
	s.Working = make(map[string]int)
	rows, err := q.pool.Query(ctx, `SELECT state::text, coalesce(attempted_by[array_upper(attempted_by, 1)], ''), sum((args->>'to')::int - (args->>'from')::int),
			coalesce(max(errors[array_upper(errors, 1)]->>'error'), '')
		FROM river_job WHERE kind = $1 AND args->>'run' = $2 AND state <> 'completed' GROUP BY 1, 2`, Part{}.Kind(), name)
	if err != nil {
		return s, err
	}
	var state, worker, why string
	var units int
	_, err = pgx.ForEachRow(rows, []any{&state, &worker, &units, &why}, func() error {
		switch state {
		case "running":
			s.Working[worker] += units
		case "cancelled", "discarded":
			s.Given += units
			s.Why = cmp.Or(why, s.Why)
		default:
			s.Waiting += units
		}
		return nil
	})
	return s, err
}

// Serving says who serves the queue, and how much at a time.
type Serving struct {
	Name   string         // of the worker, unlike any other's
	Queues map[string]int // parts at a time, by the queue's name
	Jobs   *Jobs          // kept up to date; may be nil
}

// Jobs are the jobs that a worker has in hand, by their numbers. It is safe for concurrent
// use.
type Jobs struct {
	mu   sync.Mutex
	hand map[int64]bool
}

func (j *Jobs) set(id int64, inHand bool) {
	if j == nil {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.hand == nil {
		j.hand = make(map[int64]bool)
	}
	if delete(j.hand, id); inHand {
		j.hand[id] = true
	}
}

// List returns the jobs in hand.
func (j *Jobs) List() []int64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.AppendSeq(make([]int64, 0, len(j.hand)), maps.Keys(j.hand))
}

// A running is a job that the queue takes for being done.
type running struct {
	Job    int64
	Worker string
	Since  time.Time // by the server's clock
}

// Running lists the jobs of a run that the queue takes for being done. A worker whose
// connection was cut while it fetched a job never got it.
func (q *Queue) Running(ctx context.Context, name string) ([]running, error) {
	rows, err := q.pool.Query(ctx, `SELECT id, coalesce(attempted_by[array_upper(attempted_by, 1)], ''), attempted_at
		FROM river_job WHERE kind = $1 AND args->>'run' = $2 AND state = 'running'`, Part{}.Kind(), name)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[running])
}

// PutBack has jobs wait again that nobody has in hand.
func (q *Queue) PutBack(ctx context.Context, jobs []int64) error {
	_, err := q.pool.Exec(ctx, "UPDATE river_job SET state = 'available', scheduled_at = now() WHERE id = ANY($1) AND state = 'running'", jobs)
	return err
}

// ErrLater is returned for a part that this worker cannot do: another may.
var ErrLater = errors.New("this worker does not do it")

// Serve does parts until ctx ends, and lets those under way wind down: the context that
// do gets is one of run.WithStop. A part whose do returns an error that wraps ErrLater
// is put back for other workers; one that ends with a Transient error is tried again in
// a while; any other error gives the part up.
func (q *Queue) Serve(ctx context.Context, s Serving, do func(context.Context, Part) error) error {
	workers := river.NewWorkers()
	river.AddWorker(workers, &worker{do: do, jobs: s.Jobs})
	queues := make(map[string]river.QueueConfig)
	for name, parts := range s.Queues {
		queues[name] = river.QueueConfig{MaxWorkers: parts, FetchCooldown: waitToFetch}
	}
	client, err := river.NewClient(riverpgxv5.New(q.pool), &river.Config{
		ID: s.Name, Workers: workers, Queues: queues, Logger: silent(), FetchOnlyKnownKinds: true,
		JobTimeout: longest, RescueStuckJobsAfter: longest + time.Minute, CompletedJobRetentionPeriod: time.Hour,
	})
	if err != nil {
		return err
	}
	if err := client.Start(context.WithoutCancel(ctx)); err != nil {
		return err
	}
	<-ctx.Done()
	return client.StopAndCancel(context.WithoutCancel(ctx))
}

type worker struct {
	river.WorkerDefaults[Part]
	do   func(context.Context, Part) error
	jobs *Jobs
}

// Work implements river.Worker. Its context only winds the part down: calls on the wire
// have to be paid, so they may end.
func (w *worker) Work(ctx context.Context, job *river.Job[Part]) error {
	w.jobs.set(job.ID, true)
	defer w.jobs.set(job.ID, false)
	err := w.do(run.WithStop(ctx), job.Args)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, ErrLater):
		return river.JobSnooze(later())
	case ctx.Err() != nil: // the worker ends, or the run is cancelled
		return river.JobSnooze(0)
	case omniscope.KindOf(err) == omniscope.Transient:
		return err
	}
	return river.JobCancel(err)
}

// later is when a part is offered again that a worker could not do. It is shorter than the
// interval of the scheduler, which tells workers one after another, and always the same one
// first: so they find the part by looking, once a second. It is never the same twice, or a worker
// that looks just after it put the part back would be the first each time.
func later() time.Duration { return mostLater/2 + rand.N(mostLater/2) }

const mostLater = 4 * time.Second

// NextRetry implements river.Worker.
func (w *worker) NextRetry(*river.Job[Part]) time.Time { return time.Now().Add(time.Second) }
