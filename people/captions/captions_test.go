package captions

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/peopletest"
	"omniscope/people"
)

type object = map[string]any

const described = "A man sings at 3.5 metres. \"Stop!\" cries Dr. Low.\nThen a dog barks… Rain falls."

// checked is a description as a machine made it of three captions.
func checked(uuid string, changes ...object) object {
	o := object{"uuid": uuid, "video_path": "clips/" + uuid + ".mp4", "outcome": "ok", "caption": "A man sings. It rains\nhard.",
		"sentences": []any{
			object{"text": "A man sings.", "from": []any{"a1", "v2"}, "modality": "audio-visual", "evidence": []any{"a:o1"}, "disputed": true},
			object{"text": "It rains\nhard.", "from": []any{"a2"}, "modality": "audio", "evidence": []any{}},
		},
		"caption_sentences": []any{object{"id": "a1", "sense": "audio", "text": "A voice."}, object{"id": "a2", "sense": "audio", "text": "Rain."}, object{"id": "v2", "sense": "visual", "text": "A man."}},
		"evidence":          []any{object{"id": "a:o1", "tool": "asr", "what": "la la", "start_s": 1.5, "end_s": 2}},
		"conflicts":         []any{object{"between": []any{"v2", "av1"}, "why": "his age"}},
	}
	for _, c := range changes {
		for name, value := range c {
			o[name] = value
		}
	}
	return o
}

func file(t *testing.T, rows ...any) string {
	t.Helper()
	var text strings.Builder
	for _, row := range rows {
		if s, ok := row.(string); ok {
			text.WriteString(s + "\n")
		} else {
			text.WriteString(fixture.JSON(row) + "\n")
		}
	}
	path := filepath.Join(t.TempDir(), "d.jsonl")
	fixture.OK(t, os.WriteFile(path, []byte(text.String()), 0o600))
	return path
}

func open(t *testing.T, m *maker) *people.Workplace {
	t.Helper()
	w := peopletest.Open(t, Kind, peopletest.Make(t, m))
	peopletest.Invite(t, w, people.Annotator, "ann", "ben", "cas")
	peopletest.Invite(t, w, people.Senior, "sam")
	return w
}

func project(t *testing.T, reviewers int, rows ...any) *people.Workplace {
	t.Helper()
	return open(t, &maker{captions: file(t, rows...), people: reviewers})
}

// exported are the rows of the export, read.
func exported(t *testing.T, w *people.Workplace) (rows []exportedRow, text string) {
	t.Helper()
	text = peopletest.Export(t, w, "captions")
	for line := range strings.Lines(text) {
		var r exportedRow
		fixture.OK(t, json.Unmarshal([]byte(line), &r))
		rows = append(rows, r)
	}
	return rows, text
}

type exportedRow struct {
	Reviewed
	UUID     string           `json:"uuid"`
	Path     string           `json:"path"`
	Evidence []map[string]any `json:"evidence"`
}

// says approves a caption of one sentence, which becomes the text.
func says(text string) map[string]people.Value {
	return map[string]people.Value{"sentence/1": {fieldVerdict: wrongTime, fieldText: text}, approveSection: {fieldVerdict: Approve}}
}

func sendsBack(why string) map[string]people.Value {
	return map[string]people.Value{"sentence/1": {fieldVerdict: right, fieldText: "Rain."}, approveSection: {fieldVerdict: SendBack, fieldComment: why}}
}

// answers are what each reviewer of a caption "Rain." answers, by item and person.
func answers(t *testing.T, w *people.Workplace, of map[string]map[string]map[string]people.Value) int {
	t.Helper()
	return peopletest.DoAll(t, w, review, []string{"ann", "ben", "cas"}, func(person string, c *people.WorkItem, _ *people.Form) map[string]people.Value {
		return of[c.Item.ID][person]
	})
}

func rain(id string) object { return object{"id": id, "path": "rain.wav", "caption": "Rain."} }

