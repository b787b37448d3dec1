// Package program makes a tool of a program that the user brings. The program is started once and
// kept; it reads a JSON object to a line and answers with one to a line:
//
//	{"id": 1, "describe": true}
//	{"id": 1, "name": "birds", "version": "2", "about": "Names birds by their song.", "modality": "audio", "asks": false}
//	{"id": 2, "path": "/clips/a.mp4", "start_s": 0, "end_s": 12.5, "question": "Which birds are there?"}
//	{"id": 2, "observations": [{"what": "A robin sings.", "start_s": 3, "end_s": 5.5, "sure": 0.8}]}
//
// For a closer look, start_s and end_s are those of the stretch, and "region" has the left, top, right and bottom of
// a part of the picture, in shares from 0 to 1.
//
// What it says is taken for the report of an observer: bounded text, and no instruction.
package program

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"omniscope"
	"omniscope/internal/brief"
	"omniscope/media"
	"omniscope/perceive"
)

// Bounds of what a program may say.
const (
	longestLine     = 1 << 20 // bytes of an answer
	longestWhat     = 4096    // bytes of an observation
	longestAbout    = 500
	mostObserved    = 500 // observations of an answer
	describeTimeout = 2 * time.Minute
	// DefaultTimeout is how long an answer may take.
	DefaultTimeout = 5 * time.Minute
	latest         = 1e6 // seconds into a file
	// reportedSure is the certainty of an observation that names none.
	reportedSure = 0.5
)

// Options say how a program is run.
type Options struct {
	Command   []string      // the program and its arguments
	Timeout   time.Duration // of an answer; 0 = DefaultTimeout
	Processes int           // at a time at most; 0 = 1
}

// A Tool is a program that runs. It is safe for concurrent use.
type Tool struct {
	info    perceive.Info
	options Options
	idle    chan *process // a place for each process; nil = it is not running
	stop    context.CancelFunc
	running context.Context
}

var _ perceive.Tool = (*Tool)(nil)

type description struct {
	Name     string             `json:"name"`
	Version  string             `json:"version"`
	About    string             `json:"about"`
	Modality omniscope.Modality `json:"modality"`
	Asks     bool               `json:"asks"`
}

// Open starts the program and asks what it is. The caller closes the tool.
func Open(ctx context.Context, o Options) (*Tool, error) {
	if len(o.Command) == 0 {
		return nil, omniscope.Usagef("name the program of the tool, as in exec:./birds.py")
	}
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	t := &Tool{options: o, idle: make(chan *process, max(o.Processes, 1))}
	t.running, t.stop = context.WithCancel(context.Background())
	for range cap(t.idle) {
		t.idle <- nil
	}
	var d description
	err := t.call(ctx, describeTimeout, map[string]any{"describe": true}, &d)
	if err == nil {
		err = t.take(d)
	}
	if err != nil {
		t.Close()
		return nil, &omniscope.Error{Kind: omniscope.Usage, Op: "tool " + o.Command[0], Err: err}
	}
	return t, nil
}

var goodName = regexp.MustCompile(`^[a-z][a-z0-9_-]{0,31}$`)

// take checks what the program says of itself.
func (t *Tool) take(d description) error {
	switch {
	case !goodName.MatchString(d.Name):
		return fmt.Errorf("it calls itself %q: a tool's name has small letters, digits, - and _, 32 at most", brief.Cut(d.Name, 40))
	case d.Version == "" || len(d.Version) > 100:
		return errors.New(`it names no "version", by which its answers are remembered, or a long one`)
	case strings.TrimSpace(d.About) == "" || len(d.About) > longestAbout:
		return fmt.Errorf(`it does not say "about" what it can tell, in at most %d bytes`, longestAbout)
	case d.Modality != omniscope.Audio && d.Modality != omniscope.Visual && d.Modality != omniscope.AudioVisual:
		return fmt.Errorf(`its "modality" is %q: audio, visual or audio-visual`, brief.Cut(string(d.Modality), 40))
	}
	command := sha256.Sum256([]byte(strings.Join(t.options.Command, "\x00")))
	t.info = perceive.Info{Name: d.Name, Version: fmt.Sprintf("%s %.12x", d.Version, command), About: brief.OneLine(d.About), Modality: d.Modality, Asks: d.Asks, Needs: t.options.Command[0]}
	if d.Asks {
		t.info.Model = d.Name // it answers in words of its own, as a model does
	}
	return nil
}

// Info implements perceive.Tool.
func (t *Tool) Info() perceive.Info { return t.info }

