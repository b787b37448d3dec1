// Package spelling finds what a misspelt name was probably meant to be: a
// field of a file, a flag, a command.
package spelling

import "strings"

// Nearest returns the name among known that written is most probably a
// misspelling of, and false if none is near. Case and the marks between words
// count for nothing: answerKey is answer_key. Of several that are equally near
// it returns the first.
func Nearest(written string, known []string) (string, bool) {
	best, least := "", 0
	w := plain(written)
	for _, name := range known {
		k := plain(name)
		d := distance(w, k)
		if d > tolerated(w, k) || best != "" && d >= least {
			continue
		}
		best, least = name, d
	}
	return best, best != ""
}

// plain is a name without what people vary most.
func plain(name string) string {
	return strings.NewReplacer("_", "", "-", "", " ", "", ".", "").Replace(strings.ToLower(name))
}

// tolerated is how many edits a misspelling of a name may have: one in three
// characters, and three at most. What is one character long cannot be misspelt.
func tolerated(a, b string) int {
	return min(min(len(a), len(b))/3, 3)
}

// distance counts the characters to put in, take out or replace, and the pairs
// of neighbours to swap, that make b of a.
func distance(a, b string) int {
	if a == b {
		return 0
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
