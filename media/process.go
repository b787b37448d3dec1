package media

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"omniscope"
	"omniscope/internal/child"
	"omniscope/internal/visible"
)

// grace is how long a killed program's pipes are waited for.
const grace = 2 * time.Second

// A program is one run of ffmpeg or ffprobe.
type program struct {
	name string
	args []string
	path string // the file it is about, for messages

	input io.Reader // its standard input; nil = none

	// readers consume its standard output and, from the second on, the pipes
	// 3, 4, ... Each runs on a goroutine of its own and must read to the end.
	readers []func(io.Reader) error

	// line, if set, sees each line of the log first, and keeps it out of what
	// is remembered if it returns true.
	line func(string) bool

	// ended, if set, is called when the log has been read to its end.
	ended func()

	asked bool // it only says something about itself

	patience time.Duration // with a program without progress; 0 = the constant
}

// run runs p to its end and returns what it logged. A reader's error stops the
// program and is returned. An exit status other than 0 is an error of kind
// Invalid that quotes the log: after checks of its arguments, what is wrong is
// the file.
func (p *program) run(ctx context.Context) (*runLog, error) {
	where, err := locate(p.name)
	if err != nil {
		return nil, err
	}
	if err := p.checkAge(ctx); err != nil {
		return nil, err
	}
	parent := ctx
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	cmd := exec.CommandContext(ctx, where, p.args...)
	child.Tie(cmd)
	watch := &stallWatch{patience: cmp.Or(p.patience, patience)}
	if p.input != nil {
		cmd.Stdin = watch.input(p.input)
	}

	log := &runLog{line: p.line}
	readers := append([]func(io.Reader) error{p.readLog(log)}, p.readers...)
	ends, closeAll, err := pipes(len(readers))
	if err != nil {
		return nil, &omniscope.Error{Kind: omniscope.Internal, Op: "run " + p.name, Err: err}
	}
	defer closeAll()
	attach(cmd, ends)
	if err := cmd.Start(); err != nil {
		return nil, &omniscope.Error{Kind: omniscope.Internal, Op: "run " + p.name, Err: err}
	}
	var reading sync.WaitGroup
	for i, read := range readers {
		ends[i].write.Close() // the child has its own
		reading.Go(func() {
			var from io.Reader = ends[i].read
			if i > 0 { // a log is not progress
				watch.busy.Add(1)
				defer watch.busy.Add(-1)
				from = watch.reader(from)
			}
			if err := read(from); err != nil {
				cancel(err)
			}
		})
	}
	watched, unwatch := context.WithCancel(ctx)
	go func() {
		if err := watch.run(watched, cmd.Process.Pid); err != nil {
			cancel(err)
		}
	}()
	// A killed program's children, if any left its group, may keep pipes open:
	// reading must not wait for them.
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(grace, closeAll) })
	defer stop()
	err = cmd.Wait()
	reading.Wait()
	unwatch()
	cause := context.Cause(ctx)
	switch {
	case parent.Err() != nil:
		err = parent.Err()
	case cause == errStalled:
		err = p.stalled(log, watch.waited)
	case cause != nil:
		err = cause
	case err != nil:
		err = p.failed(err, log)
	}
	return log, err
}

// attach connects a program to the ends of pipes: its standard error, its standard output, and the pipes 3, 4, ...
func attach(cmd *exec.Cmd, ends []pipeEnds) {
	for i, e := range ends {
		switch i {
		case 0:
			cmd.Stderr = e.write
		case 1:
			cmd.Stdout = e.write
		default:
			cmd.ExtraFiles = append(cmd.ExtraFiles, e.write)
		}
	}
}

// readLog returns the reader of the standard error.
func (p *program) readLog(log *runLog) func(io.Reader) error {
	return func(r io.Reader) error {
		_, err := io.Copy(log, r)
		log.flush()
		if p.ended != nil {
			p.ended()
		}
		return err
	}
}

// failed explains an exit status.
func (p *program) failed(err error, log *runLog) error {
	for _, line := range append(slices.Clone(log.first), log.last...) {
		if format := refusedFormat(line); format != "" {
			return p.wrong(errors.New(whyNotOpened(p.path, format)))
		}
	}
	why := log.complaints("error", "fatal", "panic")
	if len(why) == 0 {
		why = []string{err.Error()}
	}
	why = why[max(0, len(why)-3):] // the last ones ended the program
	return p.wrong(errors.New(strings.Join(why, "; ")))
}

