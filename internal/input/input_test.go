package input

import (
	"context"
	"errors"
	"strings"
	"testing"
	"unicode/utf16"

	"omniscope/internal/sha256hex"
	"omniscope/internal/testing/fixture"
)

func wide(text string, big bool) string {
	var b strings.Builder
	for _, u := range utf16.Encode([]rune("\ufeff" + text)) {
		lo, hi := byte(u), byte(u>>8)
		if big {
			lo, hi = hi, lo
		}
		b.Write([]byte{lo, hi})
	}
	return b.String()
}

// The text is the same however it is stored, and the digest is that of the bytes.
func TestTextFormats(t *testing.T) {
	const text = "{\"a\": \"é 😀\"}\nlast"
	for name, stored := range map[string]string{
		"plain": text, "marked": "\ufeff" + text, "packed": fixture.Gzip(text), "packed twice over": fixture.Gzip(text[:5]) + fixture.Gzip(text[5:]),
		"little-endian": wide(text, false), "big-endian": wide(text, true), "wide and packed": fixture.Gzip(wide(text, true)),
	} {
		t.Run(name, func(t *testing.T) {
			got, digest, err := ReadFile(t.Context(), fixture.File(t, "x", stored), Texts)
			if err != nil || string(got) != text {
				t.Errorf("got %q, %v", got, err)
			}
			if want := sha256hex.Of(stored); digest != want {
				t.Errorf("digest %s, want %s", digest, want)
			}
		})
	}
}

// Reading ends with the context, even of a file that is open.
func TestReadingEndsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	f, err := Open(ctx, fixture.File(t, "x", "a\n"), Texts)
	fixture.OK(t, err)
	defer f.Close()
	cancel()
	if _, err := f.ReadAll(); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestSizesAsFlags(t *testing.T) {
	for text, want := range map[string]Bytes{"4096": 4096, "300MB": 300e6, "2GiB": 2 << 30, " 1.5 kib": 1536, "7 B": 7} {
		var b Bytes
		if err := b.Set(text); err != nil || b != want {
			t.Errorf("%q: got %d, %v", text, b, err)
		}
	}
	for _, text := range []string{"", "much", "-1", "0", "1e40TB", "NaN", "3 bananas"} {
		if new(Bytes).Set(text) == nil {
			t.Errorf("%q was taken", text)
		}
	}
}
