package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
)

// TestFreshGoesOn stops a fresh run by its budget again and again: what it was
// answered counts, and it comes to its end at the price of one run.
func TestFreshGoesOn(t *testing.T) {
	t.Parallel()
	const samples = 12
	server := serve(t, fake.Config{})
	tr := newTrial(t, samples, "-j", "1")
	tr.eval(server.URL()).must(t, exitDone)
	fresh := func(wantCode, wantAnswers int, more ...string) verdict {
		t.Helper()
		v := tr.eval(server.URL(), append(more, "--fresh")...)
		if n := server.Stats().Answered; v.code != wantCode || n != wantAnswers {
			t.Fatalf("exit code %d after %d answers, want %d after %d: %s", v.code, n, wantCode, wantAnswers, v.errOut)
		}
		return v
	}
	fresh(exitBudget, samples+5, "--max-calls", "5")
	fresh(exitDone, samples+5, "--dry-run").prints(t, "calls to make  7 (5 more are remembered)")
	fresh(exitBudget, samples+10, "--max-calls", "5")
	v := fresh(exitDone, 2*samples, "--max-calls", "5")
	if u := v.results.Usage; u.Calls != 2*samples || u.ThisCommand.Calls != 2 || u.ThisCommand.Remembered != 10 {
		t.Errorf("usage %+v, of this command %+v", u, *u.ThisCommand)
	}
	// It has come to its end: the next one starts anew.
	fresh(exitDone, 3*samples)
	if v := tr.eval(server.URL()); v.code != exitDone || server.Stats().Answered != 3*samples {
		t.Errorf("without --fresh: exit code %d, %d answers", v.code, server.Stats().Answered)
	}
}

// TestFreshGoesOnAfterAKill kills a fresh run: what it was answered by then
// counts.
func TestFreshGoesOnAfterAKill(t *testing.T) {
	t.Parallel()
	const samples = 12
	reply, rung := ringing(samples + 6)
	server := serve(t, fake.Config{Reply: reply, Latency: 50 * time.Millisecond})
	tr := newTrial(t, samples, "-j", "1")
	tr.eval(server.URL()).must(t, exitDone)
	cmd, _, _ := tr.command(server.URL(), "--fresh")
	fixture.OK(t, cmd.Start())
	<-rung
	fixture.OK(t, cmd.Process.Kill())
	cmd.Wait()
	v := tr.eval(server.URL(), "--fresh")
	u := v.results.Usage
	if v.code != exitDone || u.ThisCommand.Remembered == 0 || u.ThisCommand.Calls+u.ThisCommand.Remembered != samples {
		t.Errorf("killed at the sixth answer, then exit code %d, usage %+v: %s", v.code, u.ThisCommand, v.errOut)
	}
	if u.Calls != samples+samples {
		t.Errorf("the run's calls are %d, want those of both rounds, %d", u.Calls, 2*samples)
	}
}

// TestFreshAsksEqualQuestionsOnce gives two samples the same question.
func TestFreshAsksEqualQuestionsOnce(t *testing.T) {
	t.Parallel()
	server := serve(t, fake.Config{})
	tr := newTrial(t, 1, "-j", "1", "--fresh")
	text, err := os.ReadFile(tr.path("rows.jsonl"))
	fixture.OK(t, err)
	var row map[string]any
	fixture.OK(t, json.Unmarshal(text, &row))
	row["uuid"] = "another"
	again, err := json.Marshal(row)
	fixture.OK(t, err)
	fixture.OK(t, os.WriteFile(tr.path("rows.jsonl"), fmt.Appendf(text, "%s\n", again), 0o644))
	if v := tr.eval(server.URL()); v.code != exitDone || v.results.Samples != 2 || server.Stats().Answered != 1 {
		t.Errorf("exit code %d, %d samples, %d answers: %s", v.code, v.results.Samples, server.Stats().Answered, v.errOut)
	}
}

// TestFreshAfterFailures asks again for what failed, and for nothing else, as
// the message says.
func TestFreshAfterFailures(t *testing.T) {
	t.Parallel()
	const samples = 4
	server := serve(t, fake.Config{Faults: []fake.Fault{{When: fake.Containing("clip 3."), Do: fake.ServerError(500)}}})
	tr := newTrial(t, samples, "-j", "1", "--fresh", "--max-retries", "0")
	for round, requests := range []int{samples, samples + 1} {
		v := tr.eval(server.URL())
		if n := server.Stats().Requests; v.code != exitFailures || n != requests || !strings.Contains(v.errOut, "run the same command again") {
			t.Errorf("round %d: exit code %d after %d requests, want %d: %s", round, v.code, n, requests, v.errOut)
		}
	}
}

