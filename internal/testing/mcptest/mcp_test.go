// Package mcptest has omniscope and programs of others talk to each other by the Model Context Protocol.
package mcptest

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/built"
	testclips "omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/foreign"
	"omniscope/media"
	"omniscope/perceive"
	"omniscope/perceive/mcp"
)

func TestMain(m *testing.M) { os.Exit(built.Main(m)) }

// clips makes a folder with a clip.
func clips(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	testclips.Make(t, filepath.Join(folder, "film.mp4"), testclips.Fields("-f lavfi -i testsrc2=s=640x360:r=10:d=2 -f lavfi -i sine=d=2 -pix_fmt yuv420p")...)
	return folder
}

// A reply is what the inspector prints of a call.
type reply struct {
	Tools   []struct{ Name string } `json:"tools"`
	Content []struct{ Type, Text, MIMEType, Data string }
	IsError bool           `json:"isError"`
	Made    map[string]any `json:"structuredContent"`
}

// TestLongInspectorAsksOmniscope has the protocol's own inspector call the tools of omniscope mcp.
func TestLongInspectorAsksOmniscope(t *testing.T) {
	inspector, program, folder := foreign.Installed(t, ".bin/mcp-inspector"), built.Program(t), clips(t)
	inspect := func(args ...string) (r reply) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, inspector, append([]string{"--cli", program, "mcp", "--media", folder, "--work-dir", filepath.Join(folder, "work"), "--method"}, args...)...)
		var errOut bytes.Buffer
		cmd.Stderr = &errOut
		out, _ := cmd.Output() // it exits with 5 where a tool fails
		if err := json.NewDecoder(bytes.NewReader(out)).Decode(&r); err != nil {
			t.Fatalf("%v: %s%s", err, out, errOut.String())
		}
		return r
	}
	var names []string
	for _, tool := range inspect("tools/list").Tools {
		names = append(names, tool.Name)
	}
	for _, want := range []string{"list_media", "scene", "sound", "frames", "sound_snippet", "investigate", "audit"} {
		if !slices.Contains(names, want) {
			t.Errorf("there is no %s among %v", want, names)
		}
	}
	if r := inspect("tools/call", "--tool-name", "scene", "--tool-arg", "path=film.mp4", "--tool-arg", "to_s=1"); r.IsError || r.Made["observations"] == nil {
		t.Errorf("scene: %+v", r)
	}
	if r := inspect("tools/call", "--tool-name", "frames", "--tool-arg", "path=film.mp4", "--tool-arg", "count=2"); len(r.Content) != 4 || r.Content[1].Type != "image" || r.Content[1].MIMEType != "image/jpeg" || len(r.Content[1].Data) < 1000 {
		t.Errorf("frames: %.500v", r)
	}
	if r := inspect("tools/call", "--tool-name", "investigate", "--tool-arg", "path=film.mp4"); r.IsError || len(r.Content) != 1 || r.Made["caption"] == "" {
		t.Errorf("investigate: %.500v", r)
	}
	if r := inspect("tools/call", "--tool-name", "scene", "--tool-arg", "path=../../etc/passwd"); !r.IsError || !strings.Contains(r.Content[0].Text, "no file below") {
		t.Errorf("a file outside: %+v", r)
	}
}

// TestLongToolsOfReferenceServer makes tools of the protocol's reference server, and of omniscope's own.
func TestLongToolsOfReferenceServer(t *testing.T) {
	clip := &perceive.Clip{Clip: omniscope.Clip{Path: "/clips/film.mp4"}, File: &media.File{Duration: time.Second}}
	opened := func(o mcp.Options) *mcp.Server {
		t.Helper()
		o.Timeout = time.Minute
		s, err := mcp.Open(t.Context(), o)
		fixture.OK(t, err)
		t.Cleanup(func() { s.Close() })
		return s
	}
	everything := opened(mcp.Options{Command: []string{foreign.Installed(t, ".bin/mcp-server-everything")}, Names: []string{"echo"}})
	if a, err := everything.Tools()[0].Observe(t.Context(), clip, "Is there a dog?"); err != nil || a.Text != "Echo: Is there a dog?" {
		t.Errorf("%+v, %v", a, err)
	}
	program, folder := built.Program(t), clips(t)
	own := opened(mcp.Options{Command: []string{program, "mcp", "--media", folder, "--work-dir", filepath.Join(folder, "work")}, Names: []string{"scene"}})
	film := &perceive.Clip{Clip: omniscope.Clip{Path: filepath.Join(folder, "film.mp4")}, File: &media.File{Duration: 2 * time.Second}}
	if a, err := own.Tools()[0].Observe(t.Context(), film, ""); err != nil || len(a.Observations) == 0 {
		t.Errorf("%+v, %v", a, err)
	}
}

// TestLongInvestigationAsksReferenceServer investigates with a tool of that server as an observer.
func TestLongInvestigationAsksReferenceServer(t *testing.T) {
	server, program, folder := foreign.Installed(t, ".bin/mcp-server-everything"), built.Program(t), clips(t)
	cmd := exec.CommandContext(t.Context(), program, "investigate", filepath.Join(folder, "film.mp4"), "--tools", "scene", "--tool", "mcp[echo]:"+server, "--work-dir", filepath.Join(folder, "work"), "--out", filepath.Join(folder, "out"))
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "The observer echo reports: Echo: ") {
		t.Errorf("%v: %s", err, out)
	}
}

// TestLongAgentsBesideEachOther has two agents ask from one working folder at the same time; what one asked, the other
// is told from memory.
func TestLongAgentsBesideEachOther(t *testing.T) {
	program, folder := built.Program(t), clips(t)
	film := &perceive.Clip{Clip: omniscope.Clip{Path: filepath.Join(folder, "film.mp4")}, File: &media.File{Duration: 2 * time.Second}}
	var answers []string
	for range 2 {
		s, err := mcp.Open(t.Context(), mcp.Options{Command: []string{program, "mcp", "--media", folder, "--work-dir", filepath.Join(folder, "work")}, Names: []string{"scene"}})
		fixture.OK(t, err)
		defer s.Close() // both are open at a time
		a, err := s.Tools()[0].Observe(t.Context(), film, "")
		fixture.OK(t, err)
		answers = append(answers, a.Text)
	}
	if answers[0] == "" || answers[0] != answers[1] {
		t.Errorf("%q", answers)
	}
	out, err := exec.CommandContext(t.Context(), program, "journal", "show", "--json", "--work-dir", filepath.Join(folder, "work")).Output()
	if asked, told := strings.Count(string(out), `"entries": 1,`), strings.Count(string(out), `"entries": 0,`); err != nil || asked != 1 || told != 1 {
		t.Errorf("%v: %s", err, out)
	}
}
