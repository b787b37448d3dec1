package hub

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"omniscope"
)

// An Addition is a file to push. Its digests say which bytes are meant: others are not
// committed.
type Addition struct {
	Path   string // in the repository
	Size   int64
	SHA256 string // hex
	Open   func() (io.ReadCloser, error)
}

// A Push is files that become one commit.
type Push struct {
	Parent  string // commit that the revision must still be at; "" = whatever it is at
	Summary string // of the commit, one line
	Files   []Addition
}

// The hub's rules, as huggingface_hub keeps them (_commit_api.py, commit 32a2b30): files are
// told in lots of 256, of each the first 512 bytes.
const (
	lot    = 256
	sample = 512
)

// pushSilence is the longest silence of a server that takes files: a commit of many
// takes it a while.
const pushSilence = 2 * time.Minute

// Push uploads files and makes one commit of them. Nothing is visible before the
// commit, which is made whole or not at all; large files that were uploaded before a
// failure are there when the same push is made again. It returns the commit.
//
// Errors are those of File. Of kind Denied: the token may not write there. Of kind
// Invalid: the revision is not at Parent any more, or a file is not what its digest says.
func (c *Client) Push(ctx context.Context, repo Repo, p Push) (commit string, err error) {
	t, err := c.pushTask(repo)
	if err != nil {
		return "", err
	}
	for _, f := range p.Files {
		if err := check(t.repo, f.Path); err != nil {
			return "", &omniscope.Error{Kind: omniscope.Invalid, Op: "file to push", Err: err}
		}
	}
	if commit, err = t.push(ctx, p); err != nil {
		return "", t.explain(ctx, err)
	}
	return commit, nil
}

// Create makes a repository. One that is there already is left as it is, and no error.
func (c *Client) Create(ctx context.Context, repo Repo, private bool) error {
	t, err := c.pushTask(repo)
	if err != nil {
		return err
	}
	org, name, ok := strings.Cut(repo.Name, "/")
	if !ok {
		org, name = "", repo.Name
	}
	body := map[string]any{"type": repo.Kind, "name": name, "private": private}
	if org != "" {
		body["organization"] = org
	}
	err = t.post(ctx, t.below("/api/repos/create"), "application/json", body, nil, http.StatusConflict)
	if err != nil {
		return t.explain(ctx, err)
	}
	return nil
}

func (c *Client) pushTask(repo Repo) (*task, error) {
	own := *c
	if own.Timeout <= 0 {
		own.Timeout = pushSilence
	}
	t, err := own.task(repo, "README.md") // any name: none is asked for
	if err != nil {
		return nil, err
	}
	t.pushes = true
	if t.Offline {
		return nil, t.explain(context.Background(), &failure{kind: omniscope.Usage, what: "offline mode is on", mend: "unset HF_HUB_OFFLINE"})
	}
	return t, nil
}

func (t *task) push(ctx context.Context, p Push) (commit string, err error) {
	large, err := t.modes(ctx, p.Files)
	if err != nil {
		return "", err
	}
	var objects []Addition
	for _, f := range p.Files {
		if large[f.Path] && !slices.ContainsFunc(objects, func(o Addition) bool { return o.SHA256 == f.SHA256 }) {
			objects = append(objects, f)
		}
	}
	for some := range slices.Chunk(objects, lot) {
		if err := t.uploadObjects(ctx, some); err != nil {
			return "", err
		}
	}
	return t.commit(ctx, p, large)
}

// A mode is how the hub wants a file: "regular" or "lfs".
type mode struct {
	Path   string `json:"path"`
	Mode   string `json:"uploadMode"`
	Ignore bool   `json:"shouldIgnore"`
}

