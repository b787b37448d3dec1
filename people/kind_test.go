package people_test

import (
	"errors"
	"testing"

	"omniscope"
	"omniscope/people"
)

// TestByStage tests a kind with two stages (the second checks and skips) and a kind that does neither.
func TestByStage(t *testing.T) {
	type thing struct {
		Name string `json:"name"`
	}
	read := people.Payload[thing]("thing")
	form := func(_ *people.WorkItem, of *thing) (*people.Form, error) {
		return &people.Form{Texts: []people.Text{{Body: of.Name}}}, nil
	}
	refusal := errors.New("not yet")
	simple := people.StageWork[thing]{Form: form}
	k := people.ByStage(people.Kind{}, read, map[string]people.StageWork[thing]{"first": simple, "second": {Form: form,
		Complete: func(*people.WorkItem, *thing, map[string]people.Value) error { return refusal },
		Skip:     func(_ *people.WorkItem, of *thing) (bool, error) { return of.Name == "clear", nil },
	}})
	for _, c := range []struct {
		stage, payload string
		kind           omniscope.Kind // of the error of the form
		complete       error
		skip           bool
	}{
		{"first", `{"name": "clear"}`, omniscope.Internal, nil, false},
		{"second", `{"name": "clear"}`, omniscope.Internal, refusal, true},
		{"second", `{"name": "dim"}`, omniscope.Internal, refusal, false},
		{"third", `{"name": "dim"}`, omniscope.Invalid, nil, false},
		{"first", `[]`, omniscope.Invalid, nil, false},
	} {
		item := &people.WorkItem{Stage: &people.Stage{Name: c.stage}, Item: &people.Item{ID: "i", Payload: []byte(c.payload)}}
		if f, err := k.Form(item); omniscope.KindOf(err) != c.kind || err == nil && len(f.Texts) != 1 {
			t.Errorf("%s of %s: form %v (%v)", c.stage, c.payload, f, err)
		}
		skip, err := k.Skip(item)
		if skip != c.skip || omniscope.KindOf(err) != c.kind {
			t.Errorf("%s of %s: skip %v (%v)", c.stage, c.payload, skip, err)
		}
		if err := k.Complete(item, nil); omniscope.KindOf(err) != c.kind || c.kind == omniscope.Internal && !errors.Is(err, c.complete) {
			t.Errorf("%s of %s: complete %v", c.stage, c.payload, err)
		}
	}
	if plain := people.ByStage(people.Kind{}, read, map[string]people.StageWork[thing]{"first": simple}); plain.Complete != nil || plain.Skip != nil {
		t.Error("a kind without checks and skipped stages reads items for them")
	}
}
