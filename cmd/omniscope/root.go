package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/internal/input"
	"omniscope/internal/quantity"
	"omniscope/internal/spelling"
	"omniscope/internal/version"
	"omniscope/run"
)

func newRoot(out, errOut io.Writer) *cobra.Command {
	cobra.EnableCommandSorting = false // help lists commands in the order in which a user needs them
	files := &input.Files{}
	root := &cobra.Command{
		Use:   "omniscope",
		Short: "See how well machines see and hear",
		Long: `Measure how well models see and hear, and make captions, benchmarks and training data.

Every answer is kept: the same command goes on after any interruption and pays
for nothing twice.`,
		Version:       version.Program(),
		SilenceUsage:  true,
		SilenceErrors: true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if err := applySettings(cmd); err != nil {
				return err
			}
			if err := readEnvironment(cmd); err != nil {
				return err
			}
			files.Stdin = cmd.InOrStdin()
			files.Warn = func(text string) { fmt.Fprintln(cmd.ErrOrStderr(), "warning: "+printable(text)) }
			cmd.SetContext(input.With(cmd.Context(), files))
			if failed := cmd.Flags().Lookup("ask-failed"); failed != nil && failed.Value.String() == "true" {
				cmd.SetContext(run.WithAskFailed(cmd.Context(), time.Now()))
			}
			return startSpans(cmd)
		},
	}
	addInputFlags(root.PersistentFlags(), &files.Limits)
	root.SetOut(out)
	root.SetErr(errOut)
	root.SetCompletionCommandGroupID("Start:")
	root.SetFlagErrorFunc(flagError)
	root.Args = cobra.ArbitraryArgs // checkCommandLine says what they are
	for _, g := range commandGroups() {
		var commands []*cobra.Command
		for _, newCommand := range g.commands {
			commands = append(commands, newCommand())
		}
		addGroup(root, g.title, commands...)
	}
	root.SetHelpCommandGroupID("Start:")
	setHelp(root)
	return root
}

// A commandGroup is a group of commands that help lists together, in this order.
type commandGroup struct {
	title    string
	commands []func() *cobra.Command
}

// commandGroups lists all commands. It is a variable so that a test can add one.
var commandGroups = func() []commandGroup {
	return []commandGroup{
		{"Start:", []func() *cobra.Command{newDemo, newDoctor, newData, newDocs}},
		{"Measure:", []func() *cobra.Command{newRun, newEval, newScore, newImport, newCompare, newCorrelate, newLeaderboard, newView, newExport, newPush}},
		{"Make:", []func() *cobra.Command{newCaption, newAudit, newCurate, newPeople, newTrain, newReconstruct}},
		{"Share and look inside:", []func() *cobra.Command{newWorker, newJournal, newProbe, newMCP}},
	}
}

// addGroup adds commands below another that are listed together.
func addGroup(root *cobra.Command, title string, commands ...*cobra.Command) {
	root.AddGroup(&cobra.Group{ID: title, Title: title})
	for _, cmd := range commands {
		cmd.GroupID = title
		root.AddCommand(cmd)
	}
}

// withCommands adds commands below a command. One that does nothing by itself shows its help.
func withCommands(cmd *cobra.Command, below ...*cobra.Command) *cobra.Command {
	if cmd.RunE == nil {
		cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	}
	cmd.AddCommand(below...)
	return cmd
}

// exactArgs is cobra.ExactArgs with an error that says what to write.
func exactArgs(n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == n {
			return nil
		}
		if n == 0 {
			see := fmt.Sprintf("; see `%s --help`", cmd.CommandPath())
			name, _, _ := strings.Cut(args[0], "=")
			if flag, ok := spelling.Nearest(name, flagNames(cmd)); ok {
				see = spelling.Offer([]string{"--" + flag})
			}
			return omniscope.Usagef("%s takes no argument, got %q%s", cmd.CommandPath(), args[0], see)
		}
		return omniscope.Usagef("%s takes %s, got %s; see `%[1]s --help`", cmd.CommandPath(), argumentNames(cmd, n), quantity.Of(len(args), "argument", "arguments"))
	}
}

// argumentNames names the n arguments of a command, as its usage line has them.
func argumentNames(cmd *cobra.Command, n int) string {
	words := strings.Fields(cmd.Use)[1:]
	if len(words) < n || slices.ContainsFunc(words[:n], func(w string) bool { return strings.HasPrefix(w, "-") || strings.HasPrefix(w, "[") }) {
		return quantity.Of(n, "argument", "arguments")
	}
	return strings.Join(words[:n], " ")
}

// atLeastOne refuses a command line without arguments.
func atLeastOne(message string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error { return checkRules([]rule{{len(args) == 0, message}}) }
}

// checkedArgs is one of cobra's checks with its error of our kind.
func checkedArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return omniscope.Usagef("%v; see `%s --help`", err, cmd.CommandPath())
		}
		return nil
	}
}
