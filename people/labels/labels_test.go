package labels

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/peopletest"
	"omniscope/people"
)

type object = map[string]any

// Results of an invented task: a stretch of sound, one of frames, choices, a rating and texts.
var (
	aSpan = object{"id": "w1", "from_name": "sound", "to_name": "audio", "type": "labels", "origin": "manual", "original_length": 60.5,
		"value": object{"start": 1.25, "end": 3, "channel": 0, "labels": []any{"Speech"}}}
	aNote = object{"id": "w1", "from_name": "note", "to_name": "audio", "type": "textarea", "origin": "manual",
		"value": object{"start": 1.25, "end": 3, "text": []any{"hello", "all"}}}
	aTimeline = object{"id": "t1", "from_name": "shot", "to_name": "video", "type": "timelinelabels", "value": object{"ranges": []any{object{"start": 24, "end": 60}}, "timelinelabels": []any{"Close"}}}
	aChoice   = object{"id": "c1", "from_name": "mood", "to_name": "video", "type": "choices", "value": object{"choices": []any{"Calm"}}}
	aRating   = object{"id": "x1", "from_name": "stars", "to_name": "video", "type": "rating", "value": object{"rating": 4}}
	aBox      = object{"id": "b1", "from_name": "box", "to_name": "video", "type": "videorectangle", "value": object{"sequence": []any{object{"frame": 1}}}}
)

func aTask(id any, results ...any) object {
	t := object{"id": id, "data": object{"title": "a <title>", "video": fmt.Sprintf("/data/local-files/?d=clips/%v.mp4", id)}, "meta": object{"big": json.Number("12345678901234567890")}}
	if len(results) > 0 {
		t["annotations"] = []any{object{"id": 7, "completed_by": 1, "was_cancelled": false, "result": results}}
	}
	return t
}

const aConfig = `<View>
  <Video name="video" value="$video" frameRate="24"/><Audio name="audio" value="$video"/>
  <Labels name="sound" toName="audio"><Label value="Speech"/><Label value="Music"/></Labels>
  <TimelineLabels name="shot" toName="video"><Label value="Close"/><Label value="Wide"/></TimelineLabels>
  <Choices name="mood" toName="video" choice="single"><Choice value="Calm"/><Choice value="Wild"/></Choices>
  <Rating name="stars" toName="video" maxRating="5"/>
  <TextArea name="note" toName="audio" perRegion="true"/>
</View>`

// file writes tasks as Label Studio does: a list.
func file(t *testing.T, tasks ...any) string {
	t.Helper()
	var lines []string
	for _, task := range tasks {
		text, err := json.Marshal(task)
		fixture.OK(t, err)
		lines = append(lines, string(text))
	}
	return fixture.File(t, "tasks.json", "["+strings.Join(lines, ",\n ")+"]")
}

func open(t *testing.T, m *maker) *people.Workplace {
	t.Helper()
	w := peopletest.Open(t, Kind, peopletest.Make(t, m))
	peopletest.Invite(t, w, people.Annotator, "ann", "ben")
	return w
}

func exported(t *testing.T, w *people.Workplace) string {
	t.Helper()
	var out bytes.Buffer
	fixture.OK(t, Kind.Exports[0].Write(t.Context(), w, &out))
	return out.String()
}

func parse(t *testing.T, text string) (tasks []any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &tasks); err != nil {
		t.Fatalf("%v: %.300s", err, text)
	}
	return tasks
}

// accepted accepts all that is proposed, but for what but says by key.
func accepted(f *people.Form, but map[string]people.Value) map[string]people.Value {
	out := make(map[string]people.Value)
	for i := range f.Sections {
		for _, card := range f.Sections[i].Cards {
			if card.Draft != nil {
				out[f.Sections[i].Key(card.ID)] = card.Draft
			}
		}
	}
	for key, v := range but {
		if out[key] = v; v == nil {
			delete(out, key)
		}
	}
	return out
}

func do(t *testing.T, w *people.Workplace, who []string, but map[string]people.Value) int {
	t.Helper()
	return peopletest.DoAll(t, w, stage, who, func(_ string, _ *people.WorkItem, f *people.Form) map[string]people.Value {
		return accepted(f, but)
	})
}

