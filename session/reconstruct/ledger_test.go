package reconstruct

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope"
)

func TestLedger(t *testing.T) {
	dir := t.TempDir()
	l, err := OpenLedger(dir)
	if err != nil {
		t.Fatal(err)
	}
	made := &Made{Bytes: 5, SHA256: "ab", Is: Measure{Seconds: 4}}
	for _, e := range []Event{
		{Job: "a", Event: Ordering, Attempt: 1}, {Job: "a", Event: NotTaken}, {Job: "a", Event: Ordering, Attempt: 1}, {Job: "a", Event: Ordered, ID: "v<1>"}, {Job: "a", Event: Arrived, Made: made},
		{Job: "b", Event: Ordering, Attempt: 1}, {Job: "b", Event: Ordered, ID: "v2"}, {Job: "b", Event: Ended, Outcome: Failed, Why: "no"},
		{Job: "c", Event: Ordering, Attempt: 2},
	} {
		if err := l.Add(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, LedgerFile)
	text, _ := os.ReadFile(path)
	if err := os.WriteFile(path, append(text, `{"job": "c", "event": "orde`...), 0o600); err != nil {
		t.Fatal(err)
	}
	check := func(of func(string) JobState) {
		t.Helper()
		a, b, c, d := of("a"), of("b"), of("c"), of("d")
		if a.ID != "v<1>" || a.Ordering || a.Made == nil || *a.Made != *made || b.Outcome != Failed || b.Why != "no" || b.ID != "v2" || !c.Ordering || c.Attempt != 2 || c.ID != "" || d != (JobState{}) {
			t.Errorf("%+v\n%+v\n%+v\n%+v", a, b, c, d)
		}
	}
	peeked, err := PeekLedger(dir)
	if err != nil {
		t.Fatal(err)
	}
	check(func(name string) JobState { return peeked[name] })
	if l, err = OpenLedger(dir); err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	check(l.Of)
	if err := l.Add(Event{Job: "d", Event: Ordering, Attempt: 1}); err != nil {
		t.Fatal(err)
	}
	if after, _ := os.ReadFile(path); string(after) != string(text)+`{"job":"d","event":"ordering","attempt":1}`+"\n" {
		t.Errorf("after the torn line: %q", after[len(text):])
	}
}

// TestDamagedLedger refuses a ledger with a line that cannot be read: what it says may have been paid for.
func TestDamagedLedger(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, LedgerFile), []byte("{\"job\":\"a\",\"event\":\"ordering\"}\n\x00\x00\x00\n{\"job\":\"a\",\"event\":\"ordered\"}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenLedger(dir); omniscope.KindOf(err) != omniscope.Invalid || !strings.Contains(err.Error(), LedgerFile+":2:") {
		t.Errorf("%v", err)
	}
}
