// Package journaltest is the suite that every store.Store passes. The journal of a single run
// is internal/testing/runtest's business.
package journaltest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/run"
	"omniscope/run/journal"
)

// Stores checks that the stores open returns keep what store.Store promises. Each is a
// new one without runs, and is closed by the caller of Stores after the test.
func Stores(t *testing.T, open func(t *testing.T) journal.Store) {
	for _, c := range []struct {
		name  string
		check func(*testing.T, journal.Store)
	}{
		{"runs are listed, oldest first", runsAreListed},
		{"a run keeps its name and takes a new description", runKeepsItsName},
		{"calls come in order, whole", callsComeInOrder},
		{"calls of one step", callsOfOneStep},
		{"answers of other runs that a run was given are its calls, too", givenAnswers},
		{"calls about a unit", callsAboutAUnit},
		{"the latest calls", latestCalls},
		{"usage is added up", usageIsAddedUp},
		{"bills of a model", billsOfAModel},
		{"a fresh run ignores older answers until it ends", freshRun},
		{"names may hold any bytes", anyBytes},
		{"what is written down is verified", verified},
		{"what nobody rests on is pruned", prunes},
	} {
		t.Run(c.name, func(t *testing.T) { c.check(t, open(t)) })
	}
	t.Run("a merge copies what is missing, once", func(t *testing.T) { merges(t, open(t), open(t)) })
}

// begin opens a run that is closed after the test, if it was not before.
func begin(t *testing.T, s journal.Store, name string) journal.Journal {
	t.Helper()
	j, err := s.Run(t.Context(), journal.Description{Name: name, Manifest: `{"run":"` + name + `"}`})
	fixture.OK(t, err)
	t.Cleanup(func() { end(t, j) })
	return j
}

func end(t *testing.T, j io.Closer) {
	t.Helper()
	if err := j.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
}

// call makes a call whose every field tells its number.
func call(n int, step string) *run.Entry {
	return &run.Entry{Key: run.Key{byte(n), 1}, Step: step, Attempt: n + 1, Kind: "model", Source: fmt.Sprint("source ", n%2), Outcome: omniscope.OK,
		Request: fmt.Appendf(nil, `{"ask":%d}`, n), Result: fmt.Appendf(nil, `{"answer":%d}`, n), Started: time.UnixMicro(int64(n)).UTC(),
		Cost: run.Cost{TokensIn: 10 * n, TokensOut: n, USD: float64(n) / 4, Tries: 2, RateLimited: 1, Lost: run.Lost{Tries: 1, TokensIn: n, TokensOut: 1, USD: 0.5}}}
}

func add(t *testing.T, j run.Journal, calls ...*run.Entry) {
	t.Helper()
	for _, e := range calls {
		fixture.OK(t, j.Append(t.Context(), e))
	}
}

// callsOf returns the calls of a run, in order.
func callsOf(t *testing.T, s journal.Store, name, step string) (all []*journal.Call) {
	t.Helper()
	for c, err := range s.Calls(t.Context(), name, step) {
		fixture.OK(t, err)
		all = append(all, c)
	}
	return all
}

// steps returns the steps of a run's calls, in order.
func steps(t *testing.T, s journal.Store, name, step string) (all []string) {
	t.Helper()
	for _, c := range callsOf(t, s, name, step) {
		all = append(all, c.Step)
	}
	return all
}

func must(t *testing.T, what string, got, want any) {
	t.Helper()
	if g, w := fmt.Sprint(got), fmt.Sprint(want); g != w {
		t.Errorf("%s: got %s, want %s", what, g, w)
	}
}

