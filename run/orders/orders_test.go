package orders_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/run/orders"
)

// A video is the result of an order.
type video struct {
	Bytes int64 `json:"bytes"`
}

// taken is a server that accepts an order and gives it an id.
func taken(id string) func(string) (string, error) {
	return func(string) (string, error) { return id, nil }
}

// refused is a server that replies to an order with an error.
func refused(err error) func(string) (string, error) {
	return func(string) (string, error) { return "", err }
}

var errBusy = errors.New("busy")

func open(t *testing.T, path string) *orders.Ledger[video] {
	t.Helper()
	l, err := orders.Open[video](path)
	fixture.OK(t, err)
	t.Cleanup(func() { l.Close() })
	return l
}

func TestLedgerIsReadBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "jobs.jsonl")
	l := open(t, path)
	if _, err := l.Place("a", 1, "https://s", refused(errBusy)); !errors.Is(err, errBusy) {
		t.Errorf("an order that was not taken: %v", err)
	}
	for name, id := range map[string]string{"a": "v<1>", "b": "v2"} {
		if got, err := l.Place(name, 1, "https://s", taken(id)); err != nil || got != id {
			t.Fatalf("%s: %q, %v", name, got, err)
		}
	}
	fixture.OK(t, l.Arrive("a", video{5}))
	fixture.OK(t, l.End("b", "failed", "no"))
	if _, err := l.Place("c", 2, "https://s", refused(&orders.UncertainError{Err: errBusy})); !errors.Is(err, errBusy) {
		t.Errorf("an order without a reply: %v", err)
	}
	fixture.OK(t, l.Close())
	text, err := os.ReadFile(path)
	fixture.OK(t, err)
	fixture.OK(t, os.WriteFile(path, append(text, `{"job": "c", "event": "orde`...), 0o600))
	check := func(of func(string) orders.State[video]) {
		t.Helper()
		a, b, c, d := of("a"), of("b"), of("c"), of("d")
		if a.ID != "v<1>" || a.Server != "https://s" || a.Uncertain || a.Brought == nil || a.Brought.Bytes != 5 || a.Paid() != 1 {
			t.Errorf("a: %+v", a)
		}
		if b.ID != "v2" || b.Outcome != "failed" || b.Why != "no" || b.Paid() != 1 {
			t.Errorf("b: %+v", b)
		}
		if !c.Uncertain || c.Attempt != 2 || c.ID != "" || c.Paid() != 1 {
			t.Errorf("c: %+v", c)
		}
		if d != (orders.State[video]{}) {
			t.Errorf("d: %+v", d)
		}
	}
	peeked, err := orders.Peek[video](path)
	fixture.OK(t, err)
	check(func(name string) orders.State[video] { return peeked[name] })
	l = open(t, path)
	check(l.Of)
	if _, err := l.Place("d", 1, "", taken("v4")); err != nil {
		t.Fatal(err)
	}
	after, err := os.ReadFile(path)
	fixture.OK(t, err)
	if want := string(text) + `{"job":"d","event":"ordering","attempt":1}` + "\n" + `{"job":"d","event":"ordered","id":"v4"}` + "\n"; string(after) != want {
		t.Errorf("behind the line that a killed process left: %q", after[len(text):])
	}
}

// TestKeysOfOrders: the same attempt has the same key in every process, another attempt another one.
func TestKeysOfOrders(t *testing.T) {
	var keys []string
	send := func(key string) (string, error) {
		keys = append(keys, key)
		return "", errBusy
	}
	for range 2 {
		l := open(t, filepath.Join(t.TempDir(), "jobs.jsonl"))
		for _, attempt := range []int{1, 1, 2} {
			if _, err := l.Place("a", attempt, "", send); !errors.Is(err, errBusy) {
				t.Fatal(err)
			}
		}
	}
	if got := strings.Join(keys, " "); got != "omniscope-a-1 omniscope-a-1 omniscope-a-2 omniscope-a-1 omniscope-a-1 omniscope-a-2" {
		t.Errorf("the keys are %s", got)
	}
}

// TestOrderIsWrittenBeforeItIsSent checks that the ledger has an order while it is being sent.
func TestOrderIsWrittenBeforeItIsSent(t *testing.T) {
	path := filepath.Join(t.TempDir(), "jobs.jsonl")
	l := open(t, path)
	_, err := l.Place("a", 1, "", func(string) (string, error) {
		there, err := orders.Peek[video](path)
		if err != nil || !there["a"].Uncertain {
			t.Errorf("while it is sent the order is %+v, %v", there["a"], err)
		}
		return "v1", nil
	})
	fixture.OK(t, err)
}

// TestNothingIsOrderedWithoutALedger checks that an order that cannot be recorded is not sent, and that the id of an accepted order is
// returned with the error.
func TestNothingIsOrderedWithoutALedger(t *testing.T) {
	l := open(t, filepath.Join(t.TempDir(), "jobs.jsonl"))
	id, err := l.Place("a", 1, "", func(string) (string, error) {
		fixture.OK(t, l.Close()) // as a disk that is gone
		return "v1", nil
	})
	if _, ok := errors.AsType[*orders.LedgerError](err); !ok || id != "v1" {
		t.Errorf("an order that was taken and cannot be noted: %q, %v", id, err)
	}
	_, err = l.Place("b", 1, "", func(string) (string, error) {
		t.Error("it was sent")
		return "", nil
	})
	if _, ok := errors.AsType[*orders.LedgerError](err); !ok {
		t.Errorf("an order that cannot be noted: %v", err)
	}
}

// TestDamagedLedgerIsRefused: a line that cannot be parsed may record a paid order.
func TestDamagedLedgerIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "jobs.jsonl")
	fixture.OK(t, os.WriteFile(path, []byte("{\"job\":\"a\",\"event\":\"ordering\"}\n\x00\x00\x00\n{\"job\":\"a\",\"event\":\"ordered\"}\n"), 0o600))
	if _, err := orders.Open[video](path); omniscope.KindOf(err) != omniscope.Invalid || !strings.Contains(err.Error(), "jobs.jsonl:2:") {
		t.Errorf("%v", err)
	}
}
