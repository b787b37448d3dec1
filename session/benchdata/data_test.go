package benchdata

import (
	"crypto/sha1" // git names its blobs by it
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/hub"
	"omniscope/internal/sha256hex"
	"omniscope/internal/testing/fixture"
	"omniscope/session/catalog"
)

// setOf is a hub with one data set, whose files are as the hub sends small ones, and
// large ones by way of another address.
func setOf(t *testing.T, files map[string]string) *httptest.Server {
	commit := strings.Repeat("a", 40)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/datasets/org/set/revision/main" {
			var siblings []string
			for name, text := range files {
				siblings = append(siblings, fmt.Sprintf(`{"rfilename":%q,"size":%d}`, name, len(text)))
			}
			fmt.Fprintf(w, `{"sha":%q,"siblings":[%s]}`, commit, strings.Join(siblings, ","))
			return
		}
		_, name, _ := strings.Cut(r.URL.Path, "/resolve/")
		_, name, _ = strings.Cut(name, "/")
		text, ok := files[name]
		w.Header().Set("X-Repo-Commit", commit)
		if !ok || strings.HasPrefix(name, "locked") {
			w.Header().Set("X-Error-Code", "GatedRepo")
			http.Error(w, "ask for it", http.StatusForbidden)
			return
		}
		sum := sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(text), text))
		etag := hex.EncodeToString(sum[:])
		if strings.HasSuffix(name, ".mp4") {
			etag = sha256hex.Of(text)
		}
		w.Header().Set("ETag", `"`+etag+`"`)
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader(text))
	}))
	t.Cleanup(server.Close)
	t.Setenv("HF_ENDPOINT", server.URL)
	t.Setenv("HF_HOME", t.TempDir())
	for _, name := range []string{"HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"} {
		t.Setenv(name, "")
	}
	return server
}

// A quiz is a benchmark with data of its own.
type quiz struct{ bench.Dataset }

func (q quiz) Info() bench.Info {
	info := q.Dataset.Info()
	info.Name = "quiz"
	info.Needs = []bench.Need{
		{Part: "annotations", Dataset: "org/set", Names: []string{"rows*.jsonl"}, Flag: "--data"},
		{Part: "references", Dataset: "org/set", Names: []string{"locked*"}, Gated: true, Flag: "--reference"},
		{Part: "media", Dataset: "org/set", Flag: "--media"},
	}
	return info
}

func openQuiz(t *testing.T) quiz {
	t.Helper()
	b, err := catalog.Benchmark("omni-cloze")
	fixture.OK(t, err)
	return quiz{b.(bench.Dataset)}
}

const quizRow = `{"uuid":"1","video_path":"./videos/%s.mp4","cloze":{"passage":"A [BLANK_1].","blanks":[{"number":1,"options":["A: a","B: b","C: c","D: d","E: not given"],"answer_key":"A","required_modality":"visual"}]}}` + "\n"

