package production

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/detective"
	"omniscope/internal/jsonfast"
	"omniscope/internal/outfile"
)

func newPart(dir string, first int, rows []Row) *part {
	return &part{dir: dir, n: first / rowsPerFile, first: first, rows: rows, done: make([]bool, len(rows)), tried: make([]bool, len(rows))}
}

func (p *part) finishedName() string { return fmt.Sprintf("captions-%05d.jsonl", p.n) }
func (p *part) finishedFile() string { return filepath.Join(p.dir, p.finishedName()) }
func (p *part) unfinishedFile() string {
	return filepath.Join(p.dir, fmt.Sprintf("unfinished-%05d.jsonl", p.n))
}

func count(marks []bool) (n int) {
	for _, m := range marks {
		if m {
			n++
		}
	}
	return n
}

// A place is where a row's line stands.
type place struct {
	file  string
	at, n int64
}

// places finds the line of each row that has one; of several the last counts. stale is
// whether there are lines that no row wants.
func (p *part) places() (places map[int]place, stale bool, err error) {
	places = make(map[int]place)
	byID := make(map[string]int, len(p.rows))
	for i := range p.rows {
		byID[p.rows[i].ID] = i
	}
	for _, file := range []string{p.finishedFile(), p.unfinishedFile()} {
		err := eachLine(file, func(text []byte, at, n int64) error {
			i, there := byID[idIn(text)]
			if !there || !p.fits(i, text) {
				stale = true
				return nil
			}
			places[i] = place{file, at, n}
			return nil
		})
		if err != nil {
			return nil, false, err
		}
	}
	return places, stale, nil
}

func idIn(text []byte) string {
	id := gjson.GetBytes(text, "id")
	if id.Type == gjson.Number {
		return id.Raw
	}
	return id.String()
}

// fits reports whether a line of the output is of that row as the list has it now.
func (p *part) fits(i int, text []byte) bool {
	begins, err := start(p.dir, &p.rows[i])
	return err == nil && bytes.HasPrefix(text, begins) && jsonfast.ValidBytes(text) &&
		gjson.GetBytes(text, InvestigationField).IsObject() && gjson.GetBytes(text, detective.TrajectoryField).IsArray()
}

// read reads which rows are done. A last line that was cut off by a crash is taken off.
func (p *part) read() error {
	whole := int64(0)
	if err := eachLine(p.unfinishedFile(), func(_ []byte, at, n int64) error { whole = at + n; return nil }); err != nil {
		return err
	}
	if err := os.Truncate(p.unfinishedFile(), whole); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	places, stale, err := p.places()
	for i := range places {
		p.done[i] = true
	}
	p.changed = stale || whole > 0
	if err == nil && p.changed && count(p.done) == len(p.rows) {
		err = p.finish() // the crash came before it
	}
	return err
}

func (p *part) put(i int, text []byte) (err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.broken != nil || p.done[i] {
		return p.broken
	}
	if p.unfinished == nil {
		if p.unfinished, err = os.OpenFile(p.unfinishedFile(), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644); err != nil {
			return err
		}
	}
	if _, err := p.unfinished.Write(text); err != nil { // half a line may be there, which the next command takes off
		p.broken = fmt.Errorf("write captions: %w", err)
		return p.broken
	}
	p.done[i], p.changed = true, true
	return p.finishIfTried()
}

func (p *part) fail(i int) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tried[i] = true
	return p.finishIfTried()
}

func (p *part) finishIfTried() error {
	if !p.changed || count(p.done)+count(p.tried) < len(p.rows) {
		return nil
	}
	return p.finish()
}

// finish writes the rows that are done in the list's order into one file.
func (p *part) finish() error {
	if p.unfinished != nil {
		err := p.unfinished.Close()
		if p.unfinished = nil; err != nil {
			return err
		}
	}
	places, _, err := p.places()
	if err != nil {
		return err
	}
	if len(places) < count(p.done) {
		return &omniscope.Error{Kind: omniscope.Internal, Err: fmt.Errorf("%s: %d rows were written and %d are there: nothing was removed", p.unfinishedFile(), count(p.done), len(places))}
	}
	files := make(map[string]*os.File)
	defer func() {
		for _, f := range files {
			f.Close()
		}
	}()
	err = outfile.WriteIn(p.dir, p.finishedName(), func(w io.Writer) error {
		for i := range p.rows {
			at, there := places[i]
			if !there {
				continue
			}
			if files[at.file] == nil {
				if files[at.file], err = os.Open(at.file); err != nil {
					return err
				}
			}
			if _, err := io.Copy(w, io.NewSectionReader(files[at.file], at.at, at.n)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	p.changed = false
	if err := os.Remove(p.unfinishedFile()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// summaries calls do with the summary of each row that is done, each once.
func (p *part) summaries(do func(Summary)) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	places, _, err := p.places()
	if err != nil {
		return err
	}
	counts := make(map[place]bool, len(places))
	for _, at := range places {
		counts[at] = true
	}
	for _, file := range []string{p.finishedFile(), p.unfinishedFile()} {
		err := eachLine(file, func(text []byte, at, n int64) error {
			if !counts[place{file, at, n}] {
				return nil
			}
			var s Summary
			if err := json.Unmarshal([]byte(gjson.GetBytes(text, InvestigationField).Raw), &s); err != nil {
				return omniscope.Invalidf("%s: %w", file, err)
			}
			do(s)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
