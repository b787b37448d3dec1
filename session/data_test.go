package session

import (
	"crypto/sha1" // git names its blobs by it
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"omniscope/bench"
)

// A file that the hub lacks and a part whose files are not known stop no other.
func TestGetDataDownloadsWhatItCanAndNamesTheRest(t *testing.T) {
	const content = "{\"uuid\": 1}\n"
	sum := sha1.Sum([]byte(fmt.Sprintf("blob %d\x00%s", len(content), content)))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Repo-Commit", strings.Repeat("a", 40))
		if !strings.HasSuffix(r.URL.Path, "/rows.jsonl") {
			w.Header().Set("X-Error-Code", "EntryNotFound")
			http.NotFound(w, r)
			return
		}
		w.Header().Set("ETag", `"`+hex.EncodeToString(sum[:])+`"`)
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader(content))
	}))
	defer server.Close()
	t.Setenv("HF_ENDPOINT", server.URL)
	t.Setenv("HF_HOME", t.TempDir())
	for _, name := range []string{"HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"} {
		t.Setenv(name, "")
	}
	file := func(name string) bench.DatasetFile {
		return bench.DatasetFile{Dataset: "org/set", Revision: "1.0", Name: name}
	}
	info := bench.Info{Name: "quiz", Needs: []bench.Need{
		{Part: "media", Hub: "org/set", Gated: true, Flag: "--media"},
		{Part: "annotations", Hub: "org/set", Files: []bench.DatasetFile{file("gone.jsonl"), file("rows.jsonl")}, Flag: "--data"},
	}}
	var got []string
	err := GetData(t.Context(), info, "", nil, func(path string, _ []string) { got = append(got, path) })
	if err == nil || !strings.Contains(err.Error(), "accept its conditions") || !strings.Contains(err.Error(), "gone.jsonl") {
		t.Errorf("error %v", err)
	}
	if len(got) != 1 {
		t.Fatalf("downloaded %q: %v", got, err)
	}
	if text, err := os.ReadFile(got[0]); err != nil || string(text) != content {
		t.Errorf("%q, %v", text, err)
	}
	rows, err := DataRows(info)
	if err != nil || len(rows) != 3 {
		t.Fatalf("%v, %v", rows, err)
	}
	if rows[0].Path != "" || !strings.Contains(rows[0].Do, "--media") || rows[1].Path != "" || rows[2].Path != got[0] || rows[2].Do != "" {
		t.Errorf("listed as %+v", rows)
	}
	if err := GetData(t.Context(), info, "prompts", nil, nil); err == nil || !strings.Contains(err.Error(), "annotations") {
		t.Errorf("an unknown part: %v", err)
	}
}