func runsAreListed(t *testing.T, s journal.Store) {
	failed := call(2, "c")
	failed.Outcome = omniscope.Failed
	add(t, begin(t, s, "second"), call(1, "a"), failed)
	begin(t, s, "alone")
	runs, err := s.Runs(t.Context())
	if err != nil || len(runs) != 2 {
		t.Fatalf("%d runs, %v", len(runs), err)
	}
	r := runs[0]
	must(t, "the first run", []any{r.Name, r.Manifest, r.Calls, r.Answers, runs[1].Name}, []any{"second", `{"run":"second"}`, 2, 1, "alone"})
	if age := time.Since(r.Created); age < -time.Minute || age > time.Hour {
		t.Errorf("it was created %s ago", age)
	}
	listed, err := s.List(t.Context())
	if err != nil || len(listed) != 2 || listed[0].Name != "second" || listed[0].Calls != 0 {
		t.Errorf("the list without counts is %+v, %v", listed, err)
	}
	for name, want := range map[string]bool{"second": true, "sec": false} {
		if has, err := s.HasRun(t.Context(), name); err != nil || has != want {
			t.Errorf("HasRun(%q) = %v, %v", name, has, err)
		}
	}
	found, err := journal.FindRun(t.Context(), s, "sec")
	if err != nil || found.Name != "second" {
		t.Errorf("the run that starts with sec is %q, %v", found.Name, err)
	}
	if _, err := journal.FindRun(t.Context(), s, "nowhere"); omniscope.KindOf(err) != omniscope.NotFound {
		t.Errorf("a run that is not there: %v", err)
	}
}

func runKeepsItsName(t *testing.T, s journal.Store) {
	add(t, begin(t, s, "run"), call(1, "a"))
	moved := journal.Description{Name: "run", Kind: "eval", Manifest: `{"moved":true}`}
	j, err := s.Run(t.Context(), moved)
	fixture.OK(t, err)
	defer end(t, j)
	add(t, j, call(2, "b"))
	runs, err := s.Runs(t.Context())
	if err != nil || len(runs) != 1 || runs[0].Calls != 2 || runs[0].Description != moved {
		t.Errorf("the runs are %+v, %v", runs, err)
	}
}

func callsComeInOrder(t *testing.T, s journal.Store) {
	j := begin(t, s, "run")
	var want []*run.Entry
	for n := range 5 {
		want = append(want, call(n, fmt.Sprint("step ", n)))
	}
	want[3].Outcome, want[4].Request = omniscope.Refused, nil
	add(t, j, want...)
	calls := callsOf(t, s, "run", "")
	must(t, "calls", len(calls), len(want))
	for n, c := range calls {
		must(t, c.Step, fmt.Sprintf("%+v", c.Entry), fmt.Sprintf("%+v", *want[n]))
		if c.Run != "run" || !c.Checked || c.Damaged != nil || c.RequestDamaged || c.RequestLost || c.Late {
			t.Errorf("call %d is shown as %+v", n, c)
		}
	}
	for _, err := range s.Calls(t.Context(), "run", "") {
		if err != nil {
			t.Error(err)
		}
		break // whoever stops early leaves nothing open
	}
	done, err := j.Steps(t.Context())
	if err != nil || len(done) != 4 || done["step 3"] {
		t.Errorf("steps with a usable answer are %v, %v", done, err)
	}
	if err := j.CheckFailures(t.Context()); err != nil {
		t.Error(err)
	}
}

func callsOfOneStep(t *testing.T, s journal.Store) {
	add(t, begin(t, s, "run"), call(1, "a"), call(2, "b"), call(3, "a"))
	must(t, "step a", steps(t, s, "run", "a"), "[a a]")
	must(t, "step none", steps(t, s, "run", "none"), "[]")
	must(t, "no run", steps(t, s, "none", ""), "[]")
	if err := journal.NoStep(t.Context(), s, "run", "none"); omniscope.KindOf(err) != omniscope.NotFound || !strings.Contains(err.Error(), `"a" "b"`) {
		t.Errorf("a step that is not there: %v", err)
	}
}

