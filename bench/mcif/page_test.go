package mcif

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"omniscope/bench"
	"omniscope/bench/mcif/mcifxml"
	"omniscope/internal/testing/fixture"
)

const hostile = `</p></td><script>alert("x")</script> & <!-- 'y' ]]>`

func page(t *testing.T, e *evaluation, name string) string {
	t.Helper()
	for _, p := range e.Explain().Pages {
		if p.Name == name {
			return fixture.Read(t, written(t, name, p.Write))
		}
	}
	t.Fatalf("there is no page %s", name)
	return ""
}

// textOf is what a browser shows of a page, which has to be well-formed.
func textOf(t *testing.T, html string) string {
	t.Helper()
	html = strings.NewReplacer("<!doctype html>", "", `<meta charset="utf-8">`, "", `<meta name="generator" content="omniscope">`, "", `<meta name="viewport" content="width=device-width, initial-scale=1">`, "").Replace(html)
	d := xml.NewDecoder(strings.NewReader(html))
	d.Entity = xml.HTMLEntity
	var b strings.Builder
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return b.String()
		}
		if err != nil {
			t.Fatalf("the page is not well-formed: %v\n%s", err, html)
		}
		switch token := token.(type) {
		case xml.CharData:
			b.Write(token)
		case xml.StartElement:
			if token.Name.Local == "script" {
				t.Error("a text became a script")
			}
		}
	}
}

func TestTranscriptAlignments(t *testing.T) {
	refs := changed(only(english, qa, sum), transcriptOf(`t<1>`, "0", `one two & three four `+hostile), transcriptOf("t2", "5", "never said"))
	out := with(but(saying, "0", "one too & four five "+hostile), "5", hostile)
	in := bench.Inputs{Predictions: outputFile(t, "long", "en", out...), Data: referenceFile(t, "long", "en", refs...), System: `<b>me</b>`}
	e, _ := scored(t, Benchmark{Track: "long", Lang: "en", Scorers: lengths()}, in)
	html := page(t, e, "alignments.html")
	shown := textOf(t, html)
	contains(t, shown, "<b>me</b>", "t<1>", "MCIF, track long, language en.", "WER 30.0 % of 10 words: 3 substituted, 0 deleted, 0 inserted")
	for word := range strings.FieldsSeq(refs[2].Text + " " + out[1] + " never said") {
		contains(t, shown, word)
	}
	contains(t, shown, "one two too & three four four five ")
	contains(t, html, "<del>two</del> <ins>too</ins>", "<del>three four</del> <ins>four five</ins>", "<del>never said</del>")
	if n := strings.Count(shown, `<script>alert("x")</script>`); n != 2 {
		t.Errorf("the hostile words are shown %d times, want 2", n)
	}
}

func TestTranslationAlignments(t *testing.T) {
	refs := changed(german, translationOf("t1", "3", "one two\n"+hostile, "eins zwei\n"+hostile), translationOf("t2", "5", "a\nb", "c"))
	in := bench.Inputs{Predictions: outputFile(t, "long", "de", with(but(sagend, "3", "eins zwo "+hostile), "5", "e")...), Data: referenceFile(t, "long", "de", refs...)}
	e, _ := scored(t, Benchmark{Track: "long", Lang: "de", Scorers: lengths()}, in)
	html := page(t, e, "alignments.html")
	if n := strings.Count(textOf(t, html), hostile); n != 3 {
		t.Errorf("the hostile line is shown %d times, want 3", n)
	}
	contains(t, html, "<tr><td>one two</td><td>eins zwei</td><td>eins zwo</td></tr>")
}

func TestPagesWritten(t *testing.T) {
	for _, c := range []struct {
		lang string
		refs []mcifxml.Reference
		out  []string
		want string
	}{
		{"en", english, saying, "alignments.html pairs.jsonl"},
		{"de", german, sagend, "alignments.html pairs.jsonl"},
		{"en", only(english, asr), saying, "alignments.html"},
		{"en", only(english, qa), saying, "pairs.jsonl"},
	} {
		in := bench.Inputs{Predictions: outputFile(t, "long", c.lang, c.out...), Data: referenceFile(t, "long", c.lang, c.refs...)}
		e, _ := scored(t, Benchmark{Track: "long", Lang: c.lang}, in)
		var names []string
		for _, p := range e.Explain().Pages {
			names = append(names, p.Name)
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%d references in %s have the pages %s, want %s", len(c.refs), c.lang, got, c.want)
		}
	}
}

func TestPairsInOrder(t *testing.T) {
	refs := changed(german, answerTo("t2_1", "5", "eine Katze"), answerTo("t2_2", "6", "<Hund> & ähnliche"), answerTo("t2_3", "7", "fehlt"), answerTo("t2_4", "1,2", "zwei"), answerTo("t2_5", "2,77", "eines"))
	in := bench.Inputs{Predictions: outputFile(t, "long", "de", with(with(sagend, "5", "eine Katze"), "6", "Hund")...), Data: referenceFile(t, "long", "de", refs...)}
	e, _ := scored(t, Benchmark{Track: "long", Lang: "de"}, in)
	const want = `{"scorer":"comet","lang":"de","unit":"TRANS_t1","src":"one two","mt":"eins zwei","ref":"eins zwei","value":null}
{"scorer":"comet","lang":"de","unit":"TRANS_t1","src":"three","mt":"drei","ref":"drei","value":null}
{"scorer":"bertscore","lang":"de","unit":"QA_t1_1","mt":"eine Katze","ref":"eine Katze","value":null}
{"scorer":"bertscore","lang":"de","unit":"SUM_t1","mt":"Katzen sitzen","ref":"Katzen sitzen","value":null}
{"scorer":"bertscore","lang":"de","unit":"QA_t2_2","mt":"Hund","ref":"<Hund> & ähnliche","value":null}
`
	if got := page(t, e, "pairs.jsonl"); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// A system that repeats itself without end must not make a page that no browser
// opens.
func TestPageOfGiantBounded(t *testing.T) {
	giant := strings.TrimSpace(strings.Repeat("again and again ", 20_000))
	in := bench.Inputs{Predictions: outputFile(t, "long", "en", but(saying, "0", giant)...), Data: referenceFile(t, "long", "en", english...)}
	e, _ := scored(t, Benchmark{Track: "long", Lang: "en", Scorers: lengths()}, in)
	html := page(t, e, "alignments.html")
	contains(t, html, "of 3 words", "<small>40000 more words of the alignment are not shown.</small>")
	if len(html) > 300_000 {
		t.Errorf("the page has %d bytes", len(html))
	}

	in = bench.Inputs{Predictions: outputFile(t, "long", "de", but(sagend, "3", giant)...), Data: referenceFile(t, "long", "de", german...)}
	e, _ = scored(t, Benchmark{Track: "long", Lang: "de", Scorers: lengths()}, in)
	html = page(t, e, "alignments.html")
	contains(t, html, " more characters are not shown.</small>")
	if len(html) > 300_000 {
		t.Errorf("the page has %d bytes", len(html))
	}
}

func TestTextsCutByCharacters(t *testing.T) {
	for _, c := range []struct {
		text, short string
		most, more  int
	}{{"äöü", "äöü", 3, 0}, {"äöü", "äö", 2, 1}, {"abc", "", 0, 3}, {"", "", 0, 0}, {"abc", "abc", 9, 0}} {
		if short, more := shorten(c.text, c.most); short != c.short || more != c.more {
			t.Errorf("%q cut to %d is %q and %d more", c.text, c.most, short, more)
		}
	}
}
