package cloze

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/golden"
	"omniscope/internal/testing/peopletest"
	"omniscope/people"
)

type object = map[string]any

// aBlank is blank n of an invented row, whose key is B. Changes replace its fields; nil removes one.
func aBlank(n int, changes object) object {
	word := func(letter string) string { return fmt.Sprintf("%s%d", letter, n) }
	sense := []string{"visual", "audio", "audio-visual"}[n%3]
	return with(object{
		"number": n, "answer": word("b"), "distractors": []any{word("a"), word("c"), word("d")},
		"options":      []any{"A: " + word("a"), "B: " + word("b"), "C: " + word("c"), "D: " + word("d"), "E: not given"},
		"answer_index": 1, "answer_key": "B", "required_modality": sense,
	}, changes)
}

// aRow is an invented row of 30 blanks.
func aRow(uuid any, changes map[int]object) object {
	var passage strings.Builder
	var blanks []any
	for n := 1; n <= 30; n++ {
		fmt.Fprintf(&passage, "Thing %d is [BLANK_%d]. ", n, n)
		blanks = append(blanks, aBlank(n, changes[n]))
	}
	return object{"uuid": uuid, "video_path": fmt.Sprintf("./videos/%v.mp4", uuid), "cloze": object{"passage": passage.String(), "blanks": blanks},
		"metadata": object{"category": "made", "subcategory": "up & <down>"}, "predicted_caption": "A caption."}
}

func with(o, changes object) object {
	for name, value := range changes {
		if o[name] = value; value == nil {
			delete(o, name)
		}
	}
	return o
}

// inText puts the cloze of a row into a text.
func inText(row object) object { return with(row, object{"cloze": fixture.JSON(row["cloze"])}) }

func file(t *testing.T, name string, rows ...any) string {
	t.Helper()
	var text strings.Builder
	for _, row := range rows {
		if s, ok := row.(string); ok {
			text.WriteString(s + "\n")
		} else {
			text.WriteString(fixture.JSON(row) + "\n")
		}
	}
	path := filepath.Join(t.TempDir(), name)
	fixture.OK(t, os.WriteFile(path, []byte(text.String()), 0o600))
	return path
}

func made(t *testing.T, set func(*maker)) *maker {
	t.Helper()
	m := newMaker()
	set(m)
	return m
}

func open(t *testing.T, m *maker) *people.Workplace {
	t.Helper()
	w := peopletest.Open(t, Kind, peopletest.Make(t, m))
	peopletest.Invite(t, w, people.Annotator, "ann", "ben", "cas")
	peopletest.Invite(t, w, people.Senior, "sam")
	return w
}

// exportedRows are the exported rows, read.
func exportedRows(t *testing.T, w *people.Workplace) (rows []object) {
	t.Helper()
	for line := range strings.Lines(peopletest.Export(t, w, "rows")) {
		var row object
		fixture.OK(t, json.Unmarshal([]byte(line), &row))
		rows = append(rows, row)
	}
	return rows
}

func blankOf(t *testing.T, row object, n int) object {
	t.Helper()
	cloze := row["cloze"]
	if text, ok := cloze.(string); ok {
		fixture.OK(t, json.Unmarshal([]byte(text), &cloze))
	}
	return cloze.(object)["blanks"].([]any)[n-1].(object)
}

// all has the same said of every blank, but for those named.
func all(form *people.Form, say people.Value, but map[int]people.Value) map[string]people.Value {
	out := make(map[string]people.Value)
	for _, card := range form.Sections[0].Cards {
		n, _ := strconv.Atoi(card.ID)
		if out[blankSection+"/"+card.ID] = say; but[n] != nil {
			out[blankSection+"/"+card.ID] = but[n]
		}
	}
	return out
}

var (
	answersB = people.Value{fieldAnswer: "B", fieldSense: "visual"}
	accepts  = people.Value{fieldVerdict: accept}
)

// review has two people accept all blanks of a project, but what but says of a person and item.
func review(t *testing.T, w *people.Workplace, but func(person, item string) map[int]people.Value) {
	t.Helper()
	who := []string{"ann", "ben"}
	peopletest.DoAll(t, w, blanksOpen, who, func(_ string, _ *people.WorkItem, f *people.Form) map[string]people.Value {
		return all(f, answersB, nil)
	})
	peopletest.DoAll(t, w, blanksKey, who, func(person string, c *people.WorkItem, f *people.Form) map[string]people.Value {
		return all(f, accepts, but(person, c.Item.ID))
	})
}

