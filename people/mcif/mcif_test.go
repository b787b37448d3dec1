package mcif

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/bench/mcif/talkqa"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/golden"
	"omniscope/internal/testing/peopletest"
	"omniscope/people"
)

type object = map[string]any

// aTalk is an invented talk of four lines.
func aTalk(id string, changes object) object {
	t := object{"id": id, "video_link": "https://aclanthology.org/made." + id + ".mp4", "video": "VIDEO/made." + id + ".mp4", "abstract": "We count\tsheep in " + id + ".",
		"transcript": "Hello all.\nWe count sheep."}
	var lines []any
	for i, text := range []string{"Hello all.", "We count sheep.", "They are four.", "Thank you."} {
		lines = append(lines, object{"source": text, "start": float64(5 * i), "end": float64(5*i + 4), "de": "Maschine sagt " + text, "zh": "机器说" + fmt.Sprint(i)})
	}
	t["lines"] = lines
	for name, value := range changes {
		if t[name] = value; value == nil {
			delete(t, name)
		}
	}
	return t
}

func file(t *testing.T, name string, rows ...any) string {
	t.Helper()
	var text strings.Builder
	for _, row := range rows {
		line, ok := row.(string)
		if !ok {
			b, _ := json.Marshal(row)
			line = string(b)
		}
		text.WriteString(line + "\n")
	}
	path := filepath.Join(t.TempDir(), name)
	fixture.OK(t, os.WriteFile(path, []byte(text.String()), 0o600))
	return path
}

func open(t *testing.T, m *maker) *people.Workplace {
	t.Helper()
	w := peopletest.Open(t, Kind, peopletest.Make(t, m))
	peopletest.Invite(t, w, people.Annotator, "ann", "ben", "cas", "dan")
	return w
}

// asked answers the questions stage: what is proposed, and four more, with the labels that are wanted.
func asked(f *people.Form) map[string]people.Value {
	out := make(map[string]people.Value)
	say := func(key string, v people.Value) {
		n := len(out)
		v[fieldLabel] = []string{talkqa.Either, talkqa.Either, talkqa.Either, talkqa.Either, talkqa.Either, talkqa.Heard, talkqa.Heard, talkqa.Seen, talkqa.Seen, talkqa.Unanswered}[n%10]
		v[fieldAnswer], v[fieldSpan] = fmt.Sprintf("Answer %d.", n), []any{float64(n) + 0.4, float64(n) + 1.2}
		if v[fieldLabel] == talkqa.Unanswered {
			delete(v, fieldAnswer)
			delete(v, fieldSpan)
		}
		out[key] = v
	}
	for _, card := range f.Sections[0].Cards {
		say(qaSection+"/"+card.ID, people.Value{fieldQuestion: card.Draft.Text(fieldQuestion), fieldOrigin: card.Draft.Text(fieldOrigin)})
	}
	for i := range 4 {
		say(fmt.Sprintf("qa/x%d", i), people.Value{fieldQuestion: fmt.Sprintf("Transcript %d?", i), fieldOrigin: talkqa.Transcript})
	}
	return out
}

// ask has ann ask the questions of all talks.
func ask(t *testing.T, w *people.Workplace) {
	t.Helper()
	peopletest.DoAll(t, w, questionsAbstract, []string{"ann"}, func(_ string, _ *people.WorkItem, f *people.Form) map[string]people.Value {
		if len(f.Texts) != 1 || f.Texts[0].Title != "Abstract" {
			t.Errorf("beside the abstract there is %+v", f.Texts)
		}
		return map[string]people.Value{"qa/a": {fieldQuestion: "Abstract 1?"}, "qa/b": {fieldQuestion: "Abstract 2?"}, "qa/c": {fieldQuestion: "Abstract 3?"}}
	})
	peopletest.DoAll(t, w, questions, []string{"ben", "ann"}, func(person string, _ *people.WorkItem, f *people.Form) map[string]people.Value {
		if person != "ann" {
			t.Errorf("%s goes on with ann's questions", person)
		}
		return asked(f)
	})
}

