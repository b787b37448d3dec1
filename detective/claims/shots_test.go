package claims_test

import (
	"slices"
	"testing"

	"omniscope"
	"omniscope/perceive"
)

// threeShots is what tools observe in a clip of three shots, black before the
// last one, in the order in which they say it.
func threeShots() []tool {
	counted := seen(perceive.Scene, 0, 0, 0.9, "There are 3 shots in 9.00 s, parted by hard cuts or black: 0.00–3.00, 3.00–6.00, 6.50–9.00 s.", "")
	counted.Values = map[string]float64{"shots": 3, "length_s": 9}
	black := seen(perceive.Scene, 6, 6.5, 0.95, "From 6.00 s to 6.50 s the picture is black.", "")
	black.Values = map[string]float64{"black_s": 0.5}
	return []tool{
		observer("scene", omniscope.Visual, counted,
			seen(perceive.Scene, 0, 0, 0.9, "In the whole clip the dominant colour is red.", ""),
			seen(perceive.Scene, 3, 6, 0.9, "The brightest shot is that from 3.00 s to 6.00 s, which is bright (mean brightness 180 of 255).", ""),
			seen(perceive.Scene, 0, 3, 0.9, "In the shot from 0.00 s to 3.00 s the dominant colour is red.", ""),
			seen(perceive.Scene, 3, 6, 0.9, "In the shot from 3.00 s to 6.00 s the dominant colour is white.", ""),
			seen(perceive.Scene, 3, 6, 0.9, "From 3.00 s to 6.00 s the picture is nearly still.", ""),
			seen(perceive.Cut, 3, 3, 0.9, "At 3.00 s there is a hard cut.", ""), black),
		observer("sound", omniscope.Audio,
			seen(perceive.Sound, 0, 0, 0.9, "the sound is loud: -10.0 LUFS", ""), seen(perceive.Sound, 0, 0, 0.9, "the sound is mono", ""),
			seen(perceive.Sound, 7, 7.2, 0.9, "a short sound stands out by 12 dB", ""), seen(perceive.Sound, 3.5, 3.7, 0.9, "a short sound stands out by 12 dB", ""),
			seen(perceive.Sound, 0.5, 0.7, 0.9, "a short sound stands out by 12 dB", "")),
		observer("ocr", omniscope.Visual,
			seen(perceive.Text, 1, 2, 0.9, "From 1.00 s to 2.00 s the picture shows the words “PIER”.", "PIER"),
			seen(perceive.Text, 7, 8, 0.9, "From 7.00 s to 8.00 s the picture shows the words “END”.", "END")),
		observer("asr", omniscope.Audio, seen(perceive.Speech, 4, 5, 0.9, "speech", "good day")),
	}
}

func TestOfflineCaptionShotByShot(t *testing.T) {
	checkSentences(t, sentences(threeShots()...),
		"Shot 1, from 0.00 s to 3.00 s: the dominant colour is red.|o7 o4",
		"From 0.50 s to 0.70 s a short sound stands out by 12 dB.|o13",
		"From 1.00 s to 2.00 s the picture shows the words “PIER”.|o14",
		"Shot 2, from a cut at 3.00 s to 6.00 s: it is the brightest shot, bright (mean brightness 180 of 255); the dominant colour is white.|o7 o3 o5",
		"From 3.00 s to 6.00 s the picture is nearly still.|o6",
		"From 3.50 s to 3.70 s a short sound stands out by 12 dB.|o12",
		"From 4.00 s to 5.00 s somebody says: “good day”.|o16",
		"From 6.00 s to 6.50 s the picture is black.|o8",
		"Shot 3 lasts from 6.50 s to 9.00 s, after black.|o8",
		"From 7.00 s to 7.20 s a short sound stands out by 12 dB.|o11",
		"From 7.00 s to 8.00 s the picture shows the words “END”.|o15",
		"There are 3 shots in 9.00 s, parted by hard cuts or black.|o1",
		"In the whole clip the dominant colour is red.|o2",
		"The sound is loud: -10.0 LUFS.|o9",
		"The sound is mono.|o10")
}

// TestShotsOfSentences checks that the sentences of the shots come in order, before the sentences about the entire clip.
func TestShotsOfSentences(t *testing.T) {
	var shots []int
	for _, s := range described(threeShots()...) {
		if n := len(shots); n == 0 || shots[n-1] != s.Shot {
			shots = append(shots, s.Shot)
		}
		if s.Whole != (s.Shot == 0) {
			t.Errorf("%+v", s)
		}
	}
	if !slices.Equal(shots, []int{1, 2, 3, 0}) {
		t.Errorf("sentences are of shots %v", shots)
	}
}

// One sentence describes several shots without observations.
func TestShotsWithoutObservations(t *testing.T) {
	var cuts []perceive.Observation
	for _, at := range []float64{1, 2, 3, 4} {
		cuts = append(cuts, seen(perceive.Cut, at, at, 0.9, "A cut.", ""))
	}
	heard := seen(perceive.Sound, 3.5, 4.2, 0.9, "a door closes", "")
	checkSentences(t, sentences(observer("scene", omniscope.Visual, cuts...), observer("sound", omniscope.Audio, heard)),
		"Shot 1 lasts from 0.00 s to 1.00 s.|o1",
		"Shots 2 and 3, from 1.00 s to 3.00 s, begin with cuts at 1.00 s and 2.00 s.|o1 o2",
		"Shot 4 lasts from a cut at 3.00 s to 4.00 s.|o3",
		"From 3.50 s to 4.20 s: a door closes.|o5",
		"Shot 5 lasts from a cut at 4.00 s to the end.|o4")
}

// What is black between two shots is told by itself, and so is a cut to black.
func TestCutToBlack(t *testing.T) {
	black := seen(perceive.Scene, 4, 5, 0.95, "From 4.00 s to 5.00 s the picture is black.", "")
	black.Values = map[string]float64{"black_s": 1}
	cut := func(at float64) perceive.Observation { return seen(perceive.Cut, at, at, 0.9, "A cut.", "") }
	checkSentences(t, sentences(observer("scene", omniscope.Visual, cut(4), cut(5), cut(8), black)),
		"Shot 1 lasts from 0.00 s to 4.00 s.|o1",
		"At 4.00 s the picture cuts.|o1",
		"From 4.00 s to 5.00 s the picture is black.|o4",
		"Shots 2 and 3, from 5.00 s to the end, begin with cuts at 5.00 s and 8.00 s.|o4 o2 o3")
}

// Two tools that see the same cut see one shot begin.
func TestCutsOfTwoToolsBeginOneShot(t *testing.T) {
	checkSentences(t, sentences(observer("scene", omniscope.Visual, seen(perceive.Cut, 4, 4, 0.9, "A cut.", "")),
		observer("eye", omniscope.Visual, seen(perceive.Cut, 4.2, 4.2, 0.6, "A cut.", ""), seen(perceive.Cut, 7, 7, 0.3, "A cut.", ""))),
		"Shot 1 lasts from 0.00 s to 4.00 s.|o1",
		"Shot 2 lasts from a cut at 4.00 s to the end.|o1 o2",
		"At 7.00 s the picture may cut.|o3")
}
