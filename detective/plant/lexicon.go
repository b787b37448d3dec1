package plant

import (
	"regexp"
	"slices"
)

// alternatives joins words for a regular expression.
func alternatives(words ...[]string) string {
	text := "(?:"
	for i, w := range slices.Concat(words...) {
		if i > 0 {
			text += "|"
		}
		text += w
	}
	return text + ")"
}

var (
	// colours lists for each colour others that viewers do not confuse with it.
	colours = map[string][]string{
		"red":    {"blue", "green", "white", "black", "yellow"},
		"blue":   {"red", "yellow", "orange", "pink", "brown"},
		"green":  {"red", "purple", "white", "black", "pink"},
		"yellow": {"blue", "purple", "black", "red"},
		"orange": {"blue", "green", "purple", "black", "white"},
		"purple": {"green", "yellow", "white", "orange"},
		"pink":   {"green", "black", "yellow", "blue"},
		"brown":  {"blue", "green", "white", "purple"},
		"black":  {"white", "yellow", "red", "pink"},
		"white":  {"black", "red", "blue", "green", "purple", "brown"},
		"gray":   {"red", "yellow", "purple", "orange", "pink"},
		"grey":   {"red", "yellow", "purple", "orange", "pink"},
	}
	// coloured are things for which the word before is their colour. Before others it may be a part of
	// the name: orange juice, black pepper, a green card, a white man.
	coloured = []string{"apron", "backpack", "bag", "ball", "balloon", "bandana", "bedspread", "bench", "bicycle", "bike", "blanket", "blouse", "boat", "boot", "bottle", "bowl", "box", "bow tie",
		"bucket", "building", "bus", "cap", "cape", "car", "carpet", "cat", "chair", "cloak", "coat", "couch", "cow", "cup", "curtain", "cushion", "dog", "door", "dress", "fence", "gate", "glove", "hat", "helmet", "hood",
		"hoodie", "horse", "jacket", "jersey", "jumper", "kite", "lamp", "lorry", "mat", "motorcycle", "mug", "pants", "pillow", "plate", "pullover", "raincoat", "ribbon", "robe", "roof", "rope", "rug", "sail", "scarf", "scooter", "shawl", "shirt", "shoe",
		"shorts", "skirt", "sneaker", "sock", "sofa", "suit", "suitcase", "sweater", "T-shirt", "table", "tablecloth", "taxi", "tent", "tie", "towel", "tractor", "train", "trousers", "truck", "tunic", "umbrella", "uniform", "van", "vase", "vest", "wagon", "wall"}
	// made are words that may occur between a colour and the thing.
	made = []string{"big", "cotton", "knitted", "large", "leather", "little", "long", "metal", "new", "old", "plastic", "short", "silk", "small", "tall", "winter", "wooden", "woollen"}

	// numbers are words of counts, in order.
	numbers = []string{"two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "fifteen", "twenty", "thirty"}
	values  = []int{2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 15, 20, 30}
	// measures are nouns of amounts that are rounded: only a much larger one is false.
	measures = []string{"seconds", "minutes", "hours", "days", "weeks", "months", "years", "metres", "meters", "miles", "kilometres", "kilometers", "centimetres", "centimeters", "feet", "inches", "yards", "litres", "liters", "grams", "kilos", "pounds", "tons",
		"degrees", "dollars", "euros"}
	// plurals are words that count several without an s.
	plurals = []string{"men", "women", "people", "children", "feet", "teeth", "mice", "geese", "sheep", "fish", "deer"}
	// noNoun are words after a number that show that it does not count the next words.
	noNoun = []string{"a", "about", "additional", "after", "am", "an", "and", "are", "as", "at", "before", "between", "billion", "by", "dozen", "eighths", "extra", "fewer", "fifths", "for", "from", "further", "half", "halves", "has", "have", "he", "her", "his", "hundred", "hundreds",
		"in", "into", "is", "it", "its", "less", "million", "millions", "more", "my", "ninths", "of", "on", "or", "other", "our", "out", "over", "past", "percent", "pm", "point", "quarters", "sevenths", "she", "sixths", "tenths", "than", "that", "the", "their", "them", "they", "thirds",
		"this", "thousand", "thousands", "times", "to", "was", "we", "were", "which", "who", "with", "you", "your"}
	// beforeCounts are words before a count that do not end like a verb. After other words a number may be a name: room 12.
	beforeCounts = []string{"and", "are", "by", "contain", "for", "hear", "hears", "her", "his", "hold", "in", "include", "into", "is", "its", "my", "on", "only", "our", "past", "see", "show", "the", "their", "then", "there", "these", "those", "through", "was", "were", "where",
		"with", "your"}
	// names are what numbers name, in forms that end like verbs.
	names = []string{"acts", "apartments", "buses", "cars", "chapters", "classes", "exits", "flights", "floors", "gates", "grades", "lanes", "levels", "lines", "numbers", "pages", "parts", "phases", "platforms", "players", "roads", "rooms", "routes", "rows", "scenes", "seats",
		"sections", "series", "sizes", "stages", "steps", "streets", "tables", "teams", "tracks", "versions", "wings", "bus", "class", "address", "process", "princess"}

	// speakers maps words for a speaker to their replacements.
	speakers = map[string]string{"man": "woman", "woman": "man", "boy": "girl", "girl": "boy", "men": "women", "women": "men", "male": "female", "female": "male",
		"he": "she", "she": "he", "father": "mother", "mother": "father", "actor": "actress", "actress": "actor", "boys": "girls", "girls": "boys"}
	// gendered are words that would contradict a changed speaker.
	gendered = regexp.MustCompile(`(?i)\b(?:he|she|his|him|her|hers|himself|herself|mr|mrs|ms|sir|madam|lady|ladies|gentleman|gentlemen|wife|husband|king|queen|beard|bearded|moustache|mustache|pregnant|bride|groom)\b`)

	// calls are what animals do, in forms that take each other's place.
	calls = [][]string{{"bark", "meow", "neigh", "quack"}, {"barks", "meows", "neighs", "quacks"}, {"barked", "meowed", "neighed", "quacked"}, {"barking", "meowing", "neighing", "quacking"}}
	// noises are heard without an article, sources with one.
	noises  = []string{"applause", "laughter", "thunder", "birdsong", "gunfire", "music", "rain"}
	sources = [][]string{{"siren", "bell", "whistle", "horn"}, {"piano", "guitar", "trumpet", "violin"}}
)

// Texts in which words are found.
var (
	quotes = regexp.MustCompile(`"[^"\n]{2,120}"|“[^”\n]{2,120}”`)
	words  = regexp.MustCompile(`[A-Za-z]+`)
	digits = regexp.MustCompile(`\b[0-9]{1,3}\b`)
	// speech are words of speaking.
	speech = regexp.MustCompile(`(?i)\b(says?|said|saying|speaks?|speaking|spoke|asks?|asking|asked|shouts?|shouting|shouted|explains?|explaining|explained|narrat\w+|voice|talks?|talking|talked|replies|replied|announces?|announced|whispers?|whispered)\b`)
	// reading are words of what is read or said letter by letter.
	reading = regexp.MustCompile(`(?i)\b(?:reads?|says?|said|saying|shows?|shouts?|shouted|calls?|sings?|asks?|asked|spoken|speaks?|whispers?|announces?|replies|replied|sign|text|words?|written|titled?|caption|captioned|label|labelled|labeled|banner|poster|screen|letters|displays?|logo|subtitles?)\b`)
)
