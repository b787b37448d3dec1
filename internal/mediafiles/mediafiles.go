// Package mediafiles finds the video and sound files in folders.
package mediafiles

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The endings of files that are taken for media where a folder is named.
var (
	films  = strings.Fields(`.3gp .avi .flv .m2ts .m4v .mkv .mov .mp4 .mpeg .mpg .mts .mxf .ogv .ts .webm .wmv`)
	sounds = strings.Fields(`.aac .aif .aiff .amr .ape .caf .flac .m4a .mka .mp3 .oga .ogg .opus .wav .wma`)
)

// IsFilm reports whether a file has the ending of a film.
func IsFilm(name string) bool { return slices.Contains(films, strings.ToLower(filepath.Ext(name))) }

// Is reports whether a file has the ending of a film or a sound.
func Is(name string) bool {
	return IsFilm(name) || slices.Contains(sounds, strings.ToLower(filepath.Ext(name)))
}

// In finds the media files in a folder and below, in order, and those of other kinds.
// Hidden files and folders, and the folder leaveOut, are left out.
func In(folder, leaveOut string) (found, others []string, err error) {
	work, _ := os.Stat(leaveOut)
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
		case Is(path):
			found = append(found, path)
		default:
			others = append(others, path)
		}
		return nil
	})
	return found, others, err
}
