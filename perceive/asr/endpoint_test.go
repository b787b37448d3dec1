package asr

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/model"
)

const key = "sk-very-secret-0123456789"

// A server answers each request with the next of some handlers, the last one
// again and again, and keeps what it was asked.
type server struct {
	*httptest.Server
	mu    sync.Mutex
	forms []map[string]string
	wavs  [][]byte
	auth  []string
}

func serve(t *testing.T, handlers ...http.HandlerFunc) *server {
	t.Helper()
	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		n := len(s.forms)
		if r.Method != http.MethodPost || r.URL.Path != "/v1/audio/transcriptions" {
			t.Errorf("%s %s", r.Method, r.URL)
		}
		s.keep(t, r)
		s.mu.Unlock()
		handlers[min(n, len(handlers)-1)](w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *server) keep(t *testing.T, r *http.Request) {
	if err := r.ParseMultipartForm(64 << 20); err != nil {
		t.Error(err)
		return
	}
	fields := make(map[string]string)
	for name, values := range r.MultipartForm.Value {
		fields[name] = strings.Join(values, " ")
	}
	f, _, err := r.FormFile("file")
	if err != nil {
		t.Error(err)
		return
	}
	wav, _ := io.ReadAll(f)
	s.forms, s.wavs, s.auth = append(s.forms, fields), append(s.wavs, wav), append(s.auth, r.Header.Get("Authorization"))
}

func (s *server) engine(t *testing.T, waits *[]time.Duration) *Endpoint {
	t.Helper()
	e, err := NewEndpoint(EndpointOptions{BaseURL: s.URL, Model: "whisper-1", Key: omniscope.NewSecret(key + "\n"), Wait: func(_ context.Context, d time.Duration) error {
		if waits != nil {
			*waits = append(*waits, d)
		}
		return nil
	}})
	fixture.OK(t, err)
	return e
}

func says(status int, body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

// breaksOff promises more than it sends.
func breaksOff(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Length", "1000")
	io.WriteString(w, `{"text": "hal`)
}

const verbose = `{"task":"transcribe","language":"english","duration":4.0,"text":" One two. Three.",
	"segments":[{"id":0,"start":0.5,"end":2.0,"text":" One two.","avg_logprob":-0.12,"no_speech_prob":0.01},
	            {"id":1,"start":2.5,"end":3.5,"text":" Three.","avg_logprob":-0.8,"no_speech_prob":0.3,"compression_ratio":1.5}]}`

var fourSeconds = Sound{PCM: make([]byte, 4*bytesPerSecond)}

func TestEndpointSegments(t *testing.T) {
	s := serve(t, says(200, verbose))
	got, err := s.engine(t, nil).Transcribe(t.Context(), fourSeconds)
	want := []Segment{
		{Start: 500 * time.Millisecond, End: 2 * time.Second, Text: " One two.", Sure: Sureness{true, -0.12, 0.01, 0}},
		{Start: 2500 * time.Millisecond, End: 3500 * time.Millisecond, Text: " Three.", Sure: Sureness{true, -0.8, 0.3, 1.5}},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	if f := s.forms[0]; f["model"] != "whisper-1" || f["response_format"] != "verbose_json" || f["temperature"] != "0" || s.auth[0] != "Bearer "+key {
		t.Errorf("asked with %v, %s", f, s.auth[0])
	}
	wav := s.wavs[0]
	if len(wav) != 44+len(fourSeconds.PCM) || string(wav[:4]) != "RIFF" || binary.LittleEndian.Uint32(wav[4:]) != uint32(len(wav)-8) ||
		binary.LittleEndian.Uint32(wav[24:]) != 16000 || binary.LittleEndian.Uint32(wav[40:]) != uint32(len(fourSeconds.PCM)) {
		t.Errorf("the file is no WAV of the sound: % x", wav[:44])
	}
}

// TestTranscriptionBehindAGateway sends what the gateway wants, and its refusal, which
// repeats both values, tells neither.
func TestTranscriptionBehindAGateway(t *testing.T) {
	const header, code = "hunter2-of-the-header", "hunter2-of-the-query"
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		got := r.Header.Get("X-Gateway") + " " + r.URL.Query().Get("code")
		if got != header+" "+code {
			t.Errorf("sent %q", got)
		}
		says(403, `{"error": {"message": "not for `+got+`"}}`)(w, r)
	})
	e, err := NewEndpoint(EndpointOptions{BaseURL: s.URL, Model: "whisper-1",
		Headers: map[string]omniscope.Secret{"X-Gateway": omniscope.NewSecret(header)}, Query: map[string]omniscope.Secret{"code": omniscope.NewSecret(code)}})
	fixture.OK(t, err)
	_, err = e.Transcribe(t.Context(), fourSeconds)
	if shown := fmt.Sprintf("%v %+v %v", err, err, e.Info()); omniscope.KindOf(err) != omniscope.Denied || strings.Contains(shown, "hunter2") {
		t.Errorf("%s", shown)
	}
}

func TestEndpointErrors(t *testing.T) {
	good := says(200, `{"text": "hello there"}`)
	limited := says(429, `{"error": {"message": "slow down, `+key+`", "type": "rate_limit"}}`, "Retry-After", "7")
	for _, c := range []struct {
		name     string
		handlers []http.HandlerFunc
		kind     omniscope.Kind // Internal = it works in the end
		calls    int
		says     string
	}{
		{"busy once", []http.HandlerFunc{limited, good}, omniscope.Internal, 2, ""},
		{"broken once", []http.HandlerFunc{says(500, "oops"), good}, omniscope.Internal, 2, ""},
		{"breaks off once", []http.HandlerFunc{breaksOff, good}, omniscope.Internal, 2, ""},
		{"a page once", []http.HandlerFunc{says(200, "<html>gateway</html>"), good}, omniscope.Internal, 2, ""},
		{"busy for ever", []http.HandlerFunc{limited}, omniscope.Exhausted, 3, "gave up after 3 tries"},
		{"broken for ever", []http.HandlerFunc{says(503, "")}, omniscope.Exhausted, 3, "503: service unavailable"},
		{"breaks off for ever", []http.HandlerFunc{breaksOff}, omniscope.Exhausted, 3, "unexpected EOF"},
		{"no JSON for ever", []http.HandlerFunc{says(200, "hello")}, omniscope.Exhausted, 3, "not the JSON of the protocol"},
		{"JSON of something else", []http.HandlerFunc{says(200, `{"choices": []}`)}, omniscope.Exhausted, 3, "neither text nor segments"},
		{"a list", []http.HandlerFunc{says(200, `[]`)}, omniscope.Exhausted, 3, "not the JSON"},
		{"segments that end before they begin", []http.HandlerFunc{says(200, `{"text": "x", "segments": [{"start": 3, "end": 1, "text": "x"}]}`)}, omniscope.Exhausted, 3, "segment 1 goes from 3 to 1 s"},
		{"segments beyond the sound", []http.HandlerFunc{says(200, `{"segments": [{"start": 50, "end": 51, "text": "x"}]}`)}, omniscope.Exhausted, 3, "of 4.0 s of sound"},
		{"segments at no time", []http.HandlerFunc{says(200, `{"segments": [{"start": 1e300, "end": 1e301, "text": "x"}]}`)}, omniscope.Exhausted, 3, "segment 1"},
		{"no such key", []http.HandlerFunc{says(401, `{"error": {"message": "Incorrect API key: `+key+`"}}`)}, omniscope.Denied, 1, "401: Incorrect API key: [secret]"},
		{"no money", []http.HandlerFunc{says(429, `{"error": {"message": "pay", "type": "insufficient_quota"}}`)}, omniscope.Denied, 1, "pay"},
		{"no such model", []http.HandlerFunc{says(404, `{"detail": "x"}`)}, omniscope.Denied, 1, "404: x; the server does not transcribe"},
		{"no money, with another status", []http.HandlerFunc{says(500, `{"error": {"message": "insufficient balance (1008)"}}`)}, omniscope.Denied, 1, "insufficient balance"},
		{"a filter", []http.HandlerFunc{says(400, `{"error": {"message": "No.", "code": "content_filter"}}`)}, omniscope.Declined, 1, "content_filter"},
		{"a part that is not installed", []http.HandlerFunc{says(500, `{"error": {"message": "Please install vllm[audio] for audio support"}}`)}, omniscope.Invalid, 1, "vllm[audio]"},
		{"no money, inside an answer", []http.HandlerFunc{says(200, `{"error": {"message": "Insufficient credits", "code": 402}}`)}, omniscope.Denied, 1, "Insufficient credits"},
		{"no key, inside an answer", []http.HandlerFunc{says(200, `{"code": "InvalidApiKey", "message": "Invalid API-key provided."}`)}, omniscope.Denied, 1, "InvalidApiKey"},
		{"a filter, inside an answer", []http.HandlerFunc{says(200, `{"error": {"message": "No.", "code": "content_filter"}}`)}, omniscope.Declined, 1, "content_filter"},
		{"busy, inside an answer", []http.HandlerFunc{says(200, `{"error": {"message": "slow down", "code": 429}}`), good}, omniscope.Internal, 2, ""},
		{"an empty error beside the words", []http.HandlerFunc{says(200, `{"text": "hello there", "error": {"message": "", "code": null}}`)}, omniscope.Internal, 1, ""},
		{"FastAPI's words", []http.HandlerFunc{says(400, `{"detail": {"error": {"message": "no such sound"}}}`)}, omniscope.Invalid, 1, "400: no such sound"},
		{"too large", []http.HandlerFunc{says(413, "")}, omniscope.Invalid, 1, "413"},
		{"a wrong request", []http.HandlerFunc{says(400, `{"error": "bad file"}`)}, omniscope.Invalid, 1, "bad file"},
		{"a redirect", []http.HandlerFunc{says(307, "", "Location", "http://elsewhere.invalid/?key=abc")}, omniscope.Denied, 1, "redirects elsewhere"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := serve(t, c.handlers...)
			var waits []time.Duration
			got, err := s.engine(t, &waits).Transcribe(t.Context(), fourSeconds)
			if len(s.forms) != c.calls {
				t.Errorf("%d calls, want %d", len(s.forms), c.calls)
			}
			if c.kind == omniscope.Internal {
				if err != nil || len(got) != 1 || got[0].Text != "hello there" || got[0].End != 4*time.Second {
					t.Errorf("%+v, %v", got, err)
				}
				return
			}
			if omniscope.KindOf(err) != c.kind || err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("error %v of kind %v, want %v that says %q", err, omniscope.KindOf(err), c.kind, c.says)
			}
			if strings.Contains(fmt.Sprintf("%v %+v", err, err), key) {
				t.Errorf("the key is in %v", err)
			}
		})
	}
}

