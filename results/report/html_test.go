package report

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope"
	"omniscope/bench/document"
	"omniscope/internal/testing/browser"
	"omniscope/internal/testing/fixture"
	"omniscope/metric"
)

// someCases are cases whose texts try to be more than text.
type someCases []*document.Case

func (c someCases) Len() int                         { return len(c) }
func (c someCases) At(i int) (*document.Case, error) { return c[i], nil }

const hostileText = `</script><script>document.title='taken'</script><img src=x onerror="document.title='taken'">`

func madeCases(n int) (all someCases) {
	for i := range n {
		score := float64(i) / float64(n)
		all = append(all, &document.Case{Unit: fmt.Sprintf("clip-%03d %s", i, hostileText), Outcome: omniscope.OK, Score: &score, Media: hostileText,
			Facts: []document.Fact{{Name: hostileText, Value: hostileText}},
			Sections: []document.Section{
				{Title: "Caption", Text: []document.Piece{{Text: "Two lines,\nand " + hostileText}}},
				{Title: "Passage", Text: []document.Piece{{Text: "A "}, {Text: "1 dog", Tone: document.Good, Note: hostileText}, {Text: " and "}, {Text: "2 cat", Tone: document.Bad}, {Text: "3 not given", Tone: document.Mild}}},
				{Title: "Words", Text: []document.Piece{{Text: "old", Tone: document.Gone}, {Text: "new", Tone: document.Added}}},
				{Title: "Blanks", Columns: []string{"blank", hostileText}, Rows: [][][]document.Piece{{{{Text: "1"}}, {{Text: hostileText, Tone: document.Tone(`x" onclick="y`)}}}}},
			}})
	}
	return all
}

func madePage(t *testing.T, cases Cases) (address string) {
	t.Helper()
	r := normal()
	r.System, r.Warnings = hostileText, []string{hostileText}
	r.Tables = []omniscope.Table{{Name: "x", Title: hostileText, Columns: []string{hostileText}, Rows: [][]string{{hostileText}}, Note: hostileText}}
	var page bytes.Buffer
	fixture.OK(t, HTML(t.Context(), &page, r, Columns(&metric.Cloze), cases))
	path := filepath.Join(t.TempDir(), "report.html")
	fixture.OK(t, os.WriteFile(path, page.Bytes(), 0o600))
	return "file://" + path
}

// TestReportInABrowser looks at a page as a reader does: by mouse, by keyboard, on a
// phone, and with texts that try to be more.
func TestReportInABrowser(t *testing.T) {
	address := madePage(t, madeCases(100))
	p := browser.Open(t, address+"#case-51", 1200, 900)
	p.WaitFor(`!document.getElementById('shown').hidden`)
	shown := func() (unit string) {
		p.Value(`document.querySelector('#shown h3').textContent`, &unit)
		return unit
	}
	is := func(name string) func() bool { return func() bool { return strings.HasPrefix(shown(), name) } }
	if !is("clip-050")() {
		t.Errorf("the link shows %q", shown())
	}
	p.Keys("j")
	p.WaitFor(`document.querySelector('#shown h3').textContent.startsWith('clip-051')`)
	p.Keys("k")
	p.WaitFor(`document.querySelector('#shown h3').textContent.startsWith('clip-050')`)
	p.Keys("/")
	p.WaitFor(`document.activeElement.id === 'words'`)
	p.Value(`document.activeElement.value = ''`, nil) // a real key is not typed where it is heeded
	p.Fill("#words", "clip-07")
	p.WaitFor(`document.querySelectorAll('#list button').length === 10`)
	p.Click("#list button:last-child")
	p.WaitFor(`document.querySelector('#shown h3').textContent.startsWith('clip-079') && location.hash === '#case-80'`)

	var title, text, colours string
	var circles, wide int
	p.Value(`document.title`, &title)
	p.Value(`document.querySelector('#shown .text').textContent`, &text)
	if strings.Contains(title, "taken") && !strings.Contains(title, "omni-cloze") || !strings.Contains(text, hostileText) || !strings.Contains(text, "Two lines,\n") {
		t.Errorf("title %q, text %q", title, text)
	}
	p.Value(`[...document.querySelectorAll('#shown mark')].slice(0, 3).map((m) => getComputedStyle(m).borderBottomStyle).join(' ')`, &colours)
	if colours != "solid dashed dotted" {
		t.Errorf("right, wrong and not given look %q", colours)
	}
	p.Value(`[...document.querySelectorAll('svg circle')].filter((c) => c.getBoundingClientRect().width > 2).length`, &circles)
	if circles < 3 {
		t.Errorf("%d points can be seen", circles)
	}
	p.Resize(320, 700)
	p.Value(`document.documentElement.scrollWidth`, &wide)
	if wide > 320 {
		t.Errorf("the page is %d pixels wide on a phone of 320", wide)
	}
	p.Quiet(address[:strings.LastIndex(address, "/")])
}

// TestReportWithoutScripts has the worst and the best for paper.
func TestReportWithoutScripts(t *testing.T) {
	text, err := os.ReadFile(strings.TrimPrefix(madePage(t, madeCases(100)), "file://"))
	fixture.OK(t, err)
	still := string(text[bytes.Index(text, []byte(`<div id="still">`)):])
	still = still[:strings.Index(still, "<script")]
	for _, want := range []string{"clip-000", "clip-003", "clip-098", "clip-099"} {
		if !strings.Contains(still, want) {
			t.Errorf("%s is not there", want)
		}
	}
	if strings.Contains(still, "clip-050") || bytes.Contains(text, []byte("<img")) || bytes.Contains(text, []byte("onclick=\"y")) {
		t.Error("too many cases, or an element from a text")
	}
	if page, err := os.ReadFile(strings.TrimPrefix(madePage(t, nil), "file://")); err != nil || bytes.Contains(page, []byte(`id="cases"`)) {
		t.Errorf("a run without cases: %v", err)
	}
}

// TestPiecesOfAGroupHaveOneColour also keeps the tone of the piece.
func TestPiecesOfAGroupHaveOneColour(t *testing.T) {
	for want, p := range map[string]document.Piece{
		`plain &lt;`: {Text: "plain <"},
		`<mark class="subject" style="--hue:20" title="a">x</mark>`: {Text: "x", Tone: document.Subject, Note: "a", Group: 1},
		`<mark class="subject" style="--hue:157" title="">x</mark>`: {Text: "x", Tone: document.Subject, Group: 2},
		`<mark class="subject" style="--hue:222" title="">x</mark>`: {Text: "x", Tone: document.Subject, Group: 1000},
		`<mark class="subject" title="">x</mark>`:                   {Text: "x", Tone: document.Subject},
		`<mark class="" title="">x</mark>`:                          {Text: "x", Tone: `y" onclick="z`},
		`<del title="&#34;">x</del>`:                                {Text: "x", Tone: document.Gone, Note: `"`},
	} {
		var b bytes.Buffer
		if err := pieceHTML(p).Render(&b); err != nil || b.String() != want {
			t.Errorf("got %s, %v, want %s", b.String(), err, want)
		}
	}
}
