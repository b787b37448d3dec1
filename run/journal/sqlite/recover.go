package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"omniscope"
	"omniscope/run"
	"omniscope/run/journal"
)

// A recovered says what was saved of a damaged journal, and what was not.
type recovered struct {
	Dir      string // of the new journal
	Runs     int
	Named    int // runs that had only calls left; they are called recovered-N
	Calls    int
	Answers  int // usable ones among them
	Damaged  int // calls that can be read, but are not what was written down
	Missing  int // call numbers for which nothing was found: lost, or deleted before
	Requests int // texts of requests
	NoText   int // calls whose request's text is lost or was changed
}

// String says what was saved and what was lost, in lines.
func (r recovered) String() string {
	text := fmt.Sprintf("saved %d calls (%d usable answers) of %d runs, with %d texts of requests, in %s\n", r.Calls, r.Answers, r.Runs, r.Requests, r.Dir)
	if r.Named > 0 {
		text += fmt.Sprintf("of %d runs only calls were left: they are called recovered-N; their own commands find the answers all the same\n", r.Named)
	}
	return text + fmt.Sprintf("lost: %d calls that are not what was written down, %d numbers of calls without a trace (lost, or deleted before), %d texts of requests\n",
		r.Damaged, r.Missing, r.NoText)
}

// Recover saves every answer that can be read in the journal in dir into a new
// journal, and leaves the old one as it is.
func Recover(ctx context.Context, dir, into string) (recovered, error) {
	if err := missing(dir); err != nil {
		return recovered{}, err
	}
	old := &Store{dir: dir}
	p, err := openPages(databasePath(dir))
	if err != nil {
		return recovered{}, old.fail("recover", err)
	}
	if Exists(into) {
		return recovered{}, omniscope.Usagef("%s holds a journal already: name a new folder", into)
	}
	s, err := Open(into)
	if err != nil {
		return recovered{}, err
	}
	r := &recovery{from: dir, pages: p, sum: recovered{Dir: into}, runs: make(map[int64]savedRun), calls: make(map[int64]savedCall), files: make(map[int64]*os.File)}
	err = r.save(ctx, s)
	for _, f := range r.files {
		f.Close() // nothing was written; a nil file only says so
	}
	return r.sum, errors.Join(s.fail("recover", err), s.Close())
}

// A recovery holds the rows that are found in a damaged database.
type recovery struct {
	from  string
	pages *pages
	runs  map[int64]savedRun
	calls map[int64]savedCall
	files map[int64]*os.File // of request texts, by run
	sum   recovered
}

type savedRun struct {
	name, created, manifest string
	kind                    any // nil = of a version without kinds
	freshFrom, freshEnded   any
}

type savedCall struct {
	cell    []byte
	trusted bool // its checksum is right
}

// save first finds all rows, since a row may have several copies and one of them
// may be damaged. Then it writes them one at a time.
func (r *recovery) save(ctx context.Context, s *Store) error {
	r.pages.leaves(tableLeaf, func(cells [][]byte) {
		for _, cell := range cells {
			r.find(cell)
		}
	})
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := r.saveRuns(tx, s); err != nil {
		return err
	}
	last := int64(0)
	for _, id := range slices.Sorted(maps.Keys(r.calls)) {
		if err := ctx.Err(); err != nil {
			return err
		}
		r.sum.Missing += int(id - last - 1)
		last = id
		if err := r.saveCall(tx, s, id); err != nil {
			return err
		}
	}
	if err := r.saveUsed(tx); err != nil {
		return err
	}
	return tx.Commit()
}

// saveUsed writes which runs were given which answers of other runs.
func (r *recovery) saveUsed(tx *sql.Tx) (err error) {
	r.pages.leaves(indexLeaf, func(cells [][]byte) {
		for _, cell := range cells {
			size, n := varint(cell)
			if n == 0 || size > uint64(len(cell)-n) {
				continue
			}
			v, ok := record(cell[n : n+int(size)])
			if !ok || len(v) != 2 || err != nil {
				continue
			}
			run, isRun := v[0].(int64)
			call, isCall := v[1].(int64)
			if _, known := r.runs[run]; isRun && isCall && known && r.calls[call].cell != nil {
				_, err = tx.Exec("INSERT INTO used(run, call) SELECT ?1, id FROM call WHERE id = ?2 ON CONFLICT DO NOTHING", run, call)
			}
		}
	})
	return err
}

// find keeps where a row lies, if it is one of ours.
func (r *recovery) find(cell []byte) {
	id, v, ok := r.pages.row(cell)
	if !ok || id <= 0 || id > 1<<40 {
		return
	}
	if found, ok := runOf(v); ok {
		r.runs[id] = found
		return
	}
	if e, checksum, ok := callOf(v); ok && !r.calls[id].trusted {
		r.calls[id] = savedCall{cell, checksum.Valid && checksum.Int64 == journal.RowChecksum(e)}
	}
}

