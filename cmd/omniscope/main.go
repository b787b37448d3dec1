// Command omniscope sees how well machines see and hear. `omniscope --help`
// lists what it can do; README.md shows the first two commands to run.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"omniscope"
)

func main() {
	os.Exit(realMain())
}

func realMain() int {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		signal.Stop(signals) // a second Ctrl-C ends the program at once
		fmt.Fprintln(os.Stderr, "omniscope: ending once the calls on the wire are answered; interrupt again to end at once")
		cancel()
	}()
	return execute(ctx, os.Args[1:], os.Stdout, os.Stderr)
}

// Exit codes, the same for every command.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitFailures    = 3 // done, but the judging of more samples failed than allowed
	exitBudget      = 4
	exitInterrupted = 130
)

// errTooManyFailures ends a command that did its work, but badly.
var errTooManyFailures = errors.New("too many failures")

// execute is the whole program, as tests call it.
func execute(ctx context.Context, args []string, out, errOut io.Writer) int {
	root := newRoot(out, errOut)
	root.SetArgs(args)
	root.InitDefaultHelpCmd()
	_, _, err := root.Find(args)
	if err != nil {
		err = usagef("%v", err)
	} else {
		err = root.ExecuteContext(ctx)
	}
	if err == nil {
		return exitDone
	}
	code := exitCode(ctx, err)
	if code == exitInterrupted {
		for _, other := range besides(err, ctx.Err()) {
			fmt.Fprintln(errOut, "omniscope:", other)
		}
		fmt.Fprintln(errOut, "omniscope: interrupted"+goOn(args))
	} else {
		fmt.Fprintln(errOut, "omniscope:", err)
	}
	return code
}

// goOn says what an interrupted command does when it is run again.
func goOn(args []string) string {
	switch {
	case len(args) > 0 && args[0] == "text":
		return "; what was written so far is whole lines"
	case len(args) > 0 && args[0] == "score":
		return "; run again, it takes what BERTScore and COMET have computed from their cache"
	}
	return "; run the same command again to go on from here"
}

// exitCode is the one place where errors become exit codes.
func exitCode(ctx context.Context, err error) int {
	switch {
	case errors.Is(err, errTooManyFailures):
		return exitFailures
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		return exitInterrupted
	}
	switch omniscope.KindOf(err) {
	case omniscope.Usage:
		return exitUsage
	case omniscope.Budget:
		return exitBudget
	}
	return exitFailed
}

// besides returns what err tells apart from the interruption, such as a full
// disk.
func besides(err, interruption error) (others []error) {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range joined.Unwrap() {
			others = append(others, besides(e, interruption)...)
		}
		return others
	}
	if errors.Is(err, interruption) {
		return nil
	}
	return []error{err}
}
