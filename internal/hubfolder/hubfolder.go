// Package hubfolder finds the files of rows in a folder that is laid out as the data sets of the Hugging Face hub are: by the
// configurations of its card (README.md), or without any by the hub's rules for names. The rules are those of the hub's manual,
// "File names and splits" and "Manual configuration" (huggingface/hub-docs, docs/hub/datasets-file-names-and-splits.md and
// datasets-manual-configuration.md, of 2026), and, where these are silent, of src/datasets/data_files.py in huggingface/datasets.
// It opens none of the files but the card.
package hubfolder

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"omniscope"
	"omniscope/internal/ondisk"
	"omniscope/internal/spelling"
)

// files are the files of rows that a path names.
type files struct {
	Folder string   // where they are
	Config string   // of the card; "" = it has none
	Split  string   // train, test or another
	Names  []string // below Folder, with slashes, in the order in which they are read
}

// Paths are the files' paths.
func (f *files) Paths() []string {
	paths := make([]string, len(f.Names))
	for i, name := range f.Names {
		paths[i] = filepath.Join(f.Folder, filepath.FromSlash(name))
	}
	return paths
}

// Cut takes from a path what is chosen of its folder: FOLDER#split, FOLDER#config or FOLDER#config/split. ok = false says that
// the path names no folder.
func Cut(name string) (folder, choice string, ok bool) {
	if info, err := os.Stat(name); err == nil {
		return name, "", info.IsDir()
	}
	for at := len(name); ; {
		if at = strings.LastIndexByte(name[:at], '#'); at < 0 {
			return "", "", false
		}
		if info, err := os.Stat(name[:at]); err == nil {
			return name[:at], name[at+1:], info.IsDir()
		}
	}
}

// Find returns the files of rows that a path names; nil says that it names no folder. A folder of several configurations or splits
// that the path does not choose from is an error of kind Invalid that lists them.
func Find(name string) (*files, error) {
	folder, choice, ok := Cut(name)
	if !ok {
		return nil, nil
	}
	f, err := find(folder, choice)
	if errors.Is(err, ErrNoRows) {
		return nil, omniscope.Invalidf("%s %w", folder, err)
	}
	if err != nil {
		return nil, omniscope.Invalidf("%s: %w", folder, err)
	}
	return f, nil
}

func find(folder, choice string) (*files, error) {
	folder, err := snapshot(folder)
	if err != nil {
		return nil, err
	}
	all, err := list(folder)
	if err != nil {
		return nil, err
	}
	configs, err := readCard(filepath.Join(folder, "README.md"))
	if err != nil {
		return nil, fmt.Errorf("README.md: %w", err)
	}
	sets, err := setsOf(configs, all)
	if err == nil && len(sets) == 0 {
		err = nothing(all)
	}
	if err != nil {
		return nil, err
	}
	if choice == "" {
		sets = there(folder, sets)
	}
	s, err := choose(sets, choice)
	if err == nil {
		err = s.err
	}
	if err != nil {
		return nil, err
	}
	if err := errors.Join(oneForm(s.names), complete(s.names)); err != nil {
		return nil, err
	}
	f := &files{Folder: folder, Config: s.config, Split: s.split, Names: s.names}
	if err := f.present(); err != nil {
		return nil, err
	}
	return f, nil
}

// present makes sure that no file is a link to nothing, as in a cache of the hub that has only some of the files: rows would be missed.
func (f *files) present() error {
	for i, path := range f.Paths() {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s is a link to a file that is not there: get all files of the split again", f.Names[i])
		}
	}
	return nil
}

// there are the sets that have a file which is there: a cache may hold one split, and links to nothing in place of the others. If
// none has any, all are returned.
func there(folder string, sets []set) []set {
	some := slices.DeleteFunc(slices.Clone(sets), func(s set) bool {
		return s.err == nil && !slices.ContainsFunc(s.names, func(name string) bool {
			_, err := os.Stat(filepath.Join(folder, filepath.FromSlash(name)))
			return !errors.Is(err, fs.ErrNotExist)
		})
	})
	if len(some) == 0 {
		return sets
	}
	return some
}

// snapshot returns the snapshot in place of a folder of the hub's cache, such as datasets--ORG--NAME.
func snapshot(folder string) (string, error) {
	below := filepath.Join(folder, "snapshots")
	entries, err := os.ReadDir(below)
	if err != nil || !ondisk.IsFolder(filepath.Join(folder, "refs")) {
		return folder, nil
	}
	if text, err := os.ReadFile(filepath.Join(folder, "refs", "main")); err == nil {
		if name := strings.TrimSpace(string(text)); filepath.Base(name) == name && ondisk.IsFolder(filepath.Join(below, name)) {
			return filepath.Join(below, name), nil
		}
	}
	if len(entries) == 1 {
		return filepath.Join(below, entries[0].Name()), nil
	}
	return "", fmt.Errorf("it is a folder of the hub's cache with %d snapshots, and none is main: name one of those below %s", len(entries), below)
}

