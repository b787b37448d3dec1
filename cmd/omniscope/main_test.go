package main

import (
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"omniscope/internal/testing/built"
	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/golden"
	"omniscope/internal/testing/pgtest"
	"omniscope/session/catalog"
)

// TestMain puts the command on the PATH, as a copy of the test binary, for the
// scripts and for tests that need a process of its own.
func TestMain(m *testing.M) {
	testscript.Main(withoutSettings{m}, map[string]func(){"omniscope": main, "evaluate-unit": evaluateUnit, "investigate-clip": investigateClip, "toyscope": toyscope, "peak-of": peakOf})
}

// withoutSettings runs tests apart from whatever judge the developer uses.
type withoutSettings struct{ *testing.M }

func (m withoutSettings) Run() int {
	defer pgtest.Stop()
	defer built.Remove()
	os.Setenv("OMNISCOPE_SPEECH_PACK", os.DevNull) // tests go by what every machine has
	for _, p := range catalog.Providers {
		for _, name := range p.Variables() {
			os.Unsetenv(name)
		}
	}
	for _, setting := range os.Environ() {
		name, _, _ := strings.Cut(setting, "=")
		if strings.HasPrefix(name, "OMNISCOPE_") && name != soakEnv && name != golden.Env && name != built.Env && name != pgtest.URL && name != pgtest.Need && name != clips.Env {
			os.Unsetenv(name)
		}
	}
	os.Setenv("OMNISCOPE_JUDGE_EXAM", "false") // tests count calls; tests of the examination switch it on
	return m.M.Run()
}

// soakEnv makes tests take as long as they would like to.
const soakEnv = "OMNISCOPE_SOAK"
