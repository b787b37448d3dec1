// Command omniscope sees how well machines see and hear. `omniscope --help`
// lists what it can do; README.md shows the first two commands to run.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/internal/environ"
	"omniscope/internal/spelling"
	"omniscope/results/compare"
	"omniscope/session"
)

func main() {
	os.Exit(realMain())
}

func realMain() int {
	environ.UseProxies()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	endOnSignals(os.Args[1:], cancel)
	return execute(ctx, os.Args[1:], os.Stdout, os.Stderr)
}

// Exit codes, the same for every command.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitFailures    = 3 // done, but the judging of more samples failed than allowed
	exitBudget      = 4
	exitWorse       = 5 // done, and the new run is worse than its base
	exitInterrupted = 130
)

// execute is the whole program, as tests call it.
func execute(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	out, errOut := forPeople(stdout), forPeople(stderr)
	defer func() { _ = errOut.Flush() }() // there is no place to report it
	root := newRoot(out, errOut)
	args = splitMeasure(args)
	root.SetArgs(args)
	ctx, spans := withSpans(ctx)
	defer spans.end(ctx, root)
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd(args...)
	cmd, rest, err := root.Find(args)
	if err == nil && wantsHelpAll(rest) {
		writeHelp(out, cmd, true)
		_ = out.Flush()
		return exitDone
	}
	if err == nil {
		err = checkCommandLine(cmd, rest)
	}
	if err == nil {
		err = root.ExecuteContext(ctx)
	}
	// Commands print without looking at each error: out keeps the first one.
	if lost := out.Flush(); err == nil {
		err = lost
	}
	if err == nil {
		return exitDone
	}
	code := exitCode(ctx, err)
	if code == exitInterrupted {
		for _, other := range otherErrors(err, ctx.Err()) {
			fmt.Fprintln(errOut, "omniscope:", other)
		}
		fmt.Fprintln(errOut, "omniscope: interrupted"+resumeHint(cmd))
	} else {
		fmt.Fprintf(errOut, "omniscope: %v%s\n", err, spelling.FileHint(err)+diskHint(cmd, err))
	}
	return code
}

// diskHint says what to do about a full disk, where the error does not.
func diskHint(cmd *cobra.Command, err error) string {
	if !errors.Is(err, syscall.ENOSPC) || strings.Contains(err.Error(), "make room") {
		return ""
	}
	return ": the disk is full; make room" + resumeHint(cmd)
}

// asking are the commands that ask models.
var asking = []string{"eval", "caption", "audit", "probe", "run", "curate", "reconstruct"}

// ending says what a command does once it is interrupted.
func ending(args []string) string {
	if len(args) > 0 && slices.Contains(asking, args[0]) {
		return "ending once the calls on the wire are answered" // they are paid for
	}
	return "ending"
}

// resumeHint says what an interrupted command keeps and how to continue it.
func resumeHint(cmd *cobra.Command) string {
	name := strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")
	switch first, _, _ := strings.Cut(name, " "); {
	case isFilter(cmd):
		return "; the lines that were written are complete"
	case name == "score bertscore" || name == "score comet":
		if uncached, err := cmd.Flags().GetBool("no-cache"); err != nil || uncached {
			return ""
		}
		return "; run the same command again, it takes what was computed from the cache"
	case name == "curate collect":
		return "; run the same command again, it keeps what was measured"
	case name == "push":
		return "; nothing of it can be seen yet, run the same command again"
	case name == "data get":
		return "; run the same command again, it keeps what was received"
	case slices.Contains(asking, first):
		return "; run the same command again to go on from here"
	}
	return ""
}

// isFilter reports whether a command adds fields to lines of standard input.
func isFilter(cmd *cobra.Command) bool {
	if eachLine, err := cmd.Flags().GetBool("each-line"); err == nil {
		return eachLine
	}
	return cmd.GroupID == filterGroup
}

// exitCode is the one place where errors become exit codes.
func exitCode(ctx context.Context, err error) int {
	switch {
	case errors.Is(err, compare.ErrWorse):
		return exitWorse
	case overBudget(err): // also where too many samples failed
		return exitBudget
	case errors.Is(err, session.ErrTooManyFailures), errors.Is(err, compare.ErrUnscored):
		return exitFailures
	case ctx.Err() != nil: // also where err has only the words of the interruption, or of what it broke off
		return exitInterrupted
	case omniscope.KindOf(err) == omniscope.Usage:
		return exitUsage
	}
	return exitFailed
}

// overBudget reports whether err, or one of the errors that it joins, is of kind Budget.
func overBudget(err error) bool {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return slices.ContainsFunc(joined.Unwrap(), overBudget)
	}
	return omniscope.KindOf(err) == omniscope.Budget
}

// otherErrors returns the errors in err that are not the interruption, such as a
// full disk.
func otherErrors(err, interruption error) (others []error) {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range joined.Unwrap() {
			others = append(others, otherErrors(e, interruption)...)
		}
		return others
	}
	if errors.Is(err, interruption) || strings.HasSuffix(err.Error(), interruption.Error()) {
		return nil
	}
	return []error{err}
}
