package mcif

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/bench/mcif/mcifxml"
	"omniscope/internal/pyrepr"
	"omniscope/internal/testing/fixture"
)

// An inputCase is a kind of input, and what becomes of the unit it is about.
type inputCase struct {
	name, track, lang string
	refs              []mcifxml.Reference
	out               []string
	unit              string
	outcome           omniscope.Outcome
	official, strict  counted
	stops             *string  // the reason for which official has no scores; nil = it has
	cause             string   // what a stop without a reason says
	differ            []string // what the results say that the scorings treat otherwise
	other             func(*Scorers)
}

// counted are the counts that are not 0.
type counted = map[string]float64

var (
	silent = new(string) // official stops without a reason
	none   = counted{}
)

// changed replaces the references of the same name, or adds them.
func changed(refs []mcifxml.Reference, by ...mcifxml.Reference) []mcifxml.Reference {
	refs = slices.Clone(refs)
	for _, r := range by {
		if i := slices.IndexFunc(refs, func(old mcifxml.Reference) bool { return old.IID == r.IID }); i >= 0 {
			refs[i] = r
		} else {
			refs = append(refs, r)
		}
	}
	return refs
}

// only leaves the references of these tasks.
func only(refs []mcifxml.Reference, tasks ...string) (left []mcifxml.Reference) {
	for _, r := range refs {
		if slices.Contains(tasks, r.Task) {
			left = append(left, r)
		}
	}
	return left
}

func longEnglish(c inputCase) inputCase { return c.long("en", english, saying) }

func longGerman(c inputCase) inputCase { return c.long("de", german, sagend) }

// long is the case in the long track, with references and outputs where it has no own ones.
func (c inputCase) long(lang string, refs []mcifxml.Reference, out []string) inputCase {
	c.track, c.lang = "long", lang
	if c.refs == nil {
		c.refs = refs
	}
	if c.out == nil {
		c.out = out
	}
	return c
}

