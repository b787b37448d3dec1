package models

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/gofrs/flock"

	"omniscope"
	"omniscope/internal/bytesize"
	"omniscope/metric/neural/weights"
)

// Options are those of Get, Import and Verify.
type Options struct {
	By   string // the version of the program, for model.json
	Link bool   // Import leaves the bytes of safetensors where they are, if it can

	// Progress, if not nil, is often called with what is being done and how many bytes
	// of how many that has done, by the goroutine that does it.
	Progress func(what string, done, total int64)
}

func (o Options) tell(what string, done, total int64) {
	if o.Progress != nil {
		o.Progress(what, done, total)
	}
}

// A part is a file to put into a folder.
type part struct {
	name   string     // in the folder
	path   string     // of what it is made of
	source fileSource // where that came from; bytes and digest are found out
	blob   string     // the file in the hub's cache that is called by its SHA-256; "" = there is none
	link   bool
}

// A maker makes one folder.
type maker struct {
	Options
	root     string
	model    model
	from     string // for model.json
	imported bool   // of files that are here, which may be anybody's
	work     string // the folder as far as it is
}

// build makes a folder of parts beside its place, checks it, and moves it
// there. What was there before is left alone unless that succeeds.
func (b *maker) build(ctx context.Context, parts []part) (modelFolder, error) {
	dir := folder(b.root, b.model.Name)
	unlock, err := b.lock(ctx, dir)
	if err != nil {
		return modelFolder{}, err
	}
	defer func() { _ = unlock() }()
	if there, err := Find(b.root, b.model.Name); err == nil && !b.imported {
		// Another process may have made it meanwhile.
		if same, err := there.madeOf(ctx, parts, b.Options); err != nil || same {
			return there, err
		}
	}
	b.work = beside(dir, "partial")
	defer os.RemoveAll(b.work) // also what a killed process left
	if err := errors.Join(os.RemoveAll(b.work), os.MkdirAll(b.work, 0o755)); err != nil {
		return modelFolder{}, b.disk(err)
	}
	info := newInfo(b.model, b.from, b.By)
	for _, p := range parts {
		f, err := b.put(ctx, p)
		if err != nil {
			return modelFolder{}, b.disk(err)
		}
		info.Files = append(info.Files, f)
	}
	if err := check(b.work, b.model); err != nil {
		return modelFolder{}, err
	}
	if b.imported {
		b.inherit(&info, parts)
	}
	if err := errors.Join(info.stamp(b.work), info.write(b.work)); err != nil {
		return modelFolder{}, b.disk(err)
	}
	if err := b.move(dir); err != nil {
		return modelFolder{}, b.disk(err)
	}
	return modelFolder{Dir: dir, Info: info}, nil
}

// beside is a hidden folder or file next to a model folder.
func beside(dir, what string) string {
	return filepath.Join(filepath.Dir(dir), "."+filepath.Base(dir)+"."+what)
}

// lock keeps other processes from making or removing the same folder.
func (b *maker) lock(ctx context.Context, dir string) (unlock func() error, err error) {
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return nil, b.disk(err)
	}
	lock := flock.New(beside(dir, "lock"), flock.SetPermissions(0o666)) // some roots belong to groups
	b.tell("waiting for another process that makes "+b.model.Name, 0, 0)
	if _, err := lock.TryLockContext(ctx, 100*time.Millisecond); err != nil {
		return nil, b.disk(cmp.Or(ctx.Err(), err))
	}
	return lock.Close, nil
}

// move puts the finished folder into its place.
func (b *maker) move(dir string) error {
	old := beside(dir, "old")
	if err := os.RemoveAll(old); err != nil {
		return err
	}
	replaced := os.Rename(dir, old) == nil
	if err := os.Rename(b.work, dir); err != nil {
		if replaced {
			err = errors.Join(err, os.Rename(old, dir))
		}
		return err
	}
	return os.RemoveAll(old)
}

// put makes one file of the folder.
func (b *maker) put(ctx context.Context, p part) (file, error) {
	to := filepath.Join(b.work, p.name)
	if p.name != WeightsFile {
		if err := b.copyFile(ctx, p.path, to); err != nil {
			return file{}, err
		}
		return b.file(ctx, p, false)
	}
	from, err := weights.Open(p.path) // tells what is wrong with it before anything is written
	if err != nil {
		return file{}, err
	}
	defer from.Close()
	if safe, err := isSafetensors(p.path); err != nil || safe {
		if err == nil {
			err = b.place(ctx, p, to)
		}
		if err != nil {
			return file{}, err
		}
		return b.file(ctx, p, false)
	}
	// Hashed first: a file that is not what it should be is not worth
	// converting, and one that was converted before need not be again.
	if p.source.SHA256, p.source.Bytes, err = b.hash(ctx, p.path); err == nil {
		err = p.intact()
	}
	if err != nil {
		return file{}, err
	}
	if !b.borrow(p.source.SHA256, to) {
		err := weights.Convert(ctx, from, to, func(done, total int64) { b.tell("convert "+p.source.Path, done, total) })
		if omniscope.KindOf(err) == omniscope.Internal && ctx.Err() == nil && err != nil {
			err = fmt.Errorf("%w; $%s names the folder of models", err, RootEnv) // it tells of full disks itself
		}
		if err != nil {
			return file{}, err
		}
	}
	return b.file(ctx, p, true)
}

