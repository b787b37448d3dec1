package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"omniscope/bench/document"
	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/pgtest"
	"omniscope/internal/version"
	"omniscope/run/journal/pg"
	"omniscope/run/river"
	"omniscope/web/view"
)

// untilNumber waits until a query's answer is as it should be.
func (f *fleetRun) untilNumber(journal, query string, is func(int) bool) {
	f.t.Helper()
	end := time.Now().Add(30 * time.Second)
	for ; time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if is(number(f.t, journal, query)) {
			return
		}
	}
	f.t.Fatalf("%s stays %d", query, number(f.t, journal, query))
}

// TestLongWorkersAskWhereTheCommandAsks has a worker with another endpoint in its environment and without prices: it asks the
// endpoint of the order, and counts at the prices of the order.
func TestLongWorkersAskWhereTheCommandAsks(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, 20)
	ordered, own := serve(t, fake.Config{Model: "mock"}), serve(t, fake.Config{Model: "mock"})
	f := &fleetRun{inquest: newInquest(t), args: []string{"eval", "omni-cloze", "-p", tr.path("rows.jsonl"), "--judge", "openai/mock"}, server: own}
	journal := pgtest.New(t)
	done, end := f.start("worker", "--journal", journal, "--work-dir", f.path("worker"))
	f.untilNumber(journal, "SELECT count(*) FROM pg_tables WHERE tablename = 'worker'", func(n int) bool { return n == 1 })
	f.untilNumber(journal, "SELECT count(*) FROM worker", func(n int) bool { return n == 1 })
	f.server = ordered
	wait, _ := f.start(f.in("asked", "--journal", journal, "--engine", "river", "--prices", f.write("prices.yaml", "openai/mock: {in: 10, out: 10}\n"), "--max-cost", "100")...)
	if said, err := wait(); err != nil {
		t.Errorf("%v\n%s", err, said)
	}
	if n := number(t, journal, "SELECT count(*) FROM call WHERE cost_usd > 0"); n != 20 {
		t.Errorf("%d calls have a cost, want 20", n)
	}
	end(os.Interrupt)
	if said, err := done(); err != nil || !strings.Contains(said, ordered.URL()+" (the command that ordered the run)") {
		t.Errorf("the worker ended with %v and said\n%s", err, said)
	}
	if n, other := ordered.Stats().Answered, own.Stats().Answered; n != 20 || other != 0 {
		t.Errorf("%d calls went to the endpoint of the order and %d to that of the worker", n, other)
	}
}

// TestLongWorkersExamineTheJudge has a worker examine the judge: the command that ordered the run asks nothing.
func TestLongWorkersExamineTheJudge(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, 20)
	server := serve(t, fake.Config{Reply: passes(t, 0), Model: "mock"})
	f := &fleetRun{inquest: newInquest(t), args: []string{"eval", "omni-cloze", "-p", tr.path("rows.jsonl"), "--judge", "openai/mock", "--judge-exam"}, server: server}
	f.byWorkers(pgtest.New(t))
	if n := server.Stats().Answered; n != 20+10 {
		t.Errorf("%d calls for 20 samples and 10 items", n)
	}
	var r document.Results
	text, err := os.ReadFile(f.path("workers/results.json"))
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	if err != nil || r.Judge.Exam == nil || r.Judge.Exam.Right != 10 {
		t.Errorf("%v, examination %+v", err, r.Judge.Exam)
	}
}

// TestLongCommandEndsWhereAllWorkersRefuse has a worker that finds another file of captions than the command: the command says so
// and ends.
func TestLongCommandEndsWhereAllWorkersRefuse(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, 20)
	server := serve(t, fake.Config{Model: "mock"})
	f := &fleetRun{inquest: newInquest(t), args: []string{"eval", "omni-cloze", "-p", tr.path("rows.jsonl"), "--judge", "openai/mock"}, server: server}
	journal := pgtest.New(t)
	wait, _ := f.start(f.in("refused", "--journal", journal, "--engine", "river", "--journal-lease", "3s")...)
	f.untilNumber(journal, "SELECT count(*) FROM pg_tables WHERE tablename = 'river_job'", func(n int) bool { return n == 1 })
	f.untilNumber(journal, "SELECT count(*) FROM river_job", func(n int) bool { return n > 0 })
	rows, err := os.ReadFile(tr.path("rows.jsonl"))
	fixture.OK(t, err)
	fixture.OK(t, os.WriteFile(tr.path("rows.jsonl"), append(rows, '\n'), 0o644))
	done, end := f.start("worker", "--journal", journal, "--work-dir", f.path("worker"), "--journal-lease", "3s")
	if said, err := wait(); err == nil || !strings.Contains(said, "no worker does run "+runIn(t, journal)) || !strings.Contains(said, "rows.jsonl") {
		t.Errorf("the command ended with %v and said\n%s", err, said)
	}
	if n := number(t, journal, "SELECT count(*) FROM river_job WHERE state NOT IN ('cancelled', 'completed')"); n != 0 {
		t.Errorf("%d parts still wait", n)
	}
	end(os.Interrupt)
	if said, err := done(); err != nil || !strings.Contains(said, "is not done here") {
		t.Errorf("the worker ended with %v and said\n%s", err, said)
	}
	if n := server.Stats().Requests; n != 0 {
		t.Errorf("%d requests were sent", n)
	}
}

