package release

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"omniscope"
)

// sizes tables items, seconds and words, of all and by split and category.
func (s *set) sizes() omniscope.Table {
	t := omniscope.Table{Columns: []string{"part", "items", "sources", "hours", "seconds, least", "25 %", "50 %", "75 %", "most", "words", "words per item"},
		Numbers: []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}}
	add := func(name string, items []*item) { t.Rows = append(t.Rows, append([]string{name}, sizeCells(items)...)) }
	add("all", s.items)
	if parts := s.usedSplits(); len(parts) > 1 {
		for _, name := range parts {
			add("split "+name, s.ofSplit(name))
		}
	}
	categories := make(map[string][]*item)
	for _, it := range s.items {
		categories[orUnknown(it.category)] = append(categories[orUnknown(it.category)], it)
	}
	if len(categories) > 1 || categories[unknown] == nil {
		for _, name := range sortedKeys(categories) {
			add("category "+name, categories[name])
		}
	}
	return t
}

func sizeCells(items []*item) []string {
	var seconds []float64
	var sum float64
	count, sources := 0, make(map[string]bool)
	for _, it := range items {
		sources[it.source.group] = true
		count += it.words
		if it.seconds > 0 {
			seconds = append(seconds, it.seconds)
			sum += it.seconds
		}
	}
	cells := []string{strconv.Itoa(len(items)), strconv.Itoa(len(sources)), "", "", "", "", "", ""}
	if len(seconds) > 0 {
		cells[2] = fmt.Sprintf("%.2f", sum/3600)
		slices.Sort(seconds)
		for i, share := range []float64{0, 0.25, 0.5, 0.75, 1} {
			cells[3+i] = fmt.Sprintf("%.1f", quantile(seconds, share))
		}
	}
	return append(cells, strconv.Itoa(count), fmt.Sprintf("%.1f", float64(count)/float64(len(items))))
}

// quantile of sorted values, linear between neighbours: type 7 of Hyndman and Fan, The American Statistician 50, 1996.
func quantile(sorted []float64, share float64) float64 {
	at := share * float64(len(sorted)-1)
	low := math.Floor(at)
	a, b := sorted[int(low)], sorted[int(math.Ceil(at))]
	return a + (b-a)*(at-low)
}

// untimed is how many items have no known length.
func (s *set) untimed() (n int) {
	for _, it := range s.items {
		if it.seconds == 0 {
			n++
		}
	}
	return n
}

// questions tables questions by modality or class; no rows where the form of the rows is not known.
func (s *set) questions() omniscope.Table {
	t := omniscope.Table{Columns: []string{"modality", "questions", "items", "share"}, Numbers: []int{1, 2, 3}}
	all, counts, items := 0, make(map[string]int), make(map[string]map[string]bool)
	for _, it := range s.items {
		for _, modality := range it.modalities {
			if items[modality] == nil {
				items[modality] = make(map[string]bool)
			}
			all++
			counts[modality]++
			items[modality][it.id] = true
		}
	}
	for _, name := range sortedKeys(counts) {
		t.Rows = append(t.Rows, []string{name, strconv.Itoa(counts[name]), strconv.Itoa(len(items[name])), fmt.Sprintf("%.1f %%", 100*float64(counts[name])/float64(all))})
	}
	return t
}

// licences tables items by the licence of their source.
func (s *set) licences() omniscope.Table {
	t := omniscope.Table{Columns: []string{"licence", "known as", "items", "sources", "name the author", "origins"}, Numbers: []int{2, 3}}
	words, items := s.byLicence()
	for _, word := range words {
		l := licenceOf(word)
		sources, origins := make(map[string]bool), make(map[string]bool)
		for _, it := range items[word] {
			sources[it.source.id] = true
			if it.source.origin != "" {
				origins[it.source.origin] = true
			}
		}
		attribute := "see its text"
		if l.name != "" {
			attribute = map[bool]string{true: "yes", false: "no"}[l.attribute]
		}
		t.Rows = append(t.Rows, []string{word, l.name, strconv.Itoa(len(items[word])), strconv.Itoa(len(sources)), attribute, list(sortedKeys(origins))})
	}
	return t
}

// sizeCategory is the class of the hub for a number of items.
func sizeCategory(n int) string {
	switch {
	case n < 1_000:
		return "n<1K"
	case n < 10_000:
		return "1K<n<10K"
	case n < 100_000:
		return "10K<n<100K"
	case n < 1_000_000:
		return "100K<n<1M"
	}
	return "1M<n<10M" // an input has fewer rows than that
}
