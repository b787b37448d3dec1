package cache

import (
	"fmt"
	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Arguments that make clips of 3 seconds.
const (
	picture = "-f lavfi -i testsrc2=s=128x96:r=10 "
	stereo  = "-f lavfi -i aevalsrc=0.4*sin(880*PI*t)|0.2*sin(660*PI*t):s=44100 "
	silence = "-f lavfi -i anullsrc=r=16000:cl=mono "
	encoded = "-t 3 -c:v libx264 -preset ultrafast -g 10 -c:a aac "
)

// talkie is a film that needs ffprobe.
func talkie(t testing.TB) string { return clips.Made(t, "talkie.mkv", picture+stereo+encoded) }

// A warnings list is safe for concurrent use.
type warnings struct {
	mu   sync.Mutex
	list []string
}

func (w *warnings) add(text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.list = append(w.list, text)
}

// are checks that there is one warning for each text, which it contains.
func (w *warnings) are(t testing.TB, texts ...string) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.list) != len(texts) {
		t.Fatalf("warnings: %q, want %d", w.list, len(texts))
	}
	for i, text := range texts {
		if !strings.Contains(w.list[i], text) {
			t.Errorf("warning %q does not say %q", w.list[i], text)
		}
	}
}

// opened opens a cache and returns the list of its warnings.
func opened(t testing.TB, dir string, o Options) (*Cache, *warnings) {
	t.Helper()
	w := &warnings{}
	o.Warn = w.add
	c, err := Open(dir, o)
	fixture.OK(t, err)
	c.leastFree = 0
	return c, w
}

func clipOf(t testing.TB, c *Cache, path string) *Clip {
	t.Helper()
	k, err := c.Clip(t.Context(), path)
	fixture.OK(t, err)
	return k
}

// withoutPrograms makes every attempt to run ffmpeg or ffprobe fail.
func withoutPrograms(t *testing.T) { t.Setenv("PATH", t.TempDir()) }

// A gate stands before ffmpeg and ffprobe: it notes each start in a file, and
// holds ffmpeg back until it is opened.
type gate struct{ dir string }

// newGate puts a gate, which is open, before the programs. This process and
// those that it starts go through it.
func newGate(t *testing.T) *gate {
	t.Helper()
	g := &gate{t.TempDir()}
	for _, name := range []string{"ffmpeg", "ffprobe"} {
		real := need.Program(t, name)
		wait := ""
		if name == "ffmpeg" {
			wait = fmt.Sprintf("while [ -e %s/closed ]; do sleep 0.02; done\n", g.dir)
		}
		// Its version is asked for once in each process, and does not count.
		script := fmt.Sprintf("#!/bin/sh\ncase \"$*\" in *-version*) exec %s \"$@\";; esac\necho %s >>%s/started\n%sexec %s \"$@\"\n", real, name, g.dir, wait, real)
		fixture.OK(t, os.WriteFile(filepath.Join(g.dir, name), []byte(script), 0o755))
	}
	t.Setenv("PATH", g.dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	return g
}

func (g *gate) close(t *testing.T) {
	t.Helper()
	fixture.OK(t, os.WriteFile(filepath.Join(g.dir, "closed"), nil, 0o644))
}

func (g *gate) open(t *testing.T) {
	t.Helper()
	fixture.OK(t, os.Remove(filepath.Join(g.dir, "closed")))
}

// started counts the starts of a program.
func (g *gate) started(name string) int {
	text, _ := os.ReadFile(filepath.Join(g.dir, "started"))
	return strings.Count(string(text), name+"\n")
}

// files lists the files in a folder of a cache and below it.
func files(t testing.TB, c *Cache, folder string) (list []string) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(c.dir, folder), func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			list = append(list, path)
		}
		return err
	})
	fixture.OK(t, err)
	slices.Sort(list)
	return list
}
