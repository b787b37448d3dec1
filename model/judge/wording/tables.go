package wording

import "strings"

// The tables are plain data, read-only after start-up.

// functionWords carry little about the topic of a sentence.
var functionWords = set(`a an the this that these those there here it its he she they them
	his her hers their him i you we us me my your our one who whom which what whose
	is are was were be been being am has have had having do does did doing done
	will would can could may might must shall should
	of in on at by to from with without into onto over under above below up down out off
	for as about against between through during before after near across along around
	behind beside besides beneath within toward towards upon
	and or but nor so yet than then if when while where whereas because until since
	not no never neither just also too very quite only even still again some any each
	both all more most other another such same own now s t don d ll ve re m 1`)

// abbreviations keep their point without ending a sentence.
var abbreviations = set(`mr mrs ms dr st vs jr sr etc approx prof inc ltd`)

// contractions that are not the verb with n't appended.
var contractions = map[string]string{
	"can't": "can not", "cannot": "can not", "won't": "will not", "shan't": "shall not",
}

var symbols = map[rune]string{
	'&': "and", '%': "percent", '°': "degree", '$': "dollar", '€': "euro", '£': "pound",
}

var cardinals = map[string]int{
	"zero": 0, "nil": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6,
	"seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
	"thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17,
	"eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fourty": 40,
	"fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "hundred": 100,
	"thousand": 1000, "million": 1_000_000, "billion": 1_000_000_000,
	"twos": 2, "threes": 3, "fours": 4, "fives": 5, "sixes": 6, "sevens": 7, "eights": 8,
	"nines": 9, "tens": 10,
}

var ordinals = map[string]int{
	"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7,
	"eighth": 8, "ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13,
	"fourteenth": 14, "fifteenth": 15, "sixteenth": 16, "seventeenth": 17,
	"eighteenth": 18, "nineteenth": 19, "twentieth": 20, "thirtieth": 30, "fortieth": 40,
	"fiftieth": 50, "sixtieth": 60, "seventieth": 70, "eightieth": 80, "ninetieth": 90,
}

// units are short forms written right after a number.
var units = map[string]string{
	"kph": "kmh", "hz": "hertz", "s": "second", "sec": "second", "secs": "second",
	"min": "minute", "mins": "minute", "m": "meter", "ft": "foot", "lb": "pound",
	"lbs": "pound", "g": "gram", "kg": "kilogram", "km": "kilometer", "cm": "centimeter",
}

// unitPhrases are units of several words, the longest first.
var unitPhrases = []struct {
	words []string
	name  string
}{
	{strings.Fields("revolutions per minute"), "rpm"},
	{strings.Fields("beats per minute"), "bpm"},
	{strings.Fields("frames per second"), "fps"},
	{strings.Fields("miles per hour"), "mph"},
	{strings.Fields("miles an hour"), "mph"},
	{strings.Fields("kilometers per hour"), "kmh"},
	{strings.Fields("kilometres per hour"), "kmh"},
	{strings.Fields("km h"), "kmh"},
	{strings.Fields("per cent"), "percent"},
}

// irregular forms a stemmer cannot reduce. "Left" and "saw" stay themselves:
// in clips they are mostly a side and a tool.
var irregular = pairs(`men man women woman children child feet foot teeth tooth people person
	wore wear worn wear spoke speak spoken speak said say told tell held hold stood stand sat sit
	ran run threw throw thrown throw shown show sang sing sung sing began begin begun begin
	took take taken take gave give given give came come went go gone go drove drive driven drive
	rode ride ridden ride wrote write written write heard hear seen see brought bring
	caught catch felt feel fell fall fallen fall flew fly flown fly grew grow grown grow
	hung hang kept keep laid lay lit light made make met meet paid pay put put rang ring
	rose rise risen rise sent send shook shake shaken shake shone shine shot shot swam swim
	swung swing thought think wound wind won win slid slide spun spin struck strike
	knives knife wolves wolf shelves shelf geese goose mice mouse
	laughter laugh laughs laugh`)

// spellings are British forms that no rule covers.
var spellings = pairs(`grey gray greys grays greyish grayish centre center centres centers centred centered
	theatre theater theatres theaters metre meter metres meters litre liter litres liters
	fibre fiber fibres fibers sombre somber spectre specter lustre luster calibre caliber
	defence defense offence offense licence license pretence pretense
	travelled traveled travelling traveling traveller traveler labelled labeled labelling labeling
	signalled signaled signalling signaling cancelled canceled dialled dialed
	channelled channeled spiralling spiraling spiralled spiraled swivelled swiveled
	modelled modeled modelling modeling jewellery jewelry marvellous marvelous
	tyre tire tyres tires kerb curb plough plow mould mold moulded molded moustache mustache
	pyjamas pajamas aluminium aluminum programme program programmes programs cosy cozy
	sceptical skeptical cheque check doughnut donut doughnuts donuts aeroplane airplane
	mum mom yoghurt yogurt chilli chili chillies chilies storey story storeys stories
	axe ax okay ok colouring coloring towards toward afterwards afterward`)

// spellingRules rewrite the last occurrence of a British cluster where one
// of the endings follows.
var spellingRules = []struct {
	british, american string
	endings           map[string]bool
}{
	{"our", "or", set(`- s ed ing ful ite ites less hood hoods able er ers ist`)},
	{"ogue", "og", set(`- s`)},
	{"is", "iz", set(`e es ed ing er ers ation ations`)},
	{"ys", "yz", set(`e es ed ing er`)},
}

// synonyms maps the stems of synonyms to the first of them.
var synonyms = groups(
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

// set makes a set of the words of a list; "-" stands for the empty word.
func set(list string) map[string]bool {
	s := make(map[string]bool)
	for _, w := range strings.Fields(list) {
		s[strings.TrimPrefix(w, "-")] = true
	}
	return s
}

// pairs makes a map of a list of keys each followed by its value.
func pairs(list string) map[string]string {
	words := strings.Fields(list)
	m := make(map[string]string, len(words)/2)
	for i := 0; i+1 < len(words); i += 2 {
		m[words[i]] = words[i+1]
	}
	return m
}

// groups maps the stem of each word of a line to the stem of the first word.
func groups(lines ...string) map[string]string {
	m := make(map[string]string)
	for _, line := range lines {
		words := strings.Fields(line)
		first := stemOf(americanSpelling(words[0]))
		for _, w := range words {
			m[stemOf(americanSpelling(w))] = first
		}
	}
	return m
}

// americanSpelling maps British spellings to one form. The rules need not
// give real words ("noise" becomes "noize"): both texts pass through them.
func americanSpelling(word string) string {
	if american, ok := spellings[word]; ok {
		return american
	}
	if len(word) < 5 {
		return word
	}
	for _, r := range spellingRules {
		if i := strings.LastIndex(word, r.british); i > 0 && r.endings[word[i+len(r.british):]] {
			return word[:i] + r.american + word[i+len(r.british):]
		}
	}
	return word
}
