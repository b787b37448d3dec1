package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"omniscope/internal/sha256hex"
)

// TestDataOfTheHub downloads a benchmark's data from a hub that gives one file and
// keeps the other to itself, and runs on what came.
func TestDataOfTheHub(t *testing.T) {
	q, c := newInquest(t), startCaptioner(t)
	commit := strings.Repeat("b", 40)
	hub := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Repo-Commit", commit)
		switch {
		case strings.HasPrefix(r.URL.Path, "/api/datasets/BoJack/Omni-Cloze/"):
			fmt.Fprintf(w, `{"sha":%q,"siblings":[{"rfilename":"omni_cloze.jsonl","size":%d},{"rfilename":"film.mp4","size":9}]}`, commit, len(clozeOfFilm))
		case strings.HasSuffix(r.URL.Path, "/omni_cloze.jsonl"):
			w.Header().Set("ETag", `"`+sha256hex.Of(clozeOfFilm)+`"`)
			w.Header().Set("Content-Length", fmt.Sprint(len(clozeOfFilm)))
			fmt.Fprint(w, clozeOfFilm)
		default:
			w.Header().Set("X-Error-Code", "GatedRepo")
			http.Error(w, "accept the conditions", http.StatusForbidden)
		}
	}))
	defer hub.Close()
	t.Setenv("HF_ENDPOINT", hub.URL)
	t.Setenv("HF_HOME", q.path("hf"))
	q.command("data", "get", "omni-cloze", "--quiet").must(t, exitFailed).prints(t, "omni_cloze.jsonl\n").says(t, "media of omni-cloze")
	var listing struct{ Benchmarks []struct{ Files []string } }
	q.command("data", "list", "omni-cloze").prints(t, "  annotations  --data       1 files, ", "  media        --media      not here: omniscope data get omni-cloze --part media\n")
	if v := q.command("data", "list", "omni-cloze", "--json"); json.Unmarshal([]byte(v.out), &listing) != nil || len(listing.Benchmarks) != 2 || len(listing.Benchmarks[0].Files) != 1 || listing.Benchmarks[1].Files != nil {
		t.Errorf("list: %s%s", v.out, v.errOut)
	}
	q.command("data", "verify", "omni-cloze").ends(t, exitFailed).prints(t, "1 named, 1 missing").says(t, "omniscope data get omni-cloze")
	q.shortClip("film.mp4")
	v := q.command("run", "omni-cloze", "--no-score", "--model", "openai/m,base-url="+c.URL(), "--media", q.dir, "--work-dir", q.path("work"), "--out", q.path("out/"), "--quiet", "--blind-share", "0")
	if v.code != exitDone || !strings.Contains(v.errOut, "data: "+q.path("hf")) || c.Stats().Answered != 1 {
		t.Errorf("predict: exit %d: %s%s", v.code, v.out, v.errOut)
	}
	for _, args := range [][]string{{"data", "get", "omni-clze"}, {"data", "list", "omni-clze"}, {"data", "get", "omni-cloze", "--part", "media2"}} {
		if v := q.command(args...); v.code != exitUsage || !strings.Contains(v.errOut, "omni-cloze") {
			t.Errorf("%v: exit %d: %s", args, v.code, v.errOut)
		}
	}
}
