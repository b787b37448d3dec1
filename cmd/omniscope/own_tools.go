package main

import (
	"fmt"

	"github.com/spf13/pflag"

	"omniscope/internal/quantity"
	"omniscope/perceive/program"
	"omniscope/session"
	"omniscope/session/tools/own"
)

// ownTools are the flags for tools that the user brings.
type ownTools struct{ list []string }

func (o *ownTools) add(f *pflag.FlagSet, calls *session.Calls) {
	f.StringArrayVar(&o.list, "tool", nil, "tool of your own: exec:COMMAND, a program that answers JSON with JSON, line by line; or mcp:COMMAND or\nmcp:ADDRESS, a server of the Model Context Protocol; several times for several (docs/investigations.md)")
	f.StringArrayVar(&calls.ToolHeaders, "tool-header", nil, "further header of requests to the server of --tool mcp:ADDRESS, such as its key, as 'NAME: env:VARIABLE': its value is in\nthat environment variable and is kept nowhere; repeatable")
	f.DurationVar(&calls.ToolTimeout, "tool-timeout", program.DefaultTimeout, "how long an answer of a tool of your own may take")
	f.IntVar(&calls.ToolProcesses, "tool-processes", 1, "processes of each tool of your own at a time; of a server of tools, calls at a time")
}

func (o *ownTools) check(calls *session.Calls) error {
	addresses := 0
	for _, text := range o.list {
		tool, err := own.Read(text)
		if err != nil {
			return err
		}
		addresses += quantity.If(tool.Address != "")
	}
	return checkRules([]rule{
		{len(calls.ToolHeaders) > 0 && addresses != 1, fmt.Sprintf("--tool-header goes with one --tool mcp:ADDRESS, not with %d: a key is for one server", addresses)},
		{calls.ToolTimeout <= 0 || calls.ToolProcesses < 1, "--tool-timeout must be more than 0, and --tool-processes at least 1"},
	})
}
