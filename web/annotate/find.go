package annotate

import (
	"cmp"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"omniscope"
	"omniscope/internal/mediafiles"
)

// A library is the media files below declared folders. Nothing outside of them is found, links that
// lead out included. It is used by one goroutine at a time.
type library struct {
	roots   []root
	leave   string // folder to skip
	listed  time.Time
	byName  map[string][]mediaFile // by the last part of the path
	byTitle map[string][]mediaFile // the same without its ending
}

// A root is a declared folder.
type root struct {
	*os.Root
	path string // as it was named
}

// A mediaFile is a file below a folder.
type mediaFile struct {
	root  int
	local string // below the folder, with slashes
}

// relist is the age from which a list of files is read again for an unknown name.
const relist = 10 * time.Second

// uploaded matches Label Studio's name of an uploaded file: the number of a project, eight digits and the original
// name.
var uploaded = regexp.MustCompile(`(?:^|/)upload/\d+/[0-9a-f]{8}-([^/]+)$`)

// plainer is the name that a file had before an address was made of it, or it was uploaded; else the name itself.
func plainer(name string) string {
	if plain, err := url.PathUnescape(name); err == nil && plain != name {
		return plain
	}
	if before := uploaded.FindStringSubmatch(name); before != nil {
		return before[1]
	}
	return name
}

// place is the path of a file.
func (l *library) place(f mediaFile) string {
	return filepath.Join(l.roots[f.root].path, filepath.FromSlash(f.local))
}

// isThere reports whether a file is there and below the folder.
func (l *library) isThere(f mediaFile) bool {
	local := filepath.FromSlash(f.local)
	if !filepath.IsLocal(local) {
		return false
	}
	info, err := l.roots[f.root].Stat(local)
	return err == nil && info.Mode().IsRegular()
}

// find returns the files that a name in a project may mean, the best first, and how many of them fit
// equally well. A name means files of that name; a name without an ending of film or sound also means
// files with one. More common folders at the end of the path fit better. Among equal files, films
// precede sounds, and files near the top of a folder precede others.
func (l *library) find(name string) (found []mediaFile, alike int, err error) {
	parts := partsOf(name)
	if len(parts) == 0 {
		return nil, 0, l.missing(name)
	}
	last := parts[len(parts)-1]
	if l.byName == nil {
		l.list()
	}
	if found = l.called(name, last); len(found) == 0 && time.Since(l.listed) > relist {
		l.list()
		found = l.called(name, last)
	}
	if other := plainer(name); len(found) == 0 && other != name {
		if found, alike, err = l.find(other); err != nil {
			err = l.missing(name)
		}
		return found, alike, err
	}
	fits := make(map[mediaFile]int, len(found))
	for _, f := range found {
		if fits[f] = 2 * common(parts, partsOf(l.absolute(f))); path.Base(f.local) == last {
			fits[f]++ // the very name
		}
	}
	slices.SortFunc(found, func(a, b mediaFile) int {
		return cmp.Or(cmp.Compare(fits[b], fits[a]), compareFilms(a, b), cmp.Compare(depth(a), depth(b)), cmp.Compare(a.root, b.root), cmp.Compare(a.local, b.local))
	})
	if found = slices.Compact(found); len(found) == 0 {
		return nil, 0, l.missing(name)
	}
	for alike < len(found) && fits[found[alike]] == fits[found[0]] {
		alike++
	}
	return found, alike, nil
}

// called returns the files at the path of a name, and the files with the same last part of the path.
func (l *library) called(name, last string) []mediaFile {
	found := append(l.direct(name), l.byName[last]...)
	if !mediafiles.Is(last) {
		found = append(found, l.byTitle[last]...)
	}
	return slices.DeleteFunc(found, func(f mediaFile) bool { return !l.isThere(f) })
}

func (l *library) missing(name string) error {
	if len(l.roots) == 0 {
		return omniscope.NotFoundf("the clip %s cannot be looked for: no folder is named with --media", name)
	}
	return omniscope.NotFoundf("the clip %s is not below the folders of --media", name)
}

// compareFilms puts films first.
func compareFilms(a, b mediaFile) int {
	rank := map[bool]int{true: 0, false: 1}
	return cmp.Compare(rank[mediafiles.IsFilm(a.local)], rank[mediafiles.IsFilm(b.local)])
}

func depth(f mediaFile) int { return strings.Count(f.local, "/") }

// direct returns the files at the path of a name below each folder, also files that are not listed. The
// name may be an absolute path.
func (l *library) direct(name string) (found []mediaFile) {
	for i := range l.roots {
		local := filepath.ToSlash(name)
		if filepath.IsAbs(name) {
			below, err := filepath.Rel(l.absolute(mediaFile{i, "."}), name)
			if err != nil {
				continue
			}
			local = filepath.ToSlash(below)
		}
		for _, candidate := range []string{path.Clean(local), path.Base(local)} {
			if f := (mediaFile{i, candidate}); l.isThere(f) {
				found = append(found, f)
			}
		}
	}
	return found
}

// absolute is the absolute path of a file, or as it was named where that is not known.
func (l *library) absolute(f mediaFile) string {
	at := l.place(f)
	if absolute, err := filepath.Abs(at); err == nil {
		return absolute
	}
	return at
}

// partsOf are the parts of a path. Data sets were also made on systems with other separators.
func partsOf(name string) []string {
	name = path.Clean("/" + strings.ReplaceAll(filepath.ToSlash(name), `\`, "/"))
	return strings.FieldsFunc(name, func(r rune) bool { return r == '/' })
}

// common is the number of equal parts at the ends of a name and a file's path. The file may have one
// more ending.
func common(name, file []string) (n int) {
	for n < len(name) && n < len(file) {
		a, b := name[len(name)-1-n], file[len(file)-1-n]
		if a != b && (n > 0 || a != withoutEnding(b)) {
			break
		}
		n++
	}
	return n
}

func withoutEnding(name string) string { return strings.TrimSuffix(name, path.Ext(name)) }

// list reads the folders. It skips hidden files and files that were made of clips.
func (l *library) list() {
	l.listed = time.Now()
	l.byName, l.byTitle = make(map[string][]mediaFile), make(map[string][]mediaFile)
	leave, _ := os.Stat(l.leave)
	for i, r := range l.roots {
		_ = fs.WalkDir(r.FS(), ".", func(local string, d fs.DirEntry, err error) error {
			hidden := local != "." && strings.HasPrefix(path.Base(local), ".")
			switch {
			case err != nil: // what cannot be read has no clip for us
				return nil
			case d.IsDir():
				info, err := d.Info()
				if hidden || leave != nil && err == nil && os.SameFile(info, leave) {
					return fs.SkipDir
				}
			case !hidden && mediafiles.Is(local):
				name := path.Base(local)
				l.byName[name] = append(l.byName[name], mediaFile{i, local})
				l.byTitle[withoutEnding(name)] = append(l.byTitle[withoutEnding(name)], mediaFile{i, local})
			}
			return nil
		})
	}
}

// all are the listed files.
func (l *library) all() (out []mediaFile) {
	l.list()
	for _, files := range l.byName {
		out = append(out, files...)
	}
	slices.SortFunc(out, func(a, b mediaFile) int {
		return cmp.Or(cmp.Compare(a.root, b.root), cmp.Compare(a.local, b.local))
	})
	return out
}