func inputCases() []inputCase {
	tooLong := strings.Repeat("1 ", 3) + strings.Repeat("7", 4301)
	return []inputCase{
		longEnglish(inputCase{name: "all is well", unit: "ASR_t1", outcome: omniscope.OK, official: counted{"hits": 3}, strict: counted{"hits": 3}}),
		longGerman(inputCase{name: "alles ist gut", unit: "TRANS_t1", outcome: omniscope.OK,
			official: counted{"comet_sum": 2, "lines": 2}, strict: counted{"comet_sum": 2, "lines": 2}}),

		longEnglish(inputCase{name: "an answer is missing", out: without(saying, "1"), unit: "QA_t1_1", outcome: omniscope.Missing,
			official: none, strict: counted{"unscored_answers": 1}, stops: new("'1'"), differ: []string{"samples without an output"}}),
		longEnglish(inputCase{name: "a transcript is missing", out: without(saying, "0"), unit: "ASR_t1", outcome: omniscope.Missing,
			official: none, strict: counted{"unscored_words": 3}, stops: new("'0'"), differ: []string{"samples without an output"}}),
		{name: "a segment is missing", track: "short", lang: "en", refs: []mcifxml.Reference{transcriptOf("t1", "0,7", "the cat sat"), english[1]}, out: saying,
			unit: "ASR_t1", outcome: omniscope.Missing, official: none, strict: counted{"unscored_words": 3}, stops: new("'7'"), differ: []string{"samples without an output"}},
		longGerman(inputCase{name: "a translation is missing", out: without(sagend, "3"), unit: "TRANS_t1", outcome: omniscope.Missing,
			official: none, strict: counted{"unscored_lines": 2}, stops: new("'3'"), differ: []string{"samples without an output"}}),
		longEnglish(inputCase{name: "what is missing takes no other along", out: without(saying, "1"), unit: "SUM_t1", outcome: omniscope.OK,
			official: none, strict: counted{"summaries": 1, "summary_sum": 1}, stops: new("'1'"), differ: []string{"samples without an output"}}),

		longEnglish(inputCase{name: "two answers that differ", out: append([]string{"1", "a dog or two"}, saying...), unit: "QA_t1_1", outcome: omniscope.Unparsed,
			official: counted{"answers": 1, "answer_sum": 1}, strict: counted{"unscored_answers": 1}, differ: []string{"samples with several outputs that differ"}}),
		longEnglish(inputCase{name: "two answers that differ, and the last twice", out: with(append([]string{"1", "a dog or two"}, saying...), "1", "a cat"), unit: "QA_t1_1", outcome: omniscope.Unparsed,
			official: counted{"answers": 1, "answer_sum": 1}, strict: counted{"unscored_answers": 1}, differ: []string{"samples with several outputs that differ"}}),
		longEnglish(inputCase{name: "the same answer twice", out: with(saying, "1", " a cat "), unit: "QA_t1_1", outcome: omniscope.OK,
			official: counted{"answers": 1, "answer_sum": 1}, strict: counted{"answers": 1, "answer_sum": 1}}),

		longEnglish(inputCase{name: "an empty answer", out: but(saying, "1", ""), unit: "QA_t1_1", outcome: omniscope.Abstained,
			official: counted{"answers": 1}, strict: counted{"unscored_answers": 1}, differ: []string{"empty answers or summaries"}}),
		longEnglish(inputCase{name: "a blank summary", out: but(saying, "2", "\n "), unit: "SUM_t1", outcome: omniscope.Abstained,
			official: counted{"summaries": 1}, strict: counted{"unscored_summaries": 1}, differ: []string{"empty answers or summaries"}}),
		longEnglish(inputCase{name: "an empty transcript", out: but(saying, "0", ""), unit: "ASR_t1", outcome: omniscope.Abstained,
			official: counted{"deletions": 3}, strict: counted{"deletions": 3}}),
		longGerman(inputCase{name: "an empty translation", out: but(sagend, "3", ""), unit: "TRANS_t1", outcome: omniscope.Abstained,
			official: counted{"comet_sum": 1.0 / 9, "lines": 2}, strict: counted{"lines": 2}, differ: []string{"lines of translations that are cut otherwise"}}),

		longEnglish(inputCase{name: "an answer without reference", refs: changed(english, answerTo("t1_1", "1", "")), unit: "QA_t1_1", outcome: omniscope.Missing,
			official: none, strict: counted{"unscored_answers": 1}, stops: new(noneHasNoLength), differ: []string{"samples without a reference"}}),
		longEnglish(inputCase{name: "a later answer without reference", refs: changed(english, answerTo("t1_2", "2", "")), unit: "QA_t1_2", outcome: omniscope.Missing,
			official: none, strict: counted{"unscored_answers": 1}, stops: new(noneHasNoSplit), differ: []string{"samples without a reference"}}),
		longEnglish(inputCase{name: "a summary without reference", refs: changed(english, summaryOf("t1", "2", "")), unit: "SUM_t1", outcome: omniscope.Missing,
			official: none, strict: counted{"unscored_summaries": 1}, stops: new(noneHasNoLength), differ: []string{"samples without a reference"}}),
		longEnglish(inputCase{name: "an answer whose reference is a blank", refs: changed(english, answerTo("t1_1", "1", " ")), unit: "QA_t1_1", outcome: omniscope.Missing,
			official: counted{"answers": 1, "answer_sum": 0.2}, strict: counted{"unscored_answers": 1}, differ: []string{"references of blanks"}}),
		longEnglish(inputCase{name: "a transcript of blanks", refs: changed(english, transcriptOf("t1", "0", " ")), unit: "ASR_t1", outcome: omniscope.Missing,
			official: none, strict: none, stops: new("After applying the transformation, each reference should be a non-empty list of strings, with each string being a single word."),
			differ: []string{"references of blanks"}}),
		longEnglish(inputCase{name: "a transcript without reference", refs: changed(english, transcriptOf("t1", "0", "")), unit: "ASR_t1", outcome: omniscope.Missing,
			official: none, strict: none, stops: new(noneHasNoLower), differ: []string{"samples without a reference"}}),
		longGerman(inputCase{name: "a translation without reference", refs: changed(german, translationOf("t1", "3", "", "")), unit: "TRANS_t1", outcome: omniscope.Missing,
			official: none, strict: counted{"unscored_lines": 1}, stops: new(noneHasNoSplit), differ: []string{"samples without a reference"}}),
		longGerman(inputCase{name: "a translation of blanks", refs: changed(german, translationOf("t1", "3", "one", " ")), unit: "TRANS_t1", outcome: omniscope.Missing,
			official: none, strict: counted{"unscored_lines": 1}, stops: new("[Errno 2] No such file or directory: '__segments'"), differ: []string{"references of blanks"}}),
		longGerman(inputCase{name: "a translation without transcript", refs: changed(german, reference(trans, "TRANS_t1", "3", "eins\nzwei")), unit: "TRANS_t1", outcome: omniscope.Missing,
			official: none, strict: counted{"unscored_lines": 2}, stops: new("'transcript'"), differ: []string{"talks whose transcript and translation have different numbers of lines"}}),
		longGerman(inputCase{name: "lines that differ come before what is missing", refs: changed(german, translationOf("t1", "7", "one", "eins\nzwei")), unit: "TRANS_t1", outcome: omniscope.Missing,
			official: none, strict: counted{"unscored_lines": 2}, stops: new("TRANS reference (IID: TRANS_t1) has mismatched number of target (2) and source lines (1)"), differ: []string{"samples without an output"}}),
		longEnglish(inputCase{name: "an answer of several samples", refs: changed(english, answerTo("t1_1", "1,2", "a cat")), unit: "QA_t1_1", outcome: omniscope.Unparsed,
			official: none, strict: counted{"unscored_answers": 1}, stops: new("QA reference (IID: QA_t1_1) mapped to multiple samples ids: ['1', '2']"),
			differ: []string{"answers made of several samples"}}),
		longGerman(inputCase{name: "a source line too few", refs: changed(german, translationOf("t1", "3", "one two", "eins zwei\ndrei")), unit: "TRANS_t1", outcome: omniscope.Missing,
			official: none, strict: counted{"unscored_lines": 2}, stops: new("TRANS reference (IID: TRANS_t1) has mismatched number of target (2) and source lines (1)"),
			differ: []string{"talks whose transcript and translation have different numbers of lines"}}),
		longGerman(inputCase{name: "an empty line in a reference", refs: changed(german, translationOf("t1", "3", "one\n\ntwo", "eins\n\nzwei")), out: but(sagend, "3", "eins zwei"),
			unit: "TRANS_t1", outcome: omniscope.OK, official: none, strict: counted{"comet_sum": 3, "lines": 3},
			stops: new("[Errno 2] No such file or directory: '__segments'"), differ: []string{"translations that mwerSegmenter cannot cut"}}),
		{name: "blanks in Chinese", track: "long", lang: "zh", refs: changed(only(english, qa, sum), translationOf("t1", "3", "AI models", "AI 模型")), out: with(saying, "3", "AI 模型"),
			unit: "TRANS_t1", outcome: omniscope.OK, official: counted{"comet_sum": 0.8, "lines": 1}, strict: counted{"comet_sum": 1, "lines": 1},
			differ: []string{"lines of translations that are cut otherwise"}},

		longEnglish(inputCase{name: "no questions", refs: only(english, asr, sum), unit: "ASR_t1", outcome: omniscope.OK,
			official: none, strict: counted{"hits": 3}, stops: silent, cause: "there are no questions"}),
		longEnglish(inputCase{name: "no summaries", refs: only(english, asr, qa), unit: "ASR_t1", outcome: omniscope.OK,
			official: none, strict: counted{"hits": 3}, stops: silent, cause: "there are no summaries"}),
		longGerman(inputCase{name: "no translations", refs: only(german, qa, sum), unit: "QA_t1_1", outcome: omniscope.OK,
			official: none, strict: counted{"answers": 1, "answer_sum": 1}, stops: silent, cause: "there are no translations"}),
		longEnglish(inputCase{name: "questions only", refs: only(english, qa), unit: "QA_t1_1", outcome: omniscope.OK,
			official: none, strict: counted{"answers": 1, "answer_sum": 1}, stops: silent, cause: "two or three tasks"}),
		{name: "summaries of segments", track: "short", lang: "en", refs: english, out: saying, unit: "ASR_t1", outcome: omniscope.OK,
			official: none, strict: counted{"hits": 3}, stops: silent, cause: "the short track must have two tasks"},
		{name: "segments without transcripts", track: "short", lang: "en", refs: only(english, qa, sum), out: saying, unit: "QA_t1_1", outcome: omniscope.OK,
			official: none, strict: counted{"answers": 1, "answer_sum": 1}, stops: silent, cause: "there are no transcripts"},
		longGerman(inputCase{name: "another talk", refs: changed(german, translationOf("t2", "5", "five", "fünf")), out: with(sagend, "5", "fü"), unit: "TRANS_t2", outcome: omniscope.OK,
			official: counted{"comet_sum": 0.5, "lines": 1}, strict: counted{"comet_sum": 0.5, "lines": 1}}),
		longEnglish(inputCase{name: "no transcripts", refs: only(english, qa, sum), unit: "QA_t1_1", outcome: omniscope.OK,
			official: counted{"answers": 1, "answer_sum": 1}, strict: counted{"answers": 1, "answer_sum": 1}}),

		longEnglish(inputCase{name: "a number of 4,301 digits", out: but(saying, "0", tooLong), unit: "ASR_t1", outcome: omniscope.Unparsed,
			official: none, strict: counted{"unscored_words": 3}, stops: silent, cause: "digits", differ: []string{"talks whose words cannot be aligned"},
			other: func(s *Scorers) { s.Normalize = published().Normalize }}),
		longEnglish(inputCase{name: "a name twice", refs: append(slices.Clone(english), answerTo("t1_1", "2", "cats sit")), unit: "QA_t1_1", outcome: omniscope.OK,
			official: none, strict: counted{"answers": 1, "answer_sum": 1}, differ: []string{"references of which a later one has the name"}}),
		longEnglish(inputCase{name: "chapters beside three tasks", refs: append(slices.Clone(english), reference("ACHAP", "ACHAP_t1", "9", "[]")), unit: "QA_t1_1", outcome: omniscope.OK,
			official: none, strict: counted{"answers": 1, "answer_sum": 1}, stops: silent, cause: "two or three tasks"}),
		longEnglish(inputCase{name: "chapters as the third task", refs: append(only(english, qa, sum), reference("ACHAP", "ACHAP_t1", "9", "[]")), unit: "QA_t1_1", outcome: omniscope.OK,
			official: counted{"answers": 1, "answer_sum": 1}, strict: counted{"answers": 1, "answer_sum": 1}}),
		longEnglish(inputCase{name: "outputs that nobody asked for", out: with(saying, "99", "hello"), unit: "QA_t1_1", outcome: omniscope.OK,
			official: counted{"answers": 1, "answer_sum": 1}, strict: counted{"answers": 1, "answer_sum": 1}}),
	}
}

