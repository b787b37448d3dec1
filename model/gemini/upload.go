package gemini

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"omniscope"
	"omniscope/model"
	"omniscope/model/exchange"
)

// A file is one of the Files API (ai.google.dev/api/files). The zero value is
// none.
type file struct {
	Name           string    `json:"name"` // such as files/abc
	URI            string    `json:"uri"`
	State          string    `json:"state"` // PROCESSING, ACTIVE or FAILED
	ExpirationTime time.Time `json:"expirationTime"`
	Error          struct {
		Message string `json:"message"`
	} `json:"error"`
}

const (
	lifetime    = 48 * time.Hour   // of a file, where the server does not say
	margin      = 10 * time.Minute // a file that lasts no longer is uploaded again
	mostResumes = 3                // of one upload
	longestPoll = 10 * time.Second
)

// lasts reports whether there is a file, for long enough to be asked about.
func (f *file) lasts(now time.Time) bool {
	return f.Name != "" && now.Add(margin).Before(f.ExpirationTime)
}

// upload sends the data of a part by Google's resumable protocol, as
// ai.google.dev/gemini-api/docs/files shows it: a request that announces the
// file, then its bytes in pieces. A piece that is lost on the way is sent again.
func (m *Model) upload(ctx context.Context, p model.Part) (file, error) {
	to, err := m.startUpload(ctx, p)
	if err != nil {
		return file{}, err
	}
	for sent, resumes := 0, 0; ; {
		end := min(sent+m.chunk, len(p.Data))
		a, err := m.sendPiece(ctx, to, p.Data[sent:end], sent, end == len(p.Data))
		switch {
		case err == nil && end == len(p.Data):
			return m.readUploaded(a.Body)
		case err == nil:
			sent = end
			continue
		case resumes == mostResumes || omniscope.KindOf(err) != omniscope.Transient || model.RateLimited(err):
			return file{}, err
		}
		resumes++
		arrived, unknown := m.arrived(ctx, to)
		if unknown != nil || arrived > len(p.Data) {
			return file{}, err
		}
		sent = arrived
	}
}

// startUpload announces a file and returns where to send it.
func (m *Model) startUpload(ctx context.Context, p model.Part) (to string, err error) {
	body, err := json.Marshal(map[string]any{"file": map[string]string{"mimeType": mimeType(p.MIME)}})
	if err != nil {
		return "", err
	}
	a, err := m.server.Do(ctx, exchange.Request{Method: http.MethodPost, URL: m.uploadAddress(), Body: body, Timeout: m.Timeout, Header: http.Header{
		"X-Goog-Upload-Protocol":              {"resumable"},
		"X-Goog-Upload-Command":               {"start"},
		"X-Goog-Upload-Header-Content-Length": {strconv.Itoa(len(p.Data))},
		"X-Goog-Upload-Header-Content-Type":   {mimeType(p.MIME)},
	}})
	if err != nil {
		return "", err
	}
	return m.here(a.Header.Get("X-Goog-Upload-Url"))
}

// sendPiece sends the bytes from an offset on; the last ones end the upload.
func (m *Model) sendPiece(ctx context.Context, to string, piece []byte, offset int, last bool) (exchange.Answer, error) {
	command, want := "upload", "active"
	if last {
		command, want = "upload, finalize", "final"
	}
	a, err := m.server.Do(ctx, exchange.Request{Method: http.MethodPost, URL: to, Body: piece, Timeout: m.Timeout, Header: http.Header{
		"Content-Type":          {"application/octet-stream"},
		"X-Goog-Upload-Command": {command},
		"X-Goog-Upload-Offset":  {strconv.Itoa(offset)},
	}})
	if err == nil && a.Header.Get("X-Goog-Upload-Status") != want {
		err = exchange.Trouble(fmt.Errorf("the server says %q of the upload, not %q", m.Secrets.Line(a.Header.Get("X-Goog-Upload-Status")), want))
	}
	return a, err
}

// arrived asks how many bytes of an upload the server has.
func (m *Model) arrived(ctx context.Context, to string) (int, error) {
	a, err := m.server.Do(ctx, exchange.Request{Method: http.MethodPost, URL: to, Body: []byte{}, Timeout: m.Timeout, Header: http.Header{"X-Goog-Upload-Command": {"query"}}})
	if err != nil {
		return 0, err
	}
	n, err := strconv.Atoi(a.Header.Get("X-Goog-Upload-Size-Received"))
	if err != nil || n < 0 || a.Header.Get("X-Goog-Upload-Status") != "active" {
		return 0, exchange.Trouble(errors.New("the server does not say how much of the upload it has"))
	}
	return n, nil
}

// readUploaded reads the answer to the last piece.
func (m *Model) readUploaded(body []byte) (file, error) {
	var a struct {
		File file `json:"file"`
	}
	if err := json.Unmarshal(body, &a); err != nil {
		return file{}, exchange.Trouble(fmt.Errorf("the answer to the upload is not the JSON of the protocol (%w): %s", err, m.Beginning(body)))
	}
	return m.checked(a.File, body)
}

// checked completes a file that the server described.
func (m *Model) checked(f file, body []byte) (file, error) {
	if !strings.HasPrefix(f.Name, "files/") || strings.ContainsAny(f.Name, "?#%") || f.URI == "" {
		return file{}, exchange.Trouble(errors.New("the server does not say what the file is called: " + m.Beginning(body)))
	}
	if f.ExpirationTime.IsZero() {
		f.ExpirationTime = time.Now().Add(lifetime)
	}
	return f, nil
}

// A failedFile is a file that the server could not process.
type failedFile struct{ error }

// waitActive looks at a file until it has been processed: videos take a while.
func (m *Model) waitActive(ctx context.Context, f file) (file, error) {
	over := time.Now().Add(m.fileWait)
	for pause := m.firstPoll; ; pause = min(pause*3/2, longestPoll) {
		switch f.State {
		case "ACTIVE":
			return f, nil
		case "FAILED":
			m.deleteFile(ctx, f.Name)
			return f, failed(m.Secrets.Line(f.Name), m.Secrets.Line(f.Error.Message))
		}
		if time.Now().After(over) {
			return f, exchange.Trouble(fmt.Errorf("%s is still being processed after %s", m.Secrets.Line(f.Name), m.fileWait))
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return f, ctx.Err()
		}
		var err error
		if f, err = m.getFile(ctx, f.Name); err != nil {
			return f, err
		}
	}
}

func failed(name, words string) error {
	if words == "" {
		words = "it does not say why"
	}
	return failedFile{omniscope.Invalidf("Gemini could not process the file %s (%s): convert it to a common format, such as MP4 with H.264 or WAV", name, words)}
}

func (e failedFile) Unwrap() error { return e.error }

// getFile asks for a file's state.
func (m *Model) getFile(ctx context.Context, name string) (file, error) {
	a, err := m.server.Do(ctx, exchange.Request{Method: http.MethodGet, URL: m.address(name), Timeout: m.Timeout})
	if err != nil {
		return file{}, err
	}
	var f file
	if err := json.Unmarshal(a.Body, &f); err != nil {
		return file{}, exchange.Trouble(fmt.Errorf("the description of a file is not the JSON of the protocol (%w): %s", err, m.Beginning(a.Body)))
	}
	return m.checked(f, a.Body)
}

// deleteFile removes a file of no use, which counts towards the 20 GB of a
// project. Google removes it by itself where this fails.
func (m *Model) deleteFile(ctx context.Context, name string) {
	_, _ = m.server.Do(ctx, exchange.Request{Method: http.MethodDelete, URL: m.address(name), Timeout: m.Timeout})
}