// TestLongWorkersRefuseOtherTools has a worker without tesseract, which would see less in
// the clips than the machine that ordered the run.
func TestLongWorkersRefuseOtherTools(t *testing.T) {
	t.Parallel()
	q := newInquest(t)
	f := &fleetRun{inquest: q, args: []string{"caption", "--detective", "offline", "--tools", "sound", q.toneClip("clip.mp4", 300)}}
	journal := pgtest.New(t)
	order := fmt.Sprintf(`{"Version": %q, "Tools": ["asr 0", "sound 1"]}`, version.Program())
	f.must(f.in("alone", "--journal", journal)...)
	s, err := pg.Open(t.Context(), journal, pg.Options{})
	fixture.OK(t, err)
	defer s.Close()
	name := runIn(t, journal)
	fixture.OK(t, s.SetOrder(t.Context(), name, order))
	queue, err := river.Open(t.Context(), journal)
	fixture.OK(t, err)
	defer queue.Close()
	fixture.OK(t, queue.Add(t.Context(), "cpu", river.Parts(name, "", 1, 1)))
	refuses, end := f.start("worker", "--journal", journal, "--work-dir", f.path("other"))
	f.untilNumber(journal, "SELECT count(*) FROM river_job WHERE metadata->>'snoozes' IS NOT NULL", func(n int) bool { return n > 0 })
	end(os.Interrupt)
	if said, err := refuses(); err != nil || !strings.Contains(said, "looks at clips by asr 0, sound 1, and this machine would by sound") {
		t.Errorf("the worker ended with %v and said\n%s", err, said)
	}
}

// runIn is the name of the only run.
func runIn(t *testing.T, journal string) (name string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), journal)
	fixture.OK(t, err)
	defer conn.Close(t.Context())
	fixture.OK(t, conn.QueryRow(t.Context(), "SELECT name FROM run").Scan(&name))
	return name
}

func TestLongWorkerCheck(t *testing.T) {
	t.Parallel()
	f := &fleetRun{inquest: newInquest(t)}
	journal := pgtest.New(t)
	done, end := f.start("worker", "--journal", journal, "--work-dir", f.path("work"), "--queues", "calls", "--media", f.dir+"/..")
	f.untilNumber(journal, "SELECT count(*) FROM pg_tables WHERE tablename = 'worker'", func(n int) bool { return n == 1 })
	f.untilNumber(journal, "SELECT count(*) FROM worker", func(n int) bool { return n == 1 })
	f.command("worker", "check", "--journal", journal).ends(t, exitDone).prints(t, "PostgreSQL", "calls").lacks(t, "to fix")
	f.command("worker", "status", "--journal", journal).ends(t, exitDone).prints(t, "worker ", "machine", " CPUs")
	conn, err := pgx.Connect(t.Context(), journal)
	fixture.OK(t, err)
	defer conn.Close(context.Background())
	if _, err := conn.Exec(t.Context(), `INSERT INTO worker VALUES('older', '{"version":"v0","networks":["bert_score/en"],"arithmetic":"neon"}', 3600, '{}', now(), now() + interval '1 hour');
		INSERT INTO holder(run, name, until) VALUES(0, 'silent:1', now() - interval '1 hour')`); err != nil {
		t.Fatal(err)
	}
	v := f.command("worker", "check", "--journal", journal)
	has(t, v.out, "worker older is omniscope v0", "the clock of worker older is 1h0m0s ahead", "workers differ in their networks", "workers differ in their arithmetic", "silent:1")
	var found struct {
		Schema string
		Health struct {
			MaxConnections int `json:"max_connections"`
		} `json:"database"`
		Workers []struct {
			Worker string
			Ahead  int64 `json:"clock_ahead_ns"`
		}
		Trouble []string
	}
	if v := f.command("worker", "check", "--journal", journal, "--json"); json.Unmarshal([]byte(v.out), &found) != nil {
		t.Errorf("no JSON: %s%s", v.out, v.errOut)
	}
	if found.Schema != "omniscope.workers/1" || found.Health.MaxConnections == 0 || len(found.Workers) != 2 || len(found.Trouble) == 0 {
		t.Errorf("as JSON: %+v", found)
	}
	if v.code == exitDone {
		t.Error("there is something to fix, and the exit code is 0")
	}
	end(os.Interrupt)
	if said, err := done(); err != nil {
		t.Errorf("%v\n%s", err, said)
	}
	f.command("worker", "check").ends(t, exitUsage).says(t, "--journal postgres://")
	f.command("worker", "--journal", journal, "--media", f.path("nowhere")).ends(t, exitUsage)
}