func TestUnchangedRowsStay(t *testing.T) {
	rows := []any{aRow(1, nil), inText(aRow("two", nil)), `{"uuid": 3,  "cloze": ` + fixture.JSON(aRow(3, nil)["cloze"]) + `, "big": 12345678901234567890, "é": "\u00e9"}`}
	data := file(t, "rows.jsonl", rows...)
	w := open(t, made(t, func(m *maker) { m.data = data }))
	review(t, w, func(string, string) map[int]people.Value { return nil })
	want, _ := os.ReadFile(data)
	if got := peopletest.Export(t, w, "rows"); got != string(want) {
		t.Errorf("exported\n%.300s\nwant\n%.300s", got, want)
	}
	again := open(t, made(t, func(m *maker) {
		m.data = file(t, "again.jsonl", strings.TrimSuffix(peopletest.Export(t, w, "rows"), "\n"))
	}))
	review(t, again, func(string, string) map[int]people.Value { return nil })
	if peopletest.Export(t, again, "rows") != string(want) {
		t.Error("the second export differs from the first")
	}
}

func TestListOfRowsBecomesLines(t *testing.T) {
	pretty, _ := json.MarshalIndent([]any{aRow(1, nil), aRow(2, nil)}, "", "  ")
	w := open(t, made(t, func(m *maker) { m.data = file(t, "rows.json", string(pretty)) }))
	review(t, w, func(string, string) map[int]people.Value { return nil })
	var got []any
	for _, row := range exportedRows(t, w) {
		got = append(got, row)
	}
	var want []any
	json.Unmarshal(pretty, &want)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("exported %.200v", got)
	}
}

func TestReleasedRowsComeOutAgain(t *testing.T) {
	data := golden.Path(t, "cloze", "case_studies.jsonl")
	w := open(t, made(t, func(m *maker) { m.data, m.blanks = data, 0 }))
	review(t, w, func(string, string) map[int]people.Value { return nil })
	want, _ := os.ReadFile(data)
	if got := peopletest.Export(t, w, "rows"); strings.TrimSpace(got) != strings.TrimSpace(string(want)) {
		t.Errorf("exported\n%.300s", got)
	}
}

// TestRowsThatNobodyReviewedAreLeftOut reviews one of three rows, and half of the next.
func TestRowsThatNobodyReviewedAreLeftOut(t *testing.T) {
	w := open(t, made(t, func(m *maker) { m.data = file(t, "rows.jsonl", aRow(1, nil), aRow(2, nil), aRow(3, nil)) }))
	rows := Kind.Exports[0]
	if err := rows.Write(t.Context(), w, io.Discard); omniscope.KindOf(err) != omniscope.Usage || !strings.Contains(err.Error(), "no row has all blanks reviewed") {
		t.Errorf("before any review: %v", err)
	}
	for _, person := range []string{"ann", "ben"} {
		peopletest.Do(t, w, person, blanksOpen, func(_ *people.WorkItem, f *people.Form) map[string]people.Value { return all(f, answersB, nil) })
	}
	for _, person := range []string{"ann", "ben"} {
		peopletest.Do(t, w, person, blanksKey, func(_ *people.WorkItem, f *people.Form) map[string]people.Value { return all(f, accepts, nil) })
	}
	if got := exportedRows(t, w); len(got) != 1 {
		t.Errorf("%d rows are exported", len(got))
	}
	what, err := rows.LeftOut(t.Context(), w)
	if err != nil || what != "2 of 3 rows are left out, since 60 blanks are not reviewed or not settled" {
		t.Errorf("%q, %v", what, err)
	}
	var last reviewRow
	lines := strings.Split(strings.TrimSpace(peopletest.Export(t, w, "review")), "\n")
	if err := json.Unmarshal([]byte(lines[2]), &last); err != nil || !last.LeftOut {
		t.Errorf("review of the last row: %s", lines[2])
	}
}

