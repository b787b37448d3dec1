package baseline

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"omniscope/model/judge/wording"
)

var determiners = map[string]bool{"a": true, "an": true, "the": true, "his": true, "her": true, "their": true, "another": true, "several": true}

// phrases lists the noun phrases of the words first to last (exclusive): a determiner or a capital letter, then content
// words up to a function word, a mark or a word of the event.
func (c *caption) phrases(first, last int, e *event) (list []string) {
	for i := first; i < last; i++ {
		end := i
		if determiners[c.words[i].Text] {
			end++
		} else if initial, _ := utf8.DecodeRuneInString(c.source[c.words[i].Start:]); !unicode.IsUpper(initial) {
			continue
		}
		start := end
		for end < last && c.continues(i, end, e) {
			end++
		}
		if end > start {
			list = append(list, strings.TrimSuffix(strings.TrimSuffix(c.quote(i, end), "'s"), "’s"))
			i = end - 1
		}
	}
	return list
}

// continues reports whether word i belongs to the phrase that begins at first.
func (c *caption) continues(first, i int, e *event) bool {
	if _, inEvent := e.words[c.words[i].Stem]; inEvent || !isContent(c.words[i]) || c.words[i].Sentence != c.words[first].Sentence {
		return false
	}
	end, start := c.words[max(first, i-1)].End, c.words[i].Start
	return start <= end || !strings.ContainsAny(c.source[end:start], ",;:()")
}

// Group puts descriptions that could be of one subject into one group and
// returns the groups as indexes, in order of first appearance. A description
// joins the first group with a member that shares more than half of the content
// words of the shorter of the two. One without content words stays alone.
func Group(descriptions []string) [][]int {
	var groups [][]int
	words := make([]map[string]bool, len(descriptions))
	for i, d := range descriptions {
		words[i] = contentOf(d)
		joined := false
		for k, members := range groups {
			for _, m := range members {
				joined = joined || 2*common(words[i], words[m]) > min(len(words[i]), len(words[m]))
			}
			if joined {
				groups[k] = append(members, i)
				break
			}
		}
		if !joined {
			groups = append(groups, []int{i})
		}
	}
	return groups
}

// contentOf is the set of content words of a description.
func contentOf(description string) map[string]bool {
	words := make(map[string]bool)
	for _, w := range wording.Words(description) {
		if isContent(w) {
			words[w.Stem] = true
		}
	}
	return words
}

func common(a, b map[string]bool) (n int) {
	for w := range a {
		if b[w] {
			n++
		}
	}
	return n
}
