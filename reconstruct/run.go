package reconstruct

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"omniscope"
	"omniscope/internal/bytesize"
	"omniscope/media"
	"omniscope/run"
)

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
	ledger   *Ledger
	orders   int
	cost     float64
	failures map[string]Failure
}

// A Result is what a run came to.
type Result struct {
	Made     map[string]Made    // by the names of jobs
	Failures map[string]Failure // likewise
	Orders   int                // of this run, those among them that came to nothing
	CostUSD  float64            // of these, where the price is known
}

// mostUnknown is how often a server says that it does not know a job before that is believed.
const mostUnknown = 3

// longestRetry bounds the wait between two tries.
const longestRetry = 2 * time.Minute

// Do makes the videos of jobs. What failed is in the result; an error stops the run, which the next one
// continues: a refusal that concerns all jobs (kind Denied), a limit (kind Budget), ctx's end.
func (r *Run) Do(ctx context.Context, jobs []Job) (*Result, error) {
	if err := os.MkdirAll(filepath.Join(r.Dir, Folder), 0o755); err != nil {
		return nil, err
	}
	ledger, err := OpenLedger(r.Dir)
	if err != nil {
		return nil, err
	}
	r.ledger, r.failures = ledger, make(map[string]Failure)
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
	result := &Result{Made: make(map[string]Made), Failures: r.failures, Orders: r.orders, CostUSD: r.cost}
	for _, j := range jobs {
		if made := r.there(&j); made != nil {
			result.Made[j.Name] = *made
		}
	}
	return result, errors.Join(err, ledger.Close())
}

// there is what is there of a job's video; nil = nothing, or not what was.
func (r *Run) there(j *Job) *Made {
	made := r.ledger.Of(j.Name).Made
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
	case s.Ordering && slices.Contains(r.Again, Uncertain):
		attempt = s.Attempt // with the same key: a server that knows it gives the same job
	case s.Ordering:
		return r.fail(j, "", Uncertain, "the order was sent and its reply never came, so that the job may be paid for: --order-again orders it once more")
	case s.Outcome != "" && slices.Contains(r.Again, s.Outcome):
		attempt = s.Attempt + 1
	case s.Outcome != "":
		return r.fail(j, s.ID, s.Outcome, s.Why)
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
	r.failures[j.Name] = Failure{Clip: j.Clip, System: j.System, Name: j.Name, Outcome: outcome, Why: why, Job: id}
	return nil
}

// end notes a final outcome, also for the runs to come.
func (r *Run) end(j *Job, id string, outcome Outcome, why string) error {
	if err := r.ledger.Add(Event{Job: j.Name, Event: Ended, Outcome: outcome, Why: why}); err != nil {
		return err
	}
	return r.fail(j, id, outcome, why)
}

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

// OrderKey is the idempotency key of an order: the same for the same attempt, in any run.
func OrderKey(job string, attempt int) string { return fmt.Sprintf("omniscope-%s-%d", job, attempt) }