// runOf reads a row of the table run.
func runOf(v []any) (r savedRun, ok bool) {
	if len(v) != 4 && len(v) != 6 && len(v) != 7 || v[0] != nil {
		return r, false
	}
	var is [3]bool
	r.name, is[0] = v[1].(string)
	r.created, is[1] = v[2].(string)
	r.manifest, is[2] = v[3].(string)
	if is != [3]bool{true, true, true} || checkName(r.name) != nil {
		return r, false
	}
	if _, err := time.Parse(time.RFC3339, r.created); err != nil {
		return r, false
	}
	if len(v) >= 6 {
		r.freshFrom, r.freshEnded = v[4], v[5]
	}
	if len(v) == 7 {
		r.kind = v[6]
	}
	return r, true
}

// columns of the table call, in their order.
const (
	colKey = iota + 1
	colRun
	colStep
	colAttempt
	colKind
	colSource
	colOutcome
	colStarted
	colAt
	colBytes
	colResult
	colTokensIn
	colChecksum = colTokensIn + 9
	colRequest  = colChecksum + 1
)

// callOf reads a row of the table call.
func callOf(v []any) (e *run.Entry, checksum sql.NullInt64, ok bool) {
	if len(v) != colResult+1 && len(v) != colRequest+1 || v[0] != nil {
		return nil, checksum, false
	}
	e = &run.Entry{}
	for _, i := range []int{colRun, colAttempt, colOutcome, colStarted, colAt, colBytes} {
		if _, ok := v[i].(int64); !ok {
			return nil, checksum, false
		}
	}
	key, isKey := v[colKey].([]byte)
	var is [4]bool
	e.Step, is[0] = v[colStep].(string)
	e.Kind, is[1] = v[colKind].(string)
	e.Source, is[2] = v[colSource].(string)
	e.Result, is[3] = v[colResult].([]byte)
	if !isKey || len(key) != len(e.Key) || is != [4]bool{true, true, true, true} {
		return nil, checksum, false
	}
	copy(e.Key[:], key)
	e.Attempt, e.Outcome = int(v[colAttempt].(int64)), omniscope.Outcome(v[colOutcome].(int64))
	e.Started = time.UnixMicro(v[colStarted].(int64)).UTC()
	if len(v) == colRequest+1 {
		checksum.Int64, checksum.Valid = v[colChecksum].(int64)
	}
	return e, checksum, true
}

// plausible reports whether a row without a checksum may be undamaged.
func plausible(e *run.Entry) bool { return json.Valid(e.Result) }

// saveRuns writes the runs, and makes a name for those of which calls are left.
func (r *recovery) saveRuns(tx *sql.Tx, s *Store) error {
	for _, c := range r.calls {
		_, v, _ := r.pages.row(c.cell)
		id := v[colRun].(int64)
		if _, ok := r.runs[id]; !ok {
			r.runs[id] = savedRun{name: fmt.Sprintf("recovered-%d", id), created: time.Now().UTC().Format(time.RFC3339), manifest: "{}"}
			r.sum.Named++
		}
	}
	for id, found := range r.runs {
		if _, err := tx.Exec("INSERT INTO run(id, name, created, manifest, fresh_from, fresh_ended, kind) VALUES(?, ?, ?, ?, ?, ?, coalesce(?, '')) ON CONFLICT DO NOTHING",
			id, found.name, found.created, found.manifest, found.freshFrom, found.freshEnded, found.kind); err != nil {
			return err
		}
		r.sum.Runs++
		if err := copyTexts(filepath.Join(r.from, "requests", found.name+".jsonl"), s.requestsPath(found.name)); err != nil {
			return err
		}
		r.files[id], _ = os.Open(s.requestsPath(found.name)) // nil where there is none
	}
	_, err := tx.Exec(journal.KindsOfEarlierRuns)
	return err
}

// copyTexts copies a file of request texts whole: calls name places in it.
func copyTexts(from, to string) error {
	text, err := os.ReadFile(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o644)
}

func (r *recovery) saveCall(tx *sql.Tx, s *Store, id int64) error {
	found := r.calls[id]
	_, v, _ := r.pages.row(found.cell)
	e, checksum, _ := callOf(v)
	if checksum.Valid && !found.trusted || !checksum.Valid && !plausible(e) {
		r.sum.Damaged++
		return nil
	}
	r.sum.Calls++
	if e.Outcome == omniscope.OK {
		r.sum.Answers++
	}
	args := append([]any{id}, v[colKey:]...)
	for len(args) <= colRequest {
		args = append(args, nil)
	}
	text := readRequest(r.files[v[colRun].(int64)], v[colAt].(int64), v[colBytes].(int64))
	if want, ok := args[colRequest].(int64); text == nil || ok && want != journal.RequestChecksum(text) {
		args[colBytes] = int64(0)
		r.sum.NoText++
	} else {
		r.sum.Requests++
	}
	_, err := tx.Exec("INSERT INTO call VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", args...)
	return err
}
