package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"omniscope/bench"
	"omniscope/internal/testing/need"
	"omniscope/internal/testing/toy/keyed"
	"omniscope/internal/testing/toy/parrot"
	"omniscope/internal/testing/toy/quiz"
	"omniscope/internal/testing/toy/width"
	"omniscope/perceive"
	"omniscope/perceive/all"
	"omniscope/perceive/asr"
	"omniscope/session/catalog"
)

// toyscope is the program with one more benchmark (with a metric and an option of
// its own), one that asks no judge, a provider, a tool and a command: a folder and a line each.
func toyscope() {
	catalog.Benchmarks = append(catalog.Benchmarks, func() bench.Benchmark { return quiz.New() }, func() bench.Benchmark { return &keyed.Benchmark{} })
	catalog.Providers = append(catalog.Providers, parrot.Provider)
	all.Tools = append(all.Tools, all.Tool{Name: "width", Open: func(asr.Options) perceive.Tool { return width.Tool{} }})
	groups := commandGroups
	commandGroups = func() []commandGroup {
		return append(groups(), commandGroup{"Toys:", []func() *cobra.Command{newGreet}})
	}
	main()
}

func TestOneMoreOfEachKind(t *testing.T) {
	t.Parallel()
	need.Processes(t)
	q := newInquest(t)
	answers := q.write("answers.jsonl", `{"id": "1", "key": "A", "answer": "A"}
{"id": "2", "key": "B", "answer": "C"}
{"id": "3", "key": "B", "answer": "E"}
`)
	lower := q.write("lower.jsonl", `{"id": "1", "key": "a", "answer": "A"}
{"id": "2", "key": "B", "answer": "C"}
{"id": "3", "key": "B", "answer": "E"}
`)
	clip := q.shortClip("clip.mp4")
	for _, c := range []struct {
		args []string
		code int
		says []string
	}{
		{[]string{"greet", "--name", "Ada"}, exitDone, []string{"Hello, Ada"}},
		{[]string{"greet", "--nam", "Ada"}, exitUsage, []string{"--name"}},
		{[]string{"--help"}, exitDone, []string{"Toys:", "greet"}},
		{[]string{"docs", "benchmarks"}, exitDone, []string{"quiz"}},
		{[]string{"docs", "metrics"}, exitDone, []string{"exact_match"}},
		{[]string{"docs", "models"}, exitDone, []string{"parrot/NAME"}},
		{[]string{"docs", "tools"}, exitDone, []string{"how wide the picture is"}},
		{[]string{"eval", "quiz", "--help-all"}, exitDone, []string{"multiple choice", "--letters", "letters that an answer may be", "omniscope eval quiz -p answers.jsonl"}},
		{[]string{"eval", "quiz", "-p", answers, "--judge", "parrot/any", "--dry-run", "--work-dir", q.path("dry")}, exitDone, []string{"calls to make  3"}},
		{[]string{"eval", "quiz", "-p", answers, "--judge", "parrot/any", "--max-failures", "1"}, exitDone, []string{"Exact match 50.0", "usage 3 calls", "quiz|judge:parrot/any"}},
		{[]string{"eval", "quiz", "-p", answers, "--judge", "parrot/any", "--letters", "ABCDE"}, exitDone, []string{"Exact match 33.3", "0 calls · 3 remembered"}},
		{[]string{"eval", "quiz", "-p", answers, "--judge", "parrot/any", "--extractor", "parrot/finder", "--max-failures", "1"}, exitDone, []string{"Exact match 50.0", "usage 3 calls · 1 remembered", "extractor:parrot/finder|extractor-temperature:0|extractor-attempts:1"}},
		{[]string{"eval", "quiz", "-p", answers, "--judge", "parrot/any", "--extractor", "offline"}, exitUsage, []string{"the extractor of quiz is a model, or is left out"}},
		{[]string{"eval", "keyed", "-p", answers, "--json"}, exitDone, []string{`"value": 0.3333`, `"signature": "keyed|profile:official|keyed1|`}},
		{[]string{"eval", "keyed", "-a", lower, "-f", "--allow", "C", "--allow=E"}, exitDone, []string{"Exact match 100.0"}},
		{[]string{"eval", "keyed", "--answers", lower, "--allow", "C"}, exitDone, []string{"Exact match 33.3"}},
		{[]string{"eval", "keyed", "-p", answers, "--judge", "parrot/any"}, exitUsage, []string{"unknown flag: --judge"}},
		{[]string{"eval", "quizz", "-p", answers}, exitUsage, []string{"did you mean quiz?"}},
		{[]string{"caption", clip, "--tools", "width", "--out", q.path("captions")}, exitDone, []string{"pixels wide"}},
	} {
		if !slices.Contains([]string{"docs", "greet", "--help"}, c.args[0]) && !strings.Contains(strings.Join(c.args, " "), "--work-dir") && c.args[len(c.args)-1] != "--help-all" {
			c.args = append(c.args, "--work-dir", q.path("work"))
		}
		cmd := exec.Command("toyscope", c.args...)
		cmd.Dir = q.dir
		out, err := cmd.CombinedOutput()
		code := 0
		if failed, ok := err.(*exec.ExitError); ok {
			code = failed.ExitCode()
		}
		said := strings.Join(strings.Fields(string(out)), " ")
		for _, words := range c.says {
			if code != c.code || !strings.Contains(said, strings.Join(strings.Fields(words), " ")) {
				t.Errorf("%v: exit code %d, want %d, and %q in\n%s", c.args, code, c.code, words, out)
			}
		}
	}
}
