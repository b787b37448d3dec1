package session

import (
	"context"
	"errors"
	"os"

	"omniscope"
	"omniscope/detective"
	"omniscope/internal/ondisk"
	"omniscope/model/judge"
	"omniscope/perceive"
	"omniscope/run/journal"
)

// clipModels says who works on clips, as a Spec has it.
type clipModels struct {
	asker     string // detective or splitter: a role's name
	model     string // of that role; Offline = none
	tools     []string
	observers []string
	programs  []string
	asr       string
	prompts   string
	roles     map[string]*Role
	senses    []omniscope.Modality
}

// role is a role with a model.
func (c *clipModels) role(name, model string, address func(*Role)) *Role {
	r := DefaultRole(name)
	if own := c.roles[name]; own != nil {
		r = *own
	}
	r.Name, r.Model = name, model
	if address != nil {
		address(&r)
	}
	return &r
}

// look says who looks at clips.
func (c *clipModels) look(address func(*Role)) toolSelection {
	l := toolSelection{Tools: c.tools, Programs: c.programs, Senses: c.senses}
	for _, model := range c.observers {
		l.Observers = append(l.Observers, c.role(Observer, model, address))
	}
	if c.asr != "" {
		l.ASR = c.role(ASR, c.asr, address)
	}
	return l
}

// A clipRun is an investigation or an audit, opened: its journal, and who works
// on clips.
type clipRun struct {
	*Models
	described journal.Description
	tools     []perceive.Tool
	prompts   *detective.Prompts
	asker     *judge.Judge // detective or splitter; nil = offline
}

// The kind of runs of this package, in the journal. The names of runs begin as they always did.
const (
	captionKind = "caption" // by a detective, or by a plan
	captionName = "investigate"
)

// CaptionRuns are runs that describe clips.
var CaptionRuns = Kind{Name: captionKind, New: func() Task { return &InvestigationSpec{} }}

// openClips opens who works on clips for a run.
func openClips(ctx context.Context, m *Machine, d journal.Description, who *clipModels) (*clipRun, error) {
	r := &clipRun{Models: newModels(m), described: d}
	if err := r.open(ctx, m, who); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

func (r *clipRun) open(ctx context.Context, m *Machine, who *clipModels) (err error) {
	if r.prompts, err = detectivePrompts(m.at(who.prompts), who.prompts); err != nil {
		return err
	}
	if r.tools, err = OpenTools(ctx, r.Models, who.look(m.Address), m.Warnings); err != nil || who.model == Offline {
		return err
	}
	asker, err := r.Models.Open(ctx, who.role(who.asker, who.model, m.Address))
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
		return nil, notAFolder(folder)
	}
	return detective.LoadPrompts(os.DirFS(folder), name)
}

// plan is the plan of a run on clips.
func (r *clipRun) plan(clips, jobs int) *Plan {
	return &Plan{Description: r.described, Units: clips, Unit: "clip", CPU: true, Models: r.Models, Tools: r.tools, Workers: jobs}
}