func givenAnswers(t *testing.T, s journal.Store) {
	add(t, begin(t, s, "first"), call(1, "a"), call(2, "b"))
	j := begin(t, s, "second")
	if e, err := j.Lookup(t.Context(), call(1, "").Key, ""); err != nil || e == nil {
		t.Fatal(e, err)
	}
	add(t, j, call(3, "c"))
	u, err := j.Usage(t.Context(), nil)
	if err != nil || u.Remembered != 1 || u.Calls != 1 {
		t.Errorf("usage is %+v, %v", u, err)
	}
	must(t, "calls", steps(t, s, "second", ""), "[a c]")
	for _, c := range []struct {
		run  string
		n    int
		want bool
	}{{"second", 1, true}, {"second", 2, false}, {"first", 2, true}, {"second", 3, true}, {"first", 3, false}} {
		e, err := s.RunAnswer(t.Context(), c.run, call(c.n, "").Key)
		if err != nil || (e != nil) != c.want {
			t.Errorf("run %s has the answer of call %d: %v, %v", c.run, c.n, e, err)
		}
		if has, err := s.Has(t.Context(), call(c.n, "").Key, ""); err != nil || !has {
			t.Errorf("no run has call %d: %v", c.n, err)
		}
	}
	if has, err := s.Has(t.Context(), call(1, "").Key, "source 0"); err != nil || has {
		t.Errorf("a source has what another answered: %v", err)
	}
}

func callsAboutAUnit(t *testing.T, s journal.Store) {
	add(t, begin(t, s, "run"), call(1, "clip"), call(2, "clip/turn-1"), call(3, "clip2"), call(4, "clip (blind)"), call(5, "clip-2/turn-1"), call(6, "clip/turn-1/look"))
	calls, err := s.About(t.Context(), "run", "clip")
	fixture.OK(t, err)
	var about []string
	for _, c := range calls {
		about = append(about, c.Step)
	}
	must(t, "about clip", about, []string{"clip", "clip/turn-1", "clip (blind)", "clip/turn-1/look"})
}

func latestCalls(t *testing.T, s journal.Store) {
	failed := call(2, "b")
	failed.Outcome = omniscope.Failed
	add(t, begin(t, s, "run"), call(1, "a"), failed, call(3, "c"))
	latest := func(before int64, n int, failed bool) (text string, last int64) {
		calls, err := s.Latest(t.Context(), "run", before, n, failed)
		fixture.OK(t, err)
		for _, c := range calls {
			text, last = text+c.Step, c.ID
		}
		return text, last
	}
	newest, last := latest(0, 2, false)
	must(t, "the two newest", newest, "cb")
	older, _ := latest(last, 2, false)
	must(t, "those before", older, "a")
	failures, _ := latest(0, 9, true)
	must(t, "failures", failures, "b")
}

func billsOfAModel(t *testing.T, s journal.Store) {
	failed, other := call(5, "e"), call(7, "g")
	failed.Outcome, other.Result = omniscope.Failed, []byte(`{"reply":7}`)
	add(t, begin(t, s, "first"), call(1, "a"), call(2, "b"), failed, other)
	j := begin(t, s, "second")
	add(t, j, call(3, "c"))
	for source, want := range map[string]run.Bills{"source 1": {Calls: 2, In: 36, Out: 2, MostIn: 27, MostOut: 2}, "source 0": {Calls: 1, In: 18, Out: 1, MostIn: 18, MostOut: 1}, "source": {}} {
		if got, err := j.Bills(t.Context(), `{"answer":`, source); err != nil || got != want {
			t.Errorf("%s: got %+v, %v, want %+v", source, got, err, want)
		}
	}
}

