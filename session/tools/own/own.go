// Package own opens the tools that a user brings: programs, and servers of the Model Context Protocol. It is separate from
// package tools, so that a program without such tools does not link what they need.
package own

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"strings"

	"omniscope"
	"omniscope/internal/commandline"
	"omniscope/perceive"
	"omniscope/perceive/mcp"
	"omniscope/perceive/program"
	"omniscope/session"
)

// An userTool is how the user names tools that they bring: exec:COMMAND is a program, mcp:COMMAND or mcp:ADDRESS a server
// of the Model Context Protocol, and mcp[A,B]:COMMAND some tools of one. Commands are written as for a shell, and no shell
// reads them.
type userTool struct {
	MCP     bool
	Names   []string // tools of the server; nil = those that it calls read-only
	Address string   // of the server
	Command []string
}

var ownTool = regexp.MustCompile(`(?s)^(exec|mcp|mcp\[([^\]]*)\]):(.*)$`)

// Read reads the name of an userTool.
func Read(text string) (t userTool, err error) {
	parts := ownTool.FindStringSubmatch(text)
	if parts == nil {
		return t, omniscope.Usagef("--tool is exec:COMMAND, such as exec:'python3 birds.py', or mcp:COMMAND or mcp:ADDRESS, not %q", text)
	}
	kind, what := parts[1], parts[3]
	t.MCP = kind != "exec"
	for name := range strings.SplitSeq(parts[2], ",") {
		if name = strings.TrimSpace(name); name != "" {
			t.Names = append(t.Names, name)
		}
	}
	if t.MCP && kind != "mcp" && t.Names == nil {
		return t, omniscope.Usagef("--tool %s: name tools of the server between the brackets, or leave the brackets out", text)
	}
	if t.MCP && (strings.HasPrefix(what, "http:") || strings.HasPrefix(what, "https:")) {
		t.Address, err = what, mcp.CheckAddress(what)
	} else {
		t.Command, err = commandline.Split(what)
	}
	if err == nil && t.Address == "" && len(t.Command) == 0 {
		err = fmt.Errorf("name a command or an address, such as exec:'python3 birds.py', mcp:'npx my-server' or mcp:http://localhost:8000/mcp")
	}
	if err != nil {
		return t, omniscope.Usagef("--tool %s: %w", text, err)
	}
	return t, nil
}

// Open starts or connects to the tools that the user brings.
func Open(ctx context.Context, m *session.Models, list []string, warnings io.Writer) (out []perceive.Tool, err error) {
	for _, text := range list {
		own, err := Read(text)
		if err != nil {
			return nil, err
		}
		tools, err := openOwnTool(ctx, m, own, warnings)
		if err != nil {
			return nil, err
		}
		out = append(out, tools...)
	}
	return out, nil
}

func openOwnTool(ctx context.Context, m *session.Models, own userTool, warnings io.Writer) ([]perceive.Tool, error) {
	if !own.MCP {
		t, err := program.Open(ctx, program.Options{Command: own.Command, Timeout: m.Settings.ToolTimeout, Processes: m.Settings.ToolProcesses})
		if err != nil {
			return nil, err
		}
		m.Closers = append(m.Closers, t)
		return []perceive.Tool{t}, nil
	}
	headers, err := m.ToolHeaders(own.Address)
	if err != nil {
		return nil, err
	}
	s, err := mcp.Open(ctx, mcp.Options{Command: own.Command, Address: own.Address, Headers: headers, Names: own.Names, Timeout: m.Settings.ToolTimeout, AtOnce: m.Settings.ToolProcesses})
	if err != nil {
		return nil, err
	}
	m.Closers = append(m.Closers, s)
	for _, text := range s.LeftOut() {
		fmt.Fprintf(warnings, "left out: %s\n", text)
	}
	return s.Tools(), nil
}
