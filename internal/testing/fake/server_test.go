package fake

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"omniscope/internal/testing/fixture"
)

// newClient returns a client with connections of its own.
func newClient(t testing.TB) *http.Client {
	transport := &http.Transport{MaxIdleConnsPerHost: 1000, ExpectContinueTimeout: time.Minute}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, Timeout: time.Minute}
}

// request is the body of a chat completions request with one user message.
func request(text string) string {
	b, _ := json.Marshal(map[string]any{
		"model":    "test/model",
		"messages": []map[string]string{{"role": "user", "content": text}},
	})
	return string(b)
}

// decodedAnswer is an answer or an error as a client decodes it.
type decodedAnswer struct {
	Object  string
	Model   string
	Choices []struct {
		Message struct {
			Role    string
			Content *string
			Refusal *string
		}
		FinishReason string `json:"finish_reason"`
	}
	Usage struct {
		PromptTokens     int `json:"prompt_tokens"`
		CompletionTokens int `json:"completion_tokens"`
		TotalTokens      int `json:"total_tokens"`
	}
	Error *struct {
		Message, Type string
		Param, Code   *string
	}
}

// answered is a response that was read to its end.
type answered struct {
	*http.Response
	body []byte
	decodedAnswer
}

func (a *answered) content() string {
	if len(a.Choices) == 0 || a.Choices[0].Message.Content == nil {
		return "<none>"
	}
	return *a.Choices[0].Message.Content
}

// post sends a chat completions request and reads the response.
func post(c *http.Client, s *Server, body string) (*answered, error) {
	resp, err := c.Post(s.URL()+"/chat/completions", "application/json", strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	return read(resp)
}

func read(resp *http.Response) (*answered, error) {
	defer resp.Body.Close()
	a := &answered{Response: resp}
	var err error
	if a.body, err = io.ReadAll(resp.Body); err != nil {
		return a, err
	}
	if resp.Header.Get("Content-Type") == "application/json" {
		err = json.Unmarshal(a.body, &a.decodedAnswer)
	}
	return a, err
}

// postJSON sends a body of JSON and returns the status and the answer.
func postJSON(t testing.TB, url, body string) (int, string) {
	t.Helper()
	resp, err := http.Post(url, "application/json", strings.NewReader(body))
	fixture.OK(t, err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	fixture.OK(t, err)
	return resp.StatusCode, string(text)
}

func mustPost(t *testing.T, c *http.Client, s *Server, body string) *answered {
	t.Helper()
	a, err := post(c, s, body)
	fixture.OK(t, err)
	return a
}

// eventually waits for something that another goroutine is about to do.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !ok(); {
		if time.Now().After(deadline) {
			t.Fatalf("waited too long for %s", what)
		}
		time.Sleep(time.Millisecond)
	}
}

func TestCompletion(t *testing.T) {
	s := Start(t, Config{Reply: func(r *Request) Reply {
		return Reply{Content: fmt.Sprintf("%d \"%s\"\n\t\\é\x01", r.N, r.Text()), PromptTokens: 7, CompletionTokens: 3}
	}})
	c := newClient(t)
	for n := 1; n <= 3; n++ {
		a := mustPost(t, c, s, request("hello"))
		if want := fmt.Sprintf("%d \"hello\"\n\t\\é\x01", n); a.content() != want {
			t.Errorf("content %q, want %q", a.content(), want)
		}
		if a.StatusCode != 200 || a.Object != "chat.completion" || a.Model != "test/model" ||
			a.Choices[0].FinishReason != "stop" || a.Choices[0].Message.Role != "assistant" ||
			a.Usage.PromptTokens != 7 || a.Usage.TotalTokens != 10 {
			t.Errorf("got %d %s", a.StatusCode, a.body)
		}
		if a.ContentLength != int64(len(a.body)) {
			t.Errorf("Content-Length %d, body %d", a.ContentLength, len(a.body))
		}
		if _, err := http.ParseTime(a.Header.Get("Date")); err != nil {
			t.Error(err)
		}
	}
	if st := s.Stats(); st.Connections != 1 || st.Answered != 3 || st.Distinct != 1 || st.MostPerIdentity != 3 {
		t.Errorf("stats %+v", st)
	}
}