func TestEachKindOfInput(t *testing.T) {
	for _, c := range inputCases() {
		t.Run(c.name, func(t *testing.T) {
			b := Benchmark{Track: c.track, Lang: c.lang, Scorers: lengths()}
			if c.other != nil {
				c.other(b.Scorers)
			}
			in := bench.Inputs{Predictions: outputFile(t, c.track, c.lang, c.out...), Data: referenceFile(t, c.track, c.lang, c.refs...)}
			e, r := scored(t, b, in)
			c.check(t, e, r)
			agrees(t, e, r)
			line, err := compat(t.Context(), b, in)
			fixture.OK(t, err)
			if c.stops == nil {
				contains(t, line, `{"state": "OK", "scores": {"QA-BERTScore": `)
			} else if want := `{"state": "ERROR", "reason": ` + pyrepr.JSONString(*c.stops) + `, "scores": {}}`; line != want {
				t.Errorf("it prints %s, want %s", line, want)
			}
		})
	}
}

func (c inputCase) check(t *testing.T, e *evaluation, r *document.Results) {
	t.Helper()
	u := e.unitNamed(t, c.unit)
	official, err := e.officialCounts(t.Context(), u)
	fixture.OK(t, err)
	strict := e.strictCounts(u)
	if u.outcome != c.outcome || !near(named(official), c.official) || !near(named(strict), c.strict) {
		t.Errorf("%s is %v, official %v, strict %v; want %v, %v, %v", c.unit, u.outcome, named(official), named(strict), c.outcome, c.official, c.strict)
	}
	var differ []string
	for _, d := range r.Differences {
		differ = append(differ, d.What)
		if d.Samples != 1 || d.Items < 1 || d.Official == "" || d.Strict == "" {
			t.Errorf("difference %+v", d)
		}
	}
	if !slices.Equal(differ, c.differ) {
		t.Errorf("the profiles differ in %q, want %q", differ, c.differ)
	}
	for name, s := range overall(r, bench.Official).Scores {
		if c.stops == nil {
			continue
		}
		if s.Value != nil {
			t.Errorf("official has %s %v", name, *s.Value)
		}
		contains(t, s.Why, "the published scorer stops", *c.stops, c.cause)
	}
}

