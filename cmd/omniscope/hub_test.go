package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"omniscope/internal/sha256hex"
	"omniscope/internal/testing/fixture"
)

// aHub has the references of MCIF where the real hub has them.
type aHub struct {
	*httptest.Server
	mu    sync.Mutex
	asked []string
}

// hubCommits are the commits that the revisions stand for. The hub knows files
// by either.
var hubCommits = map[string]string{"1.0": strings.Repeat("10", 20), "1.1": strings.Repeat("11", 20)}

// startHub serves files by revision and name, such as 1.0/NAME, to those who
// show the token.
func startHub(t *testing.T, token string, files map[string][]byte) *aHub {
	t.Helper()
	h := &aHub{}
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.mu.Lock()
		h.asked = append(h.asked, r.Method+" "+r.URL.Path)
		h.mu.Unlock()
		if r.Header.Get("Authorization") != "Bearer "+token {
			w.Header().Set("X-Error-Code", "GatedRepo")
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return
		}
		revision, name, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/datasets/FBK-MT/MCIF/resolve/"), "/")
		for known, commit := range hubCommits {
			if revision == commit {
				revision = known
			}
		}
		content, ok := files[revision+"/"+name]
		if !ok {
			w.Header().Set("X-Error-Code", "EntryNotFound")
			http.NotFound(w, r)
			return
		}
		w.Header().Set("X-Repo-Commit", hubCommits[revision])
		w.Header().Set("ETag", `"`+sha256hex.Of(content)+`"`)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
	}))
	t.Cleanup(h.Close)
	return h
}

// requests are those since the last time.
func (h *aHub) requests() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	asked := h.asked
	h.asked = nil
	return asked
}

func packed(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	fixture.OK(t, z.Close())
	return b.Bytes()
}

const hubToken = "hf_sesame"

// setHub makes the environment that of a user of this hub with an empty cache.
func setHub(t *testing.T, h *aHub) {
	t.Helper()
	for _, name := range []string{"HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HUGGING_FACE_HUB_TOKEN", "HF_TOKEN_PATH"} {
		t.Setenv(name, "")
	}
	t.Setenv("HF_HOME", t.TempDir())
	t.Setenv("HF_ENDPOINT", h.URL)
	t.Setenv("HF_TOKEN", hubToken)
}

// A hub's references answer "yes" in version 1.0 and "no" in 1.1.
func hubReferences(t *testing.T) map[string][]byte {
	ref := func(answer string) []byte {
		return packed(t, fmt.Sprintf(`<testset name="MCIF"><task track="short" text_lang="it">
<sample id="1" iid="QA_t1_1" task="QA"><audio_path>a.wav</audio_path><reference>%s</reference></sample>
<sample id="2" iid="TRANS_t1" task="TRANS"><audio_path>b.wav</audio_path><reference>uno</reference><metadata><transcript>one</transcript></metadata></sample>
</task></testset>`, answer))
	}
	return map[string][]byte{"1.0/MCIF1.0.short.it.ref.xml.gz": ref("yes"), "1.1/MCIF.short.it.ref.xml.gz": ref("no")}
}

// evalMCIF runs the command on outputs that answer "yes".
func evalMCIF(t *testing.T, more ...string) (code int, out, errOut string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "out.xml")
	text := `<testset name="me"><task track="short" text_lang="it"><sample id="1">yes</sample><sample id="2">uno</sample></task></testset>`
	fixture.OK(t, os.WriteFile(path, []byte(text), 0o600))
	var o, e bytes.Buffer
	args := append([]string{"eval", "mcif", "-s", path, "-t", "short", "-l", "it", "--scorers", "lengths"}, more...)
	code = execute(t.Context(), args, &o, &e)
	return code, o.String(), e.String()
}

