package push

import (
	"os"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/outfile"
	"omniscope/internal/testing/fixture"
)

// TestKeysInNames: of a file, of a folder in the source, and of the source itself, which becomes a part of the names.
func TestKeysInNames(t *testing.T) {
	key := "hf_" + strings.Repeat("aB3", 12)
	for _, c := range []struct{ source, file string }{{"preds", key + ".txt"}, {"preds", key + "/a.txt"}, {key, "a.txt"}} {
		t.Chdir(t.TempDir())
		made(t, c.source, map[string]string{c.file: "x"})
		if p := plan(t, options(t, c.source)); len(p.Refused) != 1 || !strings.Contains(p.Refused[0].Why, "its name") || strings.Contains(p.Refused[0].File, "aB3") {
			t.Errorf("%+v: %+v", c, p.Refused)
		}
	}
}

// TestKeysInFlags: the card and the commit have texts of the command line.
func TestKeysInFlags(t *testing.T) {
	t.Chdir(t.TempDir())
	made(t, "preds", map[string]string{"a.txt": "x"})
	for flag, set := range map[string]func(o *Options){
		"--title":   func(o *Options) { o.Title = "of " + ownKey },
		"--license": func(o *Options) { o.License = ownKey },
		"--message": func(o *Options) { o.Message = ownKey },
	} {
		o := options(t, "preds")
		set(&o)
		if _, err := Make(t.Context(), o); err == nil || !strings.HasPrefix(err.Error(), flag+" cannot leave") || strings.Contains(err.Error(), "horse") {
			t.Errorf("%s: %v", flag, err)
		}
	}
}

func TestControlCharactersInNames(t *testing.T) {
	t.Chdir(t.TempDir())
	made(t, "preds", map[string]string{"a\nb.jsonl": "{}\n"})
	if p := plan(t, options(t, "preds")); len(p.Refused) != 1 || !strings.Contains(p.Refused[0].Why, "control character: rename it") {
		t.Errorf("%+v", p.Refused)
	}
}

// TestNamedFilesAreLeftOut: hidden files and those of --leave-out, although they are named as sources.
func TestNamedFilesAreLeftOut(t *testing.T) {
	t.Chdir(t.TempDir())
	made(t, ".", map[string]string{".env": "PIN=1234\n", "draft.jsonl": "{}\n", "a.jsonl": "{}\n"})
	o := options(t, ".env", "draft.jsonl", "a.jsonl")
	o.LeaveOut, o.NoCard = []string{"draft*"}, true
	if p := plan(t, o); len(p.Files) != 1 || p.Files[0].Name != "predictions/a.jsonl" || len(p.LeftOut) != 2 {
		t.Errorf("%+v, left out %+v", p.Files, p.LeftOut)
	}
	o.Sources = []string{".env"}
	if _, err := Make(t.Context(), o); err == nil || !strings.Contains(err.Error(), "nothing to push") {
		t.Errorf("%v", err)
	}
}

// TestOwnKeyWithALineEnd: variables that were filled from files often have one, which what is pushed does not.
func TestOwnKeyWithALineEnd(t *testing.T) {
	t.Chdir(t.TempDir())
	made(t, "preds", map[string]string{"a.txt": "x " + ownKey + " y"})
	o := options(t, "preds")
	o.Secrets = []Secret{{Name: "MY_API_KEY", Value: omniscope.NewSecret(ownKey + "\n")}}
	if p := plan(t, o); len(p.Refused) != 1 {
		t.Errorf("%+v", p.Refused)
	}
}

func TestTwoPushesAtOnce(t *testing.T) {
	t.Chdir(t.TempDir())
	made(t, "preds", map[string]string{"a.txt": "x"})
	fixture.OK(t, os.Mkdir("shared", 0o755))
	unlock, err := outfile.LockFolder("shared")
	fixture.OK(t, err)
	p := plan(t, options(t, "preds"))
	if _, err := Folder("shared").Push(t.Context(), p, ""); err == nil || !strings.Contains(err.Error(), "another push") || strings.Contains(err.Error(), "--out") {
		t.Errorf("%v", err)
	}
	fixture.OK(t, unlock())
	if _, err := Folder("shared").Push(t.Context(), p, ""); err != nil {
		t.Error(err)
	}
}

func TestFolderWithinASource(t *testing.T) {
	t.Chdir(t.TempDir())
	made(t, "preds", map[string]string{"a.txt": "x"})
	for _, to := range []string{"preds/shared", "preds"} {
		if _, _, err := Folder(to).Compare(t.Context(), plan(t, options(t, "preds"))); err == nil || !strings.Contains(err.Error(), "pushed into itself") {
			t.Errorf("%s: %v", to, err)
		}
	}
	if _, _, err := Folder("shared").Compare(t.Context(), plan(t, options(t, "preds"))); err != nil {
		t.Error(err)
	}
}
