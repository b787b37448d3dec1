// Package fonts names the font files that tests draw text with. Without a
// named file, ffmpeg takes the default font of the machine, and a test fails or
// passes by the fonts that are installed.
//
// scripts/programs.sh installs the files of DejaVu. A test that needs text
// fails without them; a test over other fonts uses the installed ones.
package fonts

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope/internal/testing/need"
)

// The font of tests that do not care which it is.
const sans = "DejaVuSans.ttf"

// folders are where systems keep the font files of packages.
var folders = []string{
	"/usr/share/fonts/truetype/*", // Debian, Ubuntu
	"/usr/share/fonts/*",          // Fedora, Arch, Alpine
	"/usr/local/share/fonts/*",
	"~/.local/share/fonts",
	"~/Library/Fonts", // macOS
	"/Library/Fonts",
	`C:\Windows\Fonts`,
}

// Sans returns the path of DejaVu Sans, for a test that has ffmpeg draw with it.
func Sans(t testing.TB) string {
	t.Helper()
	need.FFmpeg(t)
	path := Installed(sans)
	if path == "" {
		t.Fatalf("the font file %s is missing, which tests draw text with: install DejaVu (Debian, Ubuntu: apt-get install fonts-dejavu-core; macOS: brew install font-dejavu)", sans)
	}
	return path
}

// Installed returns the path of the font file of this name, "" if there is
// none.
func Installed(name string) string {
	for _, folder := range folders {
		if rest, ok := strings.CutPrefix(folder, "~"); ok {
			home, err := os.UserHomeDir()
			if err != nil {
				continue
			}
			folder = home + rest
		}
		if found, _ := filepath.Glob(filepath.Join(folder, name)); len(found) > 0 {
			return found[0]
		}
	}
	return ""
}

// Named returns a filter of ffmpeg with a font file named in each of its
// drawtext filters.
func Named(filter, path string) string {
	return strings.ReplaceAll(filter, "drawtext=", "drawtext=fontfile="+escaped(path)+":")
}

// escaped writes a path as the value of an option in a filter graph, which is
// unescaped twice.
func escaped(path string) string {
	path = strings.NewReplacer(`\`, `/`, `:`, `\:`, `'`, `\'`).Replace(path)
	return strings.NewReplacer(`\`, `\\`, `'`, `\'`, `,`, `\,`, `;`, `\;`, `[`, `\[`, `]`, `\]`).Replace(path)
}
