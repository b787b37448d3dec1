package mcifxml

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"omniscope/internal/quantity"
)

// What makes a sample a giant, in characters: more than a long talk has, or, of
// short clips, far more than the others. Long clips are asked for a sentence or
// for a whole transcript, so that their median says nothing.
const (
	giantChars  = 20_000
	giantFactor = 50
	shownGiants = 10    // of one file, one by one
	giantLeast  = 2_000 // below that, a factor says nothing: answers of one word are short
)

// look finds what is odd about answers.
func look(out *Output, edges int) (problems []Problem) {
	add := func(kind problemKind, s Sample, count int, what string, args ...any) {
		problems = append(problems, Problem{Kind: kind, File: s.File, Line: s.Line, ID: s.ID, Count: count, What: fmt.Sprintf(what, args...)})
	}
	var empty, lossy []Sample
	lost := 0
	sizes := make([]int, len(out.Samples))
	seen := make(map[string]Sample, len(out.Samples))
	for i, s := range out.Samples {
		sizes[i] = utf8.RuneCountInString(s.Text)
		if twin, ok := seen[s.ID]; ok {
			add(DuplicateID, s, 1, "sample %q is there already, on line %d: the published evaluation takes the last", s.ID, twin.Line)
		}
		seen[s.ID] = s
		if s.Text == "" {
			empty = append(empty, s)
		}
		if n := strings.Count(s.Text, "\ufffd"); n > 0 {
			lossy = append(lossy, s)
			lost += n
		}
	}
	problems = append(problems, lookForGiants(out, sizes)...)
	if len(empty) > 0 {
		add(emptySample, empty[0], len(empty), "%s empty: %s", samples(len(empty), "is", "are"), ids(empty))
	}
	if lost > 0 {
		add(undecodable, lossy[0], lost, "U+FFFD, which stands for bytes that were lost before the file was written, is there %d times, in %s: %s", lost, samples(len(lossy), "", ""), ids(lossy))
	}
	if edges > 0 {
		problems = append(problems, Problem{Kind: edgeSpace, File: out.Path, Count: edges, What: samples(edges, "has", "have") + " blanks at the ends, which are taken off"})
	}
	if at := descent(out.Samples); at > 0 {
		add(outOfOrder, out.Samples[at], 1, "sample %q comes after %q: the ids do not ascend, which changes no score", out.Samples[at].ID, out.Samples[at-1].ID)
	}
	return problems
}

// lookForGiants finds answers that are far too long, given all sizes in
// characters.
func lookForGiants(out *Output, sizes []int) (problems []Problem) {
	typical, giants := median(sizes), 0
	for i, s := range out.Samples {
		if !giant(sizes[i], typical, out.Track) {
			continue
		}
		if giants++; giants <= shownGiants {
			problems = append(problems, Problem{Kind: giantSample, File: s.File, Line: s.Line, ID: s.ID, Count: 1,
				What: fmt.Sprintf("sample %q has %d characters, where the median has %d: did the system repeat itself?", s.ID, sizes[i], typical)})
		}
	}
	if more := giants - shownGiants; more > 0 {
		problems = append(problems, Problem{Kind: giantSample, File: out.Path, Count: more, What: samples(more, "more is a giant", "more are giants")})
	}
	return problems
}

func giant(size, typical int, track string) bool {
	return size > giantChars || track == "short" && size > giantLeast && size > giantFactor*typical
}

func median(sizes []int) int {
	if len(sizes) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(sizes))
	return sorted[len(sorted)/2]
}

// descent returns the first index whose id is a lower number than the one
// before, or 0.
func descent(samples []Sample) int {
	for i := 1; i < len(samples); i++ {
		before, err1 := strconv.Atoi(samples[i-1].ID)
		id, err2 := strconv.Atoi(samples[i].ID)
		if err1 == nil && err2 == nil && id < before {
			return i
		}
	}
	return 0
}

// samples returns "1 sample is" or "3 samples are".
func samples(n int, one, many string) string {
	return strings.TrimSpace(quantity.Of(n, "sample "+one, "samples "+many))
}

// ids lists the first ids.
func ids(samples []Sample) string {
	const shown = 10
	var b strings.Builder
	b.WriteString("ids ")
	for i, s := range samples[:min(len(samples), shown)] {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(s.ID)
	}
	if more := len(samples) - shown; more > 0 {
		fmt.Fprintf(&b, " and %d more", more)
	}
	return b.String()
}
