package caption

import (
	"context"
	"errors"
	"os"
	"time"

	"omniscope/detective"
	"omniscope/model/judge"
	"omniscope/perceive"
	"omniscope/run"
	"omniscope/session"
)

// deskKind is the kind of a desk, in the journal.
const deskKind = "desk"

// A Desk is what clips are asked about with, opened for as long as somebody asks.
type Desk struct {
	Tools   []perceive.Tool
	Planner detective.Planner
	Asker   *judge.Judge // the detective's model; nil = offline
	Prompts *detective.Prompts
	Once    *run.Once
	models  *session.Models
}

// OpenDesk opens the tools and models of a spec without clips. The caller closes it.
func OpenDesk(ctx context.Context, s *Spec, o *session.Machine) (*Desk, error) {
	// Each desk is a run of its own: several agents may ask at a time, from one working folder.
	d, err := session.Describe(deskKind, deskKind, struct {
		*Spec
		Opened  time.Time `json:"opened"`
		Process int       `json:"process"`
	}{s, time.Now(), os.Getpid()})
	if err != nil {
		return nil, err
	}
	r, err := openClips(ctx, o, d, s.models())
	if err != nil {
		return nil, err
	}
	if err := errors.Join(r.Begin(ctx, r.plan(0, 0)), r.Watch()); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	r.Announce(o.Warnings)
	return &Desk{Tools: r.tools, Planner: r.planner(), Asker: r.asker, Prompts: r.prompts, Once: r.Once(), models: r.Models}, nil
}

// Close ends what was opened, and says what the models cost.
func (d *Desk) Close() error { return d.models.Close() }
