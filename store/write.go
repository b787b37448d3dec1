package store

import (
	"errors"
	"time"

	"omniscope/run"
)

const (
	// batchMost bounds one commit, and so the time a single answer waits for it.
	batchMost = 1024
	// When answers come so fast that the last batch held more than busyBatch,
	// waiting gather for more makes half as many commits, each of which costs as
	// much as dozens of answers.
	busyBatch = 32
	gather    = 8 * time.Millisecond
	// resultMost is well below what SQLite takes, so that one absurd result
	// fails alone and not with the batch it is in.
	resultMost = 512 << 20
)

type pending struct {
	entry *run.Entry
	done  chan error // takes one value without waiting
}

// writeLoop commits together the answers that arrive together (group commit):
// while one commit is on its way to the disk, the next batch gathers. It ends
// when the queue is closed and empty.
func (j *Journal) writeLoop() {
	var batch []*pending
	for p := range j.queue {
		if len(batch) > busyBatch {
			time.Sleep(gather)
		}
		batch = append(batch[:0], p)
		for len(batch) < batchMost && len(j.queue) > 0 {
			batch = append(batch, <-j.queue)
		}
		err := j.commit(batch)
		for i, p := range batch {
			p.done <- err
			batch[i] = nil
		}
	}
}

// commit makes a batch durable. Where only the request texts cannot be
// written, the answers are kept all the same, and the error stops the run.
func (j *Journal) commit(batch []*pending) error {
	texts := make([][]byte, len(batch))
	for i, p := range batch {
		texts[i] = p.entry.Request
	}
	at, requestErr := j.requests.append(texts)
	return errors.Join(j.insert(batch, at), requestErr)
}

func (j *Journal) insert(batch []*pending, at []int64) error {
	tx, err := j.store.write.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	insert := tx.Stmt(j.store.insert)
	for i, p := range batch {
		e, size := p.entry, len(p.entry.Request)
		if at[i] < 0 {
			at[i], size = 0, 0
		}
		result := e.Result
		if result == nil {
			result = []byte{}
		}
		if _, err := insert.Exec(e.Key[:], j.runID, e.Step, e.Attempt, e.Kind, e.Source, int(e.Outcome),
			e.Started.UnixMicro(), at[i], size, result); err != nil {
			return err
		}
	}
	return tx.Commit()
}
