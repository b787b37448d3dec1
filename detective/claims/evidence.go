package claims

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"omniscope"
	"omniscope/internal/brief"
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

// A Ledger is evidence in the order in which it came.
type Ledger []Evidence

// Find returns the evidence with an id, or nil if no evidence has it.
func (l Ledger) Find(id string) *Evidence {
	for i := range l {
		if l[i].ID == id {
			return &l[i]
		}
	}
	return nil
}

// Add appends a tool's answer in a turn to a question about a part of the clip, and returns the
// ids. A repeated observation of the same tool keeps its first id: it is not a second witness.
func (l *Ledger) Add(turn int, tool perceive.Info, question string, closer perceive.Focus, observations []perceive.Observation) []string {
	ids := make([]string, 0, len(observations))
	for _, o := range observations {
		e := newEvidence(turn, tool, question, closer, o)
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
func newEvidence(turn int, tool perceive.Info, question string, closer perceive.Focus, o perceive.Observation) Evidence {
	e := Evidence{
		Turn: turn, Tool: tool.Name, Sense: tool.Modality, Question: question, Kind: o.Kind, What: o.What, Quote: o.Quote,
		StartS: o.Span.Start.Seconds(), EndS: o.Span.End.Seconds(), Sure: o.Sure, Values: o.Values, Closer: closer,
	}
	if e.Whole() && closer.Stretch() {
		e.StartS, e.EndS = closer.FromS, closer.ToS
	}
	return e
}

func (e *Evidence) repeats(other Evidence) bool {
	return e.Tool == other.Tool && e.Closer.Region == other.Closer.Region && e.Kind == other.Kind && e.What == other.What && e.Quote == other.Quote &&
		e.StartS == other.StartS && e.EndS == other.EndS && e.Sure == other.Sure && maps.Equal(e.Values, other.Values)
}

// Whole reports whether it is about the entire clip.
func (e *Evidence) Whole() bool { return e.StartS == 0 && e.EndS == 0 }

// End is EndS, or infinity where it goes to the end.
func (e *Evidence) End() float64 {
	if e.EndS == 0 {
		return math.Inf(1)
	}
	return e.EndS
}

// overlap returns for how many seconds both last.
func (e *Evidence) overlap(other *Evidence) float64 {
	return min(e.End(), other.End()) - max(e.StartS, other.StartS)
}

// When describes the stretch of time in words.
func (e *Evidence) When() string {
	switch {
	case e.Whole():
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
