package results

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"omniscope"
	"omniscope/bench/document"
	"omniscope/internal/ondisk"
	"omniscope/internal/spelling"
)

// latest names the run that ended last.
const latest = "latest"

// Where a working folder has the results of runs.
const (
	runsBelow   = "runs"
	suitesBelow = "suites"
)

// A Finder finds runs by the names that users give them.
type Finder struct {
	WorkDir string // runs are looked for by the names of their systems below it

	// LeftOut lists the files that were named together with folders, as `runs/*` may do, in words.
	LeftOut []string

	found []foundRun
	read  bool // found is filled
}

// foundRun is a run of the working folder.
type foundRun struct {
	dir, system, benchmark string
	finished               time.Time
}

func (r foundRun) String() string {
	return fmt.Sprintf("%s (%s, %s)", r.dir, r.benchmark, r.finished.Local().Format(time.DateTime))
}

// Folders returns the folders of the runs. A name is a folder, the name of a system that has one run in the working folder, the name
// of a folder of a run there, or latest. Files are left out if at least so many folders remain, otherwise the first one is an error.
func (f *Finder) Folders(ctx context.Context, least int, names ...string) ([]string, error) {
	var dirs, files []string
	for _, name := range names {
		info, err := os.Stat(name)
		switch {
		case err == nil && info.IsDir():
			dirs = append(dirs, name)
		case err == nil && filepath.Base(name) == File:
			dirs = append(dirs, filepath.Dir(name))
		case err == nil:
			files = append(files, name)
		default:
			dir, err := f.find(ctx, name)
			if err != nil {
				return nil, err
			}
			dirs = append(dirs, dir)
		}
	}
	if len(files) > 0 && len(dirs) < least {
		return nil, omniscope.Invalidf("%s is a file, and a run is a folder with %s: score answers with `omniscope eval BENCH -p %[1]s`, and name the folder that it prints, the system, or latest", files[0], File)
	}
	for _, file := range files {
		f.LeftOut = append(f.LeftOut, file+" is left out: it is a file, and runs are folders")
	}
	return dirs, nil
}

// find returns the folder of a run by a name that is not a path.
func (f *Finder) find(ctx context.Context, name string) (string, error) {
	if !f.read {
		if err := f.look(ctx); err != nil {
			return "", err
		}
	}
	if name == latest {
		if len(f.found) == 0 {
			return "", omniscope.NotFoundf("latest: no run has results below %s: name a folder, or another working folder with --work-dir", f.WorkDir)
		}
		return f.found[len(f.found)-1].dir, nil
	}
	var same []foundRun
	for _, r := range f.found {
		if r.system == name || filepath.Base(r.dir) == name {
			same = append(same, r)
		}
	}
	switch {
	case len(same) == 1:
		return same[0].dir, nil
	case len(same) > 1:
		text := make([]string, len(same))
		for i, r := range same {
			text[i] = r.String()
		}
		return "", omniscope.Usagef("%d runs are called %s: name one by its folder: %s", len(same), name, strings.Join(text, "; "))
	}
	return "", f.notFound(name)
}

// Another returns the folder of the run of another system on the same benchmark that ended last; "" = no such run.
func (f *Finder) Another(ctx context.Context, dir string) (string, error) {
	run, err := readHead(placeOf(dir))
	if err == nil && !f.read {
		err = f.look(ctx)
	}
	if err != nil {
		return "", err
	}
	for _, r := range slices.Backward(f.found) {
		if r.benchmark == run.benchmark && r.system != run.system {
			return r.dir, nil
		}
	}
	return "", nil
}

// notFound offers the names that are near.
func (f *Finder) notFound(name string) error {
	near := spelling.NearFile(name)
	if near == "" {
		names := []string{latest}
		for _, r := range f.found {
			names = append(names, r.system, filepath.Base(r.dir))
		}
		slices.Sort(names)
		near = spelling.Hint(name, slices.Compact(names))
	}
	return omniscope.NotFoundf("%s: no such folder, and no run of %s has a system of this name: name a folder that `omniscope eval` wrote its results to, a system, or latest%s", name, f.WorkDir, near)
}

// look lists the runs of the working folder, the oldest first. A run with unreadable results has no name.
func (f *Finder) look(ctx context.Context) error {
	f.read = true
	for _, pattern := range []string{
		filepath.Join(runsBelow, "*"),
		filepath.Join(runsBelow, "*", "*"),             // systems of one command share a folder
		filepath.Join(suitesBelow, "*", "*", "*"),      // run with a model
		filepath.Join(suitesBelow, "*", "*", "*", "*"), // run with several
	} {
		dirs, err := filepath.Glob(filepath.Join(f.WorkDir, pattern))
		if err != nil {
			return omniscope.Usagef("--work-dir %s: its name has characters that are patterns: give its runs by their folders", f.WorkDir)
		}
		for _, dir := range dirs {
			if err := ctx.Err(); err != nil {
				return err
			}
			if filepath.Base(dir) != below && ondisk.Exists(filepath.Join(placeOf(dir), File)) {
				if r, err := readHead(placeOf(dir)); err == nil {
					r.dir = dir
					f.found = append(f.found, r)
				}
			}
		}
	}
	slices.SortFunc(f.found, func(a, b foundRun) int {
		if c := a.finished.Compare(b.finished); c != 0 {
			return c
		}
		return strings.Compare(a.dir, b.dir)
	})
	return nil
}

// readHead reads the first fields of a results document, which name the run. Documents may be long, and there may be many.
func readHead(dir string) (r foundRun, err error) {
	file, err := os.Open(filepath.Join(dir, File))
	if err != nil {
		return r, err
	}
	defer file.Close()
	var run document.RunInfo
	var benchmark document.BenchmarkInfo
	fields := map[string]any{"run": &run, "benchmark": &benchmark, "system": &r.system}
	d := json.NewDecoder(file)
	if _, err := d.Token(); err != nil {
		return r, err
	}
	for missing := len(fields); missing > 0 && d.More(); {
		name, err := d.Token()
		if err != nil {
			return r, err
		}
		key, _ := name.(string)
		to, wanted := fields[key]
		if !wanted {
			to = new(json.RawMessage)
		} else {
			missing--
		}
		if err := d.Decode(to); err != nil {
			return r, err
		}
	}
	r.benchmark, r.finished = benchmark.Name, run.Finished
	return r, nil
}
