package fonts

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
)

func TestNamedFont(t *testing.T) {
	for _, c := range [][3]string{
		{"color=black,drawtext=text='a':x=1,drawtext=text=b", "/fonts/A.ttf", "color=black,drawtext=fontfile=/fonts/A.ttf:text='a':x=1,drawtext=fontfile=/fonts/A.ttf:text=b"},
		{"drawtext=text=a", `C:\Fonts\A.ttf`, `drawtext=fontfile=C\\:/Fonts/A.ttf:text=a`},
		{"testsrc2", "/fonts/A.ttf", "testsrc2"},
	} {
		if got := Named(c[0], c[1]); got != c[2] {
			t.Errorf("%q in %s: %q, want %q", c[0], c[1], got, c[2])
		}
	}
}

// TestOddFolder draws with a font in a folder with characters that filters treat as their own.
func TestOddFolder(t *testing.T) {
	data, err := os.ReadFile(Sans(t))
	fixture.OK(t, err)
	path := filepath.Join(t.TempDir(), "it's a:b, [c];d=e", sans)
	fixture.OK(t, os.MkdirAll(filepath.Dir(path), 0o755))
	fixture.OK(t, os.WriteFile(path, data, 0o644))
	picture := func(font string) string {
		cmd := exec.Command("ffmpeg", "-v", "error", "-nostdin", "-f", "lavfi", "-i", Named("color=black:s=160x60,drawtext=text='Words':fontcolor=white:fontsize=30", font),
			"-frames:v", "1", "-f", "md5", "-")
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("ffmpeg with %s: %v", font, err)
		}
		return string(out)
	}
	if got, want := picture(path), picture(Sans(t)); got != want {
		t.Errorf("the picture is %s, with the same font elsewhere %s", got, want)
	}
}

// TestEveryTextNamesItsFont finds tests and scripts that draw text in the default font of the machine.
func TestEveryTextNamesItsFont(t *testing.T) {
	drawing := 0
	err := filepath.WalkDir("../../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if d.Name() == ".git" {
				return fs.SkipDir
			}
			return nil
		}
		goTest, script := strings.HasSuffix(path, "_test.go"), strings.HasSuffix(path, ".sh")
		if !goTest && !script || filepath.Base(path) == "fonts_test.go" {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		text := string(data)
		if !strings.Contains(text, "drawtext=") {
			return nil
		}
		drawing++
		if goTest && !strings.Contains(text, "fonts.Named(") || script && !strings.Contains(text, "fontfile=") {
			t.Errorf("%s draws text in the default font of the machine: name a file, in Go with fonts.Named", strings.TrimPrefix(filepath.ToSlash(path), "../../../"))
		}
		return nil
	})
	fixture.OK(t, err)
	if drawing == 0 {
		t.Error("no file that draws text was found")
	}
}
