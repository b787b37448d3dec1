package probe

import (
	"fmt"
	"image"
	"image/color"
	"math/rand/v2"
	"slices"
	"strings"

	"omniscope/bench/predict"
)

// screen is the size of most made clips: numbers on it are legible at any size that
// models see.
var screen = image.Pt(320, 180)

// grey is what is on the screen between marks.
func grey(size image.Point) image.Image { return sheet(size.X, size.Y, color.Gray{128}) }

// numbers draws n different numbers of so many digits.
func numbers(marks *rand.Rand, n, low, high int) []int {
	var all []int
	for len(all) < n {
		if x := low + marks.IntN(high-low); !slices.Contains(all, x) {
			all = append(all, x)
		}
	}
	return all
}

// visible reports whether what is shown for a time was sent.
func visible(sent *predict.Sent, from, to float64) bool {
	if sent.Frames == nil {
		return sent.Video != nil
	}
	return slices.ContainsFunc(sent.Frames.Times, func(t float64) bool { return t >= from-0.001 && t < to-0.001 })
}

const noPicture = "no picture is seen"

// length shows numbers at 10, 50 and 95 % of a minute.
func length(marks *rand.Rand) Trial {
	const seconds = 60
	shows := numbers(marks, 3, 10, 100)
	at := []float64{6, 30, 57}
	c := clip{seconds: seconds, fps: 2, blank: grey(screen)}
	for i, n := range shows {
		c.shown = append(c.shown, shown{at[i] - 3, at[i] + 3, card(screen, n)})
	}
	return Trial{Name: "length", Tests: "whether the picture is seen from beginning to end", clip: c,
		Question: "Large numbers are shown in this clip, one after the other, with grey between them. Which numbers are shown? Answer with the numbers only, with commas between them, or NONE if you see no number.",
		read: func(answer string, sent *predict.Sent) finding {
			var asked, times []int
			for i, n := range shows {
				if visible(sent, at[i]-3, at[i]+3) {
					asked, times = append(asked, n), append(times, int(at[i]))
				}
			}
			return readLength(numbersIn(answer), asked, times)
		}}
}

func readLength(answered, asked, times []int) finding {
	f := finding{Perception: Perceived, Expected: listed(asked)}
	var seen, unseen []string
	for i, n := range asked {
		at := fmt.Sprintf("%d s", times[i])
		if slices.Contains(answered, n) {
			seen = append(seen, at)
		} else {
			unseen = append(unseen, at)
		}
	}
	other := strangers(answered, asked)
	switch {
	case len(asked) == 0:
		return finding{Perception: NotSent, Perceived: "the profile sends no frame with a number"}
	case len(answered) == 0:
		f.Perception, f.Perceived = NotPerceived, noPicture
	case len(seen) == 0:
		f.Perception, f.Perceived = NotPerceived, "other numbers are named than those shown"
	case len(other) > len(asked):
		f.Perception, f.Perceived = NotPerceived, "many numbers are named that were not shown: it guesses"
	case len(unseen) > 0:
		f.Perception, f.Perceived = Partly, "the picture is seen at "+strings.Join(seen, ", ")+" and not at "+strings.Join(unseen, ", ")
	default:
		f.Perceived = "the picture is seen at " + strings.Join(seen, ", ") + " of 60 s"
	}
	if len(other) > 0 && f.Perception == Perceived {
		f.Perception, f.Perceived = Partly, f.Perceived+"; numbers that were not shown: "+listed(other)
	}
	return f
}

// order shows a card in each of eight frames, one a second, so that no frame can be
// lost without one card lost.
func order(marks *rand.Rand) Trial {
	const n = 8
	cards := numbers(marks, n, 10, 100)
	c := clip{seconds: n, fps: 1, blank: grey(screen)}
	for i, number := range cards {
		c.shown = append(c.shown, shown{float64(i), float64(i + 1), card(screen, number)})
	}
	return Trial{Name: "order", Tests: "whether all frames are seen, and in their order", clip: c,
		Question: "Each frame of this clip shows one number. Which numbers are shown, in the order in which they appear? Answer with the numbers only, with commas between them, or NONE if you see no number.",
		read: func(answer string, sent *predict.Sent) finding {
			var asked []int
			for i, number := range cards {
				if visible(sent, float64(i), float64(i+1)) {
					asked = append(asked, number)
				}
			}
			return readOrder(slices.Compact(numbersIn(answer)), asked)
		}}
}

