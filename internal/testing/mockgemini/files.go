package mockgemini

import (
	"fmt"
	"io"
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
func (s *Server) Files() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var names []string
	for name := range s.files {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Data returns the bytes of a file.
func (s *Server) Data(name string) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f := s.files[name]; f != nil {
		return f.data
	}
	return nil
}

// Expire makes all files expire.
func (s *Server) Expire() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.files)
}

// receive takes the requests of an upload, by the steps that
// ai.google.dev/gemini-api/docs/files shows for REST and go-genai
// (api_client.go, files.go) sends.
func (s *Server) receive(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client has gone
	}
	id := r.URL.Query().Get("upload_id")
	command := r.Header.Get("X-Goog-Upload-Command")
	switch {
	case r.Method != http.MethodPost:
		s.refuse(w, invalid("The test server takes uploads by POST."))
	case id == "" && command == "start":
		s.begin(w, r)
	case id == "":
		s.refuse(w, invalid("No upload has begun."))
	default:
		s.proceed(w, r, id, command, body)
	}
}

func (s *Server) begin(w http.ResponseWriter, r *http.Request) {
	length, err := strconv.Atoi(r.Header.Get("X-Goog-Upload-Header-Content-Length"))
	mime := r.Header.Get("X-Goog-Upload-Header-Content-Type")
	if p := checkMIME(mime); p != nil {
		s.refuse(w, p)
		return
	}
	if err != nil || length <= 0 || r.Header.Get("X-Goog-Upload-Protocol") != "resumable" {
		s.refuse(w, invalid("The headers do not begin a resumable upload."))
		return
	}
	s.mu.Lock()
	s.number++
	id := fmt.Sprintf("up%d", s.number)
	s.uploads[id] = &upload{mime: mime, length: length}
	s.mu.Unlock()
	// The address is that of Google's own host, which clients with another base
	// URL must not follow (go-genai: api_client.go, upload).
	w.Header().Set("X-Goog-Upload-Url", "https://upload.invalid/upload/v1beta/files?upload_id="+id+"&upload_protocol=resumable")
	w.Header().Set("X-Goog-Upload-Status", "active")
	w.Header().Set("X-Goog-Upload-Chunk-Granularity", strconv.Itoa(granularity))
}

func (s *Server) proceed(w http.ResponseWriter, r *http.Request, id, command string, body []byte) {
	s.mu.Lock()
	u := s.uploads[id]
	if u == nil {
		s.mu.Unlock()
		s.refuse(w, invalid("There is no upload %s.", id))
		return
	}
	if command == "query" {
		w.Header().Set("X-Goog-Upload-Status", "active")
		w.Header().Set("X-Goog-Upload-Size-Received", strconv.Itoa(len(u.data)))
		s.mu.Unlock()
		return
	}
	last := command == "upload, finalize"
	problem := u.add(r.Header.Get("X-Goog-Upload-Offset"), body, last || command == "upload", last)
	var f *storedFile
	if problem == nil && last {
		f = s.store(u)
		delete(s.uploads, id)
	}
	s.mu.Unlock()
	switch {
	case problem != nil:
		s.refuse(w, problem)
	case f == nil:
		w.Header().Set("X-Goog-Upload-Status", "active")
	default:
		w.Header().Set("X-Goog-Upload-Status", "final")
		send(w, Reply{Body: map[string]any{"file": s.description(f)}})
	}
}

// add appends a piece.
func (u *upload) add(offset string, piece []byte, known, last bool) *problem {
	switch {
	case !known:
		return invalid("The upload's command is unknown.")
	case offset != strconv.Itoa(len(u.data)):
		return invalid("The offset is %s, not %d.", offset, len(u.data))
	case !last && len(piece)%granularity != 0:
		return invalid("A piece of %d bytes is no multiple of %d.", len(piece), granularity)
	case last && len(u.data)+len(piece) != u.length:
		return invalid("The upload has %d bytes, not %d.", len(u.data)+len(piece), u.length)
	}
	u.data = append(u.data, piece...)
	return nil
}

func (s *Server) store(u *upload) *storedFile {
	s.number++
	f := &storedFile{name: fmt.Sprintf("files/f%d", s.number), mime: u.mime, data: u.data, expires: time.Now().Add(s.cfg.Lifetime)}
	s.files[f.name] = f
	return f
}

func (s *Server) state(f *storedFile) string {
	switch {
	case f.looks < s.cfg.Processed:
		return "PROCESSING"
	case s.cfg.Fails != "":
		return "FAILED"
	}
	return "ACTIVE"
}

func (s *Server) description(f *storedFile) map[string]any {
	d := map[string]any{
		"name": f.name, "uri": s.URL() + "/v1beta/" + f.name, "mimeType": f.mime, "sizeBytes": strconv.Itoa(len(f.data)),
		"state": s.state(f), "expirationTime": f.expires.UTC().Format(time.RFC3339Nano),
	}
	if d["state"] == "FAILED" {
		d["error"] = map[string]any{"code": 9, "message": s.cfg.Fails}
	}
	return d
}

// gone is the answer about files that expired or never were (googleapis/python-genai,
// issue 1218).
func gone(name string) *problem {
	p := Failure(403, "PERMISSION_DENIED", fmt.Sprintf("You do not have permission to access the File %s or it may not exist.", strings.TrimPrefix(name, "files/")))
	return &p
}

// file answers what is asked of one file.
func (s *Server) file(w http.ResponseWriter, r *http.Request, name string) {
	s.mu.Lock()
	f := s.files[name]
	var body any = map[string]any{}
	switch {
	case f == nil:
	case r.Method == http.MethodDelete:
		delete(s.files, name)
	default:
		f.looks++
		body = s.description(f)
	}
	s.mu.Unlock()
	if f == nil {
		s.refuse(w, gone(name))
		return
	}
	send(w, Reply{Body: body})
}

// checkFile wants a file of this server that is ACTIVE and of the type that the
// request says.
func (s *Server) checkFile(d *FileData) *problem {
	name, ours := strings.CutPrefix(d.FileURI, s.URL()+"/v1beta/")
	if !ours {
		if s.cfg.External {
			return nil
		}
		return invalid("Unsupported file uri: %s", d.FileURI)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.files[name]
	switch {
	case f == nil || time.Now().After(f.expires):
		return gone(name)
	case s.state(f) != "ACTIVE":
		// A file can be used once it is ACTIVE (ai.google.dev/api/files, State); the
		// words are ours.
		p := Failure(400, "FAILED_PRECONDITION", fmt.Sprintf("The File %s is not in an ACTIVE state and usage is not allowed.", strings.TrimPrefix(name, "files/")))
		return &p
	case f.mime != d.MIMEType:
		return invalid("The file is %s, not %s.", f.mime, d.MIMEType)
	}
	return nil
}