func TestDataAreDownloadedFoundAndVerified(t *testing.T) {
	setOf(t, map[string]string{"rows.jsonl": fmt.Sprintf(quizRow, "one"), "videos/one.mp4": "a film", "locked.xml": "x", "README.md": "words"})
	b := openQuiz(t)
	if _, _, err := Resolve(b.Info(), "", true); omniscope.KindOf(err) != omniscope.Usage || !strings.Contains(err.Error(), "omniscope data get quiz") {
		t.Errorf("before the download: %v", err)
	}
	var got, planned []string
	g := &Options{Got: func(path string, _ []string) { got = append(got, filepath.Base(path)) },
		Plan: func(part string, files []hub.Listed, bytes int64) {
			planned = append(planned, fmt.Sprintf("%s %d %d", part, len(files), bytes))
		}}
	g.DryRun = true
	if err := getBenchmark(t.Context(), b.Info(), g); err != nil || got != nil {
		t.Errorf("a dry run: %v, %q", err, got)
	}
	planned, g.DryRun = nil, false
	err := getBenchmark(t.Context(), b.Info(), g)
	if err == nil || !strings.Contains(err.Error(), "references of quiz") {
		t.Errorf("a part that is not given out: %v", err)
	}
	slices.Sort(got)
	if want := []string{"one.mp4", "rows.jsonl"}; !slices.Equal(got, want) {
		t.Fatalf("downloaded %q, want %q: %v", got, want, err)
	}
	if want := []string{fmt.Sprintf("annotations 1 %d", len(fmt.Sprintf(quizRow, "one"))), "references 1 1", "media 1 6"}; !slices.Equal(planned, want) {
		t.Errorf("planned %q, want %q", planned, want)
	}
	file, found, err := Resolve(b.Info(), "", true)
	if err != nil || !found || filepath.Base(file) != "rows.jsonl" {
		t.Fatalf("found %s, %v, %v", file, found, err)
	}
	c, err := verifyBenchmark(t.Context(), b, "", "")
	if err != nil || c.Bad() || c.Checked != 2 || c.Samples != 1 || c.Files != 1 || c.Data != file {
		t.Errorf("verified: %+v, %v", c, err)
	}
	video := filepath.Join(filepath.Dir(file), "videos", "one.mp4")
	blob, err := filepath.EvalSymlinks(video)
	fixture.OK(t, err)
	fixture.OK(t, os.WriteFile(blob, []byte("a filn"), 0o600))
	if c, err = verifyBenchmark(t.Context(), b, "", ""); err != nil || !c.Bad() || len(c.Damaged) != 1 {
		t.Errorf("a changed byte: %+v, %v", c, err)
	}
	fixture.OK(t, os.Remove(video))
	if c, err = verifyBenchmark(t.Context(), b, "", ""); err != nil || len(c.Missing) != 1 || len(c.Damaged) != 0 {
		t.Errorf("a film that is gone: %+v, %v", c, err)
	}
	rows, err := Rows(b.Info())
	if err != nil || len(rows) != 3 || len(rows[0].Files) != 1 || rows[1].Files != nil || !strings.Contains(rows[1].Do, "accept the conditions") {
		t.Errorf("%+v, %v", rows, err)
	}
}

func TestFilesOfOnesOwnAreNotTheCaches(t *testing.T) {
	setOf(t, map[string]string{"rows.jsonl": fmt.Sprintf(quizRow, "one"), "rows_v2.jsonl": fmt.Sprintf(quizRow, "two")})
	b := openQuiz(t)
	g := &Options{Part: "annotations", Got: func(string, []string) {}, Plan: func(string, []hub.Listed, int64) {}}
	fixture.OK(t, getBenchmark(t.Context(), b.Info(), g))
	if _, _, err := Resolve(b.Info(), "", true); err == nil || !strings.Contains(err.Error(), "rows.jsonl, rows_v2.jsonl") {
		t.Errorf("two files: %v", err)
	}
	if file, found, err := Resolve(b.Info(), "rows_v2.jsonl", true); err != nil || !found || filepath.Base(file) != "rows_v2.jsonl" {
		t.Errorf("by its name: %s, %v, %v", file, found, err)
	}
	own := filepath.Join(t.TempDir(), "rows.jsonl")
	fixture.OK(t, os.WriteFile(own, []byte(fmt.Sprintf(quizRow, "mine")), 0o600))
	if file, found, err := Resolve(b.Info(), own, true); err != nil || found || file != own {
		t.Errorf("a path: %s, %v, %v", file, found, err)
	}
	if c, err := verifyBenchmark(t.Context(), b, own, ""); err != nil || !c.Unlike || len(c.Missing) != 1 {
		t.Errorf("another version: %+v, %v", c, err)
	}
	g.Part = "prompts"
	if err := getBenchmark(t.Context(), b.Info(), g); err == nil || !strings.Contains(err.Error(), "quiz has annotations, references, media") {
		t.Errorf("an unknown part: %v", err)
	}
}

