package production

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"omniscope"
	"omniscope/bench/captionrow"
	"omniscope/detective"
	"omniscope/internal/testing/fixture"
)

var av = []string{"av"}

// listOf makes a list of n rows.
func listOf(t testing.TB, n int) *List {
	t.Helper()
	l := &List{Name: "made"}
	for i := range n {
		row, err := detective.ReadRow(fmt.Appendf(nil, `{"id": "clip-%d", "url": "%d.mp4", "more": {"a": [1, %d]}}`, i, i, i))
		fixture.OK(t, err)
		l.Rows = append(l.Rows, Row{Row: row, Path: fmt.Sprintf("/clips/%d.mp4", i)})
	}
	return l
}

func opened(t testing.TB, dir string, l *List) *Output {
	t.Helper()
	o, err := OpenOutput(dir, l, av, By{Flags: "flags"}, false)
	fixture.OK(t, err)
	t.Cleanup(func() { o.Close() })
	return o
}

func put(t testing.TB, o *Output, i int) {
	t.Helper()
	if err := o.Put(i, captionrow.Row{Caption: fmt.Sprint("caption ", i)}, Summary{Pass: "av", Words: i, Ended: detective.EndedEnough, Sentences: 2, Unfounded: i % 2}, said(i)); err != nil {
		t.Error(err)
	}
}

// said is a trajectory that differs for each row.
func said(i int) detective.Trajectory {
	return detective.Trajectory{{Role: "system", Content: "<find> & out"}, {Role: "assistant", Content: strings.Repeat("words ", i%50) + fmt.Sprint(i)}}
}

func captions(t testing.TB, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "av", "captions-*.jsonl"))
	fixture.OK(t, err)
	var all bytes.Buffer
	for _, file := range files {
		text, err := os.ReadFile(file)
		fixture.OK(t, err)
		fmt.Fprintf(&all, "%s\n%s", filepath.Base(file), text)
	}
	return all.String()
}

// TestRowsInTheListsOrder puts 2,500 rows from many goroutines in any order: three files have them
// in the list's order, and nothing is left unfinished.
func TestRowsInTheListsOrder(t *testing.T) {
	const n = 2500
	dir, l := filepath.Join(t.TempDir(), "out"), listOf(t, n)
	o := opened(t, dir, l)
	var all sync.WaitGroup
	order := rand.New(rand.NewPCG(1, 1)).Perm(n)
	for k := range 8 {
		all.Go(func() {
			for at := k; at < n; at += 8 {
				put(t, o, order[at])
			}
		})
	}
	all.Wait()
	if left, _ := filepath.Glob(filepath.Join(dir, "av", "unfinished-*")); len(left) > 0 || o.Count("av") != n {
		t.Errorf("%d rows, unfinished %q", o.Count("av"), left)
	}
	next := 0
	for file := range 3 {
		f, err := os.ReadFile(filepath.Join(dir, "av", fmt.Sprintf("captions-%05d.jsonl", file)))
		fixture.OK(t, err)
		rows, err := detective.ReadRows(bytes.NewReader(f), "captions")
		if err != nil || len(rows) != min(rowsPerFile, n-file*rowsPerFile) {
			t.Fatalf("file %d has %d rows, %v", file, len(rows), err)
		}
		for _, r := range rows {
			if want := fmt.Sprint("clip-", next); r.ID != want || r.Trajectory[1].Content != said(next)[1].Content {
				t.Fatalf("%s stands where %s is wanted", r.ID, want)
			}
			next++
		}
	}
}

// TestCutOffAnywhere cuts the unfinished file off at each of its bytes, as a crash may: what is whole
// counts, the rest is made again, and the files are the same as without a crash.
func TestCutOffAnywhere(t *testing.T) {
	l := listOf(t, 5)
	whole := filepath.Join(t.TempDir(), "whole")
	o := opened(t, whole, l)
	for i := range l.Rows {
		put(t, o, i)
	}
	want := captions(t, whole)
	var rows [][]byte
	for _, i := range []int{3, 0, 4} {
		begin, err := start(filepath.Join(whole, "av"), &l.Rows[i])
		fixture.OK(t, err)
		text, err := line(begin, captionrow.Row{Caption: fmt.Sprint("caption ", i)}, Summary{Pass: "av", Words: i, Ended: detective.EndedEnough, Sentences: 2, Unfounded: i % 2}, said(i))
		fixture.OK(t, err)
		rows = append(rows, text)
	}
	text := bytes.Join(rows, nil)
	for cut := 0; cut <= len(text); cut += 7 {
		dir := filepath.Join(t.TempDir(), "out")
		opened(t, dir, l).Close()
		fixture.FileIn(t, dir, "av/unfinished-00000.jsonl", string(text[:cut]))
		o := opened(t, dir, l)
		if n := bytes.Count(text[:cut], []byte("\n")); o.Count("av") != n {
			t.Fatalf("cut off at %d: %d rows are there, want %d", cut, o.Count("av"), n)
		}
		for i := range l.Rows {
			if !o.Done(i, "av") {
				put(t, o, i)
			}
		}
		if got := captions(t, dir); got != want {
			t.Fatalf("cut off at %d:\n%s\nwant\n%s", cut, got, want)
		}
		o.Close()
	}
}

