package push

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"omniscope"
	"omniscope/internal/hub"
	"omniscope/internal/ondisk"
	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
)

const ownKey = "correct-horse/battery+staple"

// made makes a folder of files below the working folder.
func made(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		fixture.OK(t, os.MkdirAll(filepath.Dir(path), 0o755))
		fixture.OK(t, os.WriteFile(path, []byte(text), 0o644))
	}
}

func options(t *testing.T, sources ...string) Options {
	return Options{Sources: sources, Work: t.TempDir(), Program: "test", Home: "/home/somebody",
		Secrets: []Secret{{Name: "MY_API_KEY", Value: omniscope.NewSecret(ownKey)}, {Name: "SHORT_KEY", Value: omniscope.NewSecret("none")}}}
}

func plan(t *testing.T, o Options) *Plan {
	t.Helper()
	p, err := Make(t.Context(), o)
	fixture.OK(t, err)
	return p
}

// TestRefusals plants what must not leave, one thing in each folder.
func TestRefusals(t *testing.T) {
	const lines = (window+overlap)/2 - 5 // so that the key stands where two windows meet
	long := strings.Repeat("x\n", lines)
	for name, c := range map[string]struct {
		file, content string
		line          int
		why           string
	}{
		"own key":             {"a.jsonl", "one\n{\"k\":\"" + ownKey + "\"}\n", 2, "the value of MY_API_KEY"},
		"own key in a URL":    {"a.txt", "x=correct-horse%2Fbattery%2Bstaple", 1, "the value of MY_API_KEY"},
		"own key late":        {"a.txt", long + ownKey, lines + 1, "the value of MY_API_KEY"},
		"own key later":       {"a.txt", long + long + long + ownKey, 3*lines + 1, "the value of MY_API_KEY"},
		"hub token":           {"a.md", "\n\nhf_" + strings.Repeat("aB3", 12), 3, "a token of Hugging Face"},
		"OpenAI key":          {"a.json", `{"key":"sk-proj-` + strings.Repeat("a1B", 12) + `"}`, 1, "a key of OpenAI"},
		"key with late digit": {"a.json", `{"key":"sk-` + strings.Repeat("abc", 12) + `7"}`, 1, "a key of OpenAI"},
		"Fireworks key":       {"a.txt", "fw_" + strings.Repeat("aB3", 8), 1, "Fireworks"},
		"Azure key":           {"a.txt", "curl -H 'api-key: " + strings.Repeat("0a1b", 8) + "'", 1, "a key behind its name"},
		"key in a variable":   {"a.txt", "AZURE_OPENAI_API_KEY=" + strings.Repeat("0a1b", 16), 1, "a key behind its name"},
		"Anthropic key":       {"a.csv", "k\nsk-ant-api03-" + strings.Repeat("a1B", 12), 2, "Anthropic"},
		"Google key":          {"a.txt", "AIza" + strings.Repeat("a1B_-", 7), 1, "a key of Google"},
		"private key":         {"a.txt", "-----BEGIN OPENSSH PRIVATE KEY-----\n", 1, "a private key"},
		"header":              {"a.txt", "Authorization: Bearer abc123def456ghi789jkl012", 1, "an Authorization header"},
		"password in address": {"a.txt", "postgres://me:pass@host/db", 1, "an address with a password"},
		"signed address":      {"a.txt", "https://s3/x?X-Amz-Signature=" + strings.Repeat("0a", 32), 1, "a signed address"},
		"film by content":     {"notes.txt", "\x00\x00\x00\x18ftypmp42\x00\x00", 0, "a film"},
		"sound by content":    {"a.json", "RIFF\x24\x00\x00\x00WAVEfmt ", 0, "sound"},
		"MP3 without a tag":   {"a", "\xff\xfb\x90\x64\x00\x00\x00", 0, "sound"},
		"picture":             {"a.md", "\x89PNG\r\n\x1a\n\x00\x00", 0, "a picture"},
		"journal":             {"x.txt", "SQLite format 3\x00 and so on", 0, "a database"},
		"packed":              {"a.jsonl", "\x1f\x8b\x08\x00", 0, "packed"},
		"no text":             {"a.txt", "words\x00and more", 0, "no text"},
		"picture in a page":   {"a.html", "<p>\n<img src=\"data:image/jpeg;base64," + strings.Repeat("AB", 40), 2, "media within the text"},
		"sound in a request":  {"a.jsonl", `{"data":"UklGR` + strings.Repeat("AB", 100) + `"}`, 1, "media within the text"},
		"no Parquet":          {"a.parquet", "PAR1 and nothing", 0, "cannot be read as the Parquet table"},
		"key after a line":    {"a.jsonl", "{}\n" + `{"k":"the key:\nhf_` + strings.Repeat("aB3", 12) + `"}`, 2, "a token of Hugging Face"},
		"key in text of text": {"a.jsonl", `{"k":"{\"a\":\"x\\nhf_` + strings.Repeat("aB3", 12) + `\"}"}`, 1, "a token of Hugging Face"},
		"escape between":      {"a.txt", long[2:] + `\nhf_` + strings.Repeat("aB3", 12), lines, "a token of Hugging Face"},
		"key as code points":  {"a.jsonl", `{"k":"\u0068f_` + strings.Repeat("aB3", 12) + `"}`, 1, "a token of Hugging Face"},
		"own key, escaped":    {"a.jsonl", `{"k":"` + strings.ReplaceAll(ownKey, "/", `\/`) + `"}`, 1, "the value of MY_API_KEY"},
		"own key in base64":   {"a.txt", base64.StdEncoding.EncodeToString([]byte("me:" + ownKey + "!")), 1, "the value of MY_API_KEY"},
		"own key, shifted 1":  {"a.txt", base64.URLEncoding.EncodeToString([]byte("you:" + ownKey)), 1, "the value of MY_API_KEY"},
		"own key, shifted 2":  {"a.txt", base64.StdEncoding.EncodeToString([]byte("us>? " + ownKey + "?>")), 1, "the value of MY_API_KEY"},
		"basic header":        {"a.json", `{"Authorization": "Basic dXNlcjpwYXNzd29yZA=="}`, 1, "an Authorization header"},
		"picture in a table":  {"a.csv", "id,image\n1,iVBORw0KGgo" + strings.Repeat("AB", 100) + "\n", 2, "media within the text"},
		"tables of people":    {"agreement.json", `{"tables":[{"name":"quality","personal":true,"rows":[]}]}`, 0, "how single people work"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			made(t, "preds", map[string]string{c.file: c.content, "sub/fine.jsonl": "{}\n"})
			p := plan(t, options(t, "preds"))
			if len(p.Refused) != 1 || p.Refused[0].File != filepath.Join("preds", c.file) || p.Refused[0].Line != c.line || !strings.Contains(p.Refused[0].Why, c.why) {
				t.Fatalf("%+v, want line %d, %q", p.Refused, c.line, c.why)
			}
			if text := fmt.Sprintf("%+v", p.Refused); strings.Contains(text, "horse") || strings.Contains(text, "aB3") || strings.Contains(text, "a1B") {
				t.Errorf("a key is told: %s", text)
			}
			o := options(t, "preds")
			o.LeaveOut = []string{c.file}
			if p := plan(t, o); len(p.Refused) > 0 || !slices.ContainsFunc(p.LeftOut, func(r refusal) bool { return r.Why == "--leave-out" }) {
				t.Errorf("left out, and still refused: %+v, %+v", p.Refused, p.LeftOut)
			}
		})
	}
}

