package claims

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/detective"
	"omniscope/detective/plant"
	"omniscope/internal/testing/benchtest"
	"omniscope/internal/testing/captionstest"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
	"omniscope/internal/testing/runtest"
	"omniscope/media/wav"
	"omniscope/model/wrap"
	"omniscope/perceive"
	"omniscope/run"
)

// A witness is an observer that answers by a function of the claim: a verdict, or "" for a call
// that fails.
type witness struct {
	name string
	says func(clip, claim string) string
}

func (w witness) Info() perceive.Info {
	return perceive.Info{Name: w.name, Version: "1", Modality: omniscope.AudioVisual, Asks: true}
}
func (witness) Check(context.Context) error { return nil }
func (w witness) Observe(_ context.Context, c *perceive.Clip, question string) (*perceive.Answer, error) {
	_, claim, _ := strings.Cut(question, "\n\n")
	claim, _, _ = strings.Cut(claim, "\n\n")
	verdict := w.says(string(c.ID), claim)
	if verdict == "" {
		return nil, &omniscope.Error{Kind: omniscope.Transient, Op: "observe", Err: errors.New("no answer")}
	}
	return &perceive.Answer{Text: fmt.Sprintf(`{"verdict": %q, "why": "so it is"}`, verdict)}, nil
}

// witnesses are bench.Observers.
type witnesses struct {
	list []witness
	once *run.Once
}

func (w *witnesses) Models() int { return len(w.list) }

func (w *witnesses) Tools() (tools []perceive.Tool, once *run.Once, err error) {
	for _, one := range w.list {
		tools = append(tools, one)
	}
	return tools, w.once, nil
}

func one(says func(clip, claim string) string) *witnesses {
	return &witnesses{list: []witness{{"observer1", says}}}
}

// splitter takes each sentence for a claim.
var splitter = captionstest.Judge(func(_ string, _ int, text string) string {
	_, caption, _ := strings.Cut(text, "The description:\n\n")
	var claims []map[string]string
	for s := range strings.SplitSeq(strings.TrimSpace(caption), ". ") {
		claims = append(claims, map[string]string{"text": strings.TrimSuffix(s, ".") + ".", "sense": "audio-visual"})
	}
	out, _ := json.Marshal(map[string]any{"claims": claims})
	return string(out)
})

// clips makes a folder with short sounds of these names.
func clips(t *testing.T, names ...string) string {
	t.Helper()
	need.FFmpeg(t)
	dir := t.TempDir()
	pcm := make([]byte, 3200)
	for _, name := range names {
		fixture.OK(t, os.WriteFile(filepath.Join(dir, name+".wav"), append(wav.Header(16000, 1, len(pcm)), pcm...), 0o600))
	}
	return dir
}

// setting is what a test scores.
type setting struct {
	captions string // lines
	media    string
	cloze    string
	seen     *witnesses
	file     string // that captions are in; "" = one is written
	splitter captionstest.Judge
}

func (s setting) of(t *testing.T, scoring bench.Scoring) (bench.Benchmark, bench.Inputs) {
	t.Helper()
	if s.splitter == nil {
		s.splitter = splitter
	}
	if s.file == "" {
		s.file = captionstest.File(t, "captions.jsonl", s.captions)
	}
	in := captionstest.Inputs("", s.file, s.splitter, scoring, 2)
	in.Observers = s.seen
	return &benchmark{media: s.media, cloze: s.cloze}, in
}

func (s setting) score(t *testing.T) *document.Results {
	t.Helper()
	b, in := s.of(t, bench.Strict)
	return captionstest.Score(t, b, in)
}

func agrees(string, string) string { return "supported" }

const twoCaptions = `{"clip": "a", "caption": "A red bus. A horn sounds."}
{"clip": "b.wav", "caption": "Nobody speaks."}`

