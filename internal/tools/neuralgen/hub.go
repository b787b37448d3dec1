package neuralgen

import (
	"bytes"
	"crypto/sha1" // git names its blobs by it
	"encoding/hex"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"omniscope/internal/sha256hex"
)

// A Hub serves folders as the Hugging Face hub serves repositories of models:
// small files itself, large ones by way of an address elsewhere. It reads a file
// for each request, and so is for small models.
type Hub struct {
	Folders map[string]string // by repository, such as FacebookAI/roberta-large
	Large   int               // size of the smallest file that another server has, bytes; 0 = 4096
	CDN     string            // that server's address, such as http://127.0.0.1:8001; it may be this one
	Token   string            // who does not show it is denied; "" = none is needed

	// Before, if not nil, may answer a request itself and then returns true.
	Before func(http.ResponseWriter, *http.Request) bool

	mu     sync.Mutex
	commit string
	asked  []string
}

// Commit is the commit of every repository, 40 hexadecimal digits.
func (h *Hub) Commit() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.commit == "" {
		h.commit = strings.Repeat("c0", 20)
	}
	return h.commit
}

// Move makes another commit of the same files.
func (h *Hub) Move(commit string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.commit = commit
}

// Requests are those since the last time, such as "HEAD ORG/NAME PATH" and
// "GET cdn bytes=5-".
func (h *Hub) Requests() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	asked := h.asked
	h.asked = nil
	return asked
}

func (h *Hub) note(line string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.asked = append(h.asked, strings.TrimSpace(line))
}

// ServeHTTP answers as hub and as the server of large files.
func (h *Hub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	repo, rest, isFile := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/resolve/")
	blob, isCDN := strings.CutPrefix(r.URL.Path, "/cdn/")
	if isCDN {
		repo, rest, _ = strings.Cut(blob, "/resolve/")
		h.note(r.Method + " cdn " + r.Header.Get("Range"))
	} else {
		_, path, _ := strings.Cut(rest, "/")
		h.note(r.Method + " " + repo + " " + path)
	}
	if h.Before != nil && h.Before(w, r) {
		return
	}
	dir, known := h.Folders[repo]
	switch {
	case !isCDN && h.Token != "" && r.Header.Get("Authorization") != "Bearer "+h.Token:
		w.Header().Set("X-Error-Code", "GatedRepo")
		http.Error(w, "who are you?", http.StatusUnauthorized)
	case !isFile || !known:
		w.Header().Set("X-Error-Code", "RepoNotFound")
		http.NotFound(w, r)
	default:
		h.file(w, r, dir, rest, isCDN)
	}
}

// file answers for REVISION/PATH of the repository in dir.
func (h *Hub) file(w http.ResponseWriter, r *http.Request, dir, rest string, isCDN bool) {
	revision, path, _ := strings.Cut(rest, "/")
	if commit := h.Commit(); revision != "main" && revision != commit {
		w.Header().Set("X-Error-Code", "RevisionNotFound")
		http.NotFound(w, r)
		return
	}
	w.Header().Set("X-Repo-Commit", h.Commit())
	local := filepath.FromSlash(path)
	content, err := os.ReadFile(filepath.Join(dir, local))
	if err != nil || !filepath.IsLocal(local) {
		w.Header().Set("X-Error-Code", "EntryNotFound")
		http.NotFound(w, r)
		return
	}
	large := h.Large
	if large == 0 {
		large = 4096
	}
	if !isCDN && len(content) >= large {
		w.Header().Set("X-Linked-Etag", `"`+sha256hex.Of(content)+`"`)
		w.Header().Set("X-Linked-Size", fmt.Sprint(len(content)))
		w.Header().Set("Location", h.CDN+"/cdn"+r.URL.Path+"?Signature=signed")
		w.WriteHeader(http.StatusFound)
		return
	}
	sum := sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(content), content))
	w.Header().Set("ETag", `"`+hex.EncodeToString(sum[:])+`"`)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
}
