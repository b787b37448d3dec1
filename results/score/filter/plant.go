package filter

import (
	"encoding/json"
	"errors"

	"omniscope/detective/plant"
	"omniscope/internal/rows"
)

// Plant puts false claims into the caption of each line of JSON Lines, and adds "planted", what
// was changed. It refuses a caption that has planted claims. field is the name of the caption's field.
func Plant(field string, kinds []string, seed uint64) Work {
	return onRecords(func(r *rows.Record) ([]rows.Field, error) {
		caption, err := r.Text(field)
		if err != nil {
			return nil, err
		}
		if old, ok, err := r.Find("planted"); err != nil {
			return nil, err
		} else if ok && old.IsArray() && len(old.Array()) > 0 {
			return nil, errors.New(`the caption has planted claims already ("planted"): another change could make them true again`)
		}
		changed, planted := plant.In(caption, kinds, seed)
		if planted == nil {
			planted = []plant.Planted{}
		}
		list, err := json.Marshal(planted)
		if err != nil {
			return nil, err
		}
		return []rows.Field{rows.String(field, changed), {Name: "planted", JSON: string(list)}}, nil
	}, field, "planted")
}