// near reports whether counts are equal but for rounding.
func near(a, b counted) bool {
	return maps.EqualFunc(a, b, func(x, y float64) bool { return alike(x, y) })
}

func alike(x, y float64) bool { return x-y < 1e-12 && y-x < 1e-12 }

func TestExtraOutputsWarning(t *testing.T) {
	in := bench.Inputs{Predictions: outputFile(t, "long", "en", with(saying, "99", "x")...), Data: referenceFile(t, "long", "en", english...)}
	_, r := scored(t, Benchmark{Track: "long", Lang: "en", Modality: "text"}, in)
	equal(t, r.Warnings, []string{"outputs of samples that the references do not have are left out: 1"})
}

func TestOfficialDuplicateReferences(t *testing.T) {
	refs := append(slices.Clone(english), answerTo("t1_1", "2", "cats sit and wait"))
	in := bench.Inputs{Predictions: outputFile(t, "long", "en", saying...), Data: referenceFile(t, "long", "en", refs...)}
	_, r := scored(t, Benchmark{Track: "long", Lang: "en", Scorers: lengths()}, in)
	official, strict := overall(r, bench.Official).Scores["qa_bertscore"], overall(r, bench.Strict).Scores["qa_bertscore"]
	if official.N != 1 || *official.Value != 8.0/17 || strict.N != 2 || *strict.Value != (1+8.0/17)/2 {
		t.Errorf("official %v of %d, strict %v of %d", *official.Value, official.N, *strict.Value, strict.N)
	}
	contains(t, strings.Join(r.Warnings, "\n"), `the iid "QA_t1_1" is there already`)
}

