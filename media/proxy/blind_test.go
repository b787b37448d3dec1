package proxy

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
)

// TestNothingSaysWhoseItIs makes what pages need of a film whose file says by which system and from which
// prompt it was made, as generators write it. Who watches the film gets files that say neither.
func TestNothingSaysWhoseItIs(t *testing.T) {
	chapters := filepath.Join(t.TempDir(), "chapters.txt")
	if err := os.WriteFile(chapters, []byte(";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=500\ntitle=SECRET-chapter\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	path := clips.Made(t, "SECRET-name.mp4", "-f lavfi -i testsrc2=s=160x120:r=10:d=1 -f lavfi -i sine=d=1 -i "+chapters+" -map 0 -map 1 -map_chapters 2 -metadata title=SECRET-title -metadata comment=SECRET-prompt"+
		" -metadata:s:v handler_name=SECRET-picture -metadata:s:a handler_name=SECRET-sound -movflags use_metadata_tags -metadata workflow=SECRET-workflow")
	if text, err := os.ReadFile(path); err != nil || bytes.Count(text, []byte("SECRET")) < 5 {
		t.Fatalf("the film does not say whose it is: %v", err)
	}
	p := prepared(t, path, t.TempDir(), Options{Muted: true})
	for _, name := range []string{p.Player(), MutedFile, TimesFile, PeaksFile} {
		text, err := os.ReadFile(p.Path(name))
		fixture.OK(t, err)
		if at := bytes.Index(text, []byte("SECRET")); at >= 0 {
			t.Errorf("%s has %q", name, strings.ToValidUTF8(string(text[at:at+14]), "?"))
		}
	}
}