// TestHarmless is what looks like a refusal and is none.
func TestHarmless(t *testing.T) {
	t.Chdir(t.TempDir())
	made(t, "preds", map[string]string{
		"a.txt":    "BMW and GIF89a and ID3 are words; task-specific-things-that-are-long-and-have-words; none; caffeine; sk-learn is a library of many-many-words",
		"b.csv":    "BM25,score\n1,2\n",
		"c.html":   `<link href="data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmc">`,
		"d.txt":    "http://host:8080/v1 and https://[secret]@host/ and Bearer of the ring",
		"e.jsonl":  `{"t":"iVBORw0KGgo"}`,
		"empty":    "",
		"ümlaut.t": "Grüße\n",
	})
	if p := plan(t, options(t, "preds")); len(p.Refused) > 0 || len(p.Files) != 8 {
		t.Errorf("%+v, %d files", p.Refused, len(p.Files))
	}
}

func TestParquetIsLookedInto(t *testing.T) {
	type row struct{ Text string }
	for text, why := range map[string]string{"fine": "", `a \\u0000 as it is written`: "", ownKey: "the value of MY_API_KEY"} {
		t.Chdir(t.TempDir())
		var out bytes.Buffer
		fixture.OK(t, parquet.Write(&out, []row{{"first"}, {text}}, parquet.Compression(&parquet.Zstd)))
		made(t, "preds", map[string]string{"a.parquet": out.String()})
		p := plan(t, options(t, "preds"))
		if why == "" && len(p.Refused) > 0 || why != "" && (len(p.Refused) != 1 || p.Refused[0].Line != 2 || !strings.Contains(p.Refused[0].Why, why)) {
			t.Errorf("%s: %+v", text, p.Refused)
		}
	}
}

