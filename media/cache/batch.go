package cache

import (
	"bytes"
	"context"
	"slices"
	"sync"

	"omniscope"
	"omniscope/media"
)

// A takeQueue takes frames and sound of short files: while programs are running,
// files gather, and the next program reads several of them.
type takeQueue struct {
	programs int // that run at the same time

	mu      sync.Mutex
	running int
	waiting []*takeJob
}

type takeJob struct {
	ctx  context.Context
	take *media.Take
	done chan struct{}
	err  error
}

// mostTakes bounds the takes of one queue at a time, for each of its programs: as
// many as one program may read, and as many that gather meanwhile.
const mostTakes = 64

// do returns a take with its results. Sound next to frames is missing (Heard = nil) if
// it has to be read by Speech.
func (q *takeQueue) do(ctx context.Context, take media.Take) (*media.Take, error) {
	j := &takeJob{ctx: ctx, take: &take, done: make(chan struct{})}
	q.mu.Lock()
	q.waiting = append(q.waiting, j)
	if q.running < q.programs {
		q.running++
		go q.work()
	}
	q.mu.Unlock()
	select {
	case <-j.done:
		return j.take, j.err
	case <-ctx.Done():
		return nil, ctx.Err() // a program may still be at work on j.take
	}
}

// work does what is waiting.
func (q *takeQueue) work() {
	for jobs := q.next(); jobs != nil; jobs = q.next() {
		doJobs(jobs)
		for _, j := range jobs {
			close(j.done)
		}
	}
}

// next takes jobs from the queue, up to the work of one program and the queue's
// share of what is waiting; nil ends the worker.
func (q *takeQueue) next() (jobs []*takeJob) {
	const few = 8 // at which to start a program costs less than all the rest
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = slices.DeleteFunc(q.waiting, func(j *takeJob) bool { return j.ctx.Err() != nil })
	if len(q.waiting) == 0 {
		q.running--
		return nil
	}
	n, work := 1, q.waiting[0].take.Share()
	for most := max(few, (len(q.waiting)+q.programs-1)/q.programs); n < min(most, len(q.waiting)); n++ {
		const rounding = 1e-9
		if work += q.waiting[n].take.Share(); work > 1+rounding {
			break
		}
	}
	jobs = slices.Clone(q.waiting[:n])
	q.waiting = slices.Delete(q.waiting, 0, n)
	return jobs
}

// doJobs takes all with one program. If anything is wrong with one of them, each half
// has a program, so that few others are read again.
func doJobs(jobs []*takeJob) {
	one := len(jobs) == 1
	if !(one && jobs[0].take.Frames == nil) && together(jobs) {
		return
	}
	if one {
		jobs[0].alone()
		return
	}
	doJobs(jobs[:len(jobs)/2])
	doJobs(jobs[len(jobs)/2:])
}

// alone reads one file by the functions that report what is wrong with it. Sound next
// to frames is left to a call of its own.
func (j *takeJob) alone() {
	t, all := j.take, omniscope.Span{}
	if t.Frames != nil {
		t.Sampled, j.err = media.Frames(j.ctx, t.File, *t.Frames, all, "")
		return
	}
	var pcm bytes.Buffer
	t.Heard, j.err = media.Speech(j.ctx, t.File, all, &pcm)
	t.PCM = pcm.Bytes()
}

// together reads all files with one program, unless something is wrong with one
// of them. It is stopped once no file is wanted any more.
func together(jobs []*takeJob) bool {
	ctx, cancel := context.WithCancel(context.WithoutCancel(jobs[0].ctx))
	defer cancel()
	var left sync.WaitGroup
	left.Add(len(jobs))
	takes := make([]*media.Take, len(jobs))
	for i, j := range jobs {
		takes[i] = &media.Take{File: j.take.File, Frames: j.take.Frames, Sound: j.take.Sound}
		stop := context.AfterFunc(j.ctx, left.Done)
		defer func() {
			if stop() {
				left.Done()
			}
		}()
	}
	go func() { left.Wait(); cancel() }()
	if media.TakeTogether(ctx, takes) != nil {
		return false
	}
	for i, j := range jobs {
		j.take = takes[i]
	}
	return true
}
