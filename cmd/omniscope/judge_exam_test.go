package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
)

// passes is a judge that knows the right answers of the examination of Omni-Cloze, except of the first wrong
// items, and answers other questions as ordinary does.
func passes(t *testing.T, wrong int) fake.Responder {
	t.Helper()
	file := fixture.Read(t, "../../bench/omnicloze/exam.jsonl")
	right := make(map[string]string) // reply by caption, as it is in a request
	for i, line := range strings.Split(strings.TrimSpace(file), "\n") {
		var row struct {
			Caption  string `json:"predicted_caption"`
			Expected string
		}
		fixture.OK(t, json.Unmarshal([]byte(line), &row))
		reply := make(map[string]string)
		for k, letter := range row.Expected {
			if reply[fmt.Sprint(k+1)] = string(letter) + ":"; i < wrong {
				reply[fmt.Sprint(k+1)] = "D:"
			}
		}
		caption, _ := json.Marshal(row.Caption)
		text, _ := json.Marshal(reply)
		right[strings.Trim(string(caption), `"`)] = string(text)
	}
	return func(r *fake.Request) fake.Reply {
		for caption, reply := range right {
			if bytes.Contains(r.Body, []byte(caption)) {
				return fake.Reply{Content: reply}
			}
		}
		return ordinary(r)
	}
}

// TestJudgeExam asks ten items with known answers once for each judge and its settings.
func TestJudgeExam(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, 3)
	server := serve(t, fake.Config{Reply: passes(t, 0), Model: "mock"})
	asked := func(what string, want int) {
		t.Helper()
		if got := server.Stats().Answered; got != want {
			t.Errorf("%s: %d calls, want %d", what, got, want)
		}
	}
	tr.eval(server.URL(), "--judge-exam", "--dry-run").prints(t, "calls to make  13 ", "10 of the calls examine the judge")
	asked("a forecast", 0)
	v := tr.eval(server.URL(), "--judge-exam")
	asked("the first run", 13)
	if x := v.results.Judge.Exam; v.code != exitDone || x == nil || x.Items != 10 || x.Right != 10 || x.Wrong != 0 || !strings.Contains(v.out, "examined   10 of 10 known answers right") {
		t.Errorf("exit code %d, %+v, %s%s", v.code, x, v.out, v.errOut)
	}
	if slices.ContainsFunc(v.results.Marks, func(m string) bool { return strings.Contains(m, "examination") }) {
		t.Errorf("marks %q", v.results.Marks)
	}
	if n := v.results.Judge.Readable[0].Replies; n != 3 {
		t.Errorf("%d replies count among the readable ones, want 3", n)
	}
	tr.eval(server.URL(), "--judge-exam")
	tr.eval(server.URL(), "--judge-exam", "--force", "--limit", "2")
	asked("the same judge again", 13)
	tr.eval(server.URL(), "--judge-exam", "--dry-run").prints(t, "calls to make  0 (13 more are remembered)")
	tr.asking(",temperature=0.5").eval(server.URL(), "--judge-exam", "--force")
	asked("other settings", 26)
	v = tr.asking(",temperature=0.7").eval(server.URL(), "--judge-exam=false", "--force")
	if asked("without an examination", 29); v.results.Judge.Exam != nil {
		t.Errorf("it was examined: %+v", v.results.Judge.Exam)
	}
}

// TestFailedJudgeExam marks all scores of a judge with more than three wrong answers.
func TestFailedJudgeExam(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		wrong  int
		failed bool
	}{{3, false}, {4, true}, {10, true}} {
		tr := newTrial(t, 3)
		v := tr.eval(serve(t, fake.Config{Reply: passes(t, c.wrong), Model: "mock"}).URL(), "--judge-exam")
		want := fmt.Sprintf("the judge answered %d of 10 examination items wrong", c.wrong)
		if v.results.Judge.Exam == nil || v.results.Judge.Exam.Wrong != c.wrong || v.code != exitDone {
			t.Fatalf("exit code %d, %+v, %s", v.code, v.results.Judge.Exam, v.errOut)
		}
		warned := slices.ContainsFunc(v.results.Warnings, func(w string) bool { return strings.HasPrefix(w, want) })
		if marked := slices.Contains(v.results.Marks, want); marked != c.failed || warned != c.failed || strings.Contains(v.errOut, "warning: "+want) != c.failed {
			t.Errorf("%d wrong: marks %q, warnings %q, %s", c.wrong, v.results.Marks, v.results.Warnings, v.errOut)
		}
		again := tr.journal("replay", v.results.Run.ID)
		if !strings.Contains(again.out, fmt.Sprintf("examined   %d of 10 known answers right", 10-c.wrong)) || strings.Contains(again.out, want) != c.failed {
			t.Errorf("%d wrong, scored again: %s%s", c.wrong, again.out, again.errOut)
		}
	}
}

// TestJudgeExamWithinBudget counts the calls of the examination.
func TestJudgeExamWithinBudget(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, 3)
	server := serve(t, fake.Config{Reply: passes(t, 0), Model: "mock"})
	if v := tr.eval(server.URL(), "--judge-exam", "--max-calls", "5"); v.code != exitBudget || server.Stats().Answered != 5 {
		t.Errorf("exit code %d after %d calls: %s", v.code, server.Stats().Answered, v.errOut)
	}
	if v := tr.eval(server.URL(), "--judge-exam"); v.code != exitDone || server.Stats().Answered != 13 {
		t.Errorf("exit code %d after %d calls: %s", v.code, server.Stats().Answered, v.errOut)
	}
}

// TestAskFailedAndJudgeExam asks again about samples, and not the items of the examination: an unreadable reply is a wrong answer.
func TestAskFailedAndJudgeExam(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, 3)
	server := serve(t, fake.Config{Reply: func(*fake.Request) fake.Reply { return fake.Reply{Content: "no"} }, Model: "mock"})
	for _, c := range []struct {
		flags []string
		calls int
	}{{nil, 10 + 9}, {nil, 10 + 9}, {[]string{"--ask-failed"}, 10 + 9 + 9}} { // three askings of three samples
		v := tr.eval(server.URL(), append(c.flags, "--judge-exam", "--force")...)
		if n := server.Stats().Answered; n != c.calls || v.results.Judge.Exam == nil || v.results.Judge.Exam.Unreadable != 10 {
			t.Errorf("%v: %d calls, want %d; examination %+v", c.flags, n, c.calls, v.results.Judge.Exam)
		}
	}
}

// TestJudgeExamInParts has one of two parts examine the judge. The command that makes the results asks nothing.
func TestJudgeExamInParts(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, 3)
	server := serve(t, fake.Config{Reply: passes(t, 0), Model: "mock"})
	calls := 0
	for _, c := range []struct {
		flags []string
		calls int
	}{{[]string{"--shard", "1/2"}, 1}, {[]string{"--shard", "0/2"}, 10 + 2}, {nil, 0}} {
		v := tr.eval(server.URL(), append(c.flags, "--judge-exam")...)
		if calls += c.calls; v.code != exitDone || server.Stats().Answered != calls {
			t.Errorf("%v: exit code %d after %d calls, want %d: %s", c.flags, v.code, server.Stats().Answered, calls, v.errOut)
		}
		if c.flags == nil && (v.results.Judge.Exam == nil || v.results.Judge.Exam.Right != 10) {
			t.Errorf("%+v", v.results.Judge.Exam)
		}
	}
}