func TestSuite(t *testing.T) {
	s := setting{file: captionstest.File(t, "captions.jsonl", twoCaptions), media: clips(t, "a", "b"), seen: one(agrees)}
	for _, scoring := range []bench.Scoring{bench.Official, bench.Strict} {
		t.Run(scoring.String(), func(t *testing.T) {
			b, in := s.of(t, scoring)
			benchtest.Run(t, b, in, benchtest.Workers, "sense")
		})
		t.Run("anywhere "+scoring.String(), func(t *testing.T) {
			benchtest.Isolated(t, func(t *testing.T, journal run.Journal, calls *atomic.Int64) (bench.Benchmark, bench.Inputs) {
				b, in := s.of(t, scoring)
				in.Observers = &witnesses{list: s.seen.list, once: &run.Once{Journal: journal}}
				in.Judge.Model = wrap.Stack(benchtest.Counting{Model: splitter, Calls: calls}, wrap.Options{Name: "test/judge", Source: "test", ByStep: true, Once: &run.Once{Journal: journal}})
				return b, in
			}, func() run.Journal { return runtest.NewMemory() }, benchtest.Workers)
		})
	}
}

func whole(r *document.Results) map[string]omniscope.Score {
	return captionstest.Whole(r, bench.Strict)
}

// counts are those of a slice.
func counts(r *document.Results, dimension, group string) map[string]float64 {
	for _, s := range r.Scorings[bench.Strict].Slices {
		if s.Dimension == dimension && s.Group == group {
			return s.Counts
		}
	}
	return nil
}

func wantScore(t *testing.T, r *document.Results, name string, want float64) {
	t.Helper()
	if got := whole(r)[name].Value; got == nil || math.Abs(*got-want) > 1e-12 {
		t.Errorf("%s is %v, want %v", name, value(got), want)
	}
}

func value(v *float64) any {
	if v == nil {
		return nil
	}
	return *v
}

// TestPlantedClaimsMeasureTheAudit plants claims in true captions, and has them audited by an
// observer that knows the truth and errs at known places. What the benchmark says of the audit
// equals a count of those.
func TestPlantedClaimsMeasureTheAudit(t *testing.T) {
	const n = 40
	var lines, names []string
	found, planted, alarms, own := make(map[string]float64), make(map[string]float64), 0.0, 0.0
	truth, errs := make(map[string]bool), func(clip string) bool { return strings.HasSuffix(clip, "3") || strings.HasSuffix(clip, "7") }
	for i := range n {
		id := fmt.Sprintf("clip%d", i)
		names = append(names, id)
		sentences := []string{"A red kite flies over the beach", "Two boys run", "A man says hello", "The rain ends after the horn", "A dog barks", `A sign reads "OPEN AT 9"`, "Nothing else happens"}
		for _, s := range sentences {
			truth[id+s+"."] = true
		}
		caption, list := plant.In(strings.Join(sentences, ". ")+".", plant.Kinds, uint64(i))
		for _, p := range list {
			planted[p.Kind]++
			if !errs(id) { // it contradicts what is false, unless it errs
				found[p.Kind]++
			}
		}
		own += float64(len(sentences) - len(list))
		if errs(id) {
			alarms += float64(len(sentences) - len(list))
		}
		line, err := json.Marshal(map[string]any{"clip": id, "caption": caption, "planted": list})
		fixture.OK(t, err)
		lines = append(lines, string(line))
	}
	r := setting{captions: strings.Join(lines, "\n"), media: clips(t, names...), seen: one(func(clip, claim string) string {
		if truth[clip+claim] != errs(clip) {
			return "supported"
		}
		return "contradicted"
	})}.score(t)
	var all, allFound float64
	for kind, n := range planted {
		all, allFound = all+n, allFound+found[kind]
		if c := counts(r, "kind", kind); c["planted_contradicted"] != found[kind] || c["planted_supported"] != n-found[kind] || c["planted_lost"] != 0 {
			t.Errorf("%s: %v, want %v of %v found", kind, c, found[kind], n)
		}
	}
	if len(planted) < len(plant.Kinds) || alarms == 0 || allFound == all {
		t.Fatalf("planted %v, found %v, %v alarms: this tests nothing", planted, found, alarms)
	}
	wantScore(t, r, "planted_found", allFound/all)
	wantScore(t, r, "false_alarms", alarms/own)
	wantScore(t, r, "contradicted", alarms/own)
	if i := whole(r)["planted_found"].Interval; i == nil || i.Low >= allFound/all || i.High <= allFound/all {
		t.Errorf("interval %+v of %v", i, allFound/all)
	}
}

