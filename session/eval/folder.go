package eval

import (
	"cmp"
	"errors"
	"io"
	"omniscope"
	"os"
	"path/filepath"
	"slices"

	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/internal/ondisk"
	"omniscope/internal/outfile"
	"omniscope/internal/webpage"
	"omniscope/results/report"
)

// documentFile is the results document's name.
const documentFile = "results.json"

// A folder is where a run writes its results. No other
// process may write there meanwhile.
type folder struct {
	dir     string
	info    bench.Info
	records []*bench.Records // of the benchmark, then of counts
	unlock  func() error
}

// openFolder takes a folder for the results of a run. If it is one that the
// user named, check says whether it may be written to.
func openFolder(dir string, info bench.Info, check func() error) (*folder, error) {
	if ondisk.IsFile(dir) {
		return nil, omniscope.Usagef("--out %s is a file: name a folder for the results", dir)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	unlock, err := outfile.LockFolder(dir)
	if err != nil {
		return nil, err
	}
	d := &folder{dir: dir, info: info, unlock: unlock}
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

// close lets others write to the folder.
func (d *folder) close() error {
	if d == nil {
		return nil
	}
	var err error
	for _, r := range d.records {
		err = errors.Join(err, r.Close())
	}
	return errors.Join(err, d.unlock())
}

// gather makes a run's records go to this folder.
func (d *folder) gather(o *bench.Options) {
	last := len(d.records) - 1
	o.Records, o.Counts = d.records[:last], d.records[last]
}

// write writes the results in every form, and the benchmark's own pages.
func (d *folder) write(r *document.Results, pages []bench.Page) error {
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
	r.Run.Files = nil
	for _, f := range files {
		r.Run.Files = append(r.Run.Files, f.Name)
	}
	earlier, _ := ResultsIn(d.dir) // whose files must not be taken for ours
	stale := slices.Clone(earlier.Run.Files)
	if f, err := os.Open(filepath.Join(d.dir, pageFile)); err == nil {
		if webpage.IsOurs(f) { // it shows the results before these
			stale = append(stale, pageFile)
		}
		f.Close()
	}
	if err := outfile.RemoveStale(d.dir, stale, r.Run.Files); err != nil {
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

// pageFile is a page of a run that users may have written into its folder with `omniscope view --html`.
const pageFile = "report.html"

func rank(name string) int {
	if name == documentFile {
		return 0
	}
	return 1
}
