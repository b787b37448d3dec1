package capricorn

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/peopletest"
	"omniscope/people"
)

// clipList is a list of n videos, v1, v2, ...
func clipList(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"video_id":"v%d","duration":%d.5,"media":"clips/v%d.mp4"}`+"\n", i+1, 20+i, i+1)
	}
	return b.String()
}

// value makes JSON of a value and reads it again, as a page's answers arrive.
func value(t testing.TB, v people.Value) people.Value {
	t.Helper()
	text, err := json.Marshal(v)
	fixture.OK(t, err)
	var out people.Value
	fixture.OK(t, json.Unmarshal(text, &out))
	return out
}

func noted(class, text string, start, end float64) people.Value {
	return people.Value{"class": class, "text": text, "span": []any{start, end}, "senses": []any{"sight"}}
}

// What there is to note in each video, by a word that is in no other text.
var truth = map[string]people.Value{
	"door":   noted("main_sbj_evts", "<Anna> opens the red door", 1, 3),
	"bottle": noted("main_sbj_evts", "<Ben> drops a heavy glass bottle", 4, 6),
	"letter": noted("main_sbj_ints", "<Anna> hands <Ben> the letter", 8, 10),
	"rain":   noted("bg_desc", "rain falls on a grey harbour", 0, 20),
	"dog":    noted("minor_evts", "a dog barks far away", 12, 14),
}

// note is what each annotator notes of a video. ann notes the truth. ben is 200 ms late, words the
// door otherwise and ends it later, takes the letter for an event of one subject, leaves out the
// rain, and in v6 the bottle. cas ends the rain early, leaves out the dog and adds a clock.
func note(person, item string) map[string]people.Value {
	out := make(map[string]people.Value)
	for word, v := range truth {
		out["keypoint/"+word] = v
	}
	switch person {
	case "ben":
		out["keypoint/door"] = noted("main_sbj_evts", "<Anna> opens a red wooden door", 1.2, 4)
		out["keypoint/bottle"] = noted("main_sbj_evts", "<Ben> drops a heavy glass bottle", 4.2, 6.2)
		out["keypoint/letter"] = noted("main_sbj_evts", "<Anna> hands <Ben> the letter", 8.2, 10.2)
		out["keypoint/dog"] = noted("minor_evts", "a dog barks far away", 12.2, 14.2)
		delete(out, "keypoint/rain")
		if item == "v6" {
			delete(out, "keypoint/bottle")
		}
	case "cas":
		out["keypoint/rain"] = noted("bg_desc", "rain falls on a grey harbour", 0, 8)
		out["keypoint/clock"] = noted("minor_evts", "a clock on the tower strikes noon", 15, 16)
		delete(out, "keypoint/dog")
	}
	return out
}

// wordOf is the word by which a card is known.
func wordOf(t testing.TB, c people.Card) string {
	t.Helper()
	text := c.Draft.Text("text")
	if text == "" {
		text = c.Texts[0].Body
	}
	for word := range truth {
		if strings.Contains(text, word) {
			return word
		}
	}
	if strings.Contains(text, "clock") {
		return "clock"
	}
	t.Fatalf("what card is this? %q", text)
	return ""
}

// with is a value with some fields changed.
func with(v people.Value, fields ...any) people.Value {
	out := people.Value{}
	for name, one := range v {
		out[name] = one
	}
	for i := 0; i < len(fields); i += 2 {
		out[fields[i].(string)] = fields[i+1]
	}
	return out
}

// listSubjects is what ann and ben list. ben calls the boy otherwise in v1 to v3, and has a dog in v1.
func listSubjects(person string, c *people.WorkItem, _ *people.Form) map[string]people.Value {
	out := map[string]people.Value{
		"subject/s1": {"name": "Anna", "look": "a woman in a red coat", "seen": []any{1.0, 1.0}},
		"subject/s2": {"name": "Ben", "look": "a boy with a cap", "seen": []any{4.0, 4.0}},
	}
	if person == "ben" && c.Item.ID <= "v3" {
		out["subject/s2"] = people.Value{"name": "The boy", "look": "boy with a cap", "seen": []any{4.0, 4.0}}
	}
	if person == "ben" && c.Item.ID == "v1" {
		out["subject/s3"] = people.Value{"name": "Dog", "look": "never seen", "seen": []any{12.0, 12.0}}
	}
	return out
}

// settleSubjects takes what is proposed, and strikes the dog.
func settleSubjects(_ string, _ *people.WorkItem, f *people.Form) map[string]people.Value {
	out := make(map[string]people.Value)
	for _, card := range f.Sections[0].Cards {
		v := with(card.Draft)
		if card.Title == "Dog" {
			v["struck"] = true
		}
		out["subject/"+card.ID] = v
	}
	return out
}

// choose is what the seniors keep. sue keeps all but the clock; in v5 she merges it with the rain. sam
// drops the rain in v1 and v2, keeps the clock in v3, and words the bottle otherwise in v4.
func choose(t testing.TB) func(string, *people.WorkItem, *people.Form) map[string]people.Value {
	return func(person string, c *people.WorkItem, f *people.Form) map[string]people.Value {
		out, ids := make(map[string]people.Value), make(map[string]string)
		for _, card := range f.Sections[0].Cards {
			word := wordOf(t, card)
			ids[word] = card.ID
			v := with(card.Draft, "keep", "keep")
			switch {
			case word == "clock" && !(person == "sam" && c.Item.ID == "v3"),
				word == "rain" && person == "sam" && c.Item.ID <= "v2":
				v = people.Value{"keep": "drop"}
			case word == "bottle" && person == "sam" && c.Item.ID == "v4":
				v["text"] = "<Ben> drops a bottle of glass"
			}
			out["keypoint/"+card.ID] = v
		}
		if person == "sue" && c.Item.ID == "v5" {
			rain := out["keypoint/"+ids["rain"]]
			rain["from"] = append(slices.Clone(rain["from"].([]any)), "keypoint/"+ids["clock"])
			out["keypoint/"+ids["clock"]] = people.Value{"struck": true}
		}
		return out
	}
}

// consolidate takes what is proposed, strikes the clock, and words the bottle in v4 anew.
func consolidate(t testing.TB) func(string, *people.WorkItem, *people.Form) map[string]people.Value {
	return func(_ string, c *people.WorkItem, f *people.Form) map[string]people.Value {
		out := make(map[string]people.Value)
		for _, card := range f.Sections[0].Cards {
			v := with(card.Draft)
			switch word := wordOf(t, card); {
			case word == "clock":
				v["struck"] = true
			case word == "bottle" && c.Item.ID == "v4":
				v["text"] = "<Ben> drops a heavy bottle"
			}
			out["keypoint/"+card.ID] = v
		}
		return out
	}
}

// look is what can be seen: not the dog, which ben believes to see in v5 and v6. sue believes it of v6.
func look(t testing.TB) func(string, *people.WorkItem, *people.Form) map[string]people.Value {
	return func(person string, c *people.WorkItem, f *people.Form) map[string]people.Value {
		out := make(map[string]people.Value)
		for _, card := range f.Sections[0].Cards {
			said := "keep"
			if wordOf(t, card) == "dog" && !(person == "ben" && c.Item.ID >= "v5" || person == "sue" && c.Item.ID == "v6") {
				said = "drop"
			}
			out["keypoint/"+card.ID] = people.Value{"keep": said}
		}
		return out
	}
}

// annotated is a project of six videos that everybody has done.
func annotated(t *testing.T) *people.Workplace {
	t.Helper()
	m := newMaker()
	m.Clips = fixture.File(t, "clips.jsonl", clipList(6))
	w := peopletest.Open(t, Kind, peopletest.Make(t, m))
	peopletest.Invite(t, w, people.Annotator, "ann", "ben", "cas")
	peopletest.Invite(t, w, people.Senior, "sam", "sue")
	peopletest.Invite(t, w, people.Lead, "leo")
	for _, s := range []struct {
		stage  string
		people []string
		answer func(string, *people.WorkItem, *people.Form) map[string]people.Value
		tasks  int
	}{
		{Subjects, []string{"ann", "ben"}, listSubjects, 12},
		{SubjectsSettle, []string{"sue"}, settleSubjects, 3}, // the names differ in v1 to v3
		{Keypoints, []string{"ann", "ben", "cas"}, func(person string, c *people.WorkItem, _ *people.Form) map[string]people.Value {
			return note(person, c.Item.ID)
		}, 18},
		{selectStage, []string{"sue", "sam"}, choose(t), 12},
		{consolidateStage, []string{"leo"}, consolidate(t), 6},
		{visionStage, []string{"ann", "ben"}, look(t), 12},
		{visionSettle, []string{"sue"}, look(t), 2}, // they differ in v5 and v6
	} {
		if n := peopletest.DoAll(t, w, s.stage, s.people, s.answer); n != s.tasks {
			t.Fatalf("stage %s: %d tasks, want %d", s.stage, n, s.tasks)
		}
	}
	return w
}