// Planted disputes reach the senior, and nothing else does.
func TestDisputesAreSettled(t *testing.T) {
	w := open(t, made(t, func(m *maker) { m.data = file(t, "rows.jsonl", aRow(1, nil), aRow(2, nil)) }))
	planted := map[string]map[int]people.Value{
		"ann": {
			3:  {fieldVerdict: guessable},                                 // ben accepts
			5:  {fieldVerdict: guessable},                                 // ben rejects: both are rejections
			7:  {fieldVerdict: wrongKey, fieldKey: "C"},                   // ben says D
			9:  {fieldVerdict: wrongKey, fieldKey: "A"},                   // ben, too
			11: {fieldVerdict: twoRight, distractorField(0): "something"}, // ben, too
		},
		"ben": {
			5:  {fieldVerdict: reject},
			7:  {fieldVerdict: wrongKey, fieldKey: "D"},
			9:  {fieldVerdict: wrongKey, fieldKey: "A"},
			11: {fieldVerdict: guessable, distractorField(0): " something"},
		},
	}
	review(t, w, func(person, item string) map[int]people.Value {
		if item == "1" {
			return planted[person]
		}
		return nil
	})
	if id, ok := w.Next("ann", settle); ok {
		t.Errorf("ann may settle %s", id)
	}
	var seen []string
	n := peopletest.DoAll(t, w, settle, []string{"sam"}, func(_ string, c *people.WorkItem, f *people.Form) map[string]people.Value {
		for _, card := range f.Sections[0].Cards {
			seen = append(seen, c.Item.ID+"/"+card.ID)
		}
		return all(f, accepts, map[int]people.Value{7: {fieldVerdict: wrongKey, fieldKey: "D"}})
	})
	if n != 1 || !slices.Equal(seen, []string{"1/3", "1/7"}) {
		t.Errorf("%d items are settled: %v", n, seen)
	}
	rows := exportedRows(t, w)
	for n, want := range map[int][]any{3: {"b3", "B", 1.0, "a3 c3 d3"}, 5: {"b5", "B", 1.0, "a5 c5 d5"}, 7: {"d7", "D", 3.0, "a7 c7 b7"}, 9: {"a9", "A", 0.0, "b9 c9 d9"}, 11: {"b11", "B", 1.0, "something c11 d11"}} {
		b := blankOf(t, rows[0], n)
		got := []any{b["answer"], b["answer_key"], b["answer_index"], strings.Trim(fmt.Sprint(b["distractors"]), "[]")}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("blank %d is %v, want %v", n, got, want)
		}
	}
	if got := blankOf(t, rows[0], 11)["options"].([]any)[0]; got != "A: something" {
		t.Errorf("option A of blank 11 is %q", got)
	}
	var first reviewRow
	json.Unmarshal([]byte(strings.Split(peopletest.Export(t, w, "review"), "\n")[0]), &first)
	if b := first.Blanks[2]; b.Outcome != accepted || !b.Settled || b.Final.By != "sam" || b.Key[0].Verdict != guessable || b.Open[1] != (openInfo{"ben", "B", "visual"}) {
		t.Errorf("review of blank 3: %+v", b)
	}
	if b := first.Blanks[4]; b.Outcome != rejected || b.Settled {
		t.Errorf("review of blank 5: %+v", b)
	}
}

func TestChangesKeepTheFormOfARow(t *testing.T) {
	plain := map[int]object{
		1: {"options": object{"A": "a1", "B": "b1", "C": "c1", "D": "d1"}},
		2: {"options": nil, "choices": []any{"a2", "b2", "c2", "d2"}},
		3: {"options": nil},
		4: {"answer_index": nil},
	}
	m := made(t, func(m *maker) { m.data = file(t, "rows.jsonl", inText(aRow(1, plain))) })
	w := open(t, m)
	changes := make(map[int]people.Value)
	for n := 1; n <= 4; n++ {
		changes[n] = people.Value{fieldVerdict: wrongKey, fieldKey: "D", fieldAnswer: "new"}
	}
	review(t, w, func(string, string) map[int]people.Value { return changes })
	rows := exportedRows(t, w)
	if _, ok := rows[0]["cloze"].(string); !ok {
		t.Fatal("the cloze was a text and is none")
	}
	for n, want := range map[int]object{
		1: {"options": object{"A": "a1", "B": "new", "C": "c1", "D": "d1"}},
		2: {"options": nil, "choices": []any{"a2", "new", "c2", "d2"}},
		3: {"options": nil, "distractors": []any{"a3", "new", "c3"}},
		4: {"answer_index": nil, "options": []any{"A: a4", "B: new", "C: c4", "D: d4", "E: not given"}},
	} {
		whole := aBlank(n, object{"number": float64(n), "answer": fmt.Sprintf("d%d", n), "answer_key": "D", "answer_index": 3.0,
			"distractors": []any{fmt.Sprintf("a%d", n), fmt.Sprintf("c%d", n), "new"}})
		if got := blankOf(t, rows[0], n); !reflect.DeepEqual(got, with(whole, want)) {
			t.Errorf("blank %d is %v", n, got)
		}
	}
	if p := peopletest.Make(t, m); len(p.Warnings) != 1 || !strings.Contains(p.Warnings[0], "1 rows have blanks without options") {
		t.Errorf("warnings %q", p.Warnings)
	}
}

