package journal

import (
	"context"
	"fmt"

	"omniscope"
)

// A Finding is one thing that is damaged in the journal.
type Finding struct {
	Run  string // "" = the file as a whole
	ID   int64  // of the call; 0 = none
	Step string
	What string
}

// A Verified is how much was checked.
type Verified struct {
	Calls    int
	Without  int // calls of journals of version 1, which carry no checksum
	Requests int // texts of requests
	Lost     int // texts that are not there any more: harmless
	Damaged  int // findings
}

// String says what is damaged where.
func (f Finding) String() string {
	where := "the file"
	if f.Run != "" {
		where = "run " + f.Run
	}
	if f.ID > 0 {
		where += fmt.Sprintf(", call %d (%s)", f.ID, f.Step)
	}
	return where + ": " + f.What
}

// String says how much was checked.
func (v Verified) String() string {
	text := fmt.Sprintf("checked %d calls and %d texts of requests", v.Calls, v.Requests)
	if v.Without > 0 {
		text += fmt.Sprintf("; %d calls of an older version carry no checksum", v.Without)
	}
	if v.Lost > 0 {
		text += fmt.Sprintf("; %d texts of requests are lost, which harms no answer", v.Lost)
	}
	return text
}

// Err is an error of kind Invalid if something is damaged. It says what to do.
func (v Verified) Err() error {
	if v.Damaged == 0 {
		return nil
	}
	return omniscope.Invalidf("%d of them damaged: --ask-damaged asks again where a run needs such an answer; "+
		"`omniscope journal recover` saves all others into a new journal", v.Damaged)
}

// Verify checks the journal as a whole, and every call with its request's text, of
// the run called name or of all. It calls found with what is damaged.
func Verify(ctx context.Context, s Store, name string, found func(Finding)) (sum Verified, err error) {
	tell := func(f Finding) {
		sum.Damaged++
		found(f)
	}
	for _, what := range s.Damage(ctx) {
		tell(Finding{What: what})
	}
	runs := []Run{{Description: Description{Name: name}}}
	if name == "" {
		if runs, err = s.List(ctx); err != nil {
			return sum, err
		}
	}
	for _, r := range runs {
		for c, err := range s.Calls(ctx, r.Name, "") {
			if ctx.Err() != nil {
				return sum, ctx.Err()
			}
			if err != nil {
				tell(Finding{Run: r.Name, What: err.Error()})
			} else if c.Run == r.Name { // others are checked where they belong
				sum.check(c, tell)
			}
		}
	}
	return sum, ctx.Err()
}

func (v *Verified) check(c *Call, tell func(Finding)) {
	v.Calls++
	if !c.Checked {
		v.Without++
	}
	switch {
	case c.Request != nil:
		v.Requests++
	case c.RequestLost:
		v.Lost++
	}
	if c.Damaged != nil {
		tell(Finding{c.Run, c.ID, c.Step, c.Damaged.Error()})
	}
	if c.RequestDamaged {
		tell(Finding{c.Run, c.ID, c.Step, "the text of its request was changed after it was written; the answer is whole"})
	}
}
