package claims

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

// A statement is a sentence and its place in the text.
type statement struct {
	Sentence
	startS float64
	rank   int   // order among statements with the same start
	shot   *shot // the shot that it opens
	bare   bool  // it states only that the shot exists
}

// The order of the sentences: first the events, shot by shot, and then the
// entire clip.
const (
	rankShot = iota
	rankEvent
	rankReport
	rankWhole
	rankAbsence
)

// A Sentence is one sentence of a caption with its evidence.
type Sentence struct {
	Text     string   `json:"text"`
	Evidence []string `json:"evidence"` // ids in the ledger

	// Shot is the number of the shot that the sentence describes, if the caption
	// is written shot by shot. Whole marks a sentence about the entire clip, if the
	// caption has such sentences at its end.
	Shot  int  `json:"shot,omitempty"`
	Whole bool `json:"whole,omitempty"`

	// Unfounded marks a sentence that names no evidence.
	Unfounded bool `json:"unfounded,omitempty"`

	// Disputed marks a sentence that rests on an observation that another observer contradicts
	// in part, even if the sentence mentions the contradiction.
	Disputed bool `json:"disputed,omitempty"`

	// Dissent marks a sentence in which another observer contradicts the sentence before it.
	Dissent bool `json:"dissent,omitempty"`
}

// A description is the sentences about a ledger so far.
type description struct {
	ledger     Ledger
	measures   func(tool string) bool
	shots      []shot
	list       []statement
	stated     map[*Evidence]bool   // by a sentence that opens a shot
	groups     map[*Evidence]*group // stated together
	said       map[string]int       // sentence to its place in the list
	confirming map[string][]string  // id to the ids of evidence that says the same
}

// Describe writes the evidence as sentences in order of time, each with the
// ids it is made of, and then what is so of the entire clip. What two tools
// say of the same is said once; what fits in one sentence is said together.
// Tools that measure are not named as observers.
func (l Ledger) Describe(measures func(tool string) bool) []Sentence {
	d := description{ledger: l, measures: measures, shots: l.Shots(), said: make(map[string]int), confirming: make(map[string][]string)}
	d.list, d.stated = openShots(l, d.shots)
	d.groups = groupEvidence(l, d.shots, d.stated)
	for i := range l {
		d.add(&l[i])
	}
	slices.SortStableFunc(d.list, compareStatements)
	if len(d.shots) > 0 {
		d.list = numbered(d.list)
	}
	sentences := make([]Sentence, len(d.list))
	for i, s := range d.list {
		sentences[i] = s.Sentence
		sentences[i].Whole = s.rank > rankEvent
		for _, id := range s.Evidence {
			sentences[i].Evidence = append(sentences[i].Evidence, d.confirming[id]...)
		}
	}
	return sentences
}

// add adds a sentence about an observation, unless another one states it.
func (d *description) add(e *Evidence) {
	if d.stated[e] || d.restated(e) {
		return
	}
	if g := d.groups[e]; g != nil {
		if g.list[0] == e {
			d.list = append(d.list, statement{Sentence: Sentence{Text: g.tell(g.list), Evidence: ids(g.list)}, startS: e.StartS, rank: rankEvent})
		}
		return
	}
	if d.answered(e) {
		return
	}
	s := state(e, d.measures(e.Tool))
	if countsShots(e) && len(d.shots) > 0 {
		s.Text = Full(listedShots.ReplaceAllString(oneLine(e.What), "")) // each has a sentence of its own
	}
	if s.Text == "" {
		return
	}
	if at, again := d.said[s.Text]; again {
		d.list[at].Evidence = append(d.list[at].Evidence, e.ID)
		return
	}
	d.said[s.Text] = len(d.list)
	d.list = append(d.list, s)
}

// restated reports whether stronger evidence says the same, which it then confirms, or words were read
// better in their place.
func (d *description) restated(e *Evidence) bool {
	better := strongerEvidence(d.ledger, e)
	same := better != nil
	if better == nil {
		better = betterReading(d.ledger, e)
		same = better != nil && alike(e.Quote, better.Quote) >= readAlike
	}
	if same {
		d.confirming[better.ID] = append(d.confirming[better.ID], e.ID)
	}
	return better != nil
}

func compareStatements(a, b statement) int {
	if a.rank <= rankEvent && b.rank <= rankEvent {
		return cmp.Or(cmp.Compare(a.startS, b.startS), cmp.Compare(a.rank, b.rank))
	}
	return cmp.Compare(a.rank, b.rank)
}

