package reconstruct

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"omniscope"
	"omniscope/run"
	"omniscope/run/orders"
)

// mostUnknown is how often a server says that it does not know a job before that is believed.
const mostUnknown = 3

// longestRetry bounds the wait between two tries.
const longestRetry = 2 * time.Minute

// reserve takes an order from the limits.
func (r *Run) reserve(j *Job) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	cost := r.Price * j.Seconds
	switch {
	case r.MaxJobs > 0 && r.orders >= r.MaxJobs:
		return &omniscope.Error{Kind: omniscope.Budget, Err: fmt.Errorf("--max-jobs %d is used up: run the same command again to go on", r.MaxJobs)}
	case r.MaxCost > 0 && r.cost+cost > r.MaxCost*(1+1e-9):
		return &omniscope.Error{Kind: omniscope.Budget, Err: fmt.Errorf("--max-cost $%g is used up: $%.2f were ordered, and the next video costs $%.2f; run the same command again to go on", r.MaxCost, r.cost, cost)}
	}
	r.orders++
	r.cost += cost
	return nil
}

// giveBack returns what an order that was not taken took from the limits.
func (r *Run) giveBack(j *Job) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.orders--
	r.cost -= r.Price * j.Seconds
}

// order orders a job. Where it returns no id and no error, the failure is noted.
func (r *Run) order(ctx context.Context, j *Job, attempt int) (id string, err error) {
	if run.Stopping(ctx).Err() != nil {
		return "", run.Stopping(ctx).Err()
	}
	if err := r.reserve(j); err != nil {
		return "", err
	}
	for n := 1; ; n++ {
		id, err = r.ledger.Place(j.Name, attempt, r.Server, func(key string) (string, error) { return r.Queue.Order(ctx, j, key) })
		if _, disk := errors.AsType[*orders.LedgerError](err); err == nil || disk {
			return id, err
		}
		if uncertain, ok := errors.AsType[*orders.UncertainError](err); ok {
			return "", r.fail(j, "", Uncertain, "the order was sent and no reply came, so that the job may be paid for: --order-again orders it once more: "+uncertain.Error())
		}
		if again, err := r.refused(ctx, j, n, err); !again {
			r.giveBack(j)
			return "", err
		}
	}
}

// refused records the outcome of a job after the server refused its order at the nth try. again reports whether to send
// the order again; refused has waited then.
func (r *Run) refused(ctx context.Context, j *Job, n int, err error) (again bool, _ error) {
	stopping := run.Stopping(ctx).Err()
	switch kind := omniscope.KindOf(err); {
	case kind == omniscope.Declined:
		return false, r.end(j, "", Moderated, err.Error())
	case kind.EndsRun() || stopping != nil && kind == omniscope.Transient:
		return false, cmp.Or(stopping, err)
	case kind != omniscope.Transient || n >= r.Tries:
		return false, r.fail(j, "", Rejected, err.Error())
	}
	err = r.pause(ctx, err, n)
	return err == nil, err
}

// pause waits before another try.
func (r *Run) pause(ctx context.Context, err error, tries int) error {
	wait := min(r.RetryWait<<min(tries-1, 10), longestRetry)
	if own, ok := errors.AsType[*omniscope.Error](err); ok && own.RetryAfter > 0 {
		wait = own.RetryAfter
	}
	return r.sleep(ctx, wait)
}

func (r *Run) sleep(ctx context.Context, d time.Duration) error {
	ctx = run.Stopping(ctx)
	if r.Sleep != nil {
		return r.Sleep(ctx, d)
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// endings are the outcomes of jobs that ended without a video, by the server's word for them.
var endings = map[state]Outcome{JobFailed: Failed, JobDenied: Failed, JobModerated: Moderated, JobExpired: Expired}

// await asks for a job until its video is ready. Where it is not, the failure is noted.
func (r *Run) await(ctx context.Context, j *Job, id string) (ready bool, err error) {
	ctx = run.Stopping(ctx)
	wait, waited, unknown := r.Poll, time.Duration(0), 0
	for {
		s, err := r.status(ctx, j, id, &unknown)
		if err != nil || s == nil {
			return false, err
		}
		if s.State == Ready {
			return true, nil
		}
		if outcome, ended := endings[s.State]; ended {
			if s.State == JobExpired {
				s.Why = cmp.Or(s.Why, "the server says that it expired")
			}
			err := r.end(j, id, outcome, s.Why)
			if s.State == JobDenied {
				err = cmp.Or(err, error(&omniscope.Error{Kind: omniscope.Denied, Op: "video " + j.Name, Err: fmt.Errorf("its job failed: %s; --order-again=%s orders it again", s.Why, Failed)}))
			}
			return false, err
		}
		if r.Patience > 0 && waited >= r.Patience {
			return false, r.fail(j, id, Late, fmt.Sprintf("it was not done in %v, %.0f %% were: the same command asks for it again", r.Patience, s.Progress))
		}
		next := max(wait, s.Wait)
		if err := r.sleep(ctx, next); err != nil {
			return false, err
		}
		waited += next
		wait = min(wait*3/2, 10*r.Poll)
	}
}

// status asks for a job, again after failures that may pass. It returns nil without an error where it noted a failure.
// unknown counts the replies that the server does not know the job: right after an order it may not be listed yet.
func (r *Run) status(ctx context.Context, j *Job, id string, unknown *int) (*Status, error) {
	for tries := 0; ; {
		s, err := r.Queue.Status(ctx, id)
		switch kind := omniscope.KindOf(err); {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err == nil:
			return &s, nil
		case kind == omniscope.NotFound && *unknown+1 < mostUnknown:
			if *unknown++; r.pause(ctx, err, *unknown) != nil {
				return nil, ctx.Err()
			}
		case kind == omniscope.NotFound:
			return nil, r.end(j, id, Expired, "the server does not know the job any more: "+err.Error())
		case kind.EndsRun():
			return nil, err
		default:
			if tries++; kind != omniscope.Transient || tries >= r.Tries {
				return nil, r.fail(j, id, Unavailable, "the job was ordered and could not be asked for: run the same command again: "+err.Error())
			}
			if err := r.pause(ctx, err, tries); err != nil {
				return nil, err
			}
		}
	}
}
