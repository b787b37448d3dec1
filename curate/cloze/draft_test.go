package cloze

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/model/judge"
	"omniscope/model/scripted"
)

// approved is a description of two sentences.
var approved = &Approved{UUID: "u", Sentences: []approvedSentence{
	{Text: "A market opens.", Modality: omniscope.Visual, Evidence: []string{"v:e1"}},
	{Text: "A bell rings.", Modality: omniscope.Audio, Evidence: []string{"a:e1", "av:e2"}},
}}

// replyOf is a draft as a model writes it. Each blank rests on the second sentence.
func replyOf(t *testing.T, d *Draft) string {
	t.Helper()
	type blank struct {
		draftBlank
		From []int `json:"from"`
	}
	var blanks []blank
	for _, b := range d.Blanks {
		blanks = append(blanks, blank{b, []int{2}})
	}
	text, err := json.Marshal(map[string]any{"passage": d.Passage, "blanks": blanks})
	fixture.OK(t, err)
	return "Here it is:\n```json\n" + string(text) + "\n```"
}

// repairOf is a mended blank as a model writes it.
func repairOf(t *testing.T, b draftBlank, sentence string) string {
	t.Helper()
	text, err := json.Marshal(map[string]any{"answer": b.Answer, "distractors": b.Distractors, "required_modality": b.Modality, "from": []int{1, 2}, "sentence": sentence})
	fixture.OK(t, err)
	return string(text)
}

// drafter answers by steps.
func drafter(t *testing.T, replies map[string][]string) *Drafter {
	t.Helper()
	script := make(map[string][]scripted.Reply)
	for step, texts := range replies {
		for _, text := range texts {
			script[step] = append(script[step], scripted.Reply{Text: text})
		}
	}
	d := &Drafter{Rules: Paper(), Rounds: 3, Asker: &judge.Judge{Name: "scripted/x", Request: "x", Attempts: 3, Model: scripted.New(script)}}
	fixture.OK(t, d.LoadPrompts(nil, ""))
	return d
}

// changed is a sound draft with changes.
func changed(t *testing.T, changes ...string) *Draft {
	t.Helper()
	d := scene(t, "market", 1)
	for _, c := range changes {
		d.change(t, c)
	}
	return d
}

// leaking puts an answer of the scene elsewhere in its passage.
func leaking(t *testing.T) (d *Draft, b draftBlank) {
	t.Helper()
	d = changed(t)
	for i := range d.Blanks {
		b = d.Blanks[i]
		d.Passage += " Somebody speaks of " + b.Answer + "."
		if f := check(d, Paper()); len(f) == 1 && f[0].Check == "leak" && f[0].Blank == b.Number {
			return d, b
		}
		d = changed(t)
	}
	t.Fatal("no answer of the scene leaks alone")
	return nil, b
}

func TestDrafts(t *testing.T) {
	sound := replyOf(t, changed(t))
	few, many := replyOf(t, changed(t, "drop 30")), replyOf(t, changed(t, "append visual: a lantern / a bell / a basket / a bucket"))
	leak, leaked := leaking(t)
	mended := leaked
	mended.Answer = "zebra crossing"
	still := leaked // another distractor, and the same answer: it leaks as before
	still.Distractors = []string{leaked.Distractors[1], leaked.Distractors[0], leaked.Distractors[2]}
	again := leaked
	step := RepairStep("u", leaked.Number)
	otherSense := mended
	otherSense.Modality = omniscope.AudioVisual
	if leaked.Modality == omniscope.AudioVisual {
		otherSense.Modality = omniscope.Audio
	}
	for name, c := range map[string]struct {
		replies map[string][]string
		outcome omniscope.Outcome
		sound   bool
		asked   int
		mended  []int
		why     string
	}{
		"sound at once":                           {map[string][]string{"u/draft": {sound}}, omniscope.OK, true, 1, nil, ""},
		"29 blanks, then 31":                      {map[string][]string{"u/draft": {few, many, sound}}, omniscope.OK, true, 3, nil, ""},
		"29 blanks again and again":               {map[string][]string{"u/draft": {few, few, few, sound}}, omniscope.Unparsed, false, 3, nil, "there are 29 blanks, not 30"},
		"no JSON":                                 {map[string][]string{"u/draft": {"I cannot.", "No.", "No."}}, omniscope.Unparsed, false, 3, nil, "JSON"},
		"rests on nothing":                        {map[string][]string{"u/draft": {strings.Replace(sound, `"from":[2]`, `"from":[]`, 1), sound}}, omniscope.OK, true, 2, nil, ""},
		"rests on a sentence beyond":              {map[string][]string{"u/draft": {strings.Replace(sound, `"from":[2]`, `"from":[9]`, 1), sound}}, omniscope.OK, true, 2, nil, ""},
		"a leak is mended":                        {map[string][]string{"u/draft": {replyOf(t, leak)}, step: {repairOf(t, mended, "")}}, omniscope.OK, true, 2, []int{leaked.Number}, ""},
		"mended in the second round":              {map[string][]string{"u/draft": {replyOf(t, leak)}, step: {repairOf(t, still, ""), repairOf(t, mended, "")}}, omniscope.OK, true, 3, []int{leaked.Number}, ""},
		"the same blank is refused":               {map[string][]string{"u/draft": {replyOf(t, leak)}, step: {repairOf(t, leaked, ""), repairOf(t, mended, "")}}, omniscope.OK, true, 3, []int{leaked.Number}, ""},
		"another sense is refused":                {map[string][]string{"u/draft": {replyOf(t, leak)}, step: {repairOf(t, otherSense, ""), repairOf(t, mended, "")}}, omniscope.OK, true, 3, []int{leaked.Number}, ""},
		"a sentence without its blank is refused": {map[string][]string{"u/draft": {replyOf(t, leak)}, step: {repairOf(t, mended, "Nothing."), repairOf(t, mended, "")}}, omniscope.OK, true, 3, []int{leaked.Number}, ""},
		"given up": {map[string][]string{"u/draft": {replyOf(t, leak)}, step: {repairOf(t, still, ""), repairOf(t, again, ""), repairOf(t, still, "")}},
			omniscope.OK, false, 4, []int{leaked.Number}, "1 findings are left after 3 rounds of mending: leak"},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := drafter(t, c.replies).New(t.Context(), approved)
			fixture.OK(t, err)
			if out.Outcome != c.outcome || out.Sound != c.sound || out.Asked != c.asked || !slices.Equal(out.Mended, c.mended) || !strings.Contains(out.Why, c.why) || (out.Why == "") != c.sound {
				t.Errorf("got %+v", out)
			}
			if c.sound && len(CheckRow(out.Row("v.mp4", 1), Paper())) > 0 {
				t.Errorf("the row is not sound: %v", CheckRow(out.Row("v.mp4", 1), Paper()))
			}
		})
	}
}

