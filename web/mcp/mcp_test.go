package mcp

import (
	"bytes"
	"context"
	"fmt"
	"image/jpeg"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"omniscope"
	"omniscope/detective"
	testclips "omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/runtest"
	"omniscope/perceive"
	"omniscope/perceive/scene"
	"omniscope/perceive/sound"
	"omniscope/run"
)

// A counted tool counts the questions that reach it.
type counted struct {
	perceive.Tool
	calls int
}

func (c *counted) Observe(ctx context.Context, clip *perceive.Clip, question string) (*perceive.Answer, error) {
	c.calls++
	return c.Tool.Observe(ctx, clip, question)
}

// clips makes a folder with a clip, a link that leads out of it, and a secret beside it.
func clips(t *testing.T) string {
	t.Helper()
	above := t.TempDir()
	folder := filepath.Join(above, "clips")
	fixture.OK(t, os.MkdirAll(filepath.Join(folder, "sub"), 0o755))
	film := filepath.Join(folder, "sub", "film.mp4")
	testclips.Make(t, film, testclips.Fields("-f lavfi -i testsrc2=s=320x240:r=10:d=3 -f lavfi -i sine=d=3 -pix_fmt yuv420p")...)
	data, err := os.ReadFile(film)
	fixture.OK(t, err)
	for _, err := range []error{os.WriteFile(filepath.Join(above, "secret.mp4"), data, 0o644), os.WriteFile(filepath.Join(folder, "notes.txt"), []byte("words"), 0o644),
		os.Symlink(filepath.Join(above, "secret.mp4"), filepath.Join(folder, "link.mp4"))} {
		fixture.OK(t, err)
	}
	return folder
}

// joined is a session of an agent with a server over the folder.
func joined(t *testing.T, folder string, tools ...perceive.Tool) *sdk.ClientSession {
	t.Helper()
	s, err := New(Options{Version: "1", Folders: []string{folder}, Tools: tools, Planner: detective.Offline{}, Once: &run.Once{Journal: runtest.NewMemory()}})
	fixture.OK(t, err)
	here, there := sdk.NewInMemoryTransports()
	if _, err := s.Connect(t.Context(), there, nil); err != nil {
		t.Fatal(err)
	}
	agent, err := sdk.NewClient(&sdk.Implementation{Name: "agent", Version: "1"}, nil).Connect(t.Context(), here, nil)
	fixture.OK(t, err)
	t.Cleanup(func() { agent.Close() })
	return agent
}

// called calls a tool; failed is its text where it failed.
func called(t *testing.T, agent *sdk.ClientSession, name string, arguments map[string]any) (r *sdk.CallToolResult, failed string) {
	t.Helper()
	r, err := agent.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		return &sdk.CallToolResult{}, err.Error()
	}
	if r.IsError {
		return r, r.Content[0].(*sdk.TextContent).Text
	}
	return r, ""
}

func TestWhatAgentsGet(t *testing.T) {
	folder := clips(t)
	look := &counted{Tool: scene.New()}
	agent := joined(t, folder, look, sound.New())
	const film = "sub/film.mp4"
	r, failed := called(t, agent, "list_media", nil)
	if got := fmt.Sprint(r.StructuredContent); failed != "" || got != "map[files:[sub/film.mp4]]" {
		t.Errorf("list_media: %s%s", got, failed)
	}
	for range 2 {
		r, failed = called(t, agent, "scene", map[string]any{"path": film})
		if failed != "" || !strings.Contains(r.Content[0].(*sdk.TextContent).Text, "320") && len(r.StructuredContent.(map[string]any)["observations"].([]any)) == 0 {
			t.Errorf("scene: %+v%s", r, failed)
		}
	}
	if look.calls != 1 {
		t.Errorf("the tool looked %d times at one clip", look.calls)
	}
	if r, failed = called(t, agent, "scene", map[string]any{"path": film, "from_s": 1, "to_s": 2, "region": []any{0, 0, 0.5, 0.5}}); failed != "" || look.calls != 2 {
		t.Errorf("a closer look: %+v%s, %d calls", r, failed, look.calls)
	}
	r, failed = called(t, agent, "frames", map[string]any{"path": film, "times_s": []any{0, 1.55}, "region": []any{0.5, 0, 1, 1}})
	if failed != "" || len(r.Content) != 4 {
		t.Fatalf("frames: %+v%s", r, failed)
	}
	picture, err := jpeg.Decode(bytes.NewReader(r.Content[3].(*sdk.ImageContent).Data))
	if text := r.Content[2].(*sdk.TextContent).Text; err != nil || text != "at 1.50 s:" || picture.Bounds().Dx()*4 != picture.Bounds().Dy()*160/60 {
		t.Errorf("%s %v, %v", text, picture.Bounds(), err)
	}
	r, failed = called(t, agent, "sound_snippet", map[string]any{"path": film, "from_s": 1, "to_s": 1.5})
	if failed != "" || len(r.Content[0].(*sdk.AudioContent).Data) != 44+2*8000 {
		t.Errorf("sound_snippet: %s", failed)
	}
	r, failed = called(t, agent, "caption", map[string]any{"path": filepath.Join(folder, film)})
	if out, _ := r.StructuredContent.(map[string]any); failed != "" || len(out["sentences"].([]any)) == 0 || len(out["evidence"].([]any)) == 0 || out["caption"] == "" {
		t.Errorf("caption: %+v%s", r, failed)
	}
	r, failed = called(t, agent, "audit", map[string]any{"path": film, "caption": "There are 7 cuts. A cat sleeps."})
	if out, _ := r.StructuredContent.(map[string]any); failed != "" || fmt.Sprint(out["claims"]) != "[map[text:The number of cuts is 7. verdict:contradicted] map[text:A cat sleeps. verdict:unsupported]]" {
		t.Errorf("audit: %+v%s", r.StructuredContent, failed)
	}
}

