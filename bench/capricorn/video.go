package capricorn

import (
	"encoding/json"
	"slices"
	"strconv"

	"omniscope"
)

// classes are the kinds of keypoints, in the order in which the published
// scorer asks about them: subject events first.
var classes = []struct{ key, title string }{
	{"main_sbj_evts", "subject events"},
	{"main_sbj_ints", "interactions"},
	{"bg_desc", "background"},
	{"trans_desc", "transitions"},
	{"minor_evts", "non-subject"},
}

// subjectClasses is how many of the classes are of subjects.
const subjectClasses = 2

// A video is one row of the annotations and its caption.
type video struct {
	id       string
	duration *float64 // seconds; nil where the row has none
	rawTime  string   // the duration as the row writes it
	events   []event
	lacking  []string // classes that the row does not have
	caption  string
	absent   bool // there is no caption
	null     bool // the caption is null; caption is "None", as the published scorer writes it
}

// An event is a keypoint: what happens, and the subjects it names.
type event struct {
	class    int
	text     string
	subjects []string // identifiers with their angle brackets, without repeats
	plain    bool     // asked about as an event without subjects
}

// mend marks events of subjects that name no subject: they are asked about as
// events without subjects.
func (v *video) mend() {
	for i, ev := range v.events {
		v.events[i].plain = len(ev.subjects) == 0
	}
}

// ofSubjects reports whether the judge is asked about subjects.
func (ev event) ofSubjects() bool { return ev.class < subjectClasses && !ev.plain }

// nameless reports whether the event is of subjects but names none. The
// published scorer asks about it and then drops the judgement.
func (ev event) nameless() bool { return classIsOfSubjects(ev) && len(ev.subjects) == 0 }

// subjectsOf returns the identifiers in an event's text, in order, each once. An
// identifier is a < and the next >, with neither character between them.
func subjectsOf(text string) []string {
	var out []string
	open := -1
	for i := range len(text) {
		switch {
		case text[i] == '<':
			open = i
		case text[i] == '>' && open >= 0:
			if name := text[open : i+1]; name != "<>" && !slices.Contains(out, name) {
				out = append(out, name)
			}
			open = -1
		}
	}
	return out
}

// buckets are the published ranges of durations, in seconds: above low, up to
// high.
var buckets = []struct {
	name      string
	low, high float64
}{{"(0,120]", 0, 120}, {"(120,300]", 120, 300}, {"(300,480]", 300, 480}, {"(480,601]", 480, 601}}

// bucket is the published range that the video falls into, "" for none.
func (v *video) bucket() string {
	if v.duration == nil {
		return ""
	}
	for _, b := range buckets {
		if *v.duration > b.low && *v.duration <= b.high {
			return b.name
		}
	}
	return ""
}

// strictBucket gives the videos without a published range one of their own.
func (v *video) strictBucket() string {
	switch b := v.bucket(); {
	case b != "":
		return b
	case v.duration != nil && *v.duration > 601:
		return "over 601"
	}
	return "unknown"
}

// A judgement is the judge's verdict on one event.
type judgement struct {
	asked        bool // false: the judge was not asked, or the judgement is a copy of an equal event's
	outcome      omniscope.Outcome
	verdict      omniscope.Verdict       // Correct, Partial, NotGiven; Unjudged when no reply could be used
	reason       string                  // the judge's, or why there is no verdict
	reasonJSON   json.RawMessage         // where the reason is no text
	descriptions map[string]*description // by subject; nil value = the caption leaves it out
	attempts     int
	unclear      string // what is wrong with the form of the reply, which the published scorer takes; "" = nothing
	quote        string // the caption's words on which the offline reader's verdict rests

	clear *judgement // strict scoring's, where the judge contradicts itself here; nil = this one
}

// inStrict is the judgement that strict scoring counts.
func (j *judgement) inStrict() *judgement {
	if j.clear != nil {
		return j.clear
	}
	return j
}

// mentioned reports whether the caption speaks of the event.
func (j *judgement) mentioned() bool {
	return j.verdict == omniscope.Correct || j.verdict == omniscope.Partial
}

// The published names of verdicts.
var judgementNames = map[omniscope.Verdict]string{
	omniscope.Correct:  "correctly mentioned",
	omniscope.Partial:  "mentioned but with errors",
	omniscope.NotGiven: "not mentioned",
	omniscope.Unjudged: "failed",
}

func verdictNamed(name string) (omniscope.Verdict, bool) {
	for v, n := range judgementNames {
		if n == name {
			return v, true
		}
	}
	return omniscope.Unjudged, false
}

// A description is how a caption refers to a subject, in the judge's reply.
type description struct {
	text string
	json bool // text holds JSON, because the judge's value was not a string
}

// MarshalJSON implements json.Marshaler.
func (d description) MarshalJSON() ([]byte, error) {
	if d.json {
		return []byte(d.text), nil
	}
	return asJSON(d.text)
}

// keyOf returns a key that is equal for descriptions which Python holds equal:
// all nulls; 1, 1.0 and true; but never a text and a number.
func keyOf(d *description) string {
	switch {
	case d == nil:
		return "null"
	case !d.json:
		return "=" + d.text
	case d.text == "true":
		return "number 1"
	case d.text == "false":
		return "number 0"
	}
	if n, err := strconv.ParseFloat(d.text, 64); err == nil {
		return "number " + strconv.FormatFloat(n, 'g', -1, 64)
	}
	return "json " + d.text
}

// sameDescriptions reports whether two lists are equal.
func sameDescriptions(a, b []*description) bool {
	return slices.EqualFunc(a, b, func(a, b *description) bool { return a == b || keyOf(a) == keyOf(b) })
}
