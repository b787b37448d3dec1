package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"omniscope"
	"omniscope/report"
)

// What a user names with --out may hold somebody's work. It is written to if it
// is new or empty, or holds results of the same run; else --force is needed.

func addForce(f *pflag.FlagSet, force *bool) {
	f.BoolVar(force, "force", false, "write to --out even if that holds something else than results of this run, which is then lost")
}

const orForce = "name another one with --out, or replace it with --force"

// checkOutFolder refuses a folder that holds something else than results of the
// run called id, and what is our own there.
func checkOutFolder(dir, id string, own ...string) error {
	names, err := visibleEntries(dir)
	names = slices.DeleteFunc(names, func(n string) bool { return slices.Contains(own, n) })
	if err != nil || len(names) == 0 {
		return err
	}
	there, err := resultsOf(dir)
	switch {
	case err != nil:
		return usagef("%s holds what is no result of this run (%s): %s", dir, firstFew(names), orForce)
	case there.Run.ID != id:
		return usagef("%s holds the results of another run, %s of %s; this is %s, with other inputs, flags or addresses: %s", dir, there.Run.ID, there.System, id, orForce)
	}
	return nil
}

// ownIn is what a working folder holds, if dir is one.
func ownIn(dir, workDir string) []string {
	if samePath(dir, workDir) {
		return []string{"journal", "runs"}
	}
	return nil
}

// resultsOf reads the results in a folder.
func resultsOf(dir string) (r omniscope.Results, err error) {
	text, err := os.ReadFile(filepath.Join(dir, documentFile))
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	if err == nil && (r.Schema != omniscope.ResultsSchema || r.Run.ID == "") {
		err = errors.New("results.json holds no results")
	}
	return r, err
}

// visibleEntries are the names in a folder, which may not be there, but those
// that start with a point: locks, files on their way, and what systems put into
// every folder.
func visibleEntries(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") {
			names = append(names, e.Name())
		}
	}
	return names, err
}

func firstFew(names []string) string {
	const most = 3
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// tableFiles are what commands write that make tables over several runs.
var tableFiles = []string{"tables.md", "tables.json", "details.csv", "references"}

// checkTablesFolder refuses a folder for tables over several runs that holds
// something else than tables over some of them, and the folders of the runs.
func checkTablesFolder(dir string, ids, folders []string) error {
	names, err := visibleEntries(dir)
	if err != nil {
		return err
	}
	names = slices.DeleteFunc(names, func(n string) bool { return slices.Contains(folders, n) })
	if tablesOf(dir, ids) {
		names = slices.DeleteFunc(names, func(n string) bool { return slices.Contains(tableFiles, n) })
	}
	if len(names) == 0 {
		return nil
	}
	return usagef("%s holds what is no result of these runs (%s): %s", dir, firstFew(names), orForce)
}

// tablesOf reports whether the tables in a folder are over some of these runs
// and no other.
func tablesOf(dir string, ids []string) bool {
	text, err := os.ReadFile(filepath.Join(dir, "tables.json"))
	if err != nil {
		return false
	}
	var there report.Comparison
	if json.Unmarshal(text, &there) != nil || there.Schema != report.ComparisonSchema || len(there.Runs) == 0 {
		return false
	}
	return !slices.ContainsFunc(there.Runs, func(id string) bool { return !slices.Contains(ids, id) })
}

// checkOutFile refuses a file that holds something, unless it is ours. What is
// no file, such as a pipe, is written to in any case.
func checkOutFile(path string, ours func(f io.Reader) bool) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && (!info.Mode().IsRegular() && !info.IsDir() || info.Mode().IsRegular() && info.Size() == 0):
		return nil
	case err != nil:
		return err
	case info.IsDir():
		return usagef("%s is a folder: name a file with --out", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if ours(f) {
		return nil
	}
	return usagef("%s is there already and was not written by the same command: %s", path, orForce)
}

// writeSame writes a file unless it is there with other content.
func writeSame(path string, force bool, write func(io.Writer) error) error {
	if force {
		return writeOut(path, write)
	}
	var text bytes.Buffer
	if err := write(&text); err != nil {
		return err
	}
	err := checkOutFile(path, func(f io.Reader) bool {
		there, err := io.ReadAll(io.LimitReader(f, int64(text.Len())+1))
		return err == nil && bytes.Equal(there, text.Bytes())
	})
	if err != nil {
		return err
	}
	return writeOut(path, func(w io.Writer) error { _, err := w.Write(text.Bytes()); return err })
}

// removeStale removes the files of earlier results that the new ones have no
// more. The names come from a file, so that only plain ones count.
func removeStale(dir string, earlier, now []string) error {
	for _, name := range earlier {
		if slices.Contains(now, name) || name != filepath.Base(name) || strings.HasPrefix(name, ".") {
			continue
		}
		if info, err := os.Lstat(filepath.Join(dir, name)); err != nil || !info.Mode().IsRegular() {
			continue
		}
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}