func TestPlantedClaimThatNoClaimRepeatsIsMissed(t *testing.T) {
	s := setting{media: clips(t, "a"), seen: one(agrees),
		captions: `{"clip": "a", "caption": "A green kite flies.", "planted": [{"kind": "colour", "from": "red", "to": "green", "was": "A red kite flies.", "sentence": "A green kite flies."}]}`}
	s.splitter = func(string, int, string) string { return `{"claims": [{"text": "A kite flies.", "sense": "visual"}]}` }
	r := s.score(t)
	wantScore(t, r, "planted_found", 0)
	if c := counts(r, "kind", "colour"); c["planted_lost"] != 1 {
		t.Errorf("counts %v", c)
	}
	wantScore(t, r, "false_alarms", 0)
	s.splitter = func(string, int, string) string { return "no" }
	r = s.score(t)
	if got := whole(r)["planted_found"]; got.Value != nil || got.Unscored != 1 {
		t.Errorf("with no audit planted_found is %+v, want none, and 1 unscored", got)
	}
}

// TestVerdicts counts each verdict, by two observers.
func TestVerdicts(t *testing.T) {
	says := map[string][2]string{
		"Both agree.":          {"supported", "supported"},
		"Both object.":         {"contradicted", "contradicted"},
		"They are divided.":    {"supported", "contradicted"},
		"One can tell.":        {"cannot tell", "supported"},
		"One fails.":           {"", "contradicted"},
		"Both fail.":           {"", ""},
		"One says nothing new": {"cannot tell", "cannot tell"},
	}
	var sentences []string
	for s := range says {
		sentences = append(sentences, strings.TrimSuffix(s, "."))
	}
	line, _ := json.Marshal(map[string]string{"clip": "a", "caption": strings.Join(sentences, ". ") + "."})
	see := func(i int) func(string, string) string {
		return func(_, claim string) string {
			if v, ok := says[claim]; ok {
				return v[i]
			}
			return says[strings.TrimSuffix(claim, ".")][i]
		}
	}
	r := setting{captions: string(line), media: clips(t, "a"), seen: &witnesses{list: []witness{{"observer1", see(0)}, {"observer2", see(1)}}}}.score(t)
	c := counts(r, "overall", "")
	for name, want := range map[string]float64{"supported": 2, "contradicted": 2, "unsupported": 2, "unjudged": 1, "disputed": 1, "unchecked": 0} {
		if c[name] != want {
			t.Errorf("%s: %v, want %v", name, c[name], want)
		}
	}
	wantScore(t, r, "precision", 0.5)
	wantScore(t, r, "unsupported", 1.0/3)
	if b := whole(r)["precision"].Bounds; b == nil || b.Low != 2.0/5 || b.High != 3.0/5 {
		t.Errorf("bounds %+v, want 0.4 to 0.6: the claim that is not judged may be either", b)
	}
	if all := strings.Join(r.Warnings, "\n"); !strings.Contains(all, "1 of 7 claims could not be judged (failed: ") || !strings.Contains(all, "1 of 12 answers of observers failed, and the others decided (observer1: failed: ") {
		t.Errorf("warnings %s", all)
	}
	if r.Outcomes["failed"] != 1 {
		t.Errorf("outcomes %v, want the clip failed: not all of its claims are judged", r.Outcomes)
	}
}

