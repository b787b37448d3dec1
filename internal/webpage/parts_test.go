package webpage

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"omniscope"
	"omniscope/internal/testing/fixture"
)

const hostile = `</script><script>alert(1)</script><img src=x onerror="y">'&`

func rendered(t *testing.T, n g.Node) string {
	t.Helper()
	var b bytes.Buffer
	fixture.OK(t, Write(&b, n))
	return b.String()
}

func TestAddressesThatRunScriptsLeadNowhere(t *testing.T) {
	for address, want := range map[string]string{
		"":                      "",
		"#o1":                   "#o1",
		"/case/a:b?unit=x":      "/case/a:b?unit=x",
		"case/a:b":              "case/a:b",
		"?q=javascript:x":       "?q=javascript:x",
		"#javascript:x":         "#javascript:x",
		"https://example.org/a": "https://example.org/a",
		"HTTP://example.org":    "HTTP://example.org",
		"mailto:a@example.org":  "mailto:a@example.org",
		"javascript:alert(1)":   "about:invalid",
		"JavaScript:alert(1)":   "about:invalid",
		" javascript:alert(1)":  "about:invalid",
		"java\nscript:alert(1)": "about:invalid",
		"\x01javascript:x":      "about:invalid",
		"vbscript:x":            "about:invalid",
		"data:text/html,x":      "about:invalid",
	} {
		if got := Address(address); got != want {
			t.Errorf("%q leads to %q, want %q", address, got, want)
		}
	}
	if got, want := rendered(t, Link(`javascript:"`, g.Text("x"))), `<a href="about:invalid">x</a>`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestHostileTextsStayTexts(t *testing.T) {
	table := omniscope.Table{Columns: []string{hostile, "n"}, Numbers: []int{1}, Rows: [][]string{{hostile, "1"}}}
	for name, page := range map[string]g.Node{
		"document": Document(hostile, "", g.Text(hostile)),
		"link":     Link("/"+hostile, g.Text(hostile)),
		"table":    Wide(hostile, Table(table, h.Scope("col"))),
		"headings": Headings(hostile),
		"list":     List([]string{hostile}),
		"options":  Options([]string{hostile}, hostile),
		"data":     JSON(hostile, map[string]string{hostile: hostile}),
	} {
		got := rendered(t, page)
		if strings.Contains(got, "<script>") || strings.Contains(got, "<img") || strings.Contains(got, `onerror="`) {
			t.Errorf("%s has an element of the text: %s", name, got)
		}
	}
	if got, want := rendered(t, JSON("a", "</script>&")), `<script id="a" type="application/json">"\u003c/script\u003e\u0026"`+"\n</script>"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestParts(t *testing.T) {
	table := omniscope.Table{Columns: []string{"a", "n"}, Numbers: []int{1}, Rows: [][]string{{"x\ny", "1"}}}
	for want, part := range map[string]g.Node{
		`<a href="/a">1</a> <small>2</small>`: Spaced(nil, Link("/a", g.Text("1")), nil, h.Small(g.Text("2"))),
		``:                                    Spaced(nil, nil),
		`<table><thead><tr><th class="" scope="col">a</th><th class="number" scope="col">n</th></tr></thead><tbody><tr><td class="">x y</td><td class="number">1</td></tr></tbody></table>`: Table(table, h.Scope("col")),
		`<option>a</option><option selected>b</option>`: Options([]string{"a", "b"}, "b"),
	} {
		if got := rendered(t, part); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestOwnPagesAreRecognized(t *testing.T) {
	if !IsOurs(strings.NewReader(rendered(t, Document("x", Style)))) {
		t.Error("a page of ours is not")
	}
	if IsOurs(strings.NewReader(`<!doctype html><html><head></head></html>`)) || IsOurs(strings.NewReader("")) {
		t.Error("a page of others is ours")
	}
}

func TestWriteReportsErrors(t *testing.T) {
	full := errors.New("the disk is full")
	if err := Write(failing{full}, Document("x", Style)); !errors.Is(err, full) {
		t.Errorf("the error of the writer is %v", err)
	}
	if err := Write(io.Discard, JSON("x", func() {})); err == nil {
		t.Error("data that JSON cannot hold has no error")
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
