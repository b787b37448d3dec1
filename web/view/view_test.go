package view

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/internal/testing/browser"
	"omniscope/internal/testing/fixture"
	"omniscope/metric"
	"omniscope/run"
	"omniscope/run/journal"
	"omniscope/run/journal/sqlite"
	"omniscope/web"
)

const hostile = `</script><script>document.title='taken'</script><img src=x onerror="document.title='taken'">`

// A folder is one with runs to look at.
type folder struct {
	testing.TB
	dir   string
	index *index // of the last viewer
}

func newFolder(t testing.TB) *folder { return &folder{TB: t, dir: t.TempDir()} }

func (f *folder) write(name, text string) {
	f.Helper()
	path := filepath.Join(f.dir, filepath.FromSlash(name))
	fixture.OK(f, os.MkdirAll(filepath.Dir(path), 0o755))
	fixture.OK(f, os.WriteFile(path, []byte(text), 0o644))
}

func (f *folder) json(v any) string {
	text, err := json.Marshal(v)
	fixture.OK(f, err)
	return string(text)
}

// scores writes a run of so many cases. A case is worth its number's share of all.
func (f *folder) scores(name, system string, cases int) {
	value := 0.5
	slice := document.Slice{Dimension: "overall", Group: "all", Scores: map[string]omniscope.Score{"accuracy": {Value: &value, N: cases}}}
	r := document.Results{Schema: document.Schema, Status: document.Scored, System: system, Samples: cases, Outcomes: map[string]int{"ok": cases},
		Benchmark: document.BenchmarkInfo{Name: "omni-cloze", Title: "Omni-Cloze"}, Run: document.RunInfo{ID: "run-of-" + filepath.Base(name), Finished: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)},
		Headline: document.Headline{Scoring: "strict", Scores: slice.Scores}, Scorings: []document.ScoringInfo{{Name: "strict", Slices: []document.Slice{slice}}}}
	f.write(name+"/results.json", f.json(&r))
	var lines strings.Builder
	for i := range cases {
		score := float64(i) / float64(cases)
		c := document.Case{Unit: fmt.Sprintf("clip-%05d", i), Score: &score, Media: "clips/a.mp4", Sections: []document.Section{{Title: "Caption", Text: []document.Piece{{Text: hostile}}}}}
		if i%10 == 9 {
			c.Outcome = omniscope.Refused
		}
		lines.WriteString(f.json(&c) + "\n")
	}
	f.write(name+"/"+bench.CasesFile, lines.String())
}

func metricOf(string) (*metric.Metric, error) { return &metric.Cloze, nil }

// viewer serves a folder.
func (f *folder) viewer(media ...string) *httptest.Server {
	f.Helper()
	v, err := New(Options{Folder: f.dir, Media: media, MetricOf: metricOf})
	fixture.OK(f, err)
	f.index = v.index
	s := httptest.NewServer(web.Handler(v.Handler(), Style, nil))
	f.Cleanup(func() {
		s.Close()
		if err := v.Close(); err != nil {
			f.Error(err)
		}
	})
	return s
}

