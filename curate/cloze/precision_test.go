package cloze

import (
	"strings"
	"testing"
)

// one makes a draft of one blank: "passage | answer / distractor / ...".
func one(text string) *Draft {
	passage, options, _ := strings.Cut(text, " | ")
	all := strings.Split(options, " / ")
	return &Draft{Passage: strings.Replace(passage, "@", mark(1), 1), Blanks: []draftBlank{{1, all[0], all[1:], "visual"}}}
}

// Each of these looks like a fault and is none.
func TestWhatIsNoFault(t *testing.T) {
	for name, text := range map[string]string{
		"part of a word":             "A hundred people watch a @ kite. | red / blue / pink / green",
		"a colour of another thing":  "A red bus passes a @ kite. | red / blue / pink / green",
		"a small number":             "Two dogs run and @ cats sleep. | two / five / six / nine",
		"a side of another thing":    "On the left a man lifts his @ hand. | left / right / gloved / bare",
		"a function word":            "She puts it on the table and the cup @ it. | on / under / beside / behind",
		"a title with a point":       "Dr. Mono plays the @. | harp / lute / drum / horn",
		"a thing with minutes":       "He boils a three-minute egg in a @. | pot / pan / jar / tin",
		"an ordinal":                 "The first second violin plays a @. | waltz / polka / march / tango",
		"a general time":             "For a few seconds a @ rings, and moments later it stops. | bell / phone / gong / alarm",
		"a clock":                    "The clock on the wall reads 7:45 above a @. | sofa / stove / desk / bath",
		"quoted speech":              `He says "give me five minutes" to the @. | cook / guard / nurse / clerk`,
		"what a display shows":       "The display shows @. | 12:40 / 12:50 / 13:40 / 14:20",
		"music of a decade":          "An 80s synth plays over the @. | cheers / hisses / whispers / claps",
		"words in brackets":          "He gives her (blank as ever) a @. | look / note / cup / coin",
		"numbers in another order":   "The score is @. | 1-0 / 0-1 / 2-0 / 0-2",
		"directions":                 "The camera pans @. | left to right / right to left / up and down / in circles",
		"who does what":              "The clip shows how a @. | cat hits dog / dog hits cat / goat runs off / hen flies off",
		"signs of numbers":           "The thermometer says @. | -5 / +5 / -15 / 15",
		"letters of music":           "The key is @. | C / C# / A / B",
		"initials":                   "The logo is that of @. | L.A. X / Portland Lumberjacks / Motown Muscle / Dallas Strikers",
		"a word with a digit":        "She puts on @. | 3D glasses / sunglasses / goggles / a monocle",
		"I":                          "She says: @. | I surrender / we surrender / you win / they left",
		"an article some others fit": "It is an @. | oboe / flute / organ / tuba",
		"an hour, a unicorn":         "It is a @. | unicorn / horse / donkey / zebra",
		"a longer option among long": "He @. | waves at the crowd with both hands / bows / sits down on the steps / yawns",
	} {
		if f := check(one(text), Rules{}); len(f) > 0 {
			t.Errorf("%s: %s: %v", name, text, f)
		}
	}
}

// Each of these is close to one of the above and a fault.
func TestWhatIsAFault(t *testing.T) {
	for name, c := range map[string]struct{ text, check string }{
		"a colour of the same thing":   {"The red kite rises. A boy holds the @ kite. | red / blue / pink / green", "leak"},
		"after the thing":              {"The kite is red. A boy holds a @ kite. | red / blue / pink / green", "leak"},
		"the plural":                   {"Harps stand around. He plays a @. | harp / lute / drum / horn", "leak"},
		"a whole number of seconds":    {"After 12 seconds a @ rings. | bell / phone / gong / buzzer", "time"},
		"a duration that a blank ends": {"It rings for @ seconds. | two / six / nine / ten", "time"},
		"a timestamp":                  {"At 0:12 a @ rings. | bell / phone / gong / buzzer", "time"},
		"a range":                      {"From 00:12 to the end a @ rings. | bell / phone / gong / buzzer", "time"},
		"a pause":                      {"After a 12-second pause a @ rings. | bell / phone / gong / buzzer", "time"},
		"only one fits the article":    {"It is an @. | oboe / flute / trumpet / tuba", "giveaway"},
		"a digit alone":                {"There are @. | 3 / three hens / many / no hens", "giveaway"},
		"the same name":                {"It is @. | the Beatles / Beatles! / Queen / Blur", "distinct"},
		"words in another order":       {"The flag is @. | red and white / white and red / blue and pink / green and gold", "distinct"},
	} {
		f := check(one(c.text), Rules{})
		if len(f) == 0 || blankNames(f) != c.check {
			t.Errorf("%s: %s: found %v, want %s", name, c.text, f, c.check)
		}
	}
}
