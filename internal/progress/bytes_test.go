package progress

import (
	"bytes"
	"strings"
	"testing"
)

func TestProgressOfBytes(t *testing.T) {
	p := StartBytes(&bytes.Buffer{}, false)
	defer p.Stop()
	p.Set("download model.safetensors", 1000, 4_000_000)
	p.Set("download model.safetensors", 1_000_000, 4_000_000)
	if text := p.stage().String(); !strings.HasPrefix(text, "1 MB of 4 MB (25%), ") || !strings.Contains(text, "ETA") {
		t.Error(text)
	}
	p.Set("check model.safetensors", 0, 0)
	if text := p.stage().String(); text != "..." {
		t.Error(text)
	}
}
