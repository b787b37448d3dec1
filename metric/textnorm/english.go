package textnorm

import (
	"bytes"

	"omniscope"
)

// English normalises an English text as EnglishTextNormalizer of
// whisper_normalizer 0.0.10 does: lower case; without what stands in brackets
// and without hesitations; contractions and titles written out; numbers in
// digits, with currency and percent signs; no accents and no other symbols;
// American spelling; one blank for every run of whitespace.
//
// Where the original stops with an exception the error is Invalid, and holds a
// *TooLongError.
func English(s string) (string, error) {
	t := take(s)
	defer t.give()
	t.removeBrackets()
	t.expand()
	if bytes.IndexByte(t.now, ',') >= 0 {
		t.through(joinThousands)
	}
	t.through(stripEnglish)
	if err := t.numbers(); err != nil {
		return "", &omniscope.Error{Kind: omniscope.Invalid, Op: "normalising English text", Err: err}
	}
	t.through(spellAmerican)
	t.dropLooseSigns()
	return string(t.now), nil
}