func TestRefusedReferences(t *testing.T) {
	in := bench.Inputs{Predictions: outputFile(t, "long", "en", saying...), Data: referenceFile(t, "long", "en", english...)}
	text := fixture.Read(t, in.Data)
	in.Data = fixture.File(t, "ref.xml", strings.Replace(text, ` iid="SUM_t1"`, "", 1))
	e, r := scored(t, Benchmark{Track: "long", Lang: "en", Scorers: lengths()}, in)
	if e.stop == nil || e.stop.Reason != "'iid'" || *overall(r, bench.Strict).Scores["asr_wer"].Value != 0 {
		t.Errorf("official stops for %v, strict has %+v", e.stop, overall(r, bench.Strict).Scores)
	}
	if len(r.Differences) != 1 || r.Differences[0].What != "references without id, iid or task" || r.Differences[0].Items != 1 {
		t.Errorf("the profiles differ in %+v", r.Differences)
	}
	in.Data = fixture.File(t, "ref.xml", strings.Replace(text, "<reference>a cat</reference>", "", 1))
	e, r = scored(t, Benchmark{Track: "long", Lang: "en", Scorers: lengths()}, in)
	if e.stop == nil || e.stop.Reason != "" {
		t.Errorf("official stops for %v", e.stop)
	}
	contains(t, overall(r, bench.Official).Scores["asr_wer"].Why, "ref.xml:", "the sample has no reference element")
	if u := e.unitNamed(t, "QA_t1_1"); u.outcome != omniscope.Missing || len(r.Differences) != 1 || r.Differences[0].What != "samples without a reference" {
		t.Errorf("it is %v, the profiles differ in %+v", u.outcome, r.Differences)
	}
}

func TestOutputsWithoutID(t *testing.T) {
	in := bench.Inputs{Predictions: outputFile(t, "long", "en", with(saying, "9", "x")...), Data: referenceFile(t, "long", "en", english...)}
	in.Predictions = fixture.File(t, "out.xml", strings.Replace(fixture.Read(t, in.Predictions), ` id="9"`, "", 1))
	e, r := scored(t, Benchmark{Track: "long", Lang: "en", Scorers: lengths()}, in)
	if e.stop == nil || e.stop.Reason != "'id'" || len(r.Differences) != 1 || r.Differences[0].What != "outputs without an id" {
		t.Errorf("official stops for %v, the profiles differ in %+v", e.stop, r.Differences)
	}
}