// TestFailuresAreNoScores has everything fail in each way there is.
func TestFailuresAreNoScores(t *testing.T) {
	media := clips(t, "a", "b")
	fixture.OK(t, os.WriteFile(filepath.Join(media, "c.mp4"), []byte("no media"), 0o600))
	for name, c := range map[string]struct {
		setting
		want string
	}{
		"observer fails":          {setting{captions: twoCaptions, seen: one(func(string, string) string { return "" })}, "failed"},
		"observer is not read":    {setting{captions: twoCaptions, seen: one(func(string, string) string { return "perhaps" })}, "unparsed"},
		"splitter fails":          {setting{captions: twoCaptions, seen: one(agrees), splitter: func(string, int, string) string { return "" }}, "failed"},
		"splitter is not read":    {setting{captions: twoCaptions, seen: one(agrees), splitter: func(string, int, string) string { return "I would say..." }}, "unparsed"},
		"no caption":              {setting{captions: `{"clip": "a", "caption": null}`, seen: one(agrees)}, "missing"},
		"empty caption":           {setting{captions: `{"clip": "a", "caption": " "}`, seen: one(agrees)}, "abstained"},
		"media that are no media": {setting{captions: `{"clip": "c", "caption": "A bus."}`, seen: one(agrees)}, "failed"},
	} {
		t.Run(name, func(t *testing.T) {
			c.media = media
			r := c.score(t)
			for score, got := range whole(r) {
				if got.Value != nil {
					t.Errorf("%s is %v, want no score", score, *got.Value)
				}
			}
			if r.Outcomes[c.want] != r.Samples {
				t.Errorf("outcomes %v, want all %s", r.Outcomes, c.want)
			}
		})
	}
}

// writeCloze makes a folder as a run of Omni-Cloze leaves it.
func writeCloze(t *testing.T, benchmark, blanks, cases string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"results.json": fmt.Sprintf(`{"benchmark": {"name": %q}, "system": "captions"}`, benchmark), "blanks.jsonl": blanks, "cases.jsonl": cases} {
		fixture.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	return dir
}

const (
	someBlanks = `{"uuid": "u1", "number": 1, "strict": "correct"}
{"uuid": "u1", "number": 2, "strict": "not_given"}
{"uuid": "u1", "number": 3, "strict": "unjudged"}
{"uuid": "u2", "number": 1, "strict": "correct"}
{"uuid": "u3", "number": 1, "strict": "wrong"}`
	someCases = `{"unit": "u1", "cluster": "videos/a.mp4"}
{"unit": "u2", "cluster": "videos/b.mp4"}
{"unit": "u3", "cluster": "videos/z.mp4"}`
)

func TestClozeGivesRecallAndF1(t *testing.T) {
	s := setting{captions: twoCaptions + "\n" + `{"clip": "c", "caption": "A bus."}`, media: clips(t, "a", "b", "c"), cloze: writeCloze(t, "omni-cloze", someBlanks, someCases),
		seen: one(func(_, claim string) string {
			if claim == "A horn sounds." {
				return "contradicted"
			}
			return "supported"
		})}
	r := s.score(t)
	wantScore(t, r, "precision", 3.0/4)
	wantScore(t, r, "recall", 2.0/3) // of the three blanks that are judged, of the two clips that have some
	wantScore(t, r, "f1", 2*(3.0/4)*(2.0/3)/(3.0/4+2.0/3))
	if f1 := whole(r)["f1"]; f1.Clusters != 3 {
		t.Errorf("F1 is of %d clips, want 3: one has no blanks, and its claims count all the same", f1.Clusters)
	}
	if got := whole(r)["recall"]; got.Unscored != 1 || got.Clusters != 2 {
		t.Errorf("recall %+v, want 1 blank unscored, of 2 clips", got)
	}
	if !strings.Contains(strings.Join(r.Warnings, "\n"), "1 of 3 clips have no blanks") {
		t.Errorf("warnings %q", r.Warnings)
	}
	s.cloze = writeCloze(t, "omni-cloze", strings.NewReplacer(`"u1"`, `"videos/u1"`, `"u2"`, `"videos/u2"`).Replace(someBlanks), "")
	s.captions = strings.NewReplacer(`"a"`, `"u1"`, `"b.wav"`, `"u2.mp4"`).Replace(twoCaptions)
	s.media = clips(t, "u1", "u2")
	wantScore(t, s.score(t), "recall", 2.0/3) // where captions go by the names of the cloze's own
}

func TestWithoutClozeThereIsNoRecall(t *testing.T) {
	r := setting{captions: twoCaptions, media: clips(t, "a", "b"), seen: one(agrees)}.score(t)
	for _, name := range []string{"recall", "f1", "planted_found", "false_alarms"} {
		if s := whole(r)[name]; s.Value != nil || s.N != 0 || s.Unscored != 0 {
			t.Errorf("%s: %+v, want nothing", name, s)
		}
	}
}