func TestEndpointRetryAfter(t *testing.T) {
	for _, c := range []struct {
		name, header string
		want         []time.Duration
	}{
		{"seven seconds", "7", []time.Duration{7 * time.Second, 7 * time.Second}},
		{"two minutes", "120", []time.Duration{2 * time.Minute, 2 * time.Minute}},
		{"a day", "86400", nil},
		{"nothing", "", []time.Duration{2 * time.Second, 4 * time.Second}},
		{"nonsense", "-3", []time.Duration{2 * time.Second, 4 * time.Second}},
	} {
		var waits []time.Duration
		s := serve(t, says(429, "", "Retry-After", c.header))
		s.engine(t, &waits).Transcribe(t.Context(), fourSeconds)
		if !reflect.DeepEqual(waits, c.want) {
			t.Errorf("%s: waited %v, want %v", c.name, waits, c.want)
		}
	}
}

func TestRefusedFormatsRemembered(t *testing.T) {
	s := serve(t,
		says(400, `{"error": {"message": "response_format 'verbose_json' is not compatible with model"}}`),
		says(200, `{"text": "hello", "logprobs": [{"token": "hel", "logprob": -0.1}, {"token": "lo", "logprob": -0.3}]}`))
	e := s.engine(t, nil)
	for range 2 {
		got, err := e.Transcribe(t.Context(), fourSeconds)
		if err != nil || len(got) != 1 || !got[0].Sure.Known || got[0].Sure.LogProb != -0.2 {
			t.Errorf("%+v, %v", got, err)
		}
	}
	if len(s.forms) != 3 || s.forms[1]["include[]"] != "logprobs" || s.forms[2]["response_format"] != "json" {
		t.Errorf("asked with %v", s.forms)
	}
	s = serve(t, says(400, `{"error": {"message": "unknown response_format"}}`))
	if _, err := s.engine(t, nil).Transcribe(t.Context(), fourSeconds); omniscope.KindOf(err) != omniscope.Invalid || len(s.forms) != 3 {
		t.Errorf("%d calls, %v", len(s.forms), err)
	}
}

