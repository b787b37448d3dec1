package main

import (
	"context"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/mockllm"
)

// A lockedBuffer is read while it is written to.
type lockedBuffer struct {
	mu   sync.Mutex
	text strings.Builder
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// TestViewShowsRuns looks at runs that were really made, as a reader does, and ends by
// Ctrl-C.
func TestViewShowsRuns(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, 4)
	server := serve(t, mockllm.Config{})
	tr.eval(server.URL()).must(t, exitDone)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var out, errOut lockedBuffer
	done := make(chan int, 1)
	go func() { done <- execute(ctx, []string{"view", tr.dir, "--listen", "127.0.0.1:0"}, &out, &errOut) }()
	address := ""
	for range 500 {
		if address = regexp.MustCompile(`http://[0-9.:]+/`).FindString(out.String()); address != "" {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	get := func(path string) string {
		resp, err := http.Get(strings.TrimSuffix(address, "/") + path)
		fixture.OK(t, err)
		defer resp.Body.Close()
		page, _ := io.ReadAll(resp.Body)
		return string(page)
	}
	list := get("/")
	run := regexp.MustCompile(`/run/[^"]*`).FindString(list)
	if run == "" || !strings.Contains(list, "openai/mock") {
		t.Fatalf("the run is not listed: %s", list)
	}
	sample := strings.ReplaceAll(regexp.MustCompile(`/case/[^"]*`).FindString(get(run)), "&amp;", "&")
	has(t, get(sample), "Passage", "Reply", "user: ")
	cancel()
	if code := <-done; code != exitDone || errOut.String() != "" {
		t.Errorf("at the end: exit code %d, %s", code, errOut.String())
	}
}

func TestViewOfNoFolder(t *testing.T) {
	// Not a relative path: the links of its folders are followed, and a cached result of
	// these tests would depend on when the module's root was changed.
	code, _, errOut := command(t.Context(), "view", filepath.Join(t.TempDir(), "nowhere"))
	if code != exitFailed || !strings.Contains(errOut, "nowhere: no such folder") {
		t.Errorf("exit code %d: %s", code, errOut)
	}
}
