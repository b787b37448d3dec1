package reconstruct

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
)

func TestLedger(t *testing.T) {
	dir := t.TempDir()
	l, err := openLedger(dir)
	fixture.OK(t, err)
	made := &madeVideo{Bytes: 5, SHA256: "ab", Is: measure{Seconds: 4}}
	for _, e := range []event{
		{Job: "a", Event: ordering, Attempt: 1}, {Job: "a", Event: notTaken}, {Job: "a", Event: ordering, Attempt: 1}, {Job: "a", Event: ordered, ID: "v<1>"}, {Job: "a", Event: arrived, Made: made},
		{Job: "b", Event: ordering, Attempt: 1}, {Job: "b", Event: ordered, ID: "v2"}, {Job: "b", Event: ended, Outcome: Failed, Why: "no"},
		{Job: "c", Event: ordering, Attempt: 2},
	} {
		fixture.OK(t, l.Add(e))
	}
	fixture.OK(t, l.Close())
	path := filepath.Join(dir, LedgerFile)
	text, _ := os.ReadFile(path)
	fixture.OK(t, os.WriteFile(path, append(text, `{"job": "c", "event": "orde`...), 0o600))
	check := func(of func(string) JobState) {
		t.Helper()
		a, b, c, d := of("a"), of("b"), of("c"), of("d")
		if a.ID != "v<1>" || a.Ordering || a.Made == nil || *a.Made != *made || b.Outcome != Failed || b.Why != "no" || b.ID != "v2" || !c.Ordering || c.Attempt != 2 || c.ID != "" || d != (JobState{}) {
			t.Errorf("%+v\n%+v\n%+v\n%+v", a, b, c, d)
		}
	}
	peeked, err := PeekLedger(dir)
	fixture.OK(t, err)
	check(func(name string) JobState { return peeked[name] })
	l, err = openLedger(dir)
	fixture.OK(t, err)
	defer l.Close()
	check(l.Of)
	fixture.OK(t, l.Add(event{Job: "d", Event: ordering, Attempt: 1}))
	if after, _ := os.ReadFile(path); string(after) != string(text)+`{"job":"d","event":"ordering","attempt":1}`+"\n" {
		t.Errorf("after the torn line: %q", after[len(text):])
	}
}

// TestDamagedLedger refuses a ledger with a line that cannot be read: what it says may have been paid for.
func TestDamagedLedger(t *testing.T) {
	dir := t.TempDir()
	fixture.OK(t, os.WriteFile(filepath.Join(dir, LedgerFile), []byte("{\"job\":\"a\",\"event\":\"ordering\"}\n\x00\x00\x00\n{\"job\":\"a\",\"event\":\"ordered\"}\n"), 0o600))
	if _, err := openLedger(dir); omniscope.KindOf(err) != omniscope.Invalid || !strings.Contains(err.Error(), LedgerFile+":2:") {
		t.Errorf("%v", err)
	}
}
