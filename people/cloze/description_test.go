package cloze

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/peopletest"
	"omniscope/people"
	"omniscope/people/captions"
)

const described = "A man sings at 3.5 metres. \"Stop!\" cries Dr. Low.\nThen a dog barks… Rain falls."

// clips makes a project of n rows with descriptions.
func clips(t *testing.T, n int, set func(*maker)) *people.Workplace {
	t.Helper()
	var rows, captions []any
	for i := 1; i <= n; i++ {
		rows = append(rows, aRow(i, nil))
		captions = append(captions, object{"uuid": i, "caption": described})
	}
	return open(t, made(t, func(m *maker) {
		m.data, m.descriptions = file(t, "rows.jsonl", rows...), file(t, "captions.jsonl", captions...)
		set(m)
	}))
}

// approves says that all sentences are right, and approves.
func approves(but map[string]people.Value) map[string]people.Value {
	out := map[string]people.Value{"approve": {"verdict": captions.Approve}}
	for i, s := range captions.CaptionOf(described).Sentences {
		out["sentence/"+string(rune('1'+i))] = people.Value{"verdict": "right", "text": s.Text}
	}
	for key, v := range but {
		out[key] = v
	}
	return out
}

func TestDescriptions(t *testing.T) {
	w := clips(t, 6, func(*maker) {})
	n := peopletest.DoAll(t, w, description, []string{"ann", "ben"}, func(person string, c *people.WorkItem, _ *people.Form) map[string]people.Value {
		switch c.Item.ID {
		case "2":
			return approves(map[string]people.Value{
				"sentence/1": {"verdict": "wrong fact", "text": "A woman sings."},
				"sentence/2": {people.ValueStruck: true},
				"sentence/3": {"verdict": "wrong time", "text": "Then a dog barks…", people.ValueOrder: 9.0},
				"sentence/x": {"text": "It ends."},
			})
		case "3":
			return approves(map[string]people.Value{"approve": {"verdict": captions.SendBack, "comment": "another clip"}})
		}
		return approves(nil)
	})
	if n != 7 {
		t.Errorf("%d descriptions were reviewed: six, and the fifth twice", n)
	}
	var rows []captions.Reviewed
	for line := range strings.Lines(peopletest.Export(t, w, "descriptions")) {
		var r captions.Reviewed
		fixture.OK(t, json.Unmarshal([]byte(line), &r))
		rows = append(rows, r)
	}
	if rows[0].Caption != described || rows[0].Verdict != captions.Approve || len(rows[0].Reviews) != 1 || len(rows[4].Reviews) != 2 {
		t.Errorf("rows %+v", rows)
	}
	if want := "A woman sings. Rain falls. It ends.\nThen a dog barks…"; rows[1].Caption != want {
		t.Errorf("corrected to %q, want %q", rows[1].Caption, want)
	}
	if got := rows[1].Reviews[0].Sentences; len(got) != 5 || got[0].Was == "" || got[4].Text != "" || got[4].Number != 2 {
		t.Errorf("sentences %+v", got)
	}
	if rows[2].Verdict != captions.SendBack || rows[2].Comment != "another clip" {
		t.Errorf("sent back: %+v", rows[2])
	}
	tables, err := Kind.Tables(t.Context(), w)
	fixture.OK(t, err)
	if counts := tables[2].Rows; counts[0][1] != "5" || counts[1][1] != "1" || counts[7][0] != "sentences struck" || counts[7][1] != "1" {
		t.Errorf("descriptions %q", counts)
	}
	open := 0
	peopletest.DoAll(t, w, blanksOpen, []string{"ann", "ben"}, func(_ string, c *people.WorkItem, f *people.Form) map[string]people.Value {
		if open++; c.Item.ID == "3" {
			t.Error("a description that was sent back goes on")
		}
		return all(f, answersB, nil)
	})
	if open != 10 {
		t.Errorf("blanks were answered %d times, want 5 rows by two", open)
	}
}

func TestEvidence(t *testing.T) {
	folder := t.TempDir()
	os.MkdirAll(filepath.Join(folder, "one"), 0o700)
	report := `{"clip": {"id": "one", "path": "videos/1.mp4"}, "ledger": [
		{"id": "o1", "tool": "asr", "what": "a voice", "start_s": 1.5, "end_s": 2}, {"id": "o2", "tool": "sound", "what": "rain"}],
		"caption": {"text": "A man sings. Rain falls.", "sentences": [{"text": "A man sings.", "evidence": ["o1"]}, {"text": "Rain falls.", "evidence": ["o2", "o1"]}]}}`
	os.WriteFile(filepath.Join(folder, "one", "report.json"), []byte(report), 0o600)
	for _, captions := range []bool{false, true} {
		w := open(t, made(t, func(m *maker) {
			m.data, m.investigations = file(t, "rows.jsonl", aRow(1, nil), aRow(2, nil)), folder
			if captions {
				m.descriptions = file(t, "c.jsonl", object{"uuid": 1, "caption": "Rain falls. A cat."})
			}
		}))
		c, err := w.WorkItem(t.Context(), "1", description)
		fixture.OK(t, err)
		form, _ := Kind.Form(c)
		cards := form.Sections[0].Cards
		if rain := cards[map[bool]int{false: 1, true: 0}[captions]]; len(rain.Texts) != 2 || rain.Texts[1].Title != "sound" || rain.Texts[1].Start != nil || *rain.Start != 1.5 || *rain.End != 2 {
			t.Errorf("card %+v", rain)
		}
		if last := cards[1]; captions && (last.Draft.Text("text") != "A cat." || len(last.Texts) > 0) {
			t.Errorf("card %+v", last)
		}
		if id, ok := w.Next("ann", description); !ok || id.Item != "1" {
			t.Errorf("described first: %v", id)
		}
		if id, ok := w.Next("ann", blanksOpen); !ok || id.Item != "2" {
			t.Errorf("the row without a description waits: %v %v", id, ok)
		}
	}
}
