package recipe

import (
	"fmt"
	"strings"
	"testing"
)

// The page's table is that of Settings.
func TestPageShowsTheTable(t *testing.T) {
	page := read(t, "../../docs/train-recipe.md")
	_, after, found := strings.Cut(page, "<!-- settings: a test compares this table -->\n")
	shown, _, closed := strings.Cut(after, "\n\n")
	if want := table(); !found || !closed || shown != want {
		t.Errorf("docs/train-recipe.md shows another table; it must be\n%s", want)
	}
}

// table is the settings as a Markdown table.
func table() string {
	var b strings.Builder
	b.WriteString("| setting | stage 1 | stage 2 | source | ms-swift | llama-factory (stage 2) | veomni | automodel (stage 1) |\n|---|---|---|---|---|---|---|---|")
	for _, s := range Settings() {
		fmt.Fprintf(&b, "\n| `%s` | %s | %s | %s |", s.Name, orNone(s.Values[0]), orNone(s.Values[1]), s.Source)
		for _, trainer := range trainers() {
			b.WriteString(" " + cell(&s, trainer) + " |")
		}
	}
	return b.String()
}

func orNone(text string) string {
	if text == "" {
		return "–"
	}
	return text
}

// cell lists what a trainer calls a setting, with its own words for the values.
func cell(s *setting, trainer Trainer) string {
	var names []string
	for _, a := range s.Args {
		if a.Trainer != trainer {
			continue
		}
		name := a.Name
		switch v := a.Values; {
		case v == [2]string{}:
		case v[0] == v[1] || v[1] == "-":
			name += " " + v[0]
		default:
			name += " " + v[0] + " / " + v[1]
		}
		text := "`" + name + "`"
		if a.Values[1] == "-" {
			text += " (stage 1)"
		}
		names = append(names, text)
	}
	return orNone(strings.Join(names, ", "))
}
