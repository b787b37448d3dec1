package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gofrs/flock"
	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/bench"
	"omniscope/report"
)

// documentFile is the results document's name.
const documentFile = "results.json"

// A destination is the folder that a run writes its results to. No other
// process may write there meanwhile.
type destination struct {
	dir     string
	info    bench.Info
	records []*bench.Records // of the benchmark, then of counts
	unlock  func() error
	files   []string // written
}

// openDestination takes a folder for the results of a run. If it is one that the
// user named, check says whether it may be written to.
func openDestination(dir string, info bench.Info, check func() error) (*destination, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	unlock, err := lockFolder(dir)
	if err != nil {
		return nil, err
	}
	d := &destination{dir: dir, info: info, unlock: unlock}
	if err := check(); err != nil {
		return nil, errors.Join(err, d.close())
	}
	for _, name := range append(slices.Clone(info.Records), bench.CountsFile) {
		records, err := bench.NewRecords(filepath.Join(dir, "."+name+".gathering"))
		if err != nil {
			return nil, errors.Join(err, d.close())
		}
		d.records = append(d.records, records)
	}
	return d, nil
}

func (d *destination) close() error {
	var err error
	for _, r := range d.records {
		err = errors.Join(err, r.Close())
	}
	return errors.Join(err, d.unlock())
}

// gather makes a run's records go to this destination.
func (d *destination) gather(o *bench.Options) {
	last := len(d.records) - 1
	o.Records, o.Counts = d.records[:last], d.records[last]
}

// write writes the results in every form, and the benchmark's own pages.
func (d *destination) write(r *omniscope.Results, pages []bench.Page) error {
	columns := report.Columns(d.info.Metric)
	files := []bench.Page{
		{Name: "report.md", Write: func(w io.Writer) error { return report.Markdown(w, r, columns) }},
		{Name: documentFile, Write: func(w io.Writer) error { return report.JSON(w, r) }},
		{Name: "results.csv", Write: func(w io.Writer) error { return report.CSV(w, r) }},
	}
	for i, name := range append(slices.Clone(d.info.Records), bench.CountsFile) {
		files = append(files, bench.Page{Name: name, Write: func(w io.Writer) error {
			_, err := d.records[i].WriteTo(w)
			return err
		}})
	}
	files = append(files, pages...)
	for _, f := range files {
		d.files = append(d.files, f.Name)
	}
	r.Run.Files = d.files
	earlier, _ := resultsOf(d.dir) // whose files must not be taken for ours
	if err := removeStale(d.dir, earlier.Run.Files, d.files); err != nil {
		return err
	}
	slices.SortStableFunc(files, func(a, b bench.Page) int { // the document first: it says whose folder this is
		return cmp.Compare(rank(a.Name), rank(b.Name))
	})
	for _, f := range files {
		if err := writeFile(d.dir, f.Name, f.Write); err != nil {
			return err
		}
	}
	return nil
}

func rank(name string) int {
	if name == documentFile {
		return 0
	}
	return 1
}

// pagesOf are the pages that an evaluation has to show.
func pagesOf(ev bench.Evaluation) []bench.Page {
	if e, ok := ev.(bench.Explainer); ok {
		return e.Explain().Pages
	}
	return nil
}

// show prints the results, and where they were written.
func (d *destination) show(cmd *cobra.Command, asJSON bool, r *omniscope.Results) error {
	if asJSON {
		return report.JSON(documentOut(cmd), r)
	}
	width, color := terminal(cmd.OutOrStdout())
	if err := report.Text(cmd.OutOrStdout(), r, report.TextOptions{Columns: report.Columns(d.info.Metric), Width: width, Color: color}); err != nil {
		return err
	}
	_, err := fmt.Fprintf(cmd.OutOrStdout(), "\nwritten to %s: %s\n", d.dir, strings.Join(d.files, " "))
	return err
}

// lockFolder keeps two processes from writing results to one folder at once.
func lockFolder(dir string) (unlock func() error, err error) {
	lock := flock.New(filepath.Join(dir, ".lock"))
	locked, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", dir, err)
	}
	if !locked {
		return nil, usagef("another process is writing to %s: wait for it or stop it, then run the same command again; or name another folder with --out", dir)
	}
	return lock.Close, nil
}

// writeOut writes to where the user points: a file as a whole, anything else,
// such as a pipe or a device, as it comes.
func writeOut(path string, write func(io.Writer) error) error {
	info, err := os.Stat(path)
	if err != nil || info.Mode().IsRegular() {
		if target, err := filepath.EvalSymlinks(path); err == nil {
			path = target
		}
		return writeFile(filepath.Dir(path), filepath.Base(path), write)
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}

// writeFile writes a whole file or, on any error, leaves what was there. What
// a killed process leaves beside it, the next one writes over.
func writeFile(dir, name string, write func(io.Writer) error) error {
	f, err := os.Create(filepath.Join(dir, "."+name+".partial"))
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if err := errors.Join(write(f), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), filepath.Join(dir, name))
}
