// Package spelling compares spellings: how far two texts are apart, and which
// of several names a misspelt one may be meant for, such as a file, a flag or one of
// the values that a flag may have. Word error rates, which count kinds of edits as
// published programs do, are in package metric.
package spelling

// Distance is the Levenshtein distance: how many elements must be put in,
// taken out or exchanged to make one list of the other.
func Distance[T comparable](a, b []T) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		corner := row[0]
		row[0] = i + 1
		for j := range b {
			cost := corner
			if a[i] != b[j] {
				cost++
			}
			corner = row[j+1]
			row[j+1] = min(cost, row[j]+1, corner+1)
		}
	}
	return row[len(b)]
}

// typos is Distance with two neighbours that are exchanged as one edit, the
// commonest slip of the fingers ("optimal string alignment").
func typos(a, b []rune) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range a {
		row[0] = i + 1
		for j := range b {
			cost := last[j]
			if a[i] != b[j] {
				cost++
			}
			row[j+1] = min(cost, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

// Likeness is how alike two lists are, from 0 to 1: 1 less their distance over
// the length of the longer one.
func Likeness[T comparable](a, b []T) float64 {
	longer := max(len(a), len(b))
	if longer == 0 {
		return 1
	}
	return 1 - float64(Distance(a, b))/float64(longer)
}