// TestFooterOfParquet plants keys where no row has them: in a text that the writer added, and in the name of a column of an empty table.
func TestFooterOfParquet(t *testing.T) {
	type row struct{ Text string }
	type named struct {
		Text string `parquet:"correct-horse/battery+staple"`
	}
	t.Chdir(t.TempDir())
	var added, empty bytes.Buffer
	fixture.OK(t, parquet.Write(&added, []row{{"fine"}}, parquet.KeyValueMetadata("made", "by "+ownKey)))
	fixture.OK(t, parquet.Write(&empty, []named{}))
	made(t, "preds", map[string]string{"added.parquet": added.String(), "empty.parquet": empty.String()})
	p := plan(t, options(t, "preds"))
	if len(p.Refused) != 2 || !strings.Contains(p.Refused[0].Why, "the value of MY_API_KEY (footer of the table)") || p.Refused[1].Why != p.Refused[0].Why {
		t.Errorf("%+v", p.Refused)
	}
}

func TestMediaWithinParquet(t *testing.T) {
	type row struct {
		Name  string
		Image []byte
	}
	t.Chdir(t.TempDir())
	picture := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"), make([]byte, 300)...)
	var out bytes.Buffer
	fixture.OK(t, parquet.Write(&out, []row{{"a", picture}}))
	made(t, "preds", map[string]string{"a.parquet": out.String()})
	if p := plan(t, options(t, "preds")); len(p.Refused) != 1 || !strings.Contains(p.Refused[0].Why, "media within a table") {
		t.Errorf("%+v", p.Refused)
	}
}

// TestRelease pushes a release as it is: at the top, with its own card.
func TestRelease(t *testing.T) {
	t.Chdir(t.TempDir())
	made(t, "kitchen", map[string]string{"VERSION.json": "{}\n", "README.md": "---\nlicense: mit\n---\n", "data/test.jsonl": "{}\n", "media/a.mp4": "\x00\x00\x00\x18ftypmp42\x00"})
	o := options(t, "kitchen")
	if p := plan(t, o); len(p.Refused) != 1 || p.Refused[0].File != filepath.Join("kitchen", "media", "a.mp4") {
		t.Errorf("%+v", p.Refused)
	}
	o.LeaveOut = []string{"media"}
	var names []string
	p := plan(t, o)
	for _, f := range p.Files {
		names = append(names, f.Name)
	}
	if !slices.Equal(names, []string{"README.md", "VERSION.json", "data/test.jsonl"}) || p.Card {
		t.Errorf("%q, %v", names, p.Card)
	}
}

func TestLinksOutOfTheSource(t *testing.T) {
	t.Chdir(t.TempDir())
	made(t, ".", map[string]string{"secret.txt": "outside", "preds/in.txt": "inside"})
	for _, link := range []string{"../secret.txt", "in.txt"} {
		if err := os.Symlink(link, filepath.Join("preds", "link-"+filepath.Base(link))); err != nil {
			t.Skip(err)
		}
	}
	p := plan(t, options(t, "preds"))
	if len(p.Refused) != 1 || !strings.HasSuffix(p.Refused[0].File, "link-secret.txt") || !strings.Contains(p.Refused[0].Why, "leads out") {
		t.Errorf("%+v", p.Refused)
	}
}

func TestHomeIsWarnedOf(t *testing.T) {
	t.Chdir(t.TempDir())
	made(t, "preds", map[string]string{"a.txt": "x\n/home/somebody/clips/a.mp4\n"})
	if p := plan(t, options(t, "preds")); len(p.Warnings) != 1 || !strings.Contains(p.Warnings[0], "first in line 2") {
		t.Errorf("%q", p.Warnings)
	}
}

func TestChangedSinceChecked(t *testing.T) {
	t.Chdir(t.TempDir())
	made(t, "preds", map[string]string{"a.txt": "checked"})
	p := plan(t, options(t, "preds"))
	made(t, "preds", map[string]string{"a.txt": "another"})
	if _, err := Folder("out").Push(t.Context(), p, ""); err == nil {
		t.Error("what was not checked has left")
	}
	if ondisk.Exists("out/predictions") {
		t.Error("half of a push can be seen")
	}
}

