package caption

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"omniscope"
	"omniscope/detective"
	"omniscope/internal/filename"
	"omniscope/internal/ondisk"
	"omniscope/internal/outfile"
	"omniscope/perceive"
	"omniscope/session"
)

// A clipFolder is the folder of one clip's results. No other process may write
// there meanwhile.
type clipFolder struct {
	name   string // below the folder of all results; also the clip's name in them
	dir    string
	unlock func() error
}

// busyClip is the error of a clip that another process works on. It stops no
// other clip.
type busyClip struct{ error }

func (b busyClip) Unwrap() error { return b.error }

// claimFolder takes the folder called name below out for the results of a clip.
// Where that holds another clip's results, or another process is writing to it,
// it takes the one that holds this clip's, else the next free one with a number.
// taken are the names of the other clips of this command.
func claimFolder(ctx context.Context, out, base, name string, taken []string, clip *perceive.Clip) (*clipFolder, error) {
	digest, err := clip.File.Digest(ctx)
	if err != nil {
		return nil, err
	}
	there, found := resultsIn(filepath.Join(out, name))
	switch {
	case found && there.Clip.SHA256 == digest:
		return lockClipFolder(out, name)
	case found && outfile.SamePath(there.Clip.Path, clip.Path):
		return nil, omniscope.Invalidf("%s holds the results of another file, %s: name another folder with --out, or remove that one", filepath.Join(out, name), there.Clip.Path)
	}
	if f, err := lockFreeFolder(out, name); f != nil || err != nil {
		return f, err
	}
	if own := findResults(out, base, digest); own != "" {
		return lockClipFolder(out, own)
	}
	for n := 1; ; n++ {
		if name = filename.Numbered(base, n); slices.Contains(taken, name) {
			continue
		}
		if f, err := lockFreeFolder(out, name); f != nil || err != nil {
			return f, err
		}
	}
}

// lockFreeFolder takes a folder without results, which may not be there yet; nil
// if it has some, or files of the user, or another process is writing to it.
func lockFreeFolder(out, name string) (*clipFolder, error) {
	if _, found := resultsIn(filepath.Join(out, name)); found || isOthers(filepath.Join(out, name)) {
		return nil, nil
	}
	f, err := lockClipFolder(out, name)
	if errors.As(err, new(busyClip)) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	if _, found := resultsIn(f.dir); found { // another process was faster
		return nil, f.unlock()
	}
	return f, nil
}

// findResults returns the name of the folder that holds the results of the file
// of that digest, "" where there is none.
func findResults(out, base, digest string) string {
	for n := 1; ; n++ {
		name := filename.Numbered(base, n)
		if !ondisk.Exists(filepath.Join(out, name)) {
			return ""
		}
		if there, found := resultsIn(filepath.Join(out, name)); found && there.Clip.SHA256 == digest {
			return name
		}
	}
}

// earlierResults identifies the clip and the flags that made stored results.
type earlierResults struct {
	Flags   string   // digest; "" = of a version that did not write it
	Sources []string // models and their addresses; empty likewise
	Clip    detective.ClipInfo
}

// resultsIn says what results a folder holds.
func resultsIn(dir string) (there earlierResults, found bool) {
	text, err := os.ReadFile(filepath.Join(dir, "report.json"))
	if err != nil {
		return there, false
	}
	found = json.Unmarshal(text, &there) == nil && there.Clip.SHA256 != ""
	return there, found
}

// isOthers reports whether a folder holds something that is no results.
func isOthers(dir string) bool {
	names, err := outfile.Entries(dir)
	_, found := resultsIn(dir)
	return err != nil || len(names) > 0 && !found
}

// checkFolders refuses to put results in the place of those that other flags
// brought for the same clip. It is asked before anything is paid for.
func (w *Investigation) checkFolders() error {
	for i, path := range w.Files {
		for n := 1; ; n++ {
			dir := filepath.Join(w.Out, filename.Numbered(ClipBase(path), n))
			if n == 1 {
				dir = filepath.Join(w.Out, w.names[i])
			}
			there, found := resultsIn(dir)
			if !found {
				break
			}
			if outfile.SamePath(there.Clip.Path, path) {
				if err := w.checkFlags(dir); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// checkFlags refuses a folder with results of other flags, or of models at other addresses.
func (w *Investigation) checkFlags(dir string) error {
	there, found := resultsIn(dir)
	if w.Force || !found || there.Flags == "" {
		return nil
	}
	if there.Flags == w.flags {
		return w.checkSources(dir, there.Sources)
	}
	return omniscope.Usagef("%s holds the results of another investigation of this clip, with other flags: %s", dir, outfile.OrForce)
}

// checkSources refuses results of models at other addresses, once the models are open.
func (w *Investigation) checkSources(dir string, there []string) error {
	if w.Calls.AnyEndpoint || len(there) == 0 || slices.Equal(there, w.Sources()) {
		return nil
	}
	return omniscope.Usagef("%s holds the results of %s, and this command asks %s: %s (--any-endpoint keeps answers of any address)",
		dir, strings.Join(there, "; "), strings.Join(w.Sources(), "; "), outfile.OrForce)
}

func lockClipFolder(out, name string) (*clipFolder, error) {
	f := &clipFolder{name: name, dir: filepath.Join(out, name)}
	if err := os.MkdirAll(f.dir, 0o755); err != nil {
		return nil, err
	}
	var err error
	if f.unlock, err = outfile.LockFolder(f.dir); omniscope.KindOf(err) == omniscope.Usage {
		return nil, busyClip{err}
	}
	return f, err
}

// clipLocks keep two processes from paying for the same investigation of the
// same clip at once. Equal files of one process share a lock, and the answers.
type clipLocks struct {
	calls *session.Calls
	flags string // digest of what shapes an investigation, whichever the clip

	mu   sync.Mutex
	held map[string]*clipLock // by name
}

type clipLock struct {
	users  int
	unlock func() error
}

func newClipLocks(c *session.Calls, flags string) *clipLocks {
	return &clipLocks{calls: c, flags: flags, held: make(map[string]*clipLock)}
}

func (l *clipLocks) lock(ctx context.Context, clip *perceive.Clip) (unlock func() error, err error) {
	digest, err := clip.File.Digest(ctx)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	name := fmt.Sprintf("clip-%.12s-%.12s", digest, l.flags)
	if l.held[name] == nil {
		give, err := l.calls.LockFolder(name)
		if omniscope.KindOf(err) == omniscope.Usage {
			err = busyClip{err}
		}
		if err != nil {
			return nil, err
		}
		l.held[name] = &clipLock{unlock: give}
	}
	l.held[name].users++
	return func() error { return l.give(name) }, nil
}

func (l *clipLocks) give(name string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	held := l.held[name]
	if held.users--; held.users > 0 {
		return nil
	}
	delete(l.held, name)
	return held.unlock()
}

// lockRows waits until no other process writes to the rows of a folder of results.
func lockRows(ctx context.Context, out string) (unlock func() error, err error) {
	lock := flock.New(filepath.Join(out, ".lock"))
	if _, err := lock.TryLockContext(ctx, 20*time.Millisecond); err != nil {
		return nil, fmt.Errorf("lock %s: %w", out, err)
	}
	return lock.Close, nil
}