func readOrder(answered, asked []int) finding {
	f := finding{Perception: Partly, Expected: listed(asked)}
	var places []int // of the cards that were named
	for _, n := range answered {
		if i := slices.Index(asked, n); i >= 0 && !slices.Contains(places, i) {
			places = append(places, i)
		}
	}
	inOrder := slices.IsSorted(places)
	switch other := strangers(answered, asked); {
	case len(asked) < 2:
		return finding{Perception: NotSent, Perceived: "the profile sends fewer than two frames"}
	case len(answered) == 0:
		f.Perception, f.Perceived = NotPerceived, noPicture
	case len(places) < 2:
		f.Perception, f.Perceived = NotPerceived, fmt.Sprintf("%d of %d frames are seen", len(places), len(asked))
	case len(places) == len(asked) && inOrder && len(other) == 0:
		f.Perception, f.Perceived = Perceived, fmt.Sprintf("all %d frames are seen, in their order", len(asked))
	case len(places) == len(asked) && !inOrder:
		f.Perceived = fmt.Sprintf("all %d frames are seen, in another order", len(asked))
	case inOrder && everySecond(places, len(asked)):
		f.Perceived = fmt.Sprintf("every second frame is seen, %d of %d", len(places), len(asked))
	default:
		f.Perceived = fmt.Sprintf("%d of %d frames are seen, %s", len(places), len(asked), map[bool]string{true: "in their order", false: "in another order"}[inOrder])
		if len(other) > 0 {
			f.Perceived += "; numbers that were not shown: " + listed(other)
		}
	}
	return f
}

// everySecond reports whether the places are every second one of n.
func everySecond(places []int, n int) bool {
	for i, place := range places {
		if place != places[0]+2*i {
			return false
		}
	}
	return len(places) >= n/2 && n > 3
}

// Heights of the lines of the chart, in cells' sides; a digit is seven cells high.
var lineCells = []int{8, 4, 2}

// detail shows lines of numbers, each half as high as the one above.
func detail(marks *rand.Rand) Trial {
	size := image.Pt(672, 364)
	shows := numbers(marks, len(lineCells), 100, 1000)
	chart := sheet(size.X, size.Y, color.White)
	for i, cell := range lineCells {
		drawNumber(chart, shows[i], cell, image.Pt(60, 40+100*i))
	}
	return Trial{Name: "detail", Tests: "whether the picture is seen at the size that was sent", clip: clip{seconds: 4, fps: 1, blank: chart},
		Question: "The picture shows three numbers of three digits below each other, from large to very small print. Which are they? Answer with the numbers only, with commas between them; leave out those that you cannot read. Answer NONE if you see no number.",
		read: func(answer string, sent *predict.Sent) finding {
			width, height := size.X, size.Y
			if f := sent.Frames; f != nil {
				width, height = f.Width, f.Height
			}
			scale := min(float64(width)/float64(size.X), float64(height)/float64(size.Y))
			return readDetail(numbersIn(answer), shows, scale, fmt.Sprintf("%d x %d", width, height))
		}}
}

// readDetail expects the lines that are large enough at the scale at which the
// picture was sent.
func readDetail(answered, shows []int, scale float64, size string) finding {
	const legible = 12 // pixels of a digit's height
	var asked, heights []int
	read, unread := "", ""
	for i, n := range shows {
		h := scale * float64(digitHigh*lineCells[i])
		if h < legible {
			continue
		}
		asked, heights = append(asked, n), append(heights, int(h+0.5))
		at := fmt.Sprintf("%d pixels", int(h+0.5))
		if slices.Contains(answered, n) {
			read = at
		} else if unread == "" {
			unread = at
		}
	}
	f := finding{Perception: Perceived, Expected: listed(asked)}
	switch {
	case len(asked) == 0:
		return finding{Perception: NotSent, Perceived: "the profile sends pictures of " + size + ", too small for any print"}
	case read == "" && len(answered) == 0:
		f.Perception, f.Perceived = NotPerceived, noPicture+", or nothing on it can be read"
	case read == "":
		f.Perception, f.Perceived = NotPerceived, "other numbers are named than those shown"
	case len(strangers(answered, shows)) > len(asked):
		f.Perception, f.Perceived = NotPerceived, "many numbers are named that were not shown: it guesses"
	case unread != "":
		f.Perception = Partly
		f.Perceived = fmt.Sprintf("digits of %s are read and of %s not, in pictures sent at %s: they are made smaller before the model sees them, or its sight is coarse", read, unread, size)
	default:
		f.Perceived = fmt.Sprintf("digits of %d pixels are read, in pictures sent at %s", heights[len(heights)-1], size)
	}
	return f
}

// strangers are the numbers of an answer that were not shown.
func strangers(answered, asked []int) []int {
	return slices.DeleteFunc(slices.Clone(answered), func(n int) bool { return slices.Contains(asked, n) })
}

func listed[T any](all []T) string {
	var text []string
	for _, x := range all {
		text = append(text, fmt.Sprint(x))
	}
	return strings.Join(text, ", ")
}
