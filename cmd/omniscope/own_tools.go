package main

import (
	"github.com/spf13/pflag"

	"omniscope/perceive/program"
	"omniscope/session"
)

// ownTools are the flags for tools that the user brings.
type ownTools struct{ list []string }

func (o *ownTools) add(f *pflag.FlagSet, calls *session.Calls) {
	f.StringArrayVar(&o.list, "tool", nil, "tool of your own: exec:COMMAND, a program that answers JSON with JSON, line by line; or mcp:COMMAND or\nmcp:ADDRESS, a server of the Model Context Protocol; several times for several (docs/investigate.md)")
	f.DurationVar(&calls.ToolTimeout, "tool-timeout", program.DefaultTimeout, "how long an answer of a tool of your own may take")
	f.IntVar(&calls.ToolProcesses, "tool-processes", 1, "processes of each tool of your own at a time; of a server of tools, calls at a time")
}

func (o *ownTools) check(calls *session.Calls) error {
	for _, tool := range o.list {
		if _, err := session.ReadOwnTool(tool); err != nil {
			return err
		}
	}
	if calls.ToolTimeout <= 0 || calls.ToolProcesses < 1 {
		return usagef("--tool-timeout must be more than 0, and --tool-processes at least 1")
	}
	return nil
}
