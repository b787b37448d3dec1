package judge_test

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"omniscope"
	"omniscope/model/judge"
)

func TestFill(t *testing.T) {
	pairs := []string{"a", "1", "ab", "{a} {b}", "b", "", "x y", "spaced"}
	for _, c := range []struct{ name, template, want string }{
		{"nothing to fill", "plain", "plain"},
		{"empty", "", ""},
		{"one", "<{a}>", "<1>"},
		{"twice", "{a}{a}", "11"},
		{"an empty value", "[{b}]", "[]"},
		{"a value's braces are left alone", "{ab}{a}", "{a} {b}1"},
		{"a name that begins another", "{a}|{ab}", "1|{a} {b}"},
		{"a name with a blank", "{x y}", "spaced"},
		{"unknown ones stay", "{c} {A} { a } {}", "{c} {A} { a } {}"},
		{"JSON stays", `{"a": {"b": "{a}"}}`, `{"a": {"b": "1"}}`},
		{"braces that are not closed", "{ {a {a} }", "{ {a 1 }"},
		{"doubled braces", "{{a}}", "{1}"},
		{"a brace at the end", "x{", "x{"},
		{"a name cut off at the end", "x{a", "x{a"},
	} {
		p := judge.Prompt{Text: c.template}
		if got := p.Fill(pairs...); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestPromptsOfAFolderReplaceTheBuiltInOnes(t *testing.T) {
	builtin := fstest.MapFS{"a.txt": {Data: []byte("built in a")}, "b.txt": {Data: []byte("built in b")}}
	folder := fstest.MapFS{"a.txt": {Data: []byte("mine")}, "sub/b.txt": {Data: []byte("x")}}
	for _, c := range []struct {
		name   string
		folder fs.FS
		file   string
		text   string
		from   string
	}{
		{"no folder", nil, "a.txt", "built in a", "built in"},
		{"in the folder", folder, "a.txt", "mine", "./mine"},
		{"not in the folder", folder, "b.txt", "built in b", "built in"},
	} {
		p, err := judge.LoadPrompt(builtin, c.folder, "./mine", c.file)
		if err != nil || p.Text != c.text || p.From != c.from || p.Name != c.file {
			t.Errorf("%s: got %+v, %v", c.name, p, err)
		}
	}
}

func TestUnreadablePrompts(t *testing.T) {
	builtin := fstest.MapFS{"a.txt": {Data: []byte("x")}}
	if _, err := judge.LoadPrompt(builtin, nil, "", "none.txt"); err == nil || !strings.Contains(err.Error(), "none.txt") {
		t.Errorf("got %v", err)
	}
	folder := fstest.MapFS{"a.txt/x": {Data: []byte("a folder of that name")}}
	if _, err := judge.LoadPrompt(builtin, folder, "./mine", "a.txt"); omniscope.KindOf(err) != omniscope.Invalid {
		t.Errorf("got %v of kind %v", err, omniscope.KindOf(err))
	}
}

func TestPromptDigest(t *testing.T) {
	a, b := judge.Prompt{Name: "a", Text: "x"}, judge.Prompt{Name: "b", Text: "x", From: "elsewhere"}
	if a.Digest() != b.Digest() || a.Digest() != "2d711642b726" { // sha256sum of "x"
		t.Errorf("got %s and %s", a.Digest(), b.Digest())
	}
	if other := (&judge.Prompt{Text: "x\n"}).Digest(); other == a.Digest() {
		t.Error("a line end makes no difference")
	}
}

func TestRequiredPlaceholders(t *testing.T) {
	p := &judge.Prompt{Name: "judge.txt", Text: "Fill {cloze} from the caption.", From: "./mine"}
	if err := p.Require("cloze"); err != nil {
		t.Error(err)
	}
	if err := p.Require("cloze", "prediction"); omniscope.KindOf(err) != omniscope.Invalid || !strings.Contains(err.Error(), "has no {prediction}") {
		t.Errorf("without the caption: %v", err)
	}
}

func TestUnknownPromptFile(t *testing.T) {
	folder := fstest.MapFS{"judge.txt": {}, "README.md": {}}
	if err := judge.OnlyPrompts(folder, "mine", "judge.txt", "system.txt"); err != nil {
		t.Error(err)
	}
	folder["jugde.txt"] = &fstest.MapFile{}
	if err := judge.OnlyPrompts(folder, "mine", "judge.txt", "system.txt"); omniscope.KindOf(err) != omniscope.Usage || !strings.Contains(err.Error(), "jugde.txt replaces no prompt") {
		t.Errorf("a misspelt file: %v", err)
	}
	if err := judge.OnlyPrompts(nil, "", "judge.txt"); err != nil {
		t.Error(err)
	}
}
