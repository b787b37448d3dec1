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

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/outfile"
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
	unlock, err := outfile.LockFolder(dir)
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
	if err := outfile.RemoveStale(d.dir, earlier.Run.Files, d.files); err != nil {
		return err
	}
	slices.SortStableFunc(files, func(a, b bench.Page) int { // the document first: it says whose folder this is
		return cmp.Compare(rank(a.Name), rank(b.Name))
	})
	for _, f := range files {
		if err := outfile.WriteIn(d.dir, f.Name, f.Write); err != nil {
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
