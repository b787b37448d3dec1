package agreement

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/peopletest"
	"omniscope/people"
)

// rate is a kind of work with a choice, a scale and a text.
var rate = &people.Kind{Info: people.Info{Name: "rate"}, Form: func(*people.WorkItem) (*people.Form, error) {
	return &people.Form{Sections: []people.Section{{Name: "s", Title: "Caption", Cards: []people.Card{{}}, Fields: []people.Field{
		{Name: "kind", Label: "Kind", Type: people.Choose, Choices: []people.Choice{{Value: "a", Label: "A"}, {Value: "b", Label: "B"}}},
		{Name: "grade", Label: "Grade", Type: people.Choose, Ordered: true, Optional: true, Choices: []people.Choice{{Value: "1"}, {Value: "2"}, {Value: "3"}, {Value: "4"}, {Value: "5"}}},
		{Name: "why", Label: "Why", Type: people.Prose, Optional: true},
	}}}}, nil
}}

// project makes a project that so many people do.
func project(t *testing.T, persons, items int, change func(i int, item *people.Item)) *people.Workplace {
	t.Helper()
	var list []*people.Item
	for i := range items {
		item := &people.Item{ID: fmt.Sprintf("i%02d", i), Clip: fmt.Sprint("clip", i), Payload: []byte("{}")}
		if change != nil {
			change(i, item)
		}
		list = append(list, item)
	}
	w := peopletest.Open(t, rate, &people.Plan{Items: peopletest.Items(list...), Project: people.Project{Kind: "rate",
		Stages: []people.Stage{{Name: "rate", Title: "Rate", By: []people.ProjectRole{people.Annotator}, People: persons, LeaseMinutes: 60}}}})
	peopletest.Invite(t, w, people.Annotator, "ann", "ben", "cas", "dan")
	return w
}

// answer has a person answer an item.
func answer(t *testing.T, w *people.Workplace, person string, item int, v people.Value) {
	t.Helper()
	id := people.TaskID{Item: fmt.Sprintf("i%02d", item), Stage: "rate", Person: person}
	peopletest.Save(t, w, id, people.Take, nil)
	peopletest.Save(t, w, id, people.Set, &people.Answer{Key: "s", Value: v})
	peopletest.Save(t, w, id, people.Submit, nil)
}

func tables(t *testing.T, w *people.Workplace) []omniscope.Table {
	t.Helper()
	got, err := Tables(t.Context(), w)
	peopletest.NobodyIsNamed(t, w, got)
	fixture.OK(t, err)
	return got
}

// want looks for the value of a row, by its first cells.
func want(t *testing.T, table omniscope.Table, value string, cells ...string) {
	t.Helper()
	for _, row := range table.Rows {
		if strings.Join(row[:len(cells)], "|") == strings.Join(cells, "|") {
			if row[len(cells)] != value {
				t.Errorf("%s is %q, want %q", cells, row[len(cells)], value)
			}
			return
		}
	}
	t.Errorf("%s has no row %s", table.Name, cells)
}

// TestTwoPeopleByHand: of twenty items both say a of 11, both b of 5, and they differ on 4, each
// saying a twice. Raw agreement 16/20. Both chose a 13 times: chance 0.65² + 0.35² = 0.545, kappa
// (0.8 - 0.545)/0.455 = 0.560. AC1: chance 2·0.65·0.35 = 0.455, (0.8 - 0.455)/0.545 = 0.633.
// Alpha: 1 - 39·4/(26·14) = 0.571. Agreement on A: 22 of 26; on B: 10 of 14.
func TestTwoPeopleByHand(t *testing.T) {
	w := project(t, 2, 20, nil)
	for i := range 20 {
		ann, ben := "a", "a"
		switch {
		case i >= 18:
			ben = "b"
		case i >= 16:
			ann = "b"
		case i >= 11:
			ann, ben = "b", "b"
		}
		answer(t, w, "ann", i, people.Value{"kind": ann})
		answer(t, w, "ben", i, people.Value{"kind": ben})
	}
	got := tables(t, w)
	if len(got) != 1 {
		t.Fatalf("%d tables", len(got))
	}
	for figure, value := range map[string]string{"raw agreement": "0.800", "Cohen's kappa": "0.560", "Gwet's AC1": "0.633", "Krippendorff's alpha (nominal)": "0.571", "agreement on A": "0.846", "agreement on B": "0.714"} {
		want(t, got[0], value, "Caption: Kind", figure)
	}
	want(t, got[0], "not known", "Caption: Grade", "")
	for _, row := range got[0].Rows {
		if row[1] == "Cohen's kappa" && (!strings.Contains(row[3], " to ") || row[4] != "20") {
			t.Errorf("%q", row)
		}
	}
}

