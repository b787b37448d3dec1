package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/mockllm"
	"omniscope/session"
)

// A unitJob is what a process is given that evaluates one unit: the run's Spec,
// where the judge answers, and the folder of the journal.
type unitJob struct {
	Spec    *session.Spec
	Address string
	WorkDir string
	Unit    int
}

// evaluateUnit is the program of such a process. It reads a unitJob.
func evaluateUnit() {
	var job unitJob
	if err := json.NewDecoder(os.Stdin).Decode(&job); err != nil {
		panic(err)
	}
	for name, role := range job.Spec.Roles {
		role.Name, role.BaseURL = name, job.Address
	}
	calls := evalCalls()
	calls.WorkDir = job.WorkDir
	if err := session.EvaluateUnits(context.Background(), job.Spec, &calls, []int{job.Unit}, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// TestUnitsInProcessesOfTheirOwn evaluates each unit in a process of its own, from
// the Spec alone, the last first. The scoring command then asks nothing, and its
// documents are those of an undisturbed run but for run and usage.
func TestUnitsInProcessesOfTheirOwn(t *testing.T) {
	for name, c := range map[string]struct {
		reply mockllm.Responder
		units int
		spec  func(tr *trial) *session.Spec
	}{
		"omni-cloze": {mockllm.ClozeReply(func(id uint64, blank int) byte { return "ABCDE"[(id+uint64(blank))%5] }, 0), 4, func(tr *trial) *session.Spec {
			return &session.Spec{Benchmark: "omni-cloze", Predictions: tr.path("rows.jsonl"), Modality: "audio-visual", Profile: "strict",
				Roles: map[string]*session.Role{session.Judge: {Model: "openai/mock", Temperature: new(float64), Attempts: 3}}}
		}},
		"capricorn": {mockllm.CapricornReply(0), 2, func(tr *trial) *session.Spec {
			q := inquest{tr.t, tr.dir}
			data := q.write("videos.jsonl", videoRow("a")+videoRow("b"))
			captions := q.write("rows.jsonl", `{"video_id": "a", "caption": "A dog barks at a cat."}`+"\n"+`{"video_id": "b", "caption": "A dog runs."}`+"\n")
			return &session.Spec{Benchmark: "capricorn", Predictions: captions, Data: data, Modality: "audio-visual", Profile: "strict", Options: map[string]string{"judge-mode": "single"},
				Roles: map[string]*session.Role{session.Judge: {Model: "openai/mock", Temperature: new(float64), Attempts: 5, MaxTokens: 3072}}}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := serve(t, mockllm.Config{Model: "mock", Reply: c.reply})
			tr := newTrial(t, c.units)
			spec := c.spec(tr)
			for unit := c.units - 1; unit >= 0; unit-- {
				evaluateAlone(t, unitJob{spec, server.URL(), tr.path("units"), unit})
			}
			asked := server.Stats().Answered
			remembered, undisturbed := tr.scores(spec, server.URL(), "units"), tr.scores(spec, server.URL(), "whole")
			if n := remembered.Usage.ThisCommand.Calls; n != 0 || asked == 0 {
				t.Errorf("scoring asked %d times after units that asked %d times", n, asked)
			}
			if n := server.Stats().Answered; n != 2*asked {
				t.Errorf("%d answers: an undisturbed run takes %d, and the units took %d", n, n-asked, asked)
			}
			remembered.Usage, undisturbed.Usage = omniscope.UsageInfo{}, omniscope.UsageInfo{}
			if got, want := documentOf(t, remembered), documentOf(t, undisturbed); got != want {
				t.Errorf("got %s\nwant %s", got, want)
			}
		})
	}
}

func videoRow(id string) string {
	return fmt.Sprintf(`{"video_id": %q, "duration": 100, "events": {"main_sbj_evts": ["<dog> barks", "<dog> runs", "<cat> sleeps"], "main_sbj_ints": [], "bg_desc": ["it rains"], "trans_desc": [], "minor_evts": []}}`+"\n", id)
}

// evaluateAlone evaluates a unit in a process of its own.
func evaluateAlone(t *testing.T, job unitJob) {
	t.Helper()
	text, err := json.Marshal(job)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("evaluate-unit")
	cmd.Stdin = strings.NewReader(string(text))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("unit %d: %v: %s", job.Unit, err, out)
	}
}

// scores runs the scoring command of a Spec on a journal.
func (tr *trial) scores(s *session.Spec, url, workDir string) *omniscope.Results {
	tr.t.Helper()
	out := tr.path(workDir + "-results")
	args := []string{"eval", s.Benchmark, "-p", s.Predictions, "--judge", "openai/mock", "--judge-base-url", url, "--work-dir", tr.path(workDir), "--out", out, "--no-progress",
		"--judge-attempts", strconv.Itoa(s.Roles[session.Judge].Attempts), "--max-failures", "1"}
	if s.Data != "" {
		args = append(args, "-d", s.Data)
	}
	v := inquest{tr.t, tr.dir}.command(args...)
	r, err := session.ResultsIn(out)
	if err != nil {
		tr.t.Fatalf("%v; exit code %d: %s", err, v.code, v.errOut)
	}
	r.Run.Command, r.Run.Finished = nil, r.Run.Finished.Truncate(1<<62)
	return &r
}

func documentOf(t *testing.T, r *omniscope.Results) string {
	t.Helper()
	text, err := json.MarshalIndent(r, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