func TestReferencesFromHub(t *testing.T) {
	h := startHub(t, hubToken, hubReferences(t))
	setHub(t, h)
	for _, c := range []struct{ version, name, want string }{
		{"1.0", "MCIF1.0.short.it.ref.xml.gz", `{"state": "OK", "scores": {"QA-BERTScore": 1.0, "TRANS-COMET": 1.0}}`},
		{"1.1", "MCIF.short.it.ref.xml.gz", `{"state": "OK", "scores": {"QA-BERTScore": 0.6666666666666667, "TRANS-COMET": 1.0}}`},
	} {
		t.Run(c.version, func(t *testing.T) {
			if code, out, errOut := evalMCIF(t, "-v", c.version, "--compat"); code != exitDone || out != c.want+"\n" {
				t.Fatalf("exit code %d, %s%s", code, out, errOut)
			}
			const at = " /datasets/FBK-MT/MCIF/resolve/"
			if asked, want := h.requests(), []string{"HEAD" + at + c.version + "/" + c.name, "GET" + at + hubCommits[c.version] + "/" + c.name}; !slices.Equal(asked, want) {
				t.Errorf("the hub was asked %q, want %q", asked, want)
			}
			if _, err := os.Stat(filepath.Join(os.Getenv("HF_HOME"), "hub", "datasets--FBK-MT--MCIF", "snapshots", hubCommits[c.version], c.name)); err != nil {
				t.Errorf("it is not where huggingface_hub would look for it: %v", err)
			}

			if code, out, errOut := evalMCIF(t, "-v", c.version, "--compat"); code != exitDone || out != c.want+"\n" {
				t.Errorf("the second time exit code %d, %s%s", code, out, errOut)
			}
			for _, r := range h.requests() {
				if strings.HasPrefix(r, "GET") {
					t.Errorf("it was downloaded again: %s", r)
				}
			}

			t.Setenv("HF_HUB_OFFLINE", "1")
			if code, out, errOut := evalMCIF(t, "-v", c.version, "--compat"); code != exitDone || out != c.want+"\n" {
				t.Errorf("offline exit code %d, %s%s", code, out, errOut)
			}
			if asked := h.requests(); len(asked) > 0 {
				t.Errorf("offline the hub was asked %q", asked)
			}
		})
	}
}

// The cache serves where the hub does not, and the report says so.
func TestReferencesWithoutHub(t *testing.T) {
	h := startHub(t, hubToken, hubReferences(t))
	setHub(t, h)
	if code, _, errOut := evalMCIF(t, "--compat"); code != exitDone {
		t.Fatalf("exit code %d: %s", code, errOut)
	}
	t.Setenv("HF_TOKEN", "hf_expired")
	out := filepath.Join(t.TempDir(), "results")
	code, text, errOut := evalMCIF(t, "--out", out)
	if code != exitDone || !strings.Contains(text, "warnings") || !strings.Contains(text, "401") || strings.Contains(text+errOut, "hf_expired") {
		t.Errorf("exit code %d: %s%s", code, text, errOut)
	}
}

func TestHubRefuses(t *testing.T) {
	h := startHub(t, hubToken, nil)
	setHub(t, h)
	const missing = "there is no file MCIF1.0.short.it.ref.xml.gz at revision 1.0"
	code, out, errOut := evalMCIF(t, "--compat")
	if code != exitDone || !strings.HasPrefix(out, `{"state": "ERROR", "reason": "`) || !strings.Contains(out, missing) || errOut != "" {
		t.Errorf("exit code %d: %s%s", code, out, errOut)
	}
	if code, _, errOut = evalMCIF(t); code != exitFailed || !strings.Contains(errOut, missing) {
		t.Errorf("exit code %d: %s", code, errOut)
	}
	t.Setenv("HF_TOKEN", "hf_wrong")
	code, _, errOut = evalMCIF(t)
	if code != exitFailed || !strings.Contains(errOut, "accept the conditions at "+h.URL+"/datasets/FBK-MT/MCIF") || strings.Contains(errOut, "hf_wrong") {
		t.Errorf("exit code %d: %s", code, errOut)
	}
}
