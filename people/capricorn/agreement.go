package capricorn

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"omniscope"
	"omniscope/metric/stats"
	"omniscope/people"
	"omniscope/people/match"
)

// agreementNote says what the figures are.
const agreementNote = `Subjects and keypoints are noted freely, so there is no kappa of them: nobody counts what is not a keypoint. F1 is of each two people after one-to-one ` +
	`matching with the greatest likeness in all; two things may be matched from a likeness of 0.5 on, which is two thirds common words (Dice) and one third common time ` +
	`(shared / covered). Spans and classes are of matched keypoints; for classes, keypoints of all people are grouped, at most one of each person in a group. Matching is by this rule, not by what seniors merged. ` +
	`A card of the seniors counts as kept if a keypoint that they keep was made from it. Boundary differences are to 10 ms. 95% intervals resample videos. Work that was imported counts for nothing.`

// tables are how far people agree, and what annotators did with drafts.
func tables(ctx context.Context, w *people.Workplace) ([]omniscope.Table, error) {
	a, drafts := newAgreement(), make(draftUses)
	err := people.EachItem(ctx, w, videoOf, func(item *people.Item, v *video, done map[string][]people.Done) error {
		drafts.add(w, v.Drafts, done[Keypoints])
		a.add(item.ID, done)
		return nil
	}, Subjects, Keypoints, selectStage, visionStage)
	if err != nil {
		return nil, err
	}
	t := omniscope.Table{Name: "agreement", Title: "Agreement", Note: agreementNote, Columns: []string{"stage", "figure", "value", "95% interval", "of", "note"}, Numbers: []int{2}}
	for _, f := range a.figures() {
		t.Rows = append(t.Rows, f.row(provisional(w, f.stage)))
	}
	if len(drafts) == 0 {
		return []omniscope.Table{t}, nil
	}
	return []omniscope.Table{t, drafts.table()}, nil
}

// provisional says how much of a stage is still to be done; "" = nothing.
func provisional(w *people.Workplace, stage string) string {
	for _, p := range w.Progress() {
		if p.Stage.Name == stage && p.Given < p.Tasks {
			return fmt.Sprintf("provisional: %d of %d tasks are done", p.Given, p.Tasks)
		}
	}
	return ""
}

// A figure is one number of agreement, with a row of sums for each video that two people have done.
type figure struct {
	*people.Figure
	stage, name string
	items       string // what it is of
	scale       float64
	format      string
	statistic   stats.Statistic
}

func (f *figure) row(provisional string) []string {
	cells := []string{f.stage, f.name, "no figure", "", fmt.Sprintf("%d %s in %d videos", f.N, f.items, f.Rows.Len()), provisional}
	because := func(why string) []string {
		cells[5] = "no figure, because " + why
		return cells
	}
	value, ok := f.statistic(f.Rows.Total())
	switch {
	case f.Rows.Len() == 0:
		return because("no video has been done by two people")
	case f.N < people.Fewest:
		return because(fmt.Sprintf("there are %d %s, and at least %d are needed", f.N, f.items, people.Fewest))
	case !ok:
		return because("all answers are the same: there is nothing to agree or differ on")
	}
	interval := stats.Clustered(f.Rows, []stats.Statistic{f.statistic}, stats.Options{})[0]
	interval.Low, interval.High = interval.Low*f.scale, interval.High*f.scale
	cells[2], cells[3] = people.Printed(f.format, value*f.scale, true, interval)
	return cells
}

// An agreement is the figures of a project.
type agreement struct {
	video                                                     string // that is counted
	subjects, points, spans, boundary, alphas, selected, seen *people.Figure
}

func newAgreement() *agreement {
	of := people.NewFigure
	return &agreement{subjects: of(3), points: of(3), spans: of(3), boundary: of(bins), alphas: of(len(classes) * len(classes)), selected: of(4), seen: of(4)}
}

