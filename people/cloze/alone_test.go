package cloze

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

// checked is a description as a machine made it of three captions.
func checked(uuid string) object {
	return object{"uuid": uuid, "video_path": "clips/" + uuid + ".mp4", "outcome": "ok", "caption": "A man sings. It rains\nhard.",
		"sentences": []any{
			object{"text": "A man sings.", "from": []any{"a1", "v2"}, "modality": "audio-visual", "evidence": []any{"a:o1"}, "disputed": true},
			object{"text": "It rains\nhard.", "from": []any{"a2"}, "modality": "audio", "evidence": []any{}},
		},
		"caption_sentences": []any{object{"id": "a1", "sense": "audio", "text": "A voice."}, object{"id": "a2", "sense": "audio", "text": "Rain."}, object{"id": "v2", "sense": "visual", "text": "A man."}},
		"evidence":          []any{object{"id": "a:o1", "tool": "asr", "what": "la la", "start_s": 1.5, "end_s": 2}},
		"conflicts":         []any{object{"between": []any{"v2", "av1"}, "why": "his age"}},
	}
}

func alone(t *testing.T, rows ...any) *people.Workplace {
	t.Helper()
	return open(t, made(t, func(m *maker) { m.descriptions = file(t, "d.jsonl", rows...) }))
}

func exportedDescriptions(t *testing.T, w *people.Workplace) (rows []descriptionRow, text string) {
	t.Helper()
	text = peopletest.Export(t, w, "descriptions")
	for line := range strings.Lines(text) {
		var r descriptionRow
		fixture.OK(t, json.Unmarshal([]byte(line), &r))
		rows = append(rows, r)
	}
	return rows, text
}

func TestDescriptionsAlone(t *testing.T) {
	w := alone(t, checked("one"), checked("two"), object{"id": "three", "path": "clips/three.mp4", "caption": described}, object{"id": "four", "caption": " "})
	if p := w.Project(); len(p.Stages) != 1 || p.Stages[0].Name != description || len(w.Items()) != 3 {
		t.Fatalf("stages %+v, items %q", p.Stages, w.Items())
	}
	n := peopletest.DoAll(t, w, description, []string{"ann"}, func(_ string, c *people.WorkItem, f *people.Form) map[string]people.Value {
		switch c.Item.ID {
		case "one":
			return map[string]people.Value{
				"sentence/1":   {fieldVerdict: wrongFact, fieldText: "A boy sings."},
				"sentence/2":   {people.ValueStruck: true},
				"sentence/x":   {fieldText: "It ends."},
				approveSection: {fieldVerdict: approve},
			}
		case "two":
			return map[string]people.Value{
				"sentence/1":   {fieldVerdict: right, fieldText: "A man sings."},
				"sentence/2":   {fieldVerdict: right, fieldText: "It rains\nhard."},
				approveSection: {fieldVerdict: sendBack, fieldComment: "half of it is missing"},
			}
		}
		return approves(nil)
	})
	if n != 3 {
		t.Errorf("%d descriptions were reviewed", n)
	}
	rows, text := exportedDescriptions(t, w)
	if item, media := rows[2], w.MediaOf("three"); item.VideoPath != "clips/three.mp4" || len(media) != 1 || media[0].File != "clips/three.mp4" {
		t.Errorf("the file of a row with a path: %q, %+v", item.VideoPath, media)
	}
	one := rows[0]
	if one.UUID != "one" || one.VideoPath != "clips/one.mp4" || one.Caption != "A boy sings. It ends." || one.Verdict != approve || one.By != "ann" {
		t.Errorf("row %+v", one)
	}
	if s := one.Sentences; len(s) != 3 || s[0].Rests == nil || !reflect.DeepEqual(s[0].From, []string{"a1", "v2"}) || s[0].Modality != "audio-visual" || s[1].Rests != nil || s[2].Text != "" || s[2].Number != 2 {
		t.Errorf("sentences %+v", s)
	}
	if rows[1].Verdict != sendBack || rows[1].Comment == "" || rows[2].Caption != described || len(rows[1].CaptionSentences) == 0 {
		t.Errorf("rows %+v", rows[1:])
	}
	// What comes out goes in again: the corrected text, and what its sentences rest on.
	again := open(t, made(t, func(m *maker) { m.descriptions = file(t, "again.jsonl", strings.TrimSpace(text)) }))
	c, err := again.WorkItem(t.Context(), "one", description)
	fixture.OK(t, err)
	form, _ := Kind.Form(c)
	if cards := form.Sections[0].Cards; len(cards) != 2 || cards[0].Draft.Text(fieldText) != "A boy sings." || len(cards[0].Texts) != 4 || cards[1].Draft.Text(fieldText) != "It ends." {
		t.Errorf("cards %+v", cards)
	}
	if rows, _ := exportedDescriptions(t, again); rows[0].Caption != "A boy sings. It ends." || rows[0].Verdict != "" || len(rows[0].Sentences) != 2 || rows[0].Sentences[0].Rests == nil {
		t.Errorf("not reviewed: %+v", rows[0])
	}
}

