package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"omniscope"
)

// manualPages writes a page of the manual for each command, in the form of man(7). They have no date, so that the same program
// writes the same bytes.
func manualPages(root *cobra.Command, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return omniscope.Usagef("--man %s: a file is in the way, or the folder cannot be made: %v", dir, err)
	}
	return eachCommand(root, func(cmd *cobra.Command) error {
		name := strings.ReplaceAll(cmd.CommandPath(), " ", "-") + ".1"
		return os.WriteFile(filepath.Join(dir, name), manualPage(cmd), 0o644)
	})
}

// eachCommand calls do for a command and those below it that are listed.
func eachCommand(cmd *cobra.Command, do func(*cobra.Command) error) error {
	if cmd.Hidden || cmd.Name() == "help" {
		return nil
	}
	if err := do(cmd); err != nil {
		return err
	}
	for _, sub := range cmd.Commands() {
		if err := eachCommand(sub, do); err != nil {
			return err
		}
	}
	return nil
}

func manualPage(cmd *cobra.Command) []byte {
	var b bytes.Buffer
	page := strings.ReplaceAll(cmd.CommandPath(), " ", "-")
	fmt.Fprintf(&b, ".TH %s 1 \"\" \"omniscope %s\" \"omniscope\"\n", roff(strings.ToUpper(page)), roff(cmd.Root().Version))
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(page), roff(cmd.Short))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\n", roff(cmd.UseLine()))
	text := cmd.Long
	if text == "" {
		text = cmd.Short + "."
	}
	asItIs(&b, "DESCRIPTION", text)
	if len(cmd.Commands()) > 0 {
		fmt.Fprintf(&b, ".SH COMMANDS\n")
		for _, sub := range cmd.Commands() {
			if !sub.Hidden && sub.Name() != "help" {
				fmt.Fprintf(&b, ".TP\n.BR %s (1)\n%s\n", roff(strings.ReplaceAll(sub.CommandPath(), " ", "-")), roff(sub.Short))
			}
		}
	}
	manualFlags(&b, "OPTIONS", cmd.NonInheritedFlags())
	manualFlags(&b, "OPTIONS OF ALL COMMANDS", cmd.InheritedFlags())
	if cmd.Example != "" {
		asItIs(&b, "EXAMPLES", strings.TrimRight(cmd.Example, "\n"))
	}
	if cmd.HasParent() {
		fmt.Fprintf(&b, ".SH SEE ALSO\n.BR %s (1)\n", roff(strings.ReplaceAll(cmd.Parent().CommandPath(), " ", "-")))
	}
	return b.Bytes()
}

// asItIs writes a section whose lines stay as they are: help has tables and lists.
func asItIs(b *bytes.Buffer, title, text string) {
	fmt.Fprintf(b, ".SH %s\n.nf\n", title)
	for line := range strings.Lines(text) {
		fmt.Fprintln(b, roff(strings.TrimRight(line, "\n")))
	}
	fmt.Fprintln(b, ".fi")
}

func manualFlags(b *bytes.Buffer, title string, set *pflag.FlagSet) {
	begun := false
	set.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		if !begun {
			begun = true
			fmt.Fprintf(b, ".SH %s\n", title)
		}
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		kind, usage := pflag.UnquoteUsage(f)
		if kind != "" {
			name += " " + kind
		}
		if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "[]" && f.DefValue != "0" {
			usage += fmt.Sprintf(" (default: %s)", f.DefValue)
		}
		fmt.Fprintf(b, ".TP\n.B %s\n%s\n", roff(name), roff(strings.ReplaceAll(usage, "\n", " ")))
	})
}

// roff is text that man(7) prints as it is: marks that mean something to it are written out, and no line begins with one.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "~", `\(ti`, "^", `\(ha`, "`", `\(ga`).Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}
