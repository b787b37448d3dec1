package main

import (
	"cmp"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"omniscope"
	"omniscope/detective"
	"omniscope/session"
	"omniscope/session/caption"
	"omniscope/session/config"
)

// detectiveFlags are the flags of a command that runs the detective in place of a
// model.
type detectiveFlags struct {
	clipFlags
	spec   caption.Spec
	system string // of omniscope.yaml, with these models and tools; "" = the flags give them
}

func (d *detectiveFlags) add(f *pflag.FlagSet) {
	d.addWho(f, session.Detective)
	f.IntVar(&d.spec.Inquiries, "inquiries", detective.DefaultBudget, "inquiries of the detective at most, for each clip")
}

// useSystem takes the models and tools of a system of omniscope.yaml, if model names one. label is the name of the system in results.
func (d *detectiveFlags) useSystem(cmd *cobra.Command, model string, label *string) error {
	project, err := config.Nearest(cmd.Context())
	if err != nil || d.system != "" {
		return err
	}
	s, ok := project.System(model)
	if !ok {
		return nil
	}
	if given := firstGiven(d.set, ofDetective...); given != "" {
		return omniscope.Usagef("--%s: %s is a system of %s, which names the models and tools: leave the flag out", given, model, project.Path)
	}
	d.system, *label = model, cmp.Or(*label, model)
	flags := map[string][]string{"detective": {s.Detective}, "observer": s.Observers, "tools": s.Tools}
	if s.ASR != "" {
		flags["asr"] = []string{s.ASR}
	}
	if s.Inquiries > 0 {
		flags["inquiries"] = []string{strconv.Itoa(s.Inquiries)}
	}
	for name, values := range flags {
		for _, value := range values {
			if err := d.set.Set(name, value); err != nil {
				return omniscope.Usagef("%s: line %d: systems: %s: %s", project.Path, s.Line, model, valueError(err))
			}
		}
	}
	return nil
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