// TestFourPeopleOfTheBook has Krippendorff's twelve units ("Computing Krippendorff's
// Alpha-Reliability", 2011): alpha 0.815 where the values have an order.
func TestFourPeopleOfTheBook(t *testing.T) {
	const gap = 0
	w := project(t, 4, 12, nil)
	for person, values := range map[string][]int{
		"ann": {1, 2, 3, 3, 2, 1, 4, 1, 2, gap, gap, gap},
		"ben": {1, 2, 3, 3, 2, 2, 4, 1, 2, 5, gap, 3},
		"cas": {gap, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, gap},
		"dan": {1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, gap},
	} {
		for i, v := range values {
			if v != gap {
				answer(t, w, person, i, people.Value{"kind": "a", "grade": fmt.Sprint(v)})
			}
		}
	}
	got := tables(t, w)
	want(t, got[0], "0.815", "Caption: Grade", "Krippendorff's alpha (ordinal)")
	want(t, got[0], "not defined", "Caption: Kind", "Krippendorff's alpha (nominal)")
	if len(got) != 2 {
		t.Fatalf("%d tables", len(got))
	}
	want(t, got[1], "ben, dan", "Caption: Kind")
}

// TestFleissWhereAllHaveThree: of twelve items three people agree on nine, and two of three on the
// other three. All say a 6 times, all b 3 times, a a b 3 times: shares 24/36 and 12/36, mean
// agreement (9 + 3/3)/12 = 0.833, chance 0.556: kappa 0.625.
func TestFleissWhereAllHaveThree(t *testing.T) {
	w := project(t, 3, 12, nil)
	for i := range 12 {
		for _, person := range []string{"ann", "ben", "cas"} {
			v := "a"
			if i >= 9 && person == "cas" || i >= 6 && i < 9 {
				v = "b"
			}
			answer(t, w, person, i, people.Value{"kind": v})
		}
	}
	got := tables(t, w)
	want(t, got[0], "0.625", "Caption: Kind", "Fleiss' kappa (3 people each)")
	want(t, got[1], "1.000", "Caption: Kind", "ann, ben", "Cohen's kappa")
}

func TestTooFew(t *testing.T) {
	w := project(t, 2, 12, nil)
	answer(t, w, "ann", 0, people.Value{"kind": "a"})
	if got := tables(t, w); len(got) != 1 || got[0].Rows[0][4] != "1 people have submitted work here; at least 2 are needed" {
		t.Errorf("%+v", got)
	}
	answer(t, w, "ben", 1, people.Value{"kind": "a"})
	if got := tables(t, w); got[0].Rows[0][4] != "no item was done by two people yet" {
		t.Errorf("%+v", got)
	}
	answer(t, w, "ben", 0, people.Value{"kind": "a"})
	if got := tables(t, w); got[0].Rows[0][4] != "1 answers of two people; at least 10 are needed" {
		t.Errorf("%+v", got)
	}
}