// verify has ben accept all questions but those that but names, by their texts.
func verify(t *testing.T, w *people.Workplace, but map[string]people.Value) {
	t.Helper()
	n := peopletest.DoAll(t, w, verifyStage, []string{"ann", "ben"}, func(person string, c *people.WorkItem, f *people.Form) map[string]people.Value {
		if person != "ben" {
			t.Errorf("%s verifies their own questions", person)
		}
		out := make(map[string]people.Value)
		for _, q := range writtenAt(c.At(questions)) {
			if out[q.key] = (people.Value{fieldVerdict: accept, fieldLabel: q.label}); but[q.text] != nil {
				out[q.key] = but[q.text]
			}
		}
		text, _ := json.Marshal(f.Sections[0].Cards)
		if strings.Contains(string(text), `"AV"`) {
			t.Error("the author's labels are shown")
		}
		return out
	})
	if n == 0 {
		t.Fatal("nothing is verified")
	}
}

func TestATalkFromQuestionsToTables(t *testing.T) {
	w := open(t, &maker{talks: file(t, "talks.jsonl", aTalk("1", nil), aTalk("2", nil))})
	ask(t, w)
	verify(t, w, map[string]people.Value{
		"Transcript 0?": {fieldVerdict: fix, fieldLabel: talkqa.Heard, fieldAnswer: "Four \"sheep\".", fieldSpan: []any{59.5, 60.2}},
		"Abstract 3?":   {fieldVerdict: reject, fieldLabel: talkqa.Either},
	})
	for _, code := range []string{"de", "zh"} {
		peopletest.DoAll(t, w, translate+code, []string{"cas"}, func(_ string, _ *people.WorkItem, f *people.Form) map[string]people.Value {
			out := translated(f, code)
			out["line/0001"] = people.Value{fieldText: "Maschine sagte Hello all."} // one word of four
			return out
		})
		if _, ok := w.Next("cas", review+code); ok {
			t.Error("cas may review her own work")
		}
		peopletest.DoAll(t, w, review+code, []string{"dan"}, func(_ string, c *people.WorkItem, f *people.Form) map[string]people.Value {
			if draft := f.Sections[0].Cards[0].Draft.Text(fieldText); draft != "Maschine sagte Hello all." || len(f.Sections[0].Cards[0].Texts) != 3 {
				t.Errorf("the reviewer sees %q", draft)
			}
			return translated(f, code)
		})
	}
	rows := tsv(peopletest.Export(t, w, "table"))
	if len(rows) != 1+2*9 || len(rows[0]) != 18 {
		t.Fatalf("%d rows of %d cells", len(rows), len(rows[0]))
	}
	want := []string{"1", "6", "https://aclanthology.org/made.1.mp4", "Hello all. We count sheep.", "We count sheep in 1.", "6", "Transcript Q", "A", "Transcript 0?",
		"de: Transcript 0?", "", "zh: Transcript 0?", "Four \"sheep\".", "de: Four \"sheep\".", "", "zh: Four \"sheep\".", "00:00:59", "00:01:01"}
	if !slices.Equal(rows[6], want) {
		t.Errorf("row\n%q, want\n%q", rows[6], want)
	}
	if row := rows[9]; row[7] != talkqa.Unanswered || row[12] != "Not answerable." || row[13] != "Nicht zu beantworten." || row[16] != "00:00:00" {
		t.Errorf("a question without an answer: %q", row)
	}
	lines := tsv(peopletest.Export(t, w, "transcripts-de"))
	if len(lines) != 3 || len(lines[0])%2 != 0 || !slices.Equal(lines[1][2:6], []string{"Hello all.", "Maschine sagte Hello all.", "We count sheep.", "Maschine sagt We count sheep."}) {
		t.Errorf("lines %q", lines)
	}
	if got := peopletest.Export(t, w, "abstracts-zh"); got != "Video ID\tlink\tc0\tc1\n1\thttps://aclanthology.org/made.1.mp4\tWe count sheep in 1.\tzh\n2\thttps://aclanthology.org/made.2.mp4\tWe count sheep in 2.\tzh\n" {
		t.Errorf("abstracts %q", got)
	}
	if got := peopletest.Export(t, w, "transcripts-it"); got != "Video ID\tlink\n" {
		t.Errorf("lines that nobody translated: %q", got)
	}
	if got := peopletest.Export(t, w, "transcripts"); !strings.HasPrefix(got, "Video Link\tRevised Transcript\nhttps://aclanthology.org/made.1.mp4\tHello all. We count sheep.\n") {
		t.Errorf("transcripts %q", got)
	}
	checkTables(t, w)
}

