package view

import (
	"context"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"omniscope/metric"
)

// An index knows the runs below a folder. It looks through the folder again when
// somebody asks and the last look is a while ago, and reads only files that changed.
type index struct {
	root     string
	metricOf func(string) (*metric.Metric, error)

	mu       sync.Mutex
	files    map[string]*indexed // by path
	journals []string            // folders
	runs     []*runEntry         // of the last look, and those found by the one under way
	looking  chan struct{}       // closed when the look under way ends; nil = there is none
	last     time.Time           // the last look ended
}

// indexed is a file by which a run was found.
type indexed struct {
	run      *runEntry // nil = it is of another program
	modified time.Time
	size     int64
}

const (
	lookAgain  = 2 * time.Second        // after the last look
	patience   = 300 * time.Millisecond // for a look under way
	mostLevels = 12                     // of folders
)

// list returns the runs that are known by now, and whether more may be found. The first
// look is waited for, for a moment.
func (x *index) list(ctx context.Context) (runs []*runEntry, more bool) {
	x.mu.Lock()
	if x.looking == nil && time.Since(x.last) > lookAgain {
		x.looking = make(chan struct{})
		go x.look(x.looking)
	}
	looking, first := x.looking, x.last.IsZero()
	x.mu.Unlock()
	if looking != nil && first {
		select {
		case <-looking:
		case <-ctx.Done():
		case <-time.After(patience):
		}
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.runs, x.last.IsZero()
}

// look goes through the folder.
func (x *index) look(done chan struct{}) {
	defer close(done)
	files := make(map[string]*indexed)
	var journals []string
	x.mu.Lock()
	known := x.files
	first := x.last.IsZero()
	x.mu.Unlock()
	shown := time.Now()
	_ = filepath.WalkDir(x.root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return nil // what cannot be read shows nothing
		}
		if e.IsDir() {
			return x.folder(path, e.Name(), &journals)
		}
		place, kind := kindOf(path)
		info, err := e.Info()
		if kind == "" || err != nil || !info.Mode().IsRegular() {
			return nil
		}
		f := known[path]
		if f == nil || !f.modified.Equal(info.ModTime()) || f.size != info.Size() {
			f = &indexed{modified: info.ModTime(), size: info.Size()}
			if r, ok := describe(path, kind, info, x.metricOf); ok {
				r.Path = x.below(place)
				r.find()
				f.run = r
			}
		}
		files[path] = f
		if first && time.Since(shown) > patience {
			x.show(files, nil)
			shown = time.Now()
		}
		return nil
	})
	x.show(files, journals)
	x.mu.Lock()
	x.files, x.journals, x.last, x.looking = files, journals, time.Now(), nil
	x.mu.Unlock()
}

// folder says whether to look into a folder, and notes the journals.
func (x *index) folder(path, name string, journals *[]string) error {
	below := x.below(path)
	switch {
	case below == ".":
		return nil
	case strings.HasPrefix(name, "."), strings.Count(below, "/") >= mostLevels, name == "node_modules":
		return fs.SkipDir
	case isJournal(path):
		*journals = append(*journals, path)
		return fs.SkipDir
	}
	return nil
}

// below is a path as the addresses of pages have it.
func (x *index) below(path string) string {
	rel, err := filepath.Rel(x.root, path)
	if err != nil {
		return filepath.ToSlash(path)
	}
	return filepath.ToSlash(rel)
}

// show makes the runs of files known, and those that only journals know.
func (x *index) show(files map[string]*indexed, journals []string) {
	f := &found{runs: make([]*runEntry, 0, len(files)), written: make(map[string]bool), ofClip: make(map[string][]*runEntry)}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		if r := files[path].run; r != nil {
			f.add(r)
		}
	}
	for _, dir := range journals {
		x.addJournal(f, dir)
	}
	x.mu.Lock()
	x.runs = f.runs
	x.mu.Unlock()
}

// found are the runs of a look.
type found struct {
	runs    []*runEntry
	written map[string]bool        // by their names in a journal
	ofClip  map[string][]*runEntry // investigations, by the file of their clip
}

func (f *found) add(r *runEntry) {
	if r.clip != "" {
		one := *r
		r = &one // its name may be found in a journal
		f.ofClip[r.clip] = append(f.ofClip[r.clip], r)
	}
	f.runs = append(f.runs, r)
	if r.Name != "" {
		f.written[r.Name] = true
	}
}
