package capricorn

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"omniscope/bench"
	official "omniscope/bench/capricorn"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/peopletest"
	"omniscope/people"
)

// TestProject has ten roles annotate six videos, with planted disagreements.
func TestProject(t *testing.T) {
	w := annotated(t)
	t.Run("annotations", func(t *testing.T) { checkAnnotations(t, w) })
	t.Run("vision-only", func(t *testing.T) { checkVision(t, w) })
	t.Run("readers", func(t *testing.T) {
		checkReader(t, peopletest.Export(t, w, "annotations"), peopletest.Export(t, w, "vision-only"))
	})
	t.Run("agreement", func(t *testing.T) { checkAgreement(t, w) })
	t.Run("provenance", func(t *testing.T) { checkProvenance(t, w) })
	t.Run("blind", func(t *testing.T) { checkBlind(t, w) })
	t.Run("in and out", func(t *testing.T) {
		checkInAndOut(t, peopletest.Export(t, w, "annotations"), peopletest.Export(t, w, "vision-only"), true)
	})
}

func checkAnnotations(t *testing.T, w *people.Workplace) {
	lines := strings.Split(peopletest.Export(t, w, "annotations"), "\n")
	if len(lines) != 7 || lines[6] != "" {
		t.Fatalf("%d lines, want 6", len(lines)-1)
	}
	want := `{"video_id":"v1","duration":20.5,"events":{"main_sbj_evts":["<Anna> opens the red door","<Ben> drops a heavy glass bottle"],` +
		`"main_sbj_ints":["<Anna> hands <Ben> the letter"],"bg_desc":["rain falls on a grey harbour"],"trans_desc":[],"minor_evts":["a dog barks far away"]}}`
	// Of the doors, ann's and cas's are alike, and so the best; ben's has one more word.
	if lines[0] != want {
		t.Errorf("got  %s\nwant %s", lines[0], want)
	}
	if !strings.Contains(lines[3], `"<Ben> drops a heavy bottle"`) {
		t.Errorf("the lead's wording is not in %s", lines[3])
	}
}

func checkVision(t *testing.T, w *people.Workplace) {
	lines := strings.Split(peopletest.Export(t, w, "vision-only"), "\n")
	for i, line := range lines[:6] {
		if dog := strings.Contains(line, "dog"); dog != (i == 5) || !strings.Contains(line, "rain") {
			t.Errorf("video %d has the wrong keypoints: %s", i+1, line)
		}
	}
}

// checkReader has the benchmark read both files, as it reads the released ones.
func checkReader(t *testing.T, files ...string) {
	for i, text := range files {
		var captions strings.Builder
		for n := range 6 {
			fmt.Fprintf(&captions, `{"video_id":"v%d","caption":"Anna opens the red door. A dog barks far away."}`+"\n", n+1)
		}
		ev, err := official.New().Open(t.Context(), bench.Inputs{Data: fixture.File(t, "annotations.jsonl", text), Predictions: fixture.File(t, "captions.jsonl", captions.String()), Scoring: bench.Official})
		fixture.OK(t, err)
		defer ev.Close()
		if plan := ev.Plan(); len(plan.Warnings) > 0 {
			t.Errorf("file %d: %q", i, plan.Warnings)
		}
		if _, err := ev.Evaluate(t.Context(), 0); err != nil {
			t.Error(err)
		}
	}
}

