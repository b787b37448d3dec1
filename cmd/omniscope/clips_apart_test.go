package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"omniscope/detective"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/runtest"
	"omniscope/run"
	"omniscope/run/journal/sqlite"
	"omniscope/session"
	"omniscope/session/caption"
)

// A clipJob is what a process is given that investigates one clip: the run's name
// and the folder of the journal that describes it.
type clipJob struct {
	Run, WorkDir string
	Clip         int // of the described ones
}

// investigateClip is the program of such a process. It reads a clipJob.
func investigateClip() {
	var job clipJob
	if err := json.NewDecoder(os.Stdin).Decode(&job); err != nil {
		panic(err)
	}
	calls := clipCalls()
	calls.WorkDir = job.WorkDir
	if err := investigateOne(&calls, job); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func investigateOne(calls *session.Calls, job clipJob) error {
	w, err := runKinds.OpenWork(context.Background(), calls, job.Run, &session.Order{}, os.Stderr)
	if err != nil {
		return err
	}
	return errors.Join(w.Do(context.Background(), job.Clip), w.Close())
}

// TestLongClipsInProcessesOfTheirOwn investigates each clip in a process of its own,
// from the run's description in the journal alone. The command then adds nothing to
// the journal, and its documents are those of an undisturbed run.
func TestLongClipsInProcessesOfTheirOwn(t *testing.T) {
	for name, c := range map[string]struct {
		script script
		flags  []string
		spec   caption.Spec
	}{
		"offline": {nil, []string{"--tools", "sound,scene"}, caption.Spec{Modality: "av", Detective: "offline", Tools: []string{"sound", "scene"}}},
		"with models": {
			ofClips(tenTurns(), "first", "second"), []string{"--tools", "sound", "--detective", "SCRIPT", "--observer", "SCRIPT,temperature=0.5"},
			caption.Spec{Modality: "av", Detective: "SCRIPT", Tools: []string{"sound"}, Observers: []string{"SCRIPT"}, Roles: map[string]*session.Role{session.Observer: warmObserver()}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			q := newInquest(t)
			clips := []string{q.toneClip("first.mp4", 440), q.toneClip("second.mp4", 660)}
			text, err := json.Marshal(c.script)
			fixture.OK(t, err)
			scripted := strings.NewReplacer("SCRIPT", "scripted/"+q.write("script.json", string(text)))
			spec := c.spec
			spec.Detective, spec.Inquiries, spec.Observers = scripted.Replace(spec.Detective), detective.DefaultBudget, slices.Clone(spec.Observers)
			for _, list := range [][]string{spec.Observers, c.flags} {
				for i := range list {
					list[i] = scripted.Replace(list[i])
				}
			}

			ids := q.describe(&spec, clips)
			name := q.onlyRun()
			apart := &runtest.Apart{Start: func(_ context.Context, id string) error {
				alone(t, "investigate-clip", clipJob{name, q.path("work"), slices.IndexFunc(ids, func(j run.Job) bool { return j.ID == id })})
				return nil
			}}
			fixture.OK(t, apart.Run(t.Context(), slices.Values(ids), nil))
			left := q.remembered("")
			documents := q.documents("work", "out", append(clips, c.flags...))
			if n := q.remembered(""); n != left || left == 0 {
				t.Errorf("the command added %d entries to the %d that the processes left", n-left, left)
			}
			if again := q.onlyRun(); again != name {
				t.Errorf("the command worked on run %s, not on %s", again, name)
			}
			undisturbed := q.documents("whole", "undisturbed", append(clips, c.flags...))
			if len(documents) != 7 || len(undisturbed) != 7 { // three of each clip, and the trajectories
				t.Errorf("%d documents, and %d of an undisturbed run", len(documents), len(undisturbed))
			}
			for name, want := range undisturbed {
				if diff := cmp.Diff(want, documents[name]); diff != "" {
					t.Errorf("%s: %.2000s", name, diff)
				}
			}
		})
	}
}

// ofClips is a script for clips of these names, each like the clip of the script.
func ofClips(s script, names ...string) script {
	all := script{}
	for _, name := range names {
		for step, replies := range s {
			all[name+strings.TrimPrefix(step, "clip")] = replies
		}
	}
	return all
}

// warmObserver is an observer with a temperature of its own.
func warmObserver() *session.Role {
	r, warm := session.DefaultRole(session.Observer), 0.5
	r.Temperature = &warm
	return &r
}

// describe has the journal describe an investigation of which nothing is done, and
// returns its jobs.
func (q inquest) describe(s *caption.Spec, clips []string) (jobs []run.Job) {
	q.t.Helper()
	calls := clipCalls()
	calls.WorkDir = q.path("work")
	m := session.Machine{Calls: &calls, Warnings: io.Discard}
	u, err := caption.Open(q.t.Context(), s, &caption.Options{Machine: m, Files: clips})
	fixture.OK(q.t, err)
	w, err := session.Part(q.t.Context(), u, &m, session.Shard{})
	fixture.OK(q.t, err)
	for i, clip := range clips {
		jobs = append(jobs, run.Job{ID: clip, Seq: i})
	}
	fixture.OK(q.t, w.Close())
	return jobs
}

// onlyRun is the name of the journal's run.
func (q inquest) onlyRun() string {
	q.t.Helper()
	journal, err := sqlite.Open(session.JournalDir(q.path("work")))
	fixture.OK(q.t, err)
	defer journal.Close()
	runs, err := journal.Runs(q.t.Context())
	if err != nil || len(runs) != 1 {
		q.t.Fatalf("%v: %d runs", err, len(runs))
	}
	return runs[0].Name
}

// documents investigates clips and returns the files that came of it.
func (q inquest) documents(workDir, out string, args []string) map[string]string {
	q.t.Helper()
	q.command(append([]string{"caption", "--pages", "--work-dir", q.path(workDir), "--out", q.path(out), "--quiet", "-j", "1"}, args...)...).must(q.t, exitDone)
	files := make(map[string]string)
	paths, err := filepath.Glob(filepath.Join(q.path(out), "*", "[a-z]*.*")) // no lock files
	fixture.OK(q.t, err)
	for _, path := range append(paths, filepath.Join(q.path(out), "captions.jsonl")) {
		name, _ := filepath.Rel(q.dir, path)
		text := q.read(name)
		name, _ = filepath.Rel(q.path(out), path)
		files[name] = text
	}
	return files
}
