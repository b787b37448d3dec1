package fake

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// granularity is what pieces of an upload but the last are multiples of: 256 KiB
// (the resumable protocol of googleapis/google-resumable-media-python: common.py,
// UPLOAD_CHUNK_SIZE).
const granularity = 256 << 10

// An upload is one that has begun.
type upload struct {
	mime   string
	length int
	data   []byte
}

// A storedFile is one of the Files API (ai.google.dev/api/files).
type storedFile struct {
	name    string
	mime    string
	data    []byte
	looks   int // how often its state was asked for
	expires time.Time
}

// Files are the names of the files there are, in order.
func (g *Gemini) Files() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	var names []string
	for name := range g.files {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Data returns the bytes of a file.
func (g *Gemini) Data(name string) []byte {
	g.mu.Lock()
	defer g.mu.Unlock()
	if f := g.files[name]; f != nil {
		return f.data
	}
	return nil
}

// Expire makes all files expire.
func (g *Gemini) Expire() {
	g.mu.Lock()
	defer g.mu.Unlock()
	clear(g.files)
}

// receive takes the requests of an upload, by the steps that
// ai.google.dev/gemini-api/docs/files shows for REST and go-genai
// (api_client.go, files.go) sends.
func (g *Gemini) receive(r *Request) Reply {
	id := r.HTTP.URL.Query().Get("upload_id")
	command := r.HTTP.Header.Get("X-Goog-Upload-Command")
	if r.HTTP.Method != http.MethodPost {
		invalid("The test server takes uploads by POST.")
	}
	if id == "" && command != "start" {
		invalid("No upload has begun.")
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if id == "" {
		return g.begin(r.HTTP.Header)
	}
	return g.proceed(r, id, command)
}

func (g *Gemini) begin(h http.Header) Reply {
	length, err := strconv.Atoi(h.Get("X-Goog-Upload-Header-Content-Length"))
	mime := h.Get("X-Goog-Upload-Header-Content-Type")
	checkMIME(mime)
	if err != nil || length <= 0 || h.Get("X-Goog-Upload-Protocol") != "resumable" {
		invalid("The headers do not begin a resumable upload.")
	}
	g.number++
	id := fmt.Sprintf("up%d", g.number)
	g.uploads[id] = &upload{mime: mime, length: length}
	// The address is that of Google's own host, which clients with another base
	// URL must not follow (go-genai: api_client.go, upload).
	return Reply{Body: "", Header: http.Header{
		"X-Goog-Upload-Url":               {"https://upload.invalid/upload/v1beta/files?upload_id=" + id + "&upload_protocol=resumable"},
		"X-Goog-Upload-Status":            {"active"},
		"X-Goog-Upload-Chunk-Granularity": {strconv.Itoa(granularity)},
	}}
}

// proceed takes a piece of an upload, or reports how much of it there is.
func (g *Gemini) proceed(r *Request, id, command string) Reply {
	u := g.uploads[id]
	if u == nil {
		invalid("There is no upload %s.", id)
	}
	active := Reply{Body: "", Header: http.Header{"X-Goog-Upload-Status": {"active"}}}
	last := command == "upload, finalize"
	offset := r.HTTP.Header.Get("X-Goog-Upload-Offset")
	switch {
	case command == "query":
		active.Header["X-Goog-Upload-Size-Received"] = []string{strconv.Itoa(len(u.data))}
		return active
	case !last && command != "upload":
		invalid("The upload's command is unknown.")
	case offset != strconv.Itoa(len(u.data)):
		invalid("The offset is %s, not %d.", offset, len(u.data))
	case !last && len(r.Body)%granularity != 0:
		invalid("A piece of %d bytes is not a multiple of %d.", len(r.Body), granularity)
	case last && len(u.data)+len(r.Body) != u.length:
		invalid("The upload has %d bytes, not %d.", len(u.data)+len(r.Body), u.length)
	}
	u.data = append(u.data, r.Body...)
	if !last {
		return active
	}
	delete(g.uploads, id)
	return Reply{Header: http.Header{"X-Goog-Upload-Status": {"final"}}, Body: map[string]any{"file": g.description(g.store(u))}}
}

func (g *Gemini) store(u *upload) *storedFile {
	g.number++
	f := &storedFile{name: fmt.Sprintf("files/f%d", g.number), mime: u.mime, data: u.data, expires: time.Now().Add(g.Lifetime)}
	g.files[f.name] = f
	return f
}

func (g *Gemini) state(f *storedFile) string {
	switch {
	case f.looks < g.Processed:
		return "PROCESSING"
	case g.Fails != "":
		return "FAILED"
	}
	return "ACTIVE"
}

func (g *Gemini) description(f *storedFile) map[string]any {
	d := map[string]any{
		"name": f.name, "uri": g.URL() + "/v1beta/" + f.name, "mimeType": f.mime, "sizeBytes": strconv.Itoa(len(f.data)),
		"state": g.state(f), "expirationTime": f.expires.UTC().Format(time.RFC3339Nano),
	}
	if d["state"] == "FAILED" {
		d["error"] = map[string]any{"code": 9, "message": g.Fails}
	}
	return d
}

// gone refuses files that expired or never were (googleapis/python-genai,
// issue 1218).
func gone(name string) {
	refuse(GeminiFailure(403, "PERMISSION_DENIED", fmt.Sprintf("You do not have permission to access the File %s or it may not exist.", strings.TrimPrefix(name, "files/"))))
}

// file answers requests about one file.
func (g *Gemini) file(r *Request) Reply {
	name := "files/" + r.HTTP.PathValue("name")
	g.mu.Lock()
	defer g.mu.Unlock()
	f := g.files[name]
	switch {
	case f == nil:
		gone(name)
	case r.HTTP.Method == http.MethodDelete:
		delete(g.files, name)
		return Reply{Body: map[string]any{}}
	}
	f.looks++
	return Reply{Body: g.description(f)}
}

// checkFile takes a file of this server that is ACTIVE and of the type that the
// request names.
func (g *Gemini) checkFile(d *GeminiFile) {
	name, ours := strings.CutPrefix(d.FileURI, g.URL()+"/v1beta/")
	if !ours {
		if !g.External {
			invalid("Unsupported file uri: %s", d.FileURI)
		}
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	f := g.files[name]
	switch {
	case f == nil || time.Now().After(f.expires):
		gone(name)
	case g.state(f) != "ACTIVE":
		// A file can be used once it is ACTIVE (ai.google.dev/api/files, State); the
		// words are ours.
		refuse(GeminiFailure(400, "FAILED_PRECONDITION", fmt.Sprintf("The File %s is not in an ACTIVE state and usage is not allowed.", strings.TrimPrefix(name, "files/"))))
	case f.mime != d.MIMEType:
		invalid("The file is %s, not %s.", f.mime, d.MIMEType)
	}
}
