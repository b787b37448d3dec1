package predict

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"omniscope"
	"omniscope/internal/mediafiles"
	"omniscope/internal/spelling"
	"omniscope/internal/visible"
)

// MediaFiles are the named files, with those of media in the place of each folder,
// from it and below, in order. Hidden files and folders, and workDir, are left out. It
// writes to warn how many files of other kinds there are. A folder without media
// is an error of kind Usage.
func MediaFiles(named []string, workDir string, warn io.Writer) ([]string, error) {
	var all []string
	missing := 0
	for _, name := range named {
		info, err := os.Stat(name)
		if errors.Is(err, fs.ErrNotExist) && !strings.Contains(name, "://") {
			missing++
		}
		if err != nil || !info.IsDir() { // what cannot be opened is counted among the clips
			all = append(all, name)
			continue
		}
		found, others, err := mediafiles.In(name, workDir)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, omniscope.Usagef("%s: no video or sound file in this folder, by their endings: name the files themselves", visible.Line(name))
		}
		fmt.Fprintf(warn, "%s: %d video and sound files", visible.Line(name), len(found))
		if len(others) > 0 {
			fmt.Fprintf(warn, "; left out by their endings: %d files, such as %s", len(others), visible.Line(others[0]))
		}
		fmt.Fprintln(warn)
		all = append(all, found...)
	}
	if missing > 0 && missing == len(named) {
		return nil, omniscope.NotFoundf("%s: no such file or folder%s", visible.Line(named[0]), spelling.NearFile(named[0]))
	}
	return all, nil
}

// mediaIDs are the ids of files: their names without endings; for those that would
// have the same, in capitals or not, with endings; where that is the same, too,
// their paths from the folder that all have in common. Paths are whole, each once.
func mediaIDs(paths []string) []string {
	ids := make([]string, len(paths))
	for i, path := range paths {
		base := filepath.Base(path)
		if ids[i] = strings.TrimSuffix(base, filepath.Ext(base)); ids[i] == "" {
			ids[i] = base
		}
	}
	lengthen(ids, func(i int) string { return filepath.Base(paths[i]) })
	folder := commonFolder(paths)
	lengthen(ids, func(i int) string { return filepath.ToSlash(strings.TrimPrefix(paths[i], folder)) })
	return ids
}

// lengthen replaces the ids that are not the only ones of their kind.
func lengthen(ids []string, longer func(i int) string) {
	count := make(map[string]int)
	for _, id := range ids {
		count[strings.ToLower(id)]++
	}
	for i, id := range ids {
		if count[strings.ToLower(id)] > 1 {
			ids[i] = longer(i)
		}
	}
}

// commonFolder is the longest folder, with the separator at its end, that all paths are
// below.
func commonFolder(paths []string) string {
	if len(paths) == 0 {
		return ""
	}
	folder := paths[0]
	for _, path := range paths {
		for !strings.HasPrefix(path, folder) || !strings.HasSuffix(folder, string(filepath.Separator)) {
			i := strings.LastIndex(strings.TrimSuffix(folder, string(filepath.Separator)), string(filepath.Separator))
			folder = folder[:i+1]
			if folder == "" {
				return ""
			}
		}
	}
	return folder
}