func TestRejectedRowsCanBeLeftOut(t *testing.T) {
	for _, leave := range []bool{false, true} {
		w := open(t, made(t, func(m *maker) { m.data, m.leaveOut = file(t, "rows.jsonl", aRow(1, nil), aRow(2, nil)), leave }))
		review(t, w, func(_, item string) map[int]people.Value {
			if item == "2" {
				return map[int]people.Value{30: {fieldVerdict: reject}}
			}
			return nil
		})
		if rows := exportedRows(t, w); (len(rows) == 1) != leave {
			t.Errorf("leave out %v: %d rows", leave, len(rows))
		}
		tables, err := Kind.Tables(t.Context(), w)
		peopletest.NobodyIsNamed(t, w, tables)
		if err != nil || !strings.HasSuffix(tables[1].Note, ": 1 (2)") || strings.Contains(tables[1].Note, "are left out") != leave {
			t.Errorf("%v: note %q", err, tables[1].Note)
		}
	}
}

func TestOpenFormHidesTheKey(t *testing.T) {
	w := open(t, made(t, func(m *maker) { m.data = file(t, "rows.jsonl", aRow(1, nil)) }))
	c, err := w.WorkItem(t.Context(), "1", blanksOpen)
	fixture.OK(t, err)
	form, err := Kind.Form(c)
	fixture.OK(t, err)
	text := fixture.JSON(form)
	if strings.Contains(text, "Key") || strings.Count(text, `"b7"`) != 1 || !strings.Contains(text, "Thing 7 is ____[7]____") {
		t.Errorf("form %.1000s", text)
	}
}

func TestSamePeopleSeeTheKey(t *testing.T) {
	w := open(t, made(t, func(m *maker) { m.data = file(t, "rows.jsonl", aRow(1, nil)) }))
	peopletest.DoAll(t, w, blanksOpen, []string{"ann", "ben"}, func(_ string, _ *people.WorkItem, f *people.Form) map[string]people.Value {
		return all(f, answersB, nil)
	})
	for person, may := range map[string]bool{"ann": true, "ben": true, "cas": false, "sam": false} {
		if _, ok := w.Next(person, blanksKey); ok != may {
			t.Errorf("%s may see the key: %v", person, ok)
		}
	}
}

