// Package rating has people rate, on declared scales from 1 to 5, how good a reconstruction of a
// clip is: a video that was generated from a system's caption of it. The system is hidden
// (CapRiCorn-1K: 50 videos, 3 raters, similarity and subject consistency).
package rating

import (
	"encoding/json"
	"strconv"

	"omniscope"
	"omniscope/people"
)

// Name is the name of this kind of work.
const Name = "rating"

// stage is the name of its only stage.
const stage = "rate"

// ratingKey is the key of the ratings among a task's answers: its section has one card, with a
// field for each scale.
const ratingKey = "rating"

// settingScales is the setting with the scales of a project, as JSON.
const settingScales = "scales"

// steps is how many values a scale has, from 1.
const steps = 5

// A ratingScale is a quality that people rate from 1 to 5.
type ratingScale struct {
	Name    string   `json:"name" yaml:"name"`   // in tables and files: letters, digits, - and _
	Label   string   `json:"label" yaml:"label"` // what people are asked
	Anchors []string `json:"anchors" yaml:"anchors"`
}

// ratingScales are the scales of CapRiCorn-1K's reconstructions. The paper does not print its anchors; the
// words are ours.
func ratingScales() []ratingScale {
	return []ratingScale{
		{Name: "similarity", Label: "How similar is the reconstruction to the original?", Anchors: []string{
			"nothing in common: another scene, other things happen",
			"the topic is the same, most of what is seen and heard is not",
			"partly the same: the main things are there, much is missing or different",
			"mostly the same: a few details differ",
			"the same: no difference that matters",
		}},
		{Name: "subject-consistency", Label: "Are the subjects those of the original, from beginning to end?", Anchors: []string{
			"no subject of the original can be recognised",
			"few subjects can be recognised, or they change all the time",
			"some subjects match; others are mixed up or change",
			"nearly all subjects match and stay themselves",
			"all subjects match and stay themselves throughout",
		}},
	}
}

// A pair is an original and its reconstruction. It is the payload of an item.
type pair struct {
	Clip           string  `json:"clip"`
	Original       string  `json:"original"` // file
	Reconstruction string  `json:"reconstruction"`
	System         string  `json:"system,omitempty"` // "" = of a hidden original
	Control        control `json:"control,omitempty"`
	Again          string  `json:"again,omitempty"` // of a repeat: the id of the item that it repeats
}

// A control says which pairs are there to see how carefully people rate. They are in no mean.
type control string

// The controls.
const (
	None           control = ""
	HiddenOriginal control = "original" // the reconstruction is the original itself
	Repeat         control = "repeat"   // people saw the pair before
)

// pairOf reads the pair of an item.
var pairOf = people.Payload[pair]("pair of clips")

// scalesOf reads the scales of a project.
func scalesOf(p *people.Project) (scales []ratingScale, err error) {
	if err := json.Unmarshal([]byte(p.Settings[settingScales]), &scales); err != nil {
		return nil, omniscope.Invalidf("the scales of the project cannot be read: %w", err)
	}
	return scales, nil
}

// Kind is rating.
var Kind = people.ByStage(people.Kind{
	Info: people.Info{
		Name:  Name,
		About: "Rate reconstructions of clips from 1 to 5",
		Long: `People see an original clip and its reconstruction by a hidden system, and rate it from 1 to 5 on each scale: similarity
and subject consistency, or those of a file. Wanted: a file of pairs (JSON Lines or CSV) with the fields clip, original,
reconstruction (files of media) and system. Some originals may be shown as reconstructions, and some pairs twice, to see how
carefully people rate.`,
		Examples: `  omniscope people new rating ratings --pairs pairs.jsonl
  omniscope people new rating ratings --pairs pairs.jsonl --scales scales.yaml --people 5 --controls 10`,
		Fixed: true,
	},
	Maker: func() people.Maker { return newMaker() },
	Exports: []people.Export{
		{Name: "ratings", File: "ratings.csv", About: "all ratings, controls among them", Write: people.Writing(Ratings, WriteRatings)},
		{Name: "correlate", File: "correlate.csv", About: "ratings without controls, as `omniscope correlate --ratings` reads them", Write: people.Writing(Ratings, WriteCorrelate)},
		{Name: "systems", File: "systems.csv", About: "mean ratings of each system, as `omniscope correlate --table` reads them", Write: people.Writing(Ratings, writeSystems)},
	},
	Tables:   tables,
	HasAlpha: func(string, string) bool { return true }, // table agreement has all scales
	Apart:    func(item *people.Item) bool { p, err := pairOf(item); return err == nil && p.Control != None },
}, pairOf, map[string]people.StageWork[pair]{stage: {Form: form}})

// form names no system and no file.
func form(c *people.WorkItem, _ *pair) (*people.Form, error) {
	scales, err := scalesOf(c.Project)
	if err != nil {
		return nil, err
	}
	s := people.Section{Name: ratingKey, Title: "Rating", Cards: []people.Card{{}}}
	for _, scale := range scales {
		f := people.Field{Name: scale.Name, Label: scale.Label, Type: people.Choose, Ordered: true}
		for i, anchor := range scale.Anchors {
			value := strconv.Itoa(i + 1)
			f.Choices = append(f.Choices, people.Choice{Value: value, Label: value, Help: anchor})
		}
		s.Fields = append(s.Fields, f)
	}
	return &people.Form{PlayFirst: true, Sections: []people.Section{s}}, nil
}
