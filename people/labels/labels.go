// Package labels has people mark stretches of recordings, choose, rate and write, in tasks that come from
// Label Studio and go back to it as JSON. What Label Studio's people or models have done is proposed and
// may be accepted, changed or struck.
//
// Known are results of the types labels (on audio), timelinelabels, choices, rating and textarea.
// Label Studio has no times of frames: a frame there is time × the declared rate
// (HumanSignal/label-studio#3315), so that times made of frames are approximate.
package labels

import (
	_ "embed"

	"omniscope/people"
)

// name is that of this kind of work.
const name = "labels"

// stage is the name of its only stage.
const stage = "label"

//go:embed guideline.md
var guideline string

// Kind is this kind of work.
var Kind = people.ByStage(people.Kind{
	Info: people.Info{
		Name:  name,
		About: "Mark stretches, choose, rate and write, from Label Studio and back",
		Long: `For each task of Label Studio people mark stretches of the recording, choose, rate and write. Give its JSON export with
--data, and the labelling configuration with --config; without one, only labels that the tasks have are offered. Other
results, such as boxes, are refused unless --keep-unknown carries them along.`,
		Examples: `  omniscope people new labels sounds --data tasks.json --config config.xml
  omniscope people new labels sounds --data tasks.json --people 2`,
	},
	Maker:   func() people.Maker { return &maker{people: 1} },
	Exports: []people.Export{{Name: "tasks", File: "tasks.json", About: "the tasks, as Label Studio imports them; what people changed is one more annotation", Write: writeTasks}},
	Tables:  tables,
}, taskOf, map[string]people.StageWork[taskRecord]{stage: {Form: form}})

// A taskRecord is what an item holds.
type taskRecord struct {
	Raw      string       `json:"raw"` // as it stands in the file
	Controls []controlTag `json:"controls"`
	Rate     float64      `json:"rate"` // frames of a second, as declared
}

// A controlTag is something that is asked in each task.
type controlTag struct {
	Name      string      `json:"name"`    // from_name of its results
	To        string      `json:"to_name"` // of what it is asked
	Type      controlType `json:"type"`
	Options   []string    `json:"options,omitempty"`
	Many      bool        `json:"many,omitempty"`       // more than one of the choices
	Most      int         `json:"most,omitempty"`       // of a rating
	PerRegion bool        `json:"per_region,omitempty"` // asked of each stretch
}

// A controlType is the type of a control's results.
type controlType string

// The types that are known.
const (
	spans     controlType = "labels" // on audio, in seconds
	timeline  controlType = "timelinelabels"
	choices   controlType = "choices"
	ratingTag controlType = "rating"
	textArea  controlType = "textarea"
)

// marks reports whether the control's results are stretches.
func (c *controlTag) marks() bool { return c.Type == spans || c.Type == timeline }

// The fields of answers.
const (
	fieldSpan  = "span"
	fieldLabel = "label"
	fieldValue = "value"
)

var taskOf = people.Payload[taskRecord]("task of Label Studio")