// modes asks the hub which files it wants as large ones. Empty files cannot be.
func (t *task) modes(ctx context.Context, files []Addition) (large map[string]bool, err error) {
	large = make(map[string]bool)
	for some := range slices.Chunk(files, lot) {
		type asked struct {
			Path   string `json:"path"`
			Size   int64  `json:"size"`
			Sample []byte `json:"sample"`
		}
		var body struct {
			Files []asked `json:"files"`
		}
		for _, f := range some {
			head, err := f.head()
			if err != nil {
				return nil, t.unreadable(err)
			}
			body.Files = append(body.Files, asked{f.Path, f.Size, head})
		}
		var answer struct {
			Files []mode `json:"files"`
		}
		if err := t.post(ctx, t.api("/preupload/"), "application/json", body, &answer); err != nil {
			return nil, err
		}
		for _, f := range some {
			i := slices.IndexFunc(answer.Files, func(m mode) bool { return m.Path == f.Path })
			switch {
			case i < 0 || answer.Files[i].Mode != "lfs" && answer.Files[i].Mode != "regular":
				return nil, t.unlikeHub("does not say how it wants " + f.Path)
			case answer.Files[i].Ignore:
				return nil, &failure{kind: omniscope.Invalid, what: "the .gitignore of the repository leaves out " + f.Path, mend: "change it there, or leave the file out"}
			}
			large[f.Path] = answer.Files[i].Mode == "lfs" && f.Size > 0
		}
	}
	return large, nil
}

func (f *Addition) head() ([]byte, error) {
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(io.LimitReader(r, sample))
}

// commit makes the commit. If the connection ends before the answer it is not known
// whether it was made: then the revision is looked at.
func (t *task) commit(ctx context.Context, p Push, large map[string]bool) (commit string, err error) {
	var answer struct {
		OID string `json:"commitOid"`
	}
	err = t.insist(ctx, tries, func() (progress bool, err error) {
		pages, stop := t.commitBody(p, large)
		defer stop()
		return false, t.send(ctx, http.MethodPost, t.api("/commit/"), "application/x-ndjson", pages, -1, &answer)
	})
	if err == nil && !isCommit(answer.OID) {
		err = t.unlikeHub("does not say which commit it made")
	}
	if err == nil {
		return answer.OID, nil
	}
	if f, ok := errors.AsType[*failure](err); !ok || f.kind == omniscope.Denied || f.kind == omniscope.NotFound || ctx.Err() != nil {
		return "", err
	}
	if made, there := t.made(ctx, p); there {
		return made, nil
	}
	return "", err
}

// made reports whether the revision has left Parent and has all files of the push.
func (t *task) made(ctx context.Context, p Push) (commit string, there bool) {
	commit, files, err := t.list(ctx)
	if err != nil || commit == p.Parent {
		return "", false
	}
	for _, f := range p.Files {
		i := slices.IndexFunc(files, func(l Listed) bool { return l.Path == f.Path })
		if i < 0 || files[i].Size != f.Size {
			return "", false
		}
		if same, err := f.Same(files[i]); err != nil || !same {
			return "", false
		}
	}
	return commit, true
}

// Same reports whether the hub's file has these bytes.
func (f *Addition) Same(l Listed) (bool, error) {
	if l.SHA256 != "" || l.Blob == "" {
		return l.SHA256 == f.SHA256, nil
	}
	if l.Size >= 0 && l.Size != f.Size {
		return false, nil
	}
	r, err := f.Open()
	if err != nil {
		return false, err
	}
	defer r.Close()
	sum := remote{etag: strings.Repeat("0", 40), size: f.Size}.digest()
	if _, err := io.Copy(sum, r); err != nil {
		return false, err
	}
	return fmt.Sprintf("%x", sum.Sum(nil)) == l.Blob, nil
}

// api is an address of the repository's interface for a revision.
func (t *task) api(what string) *url.URL {
	return t.below("/api/" + t.repo.Kind + "s/" + t.repo.Name + what + url.PathEscape(t.repo.Revision))
}

// post sends JSON and reads the answer, as often as it takes. Further statuses may be
// fine too.
func (t *task) post(ctx context.Context, at *url.URL, form string, body, answer any, fine ...int) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	return t.insist(ctx, tries, func() (progress bool, err error) {
		return false, t.send(ctx, http.MethodPost, at, form, bytes.NewReader(text), int64(len(text)), answer, fine...)
	})
}

func (t *task) unlikeHub(does string) error {
	return &failure{kind: omniscope.Malformed, what: t.home.Host + " " + does, mend: "set HF_ENDPOINT to the hub or a true mirror, or " + t.byHand()}
}

func (t *task) unreadable(err error) error {
	return &failure{kind: omniscope.Invalid, what: "read a file to push: " + err.Error(), mend: "see whether it is still there, and run the same command again"}
}
