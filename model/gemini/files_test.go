package gemini

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
	"omniscope/model"
)

// withSmallRequests makes everything over a few kilobytes too large.
func withSmallRequests(t *testing.T, g *fake.Gemini) (*Model, *fake.Gemini) {
	t.Helper()
	g.Key, g.MostBytes = key, 4000
	m, s := against(t, g)
	m.inlineLimit = g.MostBytes
	return m, s
}

func video(n int, seed byte) model.Part {
	data := make([]byte, n)
	for i := range data {
		data[i] = byte(i*7) ^ seed
	}
	return model.Part{Kind: model.VideoPart, MIME: "video/mp4", Data: data, Digest: "sha256:clip"}
}

// uploading picks the requests with an upload command.
func uploading(command string) fake.When {
	return func(r *fake.Request) bool {
		return strings.HasPrefix(r.HTTP.Header.Get("X-Goog-Upload-Command"), command)
	}
}

// counting counts the requests of uploads that begin.
func counting(starts *atomic.Int32) []fake.Fault {
	start := uploading("start")
	return []fake.Fault{{When: func(r *fake.Request) bool {
		if start(r) {
			starts.Add(1)
		}
		return false
	}}}
}

// always answers all requests in the server's place.
func always(handle http.HandlerFunc) []fake.Fault {
	return []fake.Fault{{When: fake.Always(), Do: fake.Handle(handle)}}
}

func TestLargeVideoIsUploadedOnce(t *testing.T) {
	var starts atomic.Int32
	m, s := withSmallRequests(t, &fake.Gemini{Processed: 3})
	s.Faults = counting(&starts)
	m.chunk = 256 << 10
	big, small := video(700<<10, 1), model.Part{Kind: model.ImagePart, MIME: "image/png", Data: []byte("png")}
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			if resp, err := m.Generate(t.Context(), question(big, small)); err != nil || resp.Text != "ok" {
				t.Errorf("got %v, %v", resp, err)
			}
		})
	}
	wait.Wait()
	names := s.Files()
	if len(names) != 1 || starts.Load() != 1 || !bytes.Equal(s.Data(names[0]), big.Data) {
		t.Fatalf("there are the files %q after %d uploads", names, starts.Load())
	}
	for _, r := range s.Requests() {
		if p := r.Contents[0].Parts; p[1].FileData == nil || p[2].InlineData == nil || p[1].FileData.FileURI != s.URL()+"/v1beta/"+names[0] {
			t.Errorf("got the parts %+v", p)
		}
	}
	if _, err := m.Generate(t.Context(), question(video(9000, 2))); err != nil || starts.Load() != 2 {
		t.Errorf("another video: %d uploads, %v", starts.Load(), err)
	}
	if r := s.Refused(); len(r) != 0 {
		t.Errorf("the server refused: %q", r)
	}
}

func TestSmallVideoIsNotUploaded(t *testing.T) {
	m, s := withSmallRequests(t, &fake.Gemini{})
	if _, err := m.Generate(t.Context(), question(video(1000, 1))); err != nil || len(s.Files()) != 0 {
		t.Errorf("got %q, %v", s.Files(), err)
	}
}

func TestAddressIsNotUploaded(t *testing.T) {
	m, s := withSmallRequests(t, &fake.Gemini{External: true})
	linked := model.Part{Kind: model.VideoPart, MIME: "video/mp4", URL: "https://example.org/v.mp4"}
	if _, err := m.Generate(t.Context(), question(linked)); err != nil || len(s.Files()) != 0 {
		t.Errorf("got %q, %v", s.Files(), err)
	}
}

func TestUnknownFileOfTheUser(t *testing.T) {
	m, s := withSmallRequests(t, &fake.Gemini{})
	linked := model.Part{Kind: model.VideoPart, MIME: "video/mp4", URL: s.URL() + "/v1beta/files/lost"}
	_, err := m.Generate(t.Context(), question(linked))
	fixture.WantError(t, err, omniscope.Invalid, "lost", "may not exist")
}