func TestCancelTranscription(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := serve(t, func(http.ResponseWriter, *http.Request) { cancel() })
	if _, err := s.engine(t, nil).Transcribe(ctx, fourSeconds); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestAddresses(t *testing.T) {
	for _, c := range []struct{ base, model, shown, missing string }{
		{"http://localhost:8000", "w", "w at http://localhost:8000/v1", ""},
		{"http://localhost:8000/v1/", "w", "w at http://localhost:8000/v1", ""},
		{"https://user:" + key + "@h/asr/audio/transcriptions?k=" + key, "w", "w at https://h/asr", ""},
		{"", "w", "a transcription server", "no address"},
		{"http://localhost:8000", "", " at http://localhost:8000/v1", "no transcription model"},
	} {
		e, err := NewEndpoint(EndpointOptions{BaseURL: c.base, Model: c.model, Key: omniscope.NewSecret(key)})
		if err != nil {
			t.Error(c.base, err)
			continue
		}
		info := e.Info()
		if info.Name != c.shown || (info.Missing == "") != (c.missing == "") || !strings.Contains(info.Missing, c.missing) {
			t.Errorf("%q: %+v", c.base, info)
		}
		if all := fmt.Sprintf("%v %+v %#v %s", e, e, e, e); strings.Contains(all, key) {
			t.Errorf("the key is in %s", all)
		}
		if c.missing != "" {
			if _, err := e.Transcribe(t.Context(), fourSeconds); omniscope.KindOf(err) != omniscope.NotFound {
				t.Error(err)
			}
		}
	}
	for _, base := range []string{"localhost:8000", "ftp://h", "http://", "::"} {
		if _, err := NewEndpoint(EndpointOptions{BaseURL: base, Model: "w"}); omniscope.KindOf(err) != omniscope.Usage {
			t.Errorf("%q: %v", base, err)
		}
	}
	if _, err := NewEndpoint(EndpointOptions{BaseURL: "http://h", Model: "w", Key: omniscope.NewSecret("a\nb")}); omniscope.KindOf(err) != omniscope.Usage || strings.Contains(err.Error(), "a\nb") {
		t.Error(err)
	}
}

func TestRequestSizeLimit(t *testing.T) {
	e, err := NewEndpoint(EndpointOptions{BaseURL: "http://h", Model: "w", Longest: time.Hour})
	fixture.OK(t, err)
	body, _, err := e.body(Sound{PCM: make([]byte, sampleBytes(e.Info().Longest))}, forms[0])
	if err != nil || len(body) > mostUpload || len(body) < mostUpload*9/10 {
		t.Errorf("%d bytes for %v, %v", len(body), e.Info().Longest, err)
	}
}

func TestCheckAsksForModels(t *testing.T) {
	for _, c := range []struct {
		status int
		kind   omniscope.Kind
	}{{200, omniscope.Internal}, {404, omniscope.Internal}, {401, omniscope.Denied}, {503, omniscope.Transient}} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/v1/models" || r.Method != http.MethodGet {
				t.Errorf("%s %s", r.Method, r.URL)
			}
			w.WriteHeader(c.status)
		}))
		e, _ := NewEndpoint(EndpointOptions{BaseURL: s.URL, Model: "w"})
		if err := e.Check(t.Context()); (err == nil) != (c.kind == omniscope.Internal) || omniscope.KindOf(err) != c.kind {
			t.Errorf("%d: %v", c.status, err)
		}
		s.Close()
	}
}

