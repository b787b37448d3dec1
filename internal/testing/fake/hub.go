package fake

import (
	"bufio"
	"bytes"
	"crypto/sha1" // git names its blobs by it
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"omniscope/internal/sha256hex"
)

// Hub takes files as the Hugging Face hub does: preupload, Git LFS in one piece or in
// parts, commits as lines of JSON on a parent, and lists of files. It keeps the hub's
// rules, as huggingface_hub relies on them (hf_api.py, _commit_api.py, lfs.py). Its
// routes are create, list, resolve, preupload, batch, put, complete, verify and
// commit. Its fields may be set before it is asked for the first time.
type Hub struct {
	*Server
	Token     string // that may write
	ChunkFrom int    // size from which a large file comes in parts of this size; 0 = never

	store   string // address where large files go: another server, as the hub's is
	mu      sync.Mutex
	repos   map[string]*repo
	objects map[string][]byte // by SHA-256
	parts   map[string][]byte // of objects on their way, by "oid/number"
	asked   []string
	commits int
}

// largeFrom is the size from which a file is a large one, in bytes.
const largeFrom = 1000

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

// Start starts a hub without repositories, which the end of the test closes.
func (h *Hub) Start(t testing.TB) *Hub {
	t.Helper()
	h.repos, h.objects, h.parts = make(map[string]*repo), make(map[string][]byte), make(map[string][]byte)
	routes := make(map[string]route)
	for pattern, answer := range map[string]Responder{
		"create POST /api/repos/create":                               h.create,
		"list GET /api/datasets/{org}/{name}/revision/main":           h.list,
		"preupload POST /api/datasets/{org}/{name}/preupload/main":    h.preupload,
		"commit POST /api/datasets/{org}/{name}/commit/main":          h.commit,
		"batch POST /datasets/{org}/{name}/info/lfs/objects/batch":    h.batch,
		"resolve /datasets/{org}/{name}/resolve/{revision}/{path...}": h.resolve,
		"put PUT /store/{oid}":                                        h.put,
		"put PUT /store/{oid}/{part}":                                 h.put,
		"complete POST /complete/{oid}":                               h.complete,
		"verify POST /verify/{oid}":                                   h.verify,
	} {
		name, pattern, _ := strings.Cut(pattern, " ")
		routes[pattern] = route{name: name, answer: func(r *Request) Reply {
			h.mu.Lock()
			defer h.mu.Unlock()
			return answer(r)
		}}
	}
	h.Server = mustListen(t, protocol{routes: routes, admit: h.admit})
	var err error
	if h.store, err = h.another(); err != nil {
		t.Fatal(err)
	}
	return h
}

// URL is the hub's address.
func (h *Hub) URL() string { return h.root() }

// admit takes the token at the hub and not at its store.
func (h *Hub) admit(r *Request) {
	h.mu.Lock()
	h.asked = append(h.asked, r.Route)
	h.mu.Unlock()
	token := r.HTTP.Header.Get("Authorization")
	if r.Route == "put" == (token != "") && r.Route != "resolve" && r.Route != "complete" {
		refuseHub(http.StatusUnauthorized, "", "Invalid credentials: the token goes to the hub and to no store")
	}
	if token != "" && token != "Bearer "+h.Token {
		refuseHub(http.StatusUnauthorized, "", "Invalid credentials in Authorization header")
	}
}

// refuseHub refuses a request with an error of the hub's form.
func refuseHub(status int, code, text string) {
	reply := Reply{Status: status, Body: map[string]string{"error": text}}
	if code != "" {
		reply.Header = http.Header{"X-Error-Code": {code}}
	}
	refuse(reply)
}

// Make makes a repository with files.
func (h *Hub) Make(name string, files map[string]string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.make(name, files)
}

func (h *Hub) make(name string, files map[string]string) *repo {
	r := &repo{files: make(map[string]file)}
	for path, text := range files {
		r.files[path] = file{content: []byte(text), large: len(text) >= largeFrom}
		h.objects[sha256hex.Of([]byte(text))] = []byte(text)
	}
	h.move(r, "initial commit")
	h.repos[name] = r
	return r
}

// move makes a new commit of what a repository has.
func (h *Hub) move(r *repo, summary string) {
	h.commits++
	sum := sha1.Sum(fmt.Appendf(nil, "commit %d", h.commits))
	r.head, r.trail = hex.EncodeToString(sum[:]), append(r.trail, summary)
}

