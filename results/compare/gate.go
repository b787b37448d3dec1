package compare

import (
	"fmt"
	"strings"

	"omniscope"
	"omniscope/internal/quantity"
)

// isWorse reports whether the score dropped beyond chance and the margin.
func (g *gate) isWorse(d drop) bool { return d.Known && d.corrected <= g.Level }

// blind reports whether no drop of the score could have been found, however large.
func (g *gate) blind(d drop) bool { return !d.Known || d.least > g.Level }

// hides reports whether so much of the score is unscored that a drop could hide in it.
func (g *gate) hides(d drop) bool {
	return !d.has || float64(d.newly) > g.MaxFailures*float64(d.items)
}

// worse has a sentence for each score that is worse.
func (g *gate) worse() (sentences []string) {
	for _, d := range g.drops {
		if g.isWorse(d) {
			sentences = append(sentences, fmt.Sprintf("%s is worse: %s %s, %s %s (p %s, corrected %s, level %g)",
				d.score.Title, g.pair.base.label, shown(d.base, true, d.score), g.pair.run.label, shown(d.run, true, d.score), chance(d.P), chance(d.corrected), g.Level))
		}
	}
	return sentences
}

// tooMuchUnscored has a sentence for the scores in whose unscored items a drop could hide: one for all scores of
// which the same is to be said.
func (g *gate) tooMuchUnscored() (sentences []string) {
	var saying []string
	titles := make(map[string][]string)
	for _, d := range g.drops {
		if !g.hides(d) {
			continue
		}
		why := fmt.Sprintf("%s leaves %s unscored, more than --max-failures %g allows: a drop could hide there", g.pair.run.label, d.unscored(), g.MaxFailures)
		if !d.has {
			why = g.pair.run.label + " has no score to compare"
		}
		if titles[why] == nil {
			saying = append(saying, why)
		}
		titles[why] = append(titles[why], d.score.Title)
	}
	for _, why := range saying {
		sentences = append(sentences, strings.Join(titles[why], ", ")+": "+why)
	}
	return sentences
}

// unscored says how many items only the new run left unscored.
func (d drop) unscored() string {
	return fmt.Sprintf("%s of %s items that the base scored", quantity.Grouped(d.newly), quantity.Grouped(d.items))
}

// warnings name what a check could not see.
func (g *gate) warnings() (warnings []string) {
	for _, d := range g.drops {
		if d.has && g.blind(d) {
			warnings = append(warnings, fmt.Sprintf("a drop of %s could not have been found, however large: %s%s", d.score.Title, clusters(d.clusters), g.wanted(d)))
		}
		if d.newly > 0 && !g.hides(d) {
			warnings = append(warnings, fmt.Sprintf("%s: %s are unscored in %s; the test is of what was scored%s", d.score.Title, d.unscored(), g.pair.run.label, g.bounds(d)))
		}
	}
	return warnings
}

func clusters(n int) string {
	if n == 1 {
		return "1 cluster"
	}
	return quantity.Grouped(n) + " clusters"
}

// wanted says what would let a drop be found.
func (g *gate) wanted(d drop) string {
	switch {
	case d.needed == 0 || d.clusters >= d.needed:
		return fmt.Sprintf(" at level %g; name fewer scores, or allow a higher --level", g.Level)
	case g.counted > 1:
		return fmt.Sprintf(", and at least %d are needed at level %g for %d scores; give more data, name fewer scores, or allow a higher --level", d.needed, g.Level, g.counted)
	}
	return fmt.Sprintf(", and at least %d are needed at level %g; give more data, or allow a higher --level", d.needed, g.Level)
}

// bounds shows the score of the new run with all its unscored items at their worst.
func (g *gate) bounds(d drop) string {
	if d.score.Bounds == nil {
		return ""
	}
	low, high, ok := d.score.Bounds(g.pair.totalOf(g.pair.run))
	if !ok {
		return ""
	}
	if d.score.Lower {
		low = high
	}
	return fmt.Sprintf("; with all unscored items at their worst it would be %s", shown(low, true, d.score))
}

// table has a row for each score that is checked.
func (g *gate) table() omniscope.Table {
	t := omniscope.Table{Name: "worse", Title: fmt.Sprintf("Is %s worse than %s?", g.pair.run.label, g.pair.base.label), Numbers: []int{1, 2, 3, 4, 5, 6, 7},
		Columns: []string{"score", "base has", "run has", "change", "p", "p, corrected", "newly unscored", "could be found", "finding"}}
	var made methods
	for _, d := range g.drops {
		made.addMethod(d.Method)
		t.Rows = append(t.Rows, g.row(d))
	}
	beyond := ""
	if g.Margin > 0 {
		beyond = fmt.Sprintf(" of more than %g points", g.Margin)
	}
	t.Note = made.noteOf("test", fmt.Sprintf("worse: a drop%s beyond chance. p: chance of so large a drop if there is no true drop%s; corrected (Holm) for the number of scores%s, %d, and a drop is found where it "+
		"is at most %g, which is the chance of a false alarm for all scores together; newly unscored: items that the base scored and the run did not; could be found: the true drop that is found four times in five",
		beyond, beyond, thatVary(g.counted, len(g.drops)), g.counted, g.Level))
	return t
}

// thatVary says that not all scores are counted.
func thatVary(counted, all int) string {
	if counted < all {
		return " that can vary"
	}
	return ""
}

func (g *gate) row(d drop) []string {
	factor, digits := scale(d.score, true)
	row := []string{Heading(d.score), shown(d.base, true, d.score), shown(d.run, d.has, d.score), notAvailable, chance(d.P), chance(d.corrected), quantity.Grouped(d.newly), notAvailable, g.finding(d)}
	if d.has {
		row[3] = signed((d.run-d.base)*factor, digits)
	}
	if d.found > 0 && !g.blind(d) {
		row[7] = fixed(d.found*factor, digits)
	}
	return row
}

// finding is what the check says of a score.
func (g *gate) finding(d drop) string {
	switch {
	case g.isWorse(d):
		return "worse"
	case g.hides(d):
		return "too much is unscored"
	case g.blind(d):
		return "no drop could be found"
	}
	return "no drop found"
}
