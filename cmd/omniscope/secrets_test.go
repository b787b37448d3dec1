package main

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
)

// What must never be seen outside of the process: a key, and what an address
// may hold. Any 8 characters of them tell too much; see tellings.
const (
	secretKey      = "sk-test-SECRET-0123456789abcdefghij"
	secretPassword = "PassWord-9876543210-uvwxyz"
	secretQuery    = "QUERY-SECRET-5555555555"
	secretHeader   = "hEaDeR-SECRET-7777777777"
	secretCode     = "cOdE-SECRET-4444444444-klmnop"
	tellingStart   = 11
)

// An echo is a server that repeats what it was sent wherever it can, and the
// way it does so.
type echo struct {
	name   string
	answer func(w http.ResponseWriter, sent string)

	arrived *atomic.Int64 // requests with what the gateway wants
}

var echoes = []echo{
	{name: "answers", answer: func(w http.ResponseWriter, sent string) { completion(w, `{"1":"A: %s","2":"B: x","3":"C: y"}`, sent) }},
	{name: "answers that cannot be used", answer: func(w http.ResponseWriter, sent string) { completion(w, "%s", sent) }},
	{name: "refusals", answer: func(w http.ResponseWriter, sent string) { refuse(w, http.StatusBadRequest, "content_filter", sent) }},
	{name: "invalid requests", answer: func(w http.ResponseWriter, sent string) { refuse(w, http.StatusBadRequest, "bad", sent) }},
	{name: "wrong keys", answer: func(w http.ResponseWriter, sent string) { refuse(w, http.StatusUnauthorized, "invalid_api_key", sent) }},
	{name: "rate limits", answer: func(w http.ResponseWriter, sent string) { refuse(w, http.StatusTooManyRequests, "slow", sent) }},
	{name: "failures", answer: func(w http.ResponseWriter, sent string) { refuse(w, http.StatusInternalServerError, sent, sent) }},
	{name: "failures in plain text", answer: func(w http.ResponseWriter, sent string) {
		w.WriteHeader(http.StatusBadGateway)
		fmt.Fprint(w, "upstream said: ", sent)
	}},
	{name: "errors inside answers", answer: func(w http.ResponseWriter, sent string) {
		json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"message": sent, "code": sent}})
	}},
	{name: "answers that are no JSON", answer: func(w http.ResponseWriter, sent string) { fmt.Fprintf(w, `{"choices": %s`, sent) }},
	{name: "pages", answer: func(w http.ResponseWriter, sent string) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<html><p>%s</html>", sent)
	}},
	{name: "pages that are cut inside the key", answer: func(w http.ResponseWriter, sent string) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "%s%s", strings.Repeat("-", 200-tellingStart-1), secretKey)
	}},
	{name: "answers that write the key otherwise", answer: func(w http.ResponseWriter, _ string) {
		completion(w, `{"1":"A: %s","2":"B: x","3":"C: y"}`, strings.Join(written(secretKey), " "))
	}},
	{name: "answers that write the secret of the address otherwise", answer: func(w http.ResponseWriter, _ string) {
		completion(w, `{"1":"A: %s","2":"B: x","3":"C: y"}`, strings.Join(written(secretPassword), " "))
	}},
	{name: "wrong keys in base64", answer: func(w http.ResponseWriter, _ string) {
		refuse(w, http.StatusUnauthorized, "invalid_api_key", base64.StdEncoding.EncodeToString([]byte("user:"+secretKey)))
	}},
	{name: "failures with a key that is masked", answer: func(w http.ResponseWriter, _ string) {
		refuse(w, http.StatusInternalServerError, "bad", secretKey[:12]+"…"+secretKey[20:])
	}},
	{name: "broken answers with escaped keys", answer: func(w http.ResponseWriter, _ string) {
		fmt.Fprintf(w, `{"choices": "%s`, strings.ReplaceAll(written(secretKey)[5], "%", `\u00`))
	}},
	{name: "streams", answer: func(w http.ResponseWriter, _ string) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, part := range []string{`{\"1\":\"A: `, secretKey[:5], secretKey[5:9], secretKey[9:], `\",\"2\":\"B: x\",\"3\":\"C: y\"}`} {
			fmt.Fprintf(w, "data: {\"choices\":[{\"delta\":{\"content\":\"%s\"}}]}\n\n", part)
		}
		fmt.Fprint(w, "data: [DONE]\n\n")
	}},
	{name: "counts of tokens", answer: func(w http.ResponseWriter, sent string) {
		json.NewEncoder(w).Encode(map[string]any{"usage": map[string]any{"prompt_tokens": sent}, "choices": []any{map[string]any{
			"finish_reason": "stop", "message": map[string]any{"content": `{"1":"A: z","2":"B: x","3":"C: y"}`}}}})
	}},
	{name: "another address", answer: func(w http.ResponseWriter, sent string) {
		w.Header().Set("Location", "http://user:"+secretPassword+"@127.0.0.1:1/v1?key="+secretKey)
		w.WriteHeader(http.StatusTemporaryRedirect)
	}},
}