func TestFileThatIsGoneIsUploadedAgain(t *testing.T) {
	var starts atomic.Int32
	m, s := withSmallRequests(t, &fake.Gemini{})
	s.Faults = counting(&starts)
	for i := range 3 {
		if _, err := m.Generate(t.Context(), question(video(9000, 1), video(8000, 2))); err != nil {
			t.Fatal(err)
		}
		if got := starts.Load(); got != int32(2+2*i) {
			t.Errorf("round %d: %d uploads", i, got)
		}
		s.Expire()
	}
}

// TestFileThatIsAlwaysGone wants an end: one further upload and no more.
func TestFileThatIsAlwaysGone(t *testing.T) {
	var starts atomic.Int32
	m, s := withSmallRequests(t, &fake.Gemini{})
	s.Faults = append(counting(&starts), fake.Fault{When: func(r *fake.Request) bool {
		if r.Route == "generate" {
			s.Expire()
		}
		return false
	}})
	_, err := m.Generate(t.Context(), question(video(9000, 1)))
	fixture.WantError(t, err, omniscope.Invalid, "may not exist")
	if starts.Load() != 2 {
		t.Errorf("%d uploads", starts.Load())
	}
}

func TestFileThatWillExpireIsUploadedAgain(t *testing.T) {
	var starts atomic.Int32
	m, s := withSmallRequests(t, &fake.Gemini{Lifetime: margin - time.Minute})
	s.Faults = counting(&starts)
	for range 2 {
		if _, err := m.Generate(t.Context(), question(video(9000, 1))); err != nil {
			t.Fatal(err)
		}
	}
	if starts.Load() != 2 {
		t.Errorf("%d uploads", starts.Load())
	}
}

func TestFileThatFails(t *testing.T) {
	m, s := withSmallRequests(t, &fake.Gemini{Processed: 2, Fails: "unknown codec"})
	_, err := m.Generate(t.Context(), question(video(9000, 1)))
	fixture.WantError(t, err, omniscope.Invalid, "upload video of 9000 bytes (video/mp4, sha256:clip)", "could not process the file files/", "unknown codec")
	if left := s.Files(); len(left) != 0 || len(s.Requests()) != 0 {
		t.Errorf("left the files %q after %d requests", left, len(s.Requests()))
	}
}

// TestFileThatIsLongProcessed wants the wait to be bounded, and the file to be
// used when it is ready, without another upload.
func TestFileThatIsLongProcessed(t *testing.T) {
	var starts atomic.Int32
	m, s := withSmallRequests(t, &fake.Gemini{Processed: 12})
	s.Faults = counting(&starts)
	m.fileWait = -time.Second // over at once
	_, err := m.Generate(t.Context(), question(video(9000, 1)))
	fixture.WantError(t, err, omniscope.Transient, "still being processed")
	if model.LostIn(err).Tries != 0 {
		t.Error("waiting counts as paid")
	}
	m.fileWait = time.Minute
	if _, err := m.Generate(t.Context(), question(video(9000, 1))); err != nil || starts.Load() != 1 || len(s.Files()) != 1 {
		t.Errorf("%d uploads, files %q, %v", starts.Load(), s.Files(), err)
	}
}

func TestWaitForFileEndsWithTheCall(t *testing.T) {
	m, _ := withSmallRequests(t, &fake.Gemini{Processed: 1 << 30})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := m.Generate(ctx, question(video(9000, 1))); ctx.Err() == nil || omniscope.KindOf(err) != omniscope.Internal {
		t.Errorf("got %v", err)
	}
}

// failing answers the nth request with an upload command in the server's place.
func failing(command string, nth int, do fake.Effect) []fake.Fault {
	picked := uploading(command)
	return []fake.Fault{{When: fake.First(nth-1, picked), Do: func(r *fake.Request, ordinary fake.Responder) fake.Reply { return ordinary(r) }},
		{When: fake.First(1, picked), Do: do}}
}

