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
	"github.com/spf13/pflag"

	"omniscope"
	"omniscope/internal/filename"
	"omniscope/internal/outfile"
	"omniscope/internal/spelling"
	"omniscope/internal/visible"
	"omniscope/results/report"
	"omniscope/results/tablefile"
	"omniscope/session/catalog"
)

// tablesOut are the flags of commands that print tables, and write them to a
// folder where they are asked to.
type tablesOut struct {
	Out   string
	JSON  bool
	Force bool
	full  []omniscope.Table // for As, where fewer columns are shown on a screen; nil = the same
	As    []string          // forms in which each table is written as a file of its own, too
}

// addFlags declares the flags. names are the files that --out gets.
func (o *tablesOut) addFlags(f *pflag.FlagSet, names ...string) {
	last := len(names) - 1
	f.StringVarP(&o.Out, "out", "o", "", "folder to write "+strings.Join(names[:last], ", ")+" and "+names[last]+" to (default: none)")
	addForce(f, &o.Force)
	f.BoolVar(&o.JSON, "json", false, "print JSON")
	f.StringSliceVar(&o.As, "as", nil, "with --out, write each table as a file of its own, too: csv, parquet, jsonl, with commas between")
}

// single returns a file for each table, named after it, for --as, and a file of the notes.
func (o *tablesOut) single(tables []omniscope.Table, taken []tableFile) (files []tableFile, err error) {
	if len(o.As) > 0 && o.Out == "" {
		return nil, omniscope.Usagef("--as writes files: name the folder for them with --out")
	}
	notes := omniscope.Table{Name: "notes", Columns: []string{"table", "note"}} // which have the marks of runs
	for _, t := range tables {
		if t.Note != "" {
			notes.Rows = append(notes.Rows, []string{t.Name, t.Note})
		}
	}
	if len(notes.Rows) > 0 {
		tables = append(slices.Clone(tables), notes)
	}
	for _, form := range o.As {
		if err := spelling.CheckChoice("as", form, tablefile.Forms); err != nil {
			return nil, err
		}
		for _, t := range tables {
			name := ""
			for n := 1; name == "" || slices.ContainsFunc(slices.Concat(taken, files), func(f tableFile) bool { return f.name == name }); n++ {
				name = filename.Numbered(filename.Safe(t.Name), n) + "." + form
			}
			files = append(files, tableFile{name, func(w io.Writer) error { return tablefile.Write(w, form, t) }})
		}
	}
	return files, nil
}

// A tableFile is a form of the tables, and the file that holds it.
type tableFile struct {
	name  string
	write func(io.Writer) error
}

// check refuses a folder that holds anything but these files.
func (o *tablesOut) check(files []tableFile) error {
	if o.Out == "" || o.Force {
		return nil
	}
	entries, err := outfile.Entries(o.Out)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if !o.isSingle(entry) && !slices.ContainsFunc(files, func(f tableFile) bool { return f.name == entry }) {
			return omniscope.Usagef("%s holds %s, which is not one of %s: %s", o.Out, entry, strings.Join(fileNames(files), ", "), outfile.OrForce)
		}
	}
	return nil
}

// isSingle reports whether a file may be one of a single table, as far as its name tells.
func (o *tablesOut) isSingle(name string) bool {
	return slices.Contains(o.As, strings.TrimPrefix(filepath.Ext(name), "."))
}

func fileNames(files []tableFile) (names []string) {
	for _, f := range files {
		names = append(names, f.name)
	}
	return names
}

// checkAndShow is check and then show.
func (o *tablesOut) checkAndShow(cmd *cobra.Command, c report.Comparison, files []tableFile) error {
	if err := o.check(files); err != nil {
		return err
	}
	return o.show(cmd, c, files)
}

// show writes the files, and prints the tables, or with --json what the .json
// file of them holds.
func (o *tablesOut) show(cmd *cobra.Command, c report.Comparison, files []tableFile) error {
	tables := c.Tables
	if o.full != nil {
		tables = o.full
	}
	single, err := o.single(tables, files)
	if err != nil {
		return err
	}
	files = append(files, single...)
	if o.Out != "" {
		err := os.MkdirAll(o.Out, 0o755)
		for _, f := range files {
			err = cmp.Or(err, outfile.WriteIn(o.Out, f.name, f.write))
		}
		if err != nil {
			return err
		}
	}
	if o.JSON {
		return files[slices.IndexFunc(files, tableFile.isJSON)].write(documentOut(cmd))
	}
	c.Rest = "the files of --out DIR"
	if o.Out != "" {
		c.Rest = files[0].name
	}
	err = printTables(cmd, c)
	if o.Out != "" {
		_, said := fmt.Fprintf(cmd.OutOrStdout(), "\nwritten to %s: %s\n", o.Out, strings.Join(fileNames(files), " "))
		err = errors.Join(err, said)
	}
	return err
}

func (f tableFile) isJSON() bool { return filepath.Ext(f.name) == ".json" }

// printTables prints tables for people.
func printTables(cmd *cobra.Command, c report.Comparison) error {
	out := cmd.OutOrStdout()
	width, color := visible.Terminal(out)
	return c.Text(out, report.TextOptions{Width: width, Color: color})
}

// listWidth is how wide a list is at most.
const listWidth = 80

func printList(cmd *cobra.Command, l catalog.List) { printListTo(cmd.OutOrStdout(), l) }

func printListTo(out io.Writer, l catalog.List) {
	if l.Name != "" {
		fmt.Fprintln(out, l.Name)
	}
	switch l.Name { // four columns would be too narrow to read
	case "models":
		l = stacked(stacked(l))
	case "benchmarks":
		l = stacked(l)
	case catalog.ProfileList: // docs profile NAME has the last column
		for i := range l.Rows {
			l.Rows[i] = l.Rows[i][:3]
		}
		l.Columns = l.Columns[:3]
	}
	t := visible.NewTable(out, visible.Cells(l.Columns)...)
	t.SetColumnConfigs(visible.Wrap(listWidth, l.Columns, l.Rows))
	for _, row := range l.Rows {
		t.AppendRow(visible.Cells(row))
	}
	t.Render()
	fmt.Fprintln(out)
}

// stacked puts the cells of the last column below those before them.
func stacked(l catalog.List) catalog.List {
	last := len(l.Columns) - 1
	join := func(row []string) []string {
		below := append(slices.Clone(row[:last-1]), row[last-1]+"\n"+row[last])
		below[last-1] = strings.TrimSpace(below[last-1])
		return below
	}
	rows := make([][]string, len(l.Rows))
	for i, row := range l.Rows {
		rows[i] = join(row)
	}
	return catalog.List{Name: l.Name, Columns: join(l.Columns), Rows: rows}
}
