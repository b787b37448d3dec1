package repeat

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/internal/testing/fixture"
	"omniscope/metric"
	"omniscope/metric/stats"
	"omniscope/results/compare"
)

// three are repetitions of ten questions with accuracies of 0.7, 0.6 and 0.8: five questions are always right, one is always
// wrong, and four differ. docs/repeat.md shows their numbers.
var three = []made{choices("cccccwwccw"), choices("ccccccwwww"), choices("cccccccwcw")}

func TestMeanAndSpread(t *testing.T) {
	d := mustRepeat(t, three...)
	s := d.score(t, "strict", "accuracy")
	near(t, "mean", s.Mean.Value, 0.7)
	near(t, "sd", s.SD, 0.1)
	near(t, "min", s.Min, 0.6)
	near(t, "max", s.Max, 0.8)
	near(t, "range", s.Range, 0.2)
	for i, want := range []float64{0.7, 0.6, 0.8} {
		near(t, d.Repetitions[i].Name, s.Values[i], want)
	}
	if s.Mean.N != 30 || s.Mean.Clusters != 10 || s.Samples != 10 || s.LeftOut != 0 {
		t.Errorf("n %d, clusters %d, samples %d, left out %d", s.Mean.N, s.Mean.Clusters, s.Samples, s.LeftOut)
	}
	want := resampled([]float64{3, 3, 3, 3, 3, 2, 1, 1, 2, 0}, 3, stats.Options{})
	if !want.Known || s.Mean.Interval == nil || s.Mean.Interval.Method != want.Method {
		t.Fatalf("interval %+v, want %+v", s.Mean.Interval, want)
	}
	near(t, "low", &s.Mean.Interval.Low, want.Low)
	near(t, "high", &s.Mean.Interval.High, want.High)
}

// TestComponentsOfAccuracy computes them by hand: the ten samples' means are 1 (5 times), 2/3 (2), 1/3 (2) and 0. MSB = 3 * (5*0.3² +
// 2*(1/30)² + 2*(11/30)² + 0.7²) / 9 = 3 * 1.2111 / 9 and MSW = 4 * (2/3) / 20.
func TestComponentsOfAccuracy(t *testing.T) {
	v := mustRepeat(t, three...).score(t, "strict", "accuracy").Variance
	within := 4 * (2. / 3) / 20
	squares := 5*0.09 + 2./900 + 2*121./900 + 0.49
	between := (3*squares/9 - within) / 3
	near(t, "within", &v.Within, within)
	near(t, "between", &v.Between, between)
	near(t, "share", v.Share, within/(within+between))
	if v.Samples != 10 {
		t.Errorf("%d samples", v.Samples)
	}
}

func TestPasses(t *testing.T) {
	v := mustRepeat(t, three...).Verdicts
	if v == nil || v.Items != 10 || v.LeftOut != 0 || v.Samples != 10 || v.Disagree != 4 || v.Share != 0.4 || len(v.Passes) != 3 {
		t.Fatalf("%+v", v)
	}
	// Right answers are 3 (5 times), 2 (2), 1 (2) and 0. Of three pairs, 2 right answers are in all pairs and both in one.
	for i, want := range [][2]float64{{0.7, 0.7}, {(5 + 2 + 2*2./3) / 10, (5 + 2*1./3) / 10}, {0.9, 0.5}} {
		near(t, v.Passes[i].AtK.Name, v.Passes[i].AtK.Value, want[0])
		near(t, v.Passes[i].HatK.Name, v.Passes[i].HatK.Value, want[1])
	}
	want := resampled([]float64{1, 1, 1, 1, 1, 0, 0, 0, 0, 0}, 1, stats.Options{})
	if iv := v.Passes[2].HatK.Interval; !want.Known || iv == nil || iv.Low != want.Low || iv.High != want.High {
		t.Errorf("pass^3 has the interval %+v, want %+v", iv, want)
	}
}