// TestFailuresAreTriedAgain shows that a file is written when all its rows were tried, and again when
// one that failed has its caption.
func TestFailuresAreTriedAgain(t *testing.T) {
	dir, l := filepath.Join(t.TempDir(), "out"), listOf(t, 3)
	o := opened(t, dir, l)
	put(t, o, 2)
	put(t, o, 0)
	fixture.OK(t, o.Fail(1, "av", omniscope.Refused, "it would not"))
	fixture.OK(t, o.Finish(av))
	if got := strings.Count(captions(t, dir), "\n"); got != 3 { // with the file's name
		t.Errorf("%d lines:\n%s", got, captions(t, dir))
	}
	failures, err := os.ReadFile(filepath.Join(dir, "failures.jsonl"))
	if want := `{"id":"clip-1","url":"1.mp4","pass":"av","outcome":"refused","why":"it would not"}` + "\n"; err != nil || string(failures) != want {
		t.Errorf("%s, %v", failures, err)
	}
	s, err := o.Statistics(av)
	if p := s.Passes[0]; err != nil || p.Captions != 2 || p.Failures != 1 || p.Untried != 0 || p.Words.Mean != 1 || p.Unfounded != 0 || p.EarlyStops != 1 {
		t.Errorf("%+v, %v", s, err)
	}
	o.Close()
	o = opened(t, dir, l)
	if o.Done(1, "av") || !o.Done(2, "av") {
		t.Error("a row that failed is done, or one that has its caption is not")
	}
	put(t, o, 1)
	fixture.OK(t, o.Finish(av))
	if _, err := os.Stat(filepath.Join(dir, "failures.jsonl")); !os.IsNotExist(err) {
		t.Errorf("failures are left: %v", err)
	}
	if got := captions(t, dir); strings.Index(got, "clip-0") > strings.Index(got, "clip-1") || strings.Index(got, "clip-1") > strings.Index(got, "clip-2") || strings.Count(got, "\n") != 4 {
		t.Errorf("rows are\n%s", got)
	}
}

// TestListsOfOddColumns shows that captions of rows with columns like the output's own, and of rows over
// several lines, are found again.
func TestListsOfOddColumns(t *testing.T) {
	dir := t.TempDir()
	l := readList(t, fixture.FileIn(t, dir, "list.json", `[{"id": "clip-0", "url": "0.mp4", "investigation": "case 17", "more": {
    "a": [1,
      2]}}, {"id": "clip-1", "url": "1.mp4", "investigation": {"words": 999}, "omni_detective_trajectory": [{"role": "user", "content": "old"}]}]`))
	o := opened(t, filepath.Join(dir, "out"), l)
	put(t, o, 0)
	put(t, o, 1)
	o.Close()
	o = opened(t, filepath.Join(dir, "out"), l)
	s, err := o.Statistics(av)
	if err != nil || o.Count("av") != 2 || s.Passes[0].Captions != 2 || s.Passes[0].Words.P95 != 1 {
		t.Errorf("%d rows, %+v, %v:\n%s", o.Count("av"), s, err, captions(t, filepath.Join(dir, "out")))
	}
}

