package capricorn

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/bench"
	"omniscope/model/judge/lexical"
)

// hostile is what a caption, an event or a reply may hold.
const hostile = "</p></td><script>alert(1)</script> & <!-- ]]> | `x` [a](http://b.c) ![i](www.d.e) **b** _u_ $x$ \u202e\x1b[31m"

// shownText is what a browser shows of a page, which has to be well-formed.
func shownText(t *testing.T, html string) string {
	t.Helper()
	html = strings.NewReplacer("<!doctype html>", "", `<meta charset="utf-8">`, "", `<meta name="generator" content="omniscope">`, "", `<meta name="viewport" content="width=device-width, initial-scale=1">`, "", "<br>", "<br/>").Replace(html)
	d := xml.NewDecoder(strings.NewReader(html))
	d.Entity = xml.HTMLEntity
	var b strings.Builder
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return b.String()
		}
		if err != nil {
			t.Fatalf("the page is not well-formed: %v", err)
		}
		switch token := token.(type) {
		case xml.CharData:
			b.Write(token)
		case xml.StartElement:
			if slices.Contains([]string{"script", "img", "iframe", "link"}, token.Name.Local) {
				t.Errorf("there is an element %s", token.Name.Local)
			}
		}
	}
}

func wants(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("%q is missing", p)
		}
	}
}

// A guard and a nurse: the guard is described four times, in two groups.
var guardEvents = lists{
	evts: {"<sbj_2> enters right", "<sbj_2> sits wrong", "<sbj_2> leaves right", "<sbj_1> sings right", "<sbj_2> sleeps not"},
	ints: {"<sbj_1> greets <sbj_2> right"},
	bg:   {"it rains not"},
}

func guardJudge() *fake {
	said := func(verdict string, descriptions ...string) []any { return []any{judged(verdict, descriptions...)} }
	return &fake{says: map[string][]any{
		"v/subject|<sbj_2> enters right":         said("correctly mentioned", "<sbj_2>", "A guard in grey"),
		"v/subject|<sbj_2> sits wrong":           said("mentioned but with errors", "<sbj_2>", "the guard"),
		"v/subject|<sbj_2> leaves right":         said("correctly mentioned", "<sbj_2>", "a stranger"),
		"v/subject|<sbj_1> sings right":          said("correctly mentioned", "<sbj_1>", "the nurse"),
		"v/subject|<sbj_1> greets <sbj_2> right": said("correctly mentioned", "<sbj_1>", "-", "<sbj_2>", "the watchman"),
		"v/cluster|<sbj_2>":                      {`{"one": ["A guard in grey", "the guard", "the watchman"], "two": ["a stranger"]}`},
	}}
}

const guardCaption = "A guard in\ngrey comes. The guard sits down. A stranger goes; the nurse sings. The guard's hat stays."

func TestCaseGroups(t *testing.T) {
	in := inputs(t, bench.Strict, guardJudge(), jsonl(aRow("v", 252.3, guardEvents)), jsonl(aCaption("v", guardCaption)))
	in.System = "me"
	html := scoreToFiles(t, Benchmark{Cases: 3}, in)[casesHTML]
	shown := shownText(t, html)
	wants(t, shown, "Cases: me", "judged by fake. The 1 least consistent of 1 videos", "252.3 s (4:12 min)",
		"2 <sbj_2>: group a[2a] “A guard in grey”, “the guard”, “the watchman”; group b[2b] “a stranger”", "1 <sbj_1>: the only mention[1] “the nurse”",
		"A guard in grey[2a] comes. The guard[2a] sits down. A stranger[2b] goes; the nurse[1] sings. The guard[2a]'s hat stays.",
		"the watchman[2a]", "✓ correct", "± with errors", "✗ not mentioned", "<sbj_1>: left out", "because",
		"3 correct, 1 with errors, 1 not mentioned", "30.0 %") // 3 of the 10 pairs of five keypoints
	hue := func(text string) string {
		m := regexp.MustCompile(`--hue:(\d+)" title="([^"]*)">` + text + `<sup>`).FindStringSubmatch(html)
		if m == nil {
			t.Fatalf("%s is not marked", text)
		}
		return m[1] + " " + m[2]
	}
	if hue("The guard") != hue("A guard in grey") || !strings.HasSuffix(hue("The guard"), "&lt;sbj_2&gt;, group a") {
		t.Errorf("one group has the colours %s and %s", hue("The guard"), hue("A guard in grey"))
	}
	if hue("The guard") == hue("A stranger") || hue("A stranger") == hue("the nurse") {
		t.Error("two groups have one colour")
	}
}

