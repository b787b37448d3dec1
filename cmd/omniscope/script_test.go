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
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"omniscope/internal/testing/mockhub"
	"omniscope/internal/testing/mockllm"
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
//	datahub TOKEN                start a hub that takes data sets of those who have a token, and set HF_ENDPOINT
//	parquet ROWS FILE            write JSON Lines as Parquet; see writeParquet
//	thinker FOLDER [PREFIX...]   make a toy Qwen Omni thinker; see makeThinker
//
// and find the benchmark file clips.jsonl in their folder.
func runScripts(t *testing.T, dir string) {
	need.Processes(t)
	testscript.Run(t, testscript.Params{
		Dir:                 dir,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			clips, err := os.ReadFile("testdata/clips.jsonl")
			if err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(env.WorkDir, "clips.jsonl"), clips, 0o644)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits":   exits,
			"mock":    startMock,
			"asked":   asked,
			"made":    makeModel,
			"hub":     startModelHub,
			"datahub": startDataHub,
			"thinker": makeThinker,
			"parquet": writeParquet,
		},
	})
}

func startDataHub(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: datahub TOKEN")
	}
	h := mockhub.Start(args[0])
	ts.Defer(h.Close)
	ts.Setenv("HF_ENDPOINT", h.URL)
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

// startMock starts a server that answers cloze questions, in place of the last
// one if there is one. With fault=NAME all requests, or those that say=WORDS
// contains, fail in the named way; key=KEY makes it ask for a key.
func startMock(ts *testscript.TestScript, neg bool, args []string) {
	config := mockllm.Config{Reply: mockllm.ClozeReply(nil, 0), Model: "mock"}
	when, effect := mockllm.Always(), mockllm.Effect(nil)
	for _, arg := range args {
		name, value, _ := strings.Cut(arg, "=")
		switch name {
		case "say":
			when = mockllm.Containing(value)
		case "key":
			config.APIKey = value
		case "latency":
			d, err := time.ParseDuration(value)
			ts.Check(err)
			config.Latency = d
		case "fault":
			if effect = faultNamed[value]; effect == nil {
				ts.Fatalf("no fault %q", value)
			}
		default:
			ts.Fatalf("mock does not know %q", arg)
		}
	}
	if effect != nil {
		config.Faults = []mockllm.Fault{{When: when, Do: effect}}
	}
	server, err := mockllm.Start(config)
	ts.Check(err)
	ts.Defer(server.Close)
	mocks.Store(ts, server)
	ts.Setenv("MOCK_URL", server.URL())
}

// faultNamed are the faults that scripts can ask for.
var faultNamed = map[string]mockllm.Effect{
	"500":     mockllm.ServerError(500),
	"429":     mockllm.RateLimited(""),
	"html":    mockllm.HTMLPage(),
	"tool":    mockllm.CallTool("lookup"),
	"refuse":  mockllm.Refuse("I would rather not."),
	"garbage": func(*mockllm.Request, mockllm.Responder) mockllm.Reply { return mockllm.Reply{Content: "It is a dog."} },
}

func asked(ts *testscript.TestScript, neg bool, args []string) {
	server, ok := mocks.Load(ts)
	if !ok || len(args) != 1 {
		ts.Fatalf("usage: asked N, after mock")
	}
	if got := strconv.Itoa(server.(*mockllm.Server).Stats().Requests); got != args[0] {
		ts.Fatalf("the server was asked %s times, want %s", got, args[0])
	}
}
