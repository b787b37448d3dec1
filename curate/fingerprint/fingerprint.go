// Package fingerprint finds copies of media files: the same bytes, the same sound,
// and recoded, scaled, louder or shortened versions. It compares files with files. Which copies
// matter, and what is done about them, is its users' business.
//
// It does not find copies that are mirrored, turned, cropped, framed, or played faster, and of
// silent video not those whose picture changes faster than once a second and that were cut between two
// whole seconds.
package fingerprint

import (
	"time"

	"omniscope/internal/pdq"
)

// Version is raised when the same file would have another fingerprint.
const Version = 1

// A Fingerprint is what is compared of a file.
type Fingerprint struct {
	Version int           `json:"version"`
	File    string        `json:"file"`            // SHA-256 of the bytes, hex
	Sound   string        `json:"sound,omitempty"` // SHA-256 of the decoded sound; "" = none, or next to none
	Start   time.Duration `json:"start"`           // media time at which the sound begins
	Words   []Word        `json:"words,omitempty"` // of the sound, media.ChromaprintStep apart
	Frames  []Frame       `json:"frames,omitempty"`
}

// A Word is one word of the acoustic fingerprint.
type Word struct {
	Bits   uint32 `json:"b"`
	Sounds bool   `json:"s,omitempty"` // what it is made of is no silence
}

// A Frame is one picture of each second.
type Frame struct {
	Time    time.Duration `json:"t"` // media time
	Hash    pdq.Hash      `json:"h"`
	Quality int           `json:"q"` // 0 to 100
}

// A Kind is how a copy was recognised.
type Kind string

// The kinds, the surest first.
const (
	SameFile  Kind = "file"          // the same bytes
	SameSound Kind = "decoded-sound" // the same samples, in whatever container
	Pictures  Kind = "pictures"      // nearly all pictures of one are in the other
	Sounds    Kind = "sound"         // the acoustic fingerprints agree; Confirm makes sure
)

// Limits of what counts as a copy.
const (
	PictureDistance = 31   // most differing bits of 256 of two pictures that are the same; vPDQ's default
	PictureQuality  = 50   // pictures below are empty and are not compared; vPDQ's default
	PictureShare    = 0.8  // least share of one file's pictures that the other has; vPDQ's default
	SoundBits       = 0.15 // most differing bits; copies of 5 s at 48 kb/s came to at most 0.142
	Correlation     = 0.5  // least correlation of the aligned sound that confirms it

	picturesLeast = 2 // compared pictures: one is chance
	wordsLeast    = 8 // compared words that sound, a second of steps
)

// A Match says that one file is a copy of another, or of a part of it.
type Match struct {
	Kind   Kind          `json:"kind"`
	Score  float64       `json:"score"`     // likeness from 0 to 1: share of equal pictures or bits; of confirmed sound its correlation
	Offset time.Duration `json:"offset_ns"` // media time in the first file less that in the second
}

// Found reports whether there is a match.
func (m Match) Found() bool { return m.Kind != "" }

// Compare finds the surest way in which two files are copies; the zero Match says that they
// are none. A match of kind Sounds is a proposal: one of ten thousand pairs of different short clips comes
// to it by chance. Confirm listens.
func Compare(a, b *Fingerprint) Match {
	switch {
	case a.File == b.File:
		return Match{Kind: SameFile, Score: 1}
	case a.Sound != "" && a.Sound == b.Sound:
		return Match{Kind: SameSound, Score: 1, Offset: a.Start - b.Start}
	}
	if m := comparePictures(a, b); m.Found() {
		return m
	}
	return compareSounds(a, b)
}
