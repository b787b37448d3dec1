package capricorn

import (
	"slices"
	"strings"

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

// A video is one row of the annotations, with the caption of it.
type video struct {
	id       string
	duration *float64 // seconds; nil where the row has none
	rawTime  string   // the duration as the row writes it
	events   []event
	lacking  []string // classes that the row does not have
	caption  string
	absent   bool // there is no caption
}

// An event is a keypoint: what happens, and the subjects it names.
type event struct {
	class    int
	text     string
	subjects []string // identifiers with their angle brackets, without repeats
	plain    bool     // asked about as an event without subjects
}

// mend makes events of subjects that name none events like any other.
func (v *video) mend() {
	for i, ev := range v.events {
		v.events[i].plain = len(ev.subjects) == 0
	}
}

// ofSubjects reports whether the judge is asked about subjects.
func (ev event) ofSubjects() bool { return ev.class < subjectClasses && !ev.plain }

// subjectsOf finds the identifiers in an event's text, in order, each once.
func subjectsOf(text string) []string {
	var out []string
	for {
		_, after, ok := strings.Cut(text, "<")
		if !ok {
			return out
		}
		name, rest, ok := strings.Cut(after, ">")
		if !ok {
			return out
		}
		if name != "" && !slices.Contains(out, "<"+name+">") {
			out = append(out, "<"+name+">")
		}
		text = rest
	}
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

// A judgement is what was found out about one event.
type judgement struct {
	asked        bool // false: nobody was asked, or an earlier equal event stands for it
	outcome      omniscope.Outcome
	verdict      omniscope.Verdict // Correct, Partial, NotGiven; Unjudged when no reply could be used
	reason       string
	descriptions map[string]*string // by subject; nil value = the caption leaves it out
	attempts     int
	quote        string // the caption's words that the offline reader went by
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

// A grouping is what was found out about a subject's descriptions.
type grouping struct {
	descriptions []*string // of the events that mention it, in order
	asked        bool      // the judge was asked: there were several
	failed       bool      // and no reply could be used
	unasked      bool      // and would not have been in this profile
	groups       []group
	attempts     int
}

// A group is a category of a reply.
type group struct {
	name         string
	descriptions []*string
}

func (g *grouping) sizes() []int {
	var out []int
	for _, c := range g.groups {
		out = append(out, len(c.descriptions))
	}
	return out
}