func TestUnchangedTasksStay(t *testing.T) {
	data := file(t, aTask(1, aSpan, aNote, aTimeline, aChoice, aRating, aBox), aTask(2), object{"id": 3, "data": object{}, "predictions": []any{object{"result": []any{aSpan}}}})
	m := &maker{data: data, people: 1, keepUnknown: true}
	text, _ := os.ReadFile(data)
	w := open(t, m)
	if !reflect.DeepEqual(parse(t, exported(t, w)), parse(t, string(text))) {
		t.Errorf("exported %s", exported(t, w))
	}
	if n := do(t, w, []string{"ann"}, nil); n != 3 {
		t.Errorf("%d tasks are done", n)
	}
	first := exported(t, w)
	if !reflect.DeepEqual(parse(t, first), parse(t, string(text))) || !strings.Contains(first, "12345678901234567890") {
		t.Errorf("accepted and exported %s", first)
	}
	again := open(t, &maker{data: fixture.File(t, "again.json", first), people: 1, keepUnknown: true})
	if exported(t, again) != first {
		t.Errorf("the second export differs: %s", exported(t, again))
	}
	p := peopletest.Make(t, m)
	want := []string{"the times of 1 stretches are approximate", "1 results of the type videorectangle are carried along"}
	if len(p.Warnings) != 2 || !strings.HasPrefix(p.Warnings[0], want[0]) || !strings.HasPrefix(p.Warnings[1], want[1]) {
		t.Errorf("warnings %q", p.Warnings)
	}
}

func TestChangesBecomeAnAnnotation(t *testing.T) {
	w := open(t, &maker{data: file(t, aTask(1, aSpan, aNote, aTimeline, aChoice, aRating, aBox)), config: fixture.File(t, "c.xml", aConfig), people: 1, keepUnknown: true})
	do(t, w, []string{"ann"}, map[string]people.Value{
		"s1/r1":  {people.ValueStruck: true},                                        // and the note on it
		"s1/new": {fieldSpan: []any{10.5, 12.0}, fieldLabel: []any{"Music"}},        // added
		"s2/r3":  {fieldSpan: []any{1.0, 3.25}, fieldLabel: []any{"Close", "Wide"}}, // 78 frames
		"s3/r4":  {fieldValue: "Wild"},
		"s4/r5":  {fieldValue: "2"},
	})
	task := parse(t, exported(t, w))[0].(object)
	annotations := task["annotations"].([]any)
	if len(annotations) != 2 || annotations[1].(object)["created_username"] != "ann" {
		t.Fatalf("annotations %v", annotations)
	}
	want := []any{
		object{"id": "t1", "from_name": "shot", "to_name": "video", "type": "timelinelabels", "meta": object{"text": []any{"frames are time × 24"}},
			"value": object{"ranges": []any{object{"start": 24.0, "end": 78.0}}, "timelinelabels": []any{"Close", "Wide"}}},
		object{"id": "c1", "from_name": "mood", "to_name": "video", "type": "choices", "value": object{"choices": []any{"Wild"}}},
		object{"id": "x1", "from_name": "stars", "to_name": "video", "type": "rating", "value": object{"rating": 2.0}},
		parse(t, "["+asJSON(aBox)+"]")[0],
		object{"id": "new", "from_name": "sound", "to_name": "audio", "type": "labels", "origin": "manual", "value": object{"start": 10.5, "end": 12.0, "labels": []any{"Music"}}},
	}
	if got := annotations[1].(object)["result"]; !reflect.DeepEqual(got, want) {
		t.Errorf("results\n%s, want\n%s", asJSON(got), asJSON(want))
	}
}