func TestNamesDoNotCollide(t *testing.T) {
	seen := make(map[string]kindOfData)
	for _, n := range allNames() {
		if kind, taken := seen[n.Name]; taken {
			t.Errorf("%s is a %s and a %s", n.Name, kind, n.Kind)
		}
		seen[n.Name] = n.Kind
	}
	for _, want := range []dataName{{"omni-cloze", Benchmark}, {"comet/wmt22-comet-da", network}, {SpeechPack, pack}} {
		if seen[want.Name] != want.Kind {
			t.Errorf("%s is a %q, want %s", want.Name, seen[want.Name], want.Kind)
		}
	}
	if _, err := Find("bert_score/d"); omniscope.KindOf(err) != omniscope.Usage || !strings.Contains(err.Error(), "did you mean bert_score/de?") {
		t.Errorf("a name with a typing error: %v", err)
	}
}

func TestFilesToCopyAreNamed(t *testing.T) {
	server := setOf(t, nil)
	b := openQuiz(t)
	g := &Options{Got: func(string, []string) {}, Plan: func(string, []hub.Listed, int64) {}}
	t.Setenv("HF_HUB_OFFLINE", "1")
	err := getBenchmark(t.Context(), b.Info(), g)
	for _, want := range []string{
		"annotations of quiz: ", "copy rows*.jsonl from " + server.URL + "/datasets/org/set/tree/main and put it into any folder, and give it with --data",
		"media of quiz: ", "copy all files except README.md and rows*.jsonl, locked* from ", "give the folder with --media",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
	if err != nil && strings.Contains(err.Error(), "download") {
		t.Errorf("it names a file that nobody needs: %v", err)
	}
}

func TestRemoveDownloadedFiles(t *testing.T) {
	setOf(t, map[string]string{"rows.jsonl": fmt.Sprintf(quizRow, "one"), "videos/one.mp4": "a film", "README.md": "words"})
	b := openQuiz(t)
	g := &Options{Got: func(string, []string) {}, Plan: func(string, []hub.Listed, int64) {}}
	if err := getBenchmark(t.Context(), b.Info(), g); err == nil {
		t.Error("the locked part was given")
	}
	client, err := hub.FromEnv()
	fixture.OK(t, err)
	files, bytes, err := client.Remove(repoOf(b.Info().Needs[0]), func(name string) bool { return name == "videos/one.mp4" })
	if err != nil || files != 1 || bytes != int64(len("a film")) {
		t.Errorf("%d files, %d bytes, %v", files, bytes, err)
	}
	if _, names, err := client.CachedFiles(repoOf(b.Info().Needs[0])); err != nil || !slices.Equal(names, []string{"rows.jsonl"}) {
		t.Errorf("the cache has %q, %v", names, err)
	}
	if err := filepath.WalkDir(os.Getenv("HF_HOME"), func(path string, _ os.DirEntry, err error) error {
		if text, _ := os.ReadFile(path); string(text) == "a film" {
			t.Errorf("the bytes are still in %s", path)
		}
		return err
	}); err != nil {
		t.Error(err)
	}
}

func TestStatisticsOfSamples(t *testing.T) {
	b, err := catalog.Benchmark("omni-cloze")
	fixture.OK(t, err)
	path := filepath.Join(t.TempDir(), "rows.jsonl")
	row := func(id, video, category string) string {
		return strings.Replace(fmt.Sprintf(quizRow, video), `"uuid":"1"`, `"uuid":"`+id+`","metadata":{"category":"`+category+`"}`, 1)
	}
	fixture.OK(t, os.WriteFile(path, []byte(row("1", "one", "Life")+row("2", "one", "Life")+row("3", "two", "Sport")), 0o600))
	s, err := Describe(t.Context(), b.(bench.Dataset), path)
	fixture.OK(t, err)
	if s.All.Samples != 3 || s.All.Media != 2 || s.All.Seconds != nil || s.All.PromptWords != nil {
		t.Errorf("all: %+v", s.All)
	}
	if len(s.Groups) != 2 || s.Groups[0].Value != "Life" || s.Groups[0].Samples != 2 || s.Groups[0].Media != 1 || s.Groups[1].Samples != 1 {
		t.Errorf("groups: %+v", s.Groups)
	}
}
