package mcif

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// tellApart gives systems of one name names of their own where their files, in
// different folders, are for the same cells of a table: the second is called
// NAME-2. It changes the files' System, drops files that are there twice, and
// says in notes which name is of which folder.
func tellApart(files []outputPath) (apart []outputPath, notes []string) {
	seen := make(map[string]bool)
	for _, f := range files {
		if path := absolute(f.Paths[0]); !seen[path] {
			seen[path] = true
			apart = append(apart, f)
		}
	}
	taken := make(map[string]bool)
	var names []string
	for _, f := range apart {
		if !taken[f.System] {
			taken[f.System] = true
			names = append(names, f.System)
		}
	}
	for _, name := range names {
		folders, clash := foldersOf(apart, name)
		switch {
		case len(folders) < 2:
		case !clash:
			notes = append(notes, fmt.Sprintf("%s is made of %d folders: %s", name, len(folders), strings.Join(folders, ", ")))
		default:
			notes = append(notes, number(apart, name, folders, taken))
		}
	}
	return apart, notes
}

// foldersOf lists where a system's files are. clash says that two folders have
// outputs for the same cell.
func foldersOf(files []outputPath, name string) (folders []string, clash bool) {
	cells := make(map[string]bool)
	for _, f := range files {
		if f.System != name {
			continue
		}
		if dir := filepath.Dir(f.Paths[0]); !slices.Contains(folders, dir) {
			folders = append(folders, dir)
		}
		cell := strings.Join([]string{f.Modality, f.Track, f.Lang, f.Prompts}, "/")
		clash = clash || cells[cell]
		cells[cell] = true
	}
	return folders, clash
}

// number renames the system of each folder but the first.
func number(files []outputPath, name string, folders []string, taken map[string]bool) string {
	told := []string{name + " is of " + folders[0]}
	n := 1
	for _, dir := range folders[1:] {
		own := name
		for taken[own] {
			n++
			own = fmt.Sprintf("%s-%d", name, n)
		}
		taken[own] = true
		for i, f := range files {
			if f.System == name && filepath.Dir(f.Paths[0]) == dir {
				files[i].System = own
			}
		}
		told = append(told, own+" of "+dir)
	}
	return strings.Join(told, ", ")
}
