package main

import (
	"cmp"

	"github.com/spf13/pflag"

	"omniscope"
	"omniscope/detective"
	"omniscope/session"
	"omniscope/session/caption"
)

// detectiveFlags are the flags of a command that runs the detective in place of a
// model.
type detectiveFlags struct {
	clipFlags
	spec caption.Spec
}

func (d *detectiveFlags) add(f *pflag.FlagSet) {
	d.addWho(f, session.Detective)
	f.IntVar(&d.spec.Inquiries, "inquiries", detective.DefaultBudget, "inquiries of the detective at most, for each clip")
}

// ofDetective are flags that say nothing without the detective.
var ofDetective = []string{"detective", "inquiries", "tools", "observer", "asr"}

func (d *detectiveFlags) checkUnused() error {
	if d.set == nil {
		return nil // of a command that is for models only
	}
	name := firstGiven(d.set, ofDetective...)
	return checkRules([]rule{{name != "", "--" + name + " is for the detective: write --model detective, or leave it out"}})
}

// checkDetective checks the flags of a run of the detective.
func (o *predictOptions) checkDetective() error {
	d := &o.detective
	ofModels := firstGiven(d.set, "prompt")
	err := checkRules([]rule{
		{ofModels != "", "--" + ofModels + " is for models: the detective chooses its own media and questions"},
		{d.spec.Inquiries < 1, "--inquiries must be at least 1"},
	})
	if err := cmp.Or(err, d.checkWho(), o.calls.Check()); err != nil {
		return err
	}
	if o.spec.Modality, err = o.modality(nil); err != nil {
		return err
	}
	letters, ok := modalityLetters[string(o.spec.Modality)]
	if !ok {
		return omniscope.Usagef("--modality %s: the detective investigates what is seen or heard", o.Modality)
	}
	spec := d.spec
	spec.Modality = letters
	d.setWho(&spec)
	o.spec.Investigation = &spec
	return nil
}

// address gives the roles of the detective their addresses.
func (o *predictOptions) address() func(*session.Role) {
	if o.spec.Investigation == nil {
		return nil
	}
	return o.detective.setAddress
}