// figures are the numbers, in the order of the table.
func (a *agreement) figures() []figure {
	const ratio = "%.3f"
	return []figure{
		{a.subjects, Subjects, "F1 of subjects", "subjects, each held against another person's", 1, ratio, match.F1},
		{a.points, Keypoints, "F1 of keypoints", "keypoints, each held against another person's", 1, ratio, match.F1},
		{a.spans, Keypoints, "F1 of matched spans, overlap at least 0.5", "matched pairs", 1, ratio, match.F1},
		{a.boundary, Keypoints, "median difference of boundaries, in ms", "boundaries of matched pairs", binMS, "%.0f", median},
		{a.alphas, Keypoints, "Krippendorff's alpha of classes (nominal)", "keypoints that two people or more noted", 1, ratio, stats.Alpha(make([]float64, len(classes)), stats.Nominal)},
		{a.selected, selectStage, "raw agreement on keep or drop", "cards", 1, ratio, stats.Agreement(2)},
		{a.selected, selectStage, "Cohen's kappa on keep or drop", "cards", 1, ratio, stats.Kappa(2)},
		{a.seen, visionStage, "raw agreement on keep or drop", "keypoints", 1, ratio, stats.Agreement(2)},
		{a.seen, visionStage, "Cohen's kappa on keep or drop", "keypoints", 1, ratio, stats.Kappa(2)},
	}
}

// add counts the work on a video. Work that was imported counts for nothing.
func (a *agreement) add(video string, done map[string][]people.Done) {
	a.video = video
	for stage, list := range done {
		done[stage] = slices.DeleteFunc(list, func(d people.Done) bool { return d.Person == importer })
	}
	if lists := done[Subjects]; len(lists) > 1 {
		a.addSubjects(lists)
	}
	if lists := done[Keypoints]; len(lists) > 1 {
		a.addPoints(lists)
	}
	if lists := done[selectStage]; len(lists) > 1 {
		a.addSelected(done[Keypoints], lists)
	}
	if lists := done[visionStage]; len(lists) > 1 {
		a.addVision(lists)
	}
}

// eachPair calls do for each two people.
func eachPair(lists []people.Done, do func(a, b *people.Done)) {
	for i := range lists {
		for k := i + 1; k < len(lists); k++ {
			do(&lists[i], &lists[k])
		}
	}
}

func (a *agreement) addSubjects(lists []people.Done) {
	sums := make([]float64, 3)
	eachPair(lists, func(x, y *people.Done) {
		one, other := subjectsOf(x), subjectsOf(y)
		pairs := match.Pairs(len(one), len(other), func(i, k int) float64 { return alikeSubjects(&one[i], &other[k]) }, leastAlike)
		addTo(sums, float64(len(pairs)), float64(len(one)), float64(len(other)))
	})
	a.subjects.Add(a.video, int(sums[1]+sums[2]), sums...)
}

func addTo(sums []float64, numbers ...float64) {
	for i, n := range numbers {
		sums[i] += n
	}
}

// halfOverlap is from which overlap on two spans count as one.
const halfOverlap = 0.5

func (a *agreement) addPoints(lists []people.Done) {
	sums, spans, boundaries := make([]float64, 3), make([]float64, 3), make([]float64, bins)
	eachPair(lists, func(x, y *people.Done) {
		one, other := pointsOf(x), pointsOf(y)
		pairs := match.Pairs(len(one), len(other), func(i, k int) float64 { return alike(&one[i], &other[k]) }, leastAlike)
		addTo(sums, float64(len(pairs)), float64(len(one)), float64(len(other)))
		for _, p := range pairs {
			s, t := one[p.A].span, other[p.B].span
			same := 0.0
			if match.Overlap(s, t) >= halfOverlap {
				same = 1
			}
			addTo(spans, same, 1, 1)
			boundaries[bin(s.Start, t.Start)]++
			boundaries[bin(s.End, t.End)]++
		}
	})
	a.points.Add(a.video, int(sums[1]+sums[2]), sums...)
	a.spans.Add(a.video, int(spans[1]), spans...)
	a.boundary.Add(a.video, int(2*spans[1]), boundaries...)
	alphas := make([]float64, len(classes)*len(classes))
	groups := 0
	for _, c := range clusters(lists) {
		if len(c.members) < 2 {
			continue
		}
		groups++
		var given []int
		for _, p := range c.members {
			if n := classNumber(p.class); n >= 0 {
				given = append(given, n)
			}
		}
		addTo(alphas, stats.AlphaRow(len(classes), given)...)
	}
	a.alphas.Add(a.video, groups, alphas...)
}