func TestBadInput(t *testing.T) {
	media := clips(t, "a", "b")
	twice := clips(t, "a")
	fixture.OK(t, os.WriteFile(filepath.Join(twice, "a.mp4"), nil, 0o600))
	good := setting{captions: twoCaptions, media: media, seen: one(agrees)}
	for says, change := range map[string]func(*setting){
		"captions.jsonl:2: a is there already, on line 1": func(s *setting) {
			s.captions = `{"clip": "a", "caption": "x"}` + "\n" + `{"clip": "a", "caption": "y"}`
		},
		`captions.jsonl:2: a and c/a.mp4, on line 1, are both called`: func(s *setting) {
			s.captions = `{"clip": "c/a.mp4", "caption": "x"}` + "\n" + `{"clip": "a", "caption": "y"}`
		},
		"the row has no text":                       func(s *setting) { s.captions = `{"clip": "a", "text": "x"}` },
		`captions.jsonl:1: "planted" is not a list`: func(s *setting) { s.captions = `{"clip": "a", "caption": "x", "planted": {"kind": "colour"}}` },
		`a planted claim lacks its "kind"`:          func(s *setting) { s.captions = `{"clip": "a", "caption": "x", "planted": [{"kind": "colour"}]}` },
		"the caption does not have the planted sentence": func(s *setting) {
			s.captions = `{"clip": "a", "caption": "x", "planted": [{"kind": "colour", "to": "red", "sentence": "A red bus."}]}`
		},
		`"There are at least four cuts." may be true whatever was planted`: func(s *setting) {
			s.captions = `{"clip": "a", "caption": "There are at least four cuts.", "planted": [{"kind": "count", "from": "two", "to": "four", "was": "There are at least two cuts.", "sentence": "There are at least four cuts."}]}`
		},
		`does not have the planted words "!"`: func(s *setting) {
			s.captions = `{"clip": "a", "caption": "A red bus!", "planted": [{"kind": "colour", "to": "!", "sentence": "A red bus!"}]}`
		},
		"captions.jsonl has no captions": func(s *setting) { s.captions = "\n" },
		"no such file":                   func(s *setting) { s.media += "/nowhere" },
		"none of the media of 2 clips, such as x": func(s *setting) {
			s.captions = strings.NewReplacer(`"a"`, `"x"`, `"b.wav"`, `"y"`).Replace(twoCaptions)
		},
		"keep one of them below --media":              func(s *setting) { s.media = twice },
		"has no results":                              func(s *setting) { s.cloze = media },
		"has the results of vdc":                      func(s *setting) { s.cloze = writeCloze(t, "vdc", someBlanks, someCases) },
		"blanks.jsonl:1: the line is none of a blank": func(s *setting) { s.cloze = writeCloze(t, "omni-cloze", `{"a": 1}`, someCases) },
		`"strict" is "perhaps", and not what becomes of a blank`: func(s *setting) {
			s.cloze = writeCloze(t, "omni-cloze", `{"uuid": "q", "strict": "perhaps"}`, someCases)
		},
		"none of its 2 clips has a caption": func(s *setting) {
			s.cloze = writeCloze(t, "omni-cloze", `{"uuid": "q", "strict": "wrong"}`, `{"unit": "q", "cluster": "other.mp4"}`)
		},
	} {
		s := good
		change(&s)
		b, in := s.of(t, bench.Strict)
		captionstest.Refused(t, b, in, says)
	}
	if err := (&benchmark{}).Check(bench.Inputs{}); err == nil || !strings.Contains(err.Error(), "--media") {
		t.Errorf("without --media: %v", err)
	}
}

func TestMissingMediaAreWarnedOf(t *testing.T) {
	r := setting{captions: twoCaptions, media: clips(t, "a"), seen: one(agrees)}.score(t)
	if r.Outcomes["missing"] != 1 || r.Outcomes["ok"] != 1 || !strings.Contains(strings.Join(r.Warnings, "\n"), "the media of 1 of 2 clips, such as b.wav, are not in") {
		t.Errorf("outcomes %v, warnings %q", r.Outcomes, r.Warnings)
	}
}