func TestCaseMarkdown(t *testing.T) {
	in := inputs(t, bench.Strict, guardJudge(), jsonl(aRow("v", 252.3, guardEvents)), jsonl(aCaption("v", guardCaption+"\n\n1. a list\n- and an item")))
	md := scoreToFiles(t, Benchmark{Cases: 3}, in)[casesMarkdown]
	wants(t, md, "| 1 | [v](#case-1) | 252.3 s (4:12 min) | 15.0 % |", `## 1. v – 252.3 s`,
		`> **A guard in grey** \[2a\] comes. **The guard** \[2a\] sits down. **A stranger** \[2b\] goes; **the nurse** \[1\] sings.`,
		`- **the watchman** \[2a\]`, "\n> 1\\. a list\n", "\n> \\- and an item\n", "| 2 \\<sbj\\_2\\> | 5 | 4 | 2: 3 + 1 | 30.0 % |",
		"- ± with errors: \\<sbj\\_2\\> sits wrong\n  - \\<sbj\\_2\\>: **the guard** \\[2a\\]\n  - why: because\n")
}

func TestCaseScoringDifferences(t *testing.T) {
	f := guardJudge()
	f.says["v/cluster|<sbj_2>"] = []any{"no", "no", "no", "no", "no"}
	events := lists{evts: append(slices.Clone(guardEvents[evts]), "<sbj_2> enters right", "nobody comes right"), ints: guardEvents[ints]}
	f.says["v/subject|<sbj_2> enters right"] = append(f.says["v/subject|<sbj_2> enters right"], f.says["v/subject|<sbj_2> enters right"]...)
	in := inputs(t, bench.Strict, f, jsonl(aRow("v", 0, events)), jsonl(aCaption("v", guardCaption)))
	shown := shownText(t, scoreToFiles(t, Benchmark{Cases: 1}, in)[casesHTML])
	wants(t, shown, "could not be grouped[2?]", "The guard[2?] sits", "official counts repeated keypoints", "could not be grouped: official leaves the subject out",
		"repeats an earlier keypoint", "Where the profiles differ", whatRepeated, whatUngrouped, whatNoBucket)
}

func TestSubjectNumbers(t *testing.T) {
	for _, c := range []struct {
		subjects []string
		want     string
	}{
		{[]string{"<sbj_3>", "<sbj_1>"}, "1 <sbj_1>, 3 <sbj_3>"},
		{[]string{"<Bob>", "<Al>"}, "1 <Bob>, 2 <Al>"},
		{[]string{"<a2>", "<b2>"}, "1 <a2>, 2 <b2>"},
		{[]string{"<a99999999999999999999>", "<b2000>"}, "1 <a99999999999999999999>, 2 <b2000>"},
	} {
		var got []string
		for _, l := range (&unit{subjects: c.subjects}).numbered() {
			got = append(got, fmt.Sprintf("%d %s", l.number, l.name))
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("got %s, want %s", strings.Join(got, ", "), c.want)
		}
	}
	if got := lettersOf(0) + lettersOf(25) + lettersOf(26) + lettersOf(52); got != "azaaba" {
		t.Errorf("letters are %s", got)
	}
}

