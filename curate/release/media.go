package release

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"omniscope"
	"omniscope/internal/mediafiles"
	"omniscope/internal/ondisk"
	"omniscope/internal/sha256hex"
)

// addMedia puts the media of all items into the release: as a second name of the same file where the file system can, else
// as a copy. Paths in rows come from others, so that nothing outside of the folder of media is opened.
func (s *set) addMedia(ctx context.Context, f *folder) error {
	if s.o.Media == "" {
		return nil
	}
	if !ondisk.IsFolder(s.o.Media) {
		return omniscope.NotFoundf("--media %s is no folder", s.o.Media)
	}
	found, err := s.findMedia()
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(s.o.Media)
	if err != nil {
		return err
	}
	defer root.Close()
	from := make(map[string]string) // by name in the release
	for _, it := range s.items {
		if err := ctx.Err(); err != nil {
			return err
		}
		name := "media/" + path.Base(found[it.id])
		if other, taken := from[name]; taken && other != found[it.id] {
			return omniscope.Invalidf("%s and %s would both be %s in the release: give one another name", other, found[it.id], name)
		} else if !taken {
			if err := f.copyFrom(root, found[it.id], name); err != nil {
				return fmt.Errorf("%s: %w", found[it.id], err)
			}
		}
		from[name] = found[it.id]
		it.mediaFile, it.parts.Media = name, f.file(name).sha256
	}
	return nil
}

// findMedia finds each item's file in the folder: at the row's path, by the last part of it, or by the item's id.
func (s *set) findMedia() (map[string]string, error) {
	files, _, err := mediafiles.In(s.o.Media, s.o.Out)
	if err != nil {
		return nil, err
	}
	byName, exact := make(map[string][]string), make(map[string]bool)
	for _, file := range files {
		relative, err := filepath.Rel(s.o.Media, file)
		if err != nil {
			return nil, err
		}
		relative = filepath.ToSlash(relative)
		exact[relative] = true
		base := path.Base(relative)
		for _, name := range []string{base, strings.TrimSuffix(base, path.Ext(base))} {
			byName[name] = append(byName[name], relative)
		}
	}
	found := make(map[string]string)
	var missing []string
	for _, it := range s.items {
		media := path.Clean(strings.ReplaceAll(it.media, `\`, "/"))
		file := media
		if !exact[media] {
			if file, err = oneOf(byName, media, it); err != nil {
				return nil, err
			}
		}
		if file == "" {
			missing = append(missing, it.id)
		}
		found[it.id] = file
	}
	if len(missing) > 0 {
		return nil, omniscope.Invalidf("%d items have no media in %s: %s", len(missing), s.o.Media, list(missing))
	}
	return found, nil
}

func oneOf(byName map[string][]string, media string, it *item) (string, error) {
	for _, name := range []string{path.Base(media), it.id} {
		switch files := byName[name]; {
		case len(files) > 1:
			return "", omniscope.Invalidf("item %q may mean %s or %s: rename one", it.id, files[0], files[1])
		case len(files) > 0:
			return files[0], nil
		}
	}
	return "", nil
}

// copyFrom links or copies a file of root into the folder.
func (f *folder) copyFrom(root *os.Root, file, name string) (err error) {
	in, err := root.Open(file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return omniscope.Invalidf("it is no regular file")
	}
	to := filepath.Join(f.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	if os.Link(filepath.Join(root.Name(), file), to) == nil {
		if linked, err := os.Lstat(to); err == nil && os.SameFile(linked, info) { // and no link to elsewhere
			return f.note(name, in)
		}
		if err := os.Remove(to); err != nil {
			return err
		}
	}
	return f.write(name, func(w io.Writer) error {
		_, err := io.Copy(w, in)
		return err
	})
}

// note adds a file that is in the folder already.
func (f *folder) note(name string, content io.Reader) error {
	digest, size, err := sha256hex.Read(content)
	if err != nil {
		return err
	}
	f.files = append(f.files, file{name, size, digest})
	return nil
}