// checkAgreement holds the figures against a calculation by hand.
//
// Subjects. ann lists 2 in each video (12), ben too, and a dog (13). "The boy" with a cap and "Ben" with a cap are
// one: words (boy, cap of 3 each) 4/6, times equal: 2/3·2/3 + 1/3 = 0.78. 12 pairs: 2·12/(12+13) = 0.960.
//
// Keypoints, in v1 to v5: ann 5, ben 4, cas 5. ann and ben: door, bottle, letter, dog = 4. ann and cas: door, bottle, letter, rain = 4.
// ben and cas: door, bottle, letter = 3. In v6, ben has no bottle: 3, 4, 2 pairs of 5, 3, 5.
// Pairs 5·11 + 9 = 64; lengths 5·(9+10+9) + 8+10+8 = 166; F1 = 128/166 = 0.771.
//
// Spans: only the rain of ann (0-20) and cas (0-8) shares less than half: 6 of 64: 58/64 = 0.906. The door has 1.8 of 3 s = 0.6.
//
// Boundaries, 128: of ann and cas 0 but for the end of the rain, 5·7+7 = 42. Of ben and another 0.2 s, but for the
// end of the door 1 s: ann 7 and cas 5 in v1 to v5, 5 and 3 in v6 = 68. The 64th and 65th of 128 are among them: 200 ms.
//
// Classes: in v1 to v5 the groups are door EEE, bottle EEE, letter IEI, rain BB, dog MM. Coincidences: E 3+3+1 = 7, I 2, B 2, M 2;
// differing ones I-E 1 and E-I 1. In v6 the bottle is EE: E 6. In all n = 5·13+12 = 77; E 41, I 12, B 12, M 12;
// differing pairs 6; possible ones 41·36 + 3·144 = 1908. Alpha = 1 - 76·6/1908 = 0.761.
//
// Select, 36 cards: both keep 28; sue alone the rain in v1, v2 and, merged, the clock in v5; sam alone the clock in v3;
// none 4. Agreement 32/36 = 0.889. Chance: sue keeps 31, sam 29: (31·29 + 5·7)/36² = 934/1296. Kappa = (1152-934)/(1296-934) = 0.602.
//
// Vision, 30 keypoints: both keep 24; ben alone the dog in v5, v6; none 4. 28/30 = 0.933. Chance: (24·26 + 6·4)/900.
// Kappa = (840-648)/(900-648) = 0.762.
func checkAgreement(t *testing.T, w *people.Workplace) {
	tables, err := Kind.Tables(t.Context(), w)
	peopletest.NobodyIsNamed(t, w, tables)
	fixture.OK(t, err)
	want := []string{
		"subjects | F1 of subjects | 0.960 | 25 subjects, each held against another person's in 6 videos",
		"keypoints | F1 of keypoints | 0.771 | 166 keypoints, each held against another person's in 6 videos",
		"keypoints | F1 of matched spans, overlap at least 0.5 | 0.906 | 64 matched pairs in 6 videos",
		"keypoints | median difference of boundaries, in ms | 200 | 128 boundaries of matched pairs in 6 videos",
		"keypoints | Krippendorff's alpha of classes (nominal) | 0.761 | 30 keypoints that two people or more noted in 6 videos",
		"select | raw agreement on keep or drop | 0.889 | 36 cards in 6 videos",
		"select | Cohen's kappa on keep or drop | 0.602 | 36 cards in 6 videos",
		"vision | raw agreement on keep or drop | 0.933 | 30 keypoints in 6 videos",
		"vision | Cohen's kappa on keep or drop | 0.762 | 30 keypoints in 6 videos",
	}
	for i, row := range tables[0].Rows {
		if got := strings.Join([]string{row[0], row[1], row[2], row[4]}, " | "); i >= len(want) || got != want[i] {
			t.Errorf("got %s", got)
		}
		if constant := row[2] == "200"; (row[3] == "") != constant || row[5] != "" {
			t.Errorf("%s: interval %q, note %q", row[1], row[3], row[5])
		}
	}
	if len(tables[0].Rows) != len(want) {
		t.Errorf("%d rows, want %d", len(tables[0].Rows), len(want))
	}
}

// checkProvenance follows each final keypoint back through the log.
func checkProvenance(t *testing.T, w *people.Workplace) {
	events := make(map[int64]*people.Event)
	for e, err := range w.Events(t.Context(), 0) {
		fixture.OK(t, err)
		events[e.Seq] = e
	}
	roots := 0
	for _, line := range strings.Split(strings.TrimSpace(peopletest.Export(t, w, "provenance")), "\n") {
		var o origin
		fixture.OK(t, json.Unmarshal([]byte(line), &o))
		roots++
		if o.Stage != consolidateStage || o.Person != "leo" || len(o.Vision) < 2 {
			t.Errorf("%s: by %s at %s, %d votes", o.Text, o.Person, o.Stage, len(o.Vision))
		}
		proposers := followed(t, events, o.VideoID, &o.provenanceStep, []string{consolidateStage, selectStage, Keypoints})
		if want := proposersOf(&o); strings.Join(proposers, " ") != want {
			t.Errorf("%s of %s: proposed by %q, want %s", o.Text, o.VideoID, proposers, want)
		}
		reworded := o.VideoID == "v4" && strings.Contains(o.Text, "bottle")
		if slices.Contains(o.Changed, "text") != reworded {
			t.Errorf("%s of %s: the lead changed %q", o.Text, o.VideoID, o.Changed)
		}
	}
	if roots != 30 {
		t.Errorf("%d keypoints, want 30", roots)
	}
}

