package main

import (
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"omniscope/bench/document"
	"omniscope/session"
	"omniscope/session/caption"
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

	asker modelFlag // the detective or the splitter
	set   *pflag.FlagSet
}

func (c *clipFlags) add(f *pflag.FlagSet, asker string) {
	c.calls = clipCalls()
	c.addWho(f, asker)
	f.StringVar(&c.Prompts, "prompts", "", "folder with prompt files that replace the built-in ones of the same name")
	f.IntVar(&c.calls.MaxConcurrency, "concurrency", c.calls.MaxConcurrency, "most calls of one model at a time; fewer while the endpoint complains")
	addCallFlags(f, &c.calls)
}

// addWho adds the flags that say who looks at clips, and who asks.
func (c *clipFlags) addWho(f *pflag.FlagSet, asker string) {
	c.set = f
	usage := map[string]string{
		session.Detective: "language model that asks and writes, and never sees the media; offline = a fixed plan through the tools",
		session.Splitter:  "language model that splits captions into claims; offline = rules",
	}
	c.asker.add(f, asker, session.Offline, usage[asker])
	c.observerFlags.add(f)
}

// check checks the flags.
func (c *clipFlags) check() error { return errors.Join(c.checkWho(), c.calls.Check()) }

func (c *clipFlags) checkWho() error { return errors.Join(c.asker.check(), c.observerFlags.check()) }

// setWho writes to a spec who looks at clips, and who asks.
func (c *clipFlags) setWho(s *caption.Spec) {
	s.Detective, s.Prompts = c.asker.model(), c.Prompts
	s.Tools, s.Observers, s.ASR, s.Roles = c.Tools, c.observer.models(), c.asr.model(), c.roles()
}

// roles are the settings of all roles that shape other answers than the defaults.
func (c *clipFlags) roles() map[string]*session.Role {
	roles := make(map[string]*session.Role)
	c.asker.addShaping(roles, nil)
	c.addRoles(roles)
	return roles
}

// machine is what the flags say of a run that does not shape it.
func (c *clipFlags) machine(cmd *cobra.Command, quiet bool) session.Machine {
	return session.Machine{Calls: &c.calls, Shared: &c.shared, Warnings: cmd.ErrOrStderr(), Address: c.setAddress, Progress: showing(cmd, quiet), Out: c.Out, Force: c.Force,
		Used: func(u document.UsageInfo) { showUsed(cmd.ErrOrStderr(), u) }}
}

// setAddress gives a role how it is reached.
func (c *clipFlags) setAddress(role *session.Role) {
	if !c.asker.setTransport(role) {
		c.setTransport(role)
	}
}