// Check implements perceive.Tool. A program that is there was asked already.
func (t *Tool) Check(context.Context) error { return nil }

// Close ends the program.
func (t *Tool) Close() error {
	t.stop()
	for range cap(t.idle) {
		if p := <-t.idle; p != nil {
			_ = p.ended()
		}
	}
	return nil
}

type reply struct {
	Text         string        `json:"text"`
	Observations []observation `json:"observations"`
}

type observation struct {
	What   string   `json:"what"`
	Quote  string   `json:"quote"`
	StartS float64  `json:"start_s"`
	EndS   float64  `json:"end_s"`
	Sure   *float64 `json:"sure"`
}

// Observe implements perceive.Tool.
func (t *Tool) Observe(ctx context.Context, c *perceive.Clip, question string) (*perceive.Answer, error) {
	path, start, end := Place(c)
	request := map[string]any{"path": path, "start_s": start, "end_s": end}
	if t.info.Asks {
		request["question"] = question
	}
	if c.Focus.Region != (media.Region{}) {
		request["region"] = c.Focus.Region
	}
	var r reply
	if err := t.call(ctx, t.options.Timeout, request, &r); err != nil {
		return nil, err
	}
	return r.answer()
}

// ReadAnswer reads the answer of a tool that the user brings: a JSON object with text or observations.
func ReadAnswer(text []byte) (*perceive.Answer, error) {
	var r reply
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, malformed("its answer has another form: %w", err)
	}
	return r.answer()
}

// Place returns where a clip is: the path of its file, and where in the file it starts and ends, in seconds.
func Place(c *perceive.Clip) (path string, startS, endS float64) {
	end := c.Span.End
	if end == 0 && c.File != nil {
		end = c.File.End()
	}
	return c.Path, c.Span.Start.Seconds(), end.Seconds()
}

// answer bounds what the program said.
func (r *reply) answer() (*perceive.Answer, error) {
	a := &perceive.Answer{Text: brief.Cut(r.Text, longestLine/16)}
	if len(r.Observations) > mostObserved {
		a.Warnings = append(a.Warnings, fmt.Sprintf("it has %d observations, of which the first %d count", len(r.Observations), mostObserved))
		r.Observations = r.Observations[:mostObserved]
	}
	for i, o := range r.Observations {
		switch {
		case strings.TrimSpace(o.What) == "":
			return nil, malformed("observation %d has no \"what\"", i+1)
		case !(o.StartS >= 0 && o.StartS <= latest) || !(o.EndS == 0 || o.EndS >= o.StartS && o.EndS <= latest):
			return nil, malformed("observation %d is from %v to %v s", i+1, o.StartS, o.EndS)
		case o.Sure != nil && !(*o.Sure >= 0 && *o.Sure <= 1):
			return nil, malformed("observation %d is %v sure, which is not from 0 to 1", i+1, *o.Sure)
		}
		sure := reportedSure
		if o.Sure != nil {
			sure = *o.Sure
		}
		span := omniscope.Span{Start: time.Duration(o.StartS * float64(time.Second)), End: time.Duration(o.EndS * float64(time.Second))}
		a.Observations = append(a.Observations, perceive.Observation{Kind: perceive.Reported, What: brief.Cut(brief.OneLine(o.What), longestWhat), Quote: brief.Cut(o.Quote, longestWhat), Span: span, Sure: sure})
	}
	return a, nil
}

func malformed(format string, args ...any) error {
	return &omniscope.Error{Kind: omniscope.Malformed, Err: fmt.Errorf(format, args...)}
}

// decode reads an answer to the question of that number.
func decode(line []byte, id int, into any) error {
	var head struct {
		ID    *int   `json:"id"`
		Error string `json:"error"`
	}
	if err := json.Unmarshal(line, &head); err != nil {
		return malformed("it answers with no JSON object in a line: %s", brief.Cut(strings.TrimSpace(string(line)), 200))
	}
	switch {
	case head.ID == nil || *head.ID != id:
		return malformed("its answer has not the \"id\" of what it was asked, %d: %s", id, brief.Cut(strings.TrimSpace(string(line)), 200))
	case head.Error != "":
		return failed{&omniscope.Error{Kind: omniscope.Exhausted, Err: errors.New("it says: " + brief.Cut(brief.OneLine(head.Error), 500))}}
	}
	if err := json.Unmarshal(line, into); err != nil {
		return malformed("its answer has another form: %w", err)
	}
	return nil
}

// failed is an error that the program tells of itself, and so goes on.
type failed struct{ error }

func (f failed) Unwrap() error { return f.error }
