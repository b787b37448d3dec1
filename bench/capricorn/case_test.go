package capricorn

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/internal/testing/fixture"
	"omniscope/model/judge/baseline"
)

// hostile is what a caption, an event or a reply may hold.
const hostile = "</p></td><script>alert(1)</script> & <!-- ]]> | `x` [a](http://b.c) ![i](www.d.e) **b** _u_ $x$ \u202e\x1b[31m"

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

// caseIn scores one video and returns its case, and the text of its facts and sections: cells are separated by "|".
func caseIn(t *testing.T, in bench.Inputs) (c document.Case, text string) {
	t.Helper()
	fixture.OK(t, json.Unmarshal([]byte(scoreToFiles(t, Benchmark{}, in)[bench.CasesFile]), &c))
	var b strings.Builder
	for _, f := range c.Facts {
		fmt.Fprintf(&b, "%s: %s\n", f.Name, f.Value)
	}
	for _, s := range c.Sections {
		fmt.Fprintf(&b, "# %s\n%s\n", s.Title, textOf(s.Text))
		for _, row := range s.Rows {
			for _, cell := range row {
				b.WriteString(textOf(cell) + "|")
			}
			b.WriteByte('\n')
		}
	}
	return c, b.String()
}

func textOf(pieces []document.Piece) (text string) {
	for _, p := range pieces {
		text += p.Text
	}
	return text
}

func guardInputs(t *testing.T) bench.Inputs {
	return inputs(t, bench.Strict, guardJudge(), jsonl(aRow("v", 252.3, guardEvents)), jsonl(aCaption("v", guardCaption)))
}