// Commit changes a file, as another client does.
func (h *Hub) Commit(name, path, text string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	r := h.repos[name]
	r.files[path] = file{content: []byte(text)}
	h.move(r, "somebody else's")
}

// Files returns the files of a repository by path, or nil if the hub does not have the repository.
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

// Asked returns the routes of the requests since the last call.
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

// repo is the repository that a request names.
func (h *Hub) repo(r *Request) *repo {
	found := h.repos[r.HTTP.PathValue("org")+"/"+strings.TrimSuffix(r.HTTP.PathValue("name"), ".git")]
	if found == nil {
		refuseHub(http.StatusNotFound, "RepoNotFound", "Repository not found")
	}
	return found
}

// read decodes the body of a request.
func (h *Hub) read(r *Request, into any) {
	if err := json.Unmarshal(r.Body, into); err != nil {
		refuseHub(http.StatusBadRequest, "", "that is not JSON")
	}
}

func gitID(content []byte) string {
	sum := sha1.Sum(append(fmt.Appendf(nil, "blob %d\x00", len(content)), content...))
	return hex.EncodeToString(sum[:])
}

func (h *Hub) create(r *Request) Reply {
	var asked struct {
		Type, Name, Organization string
		Private                  bool
	}
	h.read(r, &asked)
	name := asked.Organization + "/" + asked.Name
	if h.repos[name] != nil || asked.Type != "dataset" {
		refuseHub(http.StatusConflict, "", "You already created this dataset repo")
	}
	h.make(name, map[string]string{".gitattributes": "*.parquet filter=lfs\n"}).private = asked.Private
	return Reply{Body: map[string]string{"url": h.URL() + "/datasets/" + name}}
}

func (h *Hub) list(r *Request) Reply {
	of := h.repo(r)
	siblings := []map[string]any{}
	for path, f := range of.files {
		one := map[string]any{"rfilename": path, "size": len(f.content), "blobId": gitID(f.content)}
		if f.large {
			one["blobId"] = gitID([]byte("a pointer"))
			one["lfs"] = map[string]any{"sha256": sha256hex.Of(f.content), "size": len(f.content), "pointerSize": 130}
		}
		siblings = append(siblings, one)
	}
	return Reply{Body: map[string]any{"sha": of.head, "siblings": siblings}}
}

func (h *Hub) resolve(r *Request) Reply {
	of := h.repo(r)
	f, ok := of.files[r.HTTP.PathValue("path")]
	if !ok {
		refuseHub(http.StatusNotFound, "EntryNotFound", "Entry not found")
	}
	head := of.head
	return Reply{Serve: func(w http.ResponseWriter, hr *http.Request) {
		w.Header().Set("X-Repo-Commit", head)
		w.Header().Set("ETag", `"`+gitID(f.content)+`"`)
		http.ServeContent(w, hr, "", time.Time{}, bytes.NewReader(f.content))
	}}
}

func (h *Hub) preupload(r *Request) Reply {
	var asked struct {
		Files []struct {
			Path   string
			Size   int
			Sample []byte
		}
	}
	h.repo(r)
	h.read(r, &asked)
	files := []map[string]any{}
	for _, f := range asked.Files {
		mode := "regular"
		if f.Size >= largeFrom || f.Size == 0 || len(f.Sample) != min(512, f.Size) { // the client knows that empty ones cannot be
			mode = "lfs"
		}
		files = append(files, map[string]any{"path": f.Path, "uploadMode": mode, "shouldIgnore": false})
	}
	return Reply{Body: map[string]any{"files": files}}
}

func (h *Hub) batch(r *Request) Reply {
	var asked struct {
		Operation string
		Algo      string `json:"hash_algo"`
		Objects   []struct {
			OID  string
			Size int
		}
	}
	h.repo(r)
	h.read(r, &asked)
	objects := []map[string]any{}
	for _, o := range asked.Objects {
		one := map[string]any{"oid": o.OID, "size": o.Size}
		if _, there := h.objects[o.OID]; !there && asked.Operation == "upload" && asked.Algo == "sha256" {
			one["actions"] = map[string]any{"upload": h.upload(o.OID, o.Size), "verify": map[string]any{"href": h.URL() + "/verify/" + o.OID}}
		}
		objects = append(objects, one)
	}
	return Reply{Body: map[string]any{"transfer": "basic", "objects": objects}}
}

