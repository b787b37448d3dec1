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

// mostPictures are read by one run of the program. To start it costs four times what a picture does: it loads its network.
const mostPictures = 10

// runs are the runs of the program for one clip. Pictures wait as files, since one is a megabyte.
type runs struct {
	tool    *Tool
	ctx     context.Context
	cancel  context.CancelCauseFunc
	folder  *scratch.Folder
	files   int
	waiting map[string]*batch // by layout
	running sync.WaitGroup
}

// A batch is what one run of the program reads.
type batch struct {
	layout string
	files  []string
	jobs   []*job
}

func (t *Tool) newRuns(ctx context.Context) (*runs, error) {
	folder, err := scratch.New()
	if err != nil {
		return nil, fmt.Errorf("folder for pictures: %w", err)
	}
	r := &runs{tool: t, folder: folder, waiting: make(map[string]*batch)}
	r.ctx, r.cancel = context.WithCancelCause(ctx)
	return r, nil
}

// add has a picture read some time until the end.
func (r *runs) add(j *job, picture []byte, layout string) error {
	file := filepath.Join(r.folder.Path, strconv.Itoa(r.files))
	r.files++
	if err := os.WriteFile(file, picture, 0o600); err != nil {
		return fmt.Errorf("keep a picture to be read: %w", err)
	}
	b := r.waiting[layout]
	if b == nil {
		b = &batch{layout: layout}
		r.waiting[layout] = b
	}
	b.files, b.jobs = append(b.files, file), append(b.jobs, j)
	if len(b.files) < mostPictures {
		return nil
	}
	delete(r.waiting, layout)
	return r.start(b)
}

// start starts a run as soon as it is its turn.
func (r *runs) start(b *batch) error {
	select {
	case r.tool.turns <- struct{}{}:
	case <-r.ctx.Done():
		return context.Cause(r.ctx)
	}
	r.running.Go(func() {
		defer func() { <-r.tool.turns }()
		if err := r.read(b); err != nil {
			r.cancel(err)
		}
	})
	return nil
}

func (r *runs) read(b *batch) error {
	words, err := r.tool.words(r.ctx, b.files, b.layout)
	for i, j := range b.jobs {
		if err == nil {
			j.words = words[i]
		}
		err = errors.Join(err, os.Remove(b.files[i]))
	}
	return err
}

// end has read what waits, and returns when all is read: jobs have their words then.
func (r *runs) end() error {
	for _, b := range r.waiting {
		if r.start(b) != nil {
			break
		}
	}
	r.running.Wait()
	err := context.Cause(r.ctx)
	r.cancel(nil)
	return errors.Join(err, r.folder.Close())
}
