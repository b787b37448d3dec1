package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"omniscope/bench/document"
	"omniscope/internal/testing/benchgen"
	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
)

// A trial is one benchmark file and the working folder of its runs.
type trial struct {
	t     testing.TB
	dir   string
	flags []string // of every run
	judge string   // provider/model; "" = openai/mock

	settings string // of the judge, such as ",max-tokens=100"
}

// asking has the judge of a trial asked with further settings, such as ",max-tokens=100".
func (tr *trial) asking(settings string) *trial {
	own := *tr
	own.settings += settings
	return &own
}

// withSettings writes further settings behind all models of a command line that are asked at an endpoint.
func withSettings(settings string, args ...string) (all []string) {
	for i, arg := range args {
		if i > 0 && strings.HasPrefix(args[i-1], "--") && (strings.HasPrefix(arg, "openai/") || strings.HasPrefix(arg, "vllm/")) {
			arg += settings
		}
		all = append(all, arg)
	}
	return all
}

// newTrial makes a file of so many samples; caption n holds the words "clip n.".
func newTrial(t testing.TB, samples int, flags ...string) *trial {
	t.Helper()
	tr := &trial{t: t, dir: t.TempDir(), flags: flags}
	var made, told bytes.Buffer
	fixture.OK(t, benchgen.Cloze(&made, benchgen.ClozeOptions{Rows: samples, Blanks: 3, Words: 20}))
	rows, enc := json.NewDecoder(&made), json.NewEncoder(&told)
	for n := 1; rows.More(); n++ {
		var row map[string]any
		fixture.OK(t, rows.Decode(&row))
		row["predicted_caption"] = fmt.Sprintf("clip %d. %s", n, row["predicted_caption"])
		fixture.OK(t, enc.Encode(row))
	}
	fixture.OK(t, os.WriteFile(tr.path("rows.jsonl"), told.Bytes(), 0o644))
	return tr
}

func (tr *trial) path(name string) string { return filepath.Join(tr.dir, name) }

// args are the arguments of a run that asks the server at url.
func (tr *trial) args(url string, more ...string) []string {
	judge := cmp.Or(tr.judge, "openai/mock") + tr.settings
	if url != "" {
		judge += ",base-url=" + url
	}
	args := []string{"eval", "omni-cloze", "-p", tr.path("rows.jsonl"), "--judge", judge,
		"--work-dir", tr.path("work"), "--out", tr.path("out"), "--quiet", "--scoring", "strict"}
	return append(append(args, tr.flags...), more...)
}

// A verdict is what a run ended in.
type verdict struct {
	code        int
	out, errOut string
	results     document.Results // zero if the run wrote no results
	took        time.Duration
}

// command runs a command in this process.
func command(ctx context.Context, args ...string) verdict {
	var out, errOut bytes.Buffer
	started := time.Now()
	v := verdict{code: execute(ctx, args, &out, &errOut)}
	v.out, v.errOut, v.took = out.String(), errOut.String(), time.Since(started)
	return v
}

// ends checks the exit code.
func (v verdict) ends(t testing.TB, code int) verdict {
	t.Helper()
	if v.code != code {
		t.Errorf("exit code %d, want %d: %s%s", v.code, code, v.out, v.errOut)
	}
	return v
}

// must is ends for tests that cannot go on with another exit code.
func (v verdict) must(t testing.TB, code int) verdict {
	t.Helper()
	if v.ends(t, code); v.code != code {
		t.FailNow()
	}
	return v
}

func (v verdict) prints(t testing.TB, words ...string) verdict {
	t.Helper()
	return v.checked(t, v.out, true, words)
}

func (v verdict) lacks(t testing.TB, words ...string) verdict {
	t.Helper()
	return v.checked(t, v.out, false, words)
}

func (v verdict) says(t testing.TB, words ...string) verdict {
	t.Helper()
	return v.checked(t, v.errOut, true, words)
}

func (v verdict) saysNo(t testing.TB, words ...string) verdict {
	t.Helper()
	return v.checked(t, v.errOut, false, words)
}

// tells checks that standard output and standard error together have all of the words.
func (v verdict) tells(t testing.TB, words ...string) verdict {
	t.Helper()
	return v.checked(t, v.out+v.errOut, true, words)
}

// checked checks that a text has all of the words, or no word of them if wanted is false.
func (v verdict) checked(t testing.TB, text string, wanted bool, words []string) verdict {
	t.Helper()
	for _, w := range words {
		if strings.Contains(text, w) != wanted {
			t.Errorf("%q: wanted is %t; exit code %d: %s%s", w, wanted, v.code, v.out, v.errOut)
		}
	}
	return v
}

// has ends the test if a text lacks one of the words.
func has(t testing.TB, text string, words ...string) {
	t.Helper()
	words = slices.DeleteFunc(slices.Clone(words), func(w string) bool { return strings.Contains(text, w) })
	if len(words) > 0 {
		t.Fatalf("there is no %q in:\n%s", words, text)
	}
}

// eval does a run in this process.
func (tr *trial) eval(url string, more ...string) verdict {
	tr.t.Helper()
	v := command(context.Background(), tr.args(url, more...)...)
	v.results = tr.results()
	return v
}

func (tr *trial) results() (r document.Results) {
	tr.t.Helper()
	text, err := os.ReadFile(tr.path("out/results.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return r
	}
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	if err != nil {
		tr.t.Error(err)
	}
	return r
}

// command is a run in a process of its own, not started yet.
func (tr *trial) command(url string, more ...string) (cmd *exec.Cmd, out, errOut *bytes.Buffer) {
	tr.t.Helper()
	need.Processes(tr.t)
	out, errOut = new(bytes.Buffer), new(bytes.Buffer)
	cmd = exec.Command("omniscope", tr.args(url, more...)...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = tr.dir, out, errOut
	return cmd, out, errOut
}

// serve starts a server that answers cloze questions.
func serve(t testing.TB, c fake.Config) *fake.Server {
	t.Helper()
	if c.Reply == nil {
		c.Reply = fake.ClozeReply(nil, 0)
	}
	return fake.Start(t, c)
}