func usageIsAddedUp(t *testing.T, s journal.Store) {
	j := begin(t, s, "run")
	failed, tool, free := call(3, "c"), call(4, "d"), call(8, "e")
	failed.Outcome, tool.Kind, free.Cost.USD, free.Cost.Lost.USD = omniscope.Failed, "tool", 0, 0
	add(t, j, call(1, "a"), failed, tool, free)
	add(t, begin(t, s, "another"), call(9, "x"))
	u, err := j.Usage(t.Context(), nil)
	fixture.OK(t, err)
	want := journal.Usage{Calls: 3, Answers: 2, Failed: 1, Retries: 3, RateLimited: 3, TokensIn: 120, TokensOut: 12, CostUSD: 1, UnpricedIn: 80, UnpricedOut: 8,
		Lost: run.Lost{Tries: 3, TokensIn: 12, TokensOut: 3, USD: 1}, UnpricedLostIn: 8, UnpricedLostOut: 1}
	must(t, "usage", fmt.Sprintf("%+v", u), fmt.Sprintf("%+v", want))
}

func freshRun(t *testing.T, s journal.Store) {
	j := begin(t, s, "run")
	add(t, j, call(1, "a"))
	fresh := func(begun bool) journal.Journal {
		t.Helper()
		j := begin(t, s, "run")
		if got, err := j.StartFresh(t.Context()); err != nil || got != begun {
			t.Fatalf("StartFresh = %v, %v, want %v", got, err, begun)
		}
		return j
	}
	finds := func(j run.Journal, n int, want bool) {
		t.Helper()
		if e, err := j.Lookup(t.Context(), call(n, "").Key, ""); err != nil || (e != nil) != want {
			t.Errorf("call %d is %v, %v", n, e, err)
		}
	}
	first := fresh(true)
	finds(first, 1, false)
	add(t, first, call(2, "b"))
	finds(first, 2, true)
	end(t, first)
	again := fresh(false) // it was stopped, and goes on
	finds(again, 1, false)
	finds(again, 2, true)
	for n, want := range map[int]bool{1: false, 2: true} {
		if has, err := s.HasFresh(t.Context(), "run", call(n, "").Key, ""); err != nil || has != want {
			t.Errorf("HasFresh of call %d is %v, %v", n, has, err)
		}
	}
	if done, err := again.Steps(t.Context()); err != nil || len(done) != 1 {
		t.Errorf("fresh steps are %v, %v", done, err)
	}
	fixture.OK(t, again.EndFresh())
	finds(begin(t, s, "run"), 1, true)
	finds(fresh(true), 2, false)
}

func anyBytes(t *testing.T, s journal.Store) {
	j := begin(t, s, "run")
	var names []string
	for i, name := range []string{"a\x00b", "\xff\xfe", "\x01", "\x0100", "a b/ü/🙂", strings.Repeat("long ", 500), "'; DROP TABLE call; --", ""} {
		e := call(i, name)
		e.Source, e.Result = "from "+name, []byte{0, 1, 255, byte(i)}
		add(t, j, e)
		names = append(names, name)
		if found, err := j.Lookup(t.Context(), e.Key, "from "+name); err != nil || found == nil || found.Step != name || !bytes.Equal(found.Result, e.Result) {
			t.Errorf("%q was found as %+v, %v", name, found, err)
		}
	}
	if got := steps(t, s, "run", ""); !slices.Equal(got, names) {
		t.Errorf("the steps are %q, want %q", got, names)
	}
	add(t, j, call(20, "a\x00b/below"))
	if calls, err := s.About(t.Context(), "run", "a\x00b"); err != nil || len(calls) != 2 {
		t.Errorf("%d calls about the first, %v", len(calls), err)
	}
}

func verified(t *testing.T, s journal.Store) {
	lost := call(2, "b")
	lost.Request = nil
	add(t, begin(t, s, "run"), call(1, "a"), lost)
	add(t, begin(t, s, "other"), call(3, "c"))
	for name, want := range map[string]journal.Verified{"": {Calls: 3, Requests: 2}, "run": {Calls: 2, Requests: 1}} {
		sum, err := journal.Verify(t.Context(), s, name, func(f journal.Finding) { t.Error(f) })
		if err != nil || sum != want {
			t.Errorf("verifying %q: %+v, %v, want %+v", name, sum, err, want)
		}
	}
}

