package caption

import (
	"strings"
	"testing"
)

// TestClipNamesDiffer also on file systems without capitals.
func TestClipNamesDiffer(t *testing.T) {
	seen := make(map[string]bool)
	for _, name := range ClipNames([]string{"a/视频一.mp4", "视频二.mp4", "b/视频一.mp4", "Clip.mp4", "clip.mp4", "clip.webm", "clip-2.mp4", "É.mp4", "é.mp4"}) {
		if seen[strings.ToLower(name)] {
			t.Errorf("%q is there twice", name)
		}
		seen[strings.ToLower(name)] = true
	}
	if !seen["视频一"] || !seen["视频二"] || !seen["clip"] {
		t.Error(seen)
	}
}
