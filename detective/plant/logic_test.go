package plant

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// unplantable are sentences that a changed word may leave true, or make no sentence.
var unplantable = []string{
	// bounds
	"There are at least two cuts in the clip.", "At least four people walk by.", "There are more than six birds.", "Up to three cars are visible.", "Fewer than three cars are visible.",
	"At most five boats leave.", "No fewer than two dogs bark.", "As many as six balloons rise.", "Over 20 fans cheer.", "Under 30 people wait.", "Less than 40 seconds pass.", "Two or more girls laugh.",
	"A minimum of three lamps burn.", "Not more than two men lift it.", "Nearly 50 birds land.",
	// vague counts, ranges and alternatives
	"A bell rings two or three times.", "About 20 people stand in a queue.", "Around 15 boats lie there.", "Roughly 12 people dance.", "Between two and four dogs run.", "Two to three men push it.", "4-5 children play.",
	"Some red cars pass.", "Several blue boats lie there.", "Either a man or a woman speaks.", "A red or blue car stops.", "Half of the four chairs are red.", "Another two men arrive.", "Two more dogs come.",
	// negations
	"A man walks without a red hat.", "There is no red ball.", "No woman speaks.", "The dog does not bark.", "The dog doesn’t bark.", "Nobody hears the two bells.", "The woman, rather than the man, sings.", "She never says a word.",
	"Neither of the two dogs barks.", "He hardly speaks.", "A bowl instead of a red plate is used.", "The red coat is missing.", "Unlike the man, the woman speaks.",
	// possibilities
	"The car may be red.", "It could be two dogs.", "Perhaps a woman speaks.", "He might say \"Stop\".", "If two dogs bark, he leaves.", "It seems that a man speaks.", "The wall looks like a red wall.", "Is the car red?",
	"A woman will speak after the bell.", "He wants two tickets.",
	// parts and several colours
	"The video is in black and white.", "A bright red-orange sunset.", "A red and white flag waves.", "The wall is partly red.", "The picture is mostly red.", "A red, white and blue car stops.",
	// names and fixed words
	"The White House appears.", "Orange County is seen.", "A glass of orange juice stands there.", "A white man smiles.", "He drinks red wine.", "Black pepper is added.", "An orange is peeled.", "A red light flashes.", "The Red Cross arrives.",
	"Mr. Brown waves.", "A black hole is shown.", "Five Guys is open.", "He plays for Boys Town.", "Iron Man speaks.",
	// fractions, times, decimals, identifiers
	"Two-thirds of the crowd cheer.", "Two thirds of the people cheer.", "Three quarters of the seats are empty.", "At 3:15 the train leaves.", "At two o'clock the train leaves.", "He eats in Room 12.", "In room 12 guests wait.",
	"The film is from 1999 and costs 3.5 million dollars.", "Bus 7 stops here.", "Chapter two begins.", "Two hundred people sing.", "It costs $5 there.", "Flight 93 lands.", "One of two women waves.", "A two-storey house burns.",
	"Twenty-two birds fly.", "1,000 people march.", "2.5 seconds pass.", "It is 20 percent full.", "Page 3 lists names.", "Half past two he leaves.", "He ranks 5th of all.", "Two and a half minutes pass.",
	"One in four dogs barks.", "In 2 of 5 cases, a car is red.", "Two, three, four birds land.", "Both of the two dogs bark.", "Each of the two men talks.", "Every two seconds a bell is heard.", "Three out of four walls are red.",
	"Two or, better, three kites fly.", "The score is 3 to 1.", "A number 7 shirt is worn.", "All four cars are red.",
	// forms and things that have no other
	"People are cheering and applauding.", "A golden retriever with golden fur and silver tag.", "Rain falls on the roof.", "The crowd roars.", "Crows sit on a wire.", "Music plays.", "A traffic light blinks.", "He peels a bell pepper.",
	"The music plays before the talk.", "A man walks before noon and after it.", "He stands before a mirror.", "She looks after the child.", "The bell rings again after the horn.", "For the first time it works.", "A so-called \"smart\" phone lies there.",
	"A man and a woman talk.", "A woman hears a voice.", "A man says he lost his coat.", "An actor speaks.",
	`A sign reads "Do not disturb".`, `Someone says "That was a gift".`,
	"There is one knife.", "There is one human.", "There is one left.", "There is one here.", "There is one dog, and it runs.", "There is one potato.",
	// other bounds, negations and times
	"Approx. 20 people wait.", "Max. 5 people wait.", "≥ 3 people wait.", "There are > 3 people.", "It shows an estimated 20 people.", "20 plus people wait.", "20 odd people wait.", "Over twenty people cheer.", "Two of the three dogs run.",
	"The street is devoid of red cars.", "There are zero red cars.", "The lot is full, excluding red cars.", "Apart from a red car, the lot is bare.", "A ban on red cars is announced.", "The red bag is invisible.", "Whenever two dogs run, he leaves.",
	"It is five minutes past noon.", "It is 5 minutes to three.", "The clock strikes nine dogs run.", "In building 7 walls collapse.", "In bed 3 patients sleep.", "A player numbered 10 runs fast.", "The 7 stops here.",
	// what may be so of another, too
	"A quarter of the five cars are red.", "20 % of cars are red.", "Two-thirds of the cars are red.", "Two of the cars are red.", "A minority of the cars are red.",
	"One door is red.", "One man speaks.", "A woman also speaks.", "A woman speaks, too.",
	// what may come again
	"A car stops after a dog howls.", "Cars leave after the bell.", "A voice is heard before the siren.", "First it rains.", "First, the band plays.", "He speaks. A woman walks by.",
	// tones of a colour
	"A pale green wall stands there.", "A dark red car stops.",
}

