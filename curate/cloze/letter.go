package cloze

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
)

// source is a source of draws that depends on its arguments alone.
func source(seed uint64, parts ...any) *rand.Rand {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %q", seed, parts))
	return rand.New(rand.NewPCG(binary.LittleEndian.Uint64(sum[:]), binary.LittleEndian.Uint64(sum[8:])))
}

// Letter makes a row of a draft whose blanks have three distractors. The right
// options of a row are spread over A to D as evenly as their number allows, in
// an order that the seed and the uuid decide; the distractors come in any order.
// Repairing one blank does not move the options of another.
func Letter(d *Draft, seed uint64) *Row {
	r := &Row{UUID: d.UUID, Video: d.Video, Cloze: rowCloze{Passage: d.Passage}}
	places := spread(len(d.Blanks), source(seed, d.UUID, "places"))
	for i, b := range d.Blanks {
		order := source(seed, d.UUID, b.Number).Perm(len(b.Distractors))
		r.Cloze.Blanks = append(r.Cloze.Blanks, b.lettered(places[i], order))
	}
	return r
}

// spread gives n blanks a place each, 0 to 3, every place as often as any other or
// once more.
func spread(n int, draw *rand.Rand) []int {
	out := make([]int, 0, n)
	for len(out) < n {
		out = append(out, draw.Perm(len(letters))...)
	}
	out = out[:n]
	draw.Shuffle(n, func(i, k int) { out[i], out[k] = out[k], out[i] })
	return out
}

// lettered puts the answer at a place among its distractors, which come in an order.
func (b *draftBlank) lettered(at int, order []int) RowBlank {
	at = min(at, len(order))
	out := RowBlank{Number: b.Number, Answer: b.Answer, Distractors: b.Distractors, Index: &at, Key: letters[at : at+1], Modality: b.Modality}
	texts := make([]string, 0, len(order)+1)
	for _, i := range order {
		texts = append(texts, b.Distractors[i])
	}
	texts = append(texts[:at:at], append([]string{b.Answer}, texts[at:]...)...)
	for i, text := range append(texts, notGiven) {
		out.Options = append(out.Options, fmt.Sprintf("%c: %s", 'A'+i, text))
	}
	return out
}

// A letterSpread is how often each letter is right in a file.
type letterSpread struct {
	Counts [len(letters)]int `json:"counts"`
	P      float64           `json:"p"` // chance of a spread at least as uneven, were each letter as likely as any other
}

// unevenBelow is the chance below which a spread counts as uneven: of a thousand
// files that were lettered by fair draws, one is reported.
const unevenBelow = 0.001

// Balance counts the right letters of rows, and finds whether they are uneven by
// Pearson's chi-square test of equal chances with three degrees of freedom.
func Balance(rows []*Row) (s letterSpread, findings []Finding) {
	total := 0
	for _, r := range rows {
		for _, b := range r.Cloze.Blanks {
			if len(b.Key) == 1 && b.Key[0] >= 'A' && b.Key[0] <= 'D' {
				s.Counts[b.Key[0]-'A']++
				total++
			}
		}
	}
	s.P = 1
	if total == 0 {
		return s, nil
	}
	x, expected := 0.0, float64(total)/float64(len(letters))
	for _, n := range s.Counts {
		x += (float64(n) - expected) * (float64(n) - expected) / expected
	}
	s.P = chiSquare3(x)
	if s.P < unevenBelow {
		findings = append(findings, Finding{Check: "balance", Text: fmt.Sprintf("A %d, B %d, C %d, D %d", s.Counts[0], s.Counts[1], s.Counts[2], s.Counts[3]),
			Says: fmt.Sprintf("the right options are not spread evenly (chi-square test, p = %.2g)", s.P)})
	}
	return s, findings
}

// chiSquare3 is the chance that a chi-square variable with three degrees of freedom
// exceeds x: erfc(sqrt(x/2)) + sqrt(2x/pi) exp(-x/2). Source: Abramowitz and Stegun,
// Handbook of Mathematical Functions, 26.4.4 and 26.4.8.
func chiSquare3(x float64) float64 {
	return math.Erfc(math.Sqrt(x/2)) + math.Sqrt(2*x/math.Pi)*math.Exp(-x/2)
}