func TestQuality(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := project(t, 2, 24, func(i int, item *people.Item) {
			if i < 4 {
				item.Control = &people.Control{Stage: "rate", Answers: map[string]people.Value{"s": {"kind": "a"}}}
			}
		})
		const text = "There is a red car in  the street"
		for i := range 24 {
			for person, seconds := range map[string]int{"ann": 40, "ben": 5} {
				v := people.Value{"kind": "a", "why": strings.ToUpper(text)}
				switch {
				case person == "ben" && i%2 == 1:
					v["kind"], v["why"] = "b", "ok"
				case person == "ann" && i%2 == 1:
					v["why"] = fmt.Sprint("A text of her own, number ", i)
				case person == "ann":
					v["why"] = text
				}
				id := people.TaskID{Item: fmt.Sprintf("i%02d", i), Stage: "rate", Person: person}
				peopletest.Save(t, w, id, people.Take, nil)
				time.Sleep(time.Duration(seconds) * time.Second)
				e := people.NewEvent(people.Set, person, &people.Answer{Key: "s", Value: v})
				e.Task, e.ActiveMS = id, int64(seconds)*1000
				if got, err := w.Save(t.Context(), e); err != nil || got[0].Err != nil {
					t.Fatal(got, err)
				}
				peopletest.Save(t, w, id, people.Submit, nil)
			}
		}
		got, err := Quality(t.Context(), w)
		peopletest.NobodyIsNamed(t, w, []omniscope.Table{got})
		fixture.OK(t, err)
		want := [][]string{
			{"ann", "annotator", "24", "40s", "4 of 4 (100 %)", "12 of 24 (50 %)", "12 of 24 (50 %)", "0 of 24 (0 %)"},
			{"ben", "annotator", "24", "5s", "2 of 4 (50 %)", "12 of 24 (50 %)", "12 of 12 (100 %)", "24 of 24 (100 %)"},
		}
		if fmt.Sprint(got.Rows) != fmt.Sprint(want) {
			t.Errorf("%q\nwant\n%q", got.Rows, want)
		}
	})
}

// planted is rate with a table of its own, and items that are shown again.
var planted = &people.Kind{Info: rate.Info, Form: rate.Form,
	HasAlpha: func(_, field string) bool { return field == "s.kind" },
	Apart:    func(item *people.Item) bool { return item.ID > "i19" },
}

// TestOneAlphaOfAQuestion has twenty items on which people agree, and ten planted ones on which they do not.
func TestOneAlphaOfAQuestion(t *testing.T) {
	var list []*people.Item
	for i := range 30 {
		list = append(list, &people.Item{ID: fmt.Sprintf("i%02d", i), Clip: fmt.Sprint("clip", i), Payload: []byte("{}")})
	}
	w := peopletest.Open(t, planted, &people.Plan{Items: peopletest.Items(list...), Project: people.Project{Kind: "rate",
		Stages: []people.Stage{{Name: "rate", Title: "Rate", By: []people.ProjectRole{people.Annotator}, People: 2, LeaseMinutes: 60}}}})
	peopletest.Invite(t, w, people.Annotator, "ann", "ben")
	for i := range 30 {
		first := []string{"a", "b"}[i%2]
		second := first
		if i > 19 {
			second = "a"
		}
		answer(t, w, "ann", i, people.Value{"kind": first, "grade": "1"})
		answer(t, w, "ben", i, people.Value{"kind": second, "grade": "1"})
	}
	got := tables(t, w)
	want(t, got[0], "1.000", "Caption: Kind", "raw agreement")
	for _, row := range got[0].Rows {
		if row[0] == "Caption: Kind" && strings.HasPrefix(row[1], alpha) {
			t.Errorf("a second alpha: %q", row)
		}
	}
	want(t, got[0], "1.000", "Caption: Grade", "raw agreement")
	if !strings.Contains(got[0].Note, "Without 10 items that were planted or shown again.") {
		t.Errorf("note %q", got[0].Note)
	}
}
