// Package mockhub is a server for tests that takes files as the Hugging Face hub does:
// preupload, Git LFS in one piece or in parts, commits as lines of JSON on a parent, and
// lists of files. It keeps the hub's rules, as huggingface_hub relies on
// them (hf_api.py, _commit_api.py, lfs.py), and misbehaves where it is told.
package mockhub

import (
	"crypto/sha1" // git names its blobs by it
	"encoding/hex"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"

	"omniscope/internal/sha256hex"
)

// A Hub is a server with repositories of data sets. Its fields may be set before it is
// asked for the first time.
type Hub struct {
	*httptest.Server
	store     *httptest.Server // where large files go: another server, as the hub's is
	Token     string           // that may write
	LargeFrom int              // size from which a file is a large one, in bytes
	ChunkFrom int              // size from which a large file comes in parts of this size; 0 = never

	// Before, if not nil, may answer a request itself and then returns true. what is create,
	// list, resolve, preupload, batch, put, complete, verify or commit.
	Before func(what string, w http.ResponseWriter, r *http.Request) bool

	mu      sync.Mutex
	repos   map[string]*repo
	objects map[string][]byte // by SHA-256
	parts   map[string][]byte // of objects on their way, by "oid/number"
	asked   []string
	commits int
}

type repo struct {
	head    string
	private bool
	files   map[string]file
	trail   []string // summaries of the commits
}

type file struct {
	content []byte
	large   bool
}

// Start starts a hub without repositories.
func Start(token string) *Hub {
	h := &Hub{Token: token, LargeFrom: 1000, repos: make(map[string]*repo), objects: make(map[string][]byte), parts: make(map[string][]byte)}
	h.Server, h.store = httptest.NewServer(h.mux()), httptest.NewServer(h.mux())
	return h
}

// Close ends both servers.
func (h *Hub) Close() {
	h.Server.Close()
	h.store.Close()
}

func (h *Hub) mux() http.Handler {
	mux := http.NewServeMux()
	for pattern, serve := range map[string]struct {
		what  string
		serve func(w http.ResponseWriter, r *http.Request)
	}{
		"POST /api/repos/create":                              {"create", h.create},
		"GET /api/datasets/{org}/{name}/revision/main":        {"list", h.list},
		"POST /api/datasets/{org}/{name}/preupload/main":      {"preupload", h.preupload},
		"POST /api/datasets/{org}/{name}/commit/main":         {"commit", h.commit},
		"POST /datasets/{org}/{name}/info/lfs/objects/batch":  {"batch", h.batch},
		"/datasets/{org}/{name}/resolve/{revision}/{path...}": {"resolve", h.resolve},
		"PUT /store/{oid}":                                    {"put", h.put},
		"PUT /store/{oid}/{part}":                             {"put", h.put},
		"POST /complete/{oid}":                                {"complete", h.complete},
		"POST /verify/{oid}":                                  {"verify", h.verify},
	} {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			h.mu.Lock()
			h.asked = append(h.asked, serve.what)
			h.mu.Unlock()
			if h.Before != nil && h.Before(serve.what, w, r) {
				return
			}
			if serve.what == "put" == (r.Header.Get("Authorization") != "") && serve.what != "resolve" && serve.what != "complete" {
				refuse(w, http.StatusUnauthorized, "", "Invalid credentials: the token goes to the hub and to no store")
				return
			}
			if token := r.Header.Get("Authorization"); token != "" && token != "Bearer "+h.Token {
				refuse(w, http.StatusUnauthorized, "", "Invalid credentials in Authorization header")
				return
			}
			serve.serve(w, r)
		})
	}
	return mux
}

func refuse(w http.ResponseWriter, status int, code, text string) {
	if code != "" {
		w.Header().Set("X-Error-Code", code)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, `{"error":%q}`, text)
}

// Make makes a repository with files.
func (h *Hub) Make(name string, files map[string]string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	r := &repo{files: make(map[string]file)}
	for path, text := range files {
		r.files[path] = file{content: []byte(text), large: len(text) >= h.LargeFrom}
		h.objects[sha256hex.Of([]byte(text))] = []byte(text)
	}
	h.move(r, "initial commit")
	h.repos[name] = r
}

// move makes a new commit of what a repository has.
func (h *Hub) move(r *repo, summary string) {
	h.commits++
	sum := sha1.Sum(fmt.Appendf(nil, "commit %d", h.commits))
	r.head, r.trail = hex.EncodeToString(sum[:]), append(r.trail, summary)
}

// Commit changes a file, as somebody else does.
func (h *Hub) Commit(name, path, text string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	r := h.repos[name]
	r.files[path] = file{content: []byte(text)}
	h.move(r, "somebody else's")
}

// Files are the files of a repository, by their paths; nil = there is none.
func (h *Hub) Files(name string) map[string]string {
	h.mu.Lock()
	defer h.mu.Unlock()
	r, ok := h.repos[name]
	if !ok {
		return nil
	}
	out := make(map[string]string)
	for path, f := range r.files {
		out[path] = string(f.content)
	}
	return out
}

// Commits are the summaries of the commits of a repository.
func (h *Hub) Commits(name string) []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.repos[name].trail)
}

// Private reports whether a repository was made private.
func (h *Hub) Private(name string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.repos[name].private
}

// Asked is what the hub was asked for since the last time.
func (h *Hub) Asked() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	asked := h.asked
	h.asked = nil
	return asked
}

// Objects are the digests of the large files that the hub has, in order.
func (h *Hub) Objects() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Sorted(maps.Keys(h.objects))
}

func (h *Hub) repo(w http.ResponseWriter, r *http.Request) *repo {
	found := h.repos[r.PathValue("org")+"/"+strings.TrimSuffix(r.PathValue("name"), ".git")]
	if found == nil {
		refuse(w, http.StatusNotFound, "RepoNotFound", "Repository not found")
	}
	return found
}

func gitID(content []byte) string {
	sum := sha1.Sum(append(fmt.Appendf(nil, "blob %d\x00", len(content)), content...))
	return hex.EncodeToString(sum[:])
}
