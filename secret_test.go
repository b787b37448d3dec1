package omniscope

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

func TestSecretNotPrinted(t *testing.T) {
	const value = "hf_hunter2hunter2"
	s := NewSecret(value)
	encoded, err := json.Marshal(map[string]any{"key": s})
	if err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "key", s)
	inside := struct{ Key Secret }{s}
	for _, text := range []string{fmt.Sprint(s), fmt.Sprintf("%#v %q %x %+v", s, s, s, &inside), string(encoded), log.String(), s.String()} {
		if strings.Contains(text, value) || strings.Contains(text, fmt.Sprintf("%x", value)) || !strings.Contains(text, "secret") {
			t.Errorf("printed as %s", text)
		}
	}
	if s.Reveal() != value || !s.IsSet() || (Secret{}).IsSet() {
		t.Errorf("holds %q", s.Reveal())
	}
}