func TestLeastStableSamples(t *testing.T) {
	d := mustRepeat(t, three...)
	var names []string
	for _, u := range d.LeastStable {
		names = append(names, u.Sample)
	}
	if !slices.Equal(names, []string{"s06", "s07", "s08", "s09"}) {
		t.Fatalf("least stable are %v", names)
	}
	near(t, "disagree", d.LeastStable[0].Disagree, 2./3)
	near(t, "min", d.LeastStable[0].Min, 0)
	near(t, "max", d.LeastStable[0].Max, 1)
}

// TestStabilityByItems has a sample with the same accuracy in each repetition and other items right.
func TestStabilityByItems(t *testing.T) {
	run := func(first, second string) made {
		return made{metric: &metric.Cloze, lines: []string{"moves k1 " + first, "calm k2 ccww", "grows k3 " + second}}
	}
	d := mustRepeat(t, run("ccww", "cwww"), run("wwcc", "ccww"))
	if len(d.LeastStable) != 2 || d.LeastStable[0].Sample != "moves" || d.LeastStable[1].Sample != "grows" {
		t.Fatalf("%+v", d.LeastStable)
	}
	near(t, "disagree", d.LeastStable[0].Disagree, 1)
	near(t, "sd", d.LeastStable[0].SD, 0)
	near(t, "disagree", d.LeastStable[1].Disagree, 0.25)
	if d.Verdicts.Disagree != 2 || d.Verdicts.Samples != 3 || d.Verdicts.Items != 12 {
		t.Errorf("%+v", d.Verdicts)
	}
}

// TestListsAreBounded has more unstable and failed samples than are listed.
func TestListsAreBounded(t *testing.T) {
	d := mustRepeat(t, choices(strings.Repeat("cc?", 25)), choices(strings.Repeat("cwc", 25)))
	if len(d.LeastStable) != mostNamed || len(d.LeftOutIDs) != mostNamed || d.LeftOut != 25 || d.Verdicts.Disagree != 25 {
		t.Errorf("%d least stable, %d of %d left out, %d disagree", len(d.LeastStable), len(d.LeftOutIDs), d.LeftOut, d.Verdicts.Disagree)
	}
	if text := d.Text(); !strings.Contains(strings.Join(strings.Fields(text), " "), "s60 and 5 more") {
		t.Errorf("the list does not end with a number:\n%s", text)
	}
}

// TestFailedSamplesAreLeftOut has samples that fail in one repetition: they count in no repetition.
func TestFailedSamplesAreLeftOut(t *testing.T) {
	d := mustRepeat(t, choices("ccccwwc?"), choices("cccwww?c"), choices("ccccwwcc"))
	if d.LeftOut != 2 || !slices.Equal(d.LeftOutIDs, []string{"s07", "s08"}) {
		t.Errorf("%d left out: %v", d.LeftOut, d.LeftOutIDs)
	}
	for i, want := range []int{1, 1, 0} {
		if r := d.Repetitions[i]; r.Unjudged != want || r.Outcomes["failed"] != want || r.Outcomes["ok"] != 8-want {
			t.Errorf("repetition %d: %+v", i, r)
		}
	}
	if v := d.Verdicts; v.Items != 6 || v.LeftOut != 2 || v.Disagree != 1 {
		t.Errorf("%+v", v)
	}
	if text := strings.Join(strings.Fields(d.Text()), " "); !strings.Contains(text, "left out of all statistics, since unjudged in a repetition: 2 of 8 samples, s07, s08") {
		t.Errorf("the text does not state what is left out:\n%s", d.Text())
	}
}

// TestScoresWithoutFailedSamples has official score failed samples as wrong in each run.
func TestScoresWithoutFailedSamples(t *testing.T) {
	d := mustRepeat(t, choices("ccccwwc?"), choices("cccwww?c"), choices("ccccwwcc"))
	for _, profile := range []string{"strict", "official"} {
		s := d.score(t, profile, "accuracy")
		near(t, profile, s.Mean.Value, (4+3+4)/18.)
		if s.Samples != 6 || s.LeftOut != 2 || s.Mean.N != 18 || s.Variance.Samples != 6 {
			t.Errorf("%s: samples %d, left out %d, n %d", profile, s.Samples, s.LeftOut, s.Mean.N)
		}
	}
}

