// Package render makes videos by a program on this machine, such as a script that drives ComfyUI or a
// diffusion model. The program is named by a template:
//
//	exec:python render.py --prompt-file {prompt_file} --seconds {seconds} --out {out}
//
// The template is split into arguments by internal/commandline, and then the placeholders are filled:
// no shell reads it, and no caption or file name can become another argument.
package render

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"omniscope"
	"omniscope/internal/brief"
	"omniscope/internal/child"
	"omniscope/internal/commandline"
	"omniscope/internal/visible"
	"omniscope/session/reconstruct"
)

// Prefix is what a generator of this package is named by.
const Prefix = "exec:"

// The placeholders of a template. The first and the last one are needed.
const (
	promptFile = "{prompt_file}" // file with the prompt, UTF-8, without a line end at its end
	seconds    = "{seconds}"     // length to make, such as 8 or 4.5
	name       = "{name}"        // of the job: letters and digits, always the same for the same job
	out        = "{out}"         // file to write, ending in .mp4
)

var placeholders = []string{promptFile, seconds, name, out}

// placeholder finds what looks like one.
var placeholder = regexp.MustCompile(`\{[A-Za-z][A-Za-z0-9_-]*\}`)

// A renderProgram makes videos. It is safe for concurrent use.
type renderProgram struct {
	template []string
	timeout  time.Duration
	mostFile int64
	look     time.Duration
}

var _ reconstruct.Maker = (*renderProgram)(nil)

// New reads a template, with or without Prefix. One that cannot be split, lacks a placeholder, has an
// unknown one, or names a program that is not there is an error of kind Usage. timeout bounds one run of
// the program, mostFile its file in bytes.
func New(template string, timeout time.Duration, mostFile int64) (*renderProgram, error) {
	args, err := commandline.Split(strings.TrimPrefix(template, Prefix))
	if err != nil {
		return nil, omniscope.Usagef("--generator %s: %v", template, err)
	}
	if len(args) == 0 {
		return nil, omniscope.Usagef("--generator %s: name a program, as in exec:'python render.py --prompt-file {prompt_file} --seconds {seconds} --out {out}'", template)
	}
	for i, arg := range args {
		for _, p := range placeholder.FindAllString(arg, -1) {
			switch {
			case !slices.Contains(placeholders, p):
				return nil, omniscope.Usagef("--generator: there is no placeholder %s: there are %s", p, strings.Join(placeholders, ", "))
			case i == 0:
				return nil, omniscope.Usagef("--generator: the program itself cannot be %s", p)
			}
		}
	}
	for _, needed := range []string{promptFile, out} {
		if !slices.ContainsFunc(args, func(a string) bool { return strings.Contains(a, needed) }) {
			return nil, omniscope.Usagef("--generator: the program is not told %s: put the placeholder where it belongs among its arguments", needed)
		}
	}
	if args[0], err = exec.LookPath(args[0]); err != nil {
		return nil, omniscope.Usagef("--generator: the program cannot be run: %v", err)
	}
	return &renderProgram{template: args, timeout: timeout, mostFile: mostFile, look: time.Second}, nil
}

// Make implements reconstruct.Maker. The program ends with ctx, after the time limit, when its file is too
// large, and with this process. An error of kind Exhausted ends with the last lines of its standard error.
func (p *renderProgram) Make(ctx context.Context, j *reconstruct.Job, to string) error {
	dir, err := os.MkdirTemp("", "omniscope-prompt-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	prompt := filepath.Join(dir, "prompt.txt")
	if err := os.WriteFile(prompt, []byte(j.Prompt), 0o600); err != nil {
		return err
	}
	if to, err = filepath.Abs(to); err != nil {
		return err
	}
	fill := strings.NewReplacer(promptFile, prompt, seconds, reconstruct.Seconds(j.Seconds), name, j.Name, out, to)
	args := slices.Clone(p.template[1:])
	for i := range args {
		args[i] = fill.Replace(args[i])
	}
	return p.run(ctx, args, to)
}

// causes of a program's end that are ours.
var (
	errLate  = errors.New("it was not done in time")
	errLarge = errors.New("its video grew larger than --max-video-size")
)

func (p *renderProgram) run(ctx context.Context, args []string, to string) error {
	running, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	late := time.AfterFunc(p.timeout, func() { cancel(errLate) })
	defer late.Stop()
	var said child.Tail
	cmd := exec.CommandContext(running, p.template[0], args...)
	child.Tie(cmd)
	cmd.Stdout, cmd.Stderr = io.Discard, &said
	cmd.WaitDelay = 2 * time.Second
	if err := cmd.Start(); err != nil {
		return &omniscope.Error{Kind: omniscope.Exhausted, Op: "start " + p.template[0], Err: err}
	}
	go p.watch(running, to, cancel)
	err := cmd.Wait()
	switch cause := context.Cause(running); {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(cause, errLate):
		err = fmt.Errorf("it was not done in %v", p.timeout)
	case errors.Is(cause, errLarge):
		err = cause
	}
	if err == nil {
		return nil
	}
	last := ""
	if lines := said.Lines(3); len(lines) > 0 {
		last = "; it wrote: " + brief.Cut(visible.Blank(strings.Join(lines, " | ")), 500)
	}
	return &omniscope.Error{Kind: omniscope.Exhausted, Op: filepath.Base(p.template[0]), Err: fmt.Errorf("%w%s", err, last)}
}

// watch ends the program when its file is too large.
func (p *renderProgram) watch(ctx context.Context, to string, end func(error)) {
	tick := time.NewTicker(p.look)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if info, err := os.Lstat(to); err == nil && info.Size() > p.mostFile {
				end(errLarge)
			}
		}
	}
}