func FuzzEndpointReplies(f *testing.F) {
	f.Add([]byte(verbose))
	f.Add([]byte(`{"text": null, "segments": [{"start": -1, "end": 1e308}]}`))
	f.Add([]byte(`{"text": "a", "logprobs": [{"logprob": null}, {"logprob": 3}]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		segments, err := readReply(body, 10*time.Second)
		for _, s := range segments {
			if err != nil || s.Start < 0 || s.End < s.Start || s.Sure.LogProb > 0 {
				t.Errorf("%+v, %v", s, err)
			}
		}
	})
}

// TestEndpointNeverAnswered stops waiting for a server that takes the sound and
// says nothing, however many tries are allowed.
func TestEndpointNeverAnswered(t *testing.T) {
	quit := make(chan struct{})
	s := serve(t, func(_ http.ResponseWriter, r *http.Request) { <-quit })
	t.Cleanup(func() { close(quit) })
	e, err := NewEndpoint(EndpointOptions{BaseURL: s.URL, Model: "m", Tries: 1000, Timeout: 50 * time.Millisecond,
		Reach: model.NewReach(s.URL, 200*time.Millisecond), Wait: func(context.Context, time.Duration) error { return nil }})
	fixture.OK(t, err)
	_, err = e.Transcribe(t.Context(), Sound{PCM: make([]byte, 3200)})
	if omniscope.KindOf(err) != omniscope.Unreachable || !strings.Contains(err.Error(), "endpoint away") {
		t.Errorf("got %v", err)
	}
}

// TestTriesThatArePaidFor has each try be paid for by itself: refused ones cost nothing, those of which the answer is of no
// use may, and nothing is sent where a payment is refused.
func TestTriesThatArePaidFor(t *testing.T) {
	counted := strings.Replace(verbose, `{"task"`, `{"usage":{"type":"tokens","input_tokens":40,"output_tokens":7,"total_tokens":47},"task"`, 1)
	byTime := strings.Replace(verbose, `{"task"`, `{"usage":{"type":"duration","seconds":4},"task"`, 1)
	odd := strings.Replace(verbose, `{"task"`, `{"usage":"none","task"`, 1)
	s := serve(t, says(400, `{"error":{"message":"unknown response_format"}}`), says(503, "busy"), breaksOff, says(200, "<html>"), says(200, counted), says(200, byTime), says(200, odd))
	var said []string
	full := false
	e, err := NewEndpoint(EndpointOptions{BaseURL: s.URL, Model: "whisper-1", Tries: 9, Wait: func(context.Context, time.Duration) error { return nil },
		Pay: func(ctx context.Context, sound time.Duration, try func(context.Context) (model.Usage, error)) error {
			if full {
				return &omniscope.Error{Kind: omniscope.Budget, Err: errors.New("used up")}
			}
			u, err := try(ctx)
			said = append(said, fmt.Sprintf("%v: %d in, %d out, lost %d, fails %t", sound, u.TokensIn, u.TokensOut, model.LostIn(err).Tries, err != nil))
			return err
		}})
	fixture.OK(t, err)
	for range 3 {
		if got, err := e.Transcribe(t.Context(), fourSeconds); err != nil || len(got) != 2 {
			t.Errorf("%v, %v", got, err)
		}
	}
	want := []string{"4s: 0 in, 0 out, lost 0, fails true", "4s: 0 in, 0 out, lost 0, fails true", "4s: 0 in, 0 out, lost 1, fails true", "4s: 0 in, 0 out, lost 1, fails true",
		"4s: 40 in, 7 out, lost 0, fails false", "4s: 0 in, 0 out, lost 0, fails false", "4s: 0 in, 0 out, lost 0, fails false"}
	if !slices.Equal(said, want) {
		t.Errorf("paid for\n%s", strings.Join(said, "\n"))
	}
	full = true
	if _, err := e.Transcribe(t.Context(), fourSeconds); omniscope.KindOf(err) != omniscope.Budget || len(s.forms) != 7 {
		t.Errorf("%v after %d requests", err, len(s.forms))
	}
}