func TestSentencesThatAnotherWordMayLeaveTrue(t *testing.T) {
	for _, sentence := range unplantable {
		for seed := range uint64(25) {
			if changed, planted := In(sentence, Kinds, seed); len(planted) > 0 || changed != sentence {
				t.Errorf("%q: %+v", sentence, planted)
				break
			}
		}
	}
}

// TestTheRestOfASentenceFits names what each sentence is changed to, as a form.
func TestTheRestOfASentenceFits(t *testing.T) {
	for _, c := range []struct{ kind, sentence, form string }{
		{"colour", "An orange wall stands there.", `^A (blue|green|purple|black|white) wall stands there\.$`},
		{"colour", "A blue wall stands there.", `^(A (red|yellow|pink|brown)|An orange) wall stands there\.$`},
		{"colour", "He wears a red leather jacket.", `^He wears a (blue|green|white|black|yellow) leather jacket\.$`},
		{"colour", "The car is red.", `^The car is (blue|green|white|black|yellow)\.$`},
		{"colour", "A grey wall stands there.", `^(A (red|yellow|purple|pink)|An orange) wall stands there\.$`},
		{"count", "Two dogs bark.", `^(Four|Five|Six|Seven) dogs bark\.$`},
		{"count", "There is 1 cut.", `^There are [3456] cuts\.$`},
		{"count", "There is one box.", `^There are (three|four|five|six) boxes\.$`},
		{"count", "It lasts 30 seconds.", `^It lasts ([6-8][0-9]|90) seconds\.$`},
		{"count", "A group of four men waits.", `^A group of (six|seven|eight|nine) men waits\.$`},
		{"order", "She leaves after the bell.", `^She leaves before the bell\.$`},
		{"order", "After the bell, she leaves.", `^Before the bell, she leaves\.$`},
		{"speaker", "A man's voice is heard.", `^A woman's voice is heard\.$`},
		{"sound", "The dog is barking.", `^The dog is (meowing|neighing|quacking)\.$`},
		{"sound", "Then applause is heard.", `^Then (laughter|thunder|birdsong|gunfire|music|rain) is heard\.$`},
		{"sound", "A siren sounds.", `^A (bell|whistle|horn) sounds\.$`},
		{"text", `A sign reads "EXIT".`, `^A sign reads "[A-Z]+"\.$`},
		{"colour", "A man can be seen in a red coat.", `^A man can be seen in a (blue|green|white|black|yellow) coat\.$`},
	} {
		for seed := range uint64(25) {
			changed, planted := In(c.sentence, []string{c.kind}, seed)
			if len(planted) != 1 || planted[0].Reason == "" || changed == c.sentence || !regexp.MustCompile(c.form).MatchString(changed) {
				t.Errorf("%s: %q with seed %d: %q, %+v", c.kind, c.sentence, seed, changed, planted)
				break
			}
		}
	}
}

