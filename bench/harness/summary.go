package harness

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"omniscope"
)

// Lacking counts the samples of the log that have no answer. An empty answer is one.
func (i *Import) Lacking() int {
	return i.countEntries(func(e *Entry) bool {
		return e.matched() && e.Outcome != omniscope.OK && e.Outcome != omniscope.Abstained
	})
}

// Matched counts the samples of the log that are the benchmark's.
func (i *Import) Matched() int { return i.countEntries((*Entry).matched) }

// Suspicions counts the doubtful answers.
func (i *Import) Suspicions() int {
	return i.countEntries(func(e *Entry) bool { return e.Suspicion != "" })
}

func (e *Entry) matched() bool { return !e.unknown && e.Place != nil }

func (i *Import) countEntries(has func(*Entry) bool) (n int) {
	for k := range i.Entries {
		if has(&i.Entries[k]) {
			n++
		}
	}
	return n
}

// A count is the number of samples with an outcome.
type count struct {
	What    string // answers, outcome and reason
	Samples int
	Scores  []string // sum of points or mean, by scorer

	entries []Entry
}

// Counts counts the samples of the log by outcome, and the doubtful answers among them by reason.
func (i *Import) Counts() (all []count) {
	add := func(what string, e *Entry) {
		at := slices.IndexFunc(all, func(c count) bool { return c.What == what })
		if at < 0 {
			at = len(all)
			all = append(all, count{What: what})
		}
		all[at].Samples++
		all[at].entries = append(all[at].entries, *e)
	}
	for _, outcome := range omniscope.Outcomes {
		for k := range i.Entries {
			e := &i.Entries[k]
			switch {
			case e.Outcome != outcome:
			case outcome == omniscope.OK:
				add("answers", e)
			default:
				add(outcome.String()+": "+e.Reason, e)
			}
		}
		if outcome == omniscope.OK {
			for k := range i.Entries {
				if e := &i.Entries[k]; e.Suspicion != "" {
					add("of these answers: "+e.Suspicion, e)
				}
			}
			for k := range i.Entries {
				if e := &i.Entries[k]; e.Differs {
					add("of these answers: "+i.Harness.Title+" judges them otherwise than strict scoring", e)
				}
			}
		}
	}
	for k := range all {
		all[k].Scores = i.given(all[k].entries)
	}
	return all
}

// given is what the harness's scorers gave some of the samples: points, or else the mean.
func (i *Import) given(entries []Entry) (cells []string) {
	some := scorersOf(entries)
	for _, s := range i.Scorers {
		at := slices.IndexFunc(some, func(one scorer) bool { return one.Name == s.Name })
		switch {
		case at < 0:
			cells = append(cells, "")
		case s.Points:
			cells = append(cells, fmt.Sprintf("%.4g", some[at].Mean*float64(some[at].N)))
		default:
			cells = append(cells, fmt.Sprintf("%.4g", some[at].Mean))
		}
	}
	return cells
}

// Digest is the digest of the only file.
func (i *Import) Digest() string {
	for _, digest := range i.Log.Digests {
		return digest
	}
	return ""
}

// Whole returns why a log cannot be read in place of a file of predictions without somebody who
// looks at it; nil = each of its rows is a sample of the benchmark's.
func (i *Import) Whole() error {
	for _, e := range i.Entries {
		switch {
		case e.unknown && e.ID == "":
			return fmt.Errorf("%s: the sample has no %s", e.Place, i.Field)
		case e.unknown:
			return fmt.Errorf("%s: %s has %q, and %s", e.Place, i.Field, e.ID, e.Reason)
		case e.Reason == whyDouble:
			return fmt.Errorf("%s: sample %s is %s", e.Place, e.ID, e.Reason)
		}
	}
	return nil
}

// Told says in one line what a log has.
func (i *Import) Told() string {
	text := fmt.Sprintf("a log of %s", i.Harness.Title)
	if len(i.Log.Tasks) > 0 {
		text += " (" + strings.Join(i.Log.Tasks, ", ") + ")"
	}
	text += fmt.Sprintf(", samples matched by %s: %d of %d samples have an answer", i.Field, len(i.Answers.List), i.Samples)
	if i.Log.Status != "" {
		text += "; the run's status is " + i.Log.Status
	}
	if n := i.Lacking(); n > 0 {
		text += fmt.Sprintf("; %d have no answer and are left out", n)
	}
	if n := i.Suspicions(); n > 0 {
		text += fmt.Sprintf("; suspicious answers among them: %d", n)
	}
	if what := i.Disagreement(); what != "" {
		text += "; " + what
	}
	return text
}

// Write writes the entries as JSON Lines.
func (i *Import) Write(w io.Writer) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	for k := range i.Entries {
		if err := out.Encode(&i.Entries[k]); err != nil {
			return err
		}
	}
	return nil
}