func TestEndpoints(t *testing.T) {
	s := Start(t, Config{APIKey: "sesame", Model: "tiny"})
	c := newClient(t)
	base := strings.TrimSuffix(s.URL(), "/v1")
	for _, test := range []struct {
		method, path, key string
		status            int
		want              string
	}{
		{"GET", "/v1/models", "sesame", 200, `"id":"tiny"`},
		{"GET", "/v1/models?limit=3", "sesame", 200, `"object":"list"`},
		{"GET", "/v1/models", "", 401, `"code":"invalid_api_key"`},
		{"GET", "/stats", "", 200, `"requests":`},
		{"GET", "/v1/stats", "", 200, `"requests":`},
		{"POST", "/v1/chat/completions", "sesame", 200, `fixed answer`},
		{"POST", "/v1/chat/completions", "sesam", 401, `"type":"invalid_request_error"`},
		{"POST", "/v1/chat/completions", "", 401, `Incorrect API key`},
		{"GET", "/v1/chat/completions", "sesame", 404, `"code":"unknown_url"`},
		{"POST", "/v1/audio/transcriptions", "sesame", 404, `POST /v1/audio/transcriptions`},
	} {
		req, _ := http.NewRequest(test.method, base+test.path, strings.NewReader(request("x")))
		if test.key != "" {
			req.Header.Set("Authorization", "Bearer "+test.key)
		}
		resp, err := c.Do(req)
		fixture.OK(t, err)
		a, err := read(resp)
		if err != nil || a.StatusCode != test.status || !strings.Contains(string(a.body), test.want) {
			t.Errorf("%s %s: %d %s, %v", test.method, test.path, a.StatusCode, a.body, err)
		}
	}
	st, err := FetchStats(s.URL())
	if err != nil || st.Requests != 3 || st.Status[200] != 1 || st.Status[401] != 2 {
		t.Errorf("stats %+v, %v", st, err)
	}
	if n := s.Stats().Connections; n != 2 { // the client's and FetchStats's
		t.Errorf("%d connections: some response ended its connection", n)
	}
}

// TestBodies sends bodies of known and of unknown length, on one connection.
func TestBodies(t *testing.T) {
	s := Start(t, Config{Reply: func(r *Request) Reply {
		return Reply{Content: fmt.Sprintf("%d %x", len(r.Body), hashBody(r.Body))}
	}})
	c := newClient(t)
	for _, size := range []int{0, 1, 4095, 4096, 10_000, 300_000, 3_000_000} {
		body := strings.Repeat("0123456789", size/10+1)[:size]
		want := fmt.Sprintf("%d %x", size, hashBody([]byte(body)))
		for _, reader := range []io.Reader{strings.NewReader(body), io.MultiReader(strings.NewReader(body))} { // the second hides its length
			resp, err := c.Post(s.URL()+"/chat/completions", "application/json", reader)
			fixture.OK(t, err)
			if a, err := read(resp); err != nil || a.content() != want {
				t.Errorf("%T, %d bytes: %q, %v; want %q", reader, size, a.body, err, want)
			}
		}
	}
	if n := s.Stats().Connections; n != 1 {
		t.Errorf("%d connections, want 1", n)
	}
}

func TestTooLarge(t *testing.T) {
	for _, chunked := range []bool{false, true} {
		var reader io.Reader = strings.NewReader(strings.Repeat("x", 5000))
		if chunked {
			reader = io.MultiReader(reader) // hides the length
		}
		r := httptest.NewRequest("POST", "/v1/chat/completions", reader)
		var body bytes.Buffer
		tooLarge, err := readBody(&body, r, 4999)
		if rest, _ := io.ReadAll(r.Body); !tooLarge || err != nil || len(rest) > 0 {
			t.Errorf("chunked %t: too large %t, %v, %d bytes left", chunked, tooLarge, err, len(rest))
		}
	}
}