// Differences of boundaries are counted in steps of 10 ms up to 10 s, so that medians of resampled
// videos come from sums; what is above counts in the last step.
const (
	binMS = 10
	bins  = 1001
)

func bin(a, b float64) int {
	return min(int(max(a-b, b-a)*1000/binMS+0.5), bins-1)
}

// median is the middle of counts by steps, in steps; of an even number the mean of both in the middle.
func median(sum []float64) (float64, bool) {
	all := 0.0
	for _, n := range sum {
		all += n
	}
	if all < 1 {
		return 0, false
	}
	at := func(place float64) float64 { // of the value with so many before it
		before := 0.0
		for i, n := range sum {
			if before += n; before > place {
				return float64(i)
			}
		}
		return float64(len(sum) - 1)
	}
	half := float64(int(all) / 2)
	if int(all)%2 == 1 {
		return at(half), true
	}
	return (at(half-1) + at(half)) / 2, true
}

// byPerson puts people in an order that does not depend on who was first, as Cohen's kappa tells the
// first rater from the second.
func byPerson(lists []people.Done) []people.Done {
	slices.SortFunc(lists, func(a, b people.Done) int { return strings.Compare(a.Person, b.Person) })
	return lists
}

// addSelected counts the cards that two seniors saw: the clusters of what annotators noted.
func (a *agreement) addSelected(annotators, seniors []people.Done) {
	all := clusters(annotators)
	section := people.Section{Name: keypointSection}
	for i := range all {
		section.Cards = append(section.Cards, people.Card{ID: all[i].id, Draft: draftOf(&all[i].members[0], all[i].refs())})
	}
	table := make([]float64, 4)
	eachPair(byPerson(seniors), func(x, y *people.Done) {
		first, second := keptFrom(&section, x), keptFrom(&section, y)
		for i := range all {
			addTo(table[cell(anyIn(all[i].refs(), first), anyIn(all[i].refs(), second)):], 1)
		}
	})
	a.selected.Add(a.video, int(table[0]+table[1]+table[2]+table[3]), table...)
}

// keptFrom are the annotators' keypoints of which a senior made those that they keep.
func keptFrom(section *people.Section, d *people.Done) map[string]bool {
	kept := make(map[string]bool)
	for _, p := range pointsOf(d) {
		if p.value.Text(fieldKeep) == keep {
			for _, ref := range sources(section, p.key, p.value) {
				kept[ref] = true
			}
		}
	}
	return kept
}

func anyIn(refs []string, kept map[string]bool) bool {
	return slices.ContainsFunc(refs, func(ref string) bool { return kept[ref] })
}

// cell is the place of two answers in a table of two by two.
func cell(first, second bool) (at int) {
	if !first {
		at += 2
	}
	if !second {
		at++
	}
	return at
}

func (a *agreement) addVision(votes []people.Done) {
	table := make([]float64, 4)
	n := 0
	eachPair(byPerson(votes), func(x, y *people.Done) {
		for _, key := range people.KeysIn(x.Answers, keypointSection) {
			if v, ok := y.Answers[key]; ok {
				addTo(table[cell(x.Answers[key].Text(fieldKeep) == keep, v.Text(fieldKeep) == keep):], 1)
				n++
			}
		}
	})
	a.seen.Add(a.video, n, table...)
}