// translated puts the language before what is to be translated, and accepts what is proposed.
func translated(f *people.Form, code string) map[string]people.Value {
	out := make(map[string]people.Value)
	for _, s := range f.Sections {
		for _, card := range s.Cards {
			v := people.Value{}
			for _, field := range s.Fields {
				switch {
				case card.Draft.Text(field.Name) != "":
					v[field.Name] = card.Draft.Text(field.Name)
				case field.Name == fieldText:
					v[field.Name] = code
				default:
					i := map[string]int{fieldQuestion: 0, fieldAnswer: 1}[field.Name]
					v[field.Name] = code + ": " + card.Texts[i].Body
				}
			}
			out[s.Key(card.ID)] = v
		}
	}
	return out
}

func checkTables(t *testing.T, w *people.Workplace) {
	t.Helper()
	tables, err := Kind.Tables(t.Context(), w)
	peopletest.NobodyIsNamed(t, w, tables)
	fixture.OK(t, err)
	// By hand: of 20 labels all but two are the same: Transcript 0 of each talk is heard, as its author
	// said, and so Abstract 3 (the sixth, heard) is AV by the verifier.
	got := make(map[string][]string)
	for _, row := range tables[0].Rows {
		got[row[0]] = row
	}
	for what, want := range map[string]string{"labels, same": "0.900", "German, edits from machine to reviser": "not known"} {
		if got[what] == nil || got[what][1] != want {
			t.Errorf("%s: %q, want %s", what, got[what], want)
		}
	}
	if n := got["German, edits from machine to reviser"][3]; !strings.HasPrefix(n, "8 lines") {
		t.Errorf("edits of %s", n)
	}
	if row := got["German, edits from reviser to reviewer"]; row[1] != "0.000" || !strings.HasPrefix(row[3], "10 lines") {
		t.Errorf("edits %q", row)
	}
	if _, ok := got["Italian, edits from machine to reviser"]; ok {
		t.Error("edits in a language that nobody translated to")
	}
	if rows := tables[1].Rows; rows[0][1] != "16" || rows[1][1] != "2" || rows[2][1] != "2" || !strings.Contains(tables[1].Note, "1 (2 from the abstract, not 3, ") {
		t.Errorf("questions %q, %q", rows, tables[1].Note)
	}
}