func TestUploadGoesOnAfterALostPiece(t *testing.T) {
	for name, do := range map[string]fake.Effect{"status 500": fake.ServerError(500), "connection that ends": fake.HangUp()} {
		m, s := withSmallRequests(t, &fake.Gemini{})
		s.Faults = failing("upload", 2, do)
		m.chunk = 256 << 10
		data := video(700<<10, 3)
		_, err := m.Generate(t.Context(), question(data))
		if names := s.Files(); err != nil || len(names) != 1 || !bytes.Equal(s.Data(names[0]), data.Data) {
			t.Errorf("%s: files %q, %v", name, names, err)
		}
	}
}

func TestUploadFailures(t *testing.T) {
	status := func(n int, text string) fake.Effect {
		return fake.Handle(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(n)
			io.WriteString(w, text)
		})
	}
	for name, c := range map[string]struct {
		command string
		do      fake.Effect
		kind    omniscope.Kind
		words   string
	}{
		"start is denied":          {"start", status(403, "no access to "+key), omniscope.Denied, "[secret]"},
		"start is too much":        {"start", status(429, "slow down"), omniscope.Transient, "slow down"},
		"start says no place":      {"start", status(200, ""), omniscope.Transient, "did not say where"},
		"piece is refused":         {"upload", status(400, "bad piece"), omniscope.Invalid, "bad piece"},
		"piece ends in a page":     {"upload", status(200, "<p>Sign in."), omniscope.Transient, "Sign in"},
		"piece ends in half JSON":  {"upload", final(`{"file": {"na`), omniscope.Transient, "not the JSON"},
		"piece ends without name":  {"upload", final(`{"file": {"uri": "x", "name": "../models/x"}}`), omniscope.Transient, "what the file is called"},
		"piece ends in what lacks": {"upload", final(`{}`), omniscope.Transient, "what the file is called"},
	} {
		t.Run(name, func(t *testing.T) {
			m, s := withSmallRequests(t, &fake.Gemini{})
			s.Faults = failing(c.command, 1, c.do)
			if strings.HasPrefix(name, "piece ends in a page") {
				s.Faults = []fake.Fault{{When: uploading("upload"), Do: c.do}}
			}
			_, err := m.Generate(t.Context(), question(video(9000, 1)))
			fixture.WantError(t, err, c.kind, c.words, "upload video of 9000 bytes")
			if model.LostIn(err).Tries != 0 || len(s.Requests()) != 0 || strings.Contains(err.Error(), key) {
				t.Errorf("got %d requests and %v", len(s.Requests()), err)
			}
		})
	}
}

// final ends an upload with a body.
func final(body string) fake.Effect {
	return fake.Answer(func(*fake.Request) fake.Reply {
		return fake.Reply{Body: body, Header: http.Header{"X-Goog-Upload-Status": {"final"}}}
	})
}

// TestPieceThatIsAlwaysLost wants an end.
func TestPieceThatIsAlwaysLost(t *testing.T) {
	var pieces atomic.Int32
	m, s := withSmallRequests(t, &fake.Gemini{})
	s.Faults = []fake.Fault{{When: uploading("upload"), Do: func(*fake.Request, fake.Responder) fake.Reply {
		pieces.Add(1)
		return fake.Reply{Status: 500, Body: ""}
	}}}
	_, err := m.Generate(t.Context(), question(video(9000, 1)))
	fixture.WantError(t, err, omniscope.Transient, "500")
	if pieces.Load() != mostResumes+1 {
		t.Errorf("the piece was sent %d times", pieces.Load())
	}
}

// TestMissingFiles reads the server's words about files.
func TestMissingFiles(t *testing.T) {
	used := []use{{nil, "files/f1"}, {nil, "files/f2"}}
	failure := func(status int, message string) error {
		return &omniscope.Error{Err: &model.StatusError{Status: status, Message: message}}
	}
	for _, c := range []struct {
		err  error
		want []use
	}{
		{nil, nil},
		{failure(403, "You do not have permission to access the File f2 or it may not exist."), used[1:]},
		{failure(404, "File not found: files/other"), used},
		{failure(403, "The caller does not have permission"), nil},
		{failure(500, "File f1 broke"), nil},
		{failure(404, "models/x is not found"), nil},
	} {
		if got := missing(c.err, used); !slices.Equal(got, c.want) {
			t.Errorf("%v: got %v, want %v", c.err, got, c.want)
		}
	}
}
