package metric

import (
	"fmt"
	"slices"
)

// EventRounds is how often every caption is judged (video-SALMONN 2 test set).
const EventRounds = 7

// The counts of one round, and of the whole.
const (
	EventAll = iota // annotated events
	EventJudged
	EventMissed
	EventIncorrect
	EventHallucinated
	eventPerRound = EventHallucinated // counts that each round has of its own
)

// EventAt is the place of a round's count, from round 0.
func EventAt(round, count int) int { return count + round*eventPerRound }

func eventFields() []string {
	fields := []string{"events"}
	for r := range EventRounds {
		for _, name := range []string{"judged", "missed", "incorrect", "hallucinated"} {
			fields = append(fields, fmt.Sprintf("round%d_%s", r+1, name))
		}
	}
	return fields
}

// Events scores what captions say of annotated events, in several rounds of judging
// (video-SALMONN 2, arXiv 2506.15220). All rates are of annotated events, micro averages.
// The published number is that of the round in the middle by its error rate, which is Total
// here: missed, incorrect and hallucinated events. Hall is incorrect and hallucinated ones
// together, as the papers count it; it can be more than 100 %, as Total can. The lowest and
// highest Total of the rounds say how far the judge agrees with itself.
var Events = Metric{
	Name:   "events",
	Fields: eventFields(),
	Scores: []Score{
		eventRate("total", "Total", middle, EventMissed, EventIncorrect, EventHallucinated),
		eventRate("miss", "Miss", middle, EventMissed),
		eventRate("hall", "Hall", middle, EventIncorrect, EventHallucinated),
		eventRate("incorrect", "incorrect", middle, EventIncorrect),
		eventRate("hallucination", "hallucinated", middle, EventHallucinated),
		eventRate("total_lowest", "lowest Total of the rounds", func([]int) int { return 0 }, EventMissed, EventIncorrect, EventHallucinated),
		eventRate("total_highest", "highest Total of the rounds", func(r []int) int { return len(r) - 1 }, EventMissed, EventIncorrect, EventHallucinated),
	},
}

func middle(rounds []int) int { return len(rounds) / 2 }

// eventRate is the share of some counts in the events of one round: which one pick chooses
// from the rounds in the order of their error rates.
func eventRate(name, title string, pick func(rounds []int) int, counts ...int) Score {
	round := func(c Counts) (int, bool) {
		rounds := roundsInOrder(c)
		if len(rounds) == 0 {
			return 0, false
		}
		return rounds[pick(rounds)], true
	}
	bounded := !slices.Contains(counts, EventHallucinated) // captions may have any number of events of their own
	return Score{
		Name: name, Title: title, Percent: true, Lower: true, Share: bounded,
		Value: func(c Counts) (float64, bool) {
			r, ok := round(c)
			if !ok {
				return 0, false
			}
			return eventSum(c, r, counts...) / c[EventAt(r, EventJudged)], true
		},
		Bounds: func(c Counts) (low, high float64, ok bool) {
			r, ok := round(c)
			if !ok || !bounded {
				return 0, 0, false
			}
			sum, unjudged := eventSum(c, r, counts...), c[EventAll]-c[EventAt(r, EventJudged)]
			return sum / c[EventAll], (sum + unjudged) / c[EventAll], true
		},
		N: func(c Counts) int {
			r, ok := round(c)
			if !ok {
				return 0
			}
			return int(c[EventAt(r, EventJudged)])
		},
		Unscored: func(c Counts) int {
			r, ok := round(c)
			if !ok {
				return int(c[EventAll])
			}
			return int(c[EventAll] - c[EventAt(r, EventJudged)])
		},
	}
}

// roundsInOrder are the rounds in which anything was judged, by their error rates; of equal
// ones the earlier comes first.
func roundsInOrder(c Counts) (rounds []int) {
	for r := range EventRounds {
		if c[EventAt(r, EventJudged)] > 0 {
			rounds = append(rounds, r)
		}
	}
	rate := func(r int) float64 {
		return eventSum(c, r, EventMissed, EventIncorrect, EventHallucinated) / c[EventAt(r, EventJudged)]
	}
	slices.SortStableFunc(rounds, func(a, b int) int {
		switch x, y := rate(a), rate(b); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	return rounds
}

func eventSum(c Counts, round int, counts ...int) (sum float64) {
	for _, k := range counts {
		sum += c[EventAt(round, k)]
	}
	return sum
}
