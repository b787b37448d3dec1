// Package fingerprint finds copies of media files: the same bytes, the same sound,
// and recoded, scaled, louder, shortened, mirrored, cropped, framed and faster or slower versions. It compares files with
// files. Which copies matter, and what is done about them, is its users' business.
//
// It does not find copies that are turned, of which other parts than the margins Margins are cut off, or that are two of
// these things at once, such as mirrored and cropped, unless their sound tells; nor sound alone at another speed.
package fingerprint

import (
	"time"

	"omniscope/media/pdq"
)

// Version is raised when the same file would have another fingerprint.
const Version = 2

// A Fingerprint is what is compared of a file.
type Fingerprint struct {
	Version int           `json:"version"`
	File    string        `json:"file"`            // SHA-256 of the bytes, hex
	Sound   string        `json:"sound,omitempty"` // SHA-256 of the decoded sound; "" = none, or next to none
	Start   time.Duration `json:"start"`           // media time at which the sound begins
	Words   []word        `json:"words,omitempty"` // of the sound, media.ChromaprintStep apart
	Frames  []frame       `json:"frames,omitempty"`
	Between []moment      `json:"between,omitempty"` // pictures between those
}

// A word is one word of the acoustic fingerprint.
type word struct {
	Bits   uint32 `json:"b"`
	Sounds bool   `json:"s,omitempty"` // what it is made of is no silence
}

// A frame is one picture of each second.
type frame struct {
	Time     time.Duration `json:"t"` // media time
	Hash     pdq.Hash      `json:"h"`
	Quality  int           `json:"q"`           // 0 to 100
	Mirrored pdq.Hash      `json:"m,omitzero"`  // of the picture with left and right exchanged; of empty pictures there is none
	Inner    []pdq.Hash    `json:"i,omitempty"` // of the picture inside each of Margins, and inside black bars where it has some
}

// A moment is a picture between those of the seconds, at most four a second, where it differs from the one before. It finds
// copies that were cut between two seconds, or that run at another speed. Empty pictures are left out.
type moment struct {
	Time time.Duration `json:"t"` // media time
	Hash pdq.Hash      `json:"h"`
}

// A Kind is how a copy was recognised.
type Kind string

// The kinds, the surest first.
const (
	SameFile  Kind = "file"          // the same bytes
	SameSound Kind = "decoded-sound" // the same samples, in whatever container
	Pictures  Kind = "pictures"      // nearly all pictures of one are in the other
	Mirrored  Kind = "mirrored"      // they are in it with left and right exchanged
	Cropped   Kind = "cropped"       // they are the inner parts of the other's, without its margins or bars
	Sounds    Kind = "sound"         // the acoustic fingerprints agree; Confirm makes sure
)

// Limits of what counts as a copy.
const (
	pictureDistance  = 31   // most differing bits of 256 of two pictures that are the same; vPDQ's default
	pictureQuality   = 50   // pictures below are empty and are not compared; vPDQ's default
	pictureShare     = 0.8  // least share of one file's pictures that the other has; vPDQ's default
	cropDistance     = 45   // most differing bits of inner parts: a hundredth of a side more or less costs about 20
	soundBits        = 0.15 // most differing bits; copies of 5 s at 48 kb/s came to at most 0.142
	leastCorrelation = 0.5  // least correlation of the aligned sound that confirms it

	picturesLeast = 2 // compared pictures: one is chance
	wordsLeast    = 8 // compared words that sound, a second of steps
)

// A Match says that one file is a copy of another, or of a part of it.
type Match struct {
	Kind   Kind          `json:"kind"`
	Score  float64       `json:"score"`           // likeness from 0 to 1: share of equal pictures or bits; of confirmed sound its correlation
	Offset time.Duration `json:"offset_ns"`       // media time in the first file less that in the second; at another speed that in the middle
	Speed  float64       `json:"speed,omitempty"` // seconds of the second file that pass in one of the first, to about 0.05; 0 = one, or not known
}

// Found reports whether there is a match.
func (m Match) Found() bool { return m.Kind != "" }

// ways are the comparisons, the surest first.
var ways = []func(a, b *Fingerprint) Match{compareFiles, compareSamples, comparePictures, compareMirrored, compareCropped, compareSounds}

// compare finds the surest way in which two files are copies; the zero Match says that they
// are none. A match of kind Sounds is a proposal: one of ten thousand pairs of different short clips comes
// to it by chance. Confirm listens.
func compare(a, b *Fingerprint) Match {
	for _, compare := range ways {
		if m := compare(a, b); m.Found() {
			return m
		}
	}
	return Match{}
}

// matches are all ways in which two files are copies, the surest first, at most one of each kind.
func matches(a, b *Fingerprint) (all []Match) {
	for _, compare := range ways {
		if m := compare(a, b); m.Found() {
			all = append(all, m)
		}
	}
	return all
}

func compareFiles(a, b *Fingerprint) Match {
	if a.File != b.File {
		return Match{}
	}
	return Match{Kind: SameFile, Score: 1}
}

func compareSamples(a, b *Fingerprint) Match {
	if a.Sound == "" || a.Sound != b.Sound {
		return Match{}
	}
	return Match{Kind: SameSound, Score: 1, Offset: a.Start - b.Start}
}
