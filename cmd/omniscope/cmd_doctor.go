package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/catalog"
	"omniscope/internal/spelling"
	"omniscope/internal/version"
	"omniscope/internal/visible"
	"omniscope/metric/neural/models"
	"omniscope/metric/neural/weights"
	"omniscope/model/openai"
	"omniscope/perceive/asr"
	"omniscope/perceive/speech"
	"omniscope/session"
	"omniscope/store"
)

func newDoctor() *cobra.Command {
	var judgeSpec, baseURL, workDir string
	var offline, asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Say which keys, endpoints, models and programs will really be used",
		Long: `Say which keys, endpoints, models and outside programs will really be used, whether they answer,
what is missing for what, and how to install it. Keys are never printed. Asking an endpoint for its
list of models costs nothing. Exit code 1 if the judge named with --judge cannot be used.`,
		Args: exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if _, _, err := catalog.SplitModel(judgeSpec); err != nil {
				return err
			}
			e := examine(cmd.Context(), workDir)
			err := e.judge(cmd.Context(), judgeSpec, &session.Role{Name: session.Judge, BaseURL: baseURL, BaseURLFrom: flagSource(cmd.Flags(), "judge-base-url")}, offline)
			if err != nil {
				e.Judge.Problem = err.Error()
			}
			if !asJSON {
				e.print(cmd.OutOrStdout())
				return err
			}
			enc := json.NewEncoder(documentOut(cmd))
			enc.SetEscapeHTML(false)
			enc.SetIndent("", "  ")
			if printErr := enc.Encode(e); printErr != nil {
				return printErr
			}
			return err
		},
	}
	f := cmd.Flags()
	f.StringVar(&judgeSpec, "judge", "offline", "the judge to examine")
	f.StringVar(&baseURL, "judge-base-url", "", "the judge's address")
	f.StringVar(&workDir, "work-dir", "omniscope-work", "folder of the journal and the runs")
	f.BoolVar(&offline, "no-network", false, "contact no endpoint")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// An examination is what doctor finds. Its fields keep their names.
type examination struct {
	Schema    string           `json:"schema"` // "omniscope.doctor/1"
	Version   string           `json:"version"`
	Journal   journalState     `json:"journal"`
	Programs  []outsideProgram `json:"programs"`
	Tools     []toolState      `json:"tools"`
	Speech    speechState      `json:"speech_pack"`
	Models    modelsState      `json:"models"`
	Providers []providerState  `json:"providers"`
	Judge     judgeState       `json:"judge"`
	Missing   []string         `json:"missing"` // programs that are not there or cannot be used
	Install   string           `json:"install"` // the line that installs them
}

type journalState struct {
	Folder    string `json:"folder"`
	There     bool   `json:"there"`
	Runs      int    `json:"runs"`
	Answers   int    `json:"answers"`
	Writable  bool   `json:"writable"`
	FreeBytes *int64 `json:"free_bytes"` // on its disk; null = not known
	Problem   string `json:"problem"`
}

type toolState struct {
	Name    string `json:"name"`
	Works   bool   `json:"works"`
	Version string `json:"version"`
	Problem string `json:"problem"`
}

type speechState struct {
	Folder  string `json:"folder"`
	There   bool   `json:"there"`
	Problem string `json:"problem"`
}

type modelsState struct {
	Folder  string   `json:"folder"`
	There   []string `json:"there"`
	Missing []string `json:"missing"`
	Problem string   `json:"problem"`
}

type providerState struct {
	Name    string   `json:"name"`
	URL     string   `json:"url"`
	URLFrom string   `json:"url_from"`
	KeyFrom string   `json:"key_from"` // "" = there is no key
	KeyEnv  []string `json:"key_variables"`
	Problem string   `json:"problem"` // where the key would go, if that is elsewhere than where its owner put it
}

type judgeState struct {
	Spec    string   `json:"spec"`
	Says    []string `json:"says"`
	Problem string   `json:"problem"`
}

