package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/mockllm"
	"omniscope/internal/testing/need"
	"omniscope/internal/testing/pgtest"
)

// deployed is what the files of deploy/ say of containers.
type deployed struct {
	Kind string
	Spec struct {
		Completions int
		Template    struct {
			Spec struct {
				Containers []struct {
					Name string
					Args []string
				}
			}
		}
	}
	Services map[string]struct {
		Image   string
		Command []string
	}
}

func readDeployed(t *testing.T, name string) (all []deployed) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../deploy", name))
	fixture.OK(t, err)
	for part := range bytes.SplitSeq(text, []byte("\n---\n")) {
		var d deployed
		if err := yaml.Unmarshal(part, &d); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all = append(all, d)
	}
	return all
}

// slurm runs a batch file as Slurm does, a task for each part.
func (f *fleetRun) slurm(file string, tasks int, env []string, args ...string) {
	f.t.Helper()
	need.Program(f.t, "bash")
	path, err := filepath.Abs(filepath.Join("../../deploy/slurm", file))
	fixture.OK(f.t, err)
	var all sync.WaitGroup
	for i := range tasks {
		cmd := exec.Command("bash", append([]string{path}, args...)...)
		cmd.Dir = f.dir
		cmd.Env = append(append(os.Environ(), "OPENAI_API_KEY=k", "OPENAI_BASE_URL="+f.server.URL(), fmt.Sprint("SLURM_ARRAY_TASK_ID=", i), fmt.Sprint("SLURM_ARRAY_TASK_COUNT=", tasks)), env...)
		all.Go(func() {
			if said, err := cmd.CombinedOutput(); err != nil {
				f.t.Errorf("task %d of %s: %v\n%s", i, file, err, said)
			}
		})
	}
	all.Wait()
}

// TestLongDeployFiles runs what the files of deploy/ say, each as its cluster would.
func TestLongDeployFiles(t *testing.T) {
	t.Parallel()
	const samples = 40
	tr := newTrial(t, samples)
	f := &fleetRun{inquest: newInquest(t), args: []string{"eval", "omni-cloze", "--predictions", tr.path("rows.jsonl"), "--judge", "openai/mock"}, server: serve(t, mockllm.Config{Model: "mock"})}
	want := f.alone()
	check := func(t *testing.T, name string, before int) {
		t.Helper()
		if diff := cmp.Diff(want, f.documents(name)); diff != "" {
			t.Errorf("the documents differ (-one machine +many):\n%.2000s", diff)
		}
		if n := f.answered() - before; n != samples {
			t.Errorf("%d calls were made, want %d", n, samples)
		}
	}
	t.Run("slurm/parts.sbatch", func(t *testing.T) {
		before := f.answered()
		f.slurm("parts.sbatch", 3, nil, append([]string{f.path("out")}, f.args...)...)
		f.slurm("parts.sbatch", 3, nil, append([]string{f.path("out")}, f.args...)...) // again: they go on from their copies
		parts, err := filepath.Glob(f.path("out/part-*"))
		if err != nil || len(parts) != 3 {
			t.Fatalf("%v, %v", parts, err)
		}
		f.must(append([]string{"journal", "merge", "--work-dir", f.path("joined-work")}, parts...)...)
		f.must(f.in("joined")...)
		check(t, "joined", before)
	})
	t.Run("slurm/shared.sbatch", func(t *testing.T) {
		before, journal := f.answered(), pgtest.New(t)
		f.slurm("shared.sbatch", 3, []string{"OMNISCOPE_JOURNAL=" + journal}, f.args...)
		f.must(f.in("shared", "--journal", journal)...)
		check(t, "shared", before)
	})
	t.Run("kubernetes.yaml", func(t *testing.T) {
		before, journal := f.answered(), pgtest.New(t)
		f.env = []string{"OMNISCOPE_JOURNAL=" + journal}
		for _, d := range readDeployed(t, "kubernetes.yaml") {
			args := d.Spec.Template.Spec.Containers[0].Args
			if d.Kind == "Job" {
				f.tasks(d.Spec.Completions, args, tr)
				continue
			}
			wait, signal := f.start(replaced(args, "/work", f.path("deployment"))...)
			defer func() {
				signal(os.Interrupt)
				// It may be interrupted before it has begun to serve.
				if said, err := wait(); err != nil && !strings.Contains(said, "interrupted") {
					t.Errorf("%v\n%s", err, said)
				}
			}()
		}
		f.must(f.in("kubernetes")...)
		check(t, "kubernetes", before)
	})
	t.Run("compose.yaml", func(t *testing.T) {
		before, journal := f.answered(), pgtest.New(t)
		f.env = []string{"OMNISCOPE_JOURNAL=" + journal}
		services := readDeployed(t, "compose.yaml")[0].Services
		wait, signal := f.start(append(services["worker"].Command, "--work-dir", f.path("composed"))...)
		f.must(f.in("compose", "--engine", "river")...)
		signal(os.Interrupt)
		if said, err := wait(); err != nil || services["db"].Image == "" {
			t.Errorf("%v\n%s", err, said)
		}
		check(t, "compose", before)
	})
}

// tasks does the tasks of an Indexed Job.
func (f *fleetRun) tasks(completions int, args []string, tr *trial) {
	f.t.Helper()
	if last := fmt.Sprintf("/%d", completions); !strings.Contains(strings.Join(args, " "), "$(JOB_COMPLETION_INDEX)"+last) {
		f.t.Errorf("%d completions, and the arguments %q", completions, args)
	}
	var waits []func() (string, error)
	for i := range completions {
		task := replaced(args, "$(JOB_COMPLETION_INDEX)", fmt.Sprint(i), "/data/rows.jsonl", tr.path("rows.jsonl"), "vllm/model", "openai/mock", "/work", f.path(fmt.Sprint("task", i)))
		wait, _ := f.start(task...)
		waits = append(waits, wait)
	}
	for i, wait := range waits {
		if said, err := wait(); err != nil {
			f.t.Errorf("task %d: %v\n%s", i, err, said)
		}
	}
}

func replaced(args []string, oldNew ...string) []string {
	r := strings.NewReplacer(oldNew...)
	all := make([]string, len(args))
	for i, a := range args {
		all[i] = r.Replace(a)
	}
	return all
}