// proposersOf are the people who noted a keypoint of the test, in order of their names.
func proposersOf(o *origin) string {
	switch {
	case strings.Contains(o.Text, "dog"):
		return "ann ben"
	case strings.Contains(o.Text, "rain"), strings.Contains(o.Text, "bottle") && o.VideoID == "v6":
		return "ann cas"
	}
	return "ann ben cas"
}

// followed checks a step and those below it, and returns who proposed the keypoint.
func followed(t *testing.T, events map[int64]*people.Event, item string, s *provenanceStep, stages []string) (proposers []string) {
	t.Helper()
	e := events[s.Event]
	if e == nil || s.Stage != stages[0] || e.Kind != people.Set || e.By != s.Person || e.Task != (people.TaskID{Item: item, Stage: s.Stage, Person: s.Person}) {
		t.Fatalf("%s of %s by %s: event %d is %+v", s.Key, item, s.Person, s.Event, e)
	}
	var a people.Answer
	if err := json.Unmarshal(e.Body, &a); err != nil || a.Key != s.Key || a.Value.Text("text") != s.Text {
		t.Errorf("event %d does not say %q", s.Event, s.Text)
	}
	if len(stages) == 1 {
		return []string{s.Person}
	}
	for _, from := range s.From {
		for _, p := range followed(t, events, item, from, stages[1:]) {
			if !slices.Contains(proposers, p) {
				proposers = append(proposers, p)
			}
		}
	}
	slices.Sort(proposers)
	return proposers
}

// checkBlind makes sure that no form names the people whose work it shows.
func checkBlind(t *testing.T, w *people.Workplace) {
	for _, item := range w.Items() {
		for _, s := range stages() {
			c, err := w.WorkItem(t.Context(), item, s.Name)
			fixture.OK(t, err)
			form, err := Kind.Form(c)
			fixture.OK(t, err)
			text, err := json.Marshal(form)
			fixture.OK(t, err)
			for _, p := range w.People() {
				if strings.Contains(string(text), `"`+p.ID) || strings.Contains(string(text), p.ID+`"`) {
					t.Errorf("the form of %s at %s names %s", item, s.Name, p.ID)
				}
			}
		}
	}
}

// imported is a project of official files.
func imported(t *testing.T, annotations, vision string) *people.Workplace {
	t.Helper()
	m := newMaker()
	m.Annotations = fixture.File(t, "annotations.jsonl", annotations)
	if vision != "" {
		m.VisionOnly = fixture.File(t, "annotations_vision_only.jsonl", vision)
	}
	return peopletest.Open(t, Kind, peopletest.Make(t, m))
}

// checkInAndOut imports official files and exports them again: equal lines, and once more equal bytes.
func checkInAndOut(t *testing.T, annotations, vision string, bytes bool) {
	t.Helper()
	w := imported(t, annotations, vision)
	again, seenAgain := peopletest.Export(t, w, "annotations"), peopletest.Export(t, w, "vision-only")
	equalLines(t, annotations, again)
	equalLines(t, vision, seenAgain)
	if bytes && (again != annotations || seenAgain != vision) {
		t.Error("the files have other bytes than those that were imported")
	}
	w = imported(t, again, seenAgain)
	if peopletest.Export(t, w, "annotations") != again || peopletest.Export(t, w, "vision-only") != seenAgain {
		t.Error("exported, imported and exported again the files have other bytes")
	}
	for _, p := range w.Progress() {
		if p.Given != p.Tasks {
			t.Errorf("stage %s asks for %d tasks of what is finished", p.Stage.Name, p.Tasks-p.Given)
		}
	}
}

func equalLines(t *testing.T, want, got string) {
	t.Helper()
	a, b := strings.Split(strings.TrimSpace(want), "\n"), strings.Split(strings.TrimSpace(got), "\n")
	if len(a) != len(b) {
		t.Fatalf("%d lines, want %d", len(b), len(a))
	}
	for i := range a {
		if plain(t, a[i]) != plain(t, b[i]) {
			t.Errorf("line %d:\ngot  %s\nwant %s", i+1, b[i], a[i])
		}
	}
}

// plain is JSON with its fields in order.
func plain(t *testing.T, text string) string {
	t.Helper()
	in := json.NewDecoder(strings.NewReader(text))
	in.UseNumber()
	var v any
	fixture.OK(t, in.Decode(&v))
	out, err := json.Marshal(v)
	fixture.OK(t, err)
	return string(out)
}

