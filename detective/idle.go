package detective

import (
	"omniscope"
	"omniscope/perceive"
)

// newsWords is how many words that nobody said before make an observer's report news.
const newsWords = 3

// idle is how many inquiries in a row, up to now, brought nothing new.
func (c *Case) idle() int {
	known := make(map[string]bool)
	n := 0
	for i := range c.Turns {
		switch t := &c.Turns[i]; {
		case c.brought(t, known):
			n = 0
		case t.Outcome == omniscope.OK || t.Outcome == omniscope.Abstained: // who could not answer says nothing
			n++
		}
	}
	return n
}

// brought reports whether a turn brought something new, and notes its words: an observation that was
// not there before, and, of an observer that words each answer anew, some words that no
// observation or question had.
func (c *Case) brought(t *Turn, known map[string]bool) bool {
	for _, w := range words(t.Inquiry.Question) {
		known[w] = true
	}
	news := false
	for _, id := range t.Evidence {
		e := c.Ledger.Find(id)
		if e.Turn != t.Number {
			continue
		}
		fresh := 0
		for _, w := range append(words(e.What), words(e.Quote)...) {
			if !known[w] {
				known[w] = true
				fresh++
			}
		}
		news = news || e.Kind != perceive.Reported || fresh >= newsWords
	}
	return news
}
