package predict

import (
	"fmt"
	"path"
	"path/filepath"

	"omniscope"
	"omniscope/internal/ondisk"
	"omniscope/internal/quantity"
)

// checkMedia refuses a run whose media are elsewhere, and warns of single ones that
// are not there, before anything is paid for.
func (w *Run) checkMedia() error {
	lacking, first, err := w.lackingMedia()
	if err == nil && lacking > 0 && w.dataset != nil {
		w.findMedia()
		lacking, first, err = w.lackingMedia()
	}
	switch {
	case err != nil:
		return err
	case lacking == len(w.Samples) && w.dataset != nil:
		return omniscope.Usagef("none of the media of %d samples is there, such as %s: name their folder with --media", lacking, first)
	case lacking > 0:
		fmt.Fprintf(w.Warnings, "warning: the media of %d of %d samples are not there, such as %s; these are not asked\n", lacking, len(w.Samples), first)
	}
	return nil
}

// lackingMedia counts the samples whose file is not there, and returns the first such file.
func (w *Run) lackingMedia() (lacking int, first string, err error) {
	for i := range w.Samples {
		path, err := w.Tested.Path(&w.Samples[i])
		if err != nil {
			return 0, "", err
		}
		if !ondisk.Exists(path) {
			if lacking++; lacking == 1 {
				first = path
			}
		}
	}
	return lacking, first, nil
}

// findMedia finds files that are not under their paths by their names alone, in a folder without the dataset's folders. A name of
// several files of the dataset is not found.
func (w *Run) findMedia() {
	named := make(map[string]map[string]bool) // names of the dataset, by base name
	for i := range w.Samples {
		name := w.Tested.File(&w.Samples[i])
		base := path.Base(filepath.ToSlash(name))
		if named[base] == nil {
			named[base] = make(map[string]bool)
		}
		named[base][name] = true
	}
	found, example := make(map[string]string), ""
	for base, names := range named {
		at := filepath.Join(w.Tested.Folder, base)
		if len(names) != 1 || !ondisk.Exists(at) {
			continue
		}
		for name := range names {
			if !ondisk.Exists(filepath.Join(w.Tested.Folder, filepath.FromSlash(name))) {
				found[name] = at
				if example == "" || name < example {
					example = name
				}
			}
		}
	}
	if len(found) > 0 {
		fmt.Fprintf(w.Warnings, "%s: found by name in %s, such as %s for %s\n", quantity.Of(len(found), "file is not at its path", "files are not at their paths"), w.Tested.Folder, found[example], example)
	}
	w.Tested.Found = found
}
