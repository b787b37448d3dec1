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
	tools   []perceive.Tool
	prompts *detective.Prompts
	asker   *judge.Judge // detective or splitter; nil = offline
}

// The kind of runs of this package, in the journal. The names of runs begin as they always did.
const (
	captionKind = "caption" // by a detective, or by a plan
	captionName = "investigate"
)

// CaptionRuns are runs that describe clips.
var CaptionRuns = Kind{Name: captionKind, New: func() Task { return &InvestigationSpec{} }}

// openClips opens a run on clips and says whom it will ask.
func openClips(ctx context.Context, o *Machine, d journal.Description, who *clipModels) (*clipRun, error) {
	models, err := openModels(ctx, o, d)
	if err != nil {
		return nil, err
	}
	models.used = o.Used
	r := &clipRun{Models: models}
	if err := r.open(ctx, o, who); err != nil {
		models.Warn(o.Warnings)
		return nil, errors.Join(err, models.Close())
	}
	models.Announce(o.Warnings)
	return r, nil
}

func (r *clipRun) open(ctx context.Context, o *Machine, who *clipModels) (err error) {
	if r.prompts, err = detectivePrompts(o.at(who.prompts), who.prompts); err != nil {
		return err
	}
	if r.tools, err = OpenTools(ctx, r.Models, who.look(o.Address), o.Warnings); err != nil || who.model == Offline {
		return err
	}
	m, err := r.Open(ctx, who.role(who.asker, who.model, o.Address))
	if err != nil {
		return err
	}
	r.asker = m.Judge
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

// work is the work of a run on clips; do does a clip.
func (r *clipRun) work(name string, clips int, do func(context.Context, int) (unitOutcome, error)) *Work {
	w := r.Models.work(name, clips, do)
	w.Unit, w.Queue, w.Order.Tools = "clip", CPUQueue, namesOf(r.tools)
	return w
}
