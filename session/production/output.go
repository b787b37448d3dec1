package production

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"omniscope"
	"omniscope/bench/captionrow"
	"omniscope/detective"
	"omniscope/internal/input"
	"omniscope/internal/outfile"
	"omniscope/internal/rows"
)

// rowsPerFile is how many rows a file of captions has.
const rowsPerFile = 1000

// An Output is the folder of a list's captions: PASS/captions-00000.jsonl and so on, each
// with the captions of a thousand clips in the list's order, and failures.jsonl. It is
// safe for concurrent use. Until the last clip of a file has been tried, its rows lie
// in PASS/unfinished-00000.jsonl, in the order in which they came.
//
// A row is written without waiting for the disk: it is made of answers that the journal
// has, and is made again from them.
type Output struct {
	dir    string
	list   *List
	parts  map[string][]*part // by pass
	unlock func() error

	mu       sync.Mutex
	failures map[failureKey]Failure
}

type failureKey struct {
	row  int
	pass string
}

// A part is what is kept of one file.
type part struct {
	dir   string
	n     int // of the file, from 0
	first int // row of the list
	rows  []Row

	mu         sync.Mutex
	done       []bool // rows that have a caption
	tried      []bool // rows that have none, and will not get one by this command
	unfinished *os.File
	broken     error // why nothing more can be written; nil = it can
	changed    bool  // there are rows that the finished file does not have, or has no more
}

// manifestFile names the list and the flags that an output is of.
const manifestFile = "captions.json"

type manifest struct {
	List   string   `json:"list"`
	Rows   int      `json:"rows"`
	Digest string   `json:"digest"` // of those rows
	Flags  string   `json:"flags"`  // digest of what shapes an investigation
	Passes []string `json:"passes"`

	Sources []string `json:"sources,omitempty"` // models and their addresses; empty = not known
}

// By identifies what makes captions of a list.
type By struct {
	Flags     string   // digest of what shapes an investigation
	Sources   []string // models at endpoints with their addresses; empty = not known
	AnySource bool     // captions of other addresses are as good
}

// checkSources refuses captions of other models or addresses. Folders of earlier versions name no sources.
func (b *By) checkSources(dir string, there []string) error {
	if b.AnySource || len(there) == 0 || len(b.Sources) == 0 || slices.Equal(there, b.Sources) {
		return nil
	}
	return omniscope.Usagef("%s holds captions by %s, and this command asks %s: %s (--any-endpoint keeps answers of any address)",
		dir, strings.Join(there, "; "), strings.Join(b.Sources, "; "), outfile.OrForce)
}

// OpenOutput opens a folder for the captions of a list, or makes it, and reads what is
// there. No other process may write to it meanwhile. Captions of another list, or of other flags, are
// an error of kind Usage; so are captions of other models or addresses; with force all captions that are there are removed. A list that has grown is the
// same.
func OpenOutput(dir string, list *List, passes []string, by By, force bool) (o *Output, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, &omniscope.Error{Kind: omniscope.Invalid, Op: "make the folder of captions", Err: err}
	}
	o = newOutput(dir, list, passes)
	if o.unlock, err = outfile.LockFolder(dir); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, o.closeFiles())
		}
	}()
	if err = o.checkManifest(passes, by, force); err != nil {
		return o, err
	}
	for _, pass := range passes {
		if err = os.MkdirAll(filepath.Join(dir, pass), 0o755); err != nil {
			return o, err
		}
		for _, p := range o.parts[pass] {
			if err = p.read(); err != nil {
				return o, err
			}
		}
	}
	return o, nil
}

func newOutput(dir string, list *List, passes []string) *Output {
	o := &Output{dir: dir, list: list, parts: make(map[string][]*part), failures: make(map[failureKey]Failure)}
	for _, pass := range passes {
		for first := 0; first < len(list.Rows); first += rowsPerFile {
			o.parts[pass] = append(o.parts[pass], newPart(filepath.Join(dir, pass), first, list.Rows[first:min(first+rowsPerFile, len(list.Rows))]))
		}
	}
	return o
}

// ReadOutput reads what is there of a list's captions, and changes nothing.
func ReadOutput(dir string, list *List, passes []string, flags string, force bool) (*Output, error) {
	o := newOutput(dir, list, passes)
	if _, err := o.earlier(By{Flags: flags}, force); err != nil || force {
		return o, err
	}
	for _, pass := range passes {
		for _, p := range o.parts[pass] {
			places, _, err := p.places()
			if err != nil {
				return nil, err
			}
			for i := range places {
				p.done[i] = true
			}
		}
	}
	return o, nil
}

// checkManifest refuses what another list or other flags brought, and names this one.
func (o *Output) checkManifest(passes []string, by By, force bool) error {
	there, err := o.earlier(by, force)
	if err == nil && force {
		err = there.remove(o.dir)
	}
	if err != nil {
		return err
	}
	now := manifest{List: o.list.Name, Rows: len(o.list.Rows), Digest: o.list.Digest(len(o.list.Rows)), Flags: by.Flags, Passes: slices.Clone(passes), Sources: by.Sources}
	if by.AnySource && len(there.Sources) > 0 && !force {
		now.Sources = there.Sources
	}
	for _, pass := range there.Passes {
		if !force && !slices.Contains(now.Passes, pass) {
			now.Passes = append(now.Passes, pass)
		}
	}
	return outfile.WriteIn(o.dir, manifestFile, func(w io.Writer) error { return outfile.JSON(w, now) })
}

