package captionrow

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"omniscope"
	"omniscope/internal/ondisk"
)

// Files returns the files of rows that a user names: the file itself, or the files captions-*.jsonl of a folder, in order. A
// file that is not finished is an error of kind Invalid: many of its captions would be missing.
func Files(name string) (files []string, err error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, omniscope.Invalidf("captions: %w", err)
	}
	if !info.IsDir() {
		return []string{name}, nil
	}
	entries, err := os.ReadDir(name)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		switch file := e.Name(); {
		case !strings.HasSuffix(file, ".jsonl"):
		case strings.HasPrefix(file, "unfinished-"):
			return nil, omniscope.Invalidf("%s is not finished: run the same `omniscope caption` command again until it is", filepath.Join(name, file))
		case file == FileName, strings.HasPrefix(file, "captions-"):
			files = append(files, filepath.Join(name, file))
		}
	}
	if len(files) == 0 {
		return nil, omniscope.Invalidf("%s has %w %s or captions-00000.jsonl: name a file of captions, or a folder that `omniscope caption` wrote, such as captions/av of a list", name, ErrNoFile, FileName)
	}
	return files, nil
}

// ErrNoFile is the cause of an error of Files where a folder has no file of captions.
var ErrNoFile = errors.New("no file")

// FileName is the name of a file of rows in a folder of results.
const FileName = "captions.jsonl"

// PathFrom returns the path of a media file as a row of a file in folder has it: an address or an absolute path stays, and a
// relative path, which starts from the working directory, starts from the folder then.
func PathFrom(folder, media string) string {
	if isAddress(media) || filepath.IsAbs(media) {
		return media
	}
	from, err1 := filepath.Abs(folder)
	to, err2 := filepath.Abs(media)
	if err1 != nil || err2 != nil {
		return media
	}
	relative, err := filepath.Rel(from, to)
	if err != nil { // another drive
		return to
	}
	return filepath.ToSlash(relative)
}

// Find returns the media file of a row, without its stretch, which Path may have behind #t=. file is the row's file. media is a
// folder that the user names; "" = no folder. A relative path is looked for in that folder, without its first folders if need
// be, then from the folder of the row's file, and then from the working directory. If the file is nowhere, the first place is
// returned.
func (r *Row) Find(file, media string) string {
	path, _, _ := strings.Cut(r.Path, "#t=")
	if path == "" || isAddress(path) || filepath.IsAbs(path) {
		return path
	}
	path = filepath.FromSlash(path)
	var places []string
	if media != "" {
		for rest, more := path, true; more; _, rest, more = strings.Cut(rest, string(filepath.Separator)) {
			places = append(places, filepath.Join(media, rest))
		}
	}
	places = append(places, filepath.Join(filepath.Dir(file), path), path)
	for _, place := range places {
		if ondisk.IsFile(place) {
			return place
		}
	}
	return places[0]
}

func isAddress(path string) bool { return strings.Contains(path, "://") }
