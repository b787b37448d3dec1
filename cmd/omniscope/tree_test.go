package main

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"omniscope/session/catalog"
)

// tree counts commands and flags. A benchmark, a kind of people's work and a harness are arguments.
type tree struct {
	commands, flags map[string]bool
	most, mostAll   int // flags of one help, short and with --help-all
	mostOf          string
	mostAllOf       string
}

func countTree(root *cobra.Command) *tree {
	t := &tree{commands: make(map[string]bool), flags: make(map[string]bool)}
	t.count(root)
	return t
}

func (t *tree) count(cmd *cobra.Command) {
	if cmd.Hidden || cmd.Name() == "help" || cmd.Name() == "completion" {
		return
	}
	var words []string
	for _, word := range strings.Fields(cmd.CommandPath())[1:] {
		switch above := strings.Join(words, " "); {
		case (above == "run" || above == "eval") && slices.Contains(catalog.BenchmarkNames(), word):
			continue
		case above == "people new", above == "people import", above == "import":
			continue
		}
		words = append(words, word)
	}
	if len(words) > 0 {
		t.commands[strings.Join(words, " ")] = true
	}
	usual, all := 0, 0
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" || f.Name == "version" {
			return
		}
		t.flags[f.Name] = true
		if all++; !isSeldom(cmd, f.Name) {
			usual++
		}
	})
	if usual > t.most {
		t.most, t.mostOf = usual, cmd.CommandPath()
	}
	if all > t.mostAll {
		t.mostAll, t.mostAllOf = all, cmd.CommandPath()
	}
	for _, sub := range cmd.Commands() {
		t.count(sub)
	}
}

func TestCommandTreeStaysSmall(t *testing.T) {
	root := newRoot(io.Discard, io.Discard)
	listed := 0
	for _, cmd := range root.Commands() {
		if cmd.IsAvailableCommand() && cmd.Name() != "help" && cmd.Name() != "completion" {
			listed++
		}
	}
	counted := countTree(root)
	t.Logf("%d listed commands, %d in all, %d flags; most flags in help %d (%s), with --help-all %d (%s)",
		listed, len(counted.commands), len(counted.flags), counted.most, counted.mostOf, counted.mostAll, counted.mostAllOf)
	for _, c := range []struct {
		what       string
		is, atMost int
	}{
		{"listed commands", listed, 24},
		{"commands", len(counted.commands), 90},
		{"flags", len(counted.flags), 240},
		{"flags in the help of " + counted.mostOf, counted.most, 25},
		{"flags in --help-all of " + counted.mostAllOf, counted.mostAll, 45},
	} {
		if c.is > c.atMost {
			t.Errorf("%d %s, at most %d", c.is, c.what, c.atMost)
		}
	}
}