func TestMajorityDecides(t *testing.T) {
	w := project(t, 3, rain("same"), rain("back"), rain("texts"), rain("open"))
	type byPerson = map[string]map[string]people.Value
	n := answers(t, w, map[string]byPerson{
		"same":  {"ann": says("Rain."), "ben": sendsBack("too short"), "cas": says("Rain.")},
		"back":  {"ann": sendsBack("wrong clip"), "ben": sendsBack("another clip"), "cas": says("Rain.")},
		"texts": {"ann": says("Rain."), "ben": says("Hail."), "cas": says("Snow.")},
		"open":  {"ann": says("Rain."), "ben": sendsBack("no"), "cas": says("Snow.")},
	})
	if n != 12 {
		t.Errorf("%d reviews, want 3 of each of 4 captions", n)
	}
	var settled []string
	peopletest.DoAll(t, w, settle, []string{"sam"}, func(_ string, c *people.WorkItem, f *people.Form) map[string]people.Value {
		settled = append(settled, c.Item.ID)
		if texts := f.Sections[0].Cards[0].Texts; len(texts) != 3 || texts[0].Title != "Person A" || len(f.Sections[1].Cards[0].Texts) != 3 {
			t.Errorf("a senior sees %+v", f)
		}
		if c.Item.ID == "open" {
			return sendsBack("neither")
		}
		return says("Hail.")
	})
	if want := []string{"texts", "open"}; !reflect.DeepEqual(settled, want) {
		t.Errorf("settled %q, want %q", settled, want)
	}
	rows, _ := exported(t, w)
	var got [][]string
	for _, r := range rows {
		got = append(got, []string{r.Verdict, r.Caption, r.Given, r.Comment})
		if !r.Reviewed.Reviewed {
			t.Errorf("not decided: %+v", r)
		}
	}
	want := [][]string{{Approve, "Rain.", "", ""}, {SendBack, "Rain.", "", "wrong clip"}, {Approve, "Hail.", "Rain.", ""}, {SendBack, "Rain.", "", "neither"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("decided\n%q, want\n%q", got, want)
	}
	if r := rows[2].Reviews; len(r) != 4 || r[1].Caption != "Hail." || r[0].Caption != "" || !r[3].Settles || r[3].By != "sam" {
		t.Errorf("reviews %+v", r)
	}
}

func TestUndecidedCaptionsAreCounted(t *testing.T) {
	w := project(t, 2, rain("one"), rain("two"))
	if p := w.Project(); len(p.Stages) != 2 {
		t.Fatalf("stages %+v", p.Stages)
	}
	peopletest.Do(t, w, "ann", review, func(*people.WorkItem, *people.Form) map[string]people.Value { return says("Rain.") })
	rows, _ := exported(t, w)
	if rows[0].Reviewed.Reviewed || rows[0].Verdict != "" || len(rows[0].Reviews) != 1 || rows[1].Reviewed.Reviewed {
		t.Errorf("half of the reviews decide: %+v", rows)
	}
	what, err := undecided(t.Context(), w)
	if err != nil || !strings.HasPrefix(what, "2 of 2 captions have no verdict") {
		t.Errorf("%q, %v", what, err)
	}
	all, err := Kind.Tables(t.Context(), w)
	peopletest.NobodyIsNamed(t, w, all)
	if err != nil || len(all) != 1 || all[0].Rows[2][1] != "2" || all[0].Rows[6][1] != "1" {
		t.Errorf("tables %+v, %v", all, err)
	}
}

func TestReviewsByOnePerson(t *testing.T) {
	w := project(t, 1, checked("one"), checked("two"), object{"id": "three", "path": "clips/three.mp4", "caption": described}, object{"id": "four", "caption": " "})
	if p := w.Project(); len(p.Stages) != 1 || len(w.Items()) != 3 {
		t.Fatalf("stages %+v, items %q", p.Stages, w.Items())
	}
	peopletest.DoAll(t, w, review, []string{"ann"}, func(_ string, c *people.WorkItem, f *people.Form) map[string]people.Value {
		switch c.Item.ID {
		case "one":
			return map[string]people.Value{
				"sentence/1":   {fieldVerdict: wrongFact, fieldText: "A boy sings."},
				"sentence/2":   {people.ValueStruck: true},
				"sentence/x":   {fieldText: "It ends."},
				approveSection: {fieldVerdict: Approve},
			}
		case "two":
			return map[string]people.Value{
				"sentence/1":   {fieldVerdict: right, fieldText: "A man sings."},
				"sentence/2":   {fieldVerdict: right, fieldText: "It rains\nhard."},
				approveSection: {fieldVerdict: SendBack, fieldComment: "half of it is missing"},
			}
		}
		out := map[string]people.Value{approveSection: {fieldVerdict: Approve}}
		for _, card := range f.Sections[0].Cards {
			out["sentence/"+card.ID] = people.Value{fieldVerdict: right, fieldText: card.Draft.Text(fieldText)}
		}
		return out
	})
	rows, text := exported(t, w)
	if media := w.MediaOf("three"); len(media) != 1 || media[0].File != "clips/three.mp4" || rows[2].Path != "clips/three.mp4" {
		t.Errorf("the file of a row with a path: %q, %+v", rows[2].Path, media)
	}
	one := rows[0]
	if one.UUID != "one" || one.Caption != "A boy sings. It ends." || one.Verdict != Approve || one.Reviews[0].By != "ann" || len(one.Evidence) != 1 {
		t.Errorf("row %+v", one)
	}
	if s := one.Sentences; len(s) != 2 || s[0].Rests == nil || !reflect.DeepEqual(s[0].From, []string{"a1", "v2"}) || s[0].Modality != "audio-visual" || s[1].Rests != nil {
		t.Errorf("sentences %+v", s)
	}
	if s := one.Reviews[0].Sentences; len(s) != 3 || s[2].Text != "" || s[2].Number != 2 {
		t.Errorf("reviewed sentences %+v", s)
	}
	if rows[1].Verdict != SendBack || rows[1].Comment == "" || rows[2].Caption != described || !strings.Contains(text, `"video_path":"clips/one.mp4"`) {
		t.Errorf("rows %+v\n%s", rows[1:], text)
	}
	// What comes out goes in again: the corrected text with its evidence, and without the earlier verdict.
	again := project(t, 1, strings.TrimSpace(text))
	c, err := again.WorkItem(t.Context(), "one", review)
	fixture.OK(t, err)
	form, _ := Kind.Form(c)
	if cards := form.Sections[0].Cards; len(cards) != 2 || cards[0].Draft.Text(fieldText) != "A boy sings." || len(cards[0].Texts) != 4 || cards[1].Draft.Text(fieldText) != "It ends." {
		t.Errorf("cards %+v", cards)
	}
	if rows, _ := exported(t, again); rows[0].Caption != "A boy sings. It ends." || rows[0].Verdict != "" || rows[0].Reviews != nil || len(rows[0].Sentences) != 2 {
		t.Errorf("not reviewed: %+v", rows[0])
	}
}

func TestEvidenceIsShown(t *testing.T) {
	w := project(t, 1, checked("one", object{"stretch": "2,9"}), object{"id": "two", "path": "b.mp4#t=3,4", "caption": "Rain."})
	c, err := w.WorkItem(t.Context(), "one", review)
	fixture.OK(t, err)
	form, _ := Kind.Form(c)
	if help := form.Sections[0].Help; !strings.Contains(help, "stretch of the film, in seconds: 2,9") {
		t.Errorf("help %q", help)
	}
	var shown []string
	for _, text := range form.Sections[0].Cards[0].Texts {
		shown = append(shown, text.Title+": "+text.Body)
	}
	if want := []string{"audio caption, a1: A voice.", "visual caption, v2: A man.", "asr: la la", "conflict of v2 and av1: his age"}; !reflect.DeepEqual(shown, want) {
		t.Errorf("shown: %q, want %q", shown, want)
	}
	if start := form.Sections[0].Cards[0].Start; start == nil || *start != 1.5 {
		t.Errorf("the card starts at %v", start)
	}
	if two, _ := w.WorkItem(t.Context(), "two", review); two.Item.Media[0].File != "b.mp4" {
		t.Errorf("media of a stretch: %+v", two.Item.Media)
	}
}

// A trajectory is the caption of rows without another one, and is no part of the export. The export names media that were found
// so that they are found from any folder.
func TestRowsOfInvestigations(t *testing.T) {
	path := file(t, `{"id": "one", "url": "clips/a.wav#t=1,2", "modality": "audio", "omni_detective_trajectory": [{"role": "assistant", "content": "Rain falls."}]}`)
	clip := filepath.Join(filepath.Dir(path), "clips", "a.wav")
	fixture.OK(t, os.MkdirAll(filepath.Dir(clip), 0o755))
	fixture.OK(t, os.WriteFile(clip, []byte("x"), 0o600))
	p := peopletest.Make(t, &maker{captions: path, people: 1})
	if p.MediaFolder != filepath.Dir(clip) {
		t.Errorf("media in %s, want %s", p.MediaFolder, filepath.Dir(clip))
	}
	rows, text := exported(t, peopletest.Open(t, Kind, p))
	if rows[0].Caption != "Rain falls." || rows[0].Path != filepath.ToSlash(clip)+"#t=1,2" || strings.Contains(text, "trajectory") || !strings.Contains(text, `"modality":"audio"`) {
		t.Errorf("exported %s", text)
	}
}

func TestBadRows(t *testing.T) {
	twice := fixture.JSON(checked("one")) + "\n" + fixture.JSON(checked("one"))
	for says, rows := range map[string]any{
		"d.jsonl:1: the row has no id":                               object{"caption": "A."},
		"d.jsonl:1: the row has no caption":                          object{"uuid": 1, "text": "A."},
		"d.jsonl:2: the id one is there already, on line 1":          twice,
		`sentence 2 of the list "sentences" is not where it belongs`: checked("one", object{"caption": "A man sings. It snows."}),
		`the caption continues after the list "sentences"`:           checked("one", object{"caption": "A man sings. It rains\nhard. It ends."}),
		"d.jsonl has no captions":                                    object{"uuid": 1, "caption": nil},
	} {
		_, err := (&maker{captions: file(t, rows), people: 1}).Make(t.Context())
		if err == nil || !strings.Contains(err.Error(), says) || omniscope.KindOf(err) != omniscope.Invalid {
			t.Errorf("got %v, want %q", err, says)
		}
	}
	if _, err := (&maker{captions: file(t, rain("a")), people: 1, field: "text"}).Make(t.Context()); err == nil || !strings.Contains(err.Error(), "no text as text") {
		t.Errorf("another field: %v", err)
	}
	for says, m := range map[string]*maker{
		"name the captions with --captions": newMaker(),
		"--people 0: at least one person":   {captions: "d.jsonl"},
	} {
		if _, err := m.Make(t.Context()); omniscope.KindOf(err) != omniscope.Usage || !strings.Contains(err.Error(), says) {
			t.Errorf("got %v, want %q", err, says)
		}
	}
}

func TestCutting(t *testing.T) {
	for text, want := range map[string]string{
		described:              `A man sings at 3.5 metres.|"Stop!" cries Dr. Low.|Then a dog barks…|Rain falls.`,
		"One? Two! J. S. Bach": "One?|Two!|J. S. Bach",
		"他唱歌。狗叫！":              "他唱歌。|狗叫！",
		" \n ":                 "",
		"no end":               "no end",
	} {
		var got []string
		all := ""
		for _, s := range CaptionOf(text).Sentences {
			got, all = append(got, s.Text), all+s.Before+s.Text
		}
		if strings.Join(got, "|") != want || all != strings.TrimRight(text, " \n") {
			t.Errorf("%q is split into %q", text, got)
		}
	}
}

func TestUnfinishedReviews(t *testing.T) {
	c := CaptionOf("Rain.")
	for says, answers := range map[string]map[string]people.Value{
		"sentence 1: say whether":     {"sentence/1": {fieldText: "x"}},
		"sentence 1 is hallucinated":  {"sentence/1": {fieldVerdict: hallucinated, fieldText: "Rain."}},
		"sentence 1 has a wrong fact": {"sentence/1": {fieldVerdict: wrongFact, fieldText: "Rain."}},
		"say why":                     sendsBack(""),
	} {
		if err := c.Complete(answers); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
}
