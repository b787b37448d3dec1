package shout

import (
	"context"
	"os"
	"testing"

	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/pgtest"
	"omniscope/internal/testing/tasktest"
	"omniscope/session"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// One more kind of run is a folder and a line in a list of kinds.
func TestOneMoreKindOfRun(t *testing.T) {
	file := fixture.File(t, "lines.txt", "one\ntwo\nthree\n")
	tasktest.Suite(t, tasktest.Kind{
		Kinds: session.Kinds{Kind}, File: "answers.json",
		Reply: func(r *fake.Request) fake.Reply { return fake.Reply{Content: r.Text() + "!"} },
		Open: func(ctx context.Context, m *session.Machine) (session.Units, error) {
			return (&Spec{File: file, Model: &session.Role{Model: "openai/mock"}}).Open(ctx, m)
		},
		Unbounded:  "a line is one request",
		NoPrograms: "its Spec names no program",
	})
}
