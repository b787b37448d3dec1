package probe

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"omniscope/internal/testing/fake"
)

// A viewer answers the questions of trials by what it perceives: it reads digits in
// pixels, measures the energy of samples, and knows nothing of what was sent.
type viewer struct {
	frames   []image.Image // in the order in which they are seen
	times    []float64     // of the frames, where something says them
	channels [][]float64   // of the first sound; nil = nothing is heard
	hears    bool          // there is a sound, be it silent
	knows    []string      // languages that it understands, by their names; nil = all
}

const heardRate = 16000 // of the samples of fake.Audio

func perceive(ctx context.Context, s *fake.Seen) (*viewer, error) {
	v := &viewer{}
	for _, i := range s.Images {
		p, err := i.Picture()
		if err != nil {
			return nil, err
		}
		v.frames = append(v.frames, p)
		if i.Time != nil {
			v.times = append(v.times, float64(*i.Time))
		}
	}
	for _, film := range s.Videos {
		frames, err := film.Pictures(ctx)
		if err != nil {
			return nil, err
		}
		v.frames, v.times = append(v.frames, frames...), append(v.times, film.FrameTimes...)
	}
	if sounds := s.Sounds(); len(sounds) > 0 {
		samples, err := sounds[0].Samples(ctx)
		if err != nil {
			return nil, err
		}
		v.channels, v.hears = samples, true
	}
	return v, nil
}

// answer answers by what the question is about.
func (v *viewer) answer(question string) string {
	switch {
	case strings.Contains(question, "Each frame of this clip shows one number"), strings.Contains(question, "Large numbers are shown"),
		strings.Contains(question, "three numbers of three digits"):
		return orNone(v.numbers())
	case strings.Contains(question, "groups of short beeps"):
		return orNone(v.counts())
	case strings.Contains(question, "Somebody speaks"):
		return orNone(v.spokenDigits(question))
	case strings.Contains(question, "From which side"):
		return orNone(v.sides())
	case strings.Contains(question, "Which colour"):
		return orNone(v.coloursAtBeeps())
	case strings.Contains(question, "Which words are spoken"):
		if len(v.bursts()) > 0 {
			return "Something is heard."
		}
		return "NOTHING"
	}
	return "what?"
}

func orNone(all []string) string {
	if len(all) == 0 {
		return "NONE"
	}
	return strings.Join(all, ", ")
}

// numbers are the numbers on all frames; one that stays is named once.
func (v *viewer) numbers() (all []string) {
	for _, p := range v.frames {
		all = append(all, numbersOn(p)...)
	}
	return slices.Compact(all)
}

// numbersOn reads a picture line by line.
func numbersOn(p image.Image) (all []string) {
	b := p.Bounds()
	ink := func(x, y int) float64 { return 1 - float64(color.GrayModel.Convert(p.At(x, y)).(color.Gray).Y)/255 }
	if ink(b.Min.X, b.Min.Y) > 0.3 {
		return nil // not a white card
	}
	lines := runs(b.Min.Y, b.Max.Y, func(y int) bool {
		return slices.ContainsFunc(between(b.Min.X, b.Max.X), func(x int) bool { return ink(x, y) > 0.5 })
	})
	for _, line := range lines {
		number := ""
		for _, column := range runs(b.Min.X, b.Max.X, func(x int) bool {
			return slices.ContainsFunc(between(line[0], line[1]), func(y int) bool { return ink(x, y) > 0.5 })
		}) {
			number += digitIn(image.Rect(column[0], line[0], column[1], line[1]), ink)
		}
		if n, err := strconv.Atoi(number); err == nil {
			all = append(all, strconv.Itoa(n))
		}
	}
	return all
}

// digitIn reads one digit, "?" where it is not legible: a cell must be clearly black
// or clearly white, and all of them those of one digit.
func digitIn(box image.Rectangle, ink func(x, y int) float64) string {
	cell := float64(box.Dy()) / digitHigh
	wide := int(math.Round(float64(box.Dx()) / cell))
	if wide != digitWide && wide != 3 { // 1 is as narrow
		return "?"
	}
	for digit, rows := range digits {
		fits := true
		for y := 0; y < digitHigh && fits; y++ {
			row := rows[y]
			if wide == 3 {
				row = row[1:4]
			}
			for x := 0; x < wide && fits; x++ {
				dark := mean(float64(box.Min.X)+float64(x)*cell, float64(box.Min.Y)+float64(y)*cell, cell, ink)
				fits = row[x] == '#' && dark > 0.65 || row[x] != '#' && dark < 0.35
			}
		}
		if fits && (digit == 1) == (wide == 3) {
			return strconv.Itoa(digit)
		}
	}
	return "?"
}

