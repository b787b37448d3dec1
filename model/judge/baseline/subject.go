package baseline

import (
	"strings"
	"unicode"
	"unicode/utf8"
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
	if _, inEvent := e.words[c.words[i].Stem]; inEvent || !c.isContent(i) {
		return false
	}
	end, start := c.words[max(first, i-1)].End, c.words[i].Start
	return start <= end || !strings.ContainsAny(c.source[end:start], ",;:()")
}
