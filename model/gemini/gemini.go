// Package gemini talks to Google's Gemini API (generateContent of v1beta, and
// its Files API for media that are too large for a request) over plain HTTP:
// Google's SDK would make the program larger by two thirds, see docs/design/gemini.md.
//
// It sends one request per call and tries nothing again, apart from a request
// that names an uploaded file which is gone: that file is uploaded again, once.
// Retries, limits and budgets are in model/wrap.
package gemini

import (
	"context"
	"net/http"
	"slices"
	"time"

	"omniscope/model"
	"omniscope/model/exchange"
)

type server = exchange.Endpoint

// A Model is an endpoint. It serves any number of models, named by the request.
type Model struct {
	*server // its base URL ends in the version, such as /v1beta
	files   files

	// Sizes and waits. Tests make them small.
	inlineLimit int           // bytes of a request with its media
	chunk       int           // bytes of one request of an upload
	firstPoll   time.Duration // before a file is looked at for the first time
	fileWait    time.Duration // longest wait for a file to be processed
}

const (
	// inlineLimit is the largest request with media inside, as Google documents
	// it (ai.google.dev/gemini-api/docs/file-input-methods names larger ones for
	// some kinds of files; 20 MB holds for all).
	inlineLimit = 20_000_000

	// chunkSize is a multiple of 256 KiB, as the resumable protocol wants it, and
	// what Google's SDK sends at a time (go-genai: api_client.go, maxChunkSize).
	chunkSize = 8 << 20

	firstPoll = time.Second
	fileWait  = 10 * time.Minute
)

var (
	_ model.Model  = (*Model)(nil)
	_ model.Prober = (*Model)(nil)
)

// New returns a Model for an endpoint. It makes no request.
func New(o exchange.Options) (*Model, error) {
	at, err := base.Parse(o.BaseURL)
	if err != nil {
		return nil, err
	}
	e, err := exchange.Open(at, o, func(key string) http.Header {
		header := make(http.Header)
		if key != "" {
			header.Set("X-Goog-Api-Key", key)
		}
		return header
	})
	if err != nil {
		return nil, err
	}
	e.Refused = refusedWith(e.Secrets)
	return &Model{server: e, inlineLimit: inlineLimit, chunk: chunkSize, firstPoll: firstPoll, fileWait: fileWait}, nil
}

// Generate implements model.Model. Media that do not fit into the request are
// uploaded first, each content once for as long as Google keeps it. A file that
// is gone before that is uploaded again, once.
func (m *Model) Generate(ctx context.Context, req *model.Request) (*model.Response, error) {
	if req.Embed {
		return nil, model.NoEmbeddings(req)
	}
	renewed := make(map[*entry]bool)
	for {
		resp, used, err := m.attempt(ctx, req)
		gone := missing(err, used)
		gone = slices.DeleteFunc(gone, func(u use) bool { return renewed[u.entry] })
		if len(gone) == 0 {
			return resp, err
		}
		for _, u := range gone {
			renewed[u.entry] = true
		}
		m.files.forget(ctx, gone)
	}
}

// attempt uploads what has to be uploaded and asks once. It returns the files
// that the request names.
func (m *Model) attempt(ctx context.Context, req *model.Request) (*model.Response, []use, error) {
	if err := checkRequest(req); err != nil {
		return nil, nil, err
	}
	uploaded, used, err := m.uploadLargest(ctx, req)
	if err != nil {
		return nil, used, err
	}
	body, err := encodeRequest(req, uploaded)
	if err != nil {
		return nil, used, err
	}
	resp, err := m.ask(ctx, req.Model, body)
	return resp, used, err
}

// ask sends one generateContent request. Its error says whether the try may
// have to be paid for.
func (m *Model) ask(ctx context.Context, name string, body []byte) (*model.Response, error) {
	answer, err := m.server.Do(ctx, exchange.Request{Method: http.MethodPost, URL: m.address(modelPath(name) + ":generateContent"), Body: body, Timeout: m.Timeout})
	var resp *model.Response
	if err == nil {
		resp, err = m.decode(answer.Body)
	}
	switch {
	case err == nil:
		return resp, nil
	case model.LostIn(err).Tries > 0:
		return nil, err // the answer said how many tokens
	}
	return nil, model.MarkLost(m.namingModel(name, err), answer.Sent, answer.Accepted)
}

// Probe implements model.Prober: it asks what the endpoint says about the model, or
// for its list of models, neither of which costs anything.
func (m *Model) Probe(ctx context.Context) error {
	path := "models"
	if m.Name != "" {
		path = modelPath(m.Name)
	}
	_, err := m.Look(ctx, m.address(path))
	return m.namingModel(m.Name, err)
}