// TestUnjudgedItemsAreLeftOut has one blank of a sample unjudged in one repetition.
func TestUnjudgedItemsAreLeftOut(t *testing.T) {
	run := func(letters string) made {
		return made{metric: &metric.Cloze, lines: []string{"a k1 " + letters, "b k2 cw"}}
	}
	d := mustRepeat(t, run("c?"), run("cc"))
	if v := d.Verdicts; v.Items != 3 || v.LeftOut != 1 || v.Disagree != 0 {
		t.Errorf("%+v", v)
	}
	s := d.score(t, "strict", "accuracy")
	near(t, "mean", s.Mean.Value, (2./3+3./4)/2)
	if d.LeftOut != 0 || s.Samples != 2 || s.Mean.N != 7 || s.Mean.Unscored != 1 {
		t.Errorf("left out %d, samples %d, n %d, unscored %d", d.LeftOut, s.Samples, s.Mean.N, s.Mean.Unscored)
	}
}

func TestEverySampleFailed(t *testing.T) {
	d := mustRepeat(t, choices("?c"), choices("c?"))
	s := d.score(t, "strict", "accuracy")
	if s.Mean.Value != nil || s.Mean.Why == "" || s.SD != nil || s.Range != nil || s.Variance != nil || d.Verdicts != nil || d.LeftOut != 2 {
		t.Errorf("%+v, %+v", s, d.Verdicts)
	}
	if len(d.Warnings) > 0 || !strings.Contains(d.Text(), "–") {
		t.Errorf("%v\n%s", d.Warnings, d.Text())
	}
	fixture.OK(t, d.JSON(&strings.Builder{}))
}

// TestItemsOfOneClusterAreDrawnTogether has the samples of a clip right or wrong together: the interval is that of clips.
func TestItemsOfOneClusterAreDrawnTogether(t *testing.T) {
	var runs []made
	for r := range 2 {
		m := made{metric: &metric.Choice}
		for i := range 40 {
			letter := "cw"[i/4%2 : i/4%2+1]
			if r == 1 && i%4 == 0 {
				letter = "c"
			}
			m.lines = append(m.lines, "s"+string(rune('A'+i))+" k"+string(rune('A'+i/4))+" "+letter)
		}
		runs = append(runs, m)
	}
	s := mustRepeat(t, runs...).score(t, "strict", "accuracy")
	want := resampled([]float64{8, 1, 8, 1, 8, 1, 8, 1, 8, 1}, 8, stats.Options{})
	if !want.Known || s.Mean.Clusters != 10 || s.Mean.Interval == nil {
		t.Fatalf("%+v, want %+v", s.Mean, want)
	}
	near(t, "low", &s.Mean.Interval.Low, want.Low)
	near(t, "high", &s.Mean.Interval.High, want.High)
}

func TestEqualRepetitionsWarn(t *testing.T) {
	d := mustRepeat(t, three[0], three[0])
	if len(d.Warnings) != 1 || !strings.Contains(d.Warnings[0], "no sample differs between the repetitions") {
		t.Errorf("warnings: %q", d.Warnings)
	}
	if s := d.score(t, "strict", "accuracy"); *s.SD != 0 || s.Variance.Within != 0 || d.Verdicts.Disagree != 0 || len(d.LeastStable) != 0 {
		t.Errorf("%+v", s)
	}
}

// TestShiftBetweenRepetitions has a repetition that is right throughout, and another one that is wrong in most clips.
func TestShiftBetweenRepetitions(t *testing.T) {
	d := mustRepeat(t, choices(strings.Repeat("ccw", 10)), choices(strings.Repeat("cww", 10)), choices(strings.Repeat("ccc", 10)))
	if len(d.Warnings) != 1 || !strings.HasPrefix(d.Warnings[0], "r1 and r2 differ in accuracy by more than chance of the answers explains, 33.3 and 100.0") {
		t.Errorf("warnings: %q", d.Warnings)
	}
	// Six clips that change have a p of 2/64, times three pairs: 0.09.
	d = mustRepeat(t, choices("cccccccccc"), choices("wwwwwwcccc"), choices("cccccccccc"))
	if len(d.Warnings) != 0 {
		t.Errorf("warnings: %q", d.Warnings)
	}
}

