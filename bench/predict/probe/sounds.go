package probe

import (
	"fmt"
	"image/color"
	"math/rand/v2"
	"slices"

	"omniscope/bench/predict"
)

const noSound = "no sound is heard"

// withPicture adds a grey picture where the model is sent files: their sound is read
// on a way of its own, which some servers leave out.
func (c clip) withPicture(film bool) clip {
	if film {
		c.fps, c.blank = 1, grey(screen)
	}
	return c
}

// Beeps of a group begin so many seconds apart.
const beepStep = 0.8

// group is n beeps in a row.
func group(at float64, n int) (all []beep) {
	for i := range n {
		all = append(all, beep{at + beepStep*float64(i), 0.3, -1})
	}
	return all
}

// beeps has a group of beeps in each quarter of a minute, of different numbers.
func beeps(marks *rand.Rand, film bool) Trial {
	const seconds = 60
	at, counts := []float64{3, 20, 36, 55}, []int{1, 2, 3, 4}
	marks.Shuffle(len(counts), func(i, j int) { counts[i], counts[j] = counts[j], counts[i] })
	c := clip{seconds: seconds, channels: 1}
	for i, n := range counts {
		c.beeps = append(c.beeps, group(at[i], n)...)
	}
	return Trial{Name: "beeps", Tests: "whether the sound is heard from beginning to end", clip: c.withPicture(film),
		Question: "The sound has groups of short beeps, with long silences between the groups. How many beeps has each group, in the order in which they are heard? Answer with the counts only, with commas between them, or NONE if you hear no sound.",
		read: func(answer string, sent *predict.Sent) finding {
			asked := counts
			if s := sent.Sound; s != nil {
				for len(asked) > 0 && at[len(asked)-1]+4*beepStep > s.Seconds {
					asked = asked[:len(asked)-1]
				}
			}
			return readBeeps(numbersIn(answer), asked, at)
		}}
}

// readBeeps compares counts; at is when the groups begin.
func readBeeps(answered, asked []int, at []float64) finding {
	f := finding{Perception: Partly, Expected: listed(asked)}
	end := func(i int) float64 { return at[i] + beepStep*float64(asked[i]) }
	right := 0
	for i := range min(len(answered), len(asked)) {
		if answered[i] == asked[i] {
			right++
		}
	}
	heard := len(answered)
	switch {
	case len(asked) == 0:
		return finding{Perception: NotSent, Perceived: "the profile sends too little sound"}
	case heard == 0 || heard == 1 && answered[0] == 0:
		f.Perception, f.Perceived = NotPerceived, noSound
	case slices.Equal(answered, asked):
		f.Perception, f.Perceived = Perceived, fmt.Sprintf("the sound is heard until %.0f s of 60 s", end(len(asked)-1))
	case heard < len(asked) && right == heard:
		f.Perceived = fmt.Sprintf("the sound is heard until %.0f s and not from %.0f s on: the rest is cut off", end(heard-1), at[heard])
	case right == 0:
		f.Perception, f.Perceived = NotPerceived, fmt.Sprintf("%d groups of beeps are named, none with the right count", heard)
	default:
		f.Perceived = fmt.Sprintf("%d groups of beeps are named of %d, %d with the right count", heard, len(asked), right)
	}
	return f
}

var sides = []string{"left", "right"}

// channels has beeps in the left or the right channel alone.
func channels(marks *rand.Rand, film bool) Trial {
	pattern := [][]int{{0, 1, 1}, {1, 0, 0}, {0, 1, 0}, {1, 0, 1}, {0, 0, 1}, {1, 1, 0}}[marks.IntN(6)] // not all on one side
	var want []string
	c := clip{seconds: 12, channels: 2}
	for i, side := range pattern {
		c.beeps = append(c.beeps, beep{2 + 3*float64(i), 1, side})
		want = append(want, sides[side])
	}
	t := Trial{Name: "channels", Tests: "whether the left and the right channel are told apart", clip: c.withPicture(film),
		Question: "Three beeps are heard, each from one side of a stereo sound only. From which side comes each, in their order? Answer with the words left or right only, with commas between them; BOTH if they come from both sides; NONE if you hear no sound.",
		read:     func(answer string, _ *predict.Sent) finding { return readChannels(answer, want) }}
	if !film {
		t.Unsent = "the profile sends sound as mono"
	}
	return t
}

