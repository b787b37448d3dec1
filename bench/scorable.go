package bench

import (
	"fmt"

	"omniscope"
)

// allowFlag is the flag that scores inputs of which hardly anything can be
// scored.
const allowFlag = "--allow-unscorable"

// Scorable counts what inputs hold that can be scored, before anything is paid
// for.
type Scorable struct {
	What string // of the items, in the plural
	All  int
	OK   int // that can be scored
	// Lacking counts those that lack the one field that most of the others lack.
	Lacking int
}

// Enough reports whether the inputs are worth scoring: something can be scored,
// and no field is missing from more than half of the items. What is missing in
// part beyond that is counted and warned about when it is scored.
func (s Scorable) Enough() bool {
	return s.All == 0 || s.OK > 0 && 2*s.Lacking <= s.All
}

// Refuse is the error for inputs that are not worth scoring. why says what is
// wrong with the first item that cannot be scored, and where it is.
func (s Scorable) Refuse(why error) error {
	count := fmt.Sprintf("none of %d %s can be scored", s.All, s.What)
	if s.OK > 0 {
		count = fmt.Sprintf("%d of %d %s cannot be scored", s.All-s.OK, s.All, s.What)
	}
	return omniscope.Invalidf("%w; %s: mend the file, or go on with %s", why, count, allowFlag)
}

// Doubtful is the error for inputs that are hardly what the user means.
func Doubtful(format string, args ...any) error {
	return omniscope.Invalidf("%w; mend the files, or go on with %s", fmt.Errorf(format, args...), allowFlag)
}
