package capricorn

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/peopletest"
	"omniscope/people"
)

// settled is a project of one video with the subjects Anna and Ben, at a stage.
func settled(t *testing.T, stage string) *people.Workplace {
	t.Helper()
	m := newMaker()
	m.Clips = fixture.File(t, "clips.jsonl", clipList(4)) // the lists of v4 are equal
	w := peopletest.Open(t, Kind, peopletest.Make(t, m))
	peopletest.Invite(t, w, people.Annotator, "ann", "ben", "cas")
	peopletest.Invite(t, w, people.Senior, "sam", "sue")
	peopletest.Invite(t, w, people.Lead, "leo")
	for _, s := range []struct {
		stage  string
		people []string
		answer func(string, *people.WorkItem, *people.Form) map[string]people.Value
	}{
		{Subjects, []string{"ann", "ben"}, listSubjects},
		{SubjectsSettle, []string{"sue"}, settleSubjects},
		{Keypoints, []string{"ann", "ben", "cas"}, func(person string, c *people.WorkItem, _ *people.Form) map[string]people.Value {
			return note(person, c.Item.ID)
		}},
		{selectStage, []string{"sue", "sam"}, choose(t)},
	} {
		if s.stage == stage {
			break
		}
		peopletest.DoAll(t, w, s.stage, s.people, s.answer)
	}
	return w
}

// submitting tries to submit answers to v4, and says why that is refused; "" = it is not.
func submitting(t *testing.T, w *people.Workplace, id people.TaskID, answers map[string]people.Value) string {
	t.Helper()
	peopletest.Save(t, w, id, people.Take, nil)
	for key, v := range answers {
		peopletest.Save(t, w, id, people.Set, &people.Answer{Key: key, Value: v})
	}
	got := peopletest.Try(t, w, id, people.Submit, 0, nil)
	if got.Err != nil {
		return got.Err.Error()
	}
	return ""
}

func TestSubjectRules(t *testing.T) {
	one := func(name string) people.Value {
		return people.Value{"name": name, "look": "a coat", "seen": []any{1.0, 1.0}}
	}
	for want, answers := range map[string]map[string]people.Value{
		"at least 1":              nil,
		"angle brackets":          {"subject/a": one("<Anna>")},
		"two subjects are called": {"subject/a": one("Anna"), "subject/b": one("Anna")},
		"blanks":                  {"subject/a": one("Anna ")},
		`"Look" is missing`:       {"subject/a": {"name": "Anna", "seen": []any{1.0, 1.0}}},
	} {
		w := settled(t, Subjects)
		if got := submitting(t, w, people.TaskID{Item: "v4", Stage: Subjects, Person: "ann"}, answers); !strings.Contains(got, want) {
			t.Errorf("got %q, want %s", got, want)
		}
	}
}