func TestCaseHostileTexts(t *testing.T) {
	event := "<s" + hostile + "> acts"
	f := &fake{says: map[string][]any{}}
	for _, e := range []string{event, event + " again"} {
		d := pairs{}
		for _, s := range subjectsOf(e) {
			d[s] = hostile
		}
		f.says["<v>"+hostile+"/subject|"+e] = []any{jsonText(pairs{typeKey: "correctly mentioned", reasonKey: hostile, descriptionsKey: d})}
	}
	in := inputs(t, bench.Strict, f, jsonl(aRow("<v>"+hostile, 3, lists{evts: {event, event + " again"}, minor: {hostile}})), jsonl(aCaption("<v>"+hostile, "It says "+hostile+" twice.\n# "+hostile)))
	in.System = hostile
	files := scoreToFiles(t, Benchmark{Cases: 1}, in)
	shown := shownText(t, files[casesHTML])
	if n := strings.Count(shown, "<script>alert(1)</script> & <!-- ]]>"); n < 8 {
		t.Errorf("the text is shown %d times", n)
	}
	plain := regexp.MustCompile(`\\.`).ReplaceAllString(files[casesMarkdown], "")
	plain = regexp.MustCompile(`<a id="case-\d+"></a>|\]\(#case-\d+\)`).ReplaceAllString(plain, "")
	for _, bad := range []string{"<", "](", "![", "`", "$", "&", "://", "www."} {
		if strings.Contains(plain, bad) {
			t.Errorf("the Markdown has an unescaped %s", bad)
		}
	}
	for name, text := range map[string]string{casesHTML: files[casesHTML], casesMarkdown: files[casesMarkdown]} {
		if strings.ContainsAny(text, "\u202e\x1b") {
			t.Errorf("%s has characters that act", name)
		}
	}
}

func TestCaseManyKeypointsLongCaption(t *testing.T) {
	events := lists{}
	var caption strings.Builder
	for i := range 600 {
		class := classes[i%len(classes)].key
		text := fmt.Sprintf("number %d is right", i)
		if i%len(classes) < subjectClasses {
			text = fmt.Sprintf("<sbj_%d> does %d right", i%40, i)
		}
		events[class] = append(events[class], text)
		fmt.Fprintf(&caption, "Then the sbj_%d goes on and on, %s.\n", i%40, strings.Repeat("further ", 30))
	}
	in := inputs(t, bench.Strict, &fake{}, jsonl(aRow("v", 600, events)), jsonl(aCaption("v", caption.String())))
	files := scoreToFiles(t, Benchmark{Cases: 1}, in)
	shown := shownText(t, files[casesHTML])
	for _, list := range events {
		wants(t, shown, list...)
		for _, e := range list {
			wants(t, files[casesMarkdown], markdownText(e))
		}
	}
	wants(t, shown, "The caption is long, and ", "[… ", "120 correct, 0 with errors, 0 not mentioned")
	for i := range 40 {
		if i%len(classes) < subjectClasses {
			wants(t, shown, fmt.Sprintf("the sbj_%d[%da] goes on", i, i))
		}
	}
}

func TestCasesWithoutAJudge(t *testing.T) {
	in := inputs(t, bench.Strict, nil, jsonl(aRow("v", 20, lists{evts: {"<sbj_1> opens the door", "<sbj_1> pours tea"}})), jsonl(aCaption("v", "A nurse opens the door. The nurse pours tea.")))
	shown := shownText(t, scoreToFiles(t, Benchmark{Cases: 1}, in)[casesHTML])
	wants(t, shown, "judged by the offline reader, a baseline", "opens the door")
	if quote := lexical.NewCaption("A nurse opens the door. The nurse pours tea.").Find("<sbj_1> pours tea", []string{"<sbj_1>"}).Quote; quote == "" || !strings.Contains(shown, quote) {
		t.Errorf("the quote %q is missing", quote)
	}
}

// threeVideos are one consistent, one not at all, one in between, one without a
// caption.
func threeVideos(t *testing.T) bench.Inputs {
	events := lists{evts: {"<sbj_1> a right", "<sbj_1> b right", "<sbj_1> c not"}}
	rows := jsonl(aRow("in-between", 9, events), aRow("never", 9, lists{evts: {"<sbj_1> a not", "<sbj_1> b not"}}), aRow("always", 9, lists{evts: {"<sbj_1> a right", "<sbj_1> b right"}}), aRow("missing", 9, events))
	return inputs(t, bench.Strict, &fake{}, rows, jsonl(aCaption("always", "the sbj_1"), aCaption("in-between", "the sbj_1"), aCaption("never", "x")))
}