// upload is the action by which an object is sent.
func (h *Hub) upload(oid string, size int) map[string]any {
	if h.ChunkFrom == 0 || size < h.ChunkFrom {
		return map[string]any{"href": h.store + "/store/" + oid + "?Signature=signed"}
	}
	header := map[string]string{"chunk_size": strconv.Itoa(h.ChunkFrom)}
	for n := 0; n*h.ChunkFrom < size; n++ {
		header[fmt.Sprintf("%05d", n+1)] = fmt.Sprintf("%s/store/%s/%d?Signature=signed", h.store, oid, n+1)
	}
	return map[string]any{"href": h.URL() + "/complete/" + oid + "?size=" + strconv.Itoa(size), "header": header}
}

func (h *Hub) put(r *Request) Reply {
	if r.HTTP.URL.Query().Get("Signature") != "signed" || r.HTTP.ContentLength != int64(len(r.Body)) {
		refuseHub(http.StatusForbidden, "", "SignatureDoesNotMatch")
	}
	content := bytes.Clone(r.Body)
	oid, part := r.HTTP.PathValue("oid"), r.HTTP.PathValue("part")
	if part != "" {
		h.parts[oid+"/"+part] = content
	} else {
		if sha256hex.Of(content) != oid {
			refuseHub(http.StatusBadRequest, "", "XAmzContentSHA256Mismatch")
		}
		h.objects[oid] = content
	}
	return Reply{Body: "", Header: http.Header{"Etag": {`"` + gitID(content) + `"`}}}
}

func (h *Hub) complete(r *Request) Reply {
	var asked struct {
		OID   string
		Parts []struct {
			Number int `json:"partNumber"`
			ETag   string
		}
	}
	h.read(r, &asked)
	var whole []byte
	for i, p := range asked.Parts {
		content := h.parts[asked.OID+"/"+strconv.Itoa(p.Number)]
		if p.Number != i+1 || p.ETag != `"`+gitID(content)+`"` {
			refuseHub(http.StatusBadRequest, "", "InvalidPart")
		}
		whole = append(whole, content...)
	}
	if sha256hex.Of(whole) != r.HTTP.PathValue("oid") {
		refuseHub(http.StatusBadRequest, "", "the digest is another")
	}
	h.objects[asked.OID] = whole
	return Reply{Body: map[string]any{}}
}

func (h *Hub) verify(r *Request) Reply {
	var asked struct {
		OID  string
		Size int
	}
	h.read(r, &asked)
	if content, there := h.objects[asked.OID]; !there || len(content) != asked.Size {
		refuseHub(http.StatusNotFound, "", "the object is not there")
	}
	return Reply{Body: map[string]any{}}
}

// A change is one line of a commit.
type change struct {
	Key   string
	Value struct {
		Summary, ParentCommit, Path, Encoding, Algo, OID string
		Content                                          []byte
		Size                                             int
	}
}

// commit makes a commit of lines of JSON, all of them or no change.
func (h *Hub) commit(r *Request) Reply {
	of := h.repo(r)
	next, summary := maps.Clone(of.files), ""
	lines := bufio.NewReader(bytes.NewReader(r.Body))
	for first := true; ; first = false {
		text, err := lines.ReadBytes('\n')
		if err == io.EOF && len(text) == 0 && !first {
			break
		}
		var line change
		if err != nil || json.Unmarshal(text, &line) != nil || first != (line.Key == "header") {
			refuseHub(http.StatusBadRequest, "", "the commit is incomplete")
		}
		if first {
			summary = line.Value.Summary
		}
		h.apply(of, next, line)
	}
	of.files = next
	h.move(of, summary)
	return Reply{Body: map[string]string{"commitOid": of.head, "commitUrl": h.URL() + "/commit/" + of.head}}
}

// apply makes one change to the next files of a repository.
func (h *Hub) apply(of *repo, next map[string]file, line change) {
	v := line.Value
	switch line.Key {
	case "header":
		if v.ParentCommit != "" && v.ParentCommit != of.head {
			refuseHub(http.StatusPreconditionFailed, "", "A commit has happened since. Please refresh and try again.")
		}
	case "file":
		next[v.Path] = file{content: v.Content}
	case "lfsFile":
		content, there := h.objects[v.OID]
		if !there || len(content) != v.Size || v.Algo != "sha256" {
			refuseHub(http.StatusBadRequest, "", "LFS pointer pointed to a file that does not exist")
		}
		next[v.Path] = file{content: content, large: true}
	}
}
