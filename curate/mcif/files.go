package mcif

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"omniscope"
	"omniscope/internal/ondisk"
	"omniscope/internal/outfile"
	"omniscope/media"
	"omniscope/media/wav"
)

// checkFiles makes sure that all files of the source that the set needs are there.
func (s *source) checkFiles(files []file) error {
	var missing []string
	seen := make(map[string]bool)
	for _, f := range files {
		for _, name := range f.from {
			if seen[name] {
				continue
			}
			seen[name] = true
			if !ondisk.IsFile(s.path(name)) {
				missing = append(missing, name)
			}
		}
	}
	if n := len(missing); n > 0 {
		return omniscope.Invalidf("%s: %d of %d files that the tables and the segmentation speak of are not there, such as %s", s.folder, n, len(seen), strings.Join(missing[:min(n, 5)], ", "))
	}
	return nil
}

func (s *source) path(name string) string { return filepath.Join(s.folder, filepath.FromSlash(name)) }

// writeFiles writes the files that are no XML, several at a time.
func (t *set) writeFiles(ctx context.Context, dir string) (unjoined []error, err error) {
	var mu sync.Mutex // of what follows
	done := 0
	group, writing := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for _, f := range t.files {
		if writing.Err() != nil {
			break
		}
		group.Go(func() error {
			err := t.source.write(writing, &f, filepath.Join(dir, filepath.FromSlash(f.to)))
			mu.Lock()
			defer mu.Unlock()
			if done++; t.o.Progress != nil {
				t.o.Progress(done, len(t.files))
			}
			if err != nil && f.joinsVideos() && writing.Err() == nil {
				unjoined = append(unjoined, fmt.Errorf("%s of %s: %w", f.to, strings.Join(f.from, ", "), err))
				return nil
			}
			return err
		})
	}
	return unjoined, errors.Join(group.Wait(), ctx.Err())
}

func (f *file) joinsVideos() bool { return len(f.from) > 1 && strings.HasSuffix(f.to, ".mp4") }

// write makes one file.
func (s *source) write(ctx context.Context, f *file, to string) error {
	var paths []string
	for _, name := range f.from {
		paths = append(paths, s.path(name))
	}
	switch {
	case len(paths) == 0:
		return os.WriteFile(to, []byte(f.text), 0o644)
	case len(paths) == 1:
		return outfile.Copy(paths[0], to)
	case f.joinsVideos():
		return media.JoinVideos(ctx, paths, to)
	}
	return joinSounds(paths, to)
}

// joinSounds writes the sound of WAV files one after another.
func joinSounds(paths []string, to string) (err error) {
	var all []*wav.File
	for _, path := range paths {
		sound, err := wav.OpenFile(path)
		if err != nil {
			return omniscope.Invalidf("%w", err)
		}
		defer sound.Close()
		all = append(all, sound)
	}
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	if err := errors.Join(wav.Join(out, all...), out.Close()); err != nil {
		return omniscope.Invalidf("%s: %w", strings.Join(paths, ", "), err)
	}
	return nil
}
