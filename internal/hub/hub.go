// Package hub fetches single files of data sets and models from the Hugging
// Face hub into the cache that the Python package huggingface_hub keeps, so
// that both find what either has fetched, lists the files of a revision, and pushes
// files as one commit. It does not convert anything, and does not speak the Xet
// protocol: the hub serves and takes every file up to 50 GB over plain HTTP as well.
package hub

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"time"

	"omniscope"
)

// DefaultEndpoint is the hub itself.
const DefaultEndpoint = "https://huggingface.co"

// A Repo is one revision of a data set or a model.
type Repo struct {
	Kind     string // "dataset" or "model"
	Name     string // such as "FBK-MT/MCIF"
	Revision string // a branch, a tag or a commit; "" = "main"
}

// A Client fetches files. It may be used by several goroutines and may be
// copied; its fields must not change while it works.
type Client struct {
	Endpoint  string            // the hub or a mirror; "" = DefaultEndpoint
	Token     omniscope.Secret  // sent to Endpoint and to no other server
	Cache     string            // the folder with the folders of the repositories, as HF_HUB_CACHE names it
	Offline   bool              // use the cache only
	Transport http.RoundTripper // nil = http.DefaultTransport, which knows of proxies
	Timeout   time.Duration     // longest silence of a server; 0 = 10 seconds

	// Progress, if not nil, is called with how many bytes of a file are there, often,
	// by the goroutine that fetches it.
	Progress func(file string, done, total int64)

	// ByHand ends the advice to a user without a connection, to download a
	// file with a browser: what to do with it then, such as "pass it with -r FILE".
	ByHand string
	// Wanted names the files that the caller of List needs, for the same advice.
	Wanted string

	wait    func(context.Context, time.Duration) error
	symlink func(target, link string) error
}

// A Local is a file in the cache.
type Local struct {
	Path     string
	Commit   string // of the repository, 40 hexadecimal digits
	Warnings []string
}

// tries bounds the tries in a row. One that brings something new counts as the
// first of its row.
const tries = 5

// File returns where the cache holds a file, after fetching it if need be. The
// bytes of what it fetches are checked against the digest that the hub gives.
//
// Like huggingface_hub it makes no request for a file that is there at a
// commit. For a branch or a tag it asks, once, where that is now; if the hub
// cannot be asked or denies access, a file fetched earlier at this revision
// will do, with a warning.
//
// What was received before a failure or the end of ctx is kept, and the next
// call goes on from there. Errors are of kind Usage (settings), Invalid (names),
// NotFound, Denied, Malformed (the server is no hub, or the bytes are wrong),
// Transient (network) or Internal (a full disk); or they are ctx's.
func (c *Client) File(ctx context.Context, repo Repo, path string) (Local, error) {
	t, err := c.task(repo, path)
	if err != nil {
		return Local{}, err
	}
	local, err := t.file(ctx)
	if err != nil {
		return Local{}, t.explain(ctx, err)
	}
	return local, nil
}

// URL is where people find a file: without user name and password, and without
// regard to redirects. It is "" if File would refuse the names.
func (c *Client) URL(repo Repo, path string) string {
	t, err := c.task(repo, path)
	if err != nil {
		return ""
	}
	return t.shown()
}

// Page is where people find a repository; "" if its name is none.
func (c *Client) Page(repo Repo) string {
	t, err := c.task(repo, "README.md")
	if err != nil {
		return ""
	}
	return bare(t.at(""))
}

// A task is one call of File.
type task struct {
	*Client
	repo    Repo
	path    string
	home    *url.URL // the endpoint
	spoiled int      // downloads whose digest was wrong
	pushes  bool     // it is a call of Push or Create, not of File
	lists   bool     // it is a call of List
}

func (c *Client) task(repo Repo, path string) (*task, error) {
	if repo.Revision == "" {
		repo.Revision = "main"
	}
	if err := check(repo, path); err != nil {
		return nil, &omniscope.Error{Kind: omniscope.Invalid, Op: "file on the hub", Err: err}
	}
	home, err := parseEndpoint(c.Endpoint)
	if err == nil && c.Cache == "" {
		err = errors.New("no cache folder is set")
	}
	if err != nil {
		return nil, &omniscope.Error{Kind: omniscope.Usage, Op: "hub", Err: err}
	}
	return &task{Client: c, repo: repo, path: path, home: home}, nil
}

func (t *task) file(ctx context.Context) (Local, error) {
	cached, there := t.cached()
	if there && (t.Offline || isCommit(t.repo.Revision)) {
		return cached, nil
	}
	if t.Offline {
		return Local{}, &failure{kind: omniscope.NotFound, what: "it is not in the cache " + t.Cache + ", and offline mode is on",
			mend: "unset HF_HUB_OFFLINE, or " + t.byHand()}
	}
	most := tries
	if there {
		most = 1
	}
	var now remote
	err := t.insist(ctx, most, func() (progress bool, err error) {
		now, err = t.look(ctx)
		return false, err
	})
	if err == nil {
		return t.fetch(ctx, now)
	}
	if f, ok := errors.AsType[*failure](err); there && ok && f.kind != omniscope.NotFound && ctx.Err() == nil {
		cached.Warnings = []string{fmt.Sprintf("%s: taken from the cache, commit %.12s; whether revision %s has moved since is not known: %s",
			t.name(), cached.Commit, t.repo.Revision, t.redact(f.what))}
		return cached, nil
	}
	return Local{}, err
}

// fetch makes sure that a file is in the cache and the revision points to it.
func (t *task) fetch(ctx context.Context, r remote) (Local, error) {
	local := Local{Path: t.pointer(r.commit), Commit: r.commit}
	if !whole(local.Path, r.size) {
		if err := t.fill(ctx, r); err != nil {
			return Local{}, err
		}
	}
	// Last, so that a revision never points to a commit without the file while
	// an older one has it. Those who may only read the cache can do without.
	if err := t.remember(r.commit); err != nil {
		local.Warnings = append(local.Warnings, fmt.Sprintf("offline, revision %s of %s will not be found: %v", t.repo.Revision, t.repo.Name, err))
	}
	return local, nil
}

// fill brings a file into the cache, once, however many processes want it.
func (t *task) fill(ctx context.Context, r remote) error {
	unlock, err := t.lock(ctx, r.etag)
	if err != nil {
		return err
	}
	defer func() { _ = unlock() }()
	if blob := t.blob(r.etag); !whole(blob, r.size) {
		if err := t.download(ctx, r, blob); err != nil {
			return err
		}
	}
	if pointer := t.pointer(r.commit); !whole(pointer, r.size) {
		return t.point(pointer, t.blob(r.etag))
	}
	return nil
}

// whole reports whether a file is there and as long as it should be; size -1 =
// that is not known.
func whole(path string, size int64) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && (size < 0 || info.Size() == size)
}