// wrong is an error about the file that p works on.
func (p *program) wrong(err error) error {
	return &omniscope.Error{Kind: omniscope.Invalid, Op: p.name + " " + shown(p.path), Err: err}
}

type pipeEnds struct{ read, write *os.File }

// pipes makes n pipes and one function that closes them all.
func pipes(n int) (ends []pipeEnds, closeAll func(), err error) {
	closeAll = func() {
		for _, e := range ends {
			e.read.Close()
			e.write.Close()
		}
	}
	for range n {
		r, w, err := os.Pipe()
		if err != nil {
			closeAll()
			return nil, nil, err
		}
		widen(r)
		ends = append(ends, pipeEnds{r, w})
	}
	return ends, closeAll, nil
}

// locate finds a program, or says how to get it.
func locate(name string) (string, error) {
	where, err := exec.LookPath(name)
	if err != nil {
		return "", &omniscope.Error{Kind: omniscope.NotFound, Op: "run " + name, Err: fmt.Errorf(
			"%s is not installed, or not in PATH: install ffmpeg (%s), which brings it", name, howToInstall)}
	}
	return where, nil
}

const howToInstall = "Debian, Ubuntu: apt-get install ffmpeg; macOS: brew install ffmpeg; else https://ffmpeg.org/download.html"

// Most lines and bytes of a log that are remembered: its first and its last.
const (
	logLines     = 40
	logLineBytes = 500
)

// A runLog remembers the ends of what a program logged with -loglevel
// level+..., and never more.
type runLog struct {
	line    func(string) bool
	partial []byte
	first   []string
	last    []string
	dropped int
	others  []string // decoders with irrelevant complaints
}

// by names what wrote a line of a log, as in "[mjpeg @ 0x5581d0] ".
func by(prefix string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(prefix, "["), " @ ")
	return name
}

// Write is called by one goroutine.
func (l *runLog) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		text, after, found := bytes.Cut(rest, []byte("\n"))
		if room := 1<<16 - len(l.partial); room > 0 {
			l.partial = append(l.partial, text[:min(len(text), room)]...)
		}
		if !found {
			break
		}
		l.flush()
		rest = after
	}
	return len(p), nil
}

func (l *runLog) flush() {
	if len(l.partial) == 0 {
		return
	}
	text := string(l.partial)
	l.partial = l.partial[:0]
	if l.line != nil && l.line(text) {
		return
	}
	text = printable(text, logLineBytes)
	switch {
	case len(l.first) < logLines:
		l.first = append(l.first, text)
	case len(l.last) < logLines:
		l.last = append(l.last, text)
	default:
		l.last = append(l.last[1:], text)
		l.dropped++
	}
}

// complaints returns the warnings and errors that are remembered, each once.
func (l *runLog) complaints(levels ...string) (found []string) {
	seen := make(map[string]bool)
	for _, text := range append(append([]string(nil), l.first...), l.last...) {
		for _, level := range levels {
			before, message, ok := strings.Cut(text, "["+level+"] ")
			if ok && !seen[message] && (before == "" || strings.HasPrefix(before, "[")) && !slices.Contains(l.others, by(before)) {
				seen[message] = true
				found = append(found, strings.TrimSpace(message))
			}
		}
	}
	return found
}

// printable makes text fit for a terminal and a JSON file, not longer than most
// bytes.
func printable(text string, most int) string {
	if len(text) > most {
		text = text[:most]
	}
	return visible.Blank(text)
}

// shown is a file's name in a message.
func shown(path string) string { return printable(path, 300) }

// argument is a file's name as ffmpeg takes it: with the protocol spelled out,
// so that neither a dash nor a colon in the name has a meaning.
func argument(path string) string { return "file:" + path }

// collect returns a reader that keeps what it reads, up to a limit.
func collect(into *bytes.Buffer, most int64) func(io.Reader) error {
	return func(r io.Reader) error {
		n, err := io.Copy(into, io.LimitReader(r, most+1))
		if err == nil && n > most {
			err = fmt.Errorf("more than %d bytes of output", most)
		}
		return err
	}
}

// eachLine returns a reader that hands on line by line.
func eachLine(do func([]byte) error) func(io.Reader) error {
	return func(r io.Reader) error {
		lines := bufio.NewScanner(r)
		for lines.Scan() {
			if err := do(lines.Bytes()); err != nil {
				return err
			}
		}
		return lines.Err()
	}
}
