package main

import (
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"omniscope/bench/document"
	"omniscope/session"
	"omniscope/session/caption"
	"omniscope/session/catalog"
)

// clipFlags are the flags that caption, audit and mcp have in common: who looks at
// clips, who asks or splits, how models are called, and where results go.
type clipFlags struct {
	observerFlags
	Prompts string // folder

	Out    string
	Force  bool
	JSON   bool
	calls  session.Calls
	shared session.Shared

	asker   roleFlags // the detective or the splitter
	address string    // of all roles that have none of their own
	set     *pflag.FlagSet
}

func (c *clipFlags) add(f *pflag.FlagSet, asker string) {
	c.calls = clipCalls()
	c.addWho(f, asker)
	f.StringVar(&c.Prompts, "prompts", "", "folder with prompt files that replace the built-in ones of the same name")
	f.StringVar(&c.address, modelAddress, "", "address of all models that have none of their own, such as http://localhost:8000/v1 (default:\nfrom the environment)")
	f.IntVar(&c.calls.MaxConcurrency, "max-concurrency", c.calls.MaxConcurrency, "most calls of one model at a time; fewer while the endpoint complains")
	addCallFlags(f, &c.calls)
}

// addWho adds the flags that say who looks at clips, and who asks.
func (c *clipFlags) addWho(f *pflag.FlagSet, asker string) {
	c.set = f
	c.asker = newRoleFlags(asker)
	c.asker.fallback = "--" + modelAddress
	c.asker.add(f, asker)
	c.observerFlags.add(f, "--"+modelAddress)
}

// check checks the flags. asker is the model that asks or splits.
func (c *clipFlags) check(asker string) error { return errors.Join(c.checkWho(asker), c.calls.Check()) }

func (c *clipFlags) checkWho(asker string) error {
	return errors.Join(checkModels(asker), c.asker.check(), c.observerFlags.check())
}

// setWho writes to a spec who looks at clips, and who asks.
func (c *clipFlags) setWho(s *caption.Spec) {
	s.Tools, s.Observers, s.ASR, s.Prompts, s.Roles = c.Tools, c.Observers, c.ASR, c.Prompts, changedRoles(&c.asker, &c.observer)
}

// machine is what the flags say of a run that does not shape it.
func (c *clipFlags) machine(cmd *cobra.Command, quiet bool) session.Machine {
	return session.Machine{Calls: &c.calls, Shared: &c.shared, Warnings: cmd.ErrOrStderr(), Address: c.setAddress, Progress: showing(cmd, quiet), Out: c.Out, Force: c.Force,
		Used: func(u document.UsageInfo) { showUsed(cmd.ErrOrStderr(), u) }}
}

// setAddress gives a role its own address, or that of all models, and what its gateway wants.
func (c *clipFlags) setAddress(role *session.Role) {
	for _, r := range []*roleFlags{&c.asker, &c.observer, &c.asr} {
		if r.role.Name != role.Name {
			continue
		}
		role.Headers, role.Query = r.role.Headers, r.role.Query
		role.SetRoute()
		if r.role.BaseURL != "" {
			role.BaseURL, role.BaseURLFrom = r.role.BaseURL, flagSource(c.set, role.Name+"-base-url")
			return
		}
	}
	if c.address != "" {
		role.BaseURL, role.BaseURLFrom, role.AddressFlag = c.address, flagSource(c.set, modelAddress), modelAddress
	}
}

// modelAddress is the flag for the address of all roles that have none of their own.
const modelAddress = "model-base-url"

// checkModels checks how models are written before anything is opened for them.
func checkModels(specs ...string) error {
	for _, spec := range specs {
		if spec == "" {
			continue
		}
		if _, _, err := catalog.SplitModel(spec); err != nil {
			return err
		}
	}
	return nil
}