// TestExactCounts checks the counts after 200 clients at a time, every
// identity sent by two of them and some requests failing.
func TestExactCounts(t *testing.T) {
	const clients, each = 200, 40
	s := Start(t, Config{Faults: []Fault{
		{When: Every(10), Do: RateLimited("1")},
		{When: Every(7), Do: ServerError(500)},
		{When: Containing("poison"), Do: ErrorInside()},
	}})
	c := newClient(t)
	var mu sync.Mutex
	status, ok, answers := map[int]int{}, 0, map[string]int{}
	var all sync.WaitGroup
	for i := range clients {
		all.Go(func() {
			for j := range each {
				text := fmt.Sprintf("client %d call %d", i/2, j)
				if j == 3 {
					text = "poison " + text
				}
				a, err := post(c, s, request(text))
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				status[a.StatusCode]++
				if a.StatusCode == 200 && a.Error == nil {
					ok++
					answers[text]++
				}
				mu.Unlock()
			}
		})
	}
	all.Wait()
	most := 0
	for _, n := range answers {
		most = max(most, n)
	}
	st := s.Stats()
	if st.Requests != clients*each || st.InFlight != 0 || st.PeakInFlight > clients ||
		st.Answered != ok || st.Distinct != len(answers) || st.MostPerIdentity != most ||
		st.Status[429] != clients*each/10 || st.Broken+st.Resets+st.Abandoned != 0 {
		t.Errorf("%+v; want %d answered, %d distinct, %d at most", st, ok, len(answers), most)
	}
	for code, n := range status {
		if st.Status[code] != n {
			t.Errorf("status %d: counted %d, clients saw %d", code, st.Status[code], n)
		}
	}
}

