package probe

import (
	"context"
	"os"
	"testing"

	"omniscope"
	"omniscope/bench/predict"
	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
	"omniscope/internal/testing/pgtest"
	"omniscope/internal/testing/tasktest"
	"omniscope/session"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

func TestProbesAreTasks(t *testing.T) {
	need.FFmpeg(t)
	profile, err := predict.LoadProfile(t.Context(), predict.DefaultProfile)
	fixture.OK(t, err)
	tasktest.Suite(t, tasktest.Kind{
		Kinds: session.Kinds{Kind}, Reply: fake.FixedReply("NOTHING"), File: "probe.json",
		Open: func(ctx context.Context, m *session.Machine) (session.Units, error) {
			return (&Spec{Modality: omniscope.Audio, Profile: profile, Model: &session.Role{Model: "openai/mock"}, Trials: []string{"beeps", "silence"}}).Open(ctx, m)
		},
		Unbounded:  "each trial is one request, and --dry-run lists them",
		Alone:      "its own command repeats it, and asks nothing twice",
		NoPrograms: "a Spec of a probe names no program",
	})
}