// written are ways to write a secret.
func written(secret string) (ways []string) {
	percent := ""
	for _, c := range []byte(secret) {
		percent += fmt.Sprintf("%%%02X", c)
	}
	ways = append(ways, secret[:8], secret[len(secret)-8:], strings.ToUpper(secret), strings.ToLower(secret), hex.EncodeToString([]byte(secret)), percent)
	for _, before := range []string{"", "u:", "me:", "user:"} {
		ways = append(ways, base64.StdEncoding.EncodeToString([]byte(before+secret)), base64.RawURLEncoding.EncodeToString([]byte(before+secret+"?")))
	}
	return ways
}

func completion(w http.ResponseWriter, format, sent string) {
	json.NewEncoder(w).Encode(map[string]any{"id": sent, "model": "mock " + sent, "choices": []any{map[string]any{
		"finish_reason": "stop", "message": map[string]any{"content": fmt.Sprintf(format, sent)}}}})
}

func refuse(w http.ResponseWriter, status int, code, sent string) {
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"message": "you sent " + sent, "code": code}})
}

func (e echo) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	user, password, _ := r.BasicAuth()
	sent := fmt.Sprintf("%s %s %s %s %s", r.Header.Get("Authorization"), user, password, r.URL, r.Header.Get("X-Gateway"))
	if e.arrived != nil && r.Header.Get("X-Gateway") == secretHeader && r.URL.Query().Get("code") == secretCode {
		e.arrived.Add(1)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Request-Id", sent)
	w.Header().Set("Retry-After", sent)
	if strings.HasSuffix(r.URL.Path, "/models") {
		json.NewEncoder(w).Encode(map[string]any{"data": []any{map[string]any{"id": "model " + sent}}})
		return
	}
	e.answer(w, sent)
}

// TestSecrets looks at every byte that all commands write, with servers that
// give away the key whenever they can.
func TestSecrets(t *testing.T) { testSecrets(t, echoes[:1]) }

func TestLongSecrets(t *testing.T) { testSecrets(t, echoes[1:]) }

func testSecrets(t *testing.T, echoes []echo) {
	for _, e := range echoes {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			e.arrived = new(atomic.Int64)
			server := httptest.NewServer(e)
			defer server.Close()
			w := newWitness(t, strings.TrimPrefix(server.URL, "http://"))
			w.allCommands()
			w.mustHaveSeenNothing()
			if n := e.arrived.Load(); n < 8 {
				t.Errorf("%d requests had the gateway's header and query", n)
			}
		})
	}
}

func TestLongSecretsWithoutAServer(t *testing.T) {
	t.Parallel()
	w := newWitness(t, "127.0.0.1:1")
	w.allCommands()
	w.mustHaveSeenNothing()
}

// TestSecretsInMistakes gives addresses and settings that cannot be read.
func TestSecretsInMistakes(t *testing.T) {
	w := newWitness(t, "127.0.0.1:1")
	for _, address := range []string{
		"user:" + secretPassword + "@host/v1",
		"http://user:" + secretPassword + "%zz@host/v1?api-key=" + secretQuery,
		"ftp://user:" + secretPassword + "@host/v1",
	} {
		w.run(w.args(address)...)
		w.run(w.args(address, "--limit", "2")...)
		w.run("doctor", "--judge", "openai/mock,base-url="+address)
		w.setting = append(w.setting, "OPENAI_BASE_URL="+address)
		w.run("doctor", "--judge", "openai/mock")
	}
	fixture.OK(t, os.WriteFile(w.path(".env"), []byte("OPENAI_API_KEY "+secretKey), 0o600))
	w.run("docs", "models")
	fixture.OK(t, os.Remove(w.path(".env")))
	w.mustHaveSeenNothing()
}

// A witness runs commands and keeps all that they print.
type witness struct {
	*trial
	address string
	setting []string
	printed bytes.Buffer
}

