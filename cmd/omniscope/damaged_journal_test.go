package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/mockllm"
)

// TestEditedAnswer changes a remembered answer by hand: it is not counted, and
// asked again only on request.
func TestEditedAnswer(t *testing.T) {
	t.Parallel()
	const samples = 5
	server := serve(t, mockllm.Config{})
	tr := newTrial(t, samples, "-j", "1")
	tr.eval(server.URL()).must(t, exitDone)
	tr.journal("verify").ends(t, exitDone).prints(t, "checked 5 calls and 5 texts of requests")
	tr.execute("UPDATE call SET result = replace(CAST(result AS TEXT), '\"text\":\"', '\"text\":\" ') WHERE step = '0000003'")

	for _, c := range []struct {
		name string
		v    verdict
		says []string
	}{
		{"eval", tr.eval(server.URL()), []string{"was changed after it was written", "journal verify", "--ask-damaged"}},
		{"verify", tr.journal("verify"), []string{"(0000003)", "its checksum differs"}},
		{"replay", tr.journal("replay", tr.run()), []string{"was changed after it was written", "journal verify"}},
		{"export", tr.journal("export"), []string{"1 calls were changed"}},
	} {
		said := c.v.out + c.v.errOut
		for _, words := range c.says {
			if !strings.Contains(said, words) {
				t.Errorf("%s does not say %q but %s", c.name, words, said)
			}
		}
		if c.v.code != exitFailed {
			t.Errorf("%s: exit code %d, want %d", c.name, c.v.code, exitFailed)
		}
	}
	tr.journal("show", tr.run()).ends(t, exitDone).prints(t, "DAMAGED")
	if n := server.Stats().Answered; n != samples {
		t.Errorf("%d answers, want %d: something was asked again", n, samples)
	}

	v := tr.eval(server.URL(), "--ask-damaged")
	if n := server.Stats().Answered; v.code != exitDone || n != samples+1 {
		t.Errorf("asked again: exit code %d, %d answers: %s", v.code, n, v.errOut)
	}
	if all := strings.Join(v.results.Warnings, "\n"); !strings.Contains(all, "it was asked again") || !strings.Contains(v.errOut, "it was asked again") {
		t.Errorf("the warnings are %s, on the terminal %s", all, v.errOut)
	}
	if v := tr.eval(server.URL()); v.code != exitDone || server.Stats().Answered != samples+1 {
		t.Errorf("after that: exit code %d, %d answers: %s", v.code, server.Stats().Answered, v.errOut)
	}
}

// TestEditedOutcome makes a failure of a remembered answer by hand: it is asked
// again only on request.
func TestEditedOutcome(t *testing.T) {
	t.Parallel()
	const samples = 3
	server := serve(t, mockllm.Config{})
	tr := newTrial(t, samples, "-j", "1")
	tr.eval(server.URL())
	tr.execute("UPDATE call SET outcome = 2 WHERE step = '0000003'")
	v := tr.eval(server.URL())
	if n := server.Stats().Answered; v.code != exitFailed || n != samples || !strings.Contains(v.errOut, "was changed after it was written") {
		t.Errorf("exit code %d, %d answers: %s", v.code, n, v.errOut)
	}
	v = tr.eval(server.URL(), "--ask-damaged")
	if n := server.Stats().Answered; v.code != exitDone || n != samples+1 || !strings.Contains(v.errOut, "it was asked again") {
		t.Errorf("on request: exit code %d, %d answers: %s", v.code, n, v.errOut)
	}
}

// TestReplayOfAChangedRow changes what a row is found under as well as its
// answer, so that a replay looks for it by its step: it does not count either.
func TestReplayOfAChangedRow(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, 3, "-j", "1")
	tr.eval(serve(t, mockllm.Config{}).URL()).must(t, exitDone)
	tr.execute("UPDATE call SET key = zeroblob(16), result = replace(CAST(result AS TEXT), '\"text\":\"', '\"text\":\" ') WHERE step = '0000003'")
	tr.journal("replay", tr.run()).ends(t, exitFailed).says(t, "was changed after it was written")
}