func readChannels(answer string, want []string) finding {
	f := finding{Perception: NotPerceived, Expected: listed(want)}
	switch got := wordsIn(answer, append([]string{"both"}, sides...)); {
	case slices.Equal(got, want):
		f.Perception, f.Perceived = Perceived, "left and right are told apart"
	case slices.Contains(got, "both"):
		f.Perceived = "left and right are not told apart: the channels are mixed"
	case len(got) == 0:
		f.Perceived = noSound
	default:
		f.Perceived = "left and right are confused: the channels are mixed, or it guesses"
	}
	return f
}

var colours = []struct {
	name string
	rgb  color.RGBA
}{{"red", color.RGBA{220, 20, 20, 255}}, {"green", color.RGBA{20, 160, 40, 255}}, {"blue", color.RGBA{30, 60, 220, 255}}, {"yellow", color.RGBA{240, 220, 20, 255}}}

// alignment shows four colours for four seconds each, and beeps at two of them.
func alignment(marks *rand.Rand) Trial {
	const each = 4 // seconds
	c := clip{seconds: each * len(colours), fps: 2, channels: 1}
	beepAt := marks.Perm(len(colours))[:2]
	slices.Sort(beepAt)
	var want, names []string
	for i, which := range marks.Perm(len(colours)) {
		colour := colours[which]
		c.shown = append(c.shown, shown{float64(i * each), float64((i + 1) * each), sheet(screen.X, screen.Y, colour.rgb)})
		names = append(names, colours[i].name)
		if slices.Contains(beepAt, i) {
			want = append(want, colour.name)
			c.beeps = append(c.beeps, beep{float64(i*each) + 1.5, 1, -1})
		}
	}
	return Trial{Name: "alignment", Tests: "whether sound and picture are brought together", clip: c,
		Question: "The picture of this clip changes its colour every few seconds, and two beeps are heard. Which colour does the picture have while each beep is heard? Answer with two of the words " + listed(names) + " only, in the order of the beeps, with a comma between them, or NONE if you hear no beep or see no picture.",
		read: func(answer string, sent *predict.Sent) finding {
			for _, i := range beepAt {
				if !visible(sent, float64(i*each), float64((i+1)*each)) {
					return finding{Perception: NotSent, Perceived: "the profile sends no frame of a beep's time"}
				}
			}
			return readAlignment(wordsIn(answer, names), want)
		}}
}

func readAlignment(answered, want []string) finding {
	f := finding{Perception: NotPerceived, Expected: listed(want)}
	switch {
	case slices.Equal(answered, want):
		f.Perception, f.Perceived = Perceived, "the colours at both beeps are named"
	case len(answered) == 0:
		f.Perceived = "no sound is heard, or no picture is seen"
	case len(answered) == 1 && answered[0] == want[0]:
		f.Perception, f.Perceived = Partly, "the colour at the first beep alone is named"
	default:
		f.Perceived = "other colours are named: sound and picture are not brought together"
	}
	return f
}

// unspoken asks what is said where there is no speech.
func unspoken(name, tests string, picture bool, channels int) Trial {
	c := clip{seconds: 4, channels: channels}.withPicture(picture)
	return Trial{Name: name, Tests: tests, clip: c,
		Question: "Which words are spoken in this clip? Write down exactly what is said, or the word NOTHING alone if nobody speaks.",
		read: func(answer string, _ *predict.Sent) finding {
			f := finding{Perception: Perceived, Expected: "NOTHING", Perceived: "no speech is invented"}
			if !noSpeech(answer) {
				f.Perception, f.Perceived = NotPerceived, "speech is invented where there is none"
			}
			return f
		}}
}
