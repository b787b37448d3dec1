package baseline

import (
	"slices"
	"strings"
	"testing"
)

// keypointClip is an invented caption with events of the clip and the status
// that a careful reader gives each.
type keypointClip struct {
	name    string
	caption string
	events  []keypointEvent
}

type keypointEvent struct {
	event string
	want  status
	who   string // descriptions of the event's subjects, joined by " / "; empty where unchecked
}

// markers lists the subject markers of an event, each once.
func markers(event string) []string {
	var list []string
	for {
		_, rest, ok := strings.Cut(event, "<")
		if !ok {
			return list
		}
		inner, after, _ := strings.Cut(rest, ">")
		if m := "<" + inner + ">"; !slices.Contains(list, m) {
			list = append(list, m)
		}
		event = after
	}
}

// keypointTally counts answers by what a careful reader says (first index)
// and what Find says (second).
type keypointTally struct {
	status               [3][3]int
	namesRight, namesAll int
}

func (k *keypointTally) share(part, all int) float64 { return float64(part) / float64(max(1, all)) }

func (k *keypointTally) accuracy() float64 {
	right, all := 0, 0
	for want, row := range k.status {
		for got, n := range row {
			all += n
			if want == got {
				right += n
			}
		}
	}
	return k.share(right, all)
}

// precision and recall of Fully.
func (k *keypointTally) precision() float64 {
	s := k.status
	return k.share(s[Fully][Fully], s[notMentioned][Fully]+s[Partly][Fully]+s[Fully][Fully])
}

func (k *keypointTally) recall() float64 {
	s := k.status[Fully]
	return k.share(s[Fully], s[notMentioned]+s[Partly]+s[Fully])
}

// covered is the share of events on which Find agrees whether anything is
// said at all.
func (k *keypointTally) covered() float64 {
	agree, all := 0, 0
	for want, row := range k.status {
		for got, n := range row {
			all += n
			if (want == int(notMentioned)) == (got == int(notMentioned)) {
				agree += n
			}
		}
	}
	return k.share(agree, all)
}

func tallyKeypoints(t *testing.T, clips []keypointClip) keypointTally {
	t.Helper()
	var k keypointTally
	for _, clip := range clips {
		c := NewCaption(clip.caption)
		for _, e := range clip.events {
			m := c.Find(e.event, len(markers(e.event)))
			k.status[e.want][m.Status]++
			if m.Status != e.want {
				t.Logf("%s: %q: got %d, want %d; %q", clip.name, e.event, m.Status, e.want, m.Quote)
			}
			if e.who == "" || m.Status == notMentioned {
				continue
			}
			for i, want := range strings.Split(e.who, " / ") {
				if want == "" {
					continue
				}
				k.namesAll++
				if m.Subjects[i] == want {
					k.namesRight++
				} else {
					t.Logf("%s: %q: %s is %q, want %q", clip.name, e.event, markers(e.event)[i], m.Subjects[i], want)
				}
			}
		}
	}
	t.Logf("rows wanted, columns got (not mentioned, partly, fully): %v", k.status)
	t.Logf("accuracy %.2f, mentioned or not %.2f, precision of Fully %.2f, recall %.2f; subjects %d of %d",
		k.accuracy(), k.covered(), k.precision(), k.recall(), k.namesRight, k.namesAll)
	return k
}
