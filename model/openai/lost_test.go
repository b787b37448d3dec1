package openai

import (
	"net"
	"net/http"
	"testing"
	"time"

	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
	"omniscope/model"
	"omniscope/model/exchange"
)

// TestPossiblyPaidTries asks servers that fail.
func TestPossiblyPaidTries(t *testing.T) {
	statuses := map[int]bool{
		301: false, 400: false, 401: false, 403: false, 404: false, 408: true, 409: false, 413: false, 422: false, 429: false,
		500: false, 502: false, 503: false, 504: true, 520: true, 522: false, 524: true, 529: false,
	}
	for status, want := range statuses {
		_, err := ask(t, answering(t, status, nil, said("no", "", "")))
		if got := model.LostIn(err).Tries == 1; got != want || err == nil {
			t.Errorf("%d: may be charged: %v, want %v", status, got, want)
		}
	}
	for body, want := range map[string]bool{
		``: true, `<p>`: true, `{"choices":[]}`: true, `{"error":{"message":"oh"}}`: true, `{"error":{"message":"oh","code":429}}`: false,
		`{"error":{"message":"oh","code":504}}`: true, `{"error":{"message":"oh","code":502}}`: true, `{"error":{"message":"oh","code":400}}`: false, `{"choices":[{"message":{"content":7}}]}`: true, completion("a")[:50]: true,
	} {
		_, err := ask(t, answering(t, 200, nil, body))
		if got := model.LostIn(err).Tries == 1; got != want || err == nil {
			t.Errorf("%s: may be charged: %v, want %v", body, got, want)
		}
	}
	for name, do := range map[string]fake.Effect{
		"reset": fake.Reset(0), "cut": fake.CutBody(50), "silent": fake.Delayed(time.Hour), "huge": fake.Huge(11 << 20), "page": fake.HTMLPage(),
	} {
		m := against(t, fake.Config{Faults: []fake.Fault{{When: fake.Always(), Do: do}}}, Options{Options: exchange.Options{Timeout: 500 * time.Millisecond}})
		if _, err := ask(t, m); model.LostIn(err).Tries != 1 {
			t.Errorf("%s: %v says that nothing may be charged", name, err)
		}
	}
}

func TestUnsentTriesNotLost(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	fixture.OK(t, err)
	defer l.Close()
	secure := mustNew(t, Options{Options: exchange.Options{BaseURL: "https://" + l.Addr().String() + "/v1", Timeout: 100 * time.Millisecond}}) // its handshake is never answered
	unknown := mustNew(t, Options{Options: exchange.Options{BaseURL: "http://host.invalid/v1", Timeout: time.Second}})
	refusing := answering(t, http.StatusOK, nil, "")
	closed := mustNew(t, Options{Options: exchange.Options{BaseURL: "http://127.0.0.1:1/v1"}})
	for name, m := range map[string]*Model{"a handshake": secure, "no such host": unknown, "refused": closed} {
		if _, err := ask(t, m); err == nil || model.LostIn(err).Tries != 0 {
			t.Errorf("%s: %v says that something may be charged", name, err)
		}
	}
	if _, err := ask(t, refusing); model.LostIn(err).Tries != 1 {
		t.Errorf("an empty answer: %v", err)
	}
}
