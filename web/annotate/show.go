package annotate

import (
	"cmp"
	"slices"
	"strings"

	"omniscope/people"
)

// scriptType is module for scripts that import others.
func scriptType(name string) string {
	if strings.HasPrefix(name, "player") {
		return "text/javascript"
	}
	return "module"
}

func nameOf(p *people.Person) string { return cmp.Or(p.Name, p.ID) }

// begins is what the button that leads to work says.
func begins(row stageRow) string {
	if slices.ContainsFunc(row.Open, func(t people.Task) bool { return t.State == people.Started }) {
		return word("continue")
	}
	return word("begin")
}

func lastSeen(p personRow) string {
	if p.Last.IsZero() {
		return ""
	}
	return ago(p.Last) + " ago"
}
