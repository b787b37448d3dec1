package runtest_test

import (
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/runtest"
	"omniscope/run"
)

func TestMemory(t *testing.T) {
	runtest.Journals(t, func(*testing.T, string) run.Journal { return runtest.NewMemory() })
}

func TestMemoryReturnsCopies(t *testing.T) {
	m := runtest.NewMemory()
	fixture.OK(t, m.Append(t.Context(), &run.Entry{Step: "one", Request: []byte("ask"), Result: []byte("answer")}))
	m.Entries()[0].Result[0] = 'A'
	if got := string(m.Entries()[0].Result); got != "answer" {
		t.Errorf("the journal's own result became %q", got)
	}
}