func TestWarnings(t *testing.T) {
	newer := three[1]
	newer.change = func(r *document.Results) {
		r.Signature = strings.Replace(r.Signature, "omniscope:1.0", "omniscope:1.1", 1)
		r.Marks = []string{"not the published data"}
		r.Judge.Baseline = true
	}
	older := three[0]
	older.change = func(r *document.Results) { r.Marks, r.Judge.Baseline = []string{"not the published data"}, true }
	d := mustRepeat(t, older, newer)
	want := []string{"not the published data", "openai/gpt-4o is a baseline, not comparable with published scores",
		"the version differs: 1.0 (r0), 1.1 (r1); a part of the spread may come from that"}
	if !slices.Equal(d.Warnings, want) {
		t.Errorf("warnings %q, want %q", d.Warnings, want)
	}
	if d.Signature != "choice|judge:openai/gpt-4o|profile:strict|reader1|data:0a1b2c" {
		t.Errorf("signature %s", d.Signature)
	}
}

func TestOtherRunsAreRefused(t *testing.T) {
	changed := func(change func(*document.Results)) made {
		m := three[1]
		m.change = change
		return m
	}
	part := func(old, new string) made {
		return changed(func(r *document.Results) { r.Signature = strings.Replace(r.Signature, old, new, 1) })
	}
	for _, c := range []struct {
		name, want string
		other      made
	}{
		{"benchmark", "r0 is a run of choice, r1 one of chess", changed(func(r *document.Results) { r.Benchmark.Name = "chess" })},
		{"system", "r0 is a run of system captioner, r1 one of other", changed(func(r *document.Results) { r.System = "other" })},
		{"data", "since data differs: 0a1b2c (r0), ffff (r1)", part("data:0a1b2c", "data:ffff")},
		{"judge", "since judge differs: openai/gpt-4o (r0), openai/gpt-5 (r1)", part("judge:openai/gpt-4o", "judge:openai/gpt-5")},
		{"profile", "since profile differs: strict (r0), official (r1)", part("profile:strict", "profile:official")},
		{"protocol", "since protocol differs: reader1 (r0), reader2 (r1)", part("reader1", "reader2")},
		{"part of the data", "since modality differs: none (r0), audio (r1)", part("|data", "|modality:audio|data")},
		{"repetition", "r0 and r1 have the same seed and are one repetition", part("seed:1", "seed:0")},
		{"number of samples", "r0 has 10 samples, r1 has 3", choices("ccc")},
		{"names of samples", `sample "s10" is in one of r0 and r1 only`, made{metric: &metric.Choice, lines: append(slices.Clone(three[1].lines[:9]), "t c c")}},
		{"clusters", `sample "s10" is of cluster "c10" in r0 and of "c9" in r1`, made{metric: &metric.Choice, lines: append(slices.Clone(three[1].lines[:9]), "s10 c9 w")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := repeated(t, three[0], c.other)
			fixture.WantError(t, err, omniscope.Invalid, c.want)
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("more than one line: %v", err)
			}
		})
	}
}

func TestOneFolderIsRefused(t *testing.T) {
	_, err := repeated(t, three[0])
	fixture.WantError(t, err, omniscope.Usage, "two folders or more, got 1")
}

// TestRepetitionPart has runs of one seed that another part distinguishes.
func TestRepetitionPart(t *testing.T) {
	numbered := func(m made, part string) made {
		m.change = func(r *document.Results) {
			seed := strings.Index(r.Signature, "|seed:")
			r.Signature = r.Signature[:seed] + part + "|seed:0|omniscope:1.0"
		}
		return m
	}
	d := mustRepeat(t, numbered(three[0], ""), numbered(three[1], "|repetition:2"))
	if d.Repetitions[0].Differs["repetition"] != "" || d.Repetitions[1].Differs["repetition"] != "2" {
		t.Errorf("%+v", d.Repetitions)
	}
}