// TestCaptionsThatAreThere shows that a caption is written once, and that a finished file is not
// written anew for it.
func TestCaptionsThatAreThere(t *testing.T) {
	dir, l := filepath.Join(t.TempDir(), "out"), listOf(t, 2)
	o := opened(t, dir, l)
	put(t, o, 0)
	put(t, o, 1)
	want := captions(t, dir)
	before, err := os.Stat(filepath.Join(dir, "av", "captions-00000.jsonl"))
	fixture.OK(t, err)
	put(t, o, 1)
	after, err := os.Stat(filepath.Join(dir, "av", "captions-00000.jsonl"))
	if err != nil || !os.SameFile(before, after) || captions(t, dir) != want {
		t.Errorf("the file was written again: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "av", "unfinished-*")); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}

// TestOtherListsAndFlags shows what may be written to a folder that is not empty.
func TestOtherListsAndFlags(t *testing.T) {
	fresh := func() string {
		dir := filepath.Join(t.TempDir(), "out")
		o := opened(t, dir, listOf(t, 3))
		for i := range 3 {
			put(t, o, i)
		}
		o.Close()
		return dir
	}
	changed := listOf(t, 3)
	changed.Rows[1].Row, _ = detective.ReadRow([]byte(`{"id": "clip-1", "url": "other.mp4"}`))
	others := filepath.Join(t.TempDir(), "others")
	fixture.FileIn(t, others, "mine.txt", "x")
	fixture.FileIn(t, others, "reports/a/mine.txt", "x")
	fixture.FileIn(t, others, "a/captions-mine.jsonl", "x")
	for name, c := range map[string]struct {
		dir   string
		list  *List
		flags string
		force bool
		done  int // -1 = refused
	}{
		"the same":                    {fresh(), listOf(t, 3), "flags", false, 3},
		"a list that grew":            {fresh(), listOf(t, 1200), "flags", false, 3},
		"a shorter list":              {fresh(), listOf(t, 2), "flags", false, -1},
		"a changed row":               {fresh(), changed, "flags", false, -1},
		"other flags":                 {fresh(), listOf(t, 3), "others", false, -1},
		"the same, by force":          {fresh(), listOf(t, 3), "flags", true, 0},
		"other flags, by force":       {fresh(), listOf(t, 3), "others", true, 0},
		"a shorter list, by force":    {fresh(), listOf(t, 2), "flags", true, 0},
		"a folder of files":           {others, listOf(t, 3), "flags", false, -1},
		"a folder of files, by force": {others, listOf(t, 3), "flags", true, -1},
	} {
		o, err := OpenOutput(c.dir, c.list, av, By{Flags: c.flags}, c.force)
		if c.done < 0 {
			if omniscope.KindOf(err) != omniscope.Usage || !strings.Contains(err.Error(), "--out") {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil || o.Count("av") != c.done {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if _, err := OpenOutput(c.dir, c.list, av, By{Flags: c.flags}, c.force); omniscope.KindOf(err) != omniscope.Usage {
			t.Errorf("%s: two processes write to it: %v", name, err)
		}
		o.Close()
	}
	for _, name := range []string{"mine.txt", "reports/a/mine.txt", "a/captions-mine.jsonl"} {
		if _, err := os.Stat(filepath.Join(others, name)); err != nil {
			t.Error(err)
		}
	}
}

// TestForceRemovesItsOwnAlone shows what force removes of a folder of captions in which somebody
// has put files of their own, and that a manifest that was edited cannot lead out of it.
func TestForceRemovesItsOwnAlone(t *testing.T) {
	dir, l := filepath.Join(t.TempDir(), "out[1]"), listOf(t, 2)
	o := opened(t, dir, l)
	put(t, o, 0)
	put(t, o, 1)
	o.Close()
	fixture.FileIn(t, dir, "reports/av/clip-0/index.html", "page")
	mine := []string{"reports/mine.html", "notes/captions-00000.jsonl", "av/notes.txt", "statistics.csv"}
	for _, name := range mine {
		fixture.FileIn(t, dir, name, "mine")
	}
	again, err := OpenOutput(dir, l, av, By{Flags: "others"}, true)
	if err != nil || again.Count("av") != 0 {
		t.Fatalf("%v", err)
	}
	again.Close()
	for _, name := range mine {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "reports", "av")); !os.IsNotExist(err) {
		t.Errorf("old reports are there: %v", err)
	}
	outside := filepath.Join(filepath.Dir(dir), "other")
	fixture.FileIn(t, outside, "captions-00000.jsonl", "mine")
	fixture.FileIn(t, dir, "captions.json", `{"list": "made", "rows": 0, "passes": ["../other"]}`)
	if _, err := OpenOutput(dir, l, av, By{Flags: "flags"}, true); omniscope.KindOf(err) != omniscope.Invalid {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(filepath.Join(outside, "captions-00000.jsonl")); err != nil {
		t.Error(err)
	}
}

// TestRowsThatWereEdited shows that a row whose line was changed by hand, or is no JSON, is made
// again, and that the others are kept.
func TestRowsThatWereEdited(t *testing.T) {
	dir, l := filepath.Join(t.TempDir(), "out"), listOf(t, 4)
	o := opened(t, dir, l)
	for i := range l.Rows {
		put(t, o, i)
	}
	want := captions(t, dir)
	o.Close()
	file := filepath.Join(dir, "av", "captions-00000.jsonl")
	text := fixture.Read(t, file)
	lines := strings.SplitAfter(text, "\n")
	lines[1] = strings.Replace(lines[1], "1.mp4", "7.mp4", 1)
	lines[2] = lines[2][:len(lines[2])/2] + "\n"
	fixture.FileIn(t, dir, "av/captions-00000.jsonl", strings.Join(lines, ""))
	o = opened(t, dir, l)
	if !o.Done(0, "av") || o.Done(1, "av") || o.Done(2, "av") || !o.Done(3, "av") {
		t.Errorf("%d rows are done", o.Count("av"))
	}
	put(t, o, 2)
	put(t, o, 1)
	if got := captions(t, dir); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// BenchmarkRows puts rows as long as those of audio-visual captions.
func BenchmarkRows(b *testing.B) {
	l := listOf(b, rowsPerFile)
	long := detective.Trajectory{{Role: "user", Content: strings.Repeat("An observer says that a dog barks. ", 800)}}
	var o *Output
	for i := 0; b.Loop(); i++ {
		if i%rowsPerFile == 0 {
			o = opened(b, filepath.Join(b.TempDir(), "out"), l)
		}
		fixture.OK(b, o.Put(i%rowsPerFile, captionrow.Row{}, Summary{Pass: "av"}, long))
	}
}
