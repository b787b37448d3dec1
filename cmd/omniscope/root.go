package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/internal/input"
	"omniscope/internal/spelling"
	"omniscope/internal/version"
	"omniscope/run"
)

func newRoot(out, errOut io.Writer) *cobra.Command {
	files := &input.Files{}
	root := &cobra.Command{
		Use:   "omniscope",
		Short: "See how well machines see and hear",
		Long: `omniscope runs models on audio and video and scores what they say: it judges captions on published
benchmarks and compares texts with references, says how sure the numbers are, resumes after any
crash, and can be replayed.

Exit codes: 0 done; 1 failed; 2 wrong usage; 3 done, but the judging of too many samples failed;
4 stopped by a budget, resumable; 5 done, and the new run is worse (compare --fail-if-worse); 130 interrupted,
resumable.

Every flag can be set by an environment variable: OMNISCOPE_ and the flag's name in capitals
with underscores, such as OMNISCOPE_WORK_DIR. A file .env in this folder or one above it is
read first; the real environment wins. An address from a .env above this folder is used only with
a key of the same file.`,
		Version:       version.Program(),
		SilenceUsage:  true,
		SilenceErrors: true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
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
	root.SetCompletionCommandGroupID("Help:")
	root.SetFlagErrorFunc(flagError)
	setHelp(root)
	root.Args = cobra.ArbitraryArgs // checkCommandLine says what they are
	addGroup(root, "Run models:", newRun(), newProbe())
	addGroup(root, "Describe clips:", newCaption(), newAudit(), newMCP())
	addGroup(root, "Score:", newEval(), newScore())
	addGroup(root, "Look at what came out:", newCompare(), newLeaderboard(), newCorrelate(), newView(), newExport(), newPush())
	addGroup(root, "Work with people:", newPeople())
	addGroup(root, "Build benchmarks:", newCurate())
	addGroup(root, "Train captioners:", newTrain())
	addGroup(root, "Generate videos from captions:", newReconstruct())
	addGroup(root, "Use many machines:", newWorker())
	addGroup(root, "Data and remembered calls:", newData(), newImport(), newJournal())
	addGroup(root, "Help:", newDemo(), newDoctor(), newDocs())
	root.SetHelpCommandGroupID("Help:")
	return root
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
		return omniscope.Usagef("%s takes %d argument(s), got %d; see `%s --help`", cmd.CommandPath(), n, len(args), cmd.CommandPath())
	}
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
