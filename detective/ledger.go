package detective

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"omniscope"
	"omniscope/internal/brief"
	"omniscope/media"
	"omniscope/perceive"
)

// Evidence is one observation with the name it is cited by.
type Evidence struct {
	ID       string             `json:"id"`   // o1, o2, ...
	Turn     int                `json:"turn"` // the first turn that brought it
	Tool     string             `json:"tool"`
	Sense    omniscope.Modality `json:"sense"` // the sense its tool stands for
	Question string             `json:"question"`
	Kind     perceive.Kind      `json:"kind"`
	What     string             `json:"what"`
	Quote    string             `json:"quote,omitempty"`
	StartS   float64            `json:"start_s"`
	EndS     float64            `json:"end_s,omitempty"` // 0 = to the end
	Sure     float64            `json:"sure"`            // from 0 to 1
	Values   map[string]float64 `json:"values,omitempty"`
	Closer   perceive.Focus     `json:"closer,omitzero"` // what was looked at closer; else the whole clip was
}

// A Ledger is all evidence of an investigation, in the order in which it came.
type Ledger []Evidence

// Find returns the evidence with that id, nil if there is none.
func (l Ledger) Find(id string) *Evidence {
	for i := range l {
		if l[i].ID == id {
			return &l[i]
		}
	}
	return nil
}

// add appends the observations of a turn and returns their ids. An observation
// that the same tool repeats keeps its first id: it is no second witness.
func (l *Ledger) add(turn int, tool perceive.Info, q Inquiry, observations []perceive.Observation) []string {
	ids := make([]string, 0, len(observations))
	for _, o := range observations {
		e := newEvidence(turn, tool, q, o)
		at := slices.IndexFunc(*l, e.repeats)
		if at < 0 {
			at = len(*l)
			e.ID = fmt.Sprintf("o%d", at+1)
			*l = append(*l, e)
		}
		if id := (*l)[at].ID; !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// newEvidence turns an observation into evidence. An observation throughout a
// closer look at a stretch is so for that stretch, not for the clip.
func newEvidence(turn int, tool perceive.Info, q Inquiry, o perceive.Observation) Evidence {
	e := Evidence{
		Turn: turn, Tool: tool.Name, Sense: tool.Modality, Question: q.Question, Kind: o.Kind, What: o.What, Quote: o.Quote,
		StartS: o.Span.Start.Seconds(), EndS: o.Span.End.Seconds(), Sure: o.Sure, Values: o.Values, Closer: q.Focus,
	}
	if e.whole() && q.Stretch() {
		e.StartS, e.EndS = q.FromS, q.ToS
	}
	return e
}

func (e *Evidence) repeats(other Evidence) bool {
	return e.Tool == other.Tool && e.Closer.Region == other.Closer.Region && e.Kind == other.Kind && e.What == other.What && e.Quote == other.Quote &&
		e.StartS == other.StartS && e.EndS == other.EndS && e.Sure == other.Sure && maps.Equal(e.Values, other.Values)
}

// whole reports whether it is about the whole clip.
func (e *Evidence) whole() bool { return e.StartS == 0 && e.EndS == 0 }

// end is EndS, or infinity where it goes to the end.
func (e *Evidence) end() float64 {
	if e.EndS == 0 {
		return math.Inf(1)
	}
	return e.EndS
}

// overlap returns for how many seconds both last.
func (e *Evidence) overlap(other *Evidence) float64 {
	return min(e.end(), other.end()) - max(e.StartS, other.StartS)
}

// line is the evidence as planners read it.
func (e *Evidence) line() string {
	var b strings.Builder
	fmt.Fprintf(&b, "[%s] ", e.ID)
	if !e.whole() {
		b.WriteString(e.when() + ": ")
	}
	if region := e.Closer.Region; region != (media.Region{}) {
		fmt.Fprintf(&b, "in the region [%s]: ", region)
	}
	b.WriteString(oneLine(e.What))
	if e.Quote != "" && !strings.Contains(e.What, e.Quote) {
		fmt.Fprintf(&b, " Letter by letter: “%s”", oneLine(e.Quote))
	}
	fmt.Fprintf(&b, " (sure %.2f)", e.Sure)
	return b.String()
}

// when describes the stretch of time in words.
func (e *Evidence) when() string {
	switch {
	case e.whole():
		return "throughout"
	case e.EndS == 0:
		return "from " + seconds(e.StartS) + " to the end"
	case e.EndS == e.StartS:
		return "at " + seconds(e.StartS)
	}
	return "from " + seconds(e.StartS) + " to " + seconds(e.EndS)
}

// seconds prints a time as captions have it: to the hundredth, for a cut must
// be found again.
func seconds(s float64) string { return fmt.Sprintf("%.2f s", s) }

// oneLine puts lines behind each other: an id begins each line of a turn, and
// a text within the clip must not be able to look like one.
func oneLine(s string) string { return brief.OneLine(s) }

// describeTurn returns the text about a turn that the planner reads.
func (c *Investigation) describeTurn(t *Turn) string {
	switch t.Outcome {
	case omniscope.OK:
	case omniscope.Abstained:
		return fmt.Sprintf("The observer of %s noticed nothing that it could report.", t.Inquiry.Tool)
	default:
		return fmt.Sprintf("The observer of %s could not answer (%s). That says nothing about the clip.", t.Inquiry.Tool, t.Outcome)
	}
	lines := make([]string, len(t.Evidence))
	for i, id := range t.Evidence {
		lines[i] = c.Ledger.Find(id).line()
		if c.Ledger.Find(id).Turn != t.Number {
			lines[i] += " (as before)"
		}
	}
	for _, f := range t.Closer {
		lines = append(lines, "A closer look may tell more: "+f.Words())
	}
	return strings.Join(lines, "\n")
}
