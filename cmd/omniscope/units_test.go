package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"omniscope/bench/document"
	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
	"omniscope/internal/testing/runtest"
	"omniscope/internal/tools/neuralgen"
	"omniscope/metric/neural/installed"
	"omniscope/session"
	"omniscope/session/eval"
)

// A unitJob is what a process is given that evaluates one unit: the run's Spec,
// where the judge answers, and the folder of the journal.
type unitJob struct {
	Spec    *eval.Spec
	Address string // "" = nobody is asked
	Models  string // folder of installed networks
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
	calls.WorkDir, calls.SkipExam = job.WorkDir, true
	calls.Networks = installed.Options{Root: job.Models, CacheDir: job.WorkDir + "-cache"}
	if err := evaluateOne(job.Spec, &calls, job.Unit); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func evaluateOne(s *eval.Spec, calls *session.Calls, unit int) error {
	ctx, m := context.Background(), &session.Machine{Calls: calls, Warnings: os.Stderr}
	u, err := s.Open(ctx, m)
	if err != nil {
		return err
	}
	w, err := session.Part(ctx, u, m, session.Shard{})
	if err != nil {
		return err
	}
	return errors.Join(w.Do(ctx, unit), w.Close())
}

// TestUnitsInSeparateProcesses evaluates each unit in a process of its own, from
// the Spec alone, the last first. The scoring command then asks nothing, and its
// documents are those of an undisturbed run but for run and usage.
func TestUnitsInSeparateProcesses(t *testing.T) {
	for name, c := range map[string]struct {
		reply fake.Responder
		units int
		spec  func(tr *trial) *eval.Spec
	}{
		"omni-cloze": {fake.ClozeReply(func(id uint64, blank int) byte { return "ABCDE"[(id+uint64(blank))%5] }, 0), 4, func(tr *trial) *eval.Spec {
			return &eval.Spec{Benchmark: "omni-cloze", Predictions: tr.path("rows.jsonl"), Modality: "audio-visual", Profile: "strict",
				Roles: map[string]*session.Role{session.Judge: {Model: "openai/mock", Temperature: new(float64), Attempts: 3}}}
		}},
		"capricorn": {fake.CapricornReply(0), 2, func(tr *trial) *eval.Spec {
			q := inquest{tr.t, tr.dir}
			data := q.write("videos.jsonl", videoRow("a")+videoRow("b"))
			captions := q.write("rows.jsonl", `{"video_id": "a", "caption": "A dog barks at a cat."}`+"\n"+`{"video_id": "b", "caption": "A dog runs."}`+"\n")
			return &eval.Spec{Benchmark: "capricorn", Predictions: captions, Data: data, Modality: "audio-visual", Profile: "strict", Options: map[string]string{"judge-mode": "single"},
				Roles: map[string]*session.Role{session.Judge: {Model: "openai/mock", Temperature: new(float64), Attempts: 5, MaxTokens: 3072}}}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := serve(t, fake.Config{Model: "mock", Reply: c.reply})
			tr := newTrial(t, c.units)
			spec := c.spec(tr)
			evaluateAlone(t, c.units, unitJob{Spec: spec, Address: server.URL(), WorkDir: tr.path("units")})
			asked := server.Stats().Answered
			remembered, undisturbed := tr.scores(spec, server.URL(), "units"), tr.scores(spec, server.URL(), "whole")
			if n := remembered.Usage.ThisCommand.Calls; n != 0 || asked == 0 {
				t.Errorf("scoring asked %d times after units that asked %d times", n, asked)
			}
			if n := server.Stats().Answered; n != 2*asked {
				t.Errorf("%d answers: an undisturbed run takes %d, and the units took %d", n, n-asked, asked)
			}
			remembered.Usage, undisturbed.Usage = document.UsageInfo{}, document.UsageInfo{}
			if got, want := documentOf(t, remembered), documentOf(t, undisturbed); got != want {
				t.Errorf("got %s\nwant %s", got, want)
			}
		})
	}
}

const networkReferences = `<testset name="MCIF1.0"><task track="long" text_lang="de">
<sample id="0" iid="TRANS_t1" task="TRANS"><audio_path>a.wav</audio_path><reference>Eins und eins.
Zwei.
Drei ist auch eine Zahl.</reference><metadata><transcript>One and one.
Two.
Three is a number, too.</transcript></metadata></sample>
<sample id="1" iid="QA_t1_1" task="QA" qa_type="A" qa_origin="Abstract"><audio_path>a.wav</audio_path><reference>Anna und Maria aus Bonn</reference></sample>
<sample id="3" iid="QA_t1_2" task="QA" qa_type="V" qa_origin="General"><audio_path>a.wav</audio_path><reference>Bonn</reference></sample>
<sample id="2" iid="SUM_t1" task="SUM"><audio_path>a.wav</audio_path><reference>Zahlen, eine nach der anderen</reference></sample>
</task></testset>`

const networkOutputs = `<testset name="invented" type="output"><task track="long" text_lang="de">
<sample id="0">Einer und eins, zwei. Drei ist eine Zahl</sample>
<sample id="1">Maria</sample><sample id="3">Bonn</sample><sample id="2">Zahlen</sample>
</task></testset>`

// networkRun is a run of four units that made networks score.
func networkRun(t *testing.T) (q inquest, models string, spec *eval.Spec) {
	t.Helper()
	q = inquest{t, t.TempDir()}
	models = q.path("models")
	fixture.OK(t, neuralgen.WriteRoot(models, neuralgen.Options{Seed: 1}))
	return q, models, &eval.Spec{Benchmark: "mcif", Predictions: q.write("out.xml", networkOutputs), Data: q.write("ref.xml", networkReferences), Profile: "strict",
		Options: map[string]string{"track": "long", "language": "de", "breakdown-qa-types": "true"}}
}

// networkScores scores such a run. computed says whether a network computed.
func (q inquest) networkScores(s *eval.Spec, models, workDir string) (results string, entries int, computed bool) {
	q.t.Helper()
	out, cache := q.path(workDir+"-results"), q.path(workDir+"-anew")
	v := q.command("eval", "mcif", "-s", s.Predictions, "-r", s.Data, "-t", "long", "-l", "de", "--breakdown-qa-types",
		"--models-dir", models, "--cache-dir", cache, "--work-dir", q.path(workDir), "--out", out, "--quiet")
	r, err := eval.ResultsIn(out)
	if err != nil || v.code != exitDone {
		q.t.Fatalf("%v; exit code %d: %s", err, v.code, v.errOut)
	}
	r.Run.Command, r.Run.Finished, r.Usage = nil, r.Run.Finished.Truncate(1<<62), document.UsageInfo{}
	vectors, err := filepath.Glob(filepath.Join(cache, "*.emb"))
	fixture.OK(q.t, err)
	exported := q.command("journal", "export", "--work-dir", q.path(workDir))
	return documentOf(q.t, &r), strings.Count(exported.out, `"kind":"metric"`), len(vectors) > 0
}

// Scores of networks are the journal's entries, too: the scoring command computes
// nothing.
func TestUnitsScoredByNetworksInProcessesOfTheirOwn(t *testing.T) {
	t.Parallel()
	q, models, spec := networkRun(t)
	evaluateAlone(t, 4, unitJob{Spec: spec, Models: models, WorkDir: q.path("units")})
	remembered, entries, computed := q.networkScores(spec, models, "units")
	if computed {
		t.Error("a network computed although every unit was evaluated")
	}
	undisturbed, want, computed := q.networkScores(spec, models, "whole")
	if !computed || entries != want || want < 6 { // three lines and three pairs
		t.Errorf("the units left %d entries, an undisturbed run %d; it computed: %v", entries, want, computed)
	}
	if remembered != undisturbed {
		t.Errorf("got %s\nwant %s", remembered, undisturbed)
	}
}

// Earlier versions described such a run by its command, files and digests alone.
func TestRunsOfNetworksFromEarlierVersions(t *testing.T) {
	t.Parallel()
	q, models, spec := networkRun(t)
	first, entries, _ := q.networkScores(spec, models, "work")
	tr := &trial{t: t, dir: q.dir}
	tr.execute(`UPDATE run SET kind = 'score', manifest = '{"command":"eval mcif","predictions":"out.xml","inputs":{"out.xml":"00"}}'`)
	tr.journal("show").ends(t, exitDone).prints(t, "mcif out.xml")
	tr.journal("replay", "").ends(t, exitUsage).says(t, "repeated by their own commands")
	fixture.OK(t, os.RemoveAll(q.path("work-anew")))
	again, now, computed := q.networkScores(spec, models, "work")
	if again != first || now != entries || computed {
		t.Errorf("%d entries, then %d; computed again: %v", entries, now, computed)
	}
}

// Parts of the texts may be scored anywhere: who scores all of them with the same
// journal computes nothing.
func TestLongSegmentsScoredInProcessesOfTheirOwn(t *testing.T) {
	t.Parallel()
	q, models, _ := networkRun(t)
	lines := map[string][]string{"src": {"One.", "Two and two.", "One.", "Three"}, "hyp": {"Ein.", "Zwei, zwei.", "Ein.", ""}, "ref": {"Eins.", "Zwei und zwei.", "Eins.", "Drei"}}
	files := func(from, to int) (flags []string) {
		for name, texts := range lines {
			flags = append(flags, "--"+name, q.write(fmt.Sprintf("%s-%d-%d.txt", name, from, to), strings.Join(texts[from:to], "\n")+"\n"))
		}
		return flags
	}
	for metric, flags := range map[string][]string{"comet": nil, "bertscore": {"--lang", "de"}} {
		score := func(workDir, cache string, from, to int) string {
			args := append([]string{"score", metric, "--models-dir", models, "--cache-dir", q.path(cache), "--work-dir", q.path(workDir), "--json", "--quiet"}, flags...)
			for i, files := 0, files(from, to); i < len(files); i += 2 {
				if metric == "comet" || files[i] != "--src" {
					args = append(args, files[i], files[i+1])
				}
			}
			out, err := exec.Command("omniscope", args...).Output()
			if err != nil {
				t.Fatalf("%v: %v", args, err)
			}
			return string(out)
		}
		for _, part := range [][2]int{{2, 4}, {1, 3}, {0, 1}} {
			score(metric+"-parts", metric+"-of-parts", part[0], part[1])
		}
		remembered, undisturbed := score(metric+"-parts", metric+"-anew", 0, 4), score(metric+"-whole", metric+"-of-whole", 0, 4)
		if remembered != undisturbed {
			t.Errorf("%s: got %s\nwant %s", metric, remembered, undisturbed)
		}
		for cache, want := range map[string]bool{"-anew": false, "-of-whole": true} {
			vectors, err := filepath.Glob(q.path(metric + cache + "/*.emb"))
			if err != nil || len(vectors) > 0 != want {
				t.Errorf("%s%s: it computed: %v, %v", metric, cache, len(vectors) > 0, err)
			}
		}
	}
	q.command("journal", "show", "--work-dir", q.path("comet-whole")).prints(t, "score comet")
}

func videoRow(id string) string {
	return fmt.Sprintf(`{"video_id": %q, "duration": 100, "events": {"main_sbj_evts": ["<dog> barks", "<dog> runs", "<cat> sleeps"], "main_sbj_ints": [], "bg_desc": ["it rains"], "trans_desc": [], "minor_evts": []}}`+"\n", id)
}

// evaluateAlone evaluates the units of a run, each in a process of its own, the
// last first.
func evaluateAlone(t *testing.T, units int, job unitJob) {
	t.Helper()
	apart := &runtest.Apart{Start: func(_ context.Context, id string) (err error) {
		job.Unit, err = strconv.Atoi(id)
		alone(t, "evaluate-unit", job)
		return err
	}}
	fixture.OK(t, apart.Run(t.Context(), runtest.Units(units), nil))
}

// alone has a program of its own do a job, which it reads.
func alone(t *testing.T, program string, job any) {
	t.Helper()
	need.Processes(t)
	text, err := json.Marshal(job)
	fixture.OK(t, err)
	cmd := exec.Command(program)
	cmd.Stdin = strings.NewReader(string(text))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v: %s", program, text, err, out)
	}
}

// scores runs the scoring command of a Spec on a journal.
func (tr *trial) scores(s *eval.Spec, url, workDir string) *document.Results {
	tr.t.Helper()
	out := tr.path(workDir + "-results")
	args := []string{"eval", s.Benchmark, "-p", s.Predictions, "--judge", fmt.Sprintf("openai/mock,attempts=%d,base-url=%s", s.Roles[session.Judge].Attempts, url), "--work-dir", tr.path(workDir), "--out", out, "--quiet",
		"--scoring", s.Profile, "--max-failures", "1"}
	if s.Data != "" {
		args = append(args, "-d", s.Data)
	}
	v := inquest{tr.t, tr.dir}.command(args...)
	r, err := eval.ResultsIn(out)
	if err != nil {
		tr.t.Fatalf("%v; exit code %d: %s", err, v.code, v.errOut)
	}
	r.Run.Command, r.Run.Finished = nil, r.Run.Finished.Truncate(1<<62)
	return &r
}

func documentOf(t testing.TB, r *document.Results) string {
	t.Helper()
	text, err := json.MarshalIndent(r, "", "\t")
	fixture.OK(t, err)
	return string(text)
}