// TestLongPerceiveLeavesNothingForTools has tools look first; an investigation of the same
// clips then remembers what they saw.
func TestLongPerceiveLeavesNothingForTools(t *testing.T) {
	t.Parallel()
	q := newInquest(t)
	var list strings.Builder
	for i := range 3 {
		fmt.Fprintln(&list, q.toneClip(fmt.Sprintf("clip%d.mp4", i), 300+100*i))
	}
	q.command("caption", "--tools-only", "--list", q.write("clips.txt", list.String()), "--tools", "sound,scene", "--work-dir", q.path("work"), "--quiet").must(t, exitDone).prints(t, "all 3 clips are done")
	seen := q.remembered("tool")
	v := q.command("caption", q.dir, "--tools", "sound,scene", "--work-dir", q.path("work"), "--out", q.path("out"), "--quiet")
	if n := q.remembered("tool"); v.code != exitDone || n != seen || seen != 6 {
		t.Errorf("exit code %d: tools answered %d times, and %d times before: %s", v.code, n, seen, v.errOut)
	}
	q.command("caption", "--tools-only", q.write("broken.mp4", "no film"), q.path("clip0.mp4"), "--tools", "sound,scene", "--work-dir", q.path("work"), "--quiet").ends(t, exitFailed).prints(t, "clips of which something failed: 1, such as "+q.path("broken.mp4")).says(t, "broken.mp4")
	q.command("caption", "--tools-only").ends(t, exitUsage)
}

func TestShardUsage(t *testing.T) {
	q := newInquest(t)
	for flag, says := range map[string]string{"4/4": "write I/N", "1": "write I/N", "-1/4": "write I/N", "x/y": "write I/N"} {
		if v := q.command("eval", "omni-cloze", "-p", "x.jsonl", "--shard", flag); v.code != exitUsage || !strings.Contains(v.errOut, says) {
			t.Errorf("--shard %s: exit code %d: %s", flag, v.code, v.errOut)
		}
	}
	for engine, says := range map[string]string{"temporal://host:7233": "--engine river", "slurm": "is not known"} {
		if v := q.command("caption", q.write("a.mp4", "x"), "--engine", engine); v.code != exitUsage || !strings.Contains(v.errOut, says) {
			t.Errorf("--engine %s: exit code %d: %s", engine, v.code, v.errOut)
		}
	}
}

// TestViewOfASharedJournal shows the calls of a run whose journal is in a database.
func TestViewOfASharedJournal(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, 3)
	f := &fleetRun{inquest: newInquest(t), args: []string{"eval", "omni-cloze", "-p", tr.path("rows.jsonl"), "--judge", "openai/mock"}, server: serve(t, fake.Config{Model: "mock"})}
	journal := pgtest.New(t)
	f.must(f.in("shared", "--journal", journal)...)
	s, err := pg.Open(t.Context(), journal, pg.Options{})
	fixture.OK(t, err)
	defer s.Close()
	v, err := view.New(view.Options{Folder: f.dir, MetricOf: metricOf, Journal: s})
	fixture.OK(t, err)
	defer v.Close()
	answer := httptest.NewRecorder()
	v.Handler().ServeHTTP(answer, httptest.NewRequest("GET", "/calls/shared", nil))
	if page := answer.Body.String(); answer.Code != 200 || strings.Count(page, "openai/mock") < 1 || !strings.Contains(page, "3 calls") {
		t.Errorf("status %d: %.3000s", answer.Code, page)
	}
}
