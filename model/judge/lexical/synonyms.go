package lexical

import "strings"

// synonyms maps the stems of words that may stand for each other, even as an
// answer, to the first of them.
var synonyms = groups(stemOf,
	`man male guy gentleman`,
	`woman female lady`,
	`child kid`,
	`say speak talk tell state`,
	`begin start commence`,
	`end finish conclude`,
	`big large huge`,
	`small little tiny`,
	`bathroom restroom washroom`,
	`picture photo photograph image`,
	`car automobile`,
	`sofa couch`,
	`whoosh swoosh`,
	`applause applaud`,
	`phone smartphone cellphone`,
	`bicycle bike`,
	`motorcycle motorbike`,
	`takeaway takeout`,
	`lefty lefthander`,
	`righty righthander`,
	`mac macaroni`,
	`quick fast rapid`,
	`silent quiet`,
	`center middle`,
)

// topics maps the synonym groups and stems of words that are not the same
// but tell of the same thing to the first of them. They help to find a place
// in the caption and never decide an answer.
var topics = groups(func(w string) string { return synonymOf(stemOf(w)) },
	`shirt polo jersey tee tshirt top blouse sweater hoodie`,
	`clothes garment outfit costume attire clothing wear dress clad`,
	`hat cap beanie helmet`,
	`music song track soundtrack tune melody score`,
	`video clip footage film segment recording`,
	`camera shot frame view`,
	`show display reveal depict feature visible appear see`,
	`say exclaim remark add comment announce declare mention narrate voice speech`,
	`crowd audience spectator fan stand`,
	`commentator announcer narrator host presenter`,
	`sound noise hear audible audio`,
	`read label text caption sign placard write inscribe title name`,
	`hold carry grip`,
	`begin open`,
	`end stop close`,
	`restaurant cafe diner eatery`,
	`counter table desk worktop`,
	`color tint hue shade`,
	`box container carton`,
	`point total`,
	`loud noisy`,
	`road street lane`,
	`employee worker staff`,
	`laugh giggle chuckle`,
	`beverage drink`,
)

// groups maps every word of a line, reduced, to the first word of the line.
func groups(reduce func(string) string, lines ...string) map[string]string {
	m := make(map[string]string)
	for _, line := range lines {
		words := strings.Fields(line)
		first := reduce(americanSpelling(words[0]))
		for _, w := range words {
			m[reduce(americanSpelling(w))] = first
		}
	}
	return m
}
