package eval

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/pgtest"
	"omniscope/internal/testing/tasktest"
	"omniscope/session"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

func TestEvaluationsAreTasks(t *testing.T) {
	dir := t.TempDir()
	fixture.OK(t, txtar.Write(txtar.Parse([]byte(clipsFile+choiceFiles)), dir))
	path := func(name string) string { return filepath.Join(dir, name) }
	for name, c := range map[string]struct {
		spec  Spec
		reply fake.Responder
		calls func(*session.Calls)
		alone string
	}{
		"omni-cloze": {Spec{Benchmark: "omni-cloze", Predictions: path("clips.jsonl")}, fake.ClozeReply(nil, 0), nil, ""},
		"an examined answerer": {Spec{Benchmark: "mmau", Predictions: path("captions.jsonl"), Data: path("data.json")}, fake.FixedReply("A"),
			nil, ""},
		"nobody is asked": {Spec{Benchmark: "mmau", Predictions: path("answers.jsonl"), Data: path("data.json")}, nil, nil,
			"comparing two letters costs less than handing them out"},
	} {
		t.Run(name, func(t *testing.T) {
			open := func(ctx context.Context, m *session.Machine) (*Evaluation, error) {
				s := c.spec
				s.Profile, s.Modality = "strict", "audio-visual"
				judge := &session.Role{Name: session.Judge, Model: session.Offline, Temperature: new(float64), Attempts: 2}
				if c.reply != nil {
					judge.Model = "openai/mock"
					m.Address(judge)
				}
				s.Roles = map[string]*session.Role{session.Judge: judge}
				all := 1.0
				return Open(ctx, &s, &Options{Machine: *m, MaxFailures: &all, About: About{Version: "test"}})
			}
			k := tasktest.Kind{
				Kinds: session.Kinds{Kind}, Reply: c.reply, Calls: c.calls, Alone: c.alone, Normal: withoutUsage,
				Open: func(ctx context.Context, m *session.Machine) (session.Units, error) { return open(ctx, m) },
				Bound: func(ctx context.Context, m *session.Machine) (int, error) {
					e, err := open(ctx, m)
					if err != nil {
						return 0, err
					}
					f, err := e.Forecast(ctx)
					if err = errors.Join(err, e.Close()); err != nil {
						return 0, err
					}
					if f.CallsAtMost == nil {
						return 0, errors.New("the forecast has no bound")
					}
					return *f.CallsAtMost, nil
				},
				NoPrograms: "a Spec of a benchmark names no program",
			}
			if c.reply == nil {
				k.Bound, k.Unbounded = nil, "it asks nobody"
			}
			tasktest.Suite(t, k)
		})
	}
}

// usageText is the part of a report about calls, and the line about the run's end.
var usageText = regexp.MustCompile(`(?ms)^## Usage.*?^## |^[^\n]*[Ff]inished[^\n]*$`)

// withoutUsage leaves out when a run was finished, and what its commands took.
func withoutUsage(name, text string) string {
	switch name {
	case documentFile:
		var d map[string]any
		if err := json.Unmarshal([]byte(text), &d); err != nil {
			return err.Error()
		}
		delete(d, "usage")
		delete(d["run"].(map[string]any), "finished")
		return fixture.JSON(d)
	case "report.md":
		return usageText.ReplaceAllString(text, "")
	}
	return text
}