func TestInterruptedSummary(t *testing.T) {
	t.Chdir(t.TempDir())
	dirs := []string{three[0].dir(t, "a", 0), three[1].dir(t, "b", 1)}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Of(ctx, dirs, Options{Metric: &metric.Choice}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestSummaryIsDeterministic has many items, whose sums depend on their order.
func TestSummaryIsDeterministic(t *testing.T) {
	run := func(a, b string) made {
		m := made{metric: &metric.Cloze}
		for i := range 30 {
			m.lines = append(m.lines, "s"+string(rune('A'+i))+" k"+string(rune('A'+i/2))+" "+strings.Repeat(a, i%5)+b)
		}
		return m
	}
	runs := []made{run("cw", "c"), run("cn", "w"), run("cc", "n")}
	document := func() string {
		var out strings.Builder
		fixture.OK(t, mustRepeat(t, runs...).JSON(&out))
		return out.String()
	}
	first := document()
	for range 5 {
		if document() != first {
			t.Fatal("two summaries of the same runs differ")
		}
	}
}

func TestSeedOfResamples(t *testing.T) {
	t.Chdir(t.TempDir())
	dirs := []string{choices(strings.Repeat("ccw", 20)).dir(t, "a", 0), choices(strings.Repeat("cww", 20)).dir(t, "b", 1)}
	interval := func(seed uint64) omniscope.Interval {
		d, err := Of(t.Context(), dirs, Options{Metric: &metric.Choice, Seed: seed})
		fixture.OK(t, err)
		return *d.score(t, "strict", "accuracy").Mean.Interval
	}
	right := slices.Repeat([]float64{2, 1, 0}, 20)
	got, want := interval(7), resampled(right, 2, stats.Options{Seed: 7})
	near(t, "low", &got.Low, want.Low)
	near(t, "high", &got.High, want.High)
	if got == interval(8) {
		t.Error("two seeds have the same interval")
	}
}

// TestJSONDocument reads what is written as a program would.
func TestJSONDocument(t *testing.T) {
	var out strings.Builder
	fixture.OK(t, mustRepeat(t, three...).JSON(&out))
	var read struct {
		Schema      string
		Repetitions []struct {
			Name    string
			Run     string
			Differs map[string]string
		}
		Profiles []struct {
			Name   string
			Scores []struct {
				Name string
				Mean omniscope.Score
				SD   *float64
			}
		}
	}
	fixture.OK(t, json.Unmarshal([]byte(out.String()), &read))
	if read.Schema != "omniscope.repeat/1" || len(read.Repetitions) != 3 || read.Repetitions[2].Differs["seed"] != "2" || read.Repetitions[2].Run != "run-r2" {
		t.Errorf("%+v", read)
	}
	if p := read.Profiles; len(p) != 2 || p[0].Name != "official" || p[1].Scores[0].Name != "accuracy" || *p[1].Scores[0].SD < 0.09 {
		t.Errorf("%+v", read.Profiles)
	}
}

// TestComparedRepetitions has compare show repetitions of one system by their folders.
func TestComparedRepetitions(t *testing.T) {
	t.Chdir(t.TempDir())
	var dirs []string
	for i, m := range append(three, three...) {
		dirs = append(dirs, m.dir(t, "r"+string(rune('0'+i)), i))
	}
	runs, err := compare.Open(t.Context(), dirs)
	fixture.OK(t, err)
	c, err := compare.Runs(t.Context(), runs, &metric.Choice, compare.Options{Scoring: bench.Strict})
	fixture.OK(t, err)
	if len(c.Tables[0].Rows) != 6 || c.Tables[0].Rows[5][0] != "r5" {
		t.Errorf("runs are %v", c.Tables[0].Rows)
	}
	if len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0], "seed differs: 0 (r0), 1 (r1)") {
		t.Errorf("warnings %q", c.Warnings)
	}
}
