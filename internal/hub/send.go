package hub

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"net/http"
	"net/url"
	"sync/atomic"

	"omniscope"
)

// mostAnswer bounds what is read of an answer.
const mostAnswer = 16 << 20

// send makes one request with a body, and reads the JSON of its answer if answer is not
// nil. size -1 = the body's length is not known before. The token goes to the
// endpoint's server only.
func (t *task) send(ctx context.Context, method string, at *url.URL, form string, body io.Reader, size int64, answer any, fine ...int) error {
	resp, stop, err := t.sendFor(ctx, method, at, form, body, size)
	if err != nil {
		return err
	}
	defer stop()
	for _, status := range fine {
		if resp.StatusCode == status {
			return nil
		}
	}
	if resp.StatusCode >= 300 {
		return t.pushRefusal(resp)
	}
	if answer == nil {
		return nil
	}
	text, err := io.ReadAll(io.LimitReader(resp.Body, mostAnswer))
	if err != nil {
		return t.noAnswer(ctx, at.Host, err)
	}
	if err := json.Unmarshal(text, answer); err != nil {
		return t.unlikeHub("does not answer as the hub does")
	}
	return nil
}

// sendFor makes one request. The caller calls stop when it has read the answer.
func (t *task) sendFor(ctx context.Context, method string, at *url.URL, form string, body io.Reader, size int64) (resp *http.Response, stop func(), err error) {
	ctx, heard, end := t.watch(ctx)
	sent := &listened{from: body, heard: heard}
	req, err := http.NewRequestWithContext(ctx, method, at.String(), sent)
	if err != nil {
		end()
		return nil, nil, t.noAnswer(ctx, at.Host, err)
	}
	req.ContentLength = size
	if size == 0 {
		req.Body = http.NoBody
	}
	req.Header.Set("User-Agent", "omniscope")
	if form != "" {
		req.Header.Set("Content-Type", form)
		req.Header.Set("Accept", form)
	}
	if t.isHome(at) {
		t.authorize(req)
	}
	transport := t.Transport
	if transport == nil {
		transport = http.DefaultTransport
	}
	resp, err = transport.RoundTrip(req)
	if f := sent.failed.Load(); f != nil {
		err = f // of a file: the server only saw the body end
	} else if err != nil {
		err = t.noAnswer(ctx, at.Host, err)
	}
	if err != nil {
		if resp != nil {
			resp.Body.Close()
		}
		end()
		return nil, nil, err
	}
	return resp, func() { _ = resp.Body.Close(); end() }, nil
}

// pushRefusal is what an answer outside 2xx says to a push.
func (t *task) pushRefusal(resp *http.Response) error {
	switch resp.StatusCode {
	case http.StatusPreconditionFailed:
		return &failure{kind: omniscope.Invalid, what: "somebody has made another commit meanwhile (412)", mend: "run the same command again: it looks at what is there now"}
	case http.StatusConflict:
		return &failure{kind: omniscope.Transient, again: true, what: resp.Request.URL.Host + " answers 409 conflict: another push is being made", mend: "run the same command again later"}
	case http.StatusTemporaryRedirect, http.StatusPermanentRedirect, http.StatusMovedPermanently, http.StatusFound:
		return &failure{kind: omniscope.Invalid, what: fmt.Sprintf("%s answers %d: the repository has another name now, or the mirror takes no files", resp.Request.URL.Host, resp.StatusCode),
			mend: "look at " + bare(t.at("")) + " for its name, or set HF_ENDPOINT to the hub"}
	}
	err := t.refusal(resp)
	if f, ok := err.(*failure); ok && f.kind == omniscope.Internal {
		f.kind = omniscope.Invalid
		if text, err := io.ReadAll(io.LimitReader(resp.Body, 2000)); err == nil {
			var said struct {
				Error string `json:"error"`
			}
			if json.Unmarshal(text, &said) == nil && said.Error != "" {
				f.what += ": " + said.Error
			}
		}
	}
	return err
}

// listened tells of each read: the server takes what it is sent. It keeps what is wrong
// with a file.
type listened struct {
	from   io.Reader
	heard  func()
	failed atomic.Pointer[failure]
}

func (l *listened) Read(p []byte) (int, error) {
	l.heard()
	n, err := l.from.Read(p)
	if f, ok := errors.AsType[*failure](err); ok {
		l.failed.Store(f)
	}
	return n, err
}

// A checkedReader reads a file that must have a digest. One that has another fails
// before its last bytes are given out, so that no server takes it for whole.
type checkedReader struct {
	*task
	file Addition
	from io.Reader
	left int64 // bytes
	sum  hash.Hash
}

func (t *task) checked(f Addition, from io.Reader) *checkedReader {
	return &checkedReader{task: t, file: f, from: from, left: f.Size, sum: sha256.New()}
}

func (c *checkedReader) Read(p []byte) (int, error) {
	if c.left == 0 {
		return 0, io.EOF
	}
	n, err := c.from.Read(p[:min(int64(len(p)), c.left)])
	c.sum.Write(p[:n])
	c.left -= int64(n)
	switch {
	case err != nil && err != io.EOF:
		return 0, c.unreadable(err)
	case err == io.EOF && c.left > 0, c.left == 0 && hex.EncodeToString(c.sum.Sum(nil)) != c.file.SHA256:
		return 0, &failure{kind: omniscope.Invalid, what: c.file.Path + " was changed while it was being pushed", mend: "run the same command again"}
	}
	return n, nil
}

// commitBody is the commit as lines of JSON: a header, and a line for each file. Small
// files stand in it as base64, large ones by their digests. The caller calls stop.
func (t *task) commitBody(p Push, large map[string]bool) (body io.Reader, stop func()) {
	r, w := io.Pipe()
	go func() { w.CloseWithError(t.writeCommit(w, p, large)) }()
	return r, func() { _ = r.Close() }
}

func (t *task) writeCommit(w io.Writer, p Push, large map[string]bool) error {
	type line struct {
		Key   string `json:"key"`
		Value any    `json:"value"`
	}
	lines := json.NewEncoder(w)
	header := map[string]string{"summary": p.Summary, "description": ""}
	if p.Parent != "" {
		header["parentCommit"] = p.Parent
	}
	if err := lines.Encode(line{"header", header}); err != nil {
		return err
	}
	for _, f := range p.Files {
		if large[f.Path] {
			err := lines.Encode(line{"lfsFile", map[string]any{"path": f.Path, "algo": "sha256", "oid": f.SHA256, "size": f.Size}})
			if err != nil {
				return err
			}
			continue
		}
		if err := t.writeSmall(w, f); err != nil {
			return err
		}
	}
	return nil
}

// writeSmall writes the line of a small file without having all of it in memory.
func (t *task) writeSmall(w io.Writer, f Addition) error {
	path, err := json.Marshal(f.Path)
	if err != nil {
		return err
	}
	from, err := f.Open()
	if err != nil {
		return t.unreadable(err)
	}
	defer from.Close()
	if _, err := io.WriteString(w, `{"key":"file","value":{"encoding":"base64","path":`+string(path)+`,"content":"`); err != nil {
		return err
	}
	packed := base64.NewEncoder(base64.StdEncoding, w)
	if _, err := io.Copy(packed, t.checked(f, from)); err != nil {
		return err
	}
	if err := packed.Close(); err != nil {
		return err
	}
	_, err = io.WriteString(w, "\"}}\n")
	return err
}