func TestWorstVideosAndSubjects(t *testing.T) {
	for cases, want := range map[int]string{
		0: "", 1: "never 0.0 % 0.0 %", 3: "never 0.0 % 0.0 %; in-between 33.3 % 66.7 %; always 100.0 % 100.0 %", 9: "never 0.0 % 0.0 %; in-between 33.3 % 66.7 %; always 100.0 % 100.0 %",
	} {
		e := opened(t, Benchmark{Cases: cases}, threeVideos(t))
		for i := range e.plan.Units {
			evaluated(t, e, i)
		}
		var rows []string
		for _, r := range e.videoTable().Rows {
			rows = append(rows, strings.Join(r, " "))
		}
		if got := strings.Join(rows, "; "); got != want {
			t.Errorf("with %d cases the table is %q, want %q", cases, got, want)
		}
		x := e.Explain()
		if want := map[bool]int{true: 4, false: 2}[cases > 0]; len(x.Pages) != want {
			t.Errorf("with %d cases there are %d pages, want %d", cases, len(x.Pages), want)
		}
		if cases == 0 {
			if len(x.Tables) != 0 {
				t.Errorf("without cases there are %d tables", len(x.Tables))
			}
			continue
		}
		rows = nil
		for _, r := range e.subjectTable().Rows {
			rows = append(rows, strings.Join(r, " "))
		}
		if got, want := strings.Join(rows, "; "), "never <sbj_1> 2 0 0 0.0 %; in-between <sbj_1> 3 2 1 33.3 %; always <sbj_1> 2 2 1 100.0 %"; got != want {
			t.Errorf("the subjects are %q, want %q", got, want)
		}
	}
}

func TestFewWorstSubjects(t *testing.T) {
	var c cases
	for i := range 50 {
		events := lists{evts: {"<sbj_1> a not", "<sbj_1> b not", "<sbj_2> c not", "<sbj_2> d not", "<sbj_2> e not"}}
		v, err := parseVideo([]byte(jsonText(aRow(fmt.Sprint(i), 9, events))))
		if err != nil {
			t.Fatal(err)
		}
		u := newUnit(v, bench.Strict, false)
		for k := range u.judged {
			u.judged[k].verdict = omniscope.NotGiven
		}
		u.official = map[string]*grouping{"<sbj_1>": {}, "<sbj_2>": {}}
		u.strict = u.official
		c.add((i+25)%50, u, 4)
	}
	if len(c.subjects) != tableRows || len(c.list) != 4 {
		t.Fatalf("%d subjects and %d videos are kept", len(c.subjects), len(c.list))
	}
	for i, s := range c.subjects {
		if s.seq != i || s.name != "<sbj_2>" {
			t.Errorf("row %d is subject %s of video %d, want that of the most keypoints", i, s.name, s.seq)
		}
	}
}

func TestCaseOfficialRun(t *testing.T) {
	events := lists{evts: {"<sbj_1> a right", "<sbj_1> a right", "<sbj_1> b right"}}
	in := inputs(t, bench.Official, &fake{}, jsonl(aRow("v", nil, events)), jsonl(aCaption("v", "The sbj_1 goes.")))
	files := scoreToFiles(t, Benchmark{Cases: 1}, in)
	wants(t, shownText(t, files[casesHTML]), "The sbj_1[1a] goes.", "not asked", "strict groups another list of descriptions, which this run did not ask about", "of unknown length", "official – leaves the video out of its means")
}

func TestCaseOfEmptyCaption(t *testing.T) {
	in := inputs(t, bench.Official, &fake{}, jsonl(aRow("v", 9, lists{evts: {"<sbj_1> a not"}})), jsonl(aCaption("v", "")))
	files := scoreToFiles(t, Benchmark{Cases: 1}, in)
	wants(t, shownText(t, files[casesHTML]), "The caption is empty.", "1 <sbj_1>: not mentioned")
	wants(t, files[casesMarkdown], "The caption is empty.", "1 \\<sbj\\_1\\>: not mentioned")
}

func TestShortenOverlongTexts(t *testing.T) {
	text := oneLine(strings.Repeat("a", 5_000) + "\n" + strings.Repeat("é", 5_000))
	if want := strings.Repeat("a", mostWritten/2) + " […] " + strings.Repeat("é", mostWritten/2); text != want {
		t.Errorf("it has %d bytes, want %d", len(text), len(want))
	}
}

func TestNoCases(t *testing.T) {
	in := inputs(t, bench.Strict, &fake{}, jsonl(aRow("v", 9, lists{evts: {"<sbj_1> a right"}})), "")
	in.CaptionField = "caption"
	files := scoreToFiles(t, Benchmark{Cases: 2}, in)
	wants(t, shownText(t, files[casesHTML]), "No video was judged.")
	wants(t, files[casesMarkdown], "No video was judged.")
}