func newWitness(t *testing.T, host string) *witness {
	w := &witness{trial: newTrial(t, 5, "--max-retries", "1", "--retry-wait", "1ms", "--endpoint-wait", "50ms", "--timeout", "5s").
		asking(",header.X-Gateway=env:GATEWAY_HEADER,query.code=env:GATEWAY_CODE"),
		address: "http://user:" + secretPassword + "@" + host + "/v1?api-key=" + secretQuery}
	w.setting = append(os.Environ(), "OPENAI_API_KEY="+secretKey, "GATEWAY_HEADER="+secretHeader, "GATEWAY_CODE="+secretCode)
	return w
}

func (w *witness) run(args ...string) (out string) {
	w.t.Helper()
	need.Processes(w.t)
	cmd := exec.Command("omniscope", args...)
	cmd.Dir, cmd.Env = w.dir, w.setting
	var stdout bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &w.printed
	fmt.Fprintf(&w.printed, "\n$ omniscope %s ...\n", args[0])
	cmd.Run() // whatever it ends with
	w.printed.Write(stdout.Bytes())
	return stdout.String()
}

func (w *witness) allCommands() {
	w.t.Helper()
	w.run(w.args(w.address, "--dry-run")...)
	w.run(w.args(w.address)...)
	w.run(w.args(w.address, "--json", "--fresh")...)
	w.run(w.args(w.address, "--limit", "2", "--force")...)
	w.run("doctor", "--judge", "openai/mock,query.code=env:GATEWAY_CODE,header.X-Gateway=env:GATEWAY_HEADER,base-url="+w.address)
	w.setting = append(w.setting, "OPENAI_BASE_URL="+w.address)
	w.run("doctor", "--judge", "openai/mock")
	w.run(append([]string{"eval", "omni-cloze", "-p", "rows.jsonl", "--judge", "openai/mock", "--work-dir", "work", "--limit", "1"}, w.flags...)...)
	w.run("journal", "show", "--work-dir", "work")
	for _, run := range w.runs() {
		w.run("journal", "show", run, "--work-dir", "work")
		w.run("journal", "show", run, "--work-dir", "work", "--step", "0000001")
		w.run("journal", "replay", run, "--work-dir", "work")
	}
	w.run("journal", "export", "--work-dir", "work", "--out", w.path("calls.jsonl"))
}

// runs returns the names of the runs, as the files of their requests have them.
func (w *witness) runs() (names []string) {
	w.t.Helper()
	files, err := filepath.Glob(w.path("work/journal/requests/*.jsonl"))
	if err != nil || len(files) == 0 {
		w.t.Fatalf("no runs in the journal: %v", err)
	}
	for _, f := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(f), ".jsonl"))
	}
	return names
}

func (w *witness) mustHaveSeenNothing() {
	w.t.Helper()
	if w.printed.Len() == 0 {
		w.t.Error("the commands printed nothing at all")
	}
	w.mustNotTell("what was printed", w.printed.Bytes())
	err := filepath.WalkDir(w.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		w.mustNotTell(path, text)
		return err
	})
	fixture.OK(w.t, err)
}

func (w *witness) mustNotTell(where string, text []byte) {
	w.t.Helper()
	lower := bytes.ToLower(text)
	for _, telling := range tellings {
		if i := bytes.Index(lower, []byte(telling)); i >= 0 {
			w.t.Fatalf("%s gives a secret away: ...%q...", where, text[max(0, i-80):min(len(text), i+80)])
		}
	}
}

// tellings are texts, in lower case, each of which tells 8 characters of a
// secret or more: all stretches of these as they are, in hexadecimal digits, in
// escapes of URLs, and in base64 at each place in a group.
var tellings = func() (all []string) {
	const least = 8
	for _, secret := range []string{secretKey, secretPassword, secretQuery, secretHeader, secretCode} {
		for i := range len(secret) - least + 1 {
			part := secret[i : i+least]
			digits := hex.EncodeToString([]byte(part))
			percent := ""
			for d := range len(digits) / 2 {
				percent += "%" + digits[2*d:2*d+2]
			}
			all = append(all, strings.ToLower(part), digits, percent)
			for before := range 3 {
				encoded := base64.RawStdEncoding.EncodeToString(append(make([]byte, before), part...))
				encoded = strings.ToLower(encoded[before+1 : len(encoded)-1]) // its ends hold bits of what is around
				all = append(all, encoded, strings.NewReplacer("+", "-", "/", "_").Replace(encoded))
			}
		}
	}
	return all
}()
