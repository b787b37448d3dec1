package detective

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"omniscope/media"
	"omniscope/perceive"
)

// How sure an observer must be. These are conventions of ours: a tool that
// gives its sureness is expected to mean "right" from plainly on, and "worth
// telling with a reservation" from perhaps on.
const (
	plainly = 0.8 // quoted as it is
	perhaps = 0.5 // quoted with a reservation; below, not quoted at all
)

// A statement is a sentence and where it stands in the text.
type statement struct {
	Sentence
	startS float64
	rank   int   // among those of one time
	shot   *shot // that it opens
	bare   bool  // it tells of the shot that it is there, and no more
}

// The order of what is said: what happens, shot by shot, and then the clip as a
// whole.
const (
	rankShot = iota
	rankEvent
	rankReport
	rankWhole
	rankAbsence
)

// plainSentences says the evidence in order of time, each sentence with the
// ids it is made of, and then what is so of the clip as a whole. What two tools
// say of the same is said once; what fits in one sentence is said together.
func plainSentences(l Ledger) []Sentence {
	shots := shotsOf(l)
	list, stated := openShots(l, shots)
	groups := groupEvidence(l, shots, stated)
	said := make(map[string]int)            // sentence to its place in the list
	confirming := make(map[string][]string) // id to those that say the same
	for i := range l {
		e := &l[i]
		if stated[e] {
			continue
		}
		if heard := strongerEvidence(l, e); heard != nil {
			confirming[heard.ID] = append(confirming[heard.ID], e.ID)
			continue
		}
		if read := betterReading(l, e); read != nil {
			if alike(e.Quote, read.Quote) >= readAlike {
				confirming[read.ID] = append(confirming[read.ID], e.ID)
			}
			continue
		}
		if g := groups[e]; g != nil {
			if g.list[0] == e {
				list = append(list, stateGroup(g))
			}
			continue
		}
		if answered(l, e) {
			continue
		}
		s := state(e)
		if countsShots(e) && len(shots) > 0 {
			s.Text = full(listedShots.ReplaceAllString(oneLine(e.What), "")) // each has a sentence of its own
		}
		if s.Text == "" {
			continue
		}
		if at, again := said[s.Text]; again {
			list[at].Evidence = append(list[at].Evidence, e.ID)
			continue
		}
		said[s.Text] = len(list)
		list = append(list, s)
	}
	slices.SortStableFunc(list, compareStatements)
	if len(shots) > 0 {
		list = numbered(list)
	}
	sentences := make([]Sentence, len(list))
	for i := range list {
		sentences[i] = list[i].Sentence
		sentences[i].Whole = list[i].rank > rankEvent
		for _, id := range list[i].Evidence {
			sentences[i].Evidence = append(sentences[i].Evidence, confirming[id]...)
		}
	}
	return sentences
}

func compareStatements(a, b statement) int {
	if a.rank <= rankEvent && b.rank <= rankEvent {
		return cmp.Or(cmp.Compare(a.startS, b.startS), cmp.Compare(a.rank, b.rank))
	}
	return cmp.Compare(a.rank, b.rank)
}

// openShots makes the sentence that opens each shot. It returns in stated the
// evidence of these sentences: cuts, and the first observations of the picture
// that last for the whole shot.
func openShots(l Ledger, shots []shot) (list []statement, stated map[*Evidence]bool) {
	stated = make(map[*Evidence]bool)
	for n := range shots {
		s := &shots[n]
		var seen []*Evidence
		for i := range l {
			if e := &l[i]; len(seen) < mostClauses && s.lasts(e) && e.Kind == perceive.Scene {
				if _, ok := clause(e); ok {
					seen = append(seen, e)
				}
			}
		}
		for _, e := range slices.Concat(s.after, seen) {
			stated[e] = stated[e] || !isBlack(e) // black has a sentence of its own
		}
		list = append(list, stateShot(n+1, s, seen))
	}
	return list, stated
}

// stateGroup puts observations that belong together into words.
func stateGroup(g *group) statement {
	return statement{Sentence: Sentence{Text: g.tell(g.list), Evidence: ids(g.list)}, startS: g.list[0].StartS, rank: rankEvent}
}

// state puts one observation into words.
func state(e *Evidence) statement {
	s := statement{Sentence: Sentence{Evidence: []string{e.ID}}, startS: e.StartS, rank: rankEvent}
	if e.whole() {
		s.rank = rankWhole
	}
	switch e.Kind {
	case perceive.Absence:
		s.rank = rankAbsence
		s.Text = full(e.What)
	case perceive.Text:
		s.Text = stateText(e)
	case perceive.Speech:
		s.Text = stateSpeech(e)
	case perceive.Silence:
		s.Text = stateSilence(e)
	case perceive.Cut:
		s.Text = stateCut(e)
	case perceive.Reported:
		if offlineInquiry(e.Tool).Question != anyQuestion { // it measures, and has measured nothing
			s.Text = full(timed(e, oneLine(e.What)))
			break
		}
		if e.whole() {
			s.rank = rankReport
		}
		s.Text = full(timed(e, fmt.Sprintf("the observer %s reports: %s", e.Tool, oneLine(e.What))))
	default:
		s.Text = stateRest(e)
	}
	if e.Closer.Region != (media.Region{}) && s.Text != "" && e.Quote == "" {
		s.Text = stateInPart(e)
	}
	return s
}

