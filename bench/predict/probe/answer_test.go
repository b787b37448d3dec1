package probe

import (
	"slices"
	"testing"

	"omniscope"
	"omniscope/bench/predict"
)

func TestNumbersInAnswers(t *testing.T) {
	for answer, want := range map[string][]int{
		"12, 34":                          {12, 34},
		"The numbers are 12 and then 34.": {12, 34},
		"Two, three; four beeps":          {2, 3, 4},
		"NONE":                            nil,
		"":                                nil,
	} {
		if got := numbersIn(answer); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", answer, got, want)
		}
	}
}

func TestAnswersThatSayThatNobodySpeaks(t *testing.T) {
	for answer, want := range map[string]bool{
		"NOTHING":                         true,
		"Nothing.":                        true,
		"**NOTHING**":                     true,
		"There is no speech in the clip.": true,
		"Nobody speaks.":                  true,
		"The clip is silent":              true,
		"Thank you for watching!":         false,
		"Hello everyone":                  false,
		"I'm not sure.":                   false,
		"":                                false,
	} {
		if noSpeech(answer) != want {
			t.Errorf("%q: %v", answer, !want)
		}
	}
}

func TestReadingOfOrder(t *testing.T) {
	cards := []int{11, 12, 13, 14, 15, 16, 17, 18}
	for _, c := range []struct {
		answer []int
		want   string
	}{
		{cards, "perceived: all 8 frames are seen, in their order"},
		{[]int{18, 17, 16, 15, 14, 13, 12, 11}, "partly: all 8 frames are seen, in another order"},
		{[]int{12, 14, 16, 18}, "partly: every second frame is seen, 4 of 8"},
		{[]int{11, 12, 13, 14, 15}, "partly: 5 of 8 frames are seen, in their order"},
		{[]int{14, 11, 13}, "partly: 3 of 8 frames are seen, in another order"},
		{[]int{11, 99}, "not perceived: 1 of 8 frames are seen"},
		{nil, "not perceived: no picture is seen"},
		{append(slices.Clone(cards), 99), "partly: 8 of 8 frames are seen, in their order; numbers that were not shown: 99"},
	} {
		f := readOrder(c.answer, cards)
		if got := string(f.Perception) + ": " + f.Perceived; got != c.want {
			t.Errorf("%v: %q, want %q", c.answer, got, c.want)
		}
	}
}

func TestReadingOfBeeps(t *testing.T) {
	at := []float64{3, 20, 36, 55}
	for answer, want := range map[string]string{
		"4, 1, 2, 3": "perceived: the sound is heard until 57 s of 60 s",
		"4, 1":       "partly: the sound is heard until 21 s and not from 36 s on: the rest is cut off",
		"4, 1, 2, 2": "partly: 4 groups of beeps are named of 4, 3 with the right count",
		"9":          "not perceived: 1 groups of beeps are named, none with the right count",
		"zero":       "not perceived: no sound is heard",
	} {
		f := readBeeps(numbersIn(answer), []int{4, 1, 2, 3}, at)
		if got := string(f.Perception) + ": " + f.Perceived; got != want {
			t.Errorf("%q: %q, want %q", answer, got, want)
		}
	}
}

func TestReadingOfSpokenDigits(t *testing.T) {
	english, german := &languages[0], &languages[1]
	nine := []int{4, 7, 1, 2, 9, 5, 3, 8, 6}
	for _, c := range []struct {
		l      *language
		asked  []int
		answer string
		want   string
	}{
		{english, nine, "4 7 1, 2 9 5, 3 8 6", "perceived: English is understood until 60 s of 60 s"},
		{english, nine, "471 295 386", "perceived: English is understood until 60 s of 60 s"},
		{english, nine, "Four, seven, one; two nine five; three eight six.", "perceived: English is understood until 60 s of 60 s"},
		{english, nine, "4 7 1", "partly: English is understood until 10 s and not from 30 s on: the rest is cut off"},
		{english, nine, "4 7 1 2 9 5 3 8 8", "partly: 8 of 9 spoken digits are named"},
		{english, nine, "9 8 7 6 5 4", "not perceived: other digits are named than those that are spoken"},
		{english, nine, "NONE", "not perceived: no speech is heard, or English is not understood"},
		{german, nine[:3], "4, 7, 1", "perceived: German is understood"},
		{german, nine[:3], "4, 1", "partly: 1 of 3 spoken digits are named"},
		{german, nil, "4", "not sent: the profile sends too little sound"},
	} {
		f := c.l.read(digitsIn(c.answer), c.asked)
		if got := string(f.Perception) + ": " + f.Perceived; got != c.want {
			t.Errorf("%q: %q, want %q", c.answer, got, c.want)
		}
	}
	if got := english.within(nine, &predict.Sent{Sound: &predict.SentSound{Seconds: 40}}); len(got) != 6 {
		t.Errorf("of 40 s %v are expected", got)
	}
}

// TestMarksThatWereNotSentAreNotExpected: a profile that sends few frames or little
// sound is no fault of the endpoint.
func TestMarksThatWereNotSentAreNotExpected(t *testing.T) {
	for _, trial := range Trials(forms[0]) {
		sent := &predict.Sent{Frames: &predict.SentFrames{Count: 1, Width: 100, Height: 54, Times: []float64{15}}, Sound: &predict.SentSound{Seconds: 1}}
		if trial.Name == "silence" || trial.Name == "no sound track" || trial.Name == "channels" {
			continue
		}
		if f := trial.read("NONE", sent); f.Perception != NotSent {
			t.Errorf("%s: %s, %s", trial.Name, f.Perception, f.Perceived)
		}
	}
	first30 := &predict.Sent{Sound: &predict.SentSound{Seconds: 30, Of: 60}}
	for _, trial := range Trials(How{Modality: omniscope.Audio}) {
		if trial.Name != "beeps" {
			continue
		}
		expected := trial.read("NONE", first30).Expected
		if f := trial.read(expected, first30); f.Perception != Perceived || len(numbersIn(expected)) != 2 {
			t.Errorf("expected %q of 30 s: %s, %s", expected, f.Perception, f.Perceived)
		}
	}
}

func TestSeedChangesTheMarks(t *testing.T) {
	a, b, c := Trials(How{Modality: omniscope.Visual, Seed: 1}), Trials(How{Modality: omniscope.Visual, Seed: 2}), Trials(How{Modality: omniscope.Visual, Seed: 1})
	sent := &predict.Sent{Video: &predict.SentVideo{}}
	expected := func(t []Trial) string { return t[1].read("", sent).Expected }
	if expected(a) == expected(b) || expected(a) != expected(c) {
		t.Errorf("%s, %s, %s", expected(a), expected(b), expected(c))
	}
}
