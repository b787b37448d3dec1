package hub

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// The layout is that of huggingface_hub ("Understand caching" in its manual):
//
//	datasets--ORG--NAME/refs/REVISION          the commit of a branch or tag
//	datasets--ORG--NAME/blobs/ETAG             the bytes
//	datasets--ORG--NAME/blobs/ETAG.incomplete  those received so far
//	datasets--ORG--NAME/snapshots/COMMIT/PATH  a link to the blob
//	.locks/datasets--ORG--NAME/ETAG.lock       held while one is fetched
//
// Permissions are left to the umask, as there: some caches belong to groups.
const (
	newFolder = 0o777
	newFile   = 0o666
)

func (t *task) folder() string {
	return t.repo.Kind + "s--" + strings.ReplaceAll(t.repo.Name, "/", "--")
}

func (t *task) inFolder(parts ...string) string {
	return filepath.Join(append([]string{t.Cache, t.folder()}, parts...)...)
}

func (t *task) blob(etag string) string { return t.inFolder("blobs", etag) }

func (t *task) pointer(commit string) string {
	return t.inFolder("snapshots", commit, filepath.FromSlash(t.path))
}

func (t *task) ref() string { return t.inFolder("refs", filepath.FromSlash(t.repo.Revision)) }

// cached returns the file as far as it is known without asking.
func (t *task) cached() (Local, bool) {
	commit := t.repo.Revision
	if !isCommit(commit) {
		text, err := os.ReadFile(t.ref())
		if commit = strings.TrimSpace(string(text)); err != nil || !isCommit(commit) {
			return Local{}, false
		}
	}
	path := t.pointer(commit)
	return Local{Path: path, Commit: commit}, whole(path, -1)
}

// remember notes the commit of the revision.
func (t *task) remember(commit string) error {
	if t.repo.Revision == commit {
		return nil
	}
	ref := t.ref()
	if text, err := os.ReadFile(ref); err == nil && string(text) == commit {
		return nil
	}
	return replace(ref, strings.NewReader(commit))
}

// replace writes a file that is never seen half-written.
func replace(path string, from io.Reader) error {
	if err := os.MkdirAll(filepath.Dir(path), newFolder); err != nil {
		return err
	}
	// Not os.CreateTemp alone, whose files only their owner may read.
	part, err := os.CreateTemp(filepath.Dir(path), ".*.incomplete")
	if err != nil {
		return err
	}
	defer os.Remove(part.Name()) // there only after a failure
	_, err = io.Copy(part, from)
	if err == nil {
		err = part.Chmod(0o644)
	}
	if closeErr := part.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	return os.Rename(part.Name(), path)
}

// point makes a snapshot's file a link to its blob, or a copy where the file
// system has no links. The caller holds the blob's lock.
func (t *task) point(pointer, blob string) error {
	if err := os.MkdirAll(filepath.Dir(pointer), newFolder); err != nil {
		return t.disk(err)
	}
	target, err := filepath.Rel(filepath.Dir(pointer), blob)
	if err != nil {
		return t.disk(err)
	}
	os.Remove(pointer) // a link to a blob that is gone; Symlink tells if it is still there
	symlink := os.Symlink
	if t.symlink != nil {
		symlink = t.symlink
	}
	if symlink(target, pointer) == nil {
		return nil
	}
	from, err := os.Open(blob)
	if err != nil {
		return t.disk(err)
	}
	defer from.Close()
	return t.disk(replace(pointer, from))
}

// lock keeps other processes, huggingface_hub's among them, from fetching the
// same blob. unlock gives it back; so does the end of the process.
func (t *task) lock(ctx context.Context, etag string) (unlock func() error, err error) {
	path := filepath.Join(t.Cache, ".locks", t.folder(), etag+".lock")
	if err := os.MkdirAll(filepath.Dir(path), newFolder); err != nil {
		return nil, t.disk(err)
	}
	for {
		lock := flock.New(path, flock.SetPermissions(newFile)) // opened anew: its holder may remove it
		locked, err := lock.TryLock()
		if err != nil {
			return nil, t.disk(err)
		}
		if locked {
			return lock.Close, nil
		}
		if err := t.pause(ctx, 100*time.Millisecond); err != nil {
			return nil, err
		}
	}
}

// Remove deletes the files of a revision that chosen reports, with their bytes unless another revision has them too. It
// returns how many files it deleted, and how many bytes are free again.
func (c *Client) Remove(repo Repo, chosen func(file string) bool) (files int, bytes int64, err error) {
	folder, names, err := c.CachedFiles(repo)
	if err != nil {
		return 0, 0, err
	}
	for _, name := range names {
		if !chosen(name) {
			continue
		}
		pointer := filepath.Join(folder, filepath.FromSlash(name))
		blob, err := filepath.EvalSymlinks(pointer)
		if err != nil {
			return files, bytes, err
		}
		info, err := os.Stat(blob)
		if err == nil {
			err = os.Remove(pointer)
		}
		if err != nil {
			return files, bytes, err
		}
		files++
		switch others, err := linked(filepath.Dir(folder), blob); {
		case err != nil:
			return files, bytes, err
		case others:
		case blob == pointer: // a copy: the system has no links
			bytes += info.Size()
		default:
			bytes += info.Size()
			if err := os.Remove(blob); err != nil {
				return files, bytes, err
			}
		}
	}
	return files, bytes, nil
}

// linked reports whether a file below a folder of snapshots is a link to a blob.
func linked(snapshots, blob string) (found bool, err error) {
	err = filepath.WalkDir(snapshots, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if to, err := filepath.EvalSymlinks(path); err == nil && to == blob && path != blob {
			found = true
			return fs.SkipAll
		}
		return nil
	})
	return found, err
}
