package cache

import (
	"bytes"
	"context"
	"slices"
	"sync"

	"omniscope"
	"omniscope/media"
)

// mostInBatch is how many files one program reads. At eight, starting it costs
// less than all the rest.
const mostInBatch = 8

// A soundQueue extracts the sound of short files: while programs are running,
// files gather, and the next program reads several of them.
type soundQueue struct {
	programs int // that run at the same time

	mu      sync.Mutex
	running int
	waiting []*soundJob
}

type soundJob struct {
	ctx   context.Context
	file  *media.File
	done  chan struct{}
	pcm   []byte
	heard *media.AudioSummary
	err   error
}

// speech returns all sound of a file, as media.Speech writes it.
func (q *soundQueue) speech(ctx context.Context, f *media.File) ([]byte, *media.AudioSummary, error) {
	j := &soundJob{ctx: ctx, file: f, done: make(chan struct{})}
	q.mu.Lock()
	q.waiting = append(q.waiting, j)
	if q.running < q.programs {
		q.running++
		go q.work()
	}
	q.mu.Unlock()
	select {
	case <-j.done:
		return j.pcm, j.heard, j.err
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
}

// work does what is waiting.
func (q *soundQueue) work() {
	for {
		jobs := q.next()
		if jobs == nil {
			return
		}
		if len(jobs) == 1 || !together(jobs) {
			for _, j := range jobs {
				j.alone()
			}
		}
		for _, j := range jobs {
			close(j.done)
		}
	}
}

// next takes jobs from the queue; nil ends the worker.
func (q *soundQueue) next() []*soundJob {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = slices.DeleteFunc(q.waiting, func(j *soundJob) bool { return j.ctx.Err() != nil })
	n := min(len(q.waiting), mostInBatch)
	if n == 0 {
		q.running--
		return nil
	}
	jobs := slices.Clone(q.waiting[:n])
	q.waiting = slices.Delete(q.waiting, 0, n)
	return jobs
}

// alone reads one file.
func (j *soundJob) alone() {
	var pcm bytes.Buffer
	j.heard, j.err = media.Speech(j.ctx, j.file, omniscope.Span{}, &pcm)
	j.pcm = pcm.Bytes()
}

// together reads all files with one program, unless something is wrong with one
// of them. It is stopped once no file is wanted any more.
func together(jobs []*soundJob) bool {
	ctx, cancel := context.WithCancel(context.WithoutCancel(jobs[0].ctx))
	defer cancel()
	var left sync.WaitGroup
	left.Add(len(jobs))
	files := make([]*media.File, len(jobs))
	for i, j := range jobs {
		files[i] = j.file
		stop := context.AfterFunc(j.ctx, left.Done)
		defer func() {
			if stop() {
				left.Done()
			}
		}()
	}
	go func() { left.Wait(); cancel() }()
	pcm, heard, err := media.SpeechOfSeveral(ctx, files)
	if err != nil {
		return false
	}
	for i, j := range jobs {
		j.pcm, j.heard = pcm[i], heard[i]
	}
	return true
}
