package probe

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"context"

	"omniscope/media"
)

// The listener knows how each voice says each digit, and names the one that a burst of
// sound is most alike: it tells whether the words arrive as they were made, and when, and
// not whether a model would understand them.

// coarse is how many samples are taken as one.
const coarse = 4

var (
	wordsMu    sync.Mutex
	knownWords = make(map[string][]float64)
)

// sayingOf is how a word sounds, from its first loud moment on, coarsely; nil where no
// program speaks the language.
func sayingOf(code, text string) []float64 {
	wordsMu.Lock()
	defer wordsMu.Unlock()
	if said, there := knownWords[code+text]; there {
		return said
	}
	voice, err := media.VoiceOf(context.Background(), code)
	if err != nil {
		return nil
	}
	pcm, err := voice.Say(context.Background(), text)
	if err != nil {
		panic(err)
	}
	samples := make([]float64, len(pcm)/2)
	for i := range samples {
		samples[i] = float64(int16(binary.LittleEndian.Uint16(pcm[2*i:]))) / (1 << 15)
	}
	v := &viewer{channels: [][]float64{samples}, hears: true}
	all := v.bursts()
	said := coarsely(samples[int(all[0][0]*heardRate):int(all[len(all)-1][1]*heardRate)])
	knownWords[code+text] = said
	return said
}

func coarsely(samples []float64) []float64 {
	out := make([]float64, len(samples)/coarse)
	for i := range out {
		for _, x := range samples[i*coarse : (i+1)*coarse] {
			out[i] += x
		}
	}
	return out
}

// spokenDigits are the digits that are heard in the language that a question names.
func (v *viewer) spokenDigits(question string) (all []string) {
	i := slices.IndexFunc(languages, func(l language) bool { return strings.Contains(question, "in "+l.name) })
	if i < 0 || !v.hears || v.knows != nil && !slices.Contains(v.knows, languages[i].name) {
		return nil
	}
	last := -1.0
	for _, b := range v.bursts() {
		if b[0]-last < 0.35 { // the same word goes on
			last = b[1]
			continue
		}
		last = b[1]
		all = append(all, v.digitAt(b[0], &languages[i]))
	}
	return all
}

// digitAt is the digit whose word is most like what is heard from a time on.
func (v *viewer) digitAt(seconds float64, l *language) string {
	const around = 0.06 // seconds by which the beginning may be elsewhere
	from := max(0, int((seconds-around)*heardRate))
	heard := coarsely(v.channels[0][from:])
	best, most := "?", 0.5
	for digit, text := range l.digits {
		if text == "" {
			continue
		}
		said := sayingOf(l.code, text)
		for shift := 0; shift < 2*around*heardRate/coarse && shift+len(said) <= len(heard); shift++ {
			if c := alike(said, heard[shift:shift+len(said)]); c > most {
				best, most = fmt.Sprint(digit), c
			}
		}
	}
	return best
}

// alike is the correlation of two sounds.
func alike(a, b []float64) float64 {
	var ab, aa, bb float64
	for i := range a {
		ab, aa, bb = ab+a[i]*b[i], aa+a[i]*a[i], bb+b[i]*b[i]
	}
	return ab / math.Sqrt(aa*bb+1e-12)
}
