package store

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"iter"
	"time"

	"omniscope"
	"omniscope/run"
)

// A Finding is one thing that is damaged in the journal.
type Finding struct {
	Run  string // "" = the file as a whole
	ID   int64  // of the call; 0 = none
	Step string
	What string
}

// A Verified is how much was checked.
type Verified struct {
	Calls    int
	Without  int // calls of journals of version 1, which carry no checksum
	Requests int // texts of requests
	Lost     int // texts that are not there any more: harmless
	Damaged  int // findings
}

// String says what is damaged where.
func (f Finding) String() string {
	where := "the file"
	if f.Run != "" {
		where = "run " + f.Run
	}
	if f.ID > 0 {
		where += fmt.Sprintf(", call %d (%s)", f.ID, f.Step)
	}
	return where + ": " + f.What
}

// String says how much was checked.
func (v Verified) String() string {
	text := fmt.Sprintf("checked %d calls and %d texts of requests", v.Calls, v.Requests)
	if v.Without > 0 {
		text += fmt.Sprintf("; %d calls of an older version carry no checksum", v.Without)
	}
	if v.Lost > 0 {
		text += fmt.Sprintf("; %d texts of requests are lost, which harms no answer", v.Lost)
	}
	return text
}

// Err is an error of kind Invalid if something is damaged. It says what to do.
func (v Verified) Err() error {
	if v.Damaged == 0 {
		return nil
	}
	return &omniscope.Error{Kind: omniscope.Invalid, Err: fmt.Errorf("%d of them damaged: --ask-damaged asks again where a run needs such an answer; "+
		"`omniscope journal recover` saves all others into a new journal", v.Damaged)}
}

// Verify checks what SQLite can check of the file, and every call with its
// request's text, of the run called name or of all. It calls found with what is
// damaged.
func (s *Store) Verify(ctx context.Context, name string, found func(Finding)) (sum Verified, err error) {
	for f, err := range s.findings(ctx, name, &sum) {
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return sum, err
		}
		sum.Damaged++
		found(f)
	}
	return sum, nil
}

func (s *Store) findings(ctx context.Context, name string, sum *Verified) iter.Seq2[Finding, error] {
	return func(yield func(Finding, error) bool) {
		if !s.checkFile(ctx, yield) {
			return
		}
		runs := []string{name}
		if name == "" {
			all, err := s.Runs(ctx)
			if err != nil {
				yield(Finding{}, err)
				return
			}
			runs = runs[:0]
			for _, r := range all {
				runs = append(runs, r.Name)
			}
		}
		for _, run := range runs {
			if !s.checkRun(ctx, run, sum, yield) {
				return
			}
		}
	}
}

// checkFile asks SQLite whether tables and indexes are whole.
func (s *Store) checkFile(ctx context.Context, yield func(Finding, error) bool) bool {
	rows, err := s.read.QueryContext(ctx, "PRAGMA integrity_check(20)")
	if err != nil {
		return yield(Finding{What: err.Error()}, nil)
	}
	defer rows.Close()
	for rows.Next() {
		var what string
		if err := rows.Scan(&what); err != nil {
			return yield(Finding{What: err.Error()}, nil)
		}
		if what != "ok" && !yield(Finding{What: what}, nil) {
			return false
		}
	}
	if err := rows.Err(); err != nil {
		return yield(Finding{What: err.Error()}, nil)
	}
	return true
}

func (s *Store) checkRun(ctx context.Context, name string, sum *Verified, yield func(Finding, error) bool) bool {
	for c, err := range s.Calls(ctx, name, "") {
		if err != nil {
			return yield(Finding{Run: name, What: err.Error()}, nil)
		}
		if c.Run != name {
			continue // it is checked where it belongs
		}
		sum.Calls++
		if !c.Checked {
			sum.Without++
		}
		switch {
		case c.Request != nil:
			sum.Requests++
		case c.requestBytes > 0:
			sum.Lost++
		}
		if c.Damaged != nil && !yield(Finding{name, c.ID, c.Step, c.Damaged.Error()}, nil) {
			return false
		}
		if c.RequestDamaged && !yield(Finding{name, c.ID, c.Step, "the text of its request was changed after it was written; the answer is whole"}, nil) {
			return false
		}
	}
	return true
}

// CheckFailures returns a *DamagedError where one of the run's failed calls was
// changed after it was written: it may have been a usable answer.
func (j *Journal) CheckFailures(ctx context.Context) error {
	err := j.checkFailures(ctx)
	if err != nil {
		return j.store.fail("check the failed calls", err)
	}
	return nil
}

func (j *Journal) checkFailures(ctx context.Context) error {
	rows, err := j.store.read.QueryContext(ctx, `SELECT id, key, step, attempt, kind, source, outcome, started, result, checksum
		FROM call INDEXED BY call_step WHERE run = ? AND outcome <> 1 AND checksum IS NOT NULL`, j.runID)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id, started, checksum int64
		var key []byte
		e := &run.Entry{}
		if err := rows.Scan(&id, &key, &e.Step, &e.Attempt, &e.Kind, &e.Source, &e.Outcome, &started, &e.Result, &checksum); err != nil {
			return &brokenRow{err}
		}
		copy(e.Key[:], key)
		if e.Started = time.UnixMicro(started); checksum != rowChecksum(e) {
			return mismatch(id, e)
		}
	}
	return rows.Err()
}

// check compares a call with its checksums.
func (c *Call) check(row, request sql.NullInt64) {
	c.Checked = row.Valid
	if row.Valid && row.Int64 != rowChecksum(&c.Entry) {
		c.Damaged = &DamagedError{ID: c.ID, Step: c.Step, Why: "its checksum differs"}
	}
	c.RequestDamaged = request.Valid && c.Request != nil && request.Int64 != requestChecksum(c.Request)
}
