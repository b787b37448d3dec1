// Package shout is a kind of run for tests: it asks a model about each line of a file, and writes the answers.
package shout

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"strconv"
	"strings"

	"omniscope"
	"omniscope/internal/outfile"
	"omniscope/internal/sha256hex"
	"omniscope/model"
	"omniscope/model/judge"
	"omniscope/run/journal"
	"omniscope/session"
)

// Kind is the kind of runs that shout.
var Kind = session.Kind{Name: "shout", New: func() session.Task { return &Spec{} }}

// A Spec describes a run.
type Spec struct {
	File   string        `json:"file"`
	SHA256 string        `json:"sha256,omitempty"` // of the file; "" = not known yet
	Model  *session.Role `json:"model"`
}

// Listed implements session.Task.
func (s *Spec) Listed() session.Listing {
	return session.Listing{Command: "shout", What: []string{s.File}, By: session.ModelOf(s.Model)}
}

type units struct {
	models  *session.Models
	asked   *judge.Judge
	out     string
	lines   []string
	answers []string // by line; "" = none
	run     journal.Description
}

// Open implements session.Task.
func (s *Spec) Open(ctx context.Context, m *session.Machine) (session.Units, error) {
	text, err := os.ReadFile(m.At(s.File))
	if err != nil {
		return nil, err
	}
	now := sha256hex.Of(text)
	if s.SHA256 != "" && s.SHA256 != now {
		return nil, omniscope.Invalidf("%s has the SHA-256 %s, and here %s", s.File, s.SHA256, now)
	}
	s.SHA256 = now
	u := &units{models: session.NewModels(m), out: m.Out, lines: strings.Split(strings.TrimSpace(string(text)), "\n")}
	if u.run, err = session.Describe(Kind.Name, Kind.Name, s); err != nil {
		return nil, err
	}
	role := *s.Model
	if role.Name = "model"; m.Address != nil {
		m.Address(&role)
	}
	opened, err := u.models.Open(ctx, &role)
	if err != nil {
		return nil, err
	}
	u.asked, u.answers = opened.Judge, make([]string, len(u.lines))
	return u, nil
}

// Plan implements session.Units.
func (u *units) Plan() *session.Plan {
	return &session.Plan{Description: u.run, Units: len(u.lines), Unit: "line", Models: u.models, Workers: 4}
}

// Claim implements session.Units.
func (u *units) Claim(context.Context) error {
	return outfile.Check(u.out, func(r io.Reader) bool { // another run's file is not written over
		var there struct{ Run string }
		return json.NewDecoder(r).Decode(&there) == nil && there.Run == u.run.Name
	})
}

// Begin implements session.Units.
func (u *units) Begin(context.Context, *session.Env) error { return nil }

// Do implements session.Units.
func (u *units) Do(ctx context.Context, unit int) (session.Done, error) {
	answer, err := judge.Ask(ctx, u.asked, judge.Question[string]{
		Step: strconv.Itoa(unit), Messages: []model.Message{model.Text(model.User, "Shout: "+u.lines[unit])},
		Read: func(reply string) (string, error) { return strings.ToUpper(reply), nil },
	})
	if err != nil {
		return session.Done{}, err
	}
	if answer.Outcome != omniscope.OK {
		return session.DoneAs(answer.Outcome, strconv.Itoa(unit), answer.Why()), nil
	}
	u.answers[unit] = answer.Value
	return session.Done{Complete: true}, nil
}

// Write implements session.Units.
func (u *units) Write(context.Context) error {
	return outfile.Write(u.out, func(to io.Writer) error {
		return outfile.JSON(to, map[string]any{"run": u.run.Name, "answers": u.answers})
	})
}

// Close implements session.Units.
func (u *units) Close() error { return u.models.Close() }