// openShots makes the sentence that opens each shot. It returns in stated the
// evidence of these sentences: cuts, and the first observations of the picture
// that last for the entire shot.
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

// state puts one observation into words.
func state(e *Evidence, measures bool) statement {
	s := statement{Sentence: Sentence{Evidence: []string{e.ID}}, startS: e.StartS, rank: rankEvent}
	if e.Whole() {
		s.rank = rankWhole
	}
	switch {
	case e.Kind == perceive.Absence:
		s.rank, s.Text = rankAbsence, Full(e.What)
	case e.Kind != perceive.Reported:
		s.Text = stateKind(e)
	case measures: // and has measured nothing
		s.Text = Full(timed(e, oneLine(e.What)))
	default:
		if e.Whole() {
			s.rank = rankReport
		}
		s.Text = Full(timed(e, fmt.Sprintf("the observer %s reports: %s", e.Tool, oneLine(e.What))))
	}
	if e.Closer.Region != (media.Region{}) && s.Text != "" && e.Quote == "" {
		s.Text = stateInPart(e)
	}
	return s
}

// stateInPart describes observations in a region of the picture.
func stateInPart(e *Evidence) string {
	text := "in a part of the picture: "
	if !e.Whole() {
		text = e.When() + ", " + text
	}
	if e.Sure < perhaps {
		text += "perhaps: "
	}
	return Full(text + oneLine(e.What))
}

// answered reports whether a tool that measured nothing in the entire clip has
// read or heard words since, in a closer look.
func (d *description) answered(e *Evidence) bool {
	return e.Kind == perceive.Reported && e.Closer.Whole() && d.measures(e.Tool) &&
		slices.ContainsFunc(d.ledger, func(o Evidence) bool { return o.Tool == e.Tool && !o.Closer.Whole() && o.Quote != "" })
}

// wordings are the words for a kind of observation: of one that is plainly so, perhaps so, and less sure.
var wordings = map[perceive.Kind][3]string{
	perceive.Text:    {"the picture shows the words “%s”", "the picture seems to show words, perhaps “%s”", "the picture may show words, but they cannot be read"},
	perceive.Speech:  {"somebody says: “%s”", "somebody speaks, perhaps saying: “%s”", "there is speech, not intelligible"},
	perceive.Silence: {"there is silence", "there is silence", "there seems to be silence"},
	perceive.Cut:     {"the picture cuts", "the picture cuts", "the picture may cut"}, // a cut that no shot is known to begin with
}

// stateKind returns the words for the kind, or the tool's own words if they say more.
func stateKind(e *Evidence) string {
	forms, known := wordings[e.Kind]
	quote := oneLine(e.Quote)
	quotes := e.Kind == perceive.Text || e.Kind == perceive.Speech
	if !known || quotes && quote == "" || e.Kind == perceive.Text && e.Sure >= perhaps && tellsTime(e, e.What) || e.Kind == perceive.Silence && len(Words(e.What)) > 1 {
		return stateRest(e)
	}
	form := forms[2]
	switch {
	case e.Sure >= plainly:
		form = forms[0]
	case e.Sure >= perhaps:
		form = forms[1]
	}
	return Full(e.When() + " " + strings.Replace(form, "%s", quote, 1))
}

// stateRest returns the tool's own sentence. It adds the time if the sentence
// lacks it, and a reservation if the tool was not sure.
func stateRest(e *Evidence) string {
	what := oneLine(e.What)
	if what == "" {
		return ""
	}
	switch {
	case e.Sure >= perhaps:
		return Full(timed(e, what))
	case e.Whole() || tellsTime(e, what):
		return Full("Perhaps: " + what)
	}
	return Full(e.When() + ", perhaps: " + what)
}

// timed puts the time before a tool's sentence, unless the sentence has the time.
func timed(e *Evidence, what string) string {
	if e.Whole() || tellsTime(e, what) {
		return what
	}
	when := e.When()
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
	return !unicode.IsUpper(first) && slices.ContainsFunc(Words(what), func(w string) bool {
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

func enumerated(items []string) string {
	if n := len(items); n > 1 {
		return strings.Join(items[:n-1], ", ") + " and " + items[n-1]
	}
	return items[0]
}

// Full returns words as a sentence: on one line, with a capital and a mark at its end.
func Full(s string) string {
	s = capital(oneLine(s))
	if s == "" {
		return ""
	}
	if end := strings.TrimRight(s, "”\"')"); end == "" || !strings.ContainsAny(end[len(end)-1:], ".!?") {
		return s + "."
	}
	return s
}