// mean is how dark the inner half of a cell is, or its middle pixel.
func mean(x, y, cell float64, ink func(x, y int) float64) float64 {
	sum, n := 0.0, 0.0
	for py := int(y + cell/4); float64(py) < y+3*cell/4; py++ {
		for px := int(x + cell/4); float64(px) < x+3*cell/4; px++ {
			sum, n = sum+ink(px, py), n+1
		}
	}
	return sum / n
}

// runs are the stretches of from to to in which something holds.
func runs(from, to int, holds func(int) bool) (all [][2]int) {
	for i := from; i < to; i++ {
		if !holds(i) {
			continue
		}
		begin := i
		for i < to && holds(i) {
			i++
		}
		all = append(all, [2]int{begin, i})
	}
	return all
}

func between(from, to int) []int {
	all := make([]int, to-from)
	for i := range all {
		all[i] = from + i
	}
	return all
}

// window is what energy is measured in, 20 ms.
const window = heardRate / 50

// energy is the loudness of a channel in a window, from 0 to 1.
func energy(samples []float64) float64 {
	sum := 0.0
	for _, x := range samples {
		sum += x * x
	}
	return math.Sqrt(sum / float64(len(samples)))
}

// bursts are the stretches of seconds in which any channel sounds.
func (v *viewer) bursts() (all [][2]float64) {
	if !v.hears {
		return nil
	}
	loud := func(i int) bool {
		return slices.ContainsFunc(v.channels, func(c []float64) bool { return energy(c[i*window:(i+1)*window]) > 0.02 })
	}
	for _, run := range runs(0, len(v.channels[0])/window, loud) {
		all = append(all, [2]float64{float64(run[0]*window) / heardRate, float64(run[1]*window) / heardRate})
	}
	return all
}

// counts are the numbers of bursts between long silences.
func (v *viewer) counts() (all []string) {
	n, last := 0, 0.0
	for _, b := range v.bursts() {
		if n > 0 && b[0]-last > 3 {
			all, n = append(all, fmt.Sprint(n)), 0
		}
		n, last = n+1, b[1]
	}
	if n > 0 {
		all = append(all, fmt.Sprint(n))
	}
	return all
}

// sides are where the bursts come from.
func (v *viewer) sides() (all []string) {
	for _, b := range v.bursts() {
		if len(v.channels) < 2 {
			all = append(all, "BOTH")
			continue
		}
		part := func(c int) float64 {
			return energy(v.channels[c][int(b[0]*heardRate):int(b[1]*heardRate)])
		}
		switch left, right := part(0), part(1); {
		case left > 3*right:
			all = append(all, "left")
		case right > 3*left:
			all = append(all, "right")
		default:
			all = append(all, "BOTH")
		}
	}
	return all
}

// coloursAtBeeps are the colours of the frames nearest to the middles of the bursts.
func (v *viewer) coloursAtBeeps() (all []string) {
	if len(v.frames) == 0 || len(v.times) < len(v.frames) {
		return nil
	}
	for _, b := range v.bursts() {
		at := (b[0] + b[1]) / 2
		nearest := slices.MinFunc(between(0, len(v.frames)), func(i, j int) int {
			return cmp.Compare(math.Abs(v.times[i]-at), math.Abs(v.times[j]-at))
		})
		all = append(all, colourOf(v.frames[nearest]))
	}
	return all
}

// colourOf names the colour in the middle of a picture by which of red, green and
// blue are strong.
func colourOf(p image.Image) string {
	b := p.Bounds()
	r, g, bl, _ := p.At((b.Min.X+b.Max.X)/2, (b.Min.Y+b.Max.Y)/2).RGBA()
	strong := func(x uint32) bool { return 2*x > max(r, g, bl) }
	switch {
	case strong(r) && strong(g) && !strong(bl):
		return "yellow"
	case strong(r) && !strong(g):
		return "red"
	case strong(g) && !strong(r):
		return "green"
	case strong(bl):
		return "blue"
	}
	return "grey"
}
