package push

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"omniscope"
	"omniscope/internal/hub"
	"omniscope/internal/outfile"
	"omniscope/internal/quantity"
	"omniscope/internal/sha256hex"
)

// A Target is where a plan goes.
type Target interface {
	// Compare says of each file of a plan whether it is new there, changed or the same.
	// kept is how many other files are there, and foreign that its README.md was not
	// made by push.
	Compare(ctx context.Context, p *Plan) (kept int, foreign bool, err error)

	// Push sends what is new or changed: all of it is seen there, or nothing.
	Push(ctx context.Context, p *Plan, message string) (where string, err error)
}

const cardName = "README.md"

// Hub is a repository of the hub. Its Push rests on what the last Compare saw.
type Hub struct {
	Client *hub.Client
	Repo   hub.Repo
	Create bool // make the repository if it is not there
	Public bool // a repository that is made can be seen by everybody

	parent  string
	missing bool
}

// Compare asks the hub which files it has.
func (h *Hub) Compare(ctx context.Context, p *Plan) (kept int, foreign bool, err error) {
	commit, files, err := h.Client.ListTarget(ctx, h.Repo)
	if omniscope.KindOf(err) == omniscope.NotFound && err != nil && h.Create {
		h.missing = true
		return 0, false, nil
	}
	if err != nil {
		return 0, false, err
	}
	h.parent = commit
	kept = len(files)
	for i := range p.Files {
		f := &p.Files[i]
		at := slices.IndexFunc(files, func(l hub.Listed) bool { return l.Path == f.Name })
		if at < 0 {
			continue
		}
		kept--
		a := f.addition()
		same, err := a.Same(files[at])
		if err != nil {
			return 0, false, err
		}
		if f.State = changed; same {
			f.State = sameFile
		} else if f.Name == cardName && p.Card {
			repo := h.Repo
			repo.Revision = commit
			local, err := h.Client.File(ctx, repo, cardName)
			if err != nil {
				return 0, false, err
			}
			if foreign, err = isForeign(os.Open(local.Path)); err != nil {
				return 0, false, err
			}
		}
	}
	return kept, foreign, nil
}

// isForeign reports whether a card was written by somebody else.
func isForeign(f *os.File, err error) (bool, error) {
	if err != nil {
		return false, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, 4<<20))
	return !strings.Contains(string(text), mark), err
}

func (f *pushedFile) addition() hub.Addition {
	return hub.Addition{Path: f.Name, Size: f.Size, SHA256: f.SHA256, Open: f.open}
}

// Push makes one commit.
func (h *Hub) Push(ctx context.Context, p *Plan, message string) (where string, err error) {
	if h.missing {
		if err := h.Client.Create(ctx, h.Repo, !h.Public); err != nil {
			return "", err
		}
		h.missing = false
		// What the hub itself puts into a new repository may be among the files.
		if _, _, err := h.Compare(ctx, p); err != nil {
			return "", err
		}
	}
	push := hub.Push{Parent: h.parent, Summary: message}
	moving, _ := p.Moving()
	for _, f := range moving {
		push.Files = append(push.Files, f.addition())
	}
	commit, err := h.Client.Push(ctx, h.Repo, push)
	if err != nil {
		return "", err
	}
	return h.Client.Page(h.Repo) + ", commit " + commit[:12], nil
}

// Folder is a folder in the layout of a repository, such as a clone of one.
type Folder string

// Compare looks at the files that are there. Hidden ones do not count.
func (d Folder) Compare(ctx context.Context, p *Plan) (kept int, foreign bool, err error) {
	for _, source := range p.folders {
		if within, err := filepath.Rel(absolute(source), absolute(string(d))); err == nil && filepath.IsLocal(within) {
			return 0, false, omniscope.Usagef("%s lies in %s, which is pushed: it would be pushed into itself; name a folder elsewhere", d, source)
		}
	}
	kept, err = d.count(ctx)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, err
	}
	for i := range p.Files {
		f := &p.Files[i]
		path := filepath.Join(string(d), filepath.FromSlash(f.Name))
		sum, err := sha256hex.File(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return 0, false, err
		}
		kept--
		if f.State = changed; sum == f.SHA256 {
			f.State = sameFile
		} else if f.Name == cardName && p.Card {
			if foreign, err = isForeign(os.Open(path)); err != nil {
				return 0, false, err
			}
		}
	}
	return kept, foreign, nil
}

// count counts the files in the folder. Hidden ones do not count.
func (d Folder) count(ctx context.Context) (files int, err error) {
	err = filepath.WalkDir(string(d), func(path string, e fs.DirEntry, err error) error {
		hidden := path != string(d) && strings.HasPrefix(e.Name(), ".")
		switch {
		case err != nil:
			return err
		case hidden && e.IsDir():
			return fs.SkipDir
		case !e.IsDir() && !hidden:
			files++
		}
		return ctx.Err()
	})
	return files, err
}

// staging is the folder within the target where files are written before any is seen.
const staging = ".omniscope-push"

// Push writes all files beside their places first, and moves them there when all are
// whole. The card comes last.
func (d Folder) Push(ctx context.Context, p *Plan, _ string) (where string, err error) {
	if err := os.MkdirAll(string(d), 0o755); err != nil {
		return "", err
	}
	unlock, err := outfile.LockFolder(string(d))
	if omniscope.KindOf(err) == omniscope.Usage && err != nil {
		return "", omniscope.Usagef("another push is writing to %s: wait for it or stop it, then run the same command again", d)
	}
	if err != nil {
		return "", err
	}
	stage := filepath.Join(string(d), staging)
	defer func() {
		err = errors.Join(err, os.RemoveAll(stage), os.Remove(filepath.Join(string(d), ".lock")), unlock())
	}()
	if err := os.MkdirAll(stage, 0o755); err != nil {
		return "", err
	}
	moving, _ := p.Moving()
	slices.SortStableFunc(moving, func(a, b pushedFile) int { return quantity.If(a.Name == cardName) - quantity.If(b.Name == cardName) })
	for i, f := range moving {
		if err := errors.Join(ctx.Err(), stageFile(staged(stage, i), f)); err != nil {
			return "", err
		}
	}
	for i, f := range moving {
		to := filepath.Join(string(d), filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return "", err
		}
		if err := os.Rename(staged(stage, i), to); err != nil {
			return "", err
		}
	}
	return string(d), nil
}

func staged(stage string, i int) string { return filepath.Join(stage, strconv.Itoa(i)) }

// stageFile writes a file, and makes sure that it has its digest.
func stageFile(path string, f pushedFile) (err error) {
	from, err := f.Open()
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := os.Create(path)
	if err != nil {
		return err
	}
	sum := sha256.New()
	_, err = io.Copy(io.MultiWriter(to, sum), from)
	if err := errors.Join(err, to.Sync(), to.Close()); err != nil {
		return err
	}
	if hex.EncodeToString(sum.Sum(nil)) != f.SHA256 {
		return omniscope.Usagef("%s was changed while it was being pushed: run the same command again", f.From)
	}
	return nil
}
