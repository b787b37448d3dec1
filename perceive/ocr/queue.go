package ocr

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"

	"omniscope/internal/scratch"
)

// mostPictures are read by one process: tesseract loads its network when it starts, which costs several times what a picture does.
const mostPictures = 10

// A queue is the pictures of one clip that are to be read. They wait as files, since one is a megabyte.
type queue struct {
	tool    *Tool
	ctx     context.Context
	cancel  context.CancelCauseFunc
	folder  *scratch.Folder
	files   int
	waiting map[string]*batch // by layout
	running sync.WaitGroup
}

// A batch is what one process reads.
type batch struct {
	layout string
	files  []string
	jobs   []*job
}

func (t *Tool) newQueue(ctx context.Context) (*queue, error) {
	folder, err := scratch.New()
	if err != nil {
		return nil, fmt.Errorf("folder for pictures: %w", err)
	}
	q := &queue{tool: t, folder: folder, waiting: make(map[string]*batch)}
	q.ctx, q.cancel = context.WithCancelCause(ctx)
	return q, nil
}

// add has a picture read, at the latest by end.
func (q *queue) add(j *job, picture []byte, layout string) error {
	file := filepath.Join(q.folder.Path, strconv.Itoa(q.files))
	q.files++
	if err := os.WriteFile(file, picture, 0o600); err != nil {
		return fmt.Errorf("keep a picture to be read: %w", err)
	}
	b := q.waiting[layout]
	if b == nil {
		b = &batch{layout: layout}
		q.waiting[layout] = b
	}
	b.files, b.jobs = append(b.files, file), append(b.jobs, j)
	if len(b.files) < mostPictures {
		return nil
	}
	delete(q.waiting, layout)
	return q.start(b)
}

// start has a batch read as soon as it is its turn.
func (q *queue) start(b *batch) error {
	select {
	case q.tool.turns <- struct{}{}:
	case <-q.ctx.Done():
		return context.Cause(q.ctx)
	}
	q.running.Go(func() {
		defer func() { <-q.tool.turns }()
		if err := q.read(b); err != nil {
			q.cancel(err)
		}
	})
	return nil
}

func (q *queue) read(b *batch) error {
	words, err := q.tool.words(q.ctx, b.files, b.layout)
	for i, j := range b.jobs {
		if err == nil {
			j.words = words[i]
		}
		err = errors.Join(err, os.Remove(b.files[i]))
	}
	return err
}

// end has the rest read, and returns when all is: jobs have their words then.
func (q *queue) end() error {
	for _, b := range q.waiting {
		if q.start(b) != nil {
			break
		}
	}
	q.running.Wait()
	err := context.Cause(q.ctx)
	q.cancel(nil)
	return errors.Join(err, q.folder.Close())
}