func TestKeypointRules(t *testing.T) {
	door := noted("main_sbj_evts", "<Anna> opens the door", 1, 2)
	for want, answers := range map[string]map[string]people.Value{
		"names no subject: write one of <Anna>, <Ben>": {"keypoint/a": noted("main_sbj_evts", "Anna opens the door", 1, 2)},
		"names <Hanna>, who is no subject":             {"keypoint/a": noted("main_sbj_ints", "<Hanna> meets <Ben>", 1, 2)},
		"two keypoints say":                            {"keypoint/a": door, "keypoint/b": with(door, "class", "main_sbj_ints")},
		"which is not here":                            {"keypoint/a": with(door, "from", []any{"draft/1"})},
		`"Class" is missing`:                           {"keypoint/a": with(door, "class", "")},
		"":                                             {"keypoint/a": door, "keypoint/b": with(door, "struck", true), "keypoint/c": noted("bg_desc", "<neon> light", 0, 9)},
	} {
		w := settled(t, Keypoints)
		got := submitting(t, w, people.TaskID{Item: "v4", Stage: Keypoints, Person: "ann"}, answers)
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestConsolidateRules has the lead leave Ben with too little, and then strike him.
func TestConsolidateRules(t *testing.T) {
	w := settled(t, consolidateStage)
	id := people.TaskID{Item: "v4", Stage: consolidateStage, Person: "leo"}
	c, err := w.WorkItem(t.Context(), "v4", consolidateStage)
	fixture.OK(t, err)
	form, err := Kind.Form(c)
	fixture.OK(t, err)
	if first := form.Sections[0].Cards[0]; first.Title == "" || wordOf(t, first) != "bottle" {
		t.Errorf("the disputed bottle does not come first, but %q", first.Draft.Text("text"))
	}
	answers := consolidate(t)("leo", c, form)
	for _, card := range form.Sections[0].Cards {
		if wordOf(t, card) == "bottle" {
			answers["keypoint/"+card.ID]["struck"] = true
		}
	}
	answers["keypoint/more"] = noted("main_sbj_evts", "<Anna> waves", 11, 12)
	delete(answers["keypoint/more"], "senses")
	if got := submitting(t, w, id, answers); !strings.Contains(got, "1 keypoints of subjects name <Ben>") {
		t.Errorf("got %q", got)
	}
	var ben string
	for _, card := range form.Sections[1].Cards {
		if card.Title == "<Ben>" {
			ben = "subject/" + card.ID
		}
	}
	peopletest.Save(t, w, id, people.Set, &people.Answer{Key: ben, Value: people.Value{"struck": true}})
	if got := peopletest.Try(t, w, id, people.Submit, 0, nil); got.Err == nil || !strings.Contains(got.Err.Error(), "names <Ben>, who is no subject: write one of <Anna>") {
		t.Errorf("got %v", got.Err)
	}
}

// TestSplitAndAdded has a senior split a card and add a keypoint: all lead back to who proposed them.
func TestSplitAndAdded(t *testing.T) {
	w := settled(t, selectStage)
	c, err := w.WorkItem(t.Context(), "v4", selectStage)
	fixture.OK(t, err)
	form, err := Kind.Form(c)
	fixture.OK(t, err)
	answers := choose(t)("sue", c, form)
	var door people.Card
	for _, card := range form.Sections[0].Cards {
		if wordOf(t, card) == "door" {
			door = card
		}
	}
	refs := door.Draft["from"].([]any)
	if len(refs) != 3 {
		t.Fatalf("the door is made of %v", refs)
	}
	key := "keypoint/" + door.ID
	answers[key] = with(answers[key], "from", refs[:2])
	answers["keypoint/split"] = with(answers[key], "text", "<Anna> opens a wooden door", "from", refs[2:])
	answers["keypoint/added"] = with(noted("trans_desc", "the picture fades to black", 18, 19), "keep", "keep")
	delete(answers["keypoint/added"], "senses")
	if got := submitting(t, w, people.TaskID{Item: "v4", Stage: selectStage, Person: "sue"}, answers); got != "" {
		t.Fatal(got)
	}
	peopletest.DoAll(t, w, selectStage, []string{"sam"}, choose(t))
	c, err = w.WorkItem(t.Context(), "v4", consolidateStage)
	fixture.OK(t, err)
	if form, err = Kind.Form(c); err != nil {
		t.Fatal(err)
	}
	all := make(map[string]people.Value)
	for _, card := range form.Sections[0].Cards {
		v := with(card.Draft)
		delete(v, "from") // a page that keeps it to itself
		all["keypoint/"+card.ID] = v
	}
	if got := submitting(t, w, people.TaskID{Item: "v4", Stage: consolidateStage, Person: "leo"}, all); got != "" {
		t.Fatal(got)
	}
	by := make(map[string]*origin)
	for _, line := range strings.Split(strings.TrimSpace(peopletest.Export(t, w, "provenance")), "\n") {
		o := &origin{}
		fixture.OK(t, json.Unmarshal([]byte(line), o))
		by[o.Text] = o
	}
	added, split := by["the picture fades to black"], by["<Anna> opens a wooden door"]
	if added == nil || len(added.From) != 1 || added.From[0].Person != "sue" || added.From[0].From != nil {
		t.Errorf("added: %+v", added)
	}
	if split == nil || len(split.From) != 1 || len(split.From[0].From) != 1 || split.From[0].From[0].Stage != Keypoints {
		t.Errorf("split: %+v", split)
	}
}

const investigation = `{"schema":"omniscope.investigation/1","clip":{"id":"v1","path":"/films/v1.mp4","length_s":20.5},"planner":"offline",
 "ledger":[{"id":"o1","sense":"visual","start_s":2,"end_s":4},{"id":"o2","sense":"audio","start_s":3,"end_s":5},{"id":"o3","sense":"visual","start_s":0}],
 "caption":{"sentences":[{"text":"A door opens.","evidence":["o1","o2"]},{"text":"It is bright.","evidence":["o3"]}]}}`

// TestDrafts has an annotator accept one sentence of an investigation, reword another and
// leave it at that: the keypoints lead back to the sentences and their evidence.
func TestDrafts(t *testing.T) {
	folder := t.TempDir()
	fixture.OK(t, os.Mkdir(filepath.Join(folder, "v1"), 0o700))
	fixture.OK(t, os.WriteFile(filepath.Join(folder, "v1", "report.json"), []byte(investigation), 0o600))
	m := newMaker()
	m.Drafts, m.Clips = folder, fixture.File(t, "clips.jsonl", `{"media":"clips/v1.mp4"}`)
	w := peopletest.Open(t, Kind, peopletest.Make(t, m))
	peopletest.Invite(t, w, people.Annotator, "ann", "ben")
	peopletest.DoAll(t, w, Subjects, []string{"ann", "ben"}, func(_ string, c *people.WorkItem, f *people.Form) map[string]people.Value {
		return listSubjects("ann", c, f)
	})
	done := peopletest.Do(t, w, "ann", Keypoints, func(_ *people.WorkItem, f *people.Form) map[string]people.Value {
		cards := f.Sections[0].Cards
		if len(cards) != 2 || *cards[0].Start != 2 || *cards[0].End != 5 || cards[1].Start != nil || !cards[0].Optional {
			t.Fatalf("cards: %+v", cards)
		}
		if got := cards[0].Draft.Texts("senses"); len(got) != 2 {
			t.Errorf("senses %q", got)
		}
		return map[string]people.Value{
			"keypoint/draft-1": value(t, with(cards[0].Draft, "class", "minor_evts")),
			"keypoint/draft-2": value(t, with(cards[1].Draft, "class", "bg_desc", "text", "the room is bright", "span", []any{0.0, 20.5})),
		}
	})
	if !done {
		t.Fatal("no keypoints are asked for")
	}
	video, err := videoOf(must(w.Item(t.Context(), "v1"))(t))
	fixture.OK(t, err)
	if got := string(video.Fields[1].Value); got != "20.5" {
		t.Errorf("the duration of the investigation is %s", got)
	}
	tr := &tracer{ctx: t.Context(), w: w, item: "v1", video: video, tasks: make(map[string]people.TaskID), answers: make(map[people.TaskID]map[string]people.Current), sections: make(map[string]*people.Section)}
	for card, changed := range map[string]string{"draft-1": "class", "draft-2": "class text span"} {
		s, err := tr.step(people.TaskID{Item: "v1", Stage: Keypoints, Person: "ann"}, "keypoint/"+card)
		fixture.OK(t, err)
		if len(s.From) != 1 || s.From[0].Stage != "draft" || s.From[0].Person != "offline" || len(s.From[0].Evidence) == 0 || strings.Join(s.Changed, " ") != changed {
			t.Errorf("%s: %+v from %+v", card, s, s.From)
		}
	}
}

// TestUseOfDrafts has one annotator accept all drafts at once, and another take time and write one anew.
func TestUseOfDrafts(t *testing.T) {
	drafts := []draft{{Text: "A door opens slowly."}, {Text: "It is bright in here."}, {Text: "A dog barks."}}
	done := func(person string, texts ...string) *people.Done {
		d := &people.Done{TaskID: people.TaskID{Person: person}, Answers: make(map[string]people.Value)}
		for i, text := range texts {
			if text != "" {
				d.Answers[fmt.Sprintf("keypoint/draft-%d", i+1)] = value(t, people.Value{"text": text})
			}
		}
		return d
	}
	uses := draftUses{"ann": {}, "ben": {}}
	uses["ann"].add(drafts, done("ann", drafts[0].Text, drafts[1].Text, " "+drafts[2].Text), time.Second) // 12 words: 1.5 s
	ben := done("ben", drafts[0].Text, "It is dark.", "")
	ben.Answers["keypoint/b1"] = value(t, people.Value{"text": "A cat."})
	uses["ben"].add(drafts, ben, 30*time.Second)
	var got []string
	for _, row := range uses.table().Rows {
		got = append(got, strings.Join(row, " | "))
	}
	want := []string{"ann | 1 | 3 | 0 | 0 | 0 | 100 % | 0.3 | 3", "ben | 1 | 1 | 1 | 1 | 1 | 67 % | 10.0 | 0"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func must[T any](v T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		fixture.OK(t, err)
		return v
	}
}

func TestBadInput(t *testing.T) {
	good := `{"video_id":"a","duration":3,"events":{"main_sbj_evts":["<x> runs"],"main_sbj_ints":[],"bg_desc":["rain","wind"],"trans_desc":[],"minor_evts":[]}}`
	for name, c := range map[string]struct {
		clips, annotations, vision string
		want                       string
	}{
		"nothing":             {want: "--clips"},
		"not JSON":            {clips: "{\"media\":\"a.mp4\",\"duration\":1}\n{oops", want: "list.jsonl:2: not JSON"},
		"no media":            {clips: `{"video_id":"a","duration":1}`, want: "list.jsonl:1: names no file"},
		"no duration":         {clips: `{"media":"a.mp4"}`, want: "list.jsonl:1: says no duration"},
		"duration of none":    {clips: `{"media":"a.mp4","duration":0}`, want: "list.jsonl:1: duration is 0"},
		"strange id":          {clips: `{"video_id":null,"media":"a.mp4","duration":1}`, want: "list.jsonl:1: video_id is null"},
		"video twice":         {clips: "{\"media\":\"a.mp4\",\"duration\":1}\n{\"media\":\"b/a.mp4\",\"duration\":1}", want: "list.jsonl:2: video a is there already, at "},
		"no events":           {annotations: `{"video_id":"a"}`, want: `annotations.jsonl:1: no field "events"`},
		"no id":               {annotations: good + "\n" + `{"events":{}}`, want: `annotations.jsonl:2: no field "video_id"`},
		"sixth list":          {annotations: `{"video_id":"a","events":{"other":[]}}`, want: "annotations.jsonl:1: events.other is none of the five lists"},
		"no text":             {annotations: `{"video_id":"a","events":{"bg_desc":["x",5]}}`, want: "annotations.jsonl:1: events.bg_desc holds 5, which is not text"},
		"no list":             {annotations: `{"video_id":"a","events":{"bg_desc":"x"}}`, want: "annotations.jsonl:1: events.bg_desc is not a list"},
		"annotated twice":     {annotations: good + "\n" + good, want: "annotations.jsonl:2: video a is annotated already, at "},
		"seen, not there":     {annotations: good, vision: strings.Replace(good, `"a"`, `"b"`, 1), want: "vision.jsonl:1: video b is not in "},
		"seen, not annotated": {annotations: good, vision: strings.Replace(good, `"rain"`, `"snow"`, 1), want: `vision.jsonl:1: events.bg_desc: "snow" is not among the keypoints at `},
		"seen in other order": {annotations: good, vision: strings.Replace(good, `"rain","wind"`, `"wind","rain"`, 1), want: "in another order"},
		"seen twice":          {annotations: good, vision: good + "\n" + good, want: "vision.jsonl:2: video a is there already"},
		"seen of nothing":     {clips: clipList(1), vision: good, want: "--vision-only says"},
	} {
		m := newMaker()
		for _, f := range []struct {
			to         *string
			name, text string
		}{{&m.Clips, "list.jsonl", c.clips}, {&m.Annotations, "annotations.jsonl", c.annotations}, {&m.VisionOnly, "vision.jsonl", c.vision}} {
			if f.text != "" {
				*f.to = fixture.File(t, f.name, f.text)
			}
		}
		if _, err := m.Make(t.Context()); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
	}
}

func TestBadDrafts(t *testing.T) {
	for want, report := range map[string]string{
		"there is no NAME/report.json in it":                  "",
		"is no investigation":                                 "{oops",
		`its form is "omniscope.investigation/0"`:             strings.Replace(investigation, "investigation/1", "investigation/0", 1),
		"none of its investigations is of a video of --clips": strings.Replace(investigation, "v1.mp4", "other.mp4", 1),
	} {
		m := newMaker()
		m.Drafts, m.Clips = t.TempDir(), fixture.File(t, "clips.jsonl", clipList(1))
		if report != "" {
			fixture.OK(t, os.Mkdir(filepath.Join(m.Drafts, "v1"), 0o700))
			fixture.OK(t, os.WriteFile(filepath.Join(m.Drafts, "v1", "report.json"), []byte(report), 0o600))
		}
		if _, err := m.Make(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// TestFolder takes the videos of a folder, whose durations somebody has to know.
func TestFolder(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"one.mp4", "deep/two.mp4", "notes.txt"} {
		file := filepath.Join(folder, name)
		fixture.OK(t, os.MkdirAll(filepath.Dir(file), 0o700))
		fixture.OK(t, os.WriteFile(file, nil, 0o600))
	}
	m := newMaker()
	m.Clips = folder
	if _, err := m.Make(t.Context()); err == nil || !strings.Contains(err.Error(), "two.mp4: the file is empty") {
		t.Errorf("got %v", err)
	}
	m.Seconds = nil
	if _, err := m.Make(t.Context()); err == nil || !strings.Contains(err.Error(), "give a list in place of the folder") {
		t.Errorf("got %v", err)
	}
	m.Seconds = func(context.Context, string) (float64, error) { return 63.2004, nil }
	w := peopletest.Open(t, Kind, peopletest.Make(t, m))
	item := must(w.Item(t.Context(), "two"))(t)
	if item.Media[0].File != "deep/two.mp4" || !strings.Contains(string(item.Payload), `"value":63.2}`) {
		t.Errorf("media %v, payload %s", item.Media, item.Payload)
	}
}

// A video without an id gets the name of its file as id, also if the name has unusual characters.
func TestOddNameOfFileAsID(t *testing.T) {
	f, err := (&making{}).clipOf([]byte(`{"media": "clips/a\u000b\u007f\udb40\udc01.mp4", "duration": 1}`))
	fixture.OK(t, err)
	if want := "a\v\x7f\U000e0001"; f.id != want || !json.Valid(f.fields[0].Value) {
		t.Errorf("got the id %q, written as %s, want %q", f.id, f.fields[0].Value, want)
	}
}
