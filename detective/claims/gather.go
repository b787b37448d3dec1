package claims

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"omniscope/perceive"
)

// strongerEvidence returns overlapping speech evidence from another tool,
// preferring a transcript, then the evidence of a later tool: tools that
// interpret are called after tools that measure. It returns nil if e is no
// speech, has a transcript itself, or no other tool noticed the speech.
func strongerEvidence(l Ledger, e *Evidence) *Evidence {
	if !wordless(e) {
		return nil
	}
	var later *Evidence
	past := false
	for i := range l {
		heard := &l[i]
		past = past || heard == e
		if heard.Tool == e.Tool || heard.Kind != perceive.Speech || !mostlyShared(e, heard) {
			continue
		}
		if heard.Quote != "" && heard.Sure >= perhaps {
			return heard
		}
		if past && wordless(heard) {
			later = heard
		}
	}
	if later == nil {
		return nil
	}
	if last := strongerEvidence(l, later); last != nil {
		return last
	}
	return later
}

// wordless reports whether e is a stretch of speech without words.
func wordless(e *Evidence) bool {
	return e.Kind == perceive.Speech && e.Quote == "" && !e.Whole() && !denies(e.What, perceive.Speech)
}

// mostlyShared reports whether most of one of two stretches lies in the other.
func mostlyShared(a, b *Evidence) bool {
	return 2*a.overlap(b) > min(a.End()-a.StartS, b.End()-b.StartS)
}

// mostClauses is how many observations of one stretch one sentence states.
const mostClauses = 2

// A group is observations that one sentence states together.
type group struct {
	list []*Evidence
	tell func([]*Evidence) string
}

// A theme is what observations of a group share.
type theme struct {
	tool         string
	kind         perceive.Kind
	startS, endS float64
	words        string
}

// groupEvidence groups observations that one sentence can state: what a tool
// says of the picture in one stretch of time; short or regular silences; and
// repeated observations within one shot. It maps each observation to its group
// and skips those in stated.
func groupEvidence(l Ledger, shots []shot, stated map[*Evidence]bool) map[*Evidence]*group {
	groups := make(map[*Evidence]*group)
	keep := func(list []*Evidence, least int, tell func([]*Evidence) string) {
		if len(list) < least {
			return
		}
		g := &group{list, tell}
		for _, e := range list {
			groups[e] = g
		}
	}
	var all []*Evidence
	for i := range l {
		if e := &l[i]; !stated[e] && strongerEvidence(l, e) == nil {
			all = append(all, e)
		}
	}
	for _, list := range byTheme(all, clauseTheme) {
		for part := range slices.Chunk(list, mostClauses) {
			keep(part, 2, stateClauses)
		}
	}
	rest := slices.DeleteFunc(all, func(e *Evidence) bool { return groups[e] != nil })
	slices.SortStableFunc(rest, func(a, b *Evidence) int { return cmp.Compare(a.StartS, b.StartS) })
	for len(rest) > 0 {
		n := 1
		for n < len(rest) && shotAt(shots, rest[n].StartS) == shotAt(shots, rest[0].StartS) {
			n++
		}
		gatherShot(rest[:n], keep)
		rest = rest[n:]
	}
	return groups
}

// gatherShot puts together what comes again in one shot.
func gatherShot(list []*Evidence, keep func([]*Evidence, int, func([]*Evidence) string)) {
	for _, run := range silencesOf(list) {
		keep(run, 2, stateSilences)
	}
	for _, list := range byTheme(list, repeatTheme) {
		list = slices.DeleteFunc(list, func(e *Evidence) bool { return !alikeLevel(list[0], e) })
		keep(list, leastRepeats, stateRepeats)
	}
}

// shotAt is the number of the shot in which a time is, counted from 0: the last
// that has begun.
func shotAt(shots []shot, at float64) int {
	n := 0
	for n+1 < len(shots) && shots[n+1].StartS <= at {
		n++
	}
	return n
}

// byTheme sorts evidence by theme; what has none is left out.
func byTheme(list []*Evidence, of func(*Evidence) (theme, bool)) map[theme][]*Evidence {
	themes := make(map[theme][]*Evidence)
	for _, e := range list {
		if t, ok := of(e); ok {
			themes[t] = append(themes[t], e)
		}
	}
	return themes
}

func clauseTheme(e *Evidence) (theme, bool) {
	_, ok := clause(e)
	return theme{tool: e.Tool, kind: e.Kind, startS: e.StartS, endS: e.EndS}, ok
}

const (
	leastRepeats = 3  // times that a tool must say the same for that to be one sentence
	mostTimes    = 12 // of them that are listed
	briefS       = 1  // seconds; shorter observations are stated with their start alone
)

// repeatTheme is what a tool says of a moment or a stretch, without the
// numbers.
func repeatTheme(e *Evidence) (theme, bool) {
	bare := strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) || r == '.' {
			return -1
		}
		return r
	}, oneLine(e.What))
	ok := (e.Kind == perceive.Sound || e.Kind == perceive.Scene || wordless(e)) && e.Quote == "" && !e.Whole() && e.Sure >= perhaps
	return theme{tool: e.Tool, kind: e.Kind, words: bare}, ok
}

