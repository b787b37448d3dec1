package hubfolder

import (
	"fmt"
	"path"
	"strings"
)

// mostDeep is how many ** a pattern may have: each is tried at all folders of a path.
const mostDeep = 3

// matching returns the files that a pattern names, in the order of their names: * stands for anything but a slash, ** for folders
// of any depth.
func matching(pattern, written string, all []string) (names []string, err error) {
	if !inside(written) {
		return nil, fmt.Errorf("data_files: %q is no path within the folder: what is not there has to be downloaded first", written)
	}
	parts := strings.Split(strings.ReplaceAll(path.Clean(pattern), "[!", "[^"), "/")
	if strings.Count(pattern, "**") > mostDeep {
		return nil, fmt.Errorf("data_files: %q has ** more than %d times", written, mostDeep)
	}
	for _, part := range parts {
		if _, err := path.Match(part, ""); err != nil {
			return nil, fmt.Errorf("data_files: %q: %w", written, err)
		}
	}
	for _, name := range all {
		if !matches(parts, strings.Split(name, "/")) {
			continue
		}
		switch {
		case formOf(name) != "":
			names = append(names, name)
		case name == pattern:
			return nil, fmt.Errorf("data_files: %s is none of the forms that are read: %s", written, strings.Join(endings(), ", "))
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("data_files: no file of rows fits %q: get all files of the data set", written)
	}
	return names, nil
}

func matches(pattern, name []string) bool {
	for len(pattern) > 0 {
		if pattern[0] == "**" {
			for i := range len(name) + 1 {
				if len(pattern) == 1 && i < len(name) || len(pattern) > 1 && matches(pattern[1:], name[i:]) {
					return true
				}
			}
			return false
		}
		if len(name) == 0 {
			return false
		}
		if ok, _ := path.Match(pattern[0], name[0]); !ok { // the pattern was checked
			return false
		}
		pattern, name = pattern[1:], name[1:]
	}
	return len(name) == 0
}
