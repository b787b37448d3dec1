package sqlite

import (
	"errors"
	"fmt"
	"time"

	"omniscope"
	"omniscope/run"
	"omniscope/run/journal"
)

const (
	// batchMost bounds one commit, and so the time a single answer waits for it.
	batchMost = 1024
	// When answers come so fast that the last batch held more than busyBatch,
	// waiting up to gather for as many more makes half as many commits, each of
	// which costs as much as dozens of answers. Where all who wait for a commit
	// come back at once, waiting longer would gain no answer. Batches of more than
	// fewBatch wait for busyBatch, as long as other calls are under way.
	fewBatch   = 3
	busyBatch  = 32
	gather     = 8 * time.Millisecond
	gatherStep = time.Millisecond
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
		if last := len(batch); last > busyBatch {
			j.gather(func() bool { return len(j.queue) >= last-1 })
		} else if last > fewBatch {
			j.gather(func() bool { return len(j.queue) >= busyBatch || len(j.queue) >= int(run.InFlight())-1 })
		}
		batch = append(batch[:0], p)
		for len(batch) < batchMost && len(j.queue) > 0 {
			batch = append(batch, <-j.queue)
		}
		err := j.commit(batch)
		if err == nil {
			j.store.known.add(usable(batch)...) // calls that go on at once would wait for each other at its lock
		}
		for i, p := range batch {
			p.done <- err
			batch[i] = nil
		}
	}
}

// usable returns the keys of the usable answers.
func usable(batch []*pending) []run.Key {
	keys := make([]run.Key, 0, len(batch))
	for _, p := range batch {
		if p.entry.Outcome == omniscope.OK {
			keys = append(keys, p.entry.Key)
		}
	}
	return keys
}

// gather waits until enough answers are in the queue, or a while has gone by.
func (j *Journal) gather(enough func() bool) {
	for end := time.Now().Add(gather); !enough() && time.Now().Before(end); {
		time.Sleep(gatherStep)
	}
}

// commit makes a batch durable. If only the request texts cannot be written, it
// still writes the answers, and the error stops the run. A full disk also stops
// the run, even if the reserved space was enough for the answers.
func (j *Journal) commit(batch []*pending) error {
	texts, at := make([][]byte, len(batch)), make([]int64, len(batch))
	for i, p := range batch {
		texts[i], at[i] = p.entry.Request, -1
	}
	requestErr := j.requests.append(texts, at)
	if j.store.isFull(requestErr) && j.store.release() {
		j.full = requestErr
		requestErr = j.requests.append(texts, at)
	}
	err := j.insert(batch, at)
	if j.store.isFull(err) && j.store.release() {
		j.full = err
		err = j.insert(batch, at)
	}
	switch {
	case err != nil || requestErr != nil:
		return errors.Join(err, requestErr)
	case j.full != nil:
		return fmt.Errorf("%w (the answer is kept in the reserved space)", j.full)
	}
	return nil
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
			size = 0
		}
		result := e.Result
		if result == nil {
			result = []byte{}
		}
		if _, err := insert.Exec(e.Key[:], j.runID, e.Step, e.Attempt, e.Kind, e.Source, int(e.Outcome),
			e.Started.UnixMicro(), max(at[i], 0), size, result,
			e.Cost.TokensIn, e.Cost.TokensOut, e.Cost.USD, e.Cost.Tries, e.Cost.RateLimited,
			e.Cost.Lost.Tries, e.Cost.Lost.TokensIn, e.Cost.Lost.TokensOut, e.Cost.Lost.USD, journal.RowChecksum(e), journal.RequestChecksum(e.Request)); err != nil {
			return err
		}
	}
	return tx.Commit()
}
