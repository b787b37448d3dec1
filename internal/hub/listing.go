package hub

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"omniscope"
)

// A Listed is a file of a repository, as the hub lists it.
type Listed struct {
	Path string
	Size int64 // -1 = the hub does not say

	SHA256 string // of a large file, in hex; "" = it is a small one, or the hub does not say
	Blob   string // git's id of a small file, in hex; "" = the hub does not say
}

// mostListing bounds what is read of a list of files.
const mostListing = 64 << 20

// List asks the hub which files a revision has, and which commit that is (the
// request that huggingface_hub makes for dataset_info with files_metadata). Its
// errors are those of File.
func (c *Client) List(ctx context.Context, repo Repo) (commit string, files []Listed, err error) {
	t, err := c.task(repo, "README.md") // any name: none is asked for
	if err != nil {
		return "", nil, err
	}
	t.lists = true
	if t.Offline {
		return "", nil, t.explain(ctx, &failure{kind: omniscope.NotFound, what: "offline mode is on", mend: "unset HF_HUB_OFFLINE, or " + t.byHand()})
	}
	return t.listed(ctx)
}

// ListTarget is List for somebody who is about to push: its errors say what a push needs.
func (c *Client) ListTarget(ctx context.Context, repo Repo) (commit string, files []Listed, err error) {
	t, err := c.pushTask(repo)
	if err != nil {
		return "", nil, err
	}
	return t.listed(ctx)
}

func (t *task) listed(ctx context.Context) (commit string, files []Listed, err error) {
	err = t.insist(ctx, tries, func() (progress bool, err error) {
		commit, files, err = t.list(ctx)
		return false, err
	})
	if err != nil {
		return "", nil, t.explain(ctx, err)
	}
	return commit, files, nil
}

func (t *task) list(ctx context.Context) (commit string, files []Listed, err error) {
	ctx, _, stop := t.watch(ctx)
	defer stop()
	at := t.below("/api/" + t.repo.Kind + "s/" + t.repo.Name + "/revision/" + url.PathEscape(t.repo.Revision))
	at.RawQuery = "blobs=true"
	answers, err := t.request(ctx, http.MethodGet, at, 0)
	if err != nil {
		return "", nil, err
	}
	last := answers[len(answers)-1]
	defer last.Body.Close()
	if last.StatusCode >= 400 {
		return "", nil, t.refusal(last)
	}
	var answer struct {
		SHA      string `json:"sha"`
		Siblings []struct {
			Name string `json:"rfilename"`
			Size *int64 `json:"size"`
			Blob string `json:"blobId"`
			LFS  *struct {
				SHA256 string `json:"sha256"`
			} `json:"lfs"`
		} `json:"siblings"`
	}
	text, err := io.ReadAll(io.LimitReader(last.Body, mostListing))
	if err != nil {
		return "", nil, t.noAnswer(ctx, at.Host, err)
	}
	if err := json.Unmarshal(text, &answer); err != nil || !isCommit(answer.SHA) {
		return "", nil, &failure{kind: omniscope.Malformed, what: t.home.Host + " does not list files as the hub does", mend: "set HF_ENDPOINT to the hub or a true mirror, or " + t.byHand()}
	}
	for _, s := range answer.Siblings {
		if check(t.repo, s.Name) != nil {
			continue // a name that leads out of the cache, or that no file of ours can have
		}
		f := Listed{Path: s.Name, Size: -1}
		if s.Size != nil {
			f.Size = *s.Size
		}
		if f.Blob = s.Blob; s.LFS != nil {
			f.SHA256, f.Blob = s.LFS.SHA256, "" // the blob is of the pointer
		}
		files = append(files, f)
	}
	return answer.SHA, files, nil
}

// CachedFiles are the files of a revision that the cache has, by their names in the
// repository, in order; folder is where they are. It makes no request. Nil if there
// are none.
func (c *Client) CachedFiles(repo Repo) (folder string, names []string, err error) {
	t, err := c.task(repo, "README.md")
	if err != nil {
		return "", nil, err
	}
	commit := t.repo.Revision
	if !isCommit(commit) {
		text, err := os.ReadFile(t.ref())
		if commit = strings.TrimSpace(string(text)); err != nil || !isCommit(commit) {
			return "", nil, nil
		}
	}
	folder = t.inFolder("snapshots", commit)
	err = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !whole(path, -1) {
			return err
		}
		name, err := filepath.Rel(folder, path)
		names = append(names, filepath.ToSlash(name))
		return err
	})
	if os.IsNotExist(err) {
		return "", nil, nil
	}
	slices.Sort(names)
	return folder, names, err
}

// Intact reports whether a file of the cache has the digest that its blob is named
// by. known is false where the cache holds a copy and no link, which tells no digest.
func Intact(path string) (intact, known bool, err error) {
	blob, err := filepath.EvalSymlinks(path)
	if err != nil {
		return false, false, err
	}
	info, err := os.Stat(blob)
	if err != nil {
		return false, false, err
	}
	r := remote{etag: filepath.Base(blob), size: info.Size()}
	sum := r.digest()
	if sum == nil {
		return false, false, nil
	}
	f, err := os.Open(blob)
	if err != nil {
		return false, false, err
	}
	defer f.Close()
	if _, err := io.Copy(sum, f); err != nil {
		return false, false, err
	}
	return r.etag == hex.EncodeToString(sum.Sum(nil)), true, nil
}
