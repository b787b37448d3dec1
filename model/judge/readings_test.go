package judge_test

import (
	"reflect"
	"testing"

	"omniscope"
	"omniscope/model"
	"omniscope/model/judge"
)

// TestReadableByAsking counts replies of five questions, two of them without a schema and one with a refused schema.
func TestReadableByAsking(t *testing.T) {
	var counted judge.Readings
	ask := func(schema bool, asked int, all ...any) {
		q := yes()
		q.Asked = asked
		if !schema {
			q.Schema = nil
		}
		if _, err := judge.Ask(t.Context(), &judge.Judge{Model: &replies{list: all}, Attempts: len(all), Readings: &counted}, q); err != nil {
			t.Fatal(err)
		}
	}
	ask(true, 0, "yes")
	ask(true, 0, "no", "no", "yes")
	ask(false, 0, "no", "yes")
	ask(false, 3, "yes")
	ask(true, 4, "no", &model.Response{Text: "yes", Finish: model.Stop, DroppedOptions: []string{"response_format"}})
	ask(true, 0, failing(omniscope.Transient), &model.Response{Text: "ye", Finish: model.Length})
	want := []judge.Reading{
		{Asking: 1, Replies: 3, Readable: 1},
		{Asking: 2, Replies: 1, Readable: 1},
		{Asking: 2, Schema: true, Replies: 2},
		{Asking: 3, Schema: true, Replies: 1, Readable: 1},
		{Asking: 4, Replies: 1, Readable: 1},
		{Asking: 5, Replies: 1},
		{Asking: 6, Replies: 1, Readable: 1},
	}
	if got := counted.List(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestCommonestReason counts the last attempts of questions without an answer, for any step name.
func TestCommonestReason(t *testing.T) {
	var reasons judge.Reasons
	if why, n := reasons.Commonest(); why != "" || n != 0 {
		t.Errorf("without questions: %d times %q", n, why)
	}
	for step, all := range map[string][]any{
		"a": {"no", &model.Response{Text: "", Finish: model.Stop}},
		"b": {&model.Response{Text: "", Finish: model.Stop}},
		"c": {&model.Response{Text: "ye", Finish: model.Length}},
		"d": {"no", "yes"},
		"e": {"yes"},
	} {
		q := yes()
		q.Step = step
		if _, err := judge.Ask(t.Context(), &judge.Judge{Model: &replies{list: all}, Attempts: len(all), Reasons: &reasons}, q); err != nil {
			t.Fatal(err)
		}
	}
	if why, n := reasons.Commonest(); why != "it is empty" || n != 2 {
		t.Errorf("%d times %q, want twice that it is empty", n, why)
	}
}

// TestSchemaWithTheFirstAsking sends the schema with all askings, also of questions that are sent again as they are.
func TestSchemaWithTheFirstAsking(t *testing.T) {
	for _, repeat := range []bool{false, true} {
		var counted judge.Readings
		m := &replies{list: []any{"no", "yes"}}
		q := yes()
		q.Repeat = repeat
		j := &judge.Judge{Model: m, Attempts: 2, Schema: true, Readings: &counted}
		if _, err := judge.Ask(t.Context(), j, q); err != nil {
			t.Fatal(err)
		}
		want := []judge.Reading{{Asking: 1, Schema: true, Replies: 1}, {Asking: 2, Schema: true, Replies: 1, Readable: 1}}
		if got := counted.List(); !reflect.DeepEqual(got, want) || q.First(j).Schema == nil || q.First(&judge.Judge{}).Schema != nil {
			t.Errorf("repeat %v: %+v, want %+v", repeat, got, want)
		}
	}
}
