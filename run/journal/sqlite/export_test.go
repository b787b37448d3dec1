package sqlite_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/run/journal"
	"omniscope/run/journal/sqlite"
)

// twoRuns is a journal in which the second run was given an answer of the first.
func twoRuns(t *testing.T) *sqlite.Store {
	t.Helper()
	dir := t.TempDir()
	first := openRun(t, dir, "aaaa1111")
	appendNumbers(t, first, 0, 1)
	failed := numbered(2)
	failed.Outcome = omniscope.Refused
	fixture.OK(t, first.Append(t.Context(), failed))
	first.Close()
	second := openRun(t, dir, "bbbb2222")
	if e, err := second.Lookup(t.Context(), numbered(0).Key, ""); err != nil || e == nil {
		t.Fatal(e, err)
	}
	appendNumbers(t, second, 3)
	if err := second.Journal.Close(); err != nil { // which answers it was given is written now
		t.Fatal(err)
	}
	return second.store
}

func TestExportHoldsEachCallOnce(t *testing.T) {
	s := twoRuns(t)
	runs, err := s.Runs(t.Context())
	fixture.OK(t, err)
	for _, c := range []struct {
		runs  []journal.Run
		own   bool
		lines int
	}{{runs, true, 4}, {runs, false, 5}, {runs[1:], false, 2}} {
		var out bytes.Buffer
		fixture.OK(t, journal.Export(t.Context(), s, &out, c.runs, c.own))
		if n := strings.Count(out.String(), "\n"); n != c.lines {
			t.Errorf("%d runs, own %t: %d lines, want %d:\n%s", len(c.runs), c.own, n, c.lines, &out)
		}
		if !journal.IsExport(bytes.NewReader(out.Bytes()), runs) {
			t.Errorf("it is not recognised:\n%s", &out)
		}
	}
	for _, other := range []string{"", "{}", `{"run":"aaaa1111"}`, `{"run":"cccc","key":"00"}`} {
		if journal.IsExport(strings.NewReader(other), runs) {
			t.Errorf("%q is taken for an export", other)
		}
	}
}

func TestCallsAsOneDocument(t *testing.T) {
	s := twoRuns(t)
	type document struct {
		Schema, Run string
		Calls       []struct {
			Outcome         string
			Request, Result any
		}
	}
	write := func(step string, failedOnly bool) (d document, err error) {
		var out bytes.Buffer
		err = journal.WriteCalls(t.Context(), s, &out, "aaaa1111", step, failedOnly)
		if e := json.Unmarshal(out.Bytes(), &d); e != nil {
			t.Fatalf("%v:\n%s", e, &out)
		}
		return d, err
	}
	all, err := write("", false)
	if err != nil || all.Schema != journal.ListSchema || all.Run != "aaaa1111" || len(all.Calls) != 3 || all.Calls[0].Request != nil || all.Calls[0].Result == nil {
		t.Errorf("%+v, %v", all, err)
	}
	if failed, err := write("", true); err != nil || len(failed.Calls) != 1 || failed.Calls[0].Outcome != "refused" {
		t.Errorf("%+v, %v", failed, err)
	}
	if one, err := write(numbered(1).Step, false); err != nil || len(one.Calls) != 1 || one.Calls[0].Request == nil {
		t.Errorf("%+v, %v", one, err)
	}
	none, err := write("absent", false)
	if len(none.Calls) != 0 || omniscope.KindOf(err) != omniscope.NotFound || !strings.Contains(err.Error(), `run aaaa1111 has no step "absent"; it has [`) {
		t.Errorf("%+v, %v", none, err)
	}
}

// cut fails at its first write only.
type cut struct{ bytes.Buffer }

func (c *cut) Write(p []byte) (int, error) {
	if c.Len() == 0 {
		c.Buffer.WriteByte('?')
		return 0, io.ErrShortWrite
	}
	return c.Buffer.Write(p)
}

func TestDocumentWithoutItsStart(t *testing.T) {
	if err := journal.WriteCalls(t.Context(), twoRuns(t), new(cut), "aaaa1111", "", false); !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("got %v", err)
	}
}

func TestMisspeltRunsAndSteps(t *testing.T) {
	s := twoRuns(t)
	for name, want := range map[string]string{
		"aaab1":    "lists the runs; did you mean aaaa1111?",
		"bbb2222x": "lists the runs",
		"xx":       "lists the runs",
	} {
		if _, err := journal.FindRun(t.Context(), s, name); omniscope.KindOf(err) != omniscope.NotFound || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	if r, err := journal.FindRun(t.Context(), s, "bb"); err != nil || r.Name != "bbbb2222" {
		t.Errorf("%+v, %v", r, err)
	}
	step := numbered(1).Step
	if err := journal.NoStep(t.Context(), s, "aaaa1111", step+"x"); !strings.Contains(err.Error(), "did you mean "+step) {
		t.Errorf("%v", err)
	}
}

func TestMissingJournal(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "none")
	_, err := sqlite.OpenExisting(dir)
	_, recovered := sqlite.Recover(t.Context(), dir, dir+"-new")
	for _, err := range []error{err, recovered} {
		if omniscope.KindOf(err) != omniscope.NotFound || !strings.Contains(err.Error(), "there is no journal in "+dir) {
			t.Errorf("%v", err)
		}
	}
	if sqlite.Exists(dir) || sqlite.Exists(dir+"-new") {
		t.Error("a journal was made")
	}
}

func TestVerifyText(t *testing.T) {
	for want, f := range map[string]journal.Finding{
		"the file: rows are lost":                   {What: "rows are lost"},
		"run 3fa2: it cannot be read":               {Run: "3fa2", What: "it cannot be read"},
		"run 3fa2, call 5 (clip-1): it was changed": {Run: "3fa2", ID: 5, Step: "clip-1", What: "it was changed"},
	} {
		if got := f.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if got := (journal.Verified{Calls: 3, Requests: 2, Without: 1, Lost: 1}).String(); got != "checked 3 calls and 2 texts of requests; 1 calls of an older version carry no checksum; 1 texts of requests are lost, which harms no answer" {
		t.Error(got)
	}
	if err := (journal.Verified{Calls: 3}).Err(); err != nil {
		t.Error(err)
	}
	if err := (journal.Verified{Calls: 3, Damaged: 2}).Err(); omniscope.KindOf(err) != omniscope.Invalid || !strings.HasPrefix(err.Error(), "2 of them damaged: ") {
		t.Error(err)
	}
}
