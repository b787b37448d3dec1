package production

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"omniscope"
	"omniscope/internal/ondisk"
	"omniscope/internal/testing/fixture"
)

func readList(t *testing.T, name string) *List {
	t.Helper()
	l, err := ReadList(t.Context(), name, "", "")
	fixture.OK(t, err)
	return l
}

// shown is a list as ids and paths from its folder, with stretches in seconds.
func shown(t *testing.T, l *List, dir string) string {
	var lines []string
	for i := range l.Rows {
		r := &l.Rows[i]
		path := r.Path
		if !r.Remote() {
			below, err := filepath.Rel(dir, path)
			fixture.OK(t, err)
			path = filepath.ToSlash(below)
		}
		line := r.ID + " " + path
		if r.Span != (omniscope.Span{}) {
			line += " " + r.Span.Start.String() + "-" + r.Span.End.String()
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func TestListsInAllForms(t *testing.T) {
	dir := t.TempDir()
	fixture.FileIn(t, dir, "folder/b.wav", "x")
	fixture.FileIn(t, dir, "folder/deep/a.mp4", "x")
	fixture.FileIn(t, dir, "folder/deep/a.webm", "x")
	fixture.FileIn(t, dir, "folder/notes.txt", "x")
	fixture.FileIn(t, dir, "hub/metadata.csv", "file_name,text\nclips/1.mp4,\"a, b\"\n\"clips/2.mp4\",two\n")
	file := filepath.Join(dir, "rows.parquet")
	if err := parquet.WriteFile(file, []struct {
		ID   string `parquet:"id"`
		Path string `parquet:"path"`
	}{{"p", "x/p.mp4"}}); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ list, want string }{
		"JSON Lines":       {fixture.FileIn(t, dir, "a.jsonl", `{"id": 7, "url": "x.mp4#t=1.5,1:02.5"}`+"\n\n"+`{"path": "y z.wav"}`), "7 x.mp4 1.5s-1m2.5s\ny z y z.wav"},
		"CSV with columns": {fixture.FileIn(t, dir, "a.csv", "\ufeffid,video,start,end\na,x.mp4,3,10\nb,https://h/x.mp4?k=1,,\n"), "a x.mp4 3s-10s\nb https://h/x.mp4?k=1"},
		"Parquet":          {file, "p x/p.mp4"},
		"folder":           {filepath.Join(dir, "folder"), "b b.wav\ndeep/a deep/a.mp4\ndeep/a.webm deep/a.webm"},
		"Hugging Face":     {filepath.Join(dir, "hub"), "clips/1 clips/1.mp4\nclips/2 clips/2.mp4"},
		"stretches":        {fixture.FileIn(t, dir, "s.jsonl", `{"url":"x.mp4#t=,40"}`+"\n"+`{"url":"x.mp4#t=npt:12"}`), "x#t=,40 x.mp4 0s-40s\nx#t=npt:12 x.mp4 12s-0s"},
	} {
		t.Run(name, func(t *testing.T) {
			from := dir
			if ondisk.IsFolder(c.list) {
				from = c.list
			}
			if got := shown(t, readList(t, c.list), from); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// TestSecretsOfAddresses shows that an id made of an address has nothing secret in it, and that two
// addresses that differ in that alone have two ids.
func TestSecretsOfAddresses(t *testing.T) {
	l := readList(t, fixture.FileIn(t, t.TempDir(), "a.jsonl", `{"url":"https://me:pw@h/a.mp4?sig=SECRET1"}`+"\n"+`{"url":"https://me:pw@h/a.mp4?sig=SECRET2#t=1,2"}`+"\n"+`{"url":"https://h/plain.mp4"}`))
	for i := range l.Rows {
		if id := l.Rows[i].ID; strings.Contains(id, "SECRET") || strings.Contains(id, "pw") || !strings.HasPrefix(id, "https://h/") {
			t.Errorf("row %d is called %s", i, id)
		}
	}
	if l.Rows[0].ID == strings.TrimSuffix(l.Rows[1].ID, "#t=1,2") || l.Rows[2].ID != "https://h/plain.mp4" {
		t.Errorf("%s, %s, %s", l.Rows[0].ID, l.Rows[1].ID, l.Rows[2].ID)
	}
}

func TestPathsStartFromTheNamedFolder(t *testing.T) {
	dir := t.TempDir()
	l, err := ReadList(t.Context(), fixture.FileIn(t, dir, "lists/a.jsonl", `{"url": "x.mp4"}`), filepath.Join(dir, "media"), "")
	if err != nil || l.Rows[0].Path != filepath.Join(dir, "media", "x.mp4") {
		t.Errorf("%+v, %v", l, err)
	}
}

// TestBadRows shows that an error names file, line and text of each row that cannot be read.
func TestBadRows(t *testing.T) {
	dir := t.TempDir()
	for name, c := range map[string]struct {
		file, text string
		want       []string
	}{
		"no JSON":          {"a.jsonl", `{"url": "x.mp4"}` + "\n" + `{"url": `, []string{"a.jsonl:2: ", `{"url":`}},
		"no place":         {"b.jsonl", `{"id": "x"}`, []string{"b.jsonl:1: it does not say where its clip is", `{"id": "x"}`}},
		"no object":        {"c.jsonl", `["x.mp4"]`, []string{"c.jsonl:1: "}},
		"same id":          {"d.jsonl", `{"id":"a","url":"x.mp4"}` + "\n" + `{"id":"a","url":"y.mp4"}`, []string{"d.jsonl:2: the id a is there already, on line 1"}},
		"backwards":        {"e.jsonl", `{"url":"x.mp4#t=5,3"}`, []string{"e.jsonl:1: ", "#t=5,3", "write #t=START,END"}},
		"no time":          {"f.jsonl", `{"url":"x.mp4#t=5,NaN"}`, []string{`f.jsonl:1: `, `"NaN" is no time`}},
		"never ends":       {"g.jsonl", `{"url":"x.mp4#t=0,1e300"}`, []string{"longer than any clip"}},
		"twice":            {"h.jsonl", `{"url":"x.mp4#t=5","end":9}`, []string{"h.jsonl:1: a stretch stands in it twice"}},
		"id of two lines":  {"i.jsonl", `{"id":"a\nb","url":"x.mp4"}`, []string{"none of a name"}},
		"two bad rows":     {"j.jsonl", `{"id":"a"}` + "\n" + `{"url":"x.mp4"}` + "\n" + `{"id":"b"}`, []string{"j.jsonl:1: ", "j.jsonl:3: "}},
		"many bad rows":    {"k.jsonl", strings.Repeat("{}\n", 9), []string{"k.jsonl:5: ", "and 4 more rows"}},
		"empty":            {"l.jsonl", "\n", []string{"there is no row in it"}},
		"short row":        {"m.csv", "id,url\na\nb,x.mp4\n", []string{"m.csv:2: "}},
		"quote":            {"n.csv", "id,url\na,\"x.mp4\nb,y.mp4\n", []string{"n.csv:"}},
		"quote in a word":  {"q.csv", "id,url\n\"a\"b,y.mp4\n", []string{"q.csv:2: "}},
		"a field twice":    {"r.jsonl", `{"id":"a","url":"x.mp4","id":"b"}`, []string{`the field "id" is in it twice`}},
		"a column twice":   {"s.csv", "id,url,id\na,x.mp4,b\n", []string{`s.csv:2: the field "id" is in it twice`}},
		"no header":        {"o.csv", "", []string{"no header line"}},
		"id that is empty": {"p.csv", "id,url\n,x.mp4\n", []string{"p.csv:2: "}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ReadList(t.Context(), fixture.FileIn(t, dir, c.file, c.text), "", "")
			if omniscope.KindOf(err) != omniscope.Invalid {
				t.Fatalf("%v", err)
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q lacks %q", err, want)
				}
			}
		})
	}
	if _, err := ReadList(t.Context(), filepath.Join(dir, "none.jsonl"), "", ""); omniscope.KindOf(err) != omniscope.Invalid {
		t.Errorf("a list that is not there: %v", err)
	}
	if _, err := ReadList(t.Context(), t.TempDir(), "", ""); omniscope.KindOf(err) != omniscope.Invalid {
		t.Errorf("an empty folder: %v", err)
	}
}

func TestMissingFiles(t *testing.T) {
	dir := t.TempDir()
	fixture.FileIn(t, dir, "there.mp4", "x")
	l := readList(t, fixture.FileIn(t, dir, "a.jsonl", `{"url":"there.mp4"}`+"\n"+`{"id":"gone","url":"gone.mp4"}`+"\n"+`{"url":"http://h/x.mp4"}`+"\n"+`{"id":"folder","url":"."}`))
	if n, first := l.Missing(); n != 2 || first.ID != "gone" {
		t.Errorf("%d, %+v", n, first)
	}
}

func TestClock(t *testing.T) {
	for text, want := range map[string]time.Duration{"0": 0, "12.25": 12250 * time.Millisecond, "1:02": 62 * time.Second, "1:02:03.5": time.Hour + 123500*time.Millisecond} {
		if got, err := clock(text); err != nil || got != want {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "x", "-1", "1:60", "1:2:3:4", "Inf", "1e9"} {
		if got, err := clock(text); err == nil {
			t.Errorf("%q is %v", text, got)
		}
	}
}