func TestCaseHasGroupsAndEvidence(t *testing.T) {
	c, text := caseIn(t, guardInputs(t))
	wants(t, text, "length: 252.3 s (4:12 min)", "caption: 100 characters", "strict: Acc 57.1 %, Cov 71.4 %, Ref 15.0 %",
		"A guard in\ngrey [2a] comes. The guard [2a] sits down. A stranger [2b] goes; the nurse [1] sings. The guard [2a]'s hat stays.",
		"2 <sbj_2>|group a [2a]|“A guard in grey”, “the guard”, “the watchman”|\n2 <sbj_2>|group b [2b]|“a stranger”|\n",
		"1 <sbj_1>|the only mention [1]|“the nurse”|\n",
		"|not in the caption word for word|“the watchman” [2a]|\n",
		"2 <sbj_2>|5|4|2: 3 + 1|30.0 %|", // 3 of the 10 pairs of five keypoints
		"± with errors|<sbj_2> sits wrong|<sbj_2>: the guard [2a]|because|\n", "✗ not mentioned|<sbj_2> sleeps not|",
		"<sbj_1>: left out; <sbj_2>: the watchman [2a]", "3 correct, 1 with errors, 1 not mentioned")
	groups := make(map[string]int)
	for _, p := range c.Sections[0].Text {
		if p.Tone == document.Subject {
			groups[p.Text+" ("+p.Note+")"] = p.Group
		}
	}
	if got, want := fmt.Sprint(groups), "map[A guard in\ngrey [2a] (<sbj_2>, group a):2 A stranger [2b] (<sbj_2>, group b):3 The guard [2a] (<sbj_2>, group a):2 the nurse [1] (<sbj_1>, the only mention):1]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestCaseHasScoringDifferences(t *testing.T) {
	f := guardJudge()
	f.says["v/cluster|<sbj_2>"] = []any{"no", "no", "no", "no", "no"}
	events := lists{evts: append(slices.Clone(guardEvents[evts]), "<sbj_2> enters right", "nobody comes right"), ints: guardEvents[ints]}
	f.says["v/subject|<sbj_2> enters right"] = append(f.says["v/subject|<sbj_2> enters right"], f.says["v/subject|<sbj_2> enters right"]...)
	c, text := caseIn(t, inputs(t, bench.Strict, f, jsonl(aRow("v", 0, events)), jsonl(aCaption("v", guardCaption))))
	wants(t, text, "|could not be grouped [2?]|", "The guard [2?] sits", "official counts repeated keypoints", "could not be grouped: official leaves the subject out",
		"repeats an earlier keypoint", "# Where the profiles differ\n", whatRepeated+"|1|", whatUngrouped+"|", whatNoBucket+"|1|")
	for _, p := range c.Sections[0].Text {
		if p.Text == "The guard [2?]" && p.Group != 0 {
			t.Errorf("a description in no group has the colour of group %d", p.Group)
		}
	}
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

func TestCaseHoldsHostileTextsAsTheyAre(t *testing.T) {
	event := "<s" + hostile + "> acts"
	f := &fake{says: map[string][]any{}}
	for _, e := range []string{event, event + " again"} {
		d := pairs{}
		for _, s := range subjectsOf(e) {
			d[s] = hostile
		}
		f.says["<v>"+hostile+"/subject|"+e] = []any{jsonText(pairs{typeKey: "correctly mentioned", reasonKey: hostile, descriptionsKey: d})}
	}
	_, text := caseIn(t, inputs(t, bench.Strict, f, jsonl(aRow("<v>"+hostile, 3, lists{evts: {event, event + " again"}, minor: {hostile}})), jsonl(aCaption("<v>"+hostile, "It says "+hostile+" twice.\n# "+hostile))))
	if n := strings.Count(text, "<script>alert(1)</script> & <!-- ]]>"); n < 8 {
		t.Errorf("the text is shown %d times", n)
	}
}

func TestCaseOfManyKeypointsAndALongCaption(t *testing.T) {
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
	c, text := caseIn(t, inputs(t, bench.Strict, &fake{}, jsonl(aRow("v", 600, events)), jsonl(aCaption("v", caption.String()))))
	for _, list := range events {
		wants(t, text, list...)
	}
	wants(t, text, " of them left out where […] is", "[… ", "120 correct, 0 with errors, 0 not mentioned")
	for i := range 40 {
		if i%len(classes) < subjectClasses {
			wants(t, text, fmt.Sprintf("the sbj_%d [%da] goes on", i, i))
		}
	}
	if n := len(textOf(c.Sections[0].Text)); n > mostShown+5_000 {
		t.Errorf("%d bytes of the caption are shown", n)
	}
}

func TestCaseWithoutAJudge(t *testing.T) {
	_, text := caseIn(t, inputs(t, bench.Strict, nil, jsonl(aRow("v", 20, lists{evts: {"<sbj_1> opens the door", "<sbj_1> pours tea"}})), jsonl(aCaption("v", "A nurse opens the door. The nurse pours tea."))))
	if quote := baseline.NewCaption("A nurse opens the door. The nurse pours tea.").Find("<sbj_1> pours tea", 1).Quote; quote == "" || !strings.Contains(text, "“"+quote+"”") {
		t.Errorf("the quote %q is missing", quote)
	}
}

func TestCaseOfOfficialRun(t *testing.T) {
	events := lists{evts: {"<sbj_1> a right", "<sbj_1> a right", "<sbj_1> b right"}}
	_, text := caseIn(t, inputs(t, bench.Official, &fake{}, jsonl(aRow("v", nil, events)), jsonl(aCaption("v", "The sbj_1 goes."))))
	wants(t, text, "The sbj_1 [1a] goes.", "not asked", "strict groups another list of descriptions, which this run did not ask about", "of unknown length", "|leaves the video out of its means|")
}

func TestSubjectsWithoutAMention(t *testing.T) {
	events := lists{evts: {"<sbj_1> a not"}}
	for name, c := range map[string]struct {
		judge   *fake
		caption string
		want    string
	}{
		"an empty caption":      {&fake{}, jsonl(aCaption("v", "")), "1 <sbj_1>|not mentioned|"},
		"judged":                {&fake{}, jsonl(aCaption("v", "x")), "1 <sbj_1>|not mentioned|"},
		"no caption":            {&fake{}, jsonl(aCaption("w", "x")), "1 <sbj_1>|not judged|"},
		"an unreadable verdict": {&fake{says: map[string][]any{"v/subject|<sbj_1> a not": {"no", "no", "no", "no", "no"}}}, jsonl(aCaption("v", "x")), "1 <sbj_1>|not judged|"},
	} {
		in := inputs(t, bench.Strict, c.judge, jsonl(aRow("v", 9, events)), c.caption)
		if _, text := caseIn(t, in); !strings.Contains(text, c.want) {
			t.Errorf("%s: %q is not in %s", name, c.want, text)
		}
	}
	_, text := caseIn(t, inputs(t, bench.Official, &fake{}, jsonl(aRow("v", 9, events)), jsonl(aCaption("v", ""))))
	wants(t, text, "caption: 0 characters", "No text.")
}

func TestShortenOverlongTexts(t *testing.T) {
	text := oneLine(strings.Repeat("a", 5_000) + "\n" + strings.Repeat("é", 5_000))
	if want := strings.Repeat("a", mostWritten/2) + " […] " + strings.Repeat("é", mostWritten/2); text != want {
		t.Errorf("it has %d bytes, want %d", len(text), len(want))
	}
}

// TestCasesOfAllVideos has a case for each video, the one without a caption among them.
func TestCasesOfAllVideos(t *testing.T) {
	annotations, captions := pastVideos()
	text := scoreToFiles(t, Benchmark{}, inputs(t, bench.Strict, &fake{}, annotations, captions))[bench.CasesFile]
	var cases []document.Case
	for line := range strings.Lines(text) {
		var c document.Case
		fixture.OK(t, json.Unmarshal([]byte(line), &c))
		cases = append(cases, c)
	}
	if len(cases) != strings.Count(annotations, "\n") {
		t.Fatalf("%d cases of %d videos", len(cases), strings.Count(annotations, "\n"))
	}
	first := cases[0]
	if first.Score == nil || *first.Score != 0.6 || first.Sections[0].Title != "Caption" || first.Sections[1].Title != "Groups" || first.Sections[2].Title != "Subjects" {
		t.Errorf("%+v", first)
	}
	row := first.Sections[3].Rows[0]
	if row[0][0] != (document.Piece{Text: "✓ correct", Tone: document.Good}) || row[2][1].Text != "the a [1a]" || row[2][1].Tone != document.Subject {
		t.Errorf("%+v", row)
	}
	for _, c := range cases {
		if c.Outcome == omniscope.Missing && (c.Score != nil || c.Sections[0].Text[0].Tone != document.Dim) {
			t.Errorf("%+v", c)
		}
	}
}