// The rest of a task is exported unchanged. Texts of people stay valid JSON, also with unusual characters.
func TestExportedText(t *testing.T) {
	data := fixture.File(t, "tasks.jsonl", `{ "id": 1, "data":{"title":"caf\u00e9","video":"clips/1.mp4"}, "annotations" : [ {"result":[`+
		`{"id":"w1","from_name":"sound","type":"labels","value":{"start":1.25, "end":3, "labels":["Speech"]}},`+
		`{"id":"n1","from_name":"note","type":"textarea","value":{"text":"a"}}]} ], "x": 1e400 }`)
	w := open(t, &maker{data: data, config: fixture.File(t, "c.xml", aConfig), people: 1})
	do(t, w, []string{"ann"}, map[string]people.Value{
		"s1/new": {fieldSpan: []any{0.00001, 12.0}, fieldLabel: []any{"Music"}},
		"s1/r1":  {fieldSpan: []any{1.5, 1e21}, fieldLabel: []any{"Speech"}},
		"s5/r2":  {fieldValue: "<é> \"\v\x7f\U000e0001\""},
	})
	const want = "[\n" + `{"id":1,"data":{"title":"caf\u00e9","video":"clips/1.mp4"},"annotations":[` +
		`{"result":[{"id":"w1","from_name":"sound","type":"labels","value":{"start":1.25,"end":3,"labels":["Speech"]}},{"id":"n1","from_name":"note","type":"textarea","value":{"text":"a"}}]},` +
		`{"result":[{"id":"w1","from_name":"sound","type":"labels","value":{"start":1.5,"end":1e+21,"labels":["Speech"]}},` +
		`{"id":"n1","from_name":"note","type":"textarea","value":{"text":["<é> \"\u000b` + "\x7f\U000e0001" + `\""]}},` +
		`{"id":"new","from_name":"sound","to_name":"audio","type":"labels","origin":"manual","value":{"start":1e-05,"end":12,"labels":["Music"]}}],` +
		`"created_username":"ann","was_cancelled":false,"ground_truth":false}],"x":1e400}` + "\n]\n"
	if got := exported(t, w); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func asJSON(v any) string {
	text, _ := json.Marshal(v)
	return string(text)
}

func TestNewTasks(t *testing.T) {
	w := open(t, &maker{data: file(t, aTask(1)), config: fixture.File(t, "c.xml", aConfig), people: 1})
	do(t, w, []string{"ann"}, map[string]people.Value{"s3": {fieldValue: "Wild"}})
	first := parse(t, exported(t, w))[0].(object)
	got := first["annotations"].([]any)[0].(object)["result"].([]any)
	if len(got) != 1 || got[0].(object)["value"].(object)["choices"].([]any)[0] != "Wild" || got[0].(object)["to_name"] != "video" {
		t.Errorf("results %v", got)
	}
	if media := w.MediaOf("1"); len(media) != 1 || media[0].File != "clips/1.mp4" {
		t.Errorf("media %v", media)
	}
}

func TestForm(t *testing.T) {
	w := open(t, &maker{data: file(t, aTask(1, aSpan, aNote, aTimeline, aChoice, aRating)), people: 1, rate: "12"})
	c, err := w.WorkItem(t.Context(), "1", stage)
	fixture.OK(t, err)
	f, err := Kind.Form(c)
	fixture.OK(t, err)
	var titles []string
	for _, s := range f.Sections {
		titles = append(titles, s.Title)
	}
	if !slices.Equal(titles, []string{"sound", "note", "shot", "mood", "stars"}) {
		t.Fatalf("sections %q", titles)
	}
	if shot := f.Sections[2].Cards[0]; *shot.Start != 2 || *shot.End != 5 || len(shot.Texts) != 1 || shot.Texts[0].Body != "frames 24 to 60 at the declared 12 a second" {
		t.Errorf("a stretch of frames: %+v", shot)
	}
	if note := f.Sections[1].Cards[0]; note.Draft.Text(fieldValue) != "hello\nall" || *note.Start != 1.25 {
		t.Errorf("a note: %+v", note)
	}
	if stars := f.Sections[4]; len(stars.Fields[0].Choices) != 5 || stars.Cards[0].Draft.Text(fieldValue) != "4" {
		t.Errorf("a rating: %+v", stars)
	}
}

func TestAddressesOfFiles(t *testing.T) {
	for address, want := range map[string]string{
		"/data/local-files/?d=a/b%20c.mp4": "a/b c.mp4", "/data/upload/3/x-y.wav": "upload/3/x-y.wav",
		"https://host/deep/clip.mp4?token=1": "clip.mp4", "s3://bucket/clip.mp4": "clip.mp4", "videos/clip.mp4": "videos/clip.mp4",
	} {
		if got := fileOf(address); got != want {
			t.Errorf("%s is %q, want %q", address, got, want)
		}
	}
}

func TestBadTasks(t *testing.T) {
	changed := func(r object, value object) object {
		out := object{"value": value}
		for name, v := range r {
			if name != "value" {
				out[name] = v
			}
		}
		return out
	}
	for says, c := range map[string]struct {
		bad    any
		config bool
	}{
		`tasks.json:2: task 7: no field "data"`:                             {bad: object{"id": 7}},
		"tasks.json:2: it is not a JSON object":                             {bad: "x"},
		"tasks.json:2: task 1 is there already, on line 1":                  {bad: aTask("1")},
		`tasks.json:2: task 7: a result of the type "videorectangle"`:       {bad: aTask(7, aBox)},
		`task 7: a result of the type "labels", or of a form of it`:         {bad: aTask(7, changed(aSpan, object{"start": 3, "end": 5, "text": "NER", "labels": []any{"Person"}}))},
		`task 7: a result of the type "timelinelabels", or of a form`:       {bad: aTask(7, changed(aTimeline, object{"sequence": []any{}, "timelinelabels": []any{"Close"}}))},
		`tasks.json:2: task 7: "Noise" is not one of the labels of "sound"`: {bad: aTask(7, changed(aSpan, object{"start": 3, "end": 5, "labels": []any{"Noise"}})), config: true},
		`2 of the choices of "mood" are chosen`:                             {bad: aTask(7, changed(aChoice, object{"choices": []any{"Calm", "Wild"}})), config: true},
		`9 is no rating of "stars", from 1 to 5`:                            {bad: aTask(7, changed(aRating, object{"rating": 9})), config: true},
		`a result is of "other", which --config does not have`:              {bad: aTask(7, object{"from_name": "other", "type": "rating", "value": object{"rating": 1}}), config: true},
		`a result of "sound" is of the type rating, and not labels`:         {bad: aTask(7, object{"from_name": "sound", "type": "rating", "value": object{"rating": 1}})},
	} {
		m := &maker{data: file(t, aTask(1, aSpan), c.bad), people: 1}
		if c.config {
			m.config = fixture.File(t, "c.xml", aConfig)
		}
		if _, err := m.Make(t.Context()); omniscope.KindOf(err) != omniscope.Invalid || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
}

func TestBadOptions(t *testing.T) {
	data := file(t, aTask(1))
	for says, m := range map[string]*maker{
		"name the tasks with --data":       {people: 1},
		"--people 0":                       {data: data},
		"--frame-rate fast: want a number": {data: data, people: 1, rate: "fast"},
		"the tasks have no results":        {data: data, people: 1},
		"--config: open ":                  {data: data, people: 1, config: filepath.Join(t.TempDir(), "none.xml")},
	} {
		if _, err := m.Make(t.Context()); omniscope.KindOf(err) != omniscope.Usage || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
	for says, text := range map[string]string{
		"c.xml:2: <Rating> has no name": "<View>\n<Rating toName=\"x\"/></View>",
		"has none of Labels":            "<View/>",
		"c.xml:1: ":                     "<View",
	} {
		m := &maker{data: data, people: 1, config: fixture.File(t, "c.xml", text)}
		if _, err := m.Make(t.Context()); omniscope.KindOf(err) != omniscope.Invalid || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
	rate := fixture.File(t, "c.xml", strings.Replace(aConfig, `"24"`, `"$fps"`, 1))
	if _, err := (&maker{data: data, people: 1, config: rate}).Make(t.Context()); err == nil || !strings.Contains(err.Error(), `tasks.json:1: task 1: the frame rate is ""`) {
		t.Errorf("%v", err)
	}
}

func TestTables(t *testing.T) {
	var tasks []any
	for i := range 10 {
		tasks = append(tasks, aTask(i, aSpan, aChoice))
	}
	w := open(t, &maker{data: file(t, tasks...), people: 2})
	peopletest.DoAll(t, w, stage, []string{"ann", "ben"}, func(person string, c *people.WorkItem, f *people.Form) map[string]people.Value {
		if person == "ben" && c.Item.ID < "5" { // another stretch in half of the tasks, and one that touches little
			return accepted(f, map[string]people.Value{"s1/r1": {fieldSpan: []any{2.5, 4.0}, fieldLabel: []any{"Speech"}}, "s1/x": {fieldSpan: []any{9.0, 9.5}, fieldLabel: []any{"Speech"}}})
		}
		return accepted(f, nil)
	})
	tables, err := Kind.Tables(t.Context(), w)
	peopletest.NobodyIsNamed(t, w, tables)
	fixture.OK(t, err)
	// By hand: 5 pairs of 10 and 15 stretches: F1 is 2·5/25.
	if rows := tables[0].Rows; len(rows) != 2 || rows[0][1] != "0.400" || rows[1][1] != "1.000" {
		t.Errorf("agreement %q", rows)
	}
}