func get(t testing.TB, s *httptest.Server, path string) (status int, page string) {
	t.Helper()
	resp, err := http.Get(s.URL + path)
	fixture.OK(t, err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	fixture.OK(t, err)
	return resp.StatusCode, string(text)
}

// has checks that a page holds texts, and none of those that begin with "!".
func has(t testing.TB, s *httptest.Server, path string, status int, texts ...string) (page string) {
	t.Helper()
	got, page := get(t, s, path)
	if got != status {
		t.Errorf("%s: status %d, want %d", path, got, status)
	}
	for _, text := range texts {
		not, is := strings.CutPrefix(text, "!")
		if strings.Contains(page, not) == is {
			t.Errorf("%s: %q is there: %v\n%s", path, not, is, page)
		}
	}
	return page
}

const details = `{"run":"0123456789ab","spec":{"dataset":"omni-cloze","model":{"model":"openai/a"},"temperature":0}}
{"sample":"one","outcome":"ok","answer":"A dog barks.","words":3,"sent":{"modality":"audio-visual","file":"clips/a.mp4","prompt":"Describe.","frames":{"count":8,"width":64,"height":48}},"usage":{"tokens_in":3,"tokens_out":4}}
{"sample":"two","outcome":"refused","why":"it would not","sent":{"modality":"audio-visual"},"usage":{}}
`

func TestListShowsWhatThereIs(t *testing.T) {
	f := newFolder(t)
	f.scores("a", "careful", 3)
	f.write("b/m.details.jsonl", details)
	f.write("old/results.json", `{"schema":"omniscope.results/0","benchmark":{"name":"omni-cloze"}}`)
	f.write("torn/results.json", `{"schema":"omniscope.resu`)
	f.write("theirs/results.json", `{"accuracy":1}`)
	f.write("huge/results.json", strings.Repeat(" ", 65<<20))
	f.write("clip/report.json", `{"schema":"omniscope.investigation/1","clip":{"id":"harbour","path":"clips/a.mp4"},"planner":"offline","outcome":"ok","turns":[{},{}]}`)
	link := filepath.Join(t.TempDir(), "link")
	fixture.OK(t, os.Symlink(f.dir, link))
	f.dir = link
	s := f.viewer()
	has(t, s, "/", 200, "6 of 6 runs", "more than results have", "careful", "accuracy 50.0", "3 samples", "m.details.jsonl", "openai/a", "harbour", "2 inquiries",
		"make the results again with this version", "was it being written when the machine stopped?", "!theirs")
	has(t, s, "/?q=CAREFUL", 200, "1 of 6 runs", "!openai/a")
	has(t, s, "/?kind=answers", 200, "1 of 6 runs", "openai/a")
	has(t, s, "/?state=unreadable", 200, "3 of 6 runs", "!careful")
	has(t, s, "/?q=nothing", 200, "0 of 6 runs", "Nothing fits")
	has(t, s, "/run/old", 400, "make the results again with this version")
	has(t, s, "/run/elsewhere", 404, "there is no run at elsewhere")
	has(t, s, "/elsewhere", 404, "there is no page")
}

func TestSamplesOfARun(t *testing.T) {
	f := newFolder(t)
	f.scores("a", "careful", 250)
	s := f.viewer()
	page := has(t, s, "/run/a", 200, "Omni-Cloze", "250 of 250 samples", "clip-00000", "!clip-00100<", "1–100 of 250")
	if strings.Index(page, "clip-00000") > strings.Index(page, "clip-00001") {
		t.Error("the worst does not come first")
	}
	has(t, s, "/run/a?from=200", 200, "201–250 of 250", "clip-00200")
	has(t, s, "/run/a?order=best", 200, "clip-00249", "!clip-00100<")
	has(t, s, "/run/a?outcome=refused", 200, "25 of 250 samples", "clip-00009")
	has(t, s, "/run/a?q=clip-0010", 200, "10 of 250 samples")
	has(t, s, "/run/a?from=99999&q=clip", 200, "250 of 250 samples")
	has(t, s, "/case/a?unit=clip-00002", 200, "clip-00002", "unit=clip-00001", "unit=clip-00003", "clips/a.mp4 is not here: name the folder of the media with --media", "&lt;script&gt;", "!<script>document")
	has(t, s, "/case/a?unit=nobody", 404, "has no sample")
}

func TestAnswersOfAModel(t *testing.T) {
	f := newFolder(t)
	f.write("m.details.jsonl", details)
	s := f.viewer()
	has(t, s, "/run/m.details.jsonl", 200, "2 of 2 samples", "temperature")
	has(t, s, "/calls/m.details.jsonl", 200, "No journal below this folder has this run")
	has(t, s, "/case/m.details.jsonl?unit=one", 200, "A dog barks.", "8 frames of 64 x 48", "Describe.", "3 in, 4 out")
	has(t, s, "/case/m.details.jsonl?unit=two", 200, "refused", "it would not")
}

// TestPlayerGetsParts asks for the middle of a file, as a player does, and for what no
// run names.
func TestPlayerGetsParts(t *testing.T) {
	f := newFolder(t)
	f.scores("a", "careful", 1)
	f.write("secret.mp4", "not of any sample")
	f.write("media/clips/a.mp4", "0123456789")
	s := f.viewer(filepath.Join(f.dir, "media"))
	has(t, s, "/case/a?unit=clip-00000", 200, `<video controls preload="metadata" src="/media/a?unit=clip-00000"`)
	req, _ := http.NewRequest("GET", s.URL+"/media/a?unit=clip-00000", nil)
	req.Header.Set("Range", "bytes=3-5")
	resp, err := http.DefaultClient.Do(req)
	fixture.OK(t, err)
	defer resp.Body.Close()
	part := make([]byte, 10)
	n, _ := resp.Body.Read(part)
	if resp.StatusCode != http.StatusPartialContent || string(part[:n]) != "345" || resp.Header.Get("Content-Type") != "video/mp4" {
		t.Errorf("%d %q %v", resp.StatusCode, part[:n], resp.Header)
	}
	for _, path := range []string{"/media/a?unit=secret.mp4", "/media/a", "/media/a?unit=../secret.mp4", "/media/secret.mp4", "/media/..%2f..%2fetc%2fpasswd?unit=clip-00000"} {
		if code, page := get(t, s, path); code != 404 || strings.Contains(page, "not of any sample") {
			t.Errorf("%s: %d", path, code)
		}
	}
}

// TestMediaIsFilmSoundOrPicture refuses a run that names another file as its sample's.
func TestMediaIsFilmSoundOrPicture(t *testing.T) {
	f := newFolder(t)
	f.write("m.details.jsonl", strings.Replace(details, "clips/a.mp4", "/etc/passwd", 1))
	f.write("x.details.jsonl", strings.Replace(details, "clips/a.mp4", filepath.Join(f.dir, "a.svg"), 1))
	f.write("a.svg", "<svg/>")
	s := f.viewer()
	for _, path := range []string{"/media/m.details.jsonl?unit=one", "/media/x.details.jsonl?unit=one"} {
		if code, _ := get(t, s, path); code != 404 {
			t.Errorf("%s: %d", path, code)
		}
	}
}

// journal makes a journal with a run.
func (f *folder) journal(name string) journal.Journal {
	f.Helper()
	s, err := sqlite.Open(filepath.Join(f.dir, "work", "journal"))
	fixture.OK(f, err)
	j, err := s.Run(f.Context(), journal.Description{Name: name, Kind: "eval", Manifest: `{"benchmark":"omni-cloze","predictions":"caps.jsonl","roles":{"judge":{"model":"openai/judge"}}}`})
	fixture.OK(f, err)
	f.Cleanup(func() { j.Close(); s.Close() })
	return j
}

func (f *folder) call(j journal.Journal, step, text string) {
	f.Helper()
	e := &run.Entry{Key: run.Key{byte(len(step))}, Step: step, Attempt: 1, Kind: "model", Source: "http://a", Outcome: omniscope.OK, Started: time.Now(),
		Request: []byte(`{"messages":[{"role":"user","parts":[{"kind":"text","text":"What does ` + step + ` show?"},{"kind":"image","digest":"abc"}]}]}`),
		Result:  []byte(f.json(map[string]any{"model": "openai/judge", "answered": "judge-2", "text": text, "tokens_in": 5, "tokens_out": 2, "latency_ms": 12}))}
	fixture.OK(f, j.Append(f.Context(), e))
}

// TestRunThatGoesOn follows a run that another process works on: the list says so, and
// what it does is there when it is asked for again.
func TestRunThatGoesOn(t *testing.T) {
	f := newFolder(t)
	j := f.journal("omni-cloze-0123")
	unlock, err := sqlite.LockRun(filepath.Join(f.dir, "work", "journal"), "omni-cloze-0123")
	fixture.OK(t, err)
	f.call(j, "clip-00001", "A. "+hostile)
	s := f.viewer()
	has(t, s, "/", 200, "running", "work/journal/omni-cloze-0123", "openai/judge", `hx-trigger="every 3s"`)
	calls := "/run/work/journal/omni-cloze-0123"
	has(t, s, calls, 200, "1 calls of models, 1 of them answered", "What does clip-00001 show?", "[image abc]", "judge-2", "12ms", "5 tokens in, 2 out", "price unknown", "!$0.00", "!<script>document", `hx-trigger="every 3s"`)
	f.call(j, "clip-00002/batch", "B")
	has(t, s, calls, 200, "2 calls of models", "What does clip-00002/batch show?")
	fixture.OK(t, unlock())
	f.lookAgain()
	has(t, s, "/", 200, "calls, stopped")
	fixture.OK(t, j.(*sqlite.Journal).MarkWritten("/elsewhere/out"))
	f.lookAgain()
	has(t, s, "/", 200, "results in /elsewhere/out", "!calls, stopped")
}

// lookAgain makes the last look an old one, and waits until the next one ends.
func (f *folder) lookAgain() {
	f.Helper()
	x := f.index
	x.mu.Lock()
	x.last = time.Now().Add(-2 * lookAgain)
	x.mu.Unlock()
	x.list(f.Context())
	x.mu.Lock()
	looking := x.looking
	x.mu.Unlock()
	if looking != nil {
		<-looking
	}
}

// TestCallsOfASample shows the judge's prompt and reply beside the sample.
func TestCallsOfASample(t *testing.T) {
	f := newFolder(t)
	f.scores("a", "careful", 12)
	j := f.journal("run-of-a")
	f.call(j, "clip-00001", "reply one")
	f.call(j, "clip-00001/cluster|boy", "reply two")
	f.call(j, "clip-000011", "reply three")
	s := f.viewer()
	has(t, s, "/", 200, "1 of 1 runs")
	has(t, s, "/case/a?unit=clip-00001", 200, "reply one", "reply two", "!reply three", "What does clip-00001 show?")
	has(t, s, "/calls/a", 200, "3 calls of models", "reply three")
	has(t, s, "/calls/a?failed=1", 200, "!reply three")
}

func TestJournalOfAnOlderVersion(t *testing.T) {
	f := newFolder(t)
	f.scores("a", "careful", 1)
	f.write("work/journal/journal.db", "no database at all, as long as a page would be")
	s := f.viewer()
	has(t, s, "/", 200, "2 of 2 runs", "is no journal")
	has(t, s, "/case/a?unit=clip-00000", 200, "clip-00000")
}

func TestCompareAndDiffSayWhatTheyNeed(t *testing.T) {
	f := newFolder(t)
	f.scores("a", "careful", 3)
	f.scores("b", "vague", 3)
	s := f.viewer()
	has(t, s, "/compare?run=a", 400, "mark two runs with scores or more in the list, not 1")
	has(t, s, "/diff?run=a&run=b&run=b", 400, "mark two runs in the list, not 3")
	has(t, s, "/compare?run=a&run=nobody", 404)
}

// TestViewerInABrowser looks for a run, goes through its samples by keys, and marks runs,
// by mouse, by keyboard and on a phone. Hostile texts stay texts.
func TestViewerInABrowser(t *testing.T) {
	f := newFolder(t)
	f.scores("careful", hostile, 120)
	f.scores("vague", "vague", 120)
	f.write("careful/clips/a.mp4", "")
	s := f.viewer()
	p := browser.Open(t, s.URL, 1200, 900)
	p.WaitFor(`document.querySelectorAll('table.runs tbody tr').length === 2`)
	p.Keys("/")
	p.WaitFor(`document.activeElement.name === 'q'`)
	p.Value(`document.activeElement.value = ''`, nil) // a real key is not typed where it is heeded
	p.Fill("input[name=q]", "vague")
	p.WaitFor(`document.querySelectorAll('table.runs tbody tr').length === 1 && location.search.includes('q=vague')`)
	p.Click("table.runs a")
	p.WaitFor(`document.querySelectorAll('#units tbody tr').length === 100`)
	p.Click("#units tbody tr a")
	p.WaitFor(`document.readyState === 'complete' && document.querySelector('h3')?.textContent.startsWith('clip-00000')`)
	p.Keys("j")
	p.WaitFor(`document.readyState === 'complete' && document.querySelector('h3')?.textContent.startsWith('clip-00001')`)
	p.Keys("k")
	p.WaitFor(`document.querySelector('h3')?.textContent.startsWith('clip-00000')`)
	var title string
	p.Value(`document.title`, &title)
	if strings.Contains(title, "taken") {
		t.Errorf("a caption made the title %q", title)
	}
	for _, path := range []string{"/", "/run/careful", "/case/careful?unit=" + url.QueryEscape("clip-00000")} {
		p := browser.Open(t, s.URL+path, 320, 700)
		p.WaitFor(`document.readyState === 'complete'`)
		var wide int
		if p.Value(`document.documentElement.scrollWidth`, &wide); wide > 320 {
			t.Errorf("%s is %d pixels wide on a phone of 320", path, wide)
		}
		p.Quiet(s.URL)
	}
	p.Quiet(s.URL)
}

// BenchmarkListOfTenThousandRuns asks for pages of the list, once all runs are known.
func BenchmarkListOfTenThousandRuns(b *testing.B) {
	f := newFolder(b)
	for i := range 10_000 {
		f.scores(fmt.Sprintf("group-%03d/run-%05d", i/100, i), fmt.Sprintf("system-%d", i%37), 1)
	}
	s := f.viewer()
	begun := time.Now()
	for _, page := get(b, s, "/"); !strings.Contains(page, "10000 runs") || strings.Contains(page, "looked through"); _, page = get(b, s, "/") {
		time.Sleep(20 * time.Millisecond)
	}
	b.ReportMetric(time.Since(begun).Seconds(), "s-first-look")
	for _, c := range []struct{ name, path string }{{"all", "/"}, {"search", "/?q=system-7"}, {"last", "/?order=system&from=9900"}, {"run", "/run/group-099/run-09999"}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				has(b, s, c.path, 200)
			}
		})
	}
}

// BenchmarkRunOfSeventyThousandSamples asks for pages of one run, once it is read.
func BenchmarkRunOfSeventyThousandSamples(b *testing.B) {
	f := newFolder(b)
	f.scores("a", "careful", 70_000)
	s := f.viewer()
	begun := time.Now()
	has(b, s, "/run/a", 200)
	b.ReportMetric(time.Since(begun).Seconds(), "s-first-time")
	for _, c := range []struct{ name, path string }{{"worst", "/run/a"}, {"search", "/run/a?q=clip-6999"}, {"last", "/run/a?order=given&from=69900"}, {"case", "/case/a?unit=clip-69999&order=given"}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				has(b, s, c.path, 200)
			}
		})
	}
}