// borrow takes weights that another folder has made of the same source, as two
// languages share a network.
func (b *maker) borrow(digest, to string) bool {
	for _, m := range Known {
		dir := folder(b.root, m.Name)
		info, err := readInfo(dir, m)
		if err != nil || m.Name == b.model.Name {
			continue
		}
		made := func(f file) bool { return f.Name == WeightsFile && f.Source != nil && f.Source.SHA256 == digest }
		if slices.ContainsFunc(info.Files, made) && os.Link(filepath.Join(dir, WeightsFile), to) == nil {
			return true
		}
	}
	return false
}

// place links or copies a file.
func (b *maker) place(ctx context.Context, p part, to string) error {
	if !p.link {
		return b.copyFile(ctx, p.path, to)
	}
	// Behind the links of the hub's cache are the bytes. A second name for them
	// outlives the cache's; where there can be none, such as on another disk, a
	// link goes there, and where there are no links, the bytes are copied.
	path, err := filepath.EvalSymlinks(p.path)
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		return err
	}
	if os.Link(path, to) == nil || os.Symlink(path, to) == nil {
		return nil
	}
	return b.copyFile(ctx, path, to)
}

func (b *maker) copyFile(ctx context.Context, from, to string) error {
	src, err := os.Open(from)
	if err != nil {
		return err
	}
	defer src.Close()
	info, err := src.Stat()
	if err != nil {
		return err
	}
	dst, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(dst, b.watched(ctx, src, "copy "+filepath.Base(from), info.Size()))
	return errors.Join(err, dst.Sync(), dst.Close())
}

// file describes what was put into the folder.
func (b *maker) file(ctx context.Context, p part, converted bool) (file, error) {
	sum, size, err := b.hash(ctx, filepath.Join(b.work, p.name))
	if err != nil {
		return file{}, err
	}
	if !converted {
		p.source.SHA256, p.source.Bytes = sum, size
	}
	return file{Name: p.name, Bytes: size, SHA256: sum, Source: &p.source}, p.intact()
}

// intact compares the source's digest with the name of the cache's file, whose
// bytes were right when they were downloaded.
func (p part) intact() error {
	if p.blob == "" || filepath.Base(p.blob) == p.source.SHA256 {
		return nil
	}
	return &omniscope.Error{Kind: omniscope.Malformed, Err: fmt.Errorf(
		"%s, in the hub's cache, has the digest %s instead of its name: it was changed or damaged; delete it and run the same command again", p.blob, p.source.SHA256)}
}

// hash returns a file's digest and size.
func (o Options) hash(ctx context.Context, path string) (string, int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", 0, err
	}
	h := sha256.New()
	n, err := io.CopyBuffer(h, o.watched(ctx, f, "check "+filepath.Base(path), info.Size()), make([]byte, 1<<20))
	return hex.EncodeToString(h.Sum(nil)), n, err
}

// watched is a reader that tells how far it is and ends with ctx.
func (o Options) watched(ctx context.Context, r io.Reader, what string, total int64) io.Reader {
	return &watchedReader{ctx, r, func(done int64) { o.tell(what, done, total) }, 0}
}

type watchedReader struct {
	ctx  context.Context
	from io.Reader
	tell func(done int64)
	done int64
}

func (r *watchedReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := r.from.Read(p)
	r.done += int64(n)
	r.tell(r.done)
	return n, err
}

// isSafetensors tells by the content, as the names of files do not always.
func isSafetensors(path string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	var head [9]byte // the length of a JSON header, and its first byte
	if _, err := io.ReadFull(f, head[:]); err != nil {
		return false, err
	}
	return head[8] == '{' && !strings.HasPrefix(string(head[:]), "PK\x03\x04"), nil
}

// disk says what to do about an error of the file system; others stay as they
// are.
func (b *maker) disk(err error) error {
	var kinded *omniscope.Error
	full := errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
	switch {
	case err == nil:
		return nil
	case full:
		return &omniscope.Error{Kind: omniscope.Internal, Op: "make model " + b.model.Name, Err: fmt.Errorf(
			"the disk of %s is full: make room (%s is needed), or set %s to a folder on another disk, and run the same command again; nothing half-made was left", b.root, bytesize.Format(b.model.Weights), RootEnv)}
	case errors.As(err, &kinded):
		return err
	case errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS):
		return &omniscope.Error{Kind: omniscope.Denied, Op: "make model " + b.model.Name, Err: fmt.Errorf("%w: set %s to a folder that you may write to", err, RootEnv)}
	case errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded):
		return err
	}
	return &omniscope.Error{Kind: omniscope.Internal, Op: "make model " + b.model.Name, Err: err}
}