func merges(t *testing.T, from, into journal.Store) {
	j := begin(t, from, "run")
	older, newer := call(1, "a"), call(1, "a")
	newer.Result, newer.Started = []byte(`"newer"`), time.UnixMicro(9)
	add(t, j, older, call(2, "b"), newer)
	other := begin(t, from, "other")
	if _, err := other.Lookup(t.Context(), call(2, "").Key, ""); err != nil {
		t.Fatal(err)
	}
	end(t, j)
	end(t, other)
	there := begin(t, into, "run")
	add(t, there, call(2, "b"), call(7, "here"))
	end(t, there)
	for round, want := range []journal.Merged{{Calls: 2, Known: 1}, {Known: 3}} {
		looked := 0
		sum, err := journal.Merge(context.Background(), into, from, nil, func(n int) { looked = n })
		if err != nil || sum != want || looked != 3 {
			t.Errorf("round %d: %+v of %d calls, %v, want %+v", round, sum, looked, err, want)
		}
	}
	got := steps(t, into, "run", "")
	slices.Sort(got)
	must(t, "calls of the run", got, "[a a b here]")
	must(t, "calls of the run that was given one", steps(t, into, "other", ""), "[b]")
	if e, err := into.RunAnswer(t.Context(), "run", call(1, "").Key); err != nil || string(e.Result) != `"newer"` {
		t.Errorf("of two equal calls %v is found, %v", e, err)
	}
	u, err := into.Usage(t.Context(), "run", nil)
	if err != nil || u.Calls != 4 || u.TokensIn != 10+10+20+70 {
		t.Errorf("usage is %+v, %v", u, err)
	}
}

func prunes(t *testing.T, s journal.Store) {
	j := begin(t, s, "old")
	add(t, j, call(1, "a"), call(2, "b"), call(3, "c"))
	other := begin(t, s, "new")
	if e, err := other.Lookup(t.Context(), call(2, "").Key, ""); err != nil || e == nil {
		t.Fatal(e, err)
	}
	add(t, other, call(4, "d"))
	end(t, j)
	end(t, other)
	prune := func(texts, really bool, want journal.Pruned, runs ...string) {
		t.Helper()
		got, err := s.Prune(t.Context(), runs, texts, really)
		if err != nil || got != want {
			t.Errorf("pruning %v: %+v, %v, want %+v", runs, got, err, want)
		}
	}
	prune(true, false, journal.Pruned{Runs: 1, Texts: 3}, "old")
	prune(false, false, journal.Pruned{Runs: 1, Calls: 2, Kept: 1}, "old")
	must(t, "nothing was really deleted", steps(t, s, "old", ""), "[a b c]")
	prune(true, true, journal.Pruned{Runs: 1, Texts: 1}, "new")
	for _, c := range callsOf(t, s, "new", "") {
		if c.Run == "new" && (c.Request != nil || !c.RequestLost || string(c.Result) != `{"answer":4}`) {
			t.Errorf("without its text a call is %+v", c)
		}
	}
	prune(false, true, journal.Pruned{Runs: 1, Calls: 2, Kept: 1}, "old")
	must(t, "what another run rests on", steps(t, s, "new", ""), "[b d]")
	if has, err := s.Has(t.Context(), call(1, "").Key, ""); err != nil || has {
		t.Errorf("a pruned answer is still found: %v", err)
	}
	prune(false, true, journal.Pruned{Runs: 2, Calls: 2}, "old", "new")
	if runs, err := s.Runs(t.Context()); err != nil || len(runs) != 0 {
		t.Errorf("%d runs are left, %v", len(runs), err)
	}
	if _, err := s.Prune(t.Context(), []string{"old"}, false, true); err == nil {
		t.Error("a run that is not there was pruned")
	}
}
