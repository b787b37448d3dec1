package capricorn

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"omniscope"
	"omniscope/metric/textnorm"
	"omniscope/people"
)

// readingPace is how fast somebody reads who reads with care, in words a second: 480 a minute, twice the usual pace.
const readingPace = 8

// A draftUse is what an annotator did with the drafts that they were offered.
type draftUse struct {
	tasks                   int
	accepted, changed, left int // drafts
	own                     int // keypoints that come from no draft
	unread                  int // accepted drafts of tasks that took less time than reading what was accepted
	seconds                 float64
}

// draftUses are by annotator. They show annotators who accept all drafts, or faster than anybody reads.
type draftUses map[string]*draftUse

// add adds what annotators did with the drafts of a video.
func (all draftUses) add(w *people.Workplace, drafts []draft, done []people.Done) {
	if len(drafts) == 0 {
		return
	}
	for i := range done {
		task, _ := w.Task(done[i].TaskID)
		u := all[done[i].Person]
		if u == nil {
			u = &draftUse{}
			all[done[i].Person] = u
		}
		u.add(drafts, &done[i], task.Active)
	}
}

func (u *draftUse) add(drafts []draft, d *people.Done, active time.Duration) {
	u.tasks++
	u.seconds += active.Seconds()
	accepted, words := 0, 0
	keys := people.KeysIn(d.Answers, keypointSection)
	u.own += len(keys)
	for i := range drafts {
		key := fmt.Sprintf("%s/draft-%d", keypointSection, i+1)
		switch {
		case !slices.Contains(keys, key):
			u.left++
			continue
		case strings.TrimSpace(d.Answers[key].Text(fieldText)) == strings.TrimSpace(drafts[i].Text):
			accepted++
			words += textnorm.CountWords(drafts[i].Text)
		default:
			u.changed++
		}
		u.own--
	}
	u.accepted += accepted
	if active.Seconds() < float64(words)/readingPace {
		u.unread += accepted
	}
}

func (all draftUses) table() omniscope.Table {
	t := omniscope.Table{Personal: true, Name: "drafts", Title: "Drafts", Columns: []string{"annotator", "videos", "accepted as they are", "reworded", "left out", "own keypoints", "accepted", "seconds a keypoint", "accepted unread"}, Numbers: []int{1, 2, 3, 4, 5, 6, 7, 8},
		Note: fmt.Sprintf("Of the drafts that an annotator was offered. Drafts count as accepted unread in a video that took less time in all than reading the accepted ones takes at %d words a second.", readingPace)}
	for _, person := range slices.Sorted(maps.Keys(all)) {
		u := all[person]
		offered := u.accepted + u.changed + u.left
		each, used := "", ""
		if n := u.accepted + u.changed + u.own; n > 0 {
			each = fmt.Sprintf("%.1f", u.seconds/float64(n))
		}
		if offered > 0 {
			used = fmt.Sprintf("%.0f %%", 100*float64(u.accepted+u.changed)/float64(offered))
		}
		t.Rows = append(t.Rows, []string{person, fmt.Sprint(u.tasks), fmt.Sprint(u.accepted), fmt.Sprint(u.changed), fmt.Sprint(u.left), fmt.Sprint(u.own),
			used, each, fmt.Sprint(u.unread)})
	}
	return t
}
