package main

import (
	"strings"

	"omniscope"
	"omniscope/internal/spelling"
	"omniscope/people"
	"omniscope/people/arena"
	"omniscope/people/capricorn"
	"omniscope/people/captions"
	"omniscope/people/claims"
	"omniscope/people/cloze"
	"omniscope/people/judge"
	"omniscope/people/labels"
	"omniscope/people/mcif"
	"omniscope/people/rating"
	"omniscope/people/sample"
)

// peopleKinds lists the kinds of people's work. One more is one more line.
var peopleKinds = []*people.Kind{captions.Kind, arena.Kind, rating.Kind, capricorn.Kind, cloze.Kind, mcif.Kind, claims.Kind, sample.Kind, judge.Kind, labels.Kind}

// peopleKindOf finds a kind by its name.
func peopleKindOf(name string) (*people.Kind, error) {
	var names []string
	for _, k := range peopleKinds {
		if k.Name == name {
			return k, nil
		}
		names = append(names, k.Name)
	}
	return nil, omniscope.NotFoundf("there is no kind of people's work called %q: there are %s%s", name, strings.Join(names, ", "), spelling.Hint(name, names))
}
