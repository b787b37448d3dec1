package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/need"
)

func TestScripts(t *testing.T)     { runScripts(t, "testdata/script") }
func TestLongScripts(t *testing.T) { runScripts(t, "testdata/script/long") }

// runScripts runs a part of the manual. Besides testscript's own commands the scripts have
//
//	exits CODE PROGRAM ARGS...   run a program, which must exit with CODE
//	mock [KEY=VALUE...]          start a server and put its address into $MOCK_URL; see startMock
//	asked N                      the server must have been asked N times so far
//	made SHAPE FOLDER            make a model of random weights; see makeModel
//	hub [TOKEN]                  start a hub of models and set HF_ENDPOINT; see startModelHub
//
// and find the benchmark file clips.jsonl in their folder.
func runScripts(t *testing.T, dir string) {
	need.Processes(t)
	testscript.Run(t, testscript.Params{
		Dir:                 dir,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("OMNISCOPE_JUDGE_EXAM", "false") // scripts count calls
			clips, err := os.ReadFile("testdata/clips.jsonl")
			if err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(env.WorkDir, "clips.jsonl"), clips, 0o644)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits": exits,
			"mock":  startMock,
			"asked": asked,
			"made":  makeModel,
			"hub":   startModelHub,
		},
	})
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARGS...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var ended *exec.ExitError
	switch err := ts.Exec(args[1], args[2:]...); {
	case errors.As(err, &ended):
		got = ended.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("%s ended with exit code %d, want %d", args[1], got, want)
	}
}

// mocks holds the server of each script, by *testscript.TestScript.
var mocks sync.Map

// startMock starts a server that answers cloze questions, which replaces the last one. With
// fault=500 all requests fail, or with say=WORDS the requests that contain these words; key=KEY makes it
// ask for a key.
func startMock(ts *testscript.TestScript, neg bool, args []string) {
	config := fake.Config{Reply: fake.ClozeReply(nil, 0), Model: "mock"}
	when, effect := fake.Always(), fake.Effect(nil)
	for _, arg := range args {
		switch name, value, _ := strings.Cut(arg, "="); {
		case name == "say":
			when = fake.Containing(value)
		case name == "key":
			config.APIKey = value
		case arg == "fault=500":
			effect = fake.ServerError(500)
		default:
			ts.Fatalf("mock does not know %q", arg)
		}
	}
	if effect != nil {
		config.Faults = []fake.Fault{{When: when, Do: effect}}
	}
	server, err := fake.Listen(config)
	ts.Check(err)
	ts.Defer(server.Close)
	mocks.Store(ts, server)
	ts.Setenv("MOCK_URL", server.URL())
}

func asked(ts *testscript.TestScript, neg bool, args []string) {
	server, ok := mocks.Load(ts)
	if !ok || len(args) != 1 {
		ts.Fatalf("usage: asked N, after mock")
	}
	if got := strconv.Itoa(server.(*fake.Server).Stats().Requests); got != args[0] {
		ts.Fatalf("the server was asked %s times, want %s", got, args[0])
	}
}