// TestWordsThatMayBeTrueByTheRestOfTheCaption names words that are never planted, as another sentence makes them true.
func TestWordsThatMayBeTrueByTheRestOfTheCaption(t *testing.T) {
	for _, c := range []struct{ caption, not string }{
		{"The audience laughs. Applause is heard.", "Laughter"},
		{"A band is on the stage. Applause is heard.", "Music"},
		{"Birds sing. Rain is heard.", "Birdsong"},
		{"Lightning flashes. Music is heard.", "Thunder"},
		{"A soldier fires a gun. Music is heard.", "Gunfire"},
		{"An ambulance passes. A bell sounds.", "siren"},
		{"A grey car waits. A crimson car waits.", "red"},
		{"A brown vase stands there. A navy bowl is on it.", "blue"},
		{"A man speaks. A female narrator explains the plan.", "woman"},
		{"A man speaks. A girl says hello to the crowd.", "woman"},
		{"A sign reads \"Gate 4\". There is also “Gate 5”.", `"Gate 5"`},
	} {
		for seed := range uint64(50) {
			_, planted := In(c.caption, Kinds, seed)
			for _, p := range planted {
				if strings.EqualFold(p.To, c.not) {
					t.Fatalf("%q: %+v", c.caption, p)
				}
			}
		}
	}
}

// TestEveryPlantIsFalse makes captions of parts with a known meaning, and compares what each plant claims with it.
func TestEveryPlantIsFalse(t *testing.T) {
	subjects := []string{"A red car", "An orange kite", "A white horse", "Three dogs", "12 birds", "A man in a blue coat", "A woman"}
	events := []string{"stops", "arrives after the bell", "says \"Go on\"", "is heard before a horn", "waits for 2 minutes", "runs past two benches"}
	doubts := []string{"", "At least ", "Perhaps ", "No fewer than ", "About "}
	bad := regexp.MustCompile(`(?i)\ba [aeiou]|\ban [^aeiou ]|\b(?:at least|perhaps|no fewer than|about)\b`)
	for seed := range uint64(400) {
		pick := func(list []string, salt uint64) string {
			return list[(seed*2654435761+salt*40503)>>7%uint64(len(list))]
		}
		var sentences []string
		for n := range uint64(4) {
			sentences = append(sentences, pick(doubts, n+1)+pick(subjects, n+11)+" "+pick(events, n+23)+".")
		}
		caption := strings.Join(sentences, " ")
		changed, planted := In(caption, Kinds, seed)
		for _, p := range planted {
			switch {
			case p.Reason == "" || p.Was == p.Sentence || !strings.Contains(changed, p.Sentence):
				t.Fatalf("%+v in %q", p, changed)
			case bad.MatchString(p.Sentence):
				t.Fatalf("%q is planted in %q", p.Sentence, caption)
			case p.Kind != "text" && p.Kind != "order" && indexOf(stems(caption), stems(p.To)) >= 0:
				t.Fatalf("%+v may be true of something else in %q", p, caption)
			case p.Kind == "count" && countOf(strings.ToLower(p.To)) < countOf(strings.ToLower(p.From))+2:
				t.Fatalf("%+v is true of a part of what there is", p)
			case p.Kind == "colour" && !slices.Contains(colours[p.From], p.To):
				t.Fatalf("%+v may be taken for the same colour", p)
			}
		}
	}
}
