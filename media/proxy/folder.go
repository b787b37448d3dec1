package proxy

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"omniscope"
	"omniscope/internal/outfile"
	"omniscope/internal/sha256hex"
	"omniscope/media"
)

// An identity is what changes when a file is replaced or written to.
type identity struct {
	Path     string `json:"path"` // absolute
	Bytes    int64  `json:"bytes"`
	Modified int64  `json:"modified"` // nanoseconds since 1970
}

// A known path is one that was prepared.
type known struct {
	identity
	Digest string `json:"digest"`
}

// identify says which file is at a path now.
func identify(path string) (identity, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return identity{}, problem(omniscope.Usage, path, err)
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return identity{}, problem(omniscope.NotFound, path, err)
	case err != nil:
		return identity{}, problem(omniscope.Denied, path, err)
	case !info.Mode().IsRegular():
		return identity{}, problem(omniscope.Invalid, path, errors.New("not a regular file: name a media file"))
	}
	return identity{Path: absolute, Bytes: info.Size(), Modified: info.ModTime().UnixNano()}, nil
}

// A shelf is the folder of all that was prepared.
type shelf struct{ dir string }

func (s shelf) folder(digest string) string  { return filepath.Join(s.dir, digest) }
func (s shelf) partial(digest string) string { return filepath.Join(s.dir, "partial", digest) }

// known finds what a path was when it was prepared; nil if it was not.
func (s shelf) known(path string) *known {
	data, err := os.ReadFile(filepath.Join(s.dir, "paths", pathName(path)))
	k := new(known)
	if err != nil || json.Unmarshal(data, k) != nil || k.Path != path {
		return nil
	}
	return k
}

// remember notes the digest of a path. Its digest is locked.
func (s shelf) remember(k known) error {
	return outfile.WriteIn(filepath.Join(s.dir, "paths"), pathName(k.Path), func(w io.Writer) error { return outfile.JSON(w, k) })
}

func pathName(path string) string {
	return sha256hex.Of(path) + ".json"
}

// digest is that of the file with this identity. It is read only if it is not known.
func (s shelf) digest(ctx context.Context, id identity) (string, error) {
	if k := s.known(id.Path); k != nil && k.identity == id {
		return k.Digest, nil
	}
	f := media.File{Path: id.Path}
	return f.Digest(ctx)
}

// Digest is the SHA-256 of a file, in hex. It is read, unless it was prepared in the folder dir and has
// not changed since.
func Digest(ctx context.Context, path, dir string) (string, error) {
	id, err := identify(path)
	if err != nil {
		return "", err
	}
	return shelf{dir}.digest(ctx, id)
}

// Remembered is the SHA-256 that a file had when it was prepared in the folder dir, and whether it is
// unchanged by size and time; "" = it was not prepared.
func Remembered(path, dir string) (digest string, same bool) {
	id, err := identify(path)
	if err != nil {
		return "", false
	}
	if k := (shelf{dir}).known(id.Path); k != nil {
		return k.Digest, k.identity == id
	}
	return "", false
}

// lockInterval is how often a lock is tried that another process holds.
const lockInterval = 50 * time.Millisecond

// lock keeps others, in this process and in all, from preparing a file with this digest.
func (s shelf) lock(ctx context.Context, digest string) (unlock func(), err error) {
	for _, name := range []string{"paths", "locks", "partial"} {
		if err := os.MkdirAll(filepath.Join(s.dir, name), 0o777); err != nil {
			return nil, &omniscope.Error{Kind: omniscope.Usage, Op: "folder of proxies", Err: fmt.Errorf("%w: name a folder that can be written", err)}
		}
	}
	lock := s.lockFile(digest)
	if _, err := lock.TryLockContext(ctx, lockInterval); err != nil {
		lock.Close()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, &omniscope.Error{Kind: omniscope.Usage, Op: "folder of proxies", Err: fmt.Errorf("%w: name a folder on a disk that has file locks", err)}
	}
	return func() { lock.Close() }, nil
}

func (s shelf) lockFile(digest string) *flock.Flock {
	return flock.New(filepath.Join(s.dir, "locks", digest), flock.SetPermissions(0o666))
}

// sweep removes the partial folders of killed processes: those whose lock is free.
func (s shelf) sweep() {
	entries, _ := os.ReadDir(filepath.Join(s.dir, "partial"))
	for _, e := range entries {
		lock := s.lockFile(e.Name())
		if locked, err := lock.TryLock(); locked && err == nil {
			_ = os.RemoveAll(s.partial(e.Name())) // else the next one does
		}
		lock.Close()
	}
}

// open reads what is there of a digest. It compares the sizes of all files and, if
// checked, their checksums.
func (s shelf) open(digest string, checked bool) (*Prepared, error) {
	p := &Prepared{Folder: s.folder(digest)}
	data, err := os.ReadFile(filepath.Join(p.Folder, recordFile))
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(data, p); err != nil {
		return nil, err
	}
	if p.Version != version || p.Digest != digest {
		return nil, fmt.Errorf("made by another version")
	}
	for name, want := range p.Files {
		path := filepath.Join(p.Folder, name)
		if !checked {
			info, err := os.Stat(path)
			if err != nil || info.Size() != want.Bytes {
				return nil, fmt.Errorf("%s is damaged", name)
			}
			continue
		}
		if is, err := describe(path); err != nil || is != want {
			return nil, fmt.Errorf("%s is damaged", name)
		}
	}
	return p, nil
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// describe reads a file for its size and checksum.
func describe(path string) (file, error) {
	f, err := os.Open(path)
	if err != nil {
		return file{}, err
	}
	defer f.Close()
	sum := crc32.New(castagnoli)
	n, err := io.Copy(sum, f)
	return file{Bytes: n, Sum: sum.Sum32()}, err
}

// writeRecord writes what a folder holds. It comes last: without it nothing is there.
func (p *Prepared) writeRecord(folder string) error {
	return outfile.WriteIn(folder, recordFile, func(w io.Writer) error { return outfile.JSON(w, p) })
}