// earlier reads what an earlier command wrote of its list; the zero value = the folder is empty. What is of
// another list or other flags is refused unless it is to be replaced by force. A folder of anything
// else is refused in any case.
func (o *Output) earlier(by By, force bool) (there manifest, err error) {
	path := filepath.Join(o.dir, manifestFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		names, err := outfile.Entries(o.dir)
		if err == nil && len(names) > 0 {
			err = omniscope.Usagef("%s is not empty and holds no captions of a list: name another folder with --out", o.dir)
		}
		return there, err
	}
	if err == nil {
		err = json.Unmarshal(text, &there)
	}
	if err != nil {
		return there, omniscope.Invalidf("%s: %w", path, err)
	}
	same := there.Rows <= len(o.list.Rows) && there.Digest == o.list.Digest(there.Rows)
	switch {
	case force:
		return there, nil
	case same && there.Flags == by.Flags:
		return there, by.checkSources(o.dir, there.Sources)
	case !same:
		return there, omniscope.Usagef("%s holds captions of another list, %s, or of other rows of it: %s", o.dir, there.List, outfile.OrForce)
	}
	return there, omniscope.Usagef("%s holds captions that other flags brought: %s", o.dir, outfile.OrForce)
}

// goodPass is the name of a pass, or of its captions after some inquiries.
var goodPass = regexp.MustCompile(`^(a|v|av)(-[0-9]+)?$`)

// remove removes what was written by way of a manifest, and nothing else.
func (m *manifest) remove(dir string) error {
	var errs []error
	for _, pass := range m.Passes {
		if !goodPass.MatchString(pass) {
			return omniscope.Invalidf("%s: %q is no pass", filepath.Join(dir, manifestFile), pass)
		}
		errs = append(errs, os.RemoveAll(filepath.Join(dir, "reports", pass)))
		for _, name := range []string{"captions-*.jsonl", "unfinished-*.jsonl"} {
			files, err := filepath.Glob(filepath.Join(escaped(dir), pass, name))
			errs = append(errs, err)
			for _, file := range files {
				errs = append(errs, os.Remove(file))
			}
		}
	}
	for _, name := range []string{"failures.jsonl", "statistics.json", "statistics.md", pilotFile} {
		if err := os.Remove(filepath.Join(dir, name)); !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// escaped is a folder's name as a pattern that means it alone.
func escaped(dir string) string {
	return strings.NewReplacer(`*`, `\*`, `?`, `\?`, `[`, `\[`, `\`, `\\`).Replace(dir)
}

// Done reports whether a row of the list has its caption.
func (o *Output) Done(row int, pass string) bool {
	p, i := o.part(row, pass)
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.done[i]
}

// Count returns how many rows have their caption.
func (o *Output) Count(pass string) (n int) {
	for _, p := range o.parts[pass] {
		p.mu.Lock()
		n += count(p.done)
		p.mu.Unlock()
	}
	return n
}

func (o *Output) part(row int, pass string) (p *part, i int) {
	return o.parts[pass][row/rowsPerFile], row % rowsPerFile
}

// Put writes the caption of a row. The id and the path are the list's. One that is there already is left alone.
func (o *Output) Put(row int, c captionrow.Row, s Summary, t detective.Trajectory) error {
	p, i := o.part(row, s.Pass)
	begin, err := start(p.dir, &o.list.Rows[row])
	if err != nil {
		return err
	}
	text, err := line(begin, c, s, t)
	if err != nil {
		return err
	}
	return p.put(i, text)
}

// Fail notes that a row has no caption. The next command tries it again.
func (o *Output) Fail(row int, pass string, outcome omniscope.Outcome, why string) error {
	o.mu.Lock()
	o.failures[failureKey{row, pass}] = Failure{ID: o.list.Rows[row].ID, URL: o.list.Rows[row].URL, Pass: pass, Outcome: outcome, Why: why}
	o.mu.Unlock()
	p, i := o.part(row, pass)
	return p.fail(i)
}

// Failures are the rows without a caption that were tried, in the list's order.
func (o *Output) Failures(passes []string) []Failure {
	o.mu.Lock()
	defer o.mu.Unlock()
	var all []Failure
	for row := range o.list.Rows {
		for _, pass := range passes {
			if f, there := o.failures[failureKey{row, pass}]; there {
				all = append(all, f)
			}
		}
	}
	return all
}

// Finish writes failures.jsonl, and what is there of files of which not all clips were
// tried stays unfinished.
func (o *Output) Finish(passes []string) error {
	failures := o.Failures(passes)
	if len(failures) == 0 {
		if err := os.Remove(filepath.Join(o.dir, "failures.jsonl")); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	return outfile.WriteIn(o.dir, "failures.jsonl", func(w io.Writer) error {
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		for _, f := range failures {
			if err := enc.Encode(f); err != nil {
				return err
			}
		}
		return nil
	})
}

// Close lets go of the folder.
func (o *Output) Close() error { return o.closeFiles() }

func (o *Output) closeFiles() error {
	var errs []error
	for _, parts := range o.parts {
		for _, p := range parts {
			if p.unfinished != nil {
				errs = append(errs, p.unfinished.Close())
				p.unfinished = nil
			}
		}
	}
	return errors.Join(append(errs, o.unlock())...)
}

// Summaries calls do with the summary of each caption that a pass has, in files' order.
func (o *Output) Summaries(pass string, do func(Summary)) error {
	for _, p := range o.parts[pass] {
		if err := p.summaries(do); err != nil {
			return err
		}
	}
	return nil
}

// eachLine calls do with each whole line of a file that may not be there, and with where
// it begins and how long it is. The text is valid until do returns.
func eachLine(path string, do func(text []byte, at, n int64) error) error {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	defer f.Close()
	lines := rows.NewReader(f, 1<<16, path, input.Limits{})
	return lines.Each(func(_ int, text []byte) error {
		if !lines.Ended() {
			return nil // the line was cut off
		}
		at, n := lines.Stored()
		return do(text, at, n)
	})
}