// mostFiles is how many files a folder may have.
const mostFiles = 1_000_000

// list returns all files below a folder, with slashes, in the order of their names. Links to files and to nothing count; folders
// that are links are not entered. What begins with a dot or two underscores is left out.
func list(folder string) (names []string, err error) {
	err = filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		hidden := name != folder && (strings.HasPrefix(d.Name(), ".") || strings.HasPrefix(d.Name(), "__"))
		switch {
		case d.IsDir() && hidden:
			return fs.SkipDir
		case d.IsDir() || hidden:
			return nil
		case len(names) == mostFiles:
			return fmt.Errorf("it has more than %d files", mostFiles)
		case d.Type()&fs.ModeSymlink != 0:
			if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
				return nil
			}
		case !d.Type().IsRegular():
			return nil
		}
		below, err := filepath.Rel(folder, name)
		names = append(names, filepath.ToSlash(below))
		return err
	})
	slices.Sort(names)
	return names, err
}

// forms are the endings of files of rows, and what is read by them.
var forms = map[string]string{".parquet": "Parquet", ".jsonl": "JSON", ".ndjson": "JSON", ".json": "JSON", ".csv": "CSV", ".tsv": "TSV"}

// formOf is the form of a file of rows; "" = it is none.
func formOf(name string) string {
	if slices.Contains([]string{"dataset_info.json", "dataset_infos.json", "dataset_dict.json", "config.json", "state.json"}, path.Base(name)) {
		return ""
	}
	lower := strings.ToLower(name)
	for _, packing := range []string{".gz", ".bz2"} {
		lower = strings.TrimSuffix(lower, packing)
	}
	return forms[path.Ext(lower)]
}

func rowsOnly(names []string) (rows []string) {
	for _, name := range names {
		if formOf(name) != "" {
			rows = append(rows, name)
		}
	}
	return rows
}

// nothing is the error for a folder without files of rows.
func nothing(all []string) error {
	for _, name := range all {
		if strings.HasSuffix(name, ".arrow") {
			return errors.New("its rows are in Arrow files, as save_to_disk of the library datasets writes them, which are not read: write Parquet by " +
				`datasets.load_from_disk("FOLDER").to_parquet("rows.parquet"), of a DatasetDict for each of its splits`)
		}
	}
	return ErrNoRows
}

// ErrNoRows is the error for a folder without files of rows.
var ErrNoRows = fmt.Errorf("is a folder: name a file, or a folder that holds files of rows: %s (and .gz, .bz2 of these)", strings.Join(endings(), ", "))

func endings() (all []string) {
	for ending := range forms {
		all = append(all, ending)
	}
	slices.Sort(all)
	return all
}

// oneForm makes sure that files are of one form: others beside them may be copies of the same rows.
func oneForm(names []string) error {
	first := make(map[string]string)
	for _, name := range names {
		if f := formOf(name); first[f] == "" {
			first[f] = name
		}
	}
	if len(first) < 2 {
		return nil
	}
	var shown []string
	for form, name := range first {
		shown = append(shown, fmt.Sprintf("%s (%s)", name, form))
	}
	slices.Sort(shown)
	return fmt.Errorf("its rows are in files of several forms, which may be the same rows again: %s. Name the file that is meant, or list the files in the card", strings.Join(shown, ", "))
}

// choose returns the set that is chosen. Of several configurations the one called default, or marked so in the card, needs no name.
func choose(sets []set, choice string) (set, error) {
	var fits []set
	for _, s := range sets {
		if s.answers(choice) {
			fits = append(fits, s)
		}
	}
	switch {
	case len(fits) == 1:
		return fits[0], nil
	case len(fits) > 1 && choice != "":
		return set{}, fmt.Errorf("#%s may be several things: write %s", choice, orList(fits))
	case len(fits) > 1:
		return set{}, fmt.Errorf("it holds several parts: add one of them to its name, %s", orList(fits))
	case choice == "":
		return set{}, fmt.Errorf("it holds several parts: add one of them to its name, %s", orList(sets))
	}
	var known []string
	for _, s := range sets {
		if known = append(known, s.String()); s.split != choice { // a split of several configurations is no hint to itself
			known = append(known, s.split)
		}
	}
	return set{}, fmt.Errorf("it has no #%s but %s%s", choice, orList(sets), spelling.Hint(choice, known))
}

// answers reports whether a choice may mean the set; "" is the default.
func (s set) answers(choice string) bool {
	return s.isDefault && (choice == "" || choice == s.split) || choice == s.config && s.config != "" || choice == s.config+"/"+s.split
}

// orList names sets as they are written behind a folder.
func orList(sets []set) string {
	const most = 30
	var names []string
	for i, s := range sets {
		if i == most {
			names = append(names, fmt.Sprintf("or one of %d more", len(sets)-most))
			break
		}
		names = append(names, "#"+s.String())
	}
	return strings.Join(names, ", ")
}