func TestBlanksLeadBackToEvidence(t *testing.T) {
	leak, leaked := leaking(t)
	leaked.Answer = "zebra crossing"
	out, err := drafter(t, map[string][]string{"u/draft": {replyOf(t, leak)}, RepairStep("u", leaked.Number): {repairOf(t, leaked, "")}}).New(t.Context(), approved)
	fixture.OK(t, err)
	for i, r := range out.Rests {
		want := "[2] A bell rings. | a:e1 av:e2"
		if r.Blank == leaked.Number {
			want = "[1 2] A market opens. A bell rings. | v:e1 a:e1 av:e2"
		}
		if got := fmt.Sprint(r.Sentences, " ", strings.Join(r.Texts, " "), " | ", strings.Join(r.Evidence, " ")); r.Blank != i+1 || got != want {
			t.Errorf("blank %d rests on %s, want %s", r.Blank, got, want)
		}
	}
}

// TestMendThatIsNotMended has a model that never answers with a blank: what a judge found stays found.
func TestMendThatIsNotMended(t *testing.T) {
	whole := changed(t)
	whole.UUID = "u"
	refusals := map[string][]string{RepairStep("u", 5): slices.Repeat([]string{"I cannot."}, 9)}
	out, err := drafter(t, refusals).Mend(t.Context(), approved, Letter(whole, 7), []Finding{{Check: "guessable", Blank: 5}})
	fixture.OK(t, err)
	if out.Sound || len(out.Mended) > 0 || !strings.Contains(out.Why, "guessable") || out.Asked != 9 {
		t.Errorf("%+v", out)
	}
}

// TestMend mends a blank that a judge guessed; the rest of the row stays, letters too.
func TestMend(t *testing.T) {
	whole := changed(t)
	whole.UUID = "u"
	row := Letter(whole, 7)
	b := row.Draft().Blanks[4]
	b.Answer = "zebra crossing"
	sentence := row.Draft().sentenceOf(5)
	out, err := drafter(t, map[string][]string{RepairStep("u", 5): {repairOf(t, b, "Mark: "+sentence)}}).Mend(t.Context(), approved, row, []Finding{{Check: "guessable", Blank: 5}})
	fixture.OK(t, err)
	got := out.Row(row.Video, 7)
	if !out.Sound || got.Cloze.Blanks[4].Answer != "zebra crossing" || !strings.Contains(got.Cloze.Passage, "Mark: "+sentence) {
		t.Errorf("%+v", out)
	}
	for i := range row.Cloze.Blanks {
		if i != 4 && fmt.Sprint(got.Cloze.Blanks[i].Options) != fmt.Sprint(row.Cloze.Blanks[i].Options) {
			t.Errorf("the options of blank %d changed", i+1)
		}
	}
}

func TestReadDescriptions(t *testing.T) {
	dir := write(t, map[string]string{
		"all.jsonl": `{"uuid": "a", "video_path": "a.mp4", "caption": "X. Y.", "sentences": [{"text": "A bell rings.", "modality": "audio", "evidence": ["a:e1"]}, {"text": ""}]}
{"id": "b", "caption": "One. Two."}
{"uuid": "c", "caption": "No.", "verdict": "send back", "comment": "wrong clip"}
{"uuid": "open", "caption": "Yes.", "reviewed": false, "reviews": [{"by": "ann", "verdict": "approve"}]}
{"uuid": "d", "caption": " "}
`,
		"twice.jsonl": "{\"uuid\": \"a\", \"caption\": \"X.\"}\n{\"uuid\": \"a\", \"caption\": \"X.\"}\n",
		"none.jsonl":  "{\"caption\": \"X.\"}\n",
	})
	all, err := ReadDescriptions(t.Context(), dir+"/all.jsonl")
	fixture.OK(t, err)
	if got := all.Approved[0].numbered() + "|" + all.Approved[1].numbered(); got != "1 (audio): A bell rings.|1 (sense not said): One.\n2 (sense not said): Two." {
		t.Error(got)
	}
	if got := fmt.Sprint(all.SentBack); got != "[{c people sent the description back: wrong clip} {open people have not decided on the description} {d the description is empty}]" {
		t.Error(got)
	}
	for name, want := range map[string]string{"twice": "twice.jsonl:2:", "none": "none.jsonl:1:"} {
		if _, err := ReadDescriptions(t.Context(), dir+"/"+name+".jsonl"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