func TestForecast(t *testing.T) {
	s := setting{captions: twoCaptions + "\n" + `{"clip": "c", "caption": "Nobody is asked of a clip that is not there. Not once."}`,
		media: clips(t, "a", "b"), seen: &witnesses{list: []witness{{"observer1", agrees}, {"observer2", agrees}}}}
	for _, c := range []struct {
		split bool
		calls int
		says  string
	}{
		{true, 4, "about 4 of 2 observers, one for each claim, if a caption has one for each 8 words, less those that are remembered"}, // six words, and two
		{false, 6, "about 6 of 2 observers, one for each claim, less those that are remembered"},                                       // three sentences
	} {
		b, in := s.of(t, bench.Strict)
		if !c.split {
			in.Judge = nil
		}
		ev, err := b.Open(t.Context(), in)
		fixture.OK(t, err)
		if p := ev.Plan(); p.Follow != c.calls || p.Further != c.says {
			t.Errorf("%d calls: %q, want %d: %q", p.Follow, p.Further, c.calls, c.says)
		}
		ev.Close()
	}
}

// TestMediaOf finds files by name, by an ending that few recordings have, and by folder where
// several files have one name.
func TestMediaOf(t *testing.T) {
	media := clips(t, "a", "b")
	for _, name := range []string{"a.mp4", "c.m4v", "d.opus", "x/e.wav", "y/e.wav"} {
		path := filepath.Join(media, name)
		fixture.OK(t, os.MkdirAll(filepath.Dir(path), 0o700))
		fixture.OK(t, os.WriteFile(path, nil, 0o600))
	}
	for clip, want := range map[string]string{"a.wav": "a.wav", "a.mp4": "a.mp4", "videos/b.wav": "b.wav", "b.mp4": "b.wav", "c.m4v": "c.m4v", "c": "c.m4v", "d.opus": "d.opus", "y/e.wav": "y/e.wav", "y/e": "y/e.wav", "clips/x/e.mp4": "x/e.wav", `x\e.wav`: "x/e.wav"} {
		s := setting{captions: fmt.Sprintf(`{"clip": %q, "caption": "A bus."}`, clip), media: media, seen: one(agrees)}
		b, in := s.of(t, bench.Strict)
		ev, err := b.Open(t.Context(), in)
		if err != nil {
			t.Errorf("%s: %v", clip, err)
			continue
		}
		if got := ev.(*evaluation).clips[0].path; got != filepath.Join(media, want) {
			t.Errorf("%s is %s, want %s", clip, got, want)
		}
		ev.Close()
	}
}

// TestNothingPlanted has captions without planted claims beside one that has some.
func TestNothingPlanted(t *testing.T) {
	s := setting{media: clips(t, "a", "b", "c", "d"), seen: one(func(string, string) string { return "contradicted" }), captions: `{"clip": "a", "caption": "A bus.", "planted": null}
{"clip": "b", "caption": "A bus.", "planted": ""}
{"clip": "c", "caption": "A bus.", "planted": []}
{"clip": "d", "caption": "A green bus.", "planted": [{"kind": "colour", "from": "red", "to": "green", "was": "A red bus.", "sentence": "A green bus."}]}`}
	c := counts(s.score(t), "overall", "")
	if c["contradicted"] != 3 || c["false_alarms"] != 1 || c["planted_contradicted"] != 1 {
		t.Errorf("%v, want false alarms of the one caption whose planted claims are known to be none", c)
	}
}

// TestFalseAlarmsOfClaimsThatAreNotJudged are unscored, and bounds have them.
func TestFalseAlarmsOfClaimsThatAreNotJudged(t *testing.T) {
	s := setting{media: clips(t, "a"), captions: `{"clip": "a", "caption": "A bus. A dog. A cat.", "planted": []}`, seen: one(func(_, claim string) string {
		return map[string]string{"A bus.": "supported", "A dog.": "contradicted"}[claim]
	})}
	got := whole(s.score(t))["false_alarms"]
	if got.Value == nil || *got.Value != 0.5 || got.Unscored != 1 || got.Bounds == nil || got.Bounds.Low != 1.0/3 || got.Bounds.High != 2.0/3 {
		t.Errorf("false alarms %+v, bounds %+v, want 1 of 2, 1 unscored, and 1/3 to 2/3", got, got.Bounds)
	}
}

