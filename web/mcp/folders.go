package mcp

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"omniscope"
	"omniscope/internal/mediafiles"
)

// folders are those whose media agents may ask about.
type folders struct {
	roots []*os.Root
	paths []string // of the roots, whole and without links
}

func openFolders(names []string) (*folders, error) {
	f := &folders{}
	for _, name := range names {
		path, err := filepath.Abs(name)
		if err == nil {
			path, err = filepath.EvalSymlinks(path)
		}
		var root *os.Root
		if err == nil {
			root, err = os.OpenRoot(path)
		}
		if err != nil {
			return nil, omniscope.Usagef("folder of media %s: %w", name, err)
		}
		f.roots, f.paths = append(f.roots, root), append(f.paths, path)
	}
	return f, nil
}

// find returns the whole path of a file that an agent names, by its whole path or from a folder on. A path that leads
// out of the folders, by dots or by a link, is reported as missing: an agent must not find out which files exist elsewhere.
func (f *folders) find(name string) (string, error) {
	for i, root := range f.roots {
		local := filepath.FromSlash(name)
		if filepath.IsAbs(local) {
			rest, err := filepath.Rel(f.paths[i], local)
			if err != nil {
				continue
			}
			local = rest
		}
		if !filepath.IsLocal(local) {
			continue
		}
		if info, err := root.Stat(local); err == nil && info.Mode().IsRegular() {
			return filepath.Join(f.paths[i], local), nil
		}
	}
	return "", omniscope.NotFoundf("%.200q is no file below the folders of media: list_media names those there are", name)
}

// mostListed is how many files are listed.
const mostListed = 1000

// list are the media below the folders, from their folder on.
func (f *folders) list() (files []string, more int, err error) {
	for _, path := range f.paths {
		found, _, err := mediafiles.In(path, "")
		if err != nil {
			return nil, 0, err
		}
		for _, p := range found {
			if _, err := f.find(p); err == nil { // a link may lead out of the folder
				files = append(files, filepath.ToSlash(strings.TrimPrefix(strings.TrimPrefix(p, path), string(filepath.Separator))))
			}
		}
	}
	slices.Sort(files)
	files = slices.Compact(files)
	if len(files) > mostListed {
		more = len(files) - mostListed
		files = files[:mostListed]
	}
	return files, more, nil
}
