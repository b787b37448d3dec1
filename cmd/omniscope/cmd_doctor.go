package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/catalog"
	"omniscope/model/openai"
	"omniscope/store"
)

func newDoctor() *cobra.Command {
	var judgeSpec, baseURL, workDir string
	var offline bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Say which keys, endpoints, models and programs will really be used",
		Long: `Say which keys, endpoints, models and outside programs will really be used, and whether they
answer. Keys are never printed. Asking an endpoint for its list of models costs nothing.
Exit code 1 if the judge named with --judge cannot be used.`,
		Args: exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			d := &doctor{cmd: cmd, offline: offline}
			d.machine(workDir)
			d.programs()
			d.providers(baseURL)
			return d.judge(judgeSpec, baseURL)
		},
	}
	f := cmd.Flags()
	f.StringVar(&judgeSpec, "judge", "offline", "the judge to examine")
	f.StringVar(&baseURL, "judge-base-url", "", "the judge's address")
	f.StringVar(&workDir, "work-dir", "omniscope-work", "folder of the journal and the runs")
	f.BoolVar(&offline, "no-network", false, "contact no endpoint")
	return cmd
}

type doctor struct {
	cmd     *cobra.Command
	offline bool
}

func (d *doctor) say(what, format string, args ...any) {
	fmt.Fprintf(d.cmd.OutOrStdout(), "%-12s %s\n", what, fmt.Sprintf(format, args...))
}

func (d *doctor) machine(workDir string) {
	d.say("omniscope", "%s", version())
	dir := filepath.Join(workDir, "journal")
	if !store.Exists(dir) {
		d.say("journal", "none yet; it will be made in %s", dir)
		return
	}
	s, err := store.Open(dir)
	if err != nil {
		d.say("journal", "cannot be opened: %v", err)
		return
	}
	defer s.Close()
	runs, err := s.Runs(d.cmd.Context())
	if err != nil {
		d.say("journal", "cannot be read: %v", err)
		return
	}
	answers := 0
	for _, r := range runs {
		answers += r.Answers
	}
	d.say("journal", "%s: %d runs, %d answers", dir, len(runs), answers)
}

// outsidePrograms are what some commands call, and what for.
var outsidePrograms = []struct{ name, flag, use string }{
	{"ffmpeg", "-version", "opening media"},
	{"ffprobe", "-version", "opening media"},
	{"tesseract", "--version", "reading text on screen"},
}

func (d *doctor) programs() {
	for _, p := range outsidePrograms {
		path, err := exec.LookPath(p.name)
		if err != nil {
			d.say(p.name, "not found; it is for %s, which no command of this version does", p.use)
			continue
		}
		ctx, cancel := context.WithTimeout(d.cmd.Context(), 5*time.Second)
		out, err := exec.CommandContext(ctx, path, p.flag).CombinedOutput()
		cancel()
		first, _, _ := strings.Cut(string(out), "\n")
		if err != nil {
			first = "does not run: " + err.Error()
		}
		d.say(p.name, "%s: %s", path, first)
	}
}

func (d *doctor) providers(baseURL string) {
	for _, p := range catalog.Providers {
		if p.Local {
			continue
		}
		e := resolveEndpoint(p, "")
		key := "no key (" + strings.Join(p.KeyEnv, " or ") + " not set)"
		if e.key.IsSet() {
			key = "key from " + e.keyFrom
		}
		d.say(p.Name, "%s (%s), %s", shownURL(e.url), e.urlFrom, key)
	}
}

func shownURL(raw string) string {
	u, err := openai.NormalizeURL(raw)
	if err != nil {
		return "(" + err.Error() + ")"
	}
	return openai.Redacted(u)
}

// judge examines the judge that a run would use.
func (d *doctor) judge(spec, baseURL string) error {
	provider, name, err := catalog.SplitModel(spec)
	if err != nil {
		return err
	}
	switch provider.Name {
	case "offline":
		d.say("judge", "offline: the lexical reader, a baseline; no model, no key and no network are used")
		return nil
	case "scripted":
		if _, err := os.Stat(name); err != nil {
			return &omniscope.Error{Kind: omniscope.NotFound, Op: "judge " + spec, Err: err}
		}
		d.say("judge", "answers from the script %s", name)
		return nil
	}
	e := resolveEndpoint(provider, baseURL)
	d.say("judge", "model %s at %s (%s)", name, shownURL(e.url), e.urlFrom)
	if d.offline {
		return nil
	}
	m, err := openai.New(openai.Options{BaseURL: e.url, Key: e.key})
	if err != nil {
		return err
	}
	names, err := m.Models(d.cmd.Context())
	if err != nil {
		return &omniscope.Error{Kind: omniscope.KindOf(err), Op: "the judge's endpoint does not answer", Err: err}
	}
	d.say("", "the endpoint answers and lists %d models", len(names))
	for _, n := range names {
		if n == name {
			d.say("", "%s is one of them", name)
			return nil
		}
	}
	return &omniscope.Error{Kind: omniscope.NotFound, Err: fmt.Errorf("%s is not among the models that %s lists: %s", name, shownURL(e.url), printable(firstOf(strings.Join(names, ", "), 200)))}
}