func tsv(text string) (rows [][]string) {
	for line := range strings.Lines(text) {
		rows = append(rows, strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
	}
	return rows
}

func TestQuestionsComeOutAgain(t *testing.T) {
	w := open(t, &maker{talks: file(t, "talks.jsonl", aTalk("1", nil)), to: []string{noLanguage}})
	ask(t, w)
	verify(t, w, nil)
	first := peopletest.Export(t, w, "questions")
	var row talkqa.Row
	if err := json.Unmarshal([]byte(strings.Split(first, "\n")[0]), &row); err != nil || row.Origin != talkqa.General || row.Number != 1 || row.State != "verified" || row.Author != "ann" || row.Verifier != "ben" || *row.End != 1.2 {
		t.Errorf("%v: %+v", err, row)
	}
	m := &maker{talks: file(t, "talks.jsonl", aTalk("1", nil)), questions: file(t, "questions.jsonl", strings.TrimSuffix(first, "\n")), to: []string{noLanguage}}
	again := open(t, m)
	if got := peopletest.Export(t, again, "questions"); got != first {
		t.Errorf("exported again\n%s, want\n%s", got, first)
	}
	peopletest.DoAll(t, again, questionsAbstract, []string{"cas"}, accepted)
	peopletest.DoAll(t, again, questions, []string{"cas"}, accepted)
	if got := strings.ReplaceAll(first, `"verified","author":"ann","verifier":"ben"`, `"written","author":"cas"`); peopletest.Export(t, again, "questions") != got {
		t.Errorf("accepted as they are\n%s, want\n%s", peopletest.Export(t, again, "questions"), got)
	}
}

// accepted accepts all that is proposed.
func accepted(_ string, _ *people.WorkItem, f *people.Form) map[string]people.Value {
	out := make(map[string]people.Value)
	for _, card := range f.Sections[0].Cards {
		v := people.Value{}
		for _, field := range f.Sections[0].Fields {
			if value, ok := card.Draft[field.Name]; ok {
				v[field.Name] = value
			}
		}
		out[qaSection+"/"+card.ID] = v
	}
	return out
}

func TestQuestionsThatAreTooFew(t *testing.T) {
	form, _ := questionsForm(&people.WorkItem{}, &talkInfo{})
	all := written(&people.Done{Answers: asked(form)})
	full := append(all, question{text: "a?", answer: "a", timed: true, origin: talkqa.Abstract, label: talkqa.Seen}, question{text: "b?", answer: "b", timed: true, origin: talkqa.Abstract, label: talkqa.Seen}, question{text: "c?", origin: talkqa.Abstract, label: talkqa.Unanswered})
	if err := checkQuestions(full); err != nil {
		t.Errorf("questions enough: %v", err)
	}
	without := func(skip func(*question) bool) []question {
		return slices.DeleteFunc(slices.Clone(full), func(q question) bool { return skip(&q) })
	}
	for says, questions := range map[string][]question{
		"0 general, not 3":              without(func(q *question) bool { return q.origin == talkqa.General }),
		"0 from the abstract, not 3":    without(func(q *question) bool { return q.origin == talkqa.Abstract }),
		"0 from the transcript, not 4":  without(func(q *question) bool { return q.origin == talkqa.Transcript }),
		"0 AV, not 5, 2 A or AV, not 7": without(func(q *question) bool { return q.label == talkqa.Either }),
		"0 V, not 2":                    without(func(q *question) bool { return q.label == talkqa.Seen }),
		"0 NA, not 1":                   without(func(q *question) bool { return q.label == talkqa.Unanswered }),
		`two questions are "a?"`:        append(slices.Clone(full), full[len(full)-3]),
		`"d?" has no answer`:            append(slices.Clone(full), question{text: "d?", label: talkqa.Seen, timed: true}),
		`"d?": mark where`:              append(slices.Clone(full), question{text: "d?", label: talkqa.Seen, answer: "d"}),
	} {
		if err := checkQuestions(questions); omniscope.KindOf(err) != omniscope.Usage || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
}

func TestVerdictsThatAreNone(t *testing.T) {
	c := &people.WorkItem{Earlier: []people.Done{{TaskID: people.TaskID{Stage: questions}, Answers: map[string]people.Value{
		"qa/a": {fieldQuestion: "a?", fieldAnswer: "a", fieldLabel: talkqa.Seen, fieldOrigin: talkqa.General, fieldSpan: []any{1.0, 2.0}},
		"qa/b": {fieldQuestion: "b?", fieldLabel: talkqa.Unanswered, fieldOrigin: talkqa.General},
	}}}}
	good := people.Value{fieldVerdict: accept, fieldLabel: talkqa.Unanswered}
	for says, v := range map[string][2]people.Value{
		`"a?": you say fix and change nothing`:    {{fieldVerdict: fix, fieldLabel: talkqa.Seen, fieldAnswer: "a"}, good},
		`"a?": you say accept and change it`:      {{fieldVerdict: accept, fieldLabel: talkqa.Seen, fieldSpan: []any{1.0, 3.0}}, good},
		`"a?": you say reject and change it`:      {{fieldVerdict: reject, fieldLabel: talkqa.Seen, fieldQuestion: "c?"}, good},
		`"b?" has no answer: write it, or choose`: {{fieldVerdict: accept, fieldLabel: talkqa.Seen}, {fieldVerdict: accept, fieldLabel: talkqa.Heard}},
	} {
		if err := checkVerdicts(c, nil, map[string]people.Value{"qa/a": v[0], "qa/b": v[1]}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
}

func TestEdits(t *testing.T) {
	for _, c := range []struct {
		code, from, to string
		errors, of     float64
	}{
		{"de", "eins  zwei drei", "eins drei vier", 2, 3},
		{"zh", "我们 数羊", "我们数了羊", 1, 5},
	} {
		if errors, words := edits(languageOf(c.code), c.from, c.to); errors != c.errors || words != c.of {
			t.Errorf("%s: %v edits of %v", c.code, errors, words)
		}
	}
}

func TestBadFiles(t *testing.T) {
	ask := func(changes object) object {
		q := object{"talk": "1", "question": "Who?", "label": "A", "origin": talkqa.General}
		for name, value := range changes {
			if q[name] = value; value == nil {
				delete(q, name)
			}
		}
		return q
	}
	good := aTalk("1", nil)
	for says, c := range map[string]struct{ talk, question any }{
		"talks.jsonl:2: not JSON":                               {talk: "{"},
		`talks.jsonl:2: no field "id"`:                          {talk: aTalk("2", object{"id": nil})},
		"talks.jsonl:2: talk 1 is there already, on line 1":     {talk: good},
		`talks.jsonl:2: talk 2: no field "abstract"`:            {talk: aTalk("2", object{"abstract": nil})},
		`talk 2: no field "video"`:                              {talk: aTalk("2", object{"video": nil})},
		"talks.jsonl:2: talk 2: line 1 has no source":           {talk: aTalk("2", object{"lines": []any{object{"de": "x"}}})},
		"line 1 begins at 5 s and does not end":                 {talk: aTalk("2", object{"lines": []any{object{"source": "x", "start": 5, "end": 4}}})},
		"talks.jsonl:2: json: cannot unmarshal number":          {talk: aTalk("2", object{"abstract": 5})},
		`questions.jsonl:2: the label is "B", not one of AV, A`: {question: ask(object{"label": "B"})},
		`the origin is "", not one of general`:                  {question: ask(object{"origin": nil})},
		`questions.jsonl:2: no field "question"`:                {question: ask(object{"question": nil})},
		`there is no talk "9" among`:                            {question: ask(object{"talk": "9"})},
		"begins at 3 s and does not end after":                  {question: ask(object{"start": 3})},
	} {
		m := &maker{talks: file(t, "talks.jsonl", good)}
		if c.talk != nil {
			m.talks = file(t, "talks.jsonl", good, c.talk)
		} else {
			m.questions = file(t, "questions.jsonl", ask(nil), c.question)
		}
		if _, err := m.Make(t.Context()); omniscope.KindOf(err) != omniscope.Invalid || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
}

func TestLanguages(t *testing.T) {
	talks := file(t, "talks.jsonl", aTalk("1", nil))
	p := peopletest.Make(t, &maker{talks: talks})
	if len(p.Project.Stages) != 9 || len(p.Warnings) != 1 || !strings.Contains(p.Warnings[0], "1 of 1 talks have no machine's text in Italian") {
		t.Errorf("%d stages, warnings %q", len(p.Project.Stages), p.Warnings)
	}
	m := &maker{}
	for _, o := range m.Options() {
		if values := map[string]string{"talks": talks, "language": "zh"}; values[o.Name] != "" {
			fixture.OK(t, o.Value.Set(values[o.Name]))
		}
	}
	if p := peopletest.Make(t, m); len(p.Project.Stages) != 5 || p.Project.Stage(review+"zh") == nil {
		t.Errorf("%d stages", len(p.Project.Stages))
	}
	for says, to := range map[string][]string{"--language fr": {"fr"}, "given twice": {"de", "de"}, "none alone": {"de", noLanguage}} {
		if _, err := (&maker{talks: talks, to: to}).Make(t.Context()); omniscope.KindOf(err) != omniscope.Usage || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
}

// The tables have the names and columns of those that MCIF's builder reads.
func TestTablesOfTheBuilder(t *testing.T) {
	w := open(t, &maker{talks: file(t, "talks.jsonl", aTalk("1", nil))})
	for _, e := range Kind.Exports {
		if e.Name == "questions" {
			continue
		}
		text, err := os.ReadFile(golden.Path(t, "mcif", "build", "case_a", "TEST_SET", e.File))
		fixture.OK(t, err)
		want, got := tsv(string(text))[0], tsv(peopletest.Export(t, w, e.Name))[0]
		if !slices.Equal(got, want[:min(len(want), len(got))]) || len(got) < len(want) && got[len(got)-1] != "link" {
			t.Errorf("%s has the columns %q, want %q", e.File, got, want)
		}
	}
}