func TestDecisionsThatAreNone(t *testing.T) {
	s := &sheetTask{Row: fixture.JSON(aRow(1, nil))}
	for says, v := range map[string]people.Value{
		`you say "accept" and change it`: {fieldVerdict: accept, fieldAnswer: "other"},
		"choose the right option":        {fieldVerdict: wrongKey, fieldKey: "B"},
		"choose the right sense":         {fieldVerdict: wrongSense, fieldSense: "audio"},
		`two options say "b1"`:           {fieldVerdict: twoRight, distractorField(2): "b1"},
	} {
		if err := checkDecisions(nil, s, map[string]people.Value{"blank/1": v}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
}

func TestBadRows(t *testing.T) {
	changed := func(n int, changes object) object { return aRow(7, map[int]object{n: changes}) }
	more := aRow(7, nil)
	more["cloze"].(object)["blanks"] = append(more["cloze"].(object)["blanks"].([]any), aBlank(31, nil))
	more["cloze"].(object)["passage"] = more["cloze"].(object)["passage"].(string) + "[BLANK_31]"
	for says, bad := range map[string]any{
		"rows.jsonl:2: not JSON":                                  `{"uuid": 7,`,
		"rows.jsonl:2: the row has no uuid":                       with(aRow(7, nil), object{"uuid": nil}),
		"rows.jsonl:2: uuid 1 is there already, on line 1":        aRow("1", nil),
		`rows.jsonl:2: no field "cloze"`:                          with(aRow(7, nil), object{"cloze": nil}),
		`uuid 7: cloze: no field "passage"`:                       with(aRow(7, nil), object{"cloze": object{"blanks": []any{}}}),
		`rows.jsonl:2: uuid 7: blank 3: no field "answer"`:        changed(3, object{"answer": nil}),
		`blank 4: no field "required_modality"`:                   changed(4, object{"required_modality": nil}),
		`blank 4: required_modality is "smell"`:                   changed(4, object{"required_modality": "smell"}),
		`blank 5: no field "answer_key"`:                          changed(5, object{"answer_key": nil, "answer_index": nil}),
		`blank 5: answer_key is "F"`:                              changed(5, object{"answer_key": "F"}),
		"blank 6: there are 2 distractors, not 3":                 changed(6, object{"distractors": []any{"x", "y"}}),
		"blank 6: there are 3 options without E, not 4":           changed(6, object{"options": []any{"x", "y", "z"}}),
		"rows.jsonl:2: uuid 7: the row has 31 blanks, not 30":     more,
		"rows.jsonl:2: uuid 7: two blanks have the number 8":      changed(9, object{"number": 8}),
		"the passage has [BLANK_40] 0 times, not once":            changed(9, object{"number": 40}),
		"rows.jsonl:2: uuid 7: cloze is not an object":            with(aRow(7, nil), object{"cloze": "{"}),
		"blank 9: the number is \"x\", not a whole number from 1": changed(9, object{"number": "x"}),
	} {
		m := made(t, func(m *maker) { m.data = file(t, "rows.jsonl", aRow(1, nil), bad) })
		if _, err := m.Make(t.Context()); omniscope.KindOf(err) != omniscope.Invalid || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
}

func TestBadOptions(t *testing.T) {
	data := file(t, "rows.jsonl", aRow(1, nil))
	for says, set := range map[string]func(*maker){
		"--data":                          func(*maker) {},
		"--caption-field goes with":       func(m *maker) { m.data, m.field = data, "text" },
		"`omniscope people new captions`": func(m *maker) { m.descriptions = data },
		"--people 0":                      func(m *maker) { m.data, m.people = data, 0 },
		"holds no folders with a report":  func(m *maker) { m.data, m.investigations = data, t.TempDir() },
	} {
		if _, err := made(t, set).Make(t.Context()); omniscope.KindOf(err) != omniscope.Usage || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
}

func TestTables(t *testing.T) {
	w := open(t, made(t, func(m *maker) { m.data = file(t, "rows.jsonl", aRow(1, nil), aRow(2, nil)) }))
	peopletest.DoAll(t, w, blanksOpen, []string{"ann", "ben"}, func(person string, _ *people.WorkItem, f *people.Form) map[string]people.Value {
		but := make(map[int]people.Value)
		if person == "ben" { // right in 24 of 30
			for n := 1; n <= 6; n++ {
				but[n] = people.Value{fieldAnswer: notGiven, fieldSense: "audio"}
			}
		}
		return all(f, answersB, but)
	})
	peopletest.DoAll(t, w, blanksKey, []string{"ann", "ben"}, func(person string, _ *people.WorkItem, f *people.Form) map[string]people.Value {
		but := map[int]people.Value{1: {fieldVerdict: reject}, 2: {fieldVerdict: reject}}
		if person == "ben" {
			delete(but, 2)
		}
		return all(f, accepts, but)
	})
	tables, err := Kind.Tables(t.Context(), w)
	peopletest.NobodyIsNamed(t, w, tables)
	fixture.OK(t, err)
	// By hand: 108 of 120 answers are the key. Of the pairs 48 are equal and 12 differ: alpha is
	// 1 - 119·24/(2·108·12) = -0.102. Verdicts: 58 of 60 equal, kappa (58·60-(56·58+4·2))/(60·60-(56·58+4·2)).
	for i, want := range map[int]string{0: "0.900", 4: "-0.102", 5: "0.967", 6: "0.651", 7: "0.651"} {
		if row := tables[0].Rows[i]; row[1] != want {
			t.Errorf("%q, want %s", row, want)
		}
	}
	if got := tables[1].Rows; got[0][1] != "56" || got[2][1] != "2" || got[3][1] != "2" {
		t.Errorf("outcomes %q", got)
	}
}
