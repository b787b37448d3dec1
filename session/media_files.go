package session

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"omniscope/internal/visible"
)

// mediaEndings are the endings of files that are taken for media where a folder is
// named. A file that is named itself is taken whatever its ending.
var mediaEndings = strings.Fields(`.3gp .avi .flv .m2ts .m4v .mkv .mov .mp4 .mpeg .mpg .mts .mxf .ogv .ts .webm .wmv
	.aac .aif .aiff .amr .ape .caf .flac .m4a .mka .mp3 .oga .ogg .opus .wav .wma`)

// MediaFiles are the named files, with those of media in the place of each folder,
// from it and below, in order. Hidden files and folders, and workDir, are left out. It
// writes to warn how many files of other kinds there are. A folder without media
// is an error of kind Usage.
func MediaFiles(named []string, workDir string, warn io.Writer) ([]string, error) {
	var all []string
	for _, name := range named {
		info, err := os.Stat(name)
		if err != nil || !info.IsDir() { // what cannot be opened is counted among the clips
			all = append(all, name)
			continue
		}
		found, others, err := mediaIn(name, workDir)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, usage("%s: no video or sound file in this folder, by their endings: name the files themselves", visible.Line(name))
		}
		fmt.Fprintf(warn, "%s: %d video and sound files", visible.Line(name), len(found))
		if len(others) > 0 {
			fmt.Fprintf(warn, "; left out by their endings: %d files, such as %s", len(others), visible.Line(others[0]))
		}
		fmt.Fprintln(warn)
		all = append(all, found...)
	}
	return all, nil
}

// mediaIn finds the media files in a folder and below, and those of other kinds.
func mediaIn(folder, workDir string) (found, others []string, err error) {
	work, _ := os.Stat(workDir)
	// With a separator at its end, a link to a folder is followed.
	err = filepath.WalkDir(folder+string(filepath.Separator), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		path = filepath.Clean(path)
		hidden := strings.HasPrefix(d.Name(), ".")
		if d.IsDir() {
			info, err := d.Info()
			if top := path == filepath.Clean(folder); !top && (hidden || err == nil && os.SameFile(info, work)) {
				return filepath.SkipDir
			}
			return nil
		}
		switch {
		case hidden:
		case slices.Contains(mediaEndings, strings.ToLower(filepath.Ext(path))):
			found = append(found, path)
		default:
			others = append(others, path)
		}
		return nil
	})
	return found, others, err
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
