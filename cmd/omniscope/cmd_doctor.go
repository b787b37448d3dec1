package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/catalog"
	"omniscope/media"
	"omniscope/model/openai"
	"omniscope/perceive/asr"
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
			if _, _, err := catalog.SplitModel(judgeSpec); err != nil {
				return err
			}
			d := &doctor{cmd: cmd, offline: offline}
			d.machine(workDir)
			d.programs()
			d.models()
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

// programs says which tools of investigations work here, and what the others
// lack.
func (d *doctor) programs() {
	for _, p := range media.Programs(d.cmd.Context()) {
		if p.Problem != "" {
			d.say(p.Name, "%s", p.Problem)
			continue
		}
		d.say(p.Name, "%s: %s", p.Path, p.Version)
	}
	for _, t := range localTools(asr.Options{}) {
		info := t.Info()
		if err := t.Check(d.cmd.Context()); err != nil {
			d.say("tool "+info.Name, "does not work: %v", err)
			continue
		}
		d.say("tool "+info.Name, "works (%s)", info.Version)
	}
}

func (d *doctor) providers(baseURL string) {
	for _, p := range catalog.Providers {
		if p.Local {
			continue
		}
		e := resolveEndpoint(p, judgeAddress, "")
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
	e := resolveEndpoint(provider, judgeAddress, baseURL)
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
