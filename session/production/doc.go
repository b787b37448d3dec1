// Package production writes captions of long lists of clips: a List says which clips
// there are, an Output keeps what was written of them in files of a thousand rows each,
// in the form that the released Omni-Detective pipeline writes (Omni-Captioner paper,
// arXiv 2510.12720, section 3), Statistics counts what came of it, and a forecast says
// from a few clips what the rest will take.
//
// It investigates nothing itself: how a clip is opened and asked about is its user's
// business.
package production
