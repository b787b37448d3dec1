package fingerprint

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"math"
	"time"

	"omniscope/media"
	"omniscope/media/pdq"
)

// of takes the fingerprint of a file.
func of(ctx context.Context, f *media.File) (*Fingerprint, error) {
	t := NewTaker()
	survey, err := media.RunSurvey(ctx, f, media.SurveyOptions{Grey: t.Grey, Sound: t.Sound})
	if err != nil {
		return nil, err
	}
	return t.Finish(ctx, f, survey)
}

// A taker takes a fingerprint while a survey decodes the file, for who wants both: its methods Grey
// and Sound go into the survey's options.
type taker struct {
	frames  []frame
	between []moment
	slot    time.Duration // number of the last slot that has a picture
	last    pdq.Hash      // of the last picture that was kept
	sound   soundDigest
}

// NewTaker makes a taker for one file.
func NewTaker() *taker { return &taker{sound: soundDigest{sum: sha256.New()}} }

// Pictures are looked at momentStep apart, and those between the seconds are kept if more than momentBits bits differ from the
// last one.
const (
	momentStep = time.Second / 4
	momentBits = 8
)

// margins are what is left off at each side of a picture, as a share of it, for inner parts. Margins between these are found, too:
// half a step more or less is within cropDistance.
var margins = [...]float64{0.03, 0.06, 0.09, 0.12, 0.15}

// Grey hashes the first picture of each second, and those between that differ.
func (t *taker) Grey(g media.Grey) error {
	n := len(t.frames)
	switch {
	case n == 0 || g.Time/time.Second > t.frames[n-1].Time/time.Second:
		f := frameOf(g)
		t.frames, t.last = append(t.frames, f), f.Hash
	case g.Time/momentStep > t.slot:
		h, quality := pdq.Of(g.Pix, g.Width, g.Height)
		if quality >= pictureQuality && h.Distance(t.last) > momentBits {
			t.between, t.last = append(t.between, moment{g.Time, h}), h
		}
	default:
		return nil
	}
	t.slot = g.Time / momentStep
	return nil
}

// frameOf hashes a picture in all ways.
func frameOf(g media.Grey) frame {
	f := frame{Time: g.Time}
	p := pdq.New(g.Pix, g.Width, g.Height)
	if p == nil {
		return f
	}
	var mirrored pdq.Hash
	if f.Hash, mirrored, f.Quality = p.Hashes(); f.Quality < pictureQuality {
		return f
	}
	f.Mirrored = mirrored
	for _, m := range margins {
		f.Inner = append(f.Inner, p.Inside(m, m))
	}
	if pix, width, height := insideBars(g); pix != nil {
		if h, quality := pdq.Of(pix, width, height); quality >= pictureQuality {
			f.Inner = append(f.Inner, h)
		}
	}
	return f
}

// Sound hashes the samples.
func (t *taker) Sound(c media.Chunk) error {
	t.sound.add(c)
	return nil
}

// Finish makes the fingerprint after the survey, which must have been of the whole file.
func (t *taker) Finish(ctx context.Context, f *media.File, survey *media.Survey) (*Fingerprint, error) {
	digest, err := f.Digest(ctx)
	if err != nil {
		return nil, err
	}
	p := &Fingerprint{Version: Version, File: digest, Frames: t.frames, Between: t.between}
	if survey.Audio == nil || survey.Audio.Silent() {
		return p, nil
	}
	p.Start, p.Sound = survey.Audio.Start, t.sound.hex()
	words, err := media.Chromaprint(ctx, f)
	if err != nil {
		return nil, err
	}
	for i, bits := range words {
		p.Words = append(p.Words, word{Bits: bits, Sounds: soundsAt(survey.Audio.Levels, time.Duration(i)*media.ChromaprintStep)})
	}
	return p, nil
}

// A stretch above audible, in dBFS, counts as sound, and so many of them, 10 ms each, make a word sound: a
// clock's ticks do, digital silence behind a bark does not.
const (
	audible      = -60
	audibleLeast = 5
)

// soundsAt reports whether what a word is made of has sound in it.
func soundsAt(levels []float32, from time.Duration) bool {
	begin, end := int(from/media.LevelStep), int((from+media.ChromaprintSpan)/media.LevelStep)
	n := 0
	for _, level := range levels[min(begin, len(levels)):min(end, len(levels))] {
		if level > audible {
			n++
		}
	}
	return n >= audibleLeast
}

// A soundDigest hashes samples as 16-bit numbers. Zeros at the beginning and the end are left out: a codec
// may add some.
type soundDigest struct {
	sum   hash.Hash
	begun bool
	zeros int   // bytes that were held back
	bytes int64 // that were hashed
	out   []byte
}

// leastSound is the fewest bytes that are told apart: a beep of a tenth of a second is in many files.
const leastSound = 1 << 15

func (d *soundDigest) add(c media.Chunk) {
	if d.out = d.out[:0]; !d.begun {
		d.out = append(d.out, byte(c.Channels), byte(c.Rate), byte(c.Rate>>8), byte(c.Rate>>16))
	}
	for _, v := range c.Samples {
		n := int16(math.Round(math.Max(-1, math.Min(1, float64(v))) * math.MaxInt16))
		if n == 0 {
			d.zeros += 2
			continue
		}
		for ; d.zeros > 0; d.zeros-- {
			if d.begun {
				d.out = append(d.out, 0)
			}
		}
		d.begun = true
		d.out = append(d.out, byte(n), byte(n>>8))
	}
	if d.begun {
		d.sum.Write(d.out)
		d.bytes += int64(len(d.out))
	}
}

func (d *soundDigest) hex() string {
	if d.bytes < leastSound {
		return ""
	}
	return hex.EncodeToString(d.sum.Sum(nil))
}
