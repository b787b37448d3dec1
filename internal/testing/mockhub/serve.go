package mockhub

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strconv"
	"time"

	"omniscope/internal/sha256hex"
)

func (h *Hub) create(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Type, Name, Organization string
		Private                  bool
	}
	if !h.read(w, r, &asked) {
		return
	}
	name := asked.Organization + "/" + asked.Name
	h.mu.Lock()
	_, there := h.repos[name]
	h.mu.Unlock()
	if there || asked.Type != "dataset" {
		refuse(w, http.StatusConflict, "", "You already created this dataset repo")
		return
	}
	h.Make(name, map[string]string{".gitattributes": "*.parquet filter=lfs\n"})
	h.mu.Lock()
	h.repos[name].private = asked.Private
	h.mu.Unlock()
	answer(w, map[string]string{"url": h.URL + "/datasets/" + name})
}

func (h *Hub) list(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	of := h.repo(w, r)
	if of == nil {
		return
	}
	siblings := []map[string]any{}
	for path, f := range of.files {
		one := map[string]any{"rfilename": path, "size": len(f.content), "blobId": gitID(f.content)}
		if f.large {
			one["blobId"] = gitID([]byte("a pointer"))
			one["lfs"] = map[string]any{"sha256": sha256hex.Of(f.content), "size": len(f.content), "pointerSize": 130}
		}
		siblings = append(siblings, one)
	}
	answer(w, map[string]any{"sha": of.head, "siblings": siblings})
}

func (h *Hub) resolve(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	of := h.repo(w, r)
	if of == nil {
		return
	}
	f, ok := of.files[r.PathValue("path")]
	if !ok {
		refuse(w, http.StatusNotFound, "EntryNotFound", "Entry not found")
		return
	}
	w.Header().Set("X-Repo-Commit", of.head)
	w.Header().Set("ETag", `"`+gitID(f.content)+`"`)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(f.content))
}

func (h *Hub) preupload(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Files []struct {
			Path   string
			Size   int
			Sample []byte
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.repo(w, r) == nil || !h.read(w, r, &asked) {
		return
	}
	files := []map[string]any{}
	for _, f := range asked.Files {
		mode := "regular"
		if f.Size >= h.LargeFrom || f.Size == 0 || len(f.Sample) != min(512, f.Size) { // the client knows that empty ones cannot be
			mode = "lfs"
		}
		files = append(files, map[string]any{"path": f.Path, "uploadMode": mode, "shouldIgnore": false})
	}
	answer(w, map[string]any{"files": files})
}

func (h *Hub) batch(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Operation string
		Algo      string `json:"hash_algo"`
		Objects   []struct {
			OID  string
			Size int
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.repo(w, r) == nil || !h.read(w, r, &asked) {
		return
	}
	objects := []map[string]any{}
	for _, o := range asked.Objects {
		one := map[string]any{"oid": o.OID, "size": o.Size}
		if _, there := h.objects[o.OID]; !there && asked.Operation == "upload" && asked.Algo == "sha256" {
			one["actions"] = map[string]any{"upload": h.upload(o.OID, o.Size), "verify": map[string]any{"href": h.URL + "/verify/" + o.OID}}
		}
		objects = append(objects, one)
	}
	answer(w, map[string]any{"transfer": "basic", "objects": objects})
}

// upload is the action by which an object is sent.
func (h *Hub) upload(oid string, size int) map[string]any {
	if h.ChunkFrom == 0 || size < h.ChunkFrom {
		return map[string]any{"href": h.store.URL + "/store/" + oid + "?Signature=signed"}
	}
	header := map[string]string{"chunk_size": strconv.Itoa(h.ChunkFrom)}
	for n := 0; n*h.ChunkFrom < size; n++ {
		header[fmt.Sprintf("%05d", n+1)] = fmt.Sprintf("%s/store/%s/%d?Signature=signed", h.store.URL, oid, n+1)
	}
	return map[string]any{"href": h.URL + "/complete/" + oid + "?size=" + strconv.Itoa(size), "header": header}
}

func (h *Hub) put(w http.ResponseWriter, r *http.Request) {
	content, err := io.ReadAll(r.Body)
	if err != nil || r.URL.Query().Get("Signature") != "signed" || r.ContentLength != int64(len(content)) {
		refuse(w, http.StatusForbidden, "", "SignatureDoesNotMatch")
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	oid, part := r.PathValue("oid"), r.PathValue("part")
	if part == "" {
		if sha256hex.Of(content) != oid {
			refuse(w, http.StatusBadRequest, "", "XAmzContentSHA256Mismatch")
			return
		}
		h.objects[oid] = content
	} else {
		h.parts[oid+"/"+part] = content
	}
	w.Header().Set("ETag", `"`+gitID(content)+`"`)
}

func (h *Hub) complete(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		OID   string
		Parts []struct {
			Number int `json:"partNumber"`
			ETag   string
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.read(w, r, &asked) {
		return
	}
	var whole []byte
	for i, p := range asked.Parts {
		content := h.parts[asked.OID+"/"+strconv.Itoa(p.Number)]
		if p.Number != i+1 || p.ETag != `"`+gitID(content)+`"` {
			refuse(w, http.StatusBadRequest, "", "InvalidPart")
			return
		}
		whole = append(whole, content...)
	}
	if sha256hex.Of(whole) != r.PathValue("oid") {
		refuse(w, http.StatusBadRequest, "", "the digest is another")
		return
	}
	h.objects[asked.OID] = whole
	answer(w, map[string]any{})
}

func (h *Hub) verify(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		OID  string
		Size int
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.read(w, r, &asked) {
		return
	}
	if content, there := h.objects[asked.OID]; !there || len(content) != asked.Size {
		refuse(w, http.StatusNotFound, "", "the object is not there")
		return
	}
	answer(w, map[string]any{})
}

// commit makes a commit of lines of JSON, whole or not at all.
func (h *Hub) commit(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	of := h.repo(w, r)
	if of == nil {
		return
	}
	next, summary := maps.Clone(of.files), ""
	lines := bufio.NewReader(r.Body)
	for first := true; ; first = false {
		text, err := lines.ReadBytes('\n')
		if err == io.EOF && len(text) == 0 && !first {
			break
		}
		var line struct {
			Key   string
			Value struct {
				Summary, ParentCommit, Path, Encoding, Algo, OID string
				Content                                          []byte
				Size                                             int
			}
		}
		if err != nil || json.Unmarshal(text, &line) != nil || first != (line.Key == "header") {
			refuse(w, http.StatusBadRequest, "", "the commit is not whole")
			return
		}
		v := line.Value
		switch line.Key {
		case "header":
			if summary = v.Summary; v.ParentCommit != "" && v.ParentCommit != of.head {
				refuse(w, http.StatusPreconditionFailed, "", "A commit has happened since. Please refresh and try again.")
				return
			}
		case "file":
			next[v.Path] = file{content: v.Content}
		case "lfsFile":
			content, there := h.objects[v.OID]
			if !there || len(content) != v.Size || v.Algo != "sha256" {
				refuse(w, http.StatusBadRequest, "", "LFS pointer pointed to a file that does not exist")
				return
			}
			next[v.Path] = file{content: content, large: true}
		}
	}
	of.files = next
	h.move(of, summary)
	answer(w, map[string]string{"commitOid": of.head, "commitUrl": h.URL + "/commit/" + of.head})
}

func (h *Hub) read(w http.ResponseWriter, r *http.Request, into any) bool {
	if err := json.NewDecoder(r.Body).Decode(into); err != nil {
		refuse(w, http.StatusBadRequest, "", "that is no JSON")
		return false
	}
	return true
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}