// TestFreshInvestigationGoesOn stops fresh investigations and audits by their
// budget.
func TestLongFreshInvestigationGoesOn(t *testing.T) {
	t.Parallel()
	server := serve(t, fake.Config{Reply: func(*fake.Request) fake.Reply { return fake.Reply{Content: "A test picture."} }})
	q := newInquest(t)
	clip := q.shortClip("clip.mp4")
	args := []string{"--fresh", "--observer", "openai/mock,base-url=" + server.URL(), "--observer", "openai/other,base-url=" + server.URL(),
		"--observer", "openai/third,base-url=" + server.URL(), "--tools", "sound", "--max-calls", "1", clip}
	asked := 0
	for round := 1; ; round++ {
		v := q.run(args...)
		if n := server.Stats().Answered; v.code != exitDone && v.code != exitBudget || n != asked+1 || round > 20 {
			t.Fatalf("round %d: exit code %d, %d answers after %d: %s", round, v.code, n, asked, v.errOut)
		}
		asked++
		if v.code == exitDone {
			break
		}
	}
	if asked < 3 {
		t.Errorf("it was over after %d answers", asked)
	}
	if v := q.run(args...); v.code != exitBudget || server.Stats().Answered != asked+1 {
		t.Errorf("begun anew: exit code %d, %d answers after %d: %s", v.code, server.Stats().Answered, asked, v.errOut)
	}
}

// TestFreshAfterUnusableAnswers stops a fresh run because no answer is usable.
// The next fresh run asks the fixed model again.
func TestFreshAfterUnusableAnswers(t *testing.T) {
	t.Parallel()
	const samples = 60
	server, mended := mending(t, 0)
	tr := newTrial(t, samples, "-j", "4", "--fresh").asking(",attempts=9")
	tr.eval(server.URL()).must(t, exitFailed).says(t, "--fresh asks anew")
	mended.Store(true)
	if v := tr.eval(server.URL()); v.code != exitDone || v.results.Usage.ThisCommand.Calls != samples || v.results.Usage.ThisCommand.Remembered != 0 {
		t.Errorf("fixed: exit code %d, usage %+v: %s", v.code, v.results.Usage.ThisCommand, v.errOut)
	}
}

// TestAskFailed has a judge that answers every fourth question in prose, until it is replaced: only these samples are asked about again.
func TestAskFailed(t *testing.T) {
	t.Parallel()
	const samples = 12
	var replaced atomic.Bool
	good := fake.ClozeReply(nil, 0)
	server := serve(t, fake.Config{Reply: func(r *fake.Request) fake.Reply {
		text := string(r.Body)
		if !replaced.Load() && (strings.Contains(text, "clip 4.") || strings.Contains(text, "clip 8.") || strings.Contains(text, "clip 12.")) {
			return fake.Reply{Content: "I do not know."}
		}
		return good(r)
	}})
	tr := newTrial(t, samples, "-j", "1")
	v := tr.eval(server.URL())
	asked := server.Stats().Answered
	if v.code != exitFailures || len(v.results.Failed) != 3 || !strings.Contains(v.errOut, strings.Join(v.results.Failed, ", ")) {
		t.Fatalf("exit code %d, failed %v: %s", v.code, v.results.Failed, v.errOut)
	}
	if v := tr.eval(server.URL(), "--ask-failed"); v.code != exitFailures || server.Stats().Answered != asked+9 {
		t.Errorf("with the same judge: exit code %d after %d more answers, want the 9 attempts about 3 samples", v.code, server.Stats().Answered-asked)
	}
	replaced.Store(true)
	if v := tr.eval(server.URL()); v.code != exitFailures || server.Stats().Answered != asked+9 {
		t.Errorf("without the flag: exit code %d after %d more answers", v.code, server.Stats().Answered-asked)
	}
	if v := tr.eval(server.URL(), "--ask-failed"); v.code != exitDone || server.Stats().Answered != asked+12 {
		t.Errorf("with a better judge: exit code %d after %d more answers, want 3 more: %s", v.code, server.Stats().Answered-asked, v.errOut)
	}
	if v := tr.eval(server.URL()); v.code != exitDone || server.Stats().Answered != asked+12 {
		t.Errorf("afterwards: exit code %d after %d more answers", v.code, server.Stats().Answered-asked)
	}
}

// TestAskFailedInOfficial counts the reply that --ask-failed brings in official, too, instead of the first one.
func TestAskFailedInOfficial(t *testing.T) {
	t.Parallel()
	var replaced atomic.Bool
	good := fake.ClozeReply(nil, 0)
	server := serve(t, fake.Config{Reply: func(r *fake.Request) fake.Reply {
		reply := good(r)
		if !replaced.Load() {
			reply.Content = "```json\n" + reply.Content + "\n```"
		}
		return reply
	}})
	tr := newTrial(t, 3)
	v := tr.eval(server.URL(), "--scoring=official")
	if score := v.results.In("official").Headline.Scores["accuracy"]; v.code != exitFailures || score.Unscored == 0 || len(v.results.Failed) != 3 {
		t.Fatalf("exit code %d, %+v: %s", v.code, score, v.errOut)
	}
	if score := v.results.In("strict").Headline.Scores["accuracy"]; score.Unscored != 0 {
		t.Errorf("strict reads a reply in a fence: %+v", score)
	}
	replaced.Store(true)
	v = tr.eval(server.URL(), "--scoring=official", "--ask-failed")
	if score := v.results.In("official").Headline.Scores["accuracy"]; v.code != exitDone || score.Unscored != 0 || server.Stats().Answered != 6 {
		t.Errorf("exit code %d, %+v after %d answers: %s", v.code, score, server.Stats().Answered, v.errOut)
	}
}
