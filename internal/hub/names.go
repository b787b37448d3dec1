package hub

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// check refuses names that the hub cannot have and those that would lead out
// of the cache's folders.
func check(repo Repo, path string) error {
	if repo.Kind != "dataset" && repo.Kind != "model" {
		return fmt.Errorf("%q is neither dataset nor model", repo.Kind)
	}
	if !isRepoName(repo.Name) {
		return fmt.Errorf("%q is no name of a repository such as FBK-MT/MCIF", repo.Name)
	}
	if !isInside(repo.Revision) {
		return fmt.Errorf("%q is no revision such as main or 1.0", repo.Revision)
	}
	if !isInside(path) {
		return fmt.Errorf("%q is no path in a repository: give it from the top, with slashes, without . and .. in it", path)
	}
	return nil
}

// isRepoName knows the hub's rules: one name or two, of letters, digits and
// "-_.", at most 96 bytes; "--" stands for the slash in folders of the cache.
func isRepoName(name string) bool {
	parts := strings.Split(name, "/")
	if len(parts) > 2 || len(name) > 96 || strings.Contains(name, "--") || strings.Contains(name, "..") || strings.HasSuffix(name, ".git") {
		return false
	}
	return !slices.ContainsFunc(parts, func(p string) bool { return !isWord(p) || strings.Trim(p, "-.") != p })
}

// isWord reports whether s is fit for a part of a file's name everywhere.
func isWord(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return r > unicode.MaxASCII || !(unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-_.", r))
	})
}

// isInside reports whether a path stays in the folder that it starts from, on
// any system.
func isInside(path string) bool {
	return path != "." && fs.ValidPath(path) && filepath.IsLocal(filepath.FromSlash(path)) &&
		!strings.ContainsFunc(path, func(r rune) bool { return r == '\\' || unicode.IsControl(r) })
}

func isCommit(s string) bool { return isHex(s, 40) }

func isHex(s string, digits int) bool {
	return len(s) == digits && strings.Trim(s, "0123456789abcdef") == ""
}

func parseEndpoint(raw string) (*url.URL, error) {
	if raw == "" {
		raw = DefaultEndpoint
	}
	u, err := url.Parse(strings.TrimRight(strings.TrimSpace(raw), "/"))
	if err != nil || u.Hostname() == "" || (u.Scheme != "http" && u.Scheme != "https") || u.RawQuery != "" || u.Fragment != "" {
		// Not quoted: what is no address may have a password anywhere.
		return nil, errors.New("HF_ENDPOINT is not an address such as " + DefaultEndpoint)
	}
	return u, nil
}

// address is where the endpoint serves the file at a revision. The slashes of
// a revision are escaped, those of a path are not.
func (t *task) address(revision string) *url.URL {
	parts := strings.Split(t.path, "/")
	for i, p := range parts {
		parts[i] = url.PathEscape(p)
	}
	return t.at("/resolve/" + url.PathEscape(revision) + "/" + strings.Join(parts, "/"))
}

// at returns an address of the repository.
func (t *task) at(below string) *url.URL {
	if t.repo.Kind == "dataset" {
		return t.below("/datasets/" + t.repo.Name + below)
	}
	return t.below("/" + t.repo.Name + below)
}

// below returns an address of the endpoint.
func (t *task) below(below string) *url.URL {
	u := *t.home
	u.RawPath = t.home.EscapedPath() + below
	u.Path, _ = url.PathUnescape(u.RawPath) // was escaped just above
	return &u
}

// shown is the file's address for people.
func (t *task) shown() string { return bare(t.address(t.repo.Revision)) }

// bare returns an address without what may be secret in it: signed addresses
// have their signature in the query.
func bare(u *url.URL) string {
	b := *u
	b.User, b.RawQuery, b.ForceQuery, b.Fragment, b.RawFragment = nil, "", false, "", ""
	return b.String()
}

func (t *task) name() string {
	return t.path + " of " + t.repo.Kind + " " + t.repo.Name
}
