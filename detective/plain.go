package detective

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

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
	rank   int // among those of one time
}

// The order of what is said: the clip as a whole, then what happens in it.
const (
	rankAbsence = iota
	rankWhole
	rankEvent
)

// plainSentences says the evidence in order of time, each sentence with the
// ids it is made of. What two tools say of the same is said once; cuts, and
// what else fits in one sentence, are said together.
func plainSentences(l Ledger) []Sentence {
	var list []statement
	var cuts []*Evidence
	groups := gathered(l)
	said := make(map[string]int)       // sentence to its place in the list
	borne := make(map[string][]string) // id to those that bear it out
	for i := range l {
		e := &l[i]
		if e.Kind == perceive.Cut {
			cuts = append(cuts, e)
			continue
		}
		if heard := bearer(l, e); heard != nil {
			borne[heard.ID] = append(borne[heard.ID], e.ID)
			continue
		}
		if g := groups[e]; g != nil {
			if g.list[0] == e {
				list = append(list, stateGroup(g))
			}
			continue
		}
		s := state(e)
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
	list = append(list, stateCuts(cuts)...)
	slices.SortStableFunc(list, func(a, b statement) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.startS, b.startS))
	})
	sentences := make([]Sentence, len(list))
	for i := range list {
		sentences[i] = list[i].Sentence
		for _, id := range list[i].Evidence {
			sentences[i].Evidence = append(sentences[i].Evidence, borne[id]...)
		}
	}
	return sentences
}

// stateGroup puts observations that belong together into words.
func stateGroup(g *group) statement {
	s := statement{Sentence: Sentence{Text: g.tell(g.list), Evidence: ids(g.list)}, startS: g.list[0].StartS, rank: rankEvent}
	if g.list[0].whole() {
		s.rank = rankWhole
	}
	return s
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
	case perceive.Reported:
		if offlineInquiry(e.Tool).Question != anyQuestion { // it measures, and has measured nothing
			s.Text = full(e.What)
			break
		}
		s.Text = full(timed(e, fmt.Sprintf("the observer %s reports: %s", e.Tool, oneLine(e.What))))
	default:
		s.Text = stateRest(e)
	}
	return s
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

// timed puts the time before a sentence that does not tell it.
func timed(e *Evidence, what string) string {
	if e.whole() || tellsTime(e, what) {
		return what
	}
	return capital(e.when()) + ": " + what
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

// stateCuts lists the cuts of each tool in a sentence.
func stateCuts(cuts []*Evidence) []statement {
	slices.SortStableFunc(cuts, func(a, b *Evidence) int { return cmp.Compare(a.StartS, b.StartS) })
	var list []statement
	for len(cuts) > 0 {
		tool, sure := cuts[0].Tool, cuts[0].Sure >= perhaps
		var times, ids []string
		var rest []*Evidence
		for _, e := range cuts {
			if e.Tool != tool || (e.Sure >= perhaps) != sure {
				rest = append(rest, e)
				continue
			}
			times, ids = append(times, seconds(e.StartS)), append(ids, e.ID)
		}
		words := "The picture cuts"
		if !sure {
			words = "The picture may cut"
		}
		list = append(list, statement{
			Sentence: Sentence{Text: fmt.Sprintf("%s %s, at %s.", words, howOften(len(times)), enumerated(times)), Evidence: ids},
			rank:     rankWhole,
		})
		cuts = rest
	}
	return list
}

func howOften(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
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
