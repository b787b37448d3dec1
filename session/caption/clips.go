package caption

import (
	"context"
	"errors"
	"os"

	"omniscope/detective"
	"omniscope/internal/ondisk"
	"omniscope/model/judge"
	"omniscope/perceive"
	"omniscope/run/journal"
	"omniscope/session"
	"omniscope/session/tools"
	"omniscope/session/tools/own"
)

// A clipRun is an investigation, opened: its journal, and who works on clips.
type clipRun struct {
	*session.Models
	described journal.Description
	tools     []perceive.Tool
	prompts   *detective.Prompts
	asker     *judge.Judge // detective; nil = offline
}

// captionKind is the kind of runs of this package, in the journal, and how their names begin.
const captionKind = "caption"

// Kind is the kind of runs that describe clips.
var Kind = session.Kind{Name: captionKind, New: func() session.Task { return &Spec{} }}

// openClips opens who works on clips for a run.
func openClips(ctx context.Context, m *session.Machine, d journal.Description, who *tools.Roles) (*clipRun, error) {
	m.Ready(session.ClipCalls())
	r := &clipRun{Models: session.NewModels(m), described: d}
	if err := r.open(ctx, m, who); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

func (r *clipRun) open(ctx context.Context, m *session.Machine, who *tools.Roles) (err error) {
	if r.prompts, err = detectivePrompts(m.At(who.Prompts), who.Prompts); err != nil {
		return err
	}
	if r.tools, err = tools.Open(ctx, r.Models, who.Look(m.Address), func() ([]perceive.Tool, error) { return own.Open(ctx, r.Models, who.Programs, m.Warnings) }); err != nil || who.Model == session.Offline {
		return err
	}
	asker, err := r.Models.Open(ctx, who.Role(who.Asker, who.Model, m.Address))
	if err != nil {
		return err
	}
	r.asker = asker.Judge
	return nil
}

// detectivePrompts reads the prompts of detective and splitter in a folder, which is
// called name; "" = the built-in ones.
func detectivePrompts(folder, name string) (*detective.Prompts, error) {
	if folder == "" {
		return detective.LoadPrompts(nil, "")
	}
	if !ondisk.IsFolder(folder) {
		return nil, session.NotAFolder(folder)
	}
	return detective.LoadPrompts(os.DirFS(folder), name)
}

// plan is the plan of a run on clips.
func (r *clipRun) plan(clips, jobs int) *session.Plan {
	return &session.Plan{Description: r.described, Units: clips, Unit: "clip", CPU: true, Models: r.Models, Tools: r.tools, Workers: jobs}
}

// toolsFor returns the tools of one pass, out of those that were opened for all passes. They have the
// order of a command with this pass alone, because the list of tools is part of the detective's prompt:
// another order would be another question, and paid for again.
func toolsFor(s *Spec, opened []perceive.Tool) []perceive.Tool {
	isObserver := make(map[string]bool)
	for _, m := range modalities {
		for i := range s.Observers {
			isObserver[tools.ObserverName(i, m)] = true
		}
	}
	var out []perceive.Tool
	byName := make(map[string]perceive.Tool)
	for _, t := range opened {
		if name := t.Info().Name; isObserver[name] {
			byName[name] = t
		} else {
			out = append(out, t)
		}
	}
	for i := range s.Observers {
		for _, sense := range s.senses() {
			out = append(out, byName[tools.ObserverName(i, sense)])
		}
	}
	return out
}
