package program

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"omniscope"
	"omniscope/internal/brief"
	"omniscope/internal/child"
)

// A process is one run of the program. It is asked one thing at a time.
type process struct {
	cmd   *exec.Cmd
	kill  context.CancelFunc
	in    io.WriteCloser
	out   *bufio.Reader
	last  child.Tail
	asked int
	ended func() error // ends it, and returns how it ended
}

// call asks a process that is idle, started if need be. One that does not answer in time, or in
// another form, is ended, and the next call starts another one. One that was found dead is
// started again for the same call, once.
func (t *Tool) call(ctx context.Context, within time.Duration, request map[string]any, into any) (err error) {
	var p *process
	select {
	case p = <-t.idle:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { t.idle <- p }()
	for {
		used := p != nil
		if !used {
			if p, err = t.start(); err != nil {
				return err
			}
		}
		err = p.ask(ctx, within, request, into)
		if err == nil || errors.As(err, new(failed)) {
			return err
		}
		_ = p.ended()
		p = nil
		if !used || !errors.As(err, new(died)) {
			return err
		}
	}
}

func (t *Tool) start() (*process, error) {
	if err := t.running.Err(); err != nil {
		return nil, err
	}
	ctx, end := context.WithCancel(t.running)
	p := &process{cmd: exec.CommandContext(ctx, t.options.Command[0], t.options.Command[1:]...)}
	child.Tie(p.cmd)
	p.cmd.WaitDelay = time.Second
	p.cmd.Stderr = &p.last
	in, err1 := p.cmd.StdinPipe()
	out, err2 := p.cmd.StdoutPipe()
	if err := errors.Join(err1, err2); err != nil {
		end()
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		end()
		return nil, &omniscope.Error{Kind: omniscope.Exhausted, Err: fmt.Errorf("it cannot be started: %w", err)}
	}
	p.in, p.out = in, bufio.NewReaderSize(out, 1<<16)
	p.kill = end
	p.ended = sync.OnceValue(func() error {
		end()
		return p.cmd.Wait()
	})
	return p, nil
}

func (p *process) ask(ctx context.Context, within time.Duration, request map[string]any, into any) error {
	p.asked++
	request["id"] = p.asked
	text, err := json.Marshal(request)
	if err != nil {
		return err
	}
	type reply struct {
		line []byte
		err  error
	}
	answer := make(chan reply, 1)
	go func() {
		if _, err := p.in.Write(append(text, '\n')); err != nil {
			answer <- reply{nil, err}
			return
		}
		line, err := p.line()
		answer <- reply{line, err}
	}()
	timer := time.NewTimer(within)
	defer timer.Stop()
	select {
	case s := <-answer:
		if s.err != nil {
			return p.lost(s.err)
		}
		return decode(s.line, p.asked, into)
	case <-timer.C:
		return &omniscope.Error{Kind: omniscope.Exhausted, Err: fmt.Errorf("it did not answer within %v%s", within, said(&p.last))}
	case <-ctx.Done():
		return ctx.Err()
	}
}

// line reads a line that is not too long.
func (p *process) line() ([]byte, error) {
	var line []byte
	for {
		part, err := p.out.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > longestLine:
			return nil, fmt.Errorf("its answer has more than %d bytes", longestLine)
		case err == nil:
			return line, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}

// lost says what became of a process that does not answer any more.
func (p *process) lost(err error) error {
	if !errors.Is(err, io.EOF) && !errors.Is(err, os.ErrClosed) && !errors.Is(err, syscall.EPIPE) {
		return &omniscope.Error{Kind: omniscope.Malformed, Err: err}
	}
	why := "by itself"
	var exit *exec.ExitError
	if errors.As(p.waited(), &exit) && exit.ExitCode() > 0 {
		why = "with exit code " + fmt.Sprint(exit.ExitCode())
	}
	return died{&omniscope.Error{Kind: omniscope.Exhausted, Err: fmt.Errorf("it ended %s, without an answer%s", why, said(&p.last))}}
}

// waited lets a process that closed its output end, and ends it if it does not.
func (p *process) waited() error {
	late := time.AfterFunc(time.Second, func() { p.kill() })
	defer late.Stop()
	err := p.cmd.Wait()
	p.kill() // what it started, too
	p.ended = func() error { return err }
	return err
}

// died is the error of a process that ended without an answer.
type died struct{ error }

func (d died) Unwrap() error { return d.error }

// said is the last line that a process wrote to standard error, for a message.
func said(t *child.Tail) string {
	if last := t.Last(); last != "" {
		return "; it wrote: " + brief.Cut(last, 300)
	}
	return ""
}
