// Package doctor finds out what a run on this machine would really use: programs,
// tools, models, keys, endpoints, the journal's folder; what is missing, and how
// to install it. It changes nothing and prints no key.
package doctor

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"omniscope"
	"omniscope/internal/diskspace"
	"omniscope/internal/ondisk"
	"omniscope/internal/spelling"
	"omniscope/internal/version"
	"omniscope/internal/visible"
	"omniscope/metric/neural/models"
	"omniscope/model/exchange"
	"omniscope/perceive/all"
	"omniscope/perceive/asr"
	"omniscope/perceive/speech"
	"omniscope/run/journal/sqlite"
	"omniscope/session"
	"omniscope/session/catalog"
)

// An examination is what there is and what is missing. The names of its fields in
// JSON stay.
type examination struct {
	Schema    string       `json:"schema"` // "omniscope.doctor/2"
	Version   string       `json:"version"`
	Jobs      []verdict    `json:"jobs"`
	Files     []configFile `json:"config_files"`
	Journal   journal      `json:"journal"`
	Programs  []program    `json:"programs"`
	Tools     []tool       `json:"tools"`
	Speech    speechPack   `json:"speech_pack"`
	Models    modelStates  `json:"models"`
	Providers []provider   `json:"providers"`
	Judge     judge        `json:"judge"`
	Project   *project     `json:"project"` // omniscope.yaml; null = there is none
	Missing   []string     `json:"missing"` // programs that are not there or cannot be used
	Install   string       `json:"install"` // the line that installs them
}

// A journal is the folder that remembers calls, and what it holds.
type journal struct {
	Folder    string `json:"folder"`
	There     bool   `json:"there"`
	Runs      int    `json:"runs"`
	Answers   int    `json:"answers"`
	Writable  bool   `json:"writable"`
	FreeBytes *int64 `json:"free_bytes"` // on its disk; null = not known
	Problem   string `json:"problem"`
}

// A tool is one that looks at media, and whether it works here.
type tool struct {
	Name    string `json:"name"`
	Works   bool   `json:"works"`
	Version string `json:"version"`
	Problem string `json:"problem"`
}

// A speechPack is the folder of the optional speech recogniser.
type speechPack struct {
	Folder  string `json:"folder"`
	There   bool   `json:"there"`
	Problem string `json:"problem"`
}

// modelStates are the networks of BERTScore and COMET, by name.
type modelStates struct {
	Folder  string   `json:"folder"`
	There   []string `json:"there"`
	Project *project `json:"project"` // omniscope.yaml; null = there is none
	Missing []string `json:"missing"`
	Problem string   `json:"problem"`
}

// A provider is where a provider's models would be asked, and whose key they would get.
type provider struct {
	Name    string   `json:"name"`
	URL     string   `json:"url"`
	URLFrom string   `json:"url_from"`
	KeyFrom string   `json:"key_from"` // "" = there is no key
	KeyEnv  []string `json:"key_variables"`
	Problem string   `json:"problem"` // where the key would go, if that is elsewhere than where its owner put it

	named bool // the user named the address
}

// A judge is the one that was named, what is known of it, and why it cannot be used;
// Problem is empty where it can.
type judge struct {
	Spec    string   `json:"spec"`
	Says    []string `json:"says"`
	Problem string   `json:"problem"`
}

// Examine looks at this machine, and at the journal of a work folder. No endpoint
// is asked: see ExamineJudge.
func Examine(ctx context.Context, workDir string) *examination {
	e := &examination{Schema: "omniscope.doctor/2", Version: version.Program(), Jobs: []verdict{}, Files: append([]configFile{}, configFiles()...), Programs: findPrograms(ctx), Missing: []string{}}
	e.Journal.examine(ctx, filepath.Join(workDir, "journal"))
	e.Project = examineProject(ctx)
	for _, t := range all.Open(asr.Options{}) {
		state := tool{Name: t.Info().Name, Works: true, Version: t.Info().Version}
		if err := t.Check(ctx); err != nil {
			state.Works, state.Problem = false, err.Error()
		}
		e.Tools = append(e.Tools, state)
	}
	e.Speech = speechPack{Folder: speech.Folder(), There: true}
	if err := speech.NewEngine("").Check(ctx); err != nil {
		e.Speech.There, e.Speech.Problem = false, err.Error()
	}
	e.Models.examine()
	for _, p := range catalog.Providers {
		if !p.Local() {
			found := session.EndpointOf(p, &session.Role{Name: session.Judge})
			state := provider{p.Name, found.Shown(), found.NamedBy(), found.KeyFrom.String(), p.KeyEnv, found.Warning(), found.URLFrom.Name != ""}
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

func (j *journal) examine(ctx context.Context, folder string) {
	j.Folder = folder
	disk := existing(folder)
	if free, ok := diskspace.Free(disk); ok {
		j.FreeBytes = &free
	}
	if probe, err := os.CreateTemp(disk, ".omniscope-doctor-"); err != nil {
		j.Problem = "cannot be written: " + err.Error()
	} else {
		probe.Close()
		os.Remove(probe.Name())
		j.Writable = true
	}
	if j.There = sqlite.Exists(folder); !j.There {
		return
	}
	s, err := sqlite.Open(folder)
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

// existing is the folder, or the nearest above it that is there.
func existing(folder string) string {
	for {
		if ondisk.Exists(folder) || filepath.Dir(folder) == folder {
			return folder
		}
		folder = filepath.Dir(folder)
	}
}

func (m *modelStates) examine() {
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

// A lister is an endpoint that lists the names of its models.
type lister interface {
	Models(ctx context.Context) ([]string, error)
}

// ExamineJudge looks at the judge that a run would use, written PROVIDER/NAME, and
// asks its endpoint for the list of its models unless offline. The error says why
// the judge cannot be used.
func (e *examination) ExamineJudge(ctx context.Context, spec string, role *session.Role, offline bool) (err error) {
	defer func() {
		if err != nil {
			e.Judge.Problem = err.Error()
		}
	}()
	return e.examineJudge(ctx, spec, role, offline)
}

func (e *examination) examineJudge(ctx context.Context, spec string, role *session.Role, offline bool) error {
	e.Judge = judge{Spec: spec, Says: []string{}}
	say := func(format string, args ...any) { e.Judge.Says = append(e.Judge.Says, fmt.Sprintf(format, args...)) }
	provider, name, err := catalog.SplitModel(spec)
	if err != nil {
		return err
	}
	switch {
	case provider.Open == nil:
		say("offline: a baseline that compares words; no model, no key and no network are used")
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
	if err := cmp.Or(found.Check(), found.Given()); err != nil {
		return err
	}
	if offline {
		return nil
	}
	m, _, err := provider.Open(ctx, exchange.Options{Name: name, BaseURL: found.URL, Key: found.Key, Headers: found.Headers, Query: found.Query})
	if err != nil {
		return err
	}
	endpoint, ok := m.(lister)
	if !ok {
		say("the endpoint has no list of models: whether it has %s is not known", name)
		return nil
	}
	names, err := endpoint.Models(ctx)
	if err != nil {
		return &omniscope.Error{Kind: omniscope.KindOf(err), Op: "the judge's endpoint does not answer", Err: err}
	}
	say("the endpoint answers and lists %d models", len(names))
	if slices.Contains(names, name) {
		say("%s is one of them", name)
		return nil
	}
	return omniscope.NotFoundf("%s is not among the models that %s lists: %s%s",
		name, found.Shown(), visible.First(strings.Join(names, ", "), 200), spelling.Hint(name, names))
}