// alikeLevel reports whether two observations give levels that are much the same,
// if they give any.
func alikeLevel(a, b *Evidence) bool {
	const name, most = "level_dbfs", 3.0
	x, y := a.Values[name], b.Values[name]
	return max(x-y, y-x) <= most
}

// stateRepeats tells of the first, and when the others were.
func stateRepeats(list []*Evidence) string {
	first, rest := strings.TrimRight(state(list[0], true).Text, "."), list[1:]
	if len(rest) > mostTimes {
		return Full(fmt.Sprintf("%s; much the same %d times more, the last %s", first, len(rest), rest[len(rest)-1].When()))
	}
	starts, stretches := make([]string, len(rest)), make([]string, len(rest))
	brief := true
	for i, e := range rest {
		starts[i], stretches[i] = seconds(e.StartS), e.When()
		brief = brief && e.End()-e.StartS < briefS
	}
	if brief {
		return Full(first + "; much the same at " + enumerated(starts))
	}
	return Full(first + "; much the same " + enumerated(stretches))
}

// clause returns the part of an observation of the picture that can stand beside
// others in a sentence: without the time in front.
func clause(e *Evidence) (string, bool) {
	what := strings.TrimRight(oneLine(e.What), ".")
	if e.Kind != perceive.Scene || e.Whole() || e.Sure < perhaps || e.Quote != "" || strings.Contains(what, ". ") {
		return "", false
	}
	if worded := wordedInShot(e); worded != "" {
		return worded, true
	}
	for _, opening := range []string{"In the shot " + e.When(), capital(e.When())} {
		if rest, ok := strings.CutPrefix(what, opening+" "); ok {
			return rest, true
		}
	}
	return "", false
}

// clauses puts clauses beside each other.
func clauses(list []*Evidence) string {
	parts := make([]string, len(list))
	for i, e := range list {
		parts[i], _ = clause(e)
	}
	return strings.Join(parts, "; ")
}

// stateClauses tells clauses in a sentence.
func stateClauses(list []*Evidence) string { return Full(list[0].When() + " " + clauses(list)) }

// Silences that are stated together are short and close, like those between
// words, or come evenly.
const (
	shortSilenceS = 1.0
	closeSilenceS = 1.0
	leastEven     = 4
	evenly        = 0.2 // the most by which even intervals differ from their mean, as a share of it
)

// silencesOf returns the silences of a list in order of time that are stated
// together, run by run.
func silencesOf(list []*Evidence) (runs [][]*Evidence) {
	var all []*Evidence
	for _, e := range list {
		if e.Kind == perceive.Silence && e.Sure >= perhaps && e.EndS > e.StartS {
			all = append(all, e)
		}
	}
	for len(all) > 0 {
		n := max(closeRun(all), evenRun(all))
		runs = append(runs, all[:n])
		all = all[n:]
	}
	return runs
}

// closeRun is how many silences at the start of a list are short and close to
// each other.
func closeRun(list []*Evidence) int {
	short := func(e *Evidence) bool { return e.EndS-e.StartS < shortSilenceS }
	n := 1
	for short(list[0]) && n < len(list) && short(list[n]) && list[n].Tool == list[0].Tool && near(list[n]) == near(list[0]) &&
		list[n].StartS >= list[n-1].EndS && list[n].StartS-list[n-1].EndS <= closeSilenceS {
		n++
	}
	return n
}

// evenRun is how many at the start of a list come evenly, 1 if too few do.
func evenRun(list []*Evidence) int {
	for n := len(list); n >= leastEven; n-- {
		shortest, longest := lengths(list[:n])
		other := slices.ContainsFunc(list[:n], func(e *Evidence) bool { return e.Tool != list[0].Tool || near(e) != near(list[0]) })
		if _, even := interval(list[:n]); even && !other && longest <= 2*shortest {
			return n
		}
	}
	return 1
}

// near reports whether a silence has a faint background.
func near(e *Evidence) bool { return slices.Contains(Words(e.What), "near") }

// stateSilences tells of silences, and whether they come evenly.
func stateSilences(list []*Evidence) string {
	shortest, longest := lengths(list)
	n, word := len(list), "silences"
	if near(list[0]) {
		word = "near silences"
	}
	if longest < shortSilenceS {
		word = "short " + word
	}
	text := fmt.Sprintf("from %s to %s there are %d %s, of %.2f to %s", seconds(list[0].StartS), seconds(list[n-1].EndS), n, word, shortest, seconds(longest))
	if each, even := interval(list); even && n > 2 {
		text += fmt.Sprintf(", about one every %s", seconds(each))
	}
	return Full(text)
}

// lengths returns those of the shortest and the longest, in seconds.
func lengths(list []*Evidence) (shortest, longest float64) {
	shortest = list[0].EndS - list[0].StartS
	for _, e := range list {
		shortest, longest = min(shortest, e.EndS-e.StartS), max(longest, e.EndS-e.StartS)
	}
	return shortest, longest
}

// interval returns the mean time from one silence to the next, and whether all
// are about the same.
func interval(list []*Evidence) (mean float64, even bool) {
	n := len(list)
	mean = (list[n-1].StartS - list[0].StartS) / float64(n-1)
	for i := 1; i < n; i++ {
		off := list[i].StartS - list[i-1].StartS - mean
		if max(off, -off) > evenly*mean {
			return mean, false
		}
	}
	return mean, true
}