// TestReleasedForm imports a file in the released form, with repeated texts, and other names of fields.
func TestReleasedForm(t *testing.T) {
	text, err := os.ReadFile("../../bench/capricorn/testdata/vectors.json")
	fixture.OK(t, err)
	var vectors struct {
		Annotations []json.RawMessage `json:"annotations"`
	}
	fixture.OK(t, json.Unmarshal(text, &vectors))
	var annotations, vision strings.Builder
	for _, row := range vectors.Annotations {
		fmt.Fprintf(&annotations, "%s\n", row)
		var line struct {
			ID       string              `json:"video_id"`
			Duration json.RawMessage     `json:"duration"`
			Events   map[string][]string `json:"events"`
		}
		fixture.OK(t, json.Unmarshal(row, &line))
		for class, list := range line.Events {
			line.Events[class] = append([]string{}, list[min(1, len(list)):]...)
		}
		out, err := json.Marshal(&line)
		fixture.OK(t, err)
		fmt.Fprintf(&vision, "%s\n", out)
	}
	extra := `{"video_path": "a/b/0099.mp4", "duration": 61.50, "genre": ["<x> & y"], "events": {"main_sbj_evts": ["<b> é", "<a> 1", "<b> é"], "main_sbj_ints": [], "bg_desc": [], "trans_desc": [], "minor_evts": []}}` + "\n"
	checkInAndOut(t, annotations.String()+extra, vision.String()+strings.Replace(extra, `"<b> é", "<a> 1", `, `"<b> é", `, 1), false)
}

// TestImportedVideoIsSeen has people say what can be seen of imported videos, and nothing else.
func TestImportedVideoIsSeen(t *testing.T) {
	w := imported(t, `{"video_id":7,"duration":3,"events":{"main_sbj_evts":["<Anna> opens the red door"],"main_sbj_ints":[],"bg_desc":[],"trans_desc":[],"minor_evts":["a dog barks"]}}`, "")
	peopletest.Invite(t, w, people.Annotator, "ann", "ben")
	peopletest.Invite(t, w, people.Senior, "sue")
	for _, stage := range []string{Subjects, Keypoints} {
		if id, ok := w.Next("ann", stage); ok {
			t.Errorf("%s is asked for", id)
		}
	}
	if got := peopletest.Export(t, w, "vision-only"); got != "" {
		t.Errorf("nobody has looked, and yet: %s", got)
	}
	if n := peopletest.DoAll(t, w, visionStage, []string{"ann", "ben"}, look(t)); n != 2 {
		t.Errorf("%d tasks, want 2", n)
	}
	want := `{"video_id":7,"duration":3,"events":{"main_sbj_evts":["<Anna> opens the red door"],"main_sbj_ints":[],"bg_desc":[],"trans_desc":[],"minor_evts":[]}}` + "\n"
	if got := peopletest.Export(t, w, "vision-only"); got != want {
		t.Errorf("got  %swant %s", got, want)
	}
}

func TestNoFigures(t *testing.T) {
	m := newMaker()
	m.Clips = fixture.File(t, "clips.jsonl", clipList(2))
	w := peopletest.Open(t, Kind, peopletest.Make(t, m))
	peopletest.Invite(t, w, people.Annotator, "ann", "ben")
	if err := writeAnnotations(t.Context(), w, &strings.Builder{}); err == nil || !strings.Contains(err.Error(), "no video is finished") {
		t.Errorf("an export of nothing: %v", err)
	}
	peopletest.Do(t, w, "ann", Subjects, func(c *people.WorkItem, f *people.Form) map[string]people.Value { return listSubjects("ann", c, f) })
	notes := func() (out []string) {
		tables, err := Kind.Tables(t.Context(), w)
		peopletest.NobodyIsNamed(t, w, tables)
		fixture.OK(t, err)
		for _, row := range tables[0].Rows {
			if row[2] != "no figure" {
				t.Errorf("%s: %s", row[1], row[2])
			}
			out = append(out, row[5])
		}
		return out
	}
	if got := notes()[0]; got != "no figure, because no video has been done by two people" {
		t.Error(got)
	}
	peopletest.Do(t, w, "ben", Subjects, func(c *people.WorkItem, f *people.Form) map[string]people.Value { return listSubjects("ben", c, f) })
	if got := notes()[0]; !strings.Contains(got, "there are 5 subjects") {
		t.Error(got)
	}
	f := newAgreement().figures()[0]
	f.Add("v", 20, 8, 10, 10)
	if row := f.row("provisional: 2 of 4 tasks are done"); row[2] != "0.800" || !strings.HasPrefix(row[5], "provisional") {
		t.Error(row)
	}
}
