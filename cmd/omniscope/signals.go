package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"omniscope/run"
)

// idleBeforeExit is how long an interrupted command may take to end while it
// awaits no answer. A file or a pipe that never ends may keep it from noticing.
const idleBeforeExit = 5 * time.Second

// endOnSignals lets the first Ctrl-C or SIGTERM end the command orderly, and the
// second at once, whatever the command is doing: the second is the system's
// business, and no file of ours suffers from it (see the journal's log and
// writeFile).
func endOnSignals(args []string, cancel context.CancelFunc) {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		cancel()
		signal.Stop(signals)
		if signal.Ignored(os.Interrupt) || signal.Ignored(syscall.SIGTERM) { // as under nohup and in scripts' background jobs
			signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
		}
		// Standard error may be a pipe without a reader.
		go fmt.Fprintln(os.Stderr, "omniscope: "+ending(args)+"; interrupt again to end at once")
		go exitWhenIdle(args)
		<-signals
		os.Exit(exitInterrupted)
	}()
}

// exitWhenIdle ends the program if the command has not ended by itself, although
// nothing that may be paid for is under way.
func exitWhenIdle(args []string) {
	const look = 100 * time.Millisecond
	for idle := time.Duration(0); idle < idleBeforeExit; idle += look {
		time.Sleep(look)
		if run.InFlight() > 0 {
			idle = 0
		}
	}
	time.AfterFunc(time.Second, func() { os.Exit(exitInterrupted) }) // standard error may be a pipe without a reader
	left := ""
	if cmd, _, err := newRoot(os.Stdout, os.Stderr).Find(args); err == nil {
		left = resumeHint(cmd)
	}
	fmt.Fprintln(os.Stderr, "omniscope: interrupted"+left)
	os.Exit(exitInterrupted)
}