// stateInPart describes observations in a region of the picture.
func stateInPart(e *Evidence) string {
	text := "in a part of the picture: "
	if !e.whole() {
		text = e.when() + ", " + text
	}
	if e.Sure < perhaps {
		text += "perhaps: "
	}
	return full(text + oneLine(e.What))
}

// answered reports whether a tool that measured nothing in the entire clip has
// read or heard words since, in a closer look.
func answered(l Ledger, e *Evidence) bool {
	return e.Kind == perceive.Reported && e.Closer.Whole() && offlineInquiry(e.Tool).Question != anyQuestion &&
		slices.ContainsFunc(l, func(o Evidence) bool { return o.Tool == e.Tool && !o.Closer.Whole() && o.Quote != "" })
}

func stateText(e *Evidence) string {
	quote := oneLine(e.Quote)
	switch {
	case quote == "" || e.Sure >= perhaps && tellsTime(e, e.What):
		return stateRest(e)
	case e.Sure >= plainly:
		return full(fmt.Sprintf("%s the picture shows the words “%s”", capital(e.when()), quote))
	case e.Sure >= perhaps:
		return full(fmt.Sprintf("%s the picture seems to show words, perhaps “%s”", capital(e.when()), quote))
	}
	return full(fmt.Sprintf("%s the picture may show words, but they cannot be read", capital(e.when())))
}

func stateSpeech(e *Evidence) string {
	quote := oneLine(e.Quote)
	switch {
	case quote == "":
		return stateRest(e)
	case e.Sure >= plainly:
		return full(fmt.Sprintf("%s somebody says: “%s”", capital(e.when()), quote))
	case e.Sure >= perhaps:
		return full(fmt.Sprintf("%s somebody speaks, perhaps saying: “%s”", capital(e.when()), quote))
	}
	return full(fmt.Sprintf("%s there is speech, not intelligible", capital(e.when())))
}

// stateSilence takes the tool's words where they say more than silence.
func stateSilence(e *Evidence) string {
	said := words(e.What)
	if len(said) > 1 {
		return stateRest(e)
	}
	if e.Sure < perhaps {
		return full(fmt.Sprintf("%s there seems to be silence", capital(e.when())))
	}
	return full(fmt.Sprintf("%s there is silence", capital(e.when())))
}

// stateRest takes the tool's own sentence, with the time if it has none, and a
// reservation if the tool was not sure.
func stateRest(e *Evidence) string {
	what := oneLine(e.What)
	if what == "" {
		return ""
	}
	switch {
	case e.Sure >= perhaps:
		return full(timed(e, what))
	case e.whole() || tellsTime(e, what):
		return full("Perhaps: " + what)
	}
	return full(e.when() + ", perhaps: " + what)
}

// timed puts the time before what a tool says, if that does not tell it.
func timed(e *Evidence, what string) string {
	if e.whole() || tellsTime(e, what) {
		return what
	}
	when := capital(e.when())
	switch {
	case namesSilence(what):
		return when + " there is " + what
	case isClause(what):
		return when + " " + what
	}
	return when + ": " + what
}

// namesSilence reports whether a tool has named a silence or a pause, and not made
// a sentence of it.
func namesSilence(what string) bool {
	return slices.ContainsFunc([]string{"silence ", "near silence", "a pause "}, func(start string) bool { return strings.HasPrefix(what, start) })
}

// isClause reports whether words can follow a time without a colon: they do not
// begin like a sentence, and have a verb that tools use.
func isClause(what string) bool {
	first, _ := utf8.DecodeRuneInString(what)
	return !unicode.IsUpper(first) && slices.ContainsFunc(words(what), func(w string) bool {
		return slices.Contains([]string{"is", "are", "may", "seems", "seem", "stands", "stand"}, w)
	})
}

// tellsTime reports whether a sentence has the start or the end of its span,
// as tools print it to one, two or three digits.
func tellsTime(e *Evidence, what string) bool {
	for _, s := range []float64{e.StartS, e.EndS} {
		for _, form := range []string{"%.1f", "%.2f", "%.3f"} {
			for _, unit := range []string{" s", "s", "–", " to"} {
				if strings.Contains(" "+what, " "+fmt.Sprintf(form, s)+unit) {
					return true
				}
			}
		}
	}
	return false
}

// stateCut tells of a cut that no shot is known to begin with.
func stateCut(e *Evidence) string {
	if e.Sure < perhaps {
		return full(capital(e.when()) + " the picture may cut")
	}
	return full(capital(e.when()) + " the picture cuts")
}

func enumerated(items []string) string {
	if n := len(items); n > 1 {
		return strings.Join(items[:n-1], ", ") + " and " + items[n-1]
	}
	return items[0]
}

// full ends a sentence.
func full(s string) string {
	s = capital(oneLine(s))
	if s == "" {
		return ""
	}
	if end := strings.TrimRight(s, "”\"')"); end == "" || !strings.ContainsAny(end[len(end)-1:], ".!?") {
		return s + "."
	}
	return s
}