func TestPeakInFlight(t *testing.T) {
	const clients = 200
	var arrived sync.WaitGroup
	arrived.Add(clients)
	s := Start(t, Config{Reply: func(*Request) Reply {
		arrived.Done()
		arrived.Wait()
		return Reply{Content: "together"}
	}})
	c := newClient(t)
	var all sync.WaitGroup
	for i := range clients {
		all.Go(func() {
			if _, err := post(c, s, request(fmt.Sprint(i))); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if st := s.Stats(); st.PeakInFlight != clients || st.InFlight != 0 {
		t.Errorf("stats %+v", st)
	}
}

func TestLatency(t *testing.T) {
	const latency = 30 * time.Millisecond
	s := Start(t, Config{Latency: latency, Faults: []Fault{{When: Between(2, 2), Do: Delayed(latency)}}})
	c := newClient(t)
	for _, want := range []time.Duration{latency, 2 * latency} {
		begun := time.Now()
		mustPost(t, c, s, request("x"))
		if took := time.Since(begun); took < want {
			t.Errorf("answered after %v, want %v", took, want)
		}
	}
}

// TestAbandoned checks that an answer nobody waits for is not counted as one.
func TestAbandoned(t *testing.T) {
	asked := make(chan struct{})
	s := Start(t, Config{Latency: time.Hour, Reply: func(*Request) Reply {
		close(asked)
		return Reply{}
	}})
	nc, err := net.Dial("tcp", s.listener.Addr().String())
	fixture.OK(t, err)
	io.WriteString(nc, "POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}")
	<-asked
	nc.Close()
	eventually(t, "the request to end", func() bool { return s.Stats().InFlight == 0 })
	if st := s.Stats(); st.Abandoned != 1 || st.Answered != 0 {
		t.Errorf("stats %+v", st)
	}
}

// TestClose closes a server with idle connections, half-sent requests and
// requests that wait for their answer.
func TestClose(t *testing.T) {
	before := runtime.NumGoroutine()
	s, err := Listen(Config{Latency: time.Hour})
	fixture.OK(t, err)
	const each = 20
	sent := []string{
		"",
		"POST /v1/chat/completions HTTP/1.1\r\nContent-Le",
		"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{",
		"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}",
	}
	for i := range each * len(sent) {
		nc, err := net.Dial("tcp", s.listener.Addr().String())
		fixture.OK(t, err)
		defer nc.Close()
		io.WriteString(nc, sent[i%len(sent)])
	}
	eventually(t, "the requests", func() bool {
		st := s.Stats()
		return st.InFlight == each && st.Connections == each*len(sent)
	})
	s.Close()
	s.Close()
	if st := s.Stats(); st.Abandoned != each || st.InFlight != 0 {
		t.Errorf("stats %+v", st)
	}
	eventually(t, "the goroutines to end", func() bool { return runtime.NumGoroutine() <= before })
	if _, err := net.Dial("tcp", s.listener.Addr().String()); err == nil {
		t.Error("still accepts connections")
	}
	again, err := Listen(Config{Addr: s.listener.Addr().String()})
	if err != nil {
		t.Fatalf("restart on the same port: %v", err)
	}
	again.Close()
}

func TestStartFails(t *testing.T) {
	s := Start(t, Config{})
	if _, err := Listen(Config{Addr: s.listener.Addr().String()}); err == nil {
		t.Error("started on a port in use")
	}
}

func TestRequest(t *testing.T) {
	for _, test := range []struct {
		body, model, text string
		schema            bool
	}{
		{`{"model":"a","messages":[{"content":"x"}]}`, "a", "x", false},
		{`{"messages":[{"content":"say \"model\":\"b\""}], "model" : "org\/c"}`, "org/c", `say "model":"b"`, false},
		{`{"tools":{"model":{}},"messages":[{"content":[{"type":"text","text":"p"},{"type":"image_url"},{"type":"text","text":"q"}]},{"content":null},{"content":"r"}]}`, "", "p\nq\n\nr", false},
		{`{"response_format":{"type":"json_schema","json_schema":{"schema":{"properties":{"model":{"type":"string"}}}}},"model":"d"}`, "d", "", true},
		{`{"response_format":{"type":"json_object"},"messages":[{"content":"json_schema"}]}`, "", "json_schema", false},
		{`not json "model"`, "", "", false},
		{``, "", "", false},
	} {
		r := &Request{Body: []byte(test.body)}
		if r.Model() != test.model || r.Text() != test.text || WithSchema()(r) != test.schema {
			t.Errorf("%s: model %q, text %q, schema %v", test.body, r.Model(), r.Text(), WithSchema()(r))
		}
	}
}

func TestIdentity(t *testing.T) {
	seen := map[uint64]bool{}
	for i := range 100_000 {
		seen[hashBody(fmt.Appendf(nil, "body %d", i))] = true
	}
	if len(seen) != 100_000 {
		t.Errorf("%d identities of 100000 bodies", len(seen))
	}
}

func TestClozeReply(t *testing.T) {
	body := []byte(`{"messages":[{"content":"[BLANK_n] [BLANK_1] [BLANK_12] [BLANK_1] [BLANK_3]"},` +
		`{"content":"[BLANK_70] [BLANK_] [BLANK_0] [BLANK_99999] [BLANK_2"}]}`)
	decode := func(reply Reply) map[string]string {
		t.Helper()
		var got map[string]string
		fixture.OK(t, json.Unmarshal([]byte(reply.Content), &got))
		return got
	}
	r := &Request{Body: body, Identity: hashBody(body)}

	letter := func(_ uint64, blank int) byte {
		if blank == 12 {
			return 0
		}
		return "ABCD"[blank%4]
	}
	got := decode(ClozeReply(letter, 0)(r))
	if len(got) != 3 || got["1"][:3] != "B: " || got["3"][:3] != "D: " || got["70"][:3] != "C: " {
		t.Errorf("got %v", got)
	}

	padded := ClozeReply(nil, 3000)
	first := padded(r)
	if n := len(first.Content); n < 2700 || n > 3300 {
		t.Errorf("%d bytes, want about 3000", n)
	}
	if len(decode(first)) != 4 || !bytes.Equal([]byte(first.Content), []byte(padded(r).Content)) {
		t.Errorf("got %v", first)
	}
	if none := ClozeReply(nil, 3000)(&Request{}); none.Content != "{}" {
		t.Errorf("without blanks: %q", none.Content)
	}
}
