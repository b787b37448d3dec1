package judge_test

import (
	"reflect"
	"testing"

	"omniscope"
	"omniscope/model"
	"omniscope/model/judge"
)

// TestReadableByAsking counts replies of four questions, two of them without a schema.
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
	ask(true, 0, failing(omniscope.Transient), &model.Response{Text: "ye", Finish: model.Length})
	want := []judge.Reading{
		{Asking: 1, Replies: 3, Readable: 1},
		{Asking: 2, Replies: 1, Readable: 1},
		{Asking: 2, Schema: true, Replies: 2},
		{Asking: 3, Schema: true, Replies: 1, Readable: 1},
		{Asking: 4, Replies: 1, Readable: 1},
	}
	if got := counted.List(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}