// TestRecallIsOfAuditedClips leaves out the blanks of a clip whose caption could not be split.
func TestRecallIsOfAuditedClips(t *testing.T) {
	s := setting{captions: twoCaptions, media: clips(t, "a", "b"), cloze: writeCloze(t, "omni-cloze", someBlanks, someCases), seen: one(agrees)}
	s.splitter = func(step string, n int, text string) string {
		if strings.HasPrefix(step, "a/") {
			return "I would say..."
		}
		return splitter(step, n, text)
	}
	r := s.score(t)
	wantScore(t, r, "recall", 1)
	if got := whole(r)["recall"]; got.N != 1 || got.Unscored != 0 {
		t.Errorf("recall %+v, want that of the one blank of clip b", got)
	}
}

// TestCaseScoreIsPrecision shows a clip with the same claims counted as in the headline.
func TestCaseScoreIsPrecision(t *testing.T) {
	caption, says := "A green kite flies. A horn sounds.", []detective.Say{{Tool: "observer1", Outcome: omniscope.OK}}
	a := &audited{clip: &clip{id: "a", planted: []plant.Planted{{Kind: "colour", From: "red", To: "green", Was: "A red kite flies.", Sentence: "A green kite flies."}}}, caption: &caption,
		report: &detective.AuditReport{Claims: []detective.Claim{
			{ID: "c1", Text: "A green kite flies.", Support: detective.Contradicted, Says: says},
			{ID: "c2", Text: "A horn sounds.", Support: detective.Supported, Says: says},
		}}}
	a.judge()
	if got := a.shown(); got.Score == nil || *got.Score != 1 || got.Facts[0].Value != "1, of which 1 supported and 0 contradicted" {
		t.Errorf("score %v, facts %+v: want the planted claim left out", value(got.Score), got.Facts)
	}
}

// TestCaptionsThatTheirCheckersWroteHaveNoPrecision checks captions by the observer that wrote them, then adds a caption by another
// writer, then an observer that wrote no caption.
func TestCaptionsThatTheirCheckersWroteHaveNoPrecision(t *testing.T) {
	row := func(clip, observers string) string {
		return fmt.Sprintf(`{"clip": %q, "caption": "A red bus. A horn sounds.", "investigation": {"pass": "av", "observers": [%s]}}`, clip, observers)
	}
	s := setting{media: clips(t, "a", "b", "c"), seen: one(agrees), captions: row("a", `"scene", "org/Observer1?temperature=0"`) + "\n" + row("b", `"observer1"`)}
	r := s.score(t)
	for _, name := range []string{"precision", "supported", "contradicted"} {
		if got := whole(r)[name]; got.Value != nil || got.N != 0 || !strings.Contains(got.Why, "2 of 2 captions were written by the observers that check them") {
			t.Errorf("%s: %+v", name, got)
		}
	}
	wantScore(t, r, "consistency", 1)
	if r.Status != document.Scored || !strings.Contains(strings.Join(r.Warnings, "\n"), "no precision") {
		t.Errorf("status %s, warnings %q", r.Status, r.Warnings)
	}
	s.captions += "\n" + row("c", `"observer9"`)
	r = s.score(t)
	if got := whole(r)["precision"]; got.Value == nil || got.N != 2 || got.Clusters != 1 {
		t.Errorf("precision of the caption of another: %+v", got)
	}
	if got := whole(r)["consistency"]; got.N != 4 {
		t.Errorf("consistency %+v", got)
	}
	s.seen.list = append(s.seen.list, witness{"observer2", agrees})
	if got := whole(s.score(t))["precision"]; got.Value == nil || got.N != 6 {
		t.Errorf("with an observer that wrote no caption: %+v", got)
	}
}