// run is the name of the trial's only run.
func (tr *trial) run() string {
	tr.t.Helper()
	var shown struct{ Runs []struct{ Run string } }
	if v := tr.journal("show", "--json"); json.Unmarshal([]byte(v.out), &shown) != nil || len(shown.Runs) == 0 {
		tr.t.Fatalf("the journal shows %s%s", v.out, v.errOut)
	}
	return shown.Runs[0].Run
}

// TestChangedRequestText changes what a request said: verify finds it, and the
// answer counts all the same.
func TestChangedRequestText(t *testing.T) {
	t.Parallel()
	server := serve(t, mockllm.Config{})
	tr := newTrial(t, 3, "-j", "1")
	tr.eval(server.URL())
	files, err := filepath.Glob(tr.path("work/journal/requests/*.jsonl"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	text, err := os.ReadFile(files[0])
	fixture.OK(t, err)
	text[len(text)/2] ^= 1
	fixture.OK(t, os.WriteFile(files[0], text, 0o644))
	tr.journal("verify").ends(t, exitFailed).prints(t, "the text of its request was changed")
	if v := tr.eval(server.URL()); v.code != exitDone || server.Stats().Answered != 3 {
		t.Errorf("eval: exit code %d, %d answers: %s", v.code, server.Stats().Answered, v.errOut)
	}
}

// TestDamagedJournal flips bits and cuts the files of a journal: a command
// either goes well or says what to do, and recover saves what is left.
func TestDamagedJournal(t *testing.T)     { testDamagedJournal(t, 9973) }
func TestLongDamagedJournal(t *testing.T) { testDamagedJournal(t, 997) }

func testDamagedJournal(t *testing.T, step int) {
	t.Parallel()
	const samples = 12
	server := serve(t, mockllm.Config{})
	whole := newTrial(t, samples, "-j", "1")
	whole.eval(server.URL()).must(t, exitDone)
	database, err := os.ReadFile(whole.path("work/journal/journal.db"))
	fixture.OK(t, err)
	damage := func(name string, least int, change func(b []byte) []byte) {
		t.Helper()
		tr := &trial{t: t, dir: t.TempDir()}
		fixture.OK(t, os.CopyFS(tr.path("work"), os.DirFS(whole.path("work"))))
		fixture.OK(t, os.WriteFile(tr.path("work/journal/journal.db"), change(append([]byte(nil), database...)), 0o644))
		for _, command := range [][]string{{"show"}, {"verify"}, {"export"}, {"recover", "--out", tr.path("saved")}} {
			v := tr.journal(command...)
			if v.code != exitDone && !strings.Contains(v.errOut+v.out, "journal recover") && !strings.Contains(v.errOut, "journal verify") && !strings.Contains(v.errOut, "no journal") {
				t.Errorf("%s: %s: exit code %d without what to do: %s%s", name, command[0], v.code, v.out, v.errOut)
			}
			saved := 0
			if _, err := fmt.Sscanf(v.out, "saved %d calls", &saved); command[0] == "recover" && (v.code != exitDone || err != nil || saved < least) {
				t.Errorf("%s: recover saved %d calls, want %d or more; exit code %d: %s%s", name, saved, least, v.code, v.out, v.errOut)
			}
		}
	}
	for at := 0; at < len(database); at += step {
		const onePage = 6 // calls that lie on a page at most
		damage(fmt.Sprint("a flipped bit at ", at), samples-onePage, func(b []byte) []byte { b[at] ^= 0x10; return b })
		damage(fmt.Sprint("zeros at ", at), samples-2*onePage, func(b []byte) []byte { clear(b[at:min(at+600, len(b))]); return b })
		damage(fmt.Sprint("cut at ", at), 0, func(b []byte) []byte { return b[:at] })
	}
	if n := server.Stats().Answered; n != samples {
		t.Errorf("%d answers", n)
	}
}
