package detective

import (
	"omniscope"
	"omniscope/detective/claims"
	"omniscope/perceive"
)

// newsWords is the number of new words from which on an observer's report counts as new.
const newsWords = 3

// idle returns how many of the last inquiries, one after another, brought nothing new.
func (c *Investigation) idle() int {
	known := make(map[string]bool)
	n := 0
	for i := range c.Turns {
		switch t := &c.Turns[i]; {
		case c.brought(t, known):
			n = 0
		case t.Outcome == omniscope.OK || t.Outcome == omniscope.Abstained: // a failed tool tells nothing about the clip
			n++
		}
	}
	return n
}

// brought reports whether a turn brought something new, and adds its words to the known ones. New is an
// observation that is not in the ledger yet; a report in free text also needs newsWords words that no
// earlier observation and no question has.
func (c *Investigation) brought(t *Turn, known map[string]bool) bool {
	for _, w := range claims.Words(t.Inquiry.Question) {
		known[w] = true
	}
	news := false
	for _, id := range t.Evidence {
		e := c.Ledger.Find(id)
		if e.Turn != t.Number {
			continue
		}
		fresh := 0
		for _, w := range append(claims.Words(e.What), claims.Words(e.Quote)...) {
			if !known[w] {
				known[w] = true
				fresh++
			}
		}
		news = news || e.Kind != perceive.Reported || fresh >= newsWords
	}
	return news
}
