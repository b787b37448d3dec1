package annotate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
)

// folders makes a library of folders with files, named like a/clips/x.mp4; a is the declared folder.
func folders(t *testing.T, files ...string) *library {
	t.Helper()
	dir := t.TempDir()
	l := &library{leave: filepath.Join(dir, "a", "votes", "prepared")}
	for _, name := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		fixture.OK(t, os.MkdirAll(filepath.Dir(path), 0o755))
		fixture.OK(t, os.WriteFile(path, []byte(name), 0o600))
	}
	for _, name := range []string{"a", "b"} {
		path := filepath.Join(dir, name)
		fixture.OK(t, os.MkdirAll(path, 0o755))
		opened, err := os.OpenRoot(path)
		fixture.OK(t, err)
		t.Cleanup(func() { opened.Close() })
		l.roots = append(l.roots, root{opened, path})
	}
	return l
}

// TestFindClips names clips as the kinds of projects do: by path, by a path below the folder or from
// elsewhere, by the name of the file, and without an ending.
func TestFindClips(t *testing.T) {
	for name, c := range map[string]struct {
		files string
		clip  string
		want  string // "" = not found
		alike int    // others that fit as well
	}{
		"as it is named":                      {"a/clips/x.mp4 a/x.mp4", "clips/x.mp4", "a/clips/x.mp4", 0},
		"with a dot":                          {"a/clips/x.mp4", "./clips/x.mp4", "a/clips/x.mp4", 0},
		"from the folder above":               {"a/x.mp4", "a/x.mp4", "a/x.mp4", 0},
		"from another folder":                 {"a/x.mp4", "videos/x.mp4", "a/x.mp4", 0},
		"from above":                          {"a/x.mp4", "../videos/x.mp4", "a/x.mp4", 0},
		"from another system":                 {"a/clips/x.mp4 a/other/x.mp4", `D:\data\clips\x.mp4`, "a/clips/x.mp4", 0},
		"deep below":                          {"a/one/two/three/x.mp4", "x.mp4", "a/one/two/three/x.mp4", 0},
		"without ending, deep":                {"a/one/two/x.mkv", "x", "a/one/two/x.mkv", 0},
		"film before sound in one folder":     {"a/x.wav a/x.mp4", "x", "a/x.mp4", 1},
		"film before sound in another folder": {"a/x.wav a/clips/x.mp4", "x", "a/clips/x.mp4", 1},
		"sound alone":                         {"a/deep/x.wav", "x", "a/deep/x.wav", 0},
		"by the folder that is named":         {"a/train/x.mp4 a/test/x.mp4", "test/x", "a/test/x.mp4", 0},
		"several, the one at the top":         {"a/deep/x.mp4 a/x.mp4 b/x.mp4", "x.mp4", "a/x.mp4", 2},
		"several, by the order of folders":    {"b/x.mp4 a/x.mp4", "x.mp4", "a/x.mp4", 1},
		"in the second folder":                {"b/deep/x.mp4", "x.mp4", "b/deep/x.mp4", 0},
		"capitals in the ending":              {"a/x.MP4", "x", "a/x.MP4", 0},
		"a name with a dot":                   {"a/talk.en.mp4", "talk.en", "a/talk.en.mp4", 0},
		"no media ending":                     {"a/x", "x", "a/x", 0},
		"the very name before an ending":      {"a/x a/x.mp4", "x", "a/x", 0},
		"a sound for a film":                  {"a/x.wav", "x.mp4", "", 0},
		"a film of another name":              {"a/xy.mp4 a/y.mp4", "x", "", 0},
		"what was made of clips":              {"a/votes/prepared/1234/x.mp4", "x.mp4", "", 0},
		"hidden":                              {"a/.trash/x.mp4 a/._x.mp4", "x.mp4", "", 0},
		"outside":                             {"c/x.mp4", "../c/x.mp4", "", 0},
		"uploaded to Label Studio":            {"a/x.mp4", "upload/12/1a2b3c4d-x.mp4", "a/x.mp4", 0},
		"uploaded, and kept as it was":        {"a/x.mp4 a/1a2b3c4d-x.mp4", "upload/12/1a2b3c4d-x.mp4", "a/1a2b3c4d-x.mp4", 0},
		"from an address":                     {"a/x.mp4 a/x%y.mp4", "x%25y.mp4", "a/x%y.mp4", 0},
		"a name with a per cent sign":         {"a/x%25y.mp4 a/x%y.mp4", "x%25y.mp4", "a/x%25y.mp4", 0},
		"not uploaded":                        {"a/x.mp4", "1a2b3c4d-x.mp4", "", 0},
		"no name":                             {"a/x.mp4", "..", "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			l := folders(t, strings.Fields(c.files)...)
			found, alike, err := l.find(c.clip)
			got := ""
			if err == nil {
				text, readErr := os.ReadFile(l.place(found[0]))
				if readErr != nil {
					t.Fatal(readErr)
				}
				got, alike = string(text), alike-1
			}
			if got != c.want || alike != c.alike || (err == nil) != (c.want != "") || err != nil && omniscope.KindOf(err) != omniscope.NotFound {
				t.Errorf("%s is %q with %d alike (%v), want %q with %d", c.clip, got, alike, err, c.want, c.alike)
			}
		})
	}
}

func TestFindClipsByAbsolutePath(t *testing.T) {
	l := folders(t, "a/clips/x.mp4", "c/x.mp4")
	for _, dir := range []string{"a/clips", "c"} {
		path := filepath.Join(filepath.Dir(l.roots[0].path), filepath.FromSlash(dir), "x.mp4")
		if found, _, err := l.find(path); err != nil || l.place(found[0]) != filepath.Join(l.roots[0].path, "clips", "x.mp4") {
			t.Errorf("%s: %v %v", path, found, err)
		}
	}
}

// TestLinksThatLeadOut has links to a file and to a folder outside, and one to a file inside.
func TestLinksThatLeadOut(t *testing.T) {
	l := folders(t, "a/clips/inside.mp4", "c/outside.mp4")
	a := l.roots[0].path
	for from, to := range map[string]string{"link.mp4": "../c/outside.mp4", "folder": "../c", "good.mp4": "clips/inside.mp4"} {
		if err := os.Symlink(to, filepath.Join(a, from)); err != nil {
			t.Skip(err)
		}
	}
	for _, name := range []string{"link.mp4", "link", "outside.mp4", "folder/outside.mp4"} {
		if found, _, err := l.find(name); err == nil {
			t.Errorf("%s is %v", name, found)
		}
	}
	if _, _, err := l.find("good.mp4"); err != nil {
		t.Error(err)
	}
}

// TestFilesThatComeLater adds a file after the folders were listed.
func TestFilesThatComeLater(t *testing.T) {
	l := folders(t, "a/deep/x.mp4")
	if _, _, err := l.find("y.mp4"); err == nil {
		t.Fatal("it is there already")
	}
	fixture.OK(t, os.Rename(filepath.Join(l.roots[0].path, "deep", "x.mp4"), filepath.Join(l.roots[0].path, "deep", "y.mp4")))
	if found, _, err := l.find("x.mp4"); err == nil {
		t.Errorf("what has gone is %v", found)
	}
	l.listed = l.listed.Add(-2 * relist)
	if _, _, err := l.find("y.mp4"); err != nil {
		t.Error(err)
	}
}
