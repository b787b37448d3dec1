package eval

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"omniscope"
	"omniscope/bench/document"
	"omniscope/internal/outfile"
	"omniscope/results/repeat"
	"omniscope/results/report"
)

// What a user names with --out may hold somebody's work. It is written to if it
// is new or empty, or holds results of the same run; else --force is needed.

// checkFolder refuses a folder that holds something else than results of the
// run called id, and what is our own there.
func checkFolder(dir, id string, own ...string) error {
	names, err := outfile.Entries(dir)
	names = slices.DeleteFunc(names, func(n string) bool { return slices.Contains(own, n) })
	if err != nil || len(names) == 0 {
		return err
	}
	there, err := ResultsIn(dir)
	switch {
	case err != nil:
		return omniscope.Usagef("%s holds what is no result of this run (%s): %s", dir, firstFew(names), outfile.OrForce)
	case there.Run.ID != id:
		return omniscope.Usagef("%s holds the results of another run, %s of %s; this is %s, with other inputs, flags, addresses or another version: %s", dir, there.Run.ID, there.System, id, outfile.OrForce)
	}
	return nil
}

// ownIn is what a working folder holds, if dir is one.
func ownIn(dir, workDir string) []string {
	if outfile.SamePath(dir, workDir) {
		return []string{"journal", "runs"}
	}
	return nil
}

// ResultsIn reads the results in a folder.
func ResultsIn(dir string) (r document.Results, err error) {
	text, err := os.ReadFile(filepath.Join(dir, documentFile))
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	if err == nil && (r.CheckSchema() != nil || r.Run.ID == "") {
		err = errors.New("results.json holds no results")
	}
	return r, err
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

// CheckTablesFolder refuses a folder for tables over several runs that holds
// something else than tables over some of them, and the folders of the runs.
func CheckTablesFolder(dir string, ids, folders []string) error {
	names, err := outfile.Entries(dir)
	if err != nil {
		return err
	}
	names = slices.DeleteFunc(names, func(n string) bool { return slices.Contains(folders, n) })
	if tablesOf(dir, ids) {
		names = slices.DeleteFunc(names, func(n string) bool { return slices.Contains(tableFiles, n) })
	}
	if repetitionsOf(dir, ids) {
		names = slices.DeleteFunc(names, func(n string) bool { return slices.Contains(repeat.Files, n) })
	}
	if len(names) == 0 {
		return nil
	}
	return omniscope.Usagef("%s holds what is no result of these runs (%s): %s", dir, firstFew(names), outfile.OrForce)
}

// repetitionsOf reports whether the summary of repetitions in a folder is of some of these runs and no other.
func repetitionsOf(dir string, ids []string) bool {
	text, err := os.ReadFile(filepath.Join(dir, repeat.Files[0]))
	if err != nil {
		return false
	}
	var there repeat.Document
	if json.Unmarshal(text, &there) != nil || there.Schema != repeat.Schema {
		return false
	}
	for _, r := range there.Repetitions {
		if !slices.Contains(ids, r.Run) {
			return false
		}
	}
	return true
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
