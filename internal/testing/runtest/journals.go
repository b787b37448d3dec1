package runtest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/run"
)

// Journals checks that the journals open returns keep what run.Journal
// promises. A journal that is an io.Closer is taken to be durable: it is
// closed, opened again in the same folder, and must remember. Others may
// ignore dir. open arranges for what is left to be closed after the test.
func Journals(t *testing.T, open func(t *testing.T, dir string) run.Journal) {
	for _, c := range []struct {
		name  string
		check func(*testing.T, run.Journal)
	}{
		{"an entry is found again, complete", entryIsFoundWhole},
		{"an entry may be almost empty", entryMayBeAlmostEmpty},
		{"only OK entries are found", onlyOKIsFound},
		{"a source limits the found entries", sourceLimits},
		{"the newest of equal answers is found", newestIsFound},
		{"similar keys are distinguished", keysAreToldApart},
		{"a large result is kept", largeResultIsKept},
		{"1,000 appends at once are all found", concurrentAppends},
		{"an append outlives its context", appendOutlivesContext},
	} {
		t.Run(c.name, func(t *testing.T) { c.check(t, open(t, t.TempDir())) })
	}
	t.Run("appended entries survive", func(t *testing.T) { survivesReopening(t, open) })
}

func entryIsFoundWhole(t *testing.T, j run.Journal) {
	e := answer("whole", "a")
	mustAppend(t, j, e)
	mustFind(t, j, e.Key, "", e)
	mustFind(t, j, keyOf("never asked"), "", nil)
}

func entryMayBeAlmostEmpty(t *testing.T, j run.Journal) {
	for i, result := range [][]byte{nil, {}} {
		e := &run.Entry{Key: keyOf(fmt.Sprint("empty", i)), Outcome: omniscope.OK, Result: result, Started: time.UnixMicro(1)}
		mustAppend(t, j, e)
		mustFind(t, j, e.Key, "", e)
	}
}

func onlyOKIsFound(t *testing.T, j run.Journal) {
	for _, outcome := range omniscope.Outcomes {
		if outcome == omniscope.OK {
			continue
		}
		e := answer("not usable", "a")
		e.Outcome = outcome
		mustAppend(t, j, e)
		mustFind(t, j, e.Key, "", nil)
	}
	e := answer("not usable", "a")
	mustAppend(t, j, e)
	mustFind(t, j, e.Key, "", e)
}

func sourceLimits(t *testing.T, j run.Journal) {
	b, a := answer("two sources", "b"), answer("two sources", "a")
	b.Result, a.Result = []byte(`"from b"`), []byte(`"from a"`)
	mustAppend(t, j, b)
	mustFind(t, j, b.Key, "a", nil)
	mustAppend(t, j, a)
	mustFind(t, j, b.Key, "a", a)
	mustFind(t, j, b.Key, "b", b)
	mustFind(t, j, b.Key, "", a) // the newest
	mustFind(t, j, b.Key, "c", nil)
}

func newestIsFound(t *testing.T, j run.Journal) {
	first, second := answer("twice", "a"), answer("twice", "a")
	second.Result = []byte(`"another"`)
	mustAppend(t, j, first)
	mustAppend(t, j, second)
	mustFind(t, j, first.Key, "", second)
}

func keysAreToldApart(t *testing.T, j run.Journal) {
	base := keyOf("alike")
	mustAppend(t, j, &run.Entry{Key: base, Source: "a", Outcome: omniscope.OK, Result: []byte(`0`), Started: time.UnixMicro(1)})
	for i := range base {
		key := base
		key[i] ^= 1
		mustFind(t, j, key, "", nil)
	}
}

func largeResultIsKept(t *testing.T, j run.Journal) {
	e := answer("large", "a")
	e.Request, e.Result = bytes.Repeat([]byte("request "), 1<<20), bytes.Repeat([]byte("result, "), 12<<17)
	mustAppend(t, j, e)
	mustFind(t, j, e.Key, "", e)
	after := answer("after the large one", "a")
	mustAppend(t, j, after)
	mustFind(t, j, after.Key, "", after)
}

func concurrentAppends(t *testing.T, j run.Journal) {
	var appends sync.WaitGroup
	for i := range 1000 {
		appends.Go(func() {
			e := answer(fmt.Sprint("at once ", i), "a")
			if err := j.Append(t.Context(), e); err != nil {
				t.Error(err)
			}
			if found, err := j.Lookup(t.Context(), e.Key, ""); err != nil || found == nil {
				t.Errorf("entry %d is not found after its append: %v", i, err)
			}
		})
	}
	appends.Wait()
	for i := range 1000 {
		e := answer(fmt.Sprint("at once ", i), "a")
		mustFind(t, j, e.Key, "", e)
	}
}

func appendOutlivesContext(t *testing.T, j run.Journal) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	e := answer("late", "a")
	fixture.OK(t, j.Append(ctx, e))
	mustFind(t, j, e.Key, "", e)
}

func survivesReopening(t *testing.T, open func(*testing.T, string) run.Journal) {
	dir := t.TempDir()
	j := open(t, dir)
	durable, ok := j.(io.Closer)
	if !ok {
		t.Skip("the journal does not claim to be durable")
	}
	for round := range 3 {
		for earlier := range round {
			e := answer(fmt.Sprint("round ", earlier), "a")
			mustFind(t, j, e.Key, "", e)
		}
		mustAppend(t, j, answer(fmt.Sprint("round ", round), "a"))
		fixture.OK(t, durable.Close())
		j = open(t, dir)
		durable = j.(io.Closer)
	}
}

// answer makes an OK entry with all fields set.
func answer(name, source string) *run.Entry {
	return &run.Entry{
		Key: keyOf(name), Step: "step/" + name, Attempt: 2, Kind: "model", Source: source, Outcome: omniscope.OK,
		Request: []byte(`{"ask":"` + name + `"}`), Result: []byte(`{"answer":"` + name + `"}`),
		Started: time.Date(2026, 7, 8, 9, 10, 11, 12000, time.UTC),
	}
}

func keyOf(name string) run.Key {
	sum := sha256.Sum256([]byte(name))
	return run.Key(sum[:len(run.Key{})])
}

func mustAppend(t *testing.T, j run.Journal, e *run.Entry) {
	t.Helper()
	fixture.OK(t, j.Append(t.Context(), e))
}

// mustFind checks what is found under key; the request's text, which a journal
// need not give back, is not compared.
func mustFind(t *testing.T, j run.Journal, key run.Key, source string, want *run.Entry) {
	t.Helper()
	got, err := j.Lookup(t.Context(), key, source)
	fixture.OK(t, err)
	if want == nil || got == nil {
		if got != want {
			t.Fatalf("Lookup(%s, %q) = %v, want %v", key, source, got, want)
		}
		return
	}
	g, w := *got, *want
	g.Request, w.Request = nil, nil
	if !bytes.Equal(g.Result, w.Result) {
		t.Errorf("Lookup(%s, %q) has a result of %d bytes, want the %d bytes appended", key, source, len(g.Result), len(w.Result))
	}
	g.Result, w.Result = nil, nil
	if !g.Started.Equal(w.Started) {
		t.Errorf("started %s, want %s", g.Started, w.Started)
	}
	g.Started, w.Started = time.Time{}, time.Time{}
	if diff := cmp.Diff(w, g); diff != "" {
		t.Errorf("Lookup(%s, %q) differs (-want +got):\n%s", key, source, diff)
	}
}