func examine(ctx context.Context, workDir string) *examination {
	e := &examination{Schema: "omniscope.doctor/1", Version: version.Program(), Programs: outsidePrograms(ctx), Missing: []string{}}
	e.Journal.examine(ctx, filepath.Join(workDir, "journal"))
	for _, t := range catalog.OpenTools(asr.Options{}) {
		state := toolState{Name: t.Info().Name, Works: true, Version: t.Info().Version}
		if err := t.Check(ctx); err != nil {
			state.Works, state.Problem = false, err.Error()
		}
		e.Tools = append(e.Tools, state)
	}
	e.Speech = speechState{Folder: speech.Folder(), There: true}
	if err := speech.NewEngine("").Check(ctx); err != nil {
		e.Speech.There, e.Speech.Problem = false, err.Error()
	}
	e.Models.examine()
	for _, p := range catalog.Providers {
		if !p.Local() {
			found := session.EndpointOf(p, &session.Role{Name: session.Judge})
			state := providerState{p.Name, session.ShownURL(found.URL), found.NamedBy(), found.KeyFrom.String(), p.KeyEnv, found.Warning()}
			if err := found.Check(); err != nil {
				state.Problem = "refused: " + err.Error()
			}
			e.Providers = append(e.Providers, state)
		}
	}
	for _, p := range e.Programs {
		if p.Problem != "" && (p.Name != sphinx || !e.Speech.There) {
			e.Missing = append(e.Missing, p.Name)
		}
	}
	e.Install = installLine(e.Missing)
	return e
}

func (j *journalState) examine(ctx context.Context, folder string) {
	j.Folder = folder
	disk := folder
	for !exists(disk) && filepath.Dir(disk) != disk {
		disk = filepath.Dir(disk)
	}
	if free, ok := weights.Room(disk); ok {
		j.FreeBytes = &free
	}
	if probe, err := os.CreateTemp(disk, ".omniscope-doctor-"); err != nil {
		j.Problem = "cannot be written: " + err.Error()
	} else {
		probe.Close()
		os.Remove(probe.Name())
		j.Writable = true
	}
	if j.There = store.Exists(folder); !j.There {
		return
	}
	s, err := store.Open(folder)
	if err != nil {
		j.Problem = "cannot be opened: " + err.Error()
		return
	}
	defer s.Close()
	runs, err := s.Runs(ctx)
	if err != nil {
		j.Problem = "cannot be read: " + err.Error()
		return
	}
	j.Runs = len(runs)
	for _, r := range runs {
		j.Answers += r.Answers
	}
}

func (m *modelsState) examine() {
	m.There, m.Missing = []string{}, []string{}
	root, err := models.Root()
	if err != nil {
		m.Problem = err.Error()
		return
	}
	m.Folder = root
	for _, e := range models.List(root) {
		if e.There {
			m.There = append(m.There, e.Model.Name)
		} else {
			m.Missing = append(m.Missing, e.Model.Name)
		}
	}
}

// judge examines the judge that a run would use.
func (e *examination) judge(ctx context.Context, spec string, role *session.Role, offline bool) error {
	e.Judge = judgeState{Spec: spec, Says: []string{}}
	say := func(format string, args ...any) { e.Judge.Says = append(e.Judge.Says, fmt.Sprintf(format, args...)) }
	provider, name, err := catalog.SplitModel(spec)
	if err != nil {
		return err
	}
	switch {
	case provider.Open == nil:
		say("offline: the lexical reader, a baseline; no model, no key and no network are used")
		return nil
	case provider.Local():
		if _, err := os.Stat(name); err != nil {
			return &omniscope.Error{Kind: omniscope.NotFound, Op: "judge " + spec, Err: err}
		}
		say("answers from the script %s", name)
		return nil
	}
	found := session.EndpointOf(provider, role)
	say("model %s at %s", name, found)
	if err := found.Check(); err != nil {
		return err
	}
	if offline {
		return nil
	}
	m, err := openai.New(openai.Options{BaseURL: found.URL, Key: found.Key})
	if err != nil {
		return err
	}
	names, err := m.Models(ctx)
	if err != nil {
		return &omniscope.Error{Kind: omniscope.KindOf(err), Op: "the judge's endpoint does not answer", Err: err}
	}
	say("the endpoint answers and lists %d models", len(names))
	if slices.Contains(names, name) {
		say("%s is one of them", name)
		return nil
	}
	return &omniscope.Error{Kind: omniscope.NotFound, Err: fmt.Errorf("%s is not among the models that %s lists: %s%s",
		name, session.ShownURL(found.URL), visible.Line(firstOf(strings.Join(names, ", "), 200)), spelling.Hint(name, names))}
}
