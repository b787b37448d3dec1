package mcif

import (
	"strings"
	"sync"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/mcif/mcifxml"
	"omniscope/metric"
)

// A unit is what is scored as a whole: a talk's transcript or translation, with
// all its segments, or one answer or summary.
type unit struct {
	ref        *mcifxml.Reference
	step       string
	talk       string
	hypotheses []string // of the ids that have one, in the order of the list
	written    []string // those ids
	missing    []string // ids without output
	clashing   []string // ids with several outputs that differ
	words      words    // of a transcript
	place      int      // in its group of official scoring; replaced = a later reference has its name

	prepared    sync.Once // what is below, up to the next gap
	asr         transcript
	cut         cutting // of a translation
	outcome     omniscope.Outcome
	scorable    bool // in strict scoring
	differences []bench.UnitDifference

	// What the neural scorers said; the evaluation's lock is for these.
	similarity *metric.Similarity // of an answer or summary; nil = not asked yet
	comet      [2][]float64       // of a translation's lines, by scoring; nil = not asked yet

	looked   sync.Once // for symptoms
	symptoms []found
}

// replaced is the place of a unit that official leaves out.
const replaced = -1

func newUnit(r *mcifxml.Reference, outputs map[string]output) *unit {
	u := &unit{ref: r, talk: talkOf(r)}
	for _, id := range r.IDs {
		o, ok := outputs[id]
		if !ok {
			u.missing = append(u.missing, id)
			continue
		}
		if o.clash {
			u.clashing = append(u.clashing, id)
		}
		u.hypotheses, u.written = append(u.hypotheses, o.text), append(u.written, id)
	}
	return u
}

// talkOf reads the talk from a sample's name, which the benchmark's builder
// makes as TASK_TALK, and QA_TALK_QUESTION for questions.
func talkOf(r *mcifxml.Reference) string {
	talk, ok := strings.CutPrefix(r.IID, r.Task+"_")
	if !ok || talk == "" {
		return r.IID
	}
	if r.Task == qa {
		if i := strings.LastIndexByte(talk, '_'); i > 0 {
			talk = talk[:i]
		}
	}
	return talk
}

// text is the unit's hypothesis for people and detectors.
func (u *unit) text() string { return strings.Join(u.hypotheses, "\n") }

// empty reports whether every output there is says nothing.
func (u *unit) empty() bool { return strings.Join(u.hypotheses, "") == "" }

// lines are the reference's lines, one for each sentence of a translation.
func (u *unit) lines() []string { return strings.Split(u.ref.Text, "\n") }

// sources are the lines of the transcript that was translated.
func (u *unit) sources() []string { return strings.Split(u.ref.Metadata["transcript"], "\n") }
