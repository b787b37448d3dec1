package textfilter

import (
	"encoding/json"

	"omniscope/plant"
	"omniscope/record"
)

// Plant puts false claims into the caption of each line of JSON Lines, and adds "planted", what
// was changed. field is the name of the caption's field.
func Plant(field string, kinds []string, seed uint64) Work {
	return onRecords(func(r *record.Record) ([]record.Field, error) {
		caption, err := r.Text(field)
		if err != nil {
			return nil, err
		}
		changed, planted := plant.In(caption, kinds, seed)
		if planted == nil {
			planted = []plant.Planted{}
		}
		list, err := json.Marshal(planted)
		if err != nil {
			return nil, err
		}
		return []record.Field{record.String(field, changed), {Name: "planted", JSON: string(list)}}, nil
	}, field, "planted")
}
