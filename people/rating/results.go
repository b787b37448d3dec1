package rating

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	"omniscope"
	"omniscope/people"
)

// A Rating is what one person gave one pair on one scale.
type Rating struct {
	Seq     int64 // of its event
	At      time.Time
	Item    string
	First   string // of a repeat: the item that it repeats; else Item
	Clip    string
	System  string // "" = of a hidden original
	Control control
	Person  string
	Scale   string
	Value   int           // 1 to 5
	Active  time.Duration // how long the person worked on the pair, all scales together
}

// Ratings are those of submitted tasks, in the order in which they were given.
func Ratings(ctx context.Context, w *people.Workplace) (out []Rating, err error) {
	project := w.Project()
	scales, err := scalesOf(&project)
	if err != nil {
		return nil, err
	}
	err = people.EachTask(ctx, w, pairOf, func(t *people.Task, _ *people.Item, pair *pair, answers map[string]people.Current) error {
		a := answers[ratingKey]
		for _, s := range scales {
			value, err := strconv.Atoi(a.Value.Text(s.Name))
			if err != nil {
				return omniscope.Invalidf("%s: the rating on %s is %q", t.TaskID, s.Name, a.Value.Text(s.Name))
			}
			out = append(out, Rating{Seq: a.Seq, At: a.At, Item: t.Item, First: cmp.Or(pair.Again, t.Item), Clip: pair.Clip, System: pair.System,
				Control: pair.Control, Person: t.Person, Scale: s.Name, Value: value, Active: t.Active})
		}
		return nil
	})
	slices.SortStableFunc(out, func(a, b Rating) int { return cmp.Compare(a.Seq, b.Seq) })
	return out, err
}

// WriteRatings writes all ratings as CSV. The column control is original or repeat where a pair is
// no part of the results.
func WriteRatings(to io.Writer, ratings []Rating) error {
	return people.WriteCSV(to, []string{"system", "clip", "person", "scale", "value", "seq", "at", "control"}, func(write func(...string)) {
		for _, r := range ratings {
			write(r.System, r.Clip, r.Person, r.Scale, strconv.Itoa(r.Value), strconv.FormatInt(r.Seq, 10), r.At.Format(time.RFC3339Nano), string(r.Control))
		}
	})
}

// WriteCorrelate writes the ratings that count in the form of `omniscope correlate --ratings`.
func WriteCorrelate(to io.Writer, ratings []Rating) error {
	return people.WriteCSV(to, []string{"system", "item", "rater", "rating", "question"}, func(write func(...string)) {
		for _, r := range ratings {
			if r.Control == None {
				write(r.System, r.Clip, r.Person, strconv.Itoa(r.Value), r.Scale)
			}
		}
	})
}

// writeSystems writes a line for each system with its mean on each scale.
func writeSystems(to io.Writer, ratings []Rating) error {
	scales, systems := scalesIn(ratings), systemsIn(ratings)
	return people.WriteCSV(to, append([]string{"system"}, scales...), func(write func(...string)) {
		for _, system := range systems {
			cells := []string{system}
			for _, scale := range scales {
				mean, _ := people.Share(clusters(ratings, system, scale).Total())
				cells = append(cells, fmt.Sprintf("%.4f", mean))
			}
			write(cells...)
		}
	})
}

// scalesIn are the scales of ratings, in their order.
func scalesIn(ratings []Rating) (out []string) {
	for _, r := range ratings {
		if !slices.Contains(out, r.Scale) {
			out = append(out, r.Scale)
		}
	}
	return out
}

// systemsIn are the systems that were rated, by their names.
func systemsIn(ratings []Rating) (out []string) {
	for _, r := range ratings {
		if r.Control == None && !slices.Contains(out, r.System) {
			out = append(out, r.System)
		}
	}
	slices.Sort(out)
	return out
}