// order orders a job. Where it returns no id and no error, the failure is noted.
func (r *Run) order(ctx context.Context, j *Job, attempt int) (id string, err error) {
	if run.Stopping(ctx).Err() != nil {
		return "", run.Stopping(ctx).Err()
	}
	if err := r.reserve(j); err != nil {
		return "", err
	}
	for n := 1; ; n++ {
		if err := r.ledger.Add(Event{Job: j.Name, Event: Ordering, Attempt: attempt}); err != nil {
			return "", err
		}
		// The reply of an order is awaited even where the run is stopping: it may be paid for.
		var noted error
		run.Await(func() {
			if id, err = r.Queue.Order(ctx, j, OrderKey(j.Name, attempt)); err == nil {
				noted = r.ledger.Add(Event{Job: j.Name, Event: Ordered, ID: id, Server: r.Server})
			}
		})
		if err == nil {
			return id, noted
		}
		if uncertain, ok := errors.AsType[*UncertainError](err); ok {
			return "", r.fail(j, "", Uncertain, "the order was sent and no reply came, so that the job may be paid for: --order-again orders it once more: "+uncertain.Error())
		}
		if err := r.ledger.Add(Event{Job: j.Name, Event: NotTaken}); err != nil {
			return "", err
		}
		switch kind := omniscope.KindOf(err); {
		case kind == omniscope.Declined:
			r.giveBack(j)
			return "", r.end(j, "", Moderated, err.Error())
		case kind.EndsRun() || run.Stopping(ctx).Err() != nil && kind == omniscope.Transient:
			r.giveBack(j)
			return "", cmp.Or(run.Stopping(ctx).Err(), err)
		case kind != omniscope.Transient || n >= r.Tries:
			r.giveBack(j)
			return "", r.fail(j, "", Rejected, err.Error())
		}
		if err := r.pause(ctx, err, n); err != nil {
			r.giveBack(j)
			return "", err
		}
	}
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

// await asks for a job until its video is ready. Where it is not, the failure is noted.
func (r *Run) await(ctx context.Context, j *Job, id string) (ready bool, err error) {
	ctx = run.Stopping(ctx)
	wait, waited, tries, unknown := r.Poll, time.Duration(0), 0, 0
	for {
		s, err := r.Queue.Status(ctx, id)
		switch kind := omniscope.KindOf(err); {
		case ctx.Err() != nil:
			return false, ctx.Err()
		case err == nil:
			tries = 0
		case kind == omniscope.NotFound && unknown+1 < mostUnknown: // right after an order it may not be listed yet
			if unknown++; r.pause(ctx, err, unknown) != nil {
				return false, ctx.Err()
			}
			continue
		case kind == omniscope.NotFound:
			return false, r.end(j, id, Expired, "the server does not know the job any more: "+err.Error())
		case kind.EndsRun():
			return false, err
		default:
			if tries++; kind != omniscope.Transient || tries >= r.Tries {
				return false, r.fail(j, id, Unavailable, "the job was ordered and could not be asked for: run the same command again: "+err.Error())
			}
			if err := r.pause(ctx, err, tries); err != nil {
				return false, err
			}
			continue
		}
		switch s.State {
		case Ready:
			return true, nil
		case JobFailed:
			return false, r.end(j, id, Failed, s.Why)
		case JobModerated:
			return false, r.end(j, id, Moderated, s.Why)
		case JobExpired:
			return false, r.end(j, id, Expired, cmp.Or(s.Why, "the server says that it expired"))
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

// fetch downloads a video until it is whole.
func (r *Run) fetch(ctx context.Context, j *Job, id string) error {
	ctx = run.Stopping(ctx)
	for n := 1; ; n++ {
		err := r.download(ctx, j, id)
		switch kind := omniscope.KindOf(err); {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, errDisk) || kind.EndsRun():
			return err
		case kind == omniscope.NotFound:
			return r.end(j, id, Expired, "its video is not there any more: "+err.Error())
		case n >= max(r.Tries, 1) || kind != omniscope.Transient && kind != omniscope.Invalid:
			return r.fail(j, id, Unusable, fmt.Sprintf("after %d tries: %v; the same command downloads it again", n, err))
		}
		if err := r.pause(ctx, err, n); err != nil {
			return err
		}
	}
}

// errDisk marks errors of this machine, after which another try would fail alike.
var errDisk = errors.New("the video could not be written")

func (r *Run) download(ctx context.Context, j *Job, id string) error {
	partial := r.path("." + j.Name + ".partial.mp4")
	defer os.Remove(partial)
	f, err := os.Create(partial)
	if err != nil {
		return fmt.Errorf("%w: %w", errDisk, err)
	}
	to := &bounded{f: f, left: r.MaxBytes}
	err = r.Queue.Download(ctx, id, to)
	if to.failed != nil {
		err = to.failed
	} else if err == nil {
		err = f.Sync()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	return r.keep(ctx, j, partial)
}

// A bounded file takes no more than some bytes.
type bounded struct {
	f      *os.File
	left   int64
	failed error
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.left -= int64(len(p)); b.left < 0 {
		b.failed = &omniscope.Error{Kind: omniscope.Malformed, Err: errors.New("it is larger than --max-video-size")}
		return 0, b.failed
	}
	n, err := b.f.Write(p)
	if err != nil {
		b.failed = fmt.Errorf("%w: %w", errDisk, err)
	}
	return n, err
}

// keep checks a video and puts it in its place.
func (r *Run) keep(ctx context.Context, j *Job, partial string) error {
	is, err := Look(ctx, partial)
	if err != nil {
		return err
	}
	made := &Made{Is: is}
	if made.Bytes, made.SHA256, err = digest(partial); err != nil {
		return err
	}
	if err := os.Rename(partial, r.path(j.File())); err != nil {
		return fmt.Errorf("%w: %w", errDisk, err)
	}
	if err := syncFolder(filepath.Join(r.Dir, Folder)); err != nil {
		return err
	}
	return r.ledger.Add(Event{Job: j.Name, Event: Arrived, Made: made})
}

func digest(path string) (bytes int64, sum string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, "", err
	}
	defer f.Close()
	h := sha256.New()
	bytes, err = io.Copy(h, f)
	return bytes, hex.EncodeToString(h.Sum(nil)), err
}

// make has a program make a video. It costs nothing to try again: the next run does.
func (r *Run) make(ctx context.Context, j *Job) error {
	ctx = run.Stopping(ctx)
	if err := r.reserve(j); err != nil {
		return err
	}
	partial := r.path("." + j.Name + ".partial.mp4")
	defer os.Remove(partial)
	if err := os.Remove(partial); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	err := r.Maker.Make(ctx, j, partial)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return r.fail(j, "", NotMade, err.Error())
	}
	info, err := os.Lstat(partial)
	switch {
	case err != nil || !info.Mode().IsRegular():
		return r.fail(j, "", NotMade, "the program ended well and wrote no file to {out}")
	case info.Size() > r.MaxBytes:
		return r.fail(j, "", Unusable, fmt.Sprintf("the video has %s, more than --max-video-size", bytesize.Format(info.Size())))
	}
	err = r.keep(ctx, j, partial)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case omniscope.KindOf(err) == omniscope.Invalid:
		return r.fail(j, "", Unusable, err.Error())
	}
	return err
}

// Look decodes a video as a whole, and measures it. One that breaks off, cannot be decoded or has no
// picture is an error of kind Invalid.
func Look(ctx context.Context, path string) (Measure, error) {
	bad := func(why string) (Measure, error) {
		return Measure{}, &omniscope.Error{Kind: omniscope.Invalid, Op: "what came as a video", Err: errors.New(why)}
	}
	f, err := media.Probe(ctx, path)
	switch {
	case err != nil && omniscope.KindOf(err) == omniscope.Invalid:
		return bad(err.Error())
	case err != nil:
		return Measure{}, err
	case f.Video == nil:
		return bad("it has no picture")
	}
	if whole, why := f.Whole(); !whole {
		return bad(why)
	}
	s, err := media.RunSurvey(ctx, f, media.SurveyOptions{})
	switch {
	case err != nil && omniscope.KindOf(err) == omniscope.Invalid:
		return bad(err.Error())
	case err != nil:
		return Measure{}, err
	case s.Video == nil || len(s.Video.Moments) == 0:
		return bad("no picture of it can be decoded")
	}
	for _, why := range s.Warnings {
		if strings.Contains(why, "cut off") {
			return bad(why)
		}
	}
	return Measure{Seconds: f.End().Seconds(), Cuts: len(s.Video.Cuts), Sound: f.Audio != nil}, nil
}
