package catalog

import (
	"strings"

	"omniscope"
	"omniscope/internal/spelling"
	"omniscope/people"
	"omniscope/people/arena"
	"omniscope/people/capricorn"
	"omniscope/people/claims"
	"omniscope/people/cloze"
	"omniscope/people/judge"
	"omniscope/people/labels"
	"omniscope/people/mcif"
	"omniscope/people/rating"
	"omniscope/people/sample"
)

// A PeopleKind is a kind of people's work: what it asks, and how its projects are made.
type PeopleKind struct {
	people.Kind
	Maker func() people.Maker
}

// PeopleKinds lists the kinds of people's work. One more is one more line.
var PeopleKinds = []PeopleKind{
	{arena.Kind{}, func() people.Maker { return arena.New() }},
	{rating.Kind{}, func() people.Maker { return rating.New() }},
	{capricorn.Kind{}, func() people.Maker { return capricorn.New() }},
	{cloze.Kind{}, func() people.Maker { return cloze.New() }},
	{mcif.Kind{}, func() people.Maker { return mcif.New() }},
	{claims.Kind{}, func() people.Maker { return claims.New() }},
	{sample.Kind{}, func() people.Maker { return sample.New() }},
	{judge.Kind{}, func() people.Maker { return judge.New() }},
	{labels.Kind{}, func() people.Maker { return labels.New() }},
}

// PeopleKindOf finds a kind by its name.
func PeopleKindOf(name string) (people.Kind, error) {
	var names []string
	for _, k := range PeopleKinds {
		if k.Info().Name == name {
			return k.Kind, nil
		}
		names = append(names, k.Info().Name)
	}
	return nil, omniscope.NotFoundf("there is no kind of people's work called %q: there are %s%s", name, strings.Join(names, ", "), spelling.Hint(name, names))
}