// TestFolderAndHubHoldTheSame pushes to both, and again after changes.
func TestFolderAndHubHoldTheSame(t *testing.T) {
	t.Chdir(t.TempDir())
	h := (&fake.Hub{Token: "hf_sesame"}).Start(t)
	made(t, "preds", map[string]string{"a.jsonl": `{"uuid":"1","caption":"x"}` + "\n", "same.txt": "equal\n", "sub/same.txt": "equal\n", "long.csv": strings.Repeat("a,b\n", 500)})
	onHub := &Hub{Client: &hub.Client{Endpoint: h.URL(), Token: omniscope.NewSecret("hf_sesame"), Cache: t.TempDir()},
		Repo: hub.Repo{Kind: "dataset", Name: "org/set", Revision: "main"}, Create: true}
	states := func() (out []string) {
		for _, target := range []Target{Folder("out"), onHub} {
			p := plan(t, options(t, "preds"))
			if _, foreign, err := target.Compare(t.Context(), p); err != nil || foreign {
				t.Fatal(foreign, err)
			}
			var line []string
			for _, f := range p.Files {
				line = append(line, f.Name+" "+string(f.State))
			}
			out = append(out, strings.Join(line, ", "))
			if _, err := target.Push(t.Context(), p, "a message"); err != nil {
				t.Fatal(err)
			}
		}
		return out
	}
	for _, change := range []struct{ text, want string }{
		{"", "README.md new, predictions/preds/a.jsonl new, predictions/preds/long.csv new, predictions/preds/same.txt new, predictions/preds/sub/same.txt new"},
		{"changed\n", "README.md same, predictions/preds/a.jsonl same, predictions/preds/long.csv same, predictions/preds/same.txt changed, predictions/preds/sub/same.txt same"},
	} {
		if change.text != "" {
			made(t, "preds", map[string]string{"same.txt": change.text})
		}
		if got := states(); got[0] != change.want || got[1] != change.want {
			t.Errorf("%q\nwant %q", got, change.want)
		}
		for name, text := range h.Files("org/set") {
			if there, err := os.ReadFile(filepath.Join("out", name)); name != ".gitattributes" && (err != nil || string(there) != text) {
				t.Errorf("%s is not the same in both: %v", name, err)
			}
		}
	}
	if !h.Private("org/set") || len(h.Commits("org/set")) != 3 {
		t.Errorf("commits %q", h.Commits("org/set"))
	}
	if entries, _ := os.ReadDir("out"); len(entries) != 2 {
		t.Errorf("the folder holds %v", entries)
	}
}

func TestCardOfSomebodyElse(t *testing.T) {
	t.Chdir(t.TempDir())
	made(t, ".", map[string]string{"preds/a.txt": "x\n", "out/README.md": "# mine\n"})
	p := plan(t, options(t, "preds"))
	if _, foreign, err := Folder("out").Compare(t.Context(), p); err != nil || !foreign {
		t.Errorf("%v, %v", foreign, err)
	}
	o := options(t, "preds")
	o.NoCard = true
	p = plan(t, o)
	if _, foreign, err := Folder("out").Compare(t.Context(), p); err != nil || foreign {
		t.Errorf("%v, %v", foreign, err)
	}
	if _, err := Folder("out").Push(t.Context(), p, ""); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open("out/README.md")
	fixture.OK(t, err)
	defer f.Close()
	if text, _ := io.ReadAll(f); string(text) != "# mine\n" {
		t.Errorf("%s", text)
	}
}

func TestSourcesThatAreNone(t *testing.T) {
	t.Chdir(t.TempDir())
	made(t, ".", map[string]string{"empty/.hidden": "x", "one/a.txt": "x", "two/one/a.txt": "y", "rel/VERSION.json": "{}", "rel/README.md": "x"})
	for name, c := range map[string]struct {
		sources []string
		tells   string
	}{
		"nowhere":            {[]string{"nowhere"}, "no such file or folder"},
		"nothing in it":      {[]string{"empty"}, "nothing to push"},
		"one name twice":     {[]string{"one", "two/one"}, "would both be predictions/one/a.txt"},
		"a release and more": {[]string{"rel", "one"}, "push it alone"},
	} {
		if _, err := Make(t.Context(), options(t, c.sources...)); err == nil || !strings.Contains(err.Error(), c.tells) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
