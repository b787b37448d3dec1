package reconstruct

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"omniscope/run"
	"omniscope/run/orders"
)

// LedgerFile is the name of the ledger of orders in a folder of results.
const LedgerFile = "jobs.jsonl"

// A jobState is the state of a job in the ledger.
type jobState = orders.State[madeVideo]

// PeekLedger reads the ledger of a folder without changing it. It returns nil if there is no ledger.
func PeekLedger(dir string) (map[string]jobState, error) {
	return orders.Peek[madeVideo](filepath.Join(dir, LedgerFile))
}

// Folder is where the videos are, below a folder of results.
const Folder = "videos"

// A Run makes the videos of a plan. Either Queue or Maker is set.
type Run struct {
	Dir    string // of the results, locked by the caller
	Queue  Queue
	Maker  Maker
	Server string // where the Queue is: jobs that were ordered elsewhere are not asked for there
	Engine run.Engine

	Again     []Outcome     // final outcomes after which a job is ordered once more
	MaxJobs   int           // orders of this run; 0 = no limit
	MaxCost   float64       // US dollars that the orders of this run may cost; 0 = no limit
	Price     float64       // US dollars a second
	MaxBytes  int64         // of a video
	Tries     int           // of a request that fails for a passing reason, and of a download; 0 = 1
	Poll      time.Duration // before a job is asked for again, at first; it grows to ten times as much
	Patience  time.Duration // with one job of a Queue; 0 = no limit
	RetryWait time.Duration // before a second try; it doubles
	Done      func()        // is told of each job that came to an end; nil = nobody

	// Sleep waits, or returns ctx's error; nil = time passes.
	Sleep func(ctx context.Context, d time.Duration) error

	mu       sync.Mutex
	ledger   *orders.Ledger[madeVideo]
	orders   int
	cost     float64
	failures map[string]failure
}

// A Result is what a run came to.
type Result struct {
	Made     map[string]madeVideo // by the names of jobs
	Failures map[string]failure   // likewise
	Orders   int                  // of this run, those among them that came to nothing
	CostUSD  float64              // of these, where the price is known
	All      int                  // orders of all runs in the folder
	AllUSD   float64              // of these, at the price of this run
}

// Do makes the videos of jobs. What failed is in the result; an error stops the run, which the next one
// continues: a refusal that concerns all jobs (kind Denied), a limit (kind Budget), ctx's end.
func (r *Run) Do(ctx context.Context, jobs []Job) (*Result, error) {
	if err := os.MkdirAll(filepath.Join(r.Dir, Folder), 0o755); err != nil {
		return nil, err
	}
	ledger, err := orders.Open[madeVideo](filepath.Join(r.Dir, LedgerFile))
	if err != nil {
		return nil, err
	}
	r.ledger, r.failures = ledger, make(map[string]failure)
	err = r.Engine.Run(ctx, func(yield func(run.Job) bool) {
		for i, j := range jobs {
			if !yield(run.Job{ID: j.Name, Seq: i}) {
				return
			}
		}
	}, func(ctx context.Context, one run.Job) error {
		err := r.one(ctx, &jobs[one.Seq])
		if err == nil && r.Done != nil {
			r.Done()
		}
		return err
	})
	result := &Result{Made: make(map[string]madeVideo), Failures: r.failures, Orders: r.orders, CostUSD: r.cost}
	for _, j := range jobs {
		if made := r.there(&j); made != nil {
			result.Made[j.Name] = *made
		}
		s := ledger.Of(j.Name)
		result.All += s.Paid()
		result.AllUSD += float64(s.Paid()) * r.Price * j.Seconds
	}
	return result, errors.Join(err, ledger.Close())
}

// there is what is there of a job's video; nil = nothing, or not what was.
func (r *Run) there(j *Job) *madeVideo {
	made := r.ledger.Of(j.Name).Brought
	if made == nil {
		return nil
	}
	if info, err := os.Lstat(r.path(j.File())); err != nil || !info.Mode().IsRegular() || info.Size() != made.Bytes {
		return nil
	}
	return made
}

func (r *Run) path(name string) string { return filepath.Join(r.Dir, Folder, name) }

// one makes the video of a job, from where it is.
func (r *Run) one(ctx context.Context, j *Job) error {
	if r.there(j) != nil {
		return nil
	}
	if r.Maker != nil {
		return r.make(ctx, j)
	}
	s := r.ledger.Of(j.Name)
	attempt := 0
	switch {
	case s.Uncertain && slices.Contains(r.Again, Uncertain):
		attempt = s.Attempt // with the same key: a server that knows it gives the same job
	case s.Uncertain:
		return r.fail(j, "", Uncertain, "the order was sent and its reply never came, so that the job may be paid for: --order-again orders it once more")
	case s.Outcome != "" && slices.Contains(r.Again, Outcome(s.Outcome)):
		attempt = s.Attempt + 1
	case s.Outcome != "":
		return r.fail(j, s.ID, Outcome(s.Outcome), s.Why)
	case s.ID == "":
		attempt = max(1, s.Attempt)
	case s.Server != r.Server:
		return r.fail(j, s.ID, Unavailable, fmt.Sprintf("it was ordered at %s, not at %s: give that address, or another --out", s.Server, r.Server))
	}
	if attempt > 0 {
		id, err := r.order(ctx, j, attempt)
		if id == "" {
			return err
		}
		s.ID = id
	}
	ready, err := r.await(ctx, j, s.ID)
	if !ready || err != nil {
		return err
	}
	return r.fetch(ctx, j, s.ID)
}

// fail notes what became of a job.
func (r *Run) fail(j *Job, id string, outcome Outcome, why string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failures[j.Name] = failure{Clip: j.Clip, System: j.System, Name: j.Name, Outcome: outcome, Why: why, Job: id}
	return nil
}

// end notes a final outcome, also for the runs to come.
func (r *Run) end(j *Job, id string, outcome Outcome, why string) error {
	if err := r.ledger.End(j.Name, string(outcome), why); err != nil {
		return err
	}
	return r.fail(j, id, outcome, why)
}
