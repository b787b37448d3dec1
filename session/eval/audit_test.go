package eval

import (
	"context"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
	"omniscope/internal/testing/tasktest"
	"omniscope/run/journal"
	"omniscope/run/journal/sqlite"
	"omniscope/session"
	"omniscope/session/journals"
)

// auditReply splits each caption into two claims, and supports every claim.
func auditReply(r *fake.Request) fake.Reply {
	if strings.Contains(r.Text(), "atomic claims") {
		return fake.Reply{Content: `{"claims": [{"text": "There is a test picture.", "sense": "visual"}, {"text": "There is a tone.", "sense": "audio"}]}`}
	}
	return fake.Reply{Content: `{"verdict": "supported", "why": "It is there."}`}
}

func TestAuditsOfOneCaptionAreTasks(t *testing.T) {
	need.FFmpeg(t)
	clip := t.TempDir() + "/clip.wav"
	clips.Make(t, clip, clips.Fields("-f lavfi -i sine=frequency=300:duration=0.5 -ar 16000")...)
	text := fixture.File(t, "caption.txt", "A test picture with a tone.")
	for name, spec := range map[string]Spec{
		"a text":      {Predictions: "none", Options: map[string]string{"text": "A test picture with a tone.", "media": clip}},
		"a text file": {Predictions: text, Options: map[string]string{"media": clip}},
	} {
		t.Run(name, func(t *testing.T) {
			tasktest.Suite(t, tasktest.Kind{
				Kinds: session.Kinds{Kind}, Reply: auditReply, Normal: withoutUsage,
				Open: func(ctx context.Context, m *session.Machine) (session.Units, error) {
					s := spec
					s.Benchmark, s.Profile, s.Modality = "claims", "strict", "audio-visual"
					s.Tools, s.Observers = []string{"sound"}, []string{"openai/one"}
					judge := &session.Role{Name: session.Judge, Model: "openai/mock", Temperature: new(float64), Attempts: 2}
					s.Roles = map[string]*session.Role{session.Judge: judge, session.Observer: {Name: session.Observer}}
					return Open(ctx, &s, &Options{Machine: *m, About: About{Version: "test"}})
				},
				Unbounded:  "the claims that are asked about are the splitter's answer",
				NoPrograms: "a Spec of a benchmark names no program",
			})
		})
	}
}

// TestWorkOnEarlierAudits refuses a run of a kind that this version does not have.
func TestWorkOnEarlierAudits(t *testing.T) {
	calls := &session.Calls{WorkDir: t.TempDir(), MaxConcurrency: 1, Journals: journals.All}
	s, err := sqlite.Open(session.JournalDir(calls.WorkDir))
	fixture.OK(t, err)
	run, err := s.Run(t.Context(), journal.Description{Name: "audit-1", Kind: "audit", Manifest: `{"splitter":"offline"}`})
	fixture.OK(t, err)
	run.Close()
	s.Close()
	for name, want := range map[string]omniscope.Kind{"audit-1": omniscope.Usage, "investigate-1": omniscope.NotFound} {
		_, err := session.Kinds{Kind}.OpenWork(t.Context(), calls, name, &session.Order{}, t.Output())
		if omniscope.KindOf(err) != want || want == omniscope.Usage && !strings.Contains(err.Error(), "run its command again") {
			t.Errorf("%s: %v, want a %v error", name, err, want)
		}
	}
}