func TestWhatSentencesRestOnIsShown(t *testing.T) {
	w := alone(t, with(checked("one"), object{"stretch": "2,9"}))
	c, err := w.WorkItem(t.Context(), "one", description)
	fixture.OK(t, err)
	form, _ := Kind.Form(c)
	if help := form.Sections[0].Help; !strings.Contains(help, "stretch of the film, in seconds: 2,9") {
		t.Errorf("help %q", help)
	}
	var says []string
	for _, text := range form.Sections[0].Cards[0].Texts {
		says = append(says, text.Title+": "+text.Body)
	}
	if want := []string{"audio caption, a1: A voice.", "visual caption, v2: A man.", "asr: la la", "conflict of v2 and av1: his age"}; !reflect.DeepEqual(says, want) {
		t.Errorf("shown: %q, want %q", says, want)
	}
	if start := form.Sections[0].Cards[0].Start; start == nil || *start != 1.5 {
		t.Errorf("the card starts at %v", start)
	}
	if media := c.Item.Media; len(media) != 1 || media[0].File != "clips/one.mp4" {
		t.Errorf("media %+v", media)
	}
}

func TestExportsThatDescriptionsAloneDoNotHave(t *testing.T) {
	w := alone(t, checked("one"))
	for _, e := range Kind.Exports {
		if e.Name == "descriptions" {
			continue
		}
		if err := e.Write(t.Context(), w, &strings.Builder{}); omniscope.KindOf(err) != omniscope.Usage || !strings.Contains(err.Error(), "made with --data") {
			t.Errorf("%s: %v", e.Name, err)
		}
	}
	tables, err := Kind.Tables(t.Context(), w)
	peopletest.NobodyIsNamed(t, w, tables)
	if err != nil || len(tables) != 2 || tables[1].Rows[2][1] != "1" {
		t.Errorf("tables %+v, %v", tables, err)
	}
}

// TestDescriptionsAddedToRows: of a description alone nobody is asked blanks, and it is no row.
func TestDescriptionsAddedToRows(t *testing.T) {
	w := clips(t, 1, func(*maker) {})
	plan := peopletest.Make(t, made(t, func(m *maker) { m.descriptions = file(t, "d.jsonl", checked("one")) }))
	if added, _, err := w.Add(t.Context(), plan); err != nil || added != 1 {
		t.Fatalf("%d added, %v", added, err)
	}
	peopletest.DoAll(t, w, description, []string{"ann"}, func(_ string, c *people.WorkItem, _ *people.Form) map[string]people.Value {
		if c.Item.ID == "1" {
			return approves(nil)
		}
		return map[string]people.Value{
			"sentence/1":   {fieldVerdict: right, fieldText: "A man sings."},
			"sentence/2":   {fieldVerdict: right, fieldText: "It rains\nhard."},
			approveSection: {fieldVerdict: approve},
		}
	})
	review(t, w, func(string, string) map[int]people.Value { return nil })
	if rows, _ := exportedDescriptions(t, w); len(rows) != 2 || len(exportedRows(t, w)) != 1 {
		t.Errorf("descriptions %+v, rows %v", rows, exportedRows(t, w))
	}
}

func TestBadDescriptionsAlone(t *testing.T) {
	twice := fixture.JSON(checked("one")) + "\n" + fixture.JSON(checked("one"))
	for says, rows := range map[string]any{
		"d.jsonl:1: the row has no uuid":                             object{"caption": "A."},
		"d.jsonl:1: the row has no text as caption":                  object{"uuid": 1, "text": "A."},
		"d.jsonl:2: uuid one is there already, on line 1":            twice,
		`sentence 2 of the list "sentences" is not where it belongs`: with(checked("one"), object{"caption": "A man sings. It snows."}),
		`the description goes on after the list "sentences"`:         with(checked("one"), object{"caption": "A man sings. It rains\nhard. It ends."}),
		"d.jsonl has no descriptions":                                object{"uuid": 1, "caption": nil},
	} {
		_, err := made(t, func(m *maker) { m.descriptions = file(t, "d.jsonl", rows) }).Make(t.Context())
		if err == nil || !strings.Contains(err.Error(), says) || omniscope.KindOf(err) != omniscope.Invalid {
			t.Errorf("got %v, want %q", err, says)
		}
	}
	for says, set := range map[string]func(*maker){
		"with --data; or, before there are any, descriptions": func(*maker) {},
		"--leave-out-rejected is about rows":                  func(m *maker) { m.leaveOut, m.descriptions = true, file(t, "d.jsonl", checked("one")) },
	} {
		if _, err := made(t, set).Make(t.Context()); omniscope.KindOf(err) != omniscope.Usage || !strings.Contains(err.Error(), says) {
			t.Errorf("got %v, want %q", err, says)
		}
	}
}

// TestInvestigationsOfDescriptionsAlone: they say what sentences rest on of which the file says nothing.
func TestInvestigationsOfDescriptionsAlone(t *testing.T) {
	folder := t.TempDir()
	os.MkdirAll(filepath.Join(folder, "x"), 0o700)
	report := `{"clip": {"id": "one"}, "ledger": [{"id": "o1", "tool": "sound", "what": "rain"}],
		"caption": {"text": "Rain falls.", "sentences": [{"text": "Rain falls.", "evidence": ["o1"]}, {"text": "A man sings.", "evidence": ["o1"]}]}}`
	os.WriteFile(filepath.Join(folder, "x", "report.json"), []byte(report), 0o600)
	for row, want := range map[string]string{fixture.JSON(object{"id": "one", "caption": "Rain falls."}): "rain", fixture.JSON(checked("one")): "A voice."} {
		w := open(t, made(t, func(m *maker) { m.descriptions, m.investigations = file(t, "d.jsonl", row), folder }))
		c, err := w.WorkItem(t.Context(), "one", description)
		fixture.OK(t, err)
		form, _ := Kind.Form(c)
		if texts := form.Sections[0].Cards[0].Texts; len(texts) == 0 || texts[0].Body != want {
			t.Errorf("shown: %+v, want %q", texts, want)
		}
	}
}