// TestWhatAgentsDoNotGet shows that no call reaches a file outside of the folders, or gets more than its bounds.
func TestWhatAgentsDoNotGet(t *testing.T) {
	folder := clips(t)
	agent := joined(t, folder, scene.New())
	const film = "sub/film.mp4"
	for name, c := range map[string]struct {
		tool      string
		arguments map[string]any
		says      string
	}{
		"dots":              {"scene", map[string]any{"path": "../secret.mp4"}, "no file below"},
		"dots within":       {"frames", map[string]any{"path": "sub/../../secret.mp4"}, "no file below"},
		"a whole path":      {"caption", map[string]any{"path": filepath.Join(filepath.Dir(folder), "secret.mp4")}, "no file below"},
		"a link":            {"audit", map[string]any{"path": "link.mp4", "caption": "x"}, "no file below"},
		"a folder":          {"scene", map[string]any{"path": "sub"}, "no file below"},
		"an address":        {"scene", map[string]any{"path": "http://127.0.0.1/film.mp4"}, "no file below"},
		"a protocol":        {"scene", map[string]any{"path": "concat:sub/film.mp4"}, "no file below"},
		"a null byte":       {"scene", map[string]any{"path": "sub/film.mp4\x00.txt"}, "no file below"},
		"no media":          {"scene", map[string]any{"path": "notes.txt"}, "notes.txt"},
		"no path":           {"scene", map[string]any{}, "path"},
		"beyond the end":    {"scene", map[string]any{"path": film, "from_s": 5, "to_s": 6}, "is not in the clip"},
		"half a region":     {"scene", map[string]any{"path": film, "region": []any{0, 1}}, "four numbers"},
		"many frames":       {"frames", map[string]any{"path": film, "count": 1000}, "at most 16"},
		"no frames":         {"frames", map[string]any{"path": film, "count": 0}, "at least one frame"},
		"frames at the end": {"frames", map[string]any{"path": film, "times_s": []any{1, 3}}, "3 s is not in the clip, which lasts from 0.00 to"},
		"frames beyond":     {"frames", map[string]any{"path": film, "times_s": []any{60}}, "60 s is not in the clip"},
		"frames of a part":  {"frames", map[string]any{"path": film, "from_s": 1, "to_s": 2, "times_s": []any{0}}, "0 s is not in the clip"},
		"frames below zero": {"frames", map[string]any{"path": film, "times_s": []any{-1}}, "no time of the file"},
		"much sound":        {"sound_snippet", map[string]any{"path": film, "from_s": 0, "to_s": 1e9}, "at most 60 seconds"},
		"no caption":        {"audit", map[string]any{"path": film, "caption": " "}, "give a caption"},
		"an unknown sense":  {"caption", map[string]any{"path": film, "modality": "smell"}, "smell"},
		"no such tool":      {"delete", nil, "delete"},
	} {
		if _, failed := called(t, agent, c.tool, c.arguments); !strings.Contains(failed, c.says) || strings.Contains(failed, filepath.Dir(folder)) && name != "a whole path" && name != "no media" {
			t.Errorf("%s: %q, want %q", name, failed, c.says)
		}
	}
}

func TestServersThatAreNotMade(t *testing.T) {
	for name, o := range map[string]Options{
		"no folders":           {},
		"a folder that is not": {Folders: []string{filepath.Join(t.TempDir(), "none")}},
		"a name that is taken": {Folders: []string{t.TempDir()}, Tools: []perceive.Tool{named{scene.New()}}},
	} {
		if _, err := New(o); omniscope.KindOf(err) != omniscope.Usage {
			t.Errorf("%s: %v", name, err)
		}
	}
}

type named struct{ perceive.Tool }

func (named) Info() perceive.Info { return perceive.Info{Name: "audit"} }

// TestOtherOriginsAreRefused shows that pages of other hosts reach nothing.
func TestOtherOriginsAreRefused(t *testing.T) {
	s, err := New(Options{Folders: []string{t.TempDir()}, Planner: detective.Offline{}})
	fixture.OK(t, err)
	h := httptest.NewServer(Handler(s))
	defer h.Close()
	if agent, err := sdk.NewClient(&sdk.Implementation{Name: "agent", Version: "1"}, nil).Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: h.URL}, nil); err != nil {
		t.Error(err)
	} else {
		agent.Close()
	}
	const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`
	for name, change := range map[string]func(*http.Request){
		"another origin": func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") },
		"another host":   func(r *http.Request) { r.Host = "evil.example" },
		"another site":   func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") },
	} {
		r, err := http.NewRequest(http.MethodPost, h.URL, strings.NewReader(hello))
		fixture.OK(t, err)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		change(r)
		resp, err := http.DefaultClient.Do(r)
		fixture.OK(t, err)
		resp.Body.Close()
		if resp.StatusCode != http.StatusForbidden {
			t.Errorf("%s: %s", name, resp.Status)
		}
	}
}
