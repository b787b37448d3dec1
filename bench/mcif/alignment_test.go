package mcif

import (
	"strings"
	"testing"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/bench/mcif/mcifxml"
	"omniscope/internal/testing/fixture"
)

const hostile = `</p></td><script>alert("x")</script> & <!-- 'y' ]]>`

// page is the text of one of the evaluation's files.
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

// marked is a text with its struck words in brackets and its added words in braces.
func marked(pieces []document.Piece) (text string) {
	for _, p := range pieces {
		switch p.Tone {
		case document.Gone:
			text += "[" + p.Text + "]"
		case document.Added:
			text += "{" + p.Text + "}"
		default:
			text += p.Text
		}
	}
	return text
}

func facts(c document.Case) (text string) {
	for _, f := range c.Facts {
		text += f.Name + ": " + f.Value + "\n"
	}
	return text
}

func TestCaseOfATranscript(t *testing.T) {
	refs := changed(only(english, qa, sum), transcriptOf(`t<1>`, "0", `one two & three four `+hostile), transcriptOf("t2", "5", "never said"))
	out := with(but(saying, "0", "one too & four five "+hostile), "5", hostile)
	in := bench.Inputs{Predictions: outputFile(t, "long", "en", out...), Data: referenceFile(t, "long", "en", refs...), System: `<b>me</b>`}
	c := casesOf(t, Benchmark{Track: "long", Lang: "en", Scorers: lengths()}, in)["ASR"]
	contains(t, facts(c), "talk: t<1>\n", "WER 30.0 % of 10 words: 3 substituted, 0 deleted, 0 inserted")
	text := marked(c.Sections[0].Text)
	contains(t, text, "one [two] {too} & [three four] {four five} ")
	if n := strings.Count(text, `<script>alert("x")</script>`); n != 1 {
		t.Errorf("the hostile words, which are alike, are shown %d times, want once: %s", n, text)
	}
}

func TestCaseOfATranslation(t *testing.T) {
	refs := changed(german, translationOf("t1", "3", "one two\n"+hostile, "eins zwei\n"+hostile), translationOf("t2", "5", "a\nb", "c"))
	in := bench.Inputs{Predictions: outputFile(t, "long", "de", with(but(sagend, "3", "eins zwo "+hostile), "5", "e")...), Data: referenceFile(t, "long", "de", refs...)}
	c := casesOf(t, Benchmark{Track: "long", Lang: "de", Scorers: lengths()}, in)["TRANS"]
	contains(t, facts(c), "lines: 2\n", "AS-WER: ")
	var rows []string
	for _, row := range c.Sections[0].Rows {
		rows = append(rows, marked(row[0])+"|"+marked(row[1])+"|"+marked(row[2]))
	}
	if got, want := strings.Join(rows, "\n"), "one two|eins zwei|eins zwo\n"+hostile+"|"+hostile+"|"+hostile; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestTranslationWithoutAScoreHasNoErrorRate(t *testing.T) {
	refs := changed(german, translationOf("t1", "3,99", "one two", "eins zwei"))
	in := bench.Inputs{Predictions: outputFile(t, "long", "de", sagend...), Data: referenceFile(t, "long", "de", refs...)}
	c := casesOf(t, Benchmark{Track: "long", Lang: "de", Scorers: lengths()}, in)["TRANS"]
	if c.Outcome != omniscope.Missing || c.Score != nil || strings.Contains(facts(c), "AS-WER") {
		t.Errorf("%s %s", c.Outcome, facts(c))
	}
}

func TestPagesWritten(t *testing.T) {
	for _, c := range []struct {
		lang string
		refs []mcifxml.Reference
		out  []string
		want string
	}{
		{"en", english, saying, "pairs.jsonl"},
		{"de", german, sagend, "pairs.jsonl"},
		{"en", only(english, asr), saying, ""},
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

// A system that repeats itself without end must not make a case that no browser
// opens.
func TestCaseOfGiantBounded(t *testing.T) {
	giant := strings.TrimSpace(strings.Repeat("again and again ", 20_000))
	in := bench.Inputs{Predictions: outputFile(t, "long", "en", but(saying, "0", giant)...), Data: referenceFile(t, "long", "en", english...)}
	c := casesOf(t, Benchmark{Track: "long", Lang: "en", Scorers: lengths()}, in)["ASR"]
	contains(t, facts(c), "of 3 words")
	words := marked(c.Sections[0].Text)
	contains(t, words, " … 40000 more words are not shown")

	in = bench.Inputs{Predictions: outputFile(t, "long", "de", but(sagend, "3", giant)...), Data: referenceFile(t, "long", "de", german...)}
	c = casesOf(t, Benchmark{Track: "long", Lang: "de", Scorers: lengths()}, in)["TRANS"]
	line := ""
	for _, row := range c.Sections[0].Rows {
		line += marked(row[2])
	}
	contains(t, line, " more characters are not shown")
	if len(words) > 300_000 || len(line) > 300_000 {
		t.Errorf("the words have %d bytes, the lines %d", len(words), len(line))
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
