package session

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"omniscope"
	"omniscope/bench/document"
	"omniscope/detective"
	"omniscope/internal/ondisk"
	"omniscope/model/judge"
	"omniscope/perceive"
	"omniscope/perceive/mllm"
	"omniscope/run/journal"
)

// OnClips says where and at whose expense clips are investigated or audited, and
// what becomes of the results. None of it shapes an answer.
type OnClips struct {
	Machine
	Out   string                   // folder or file of the results
	Force bool                     // write over results of other flags
	Used  func(document.UsageInfo) // is called with what the run took, if it asks a model; nil = not wanted
}

// below makes a relative path start from a folder; "" = the working folder.
func below(folder, path string) string {
	if path == "" || folder == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(folder, path)
}

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

// DefaultRole is a role without a model, as it is where no flag changes it.
func DefaultRole(name string) Role {
	r := Role{Name: name}
	switch name {
	case Detective, Splitter:
		r.Attempts, r.Temperature = 3, new(float64)
	case Observer:
		r.MaxTokens = mllm.DefaultTokens
	}
	return r
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

// Kinds of runs, as journals keep them.
const (
	evalKind    = "eval"
	predictKind = "predict"
	captionKind = "caption" // by a detective, or by a plan
	auditKind   = "audit"
	probeKind   = "probe"
	rowsKind    = "rows"  // questions of curate and train
	scoreKind   = "score" // texts that networks score
	deskKind    = "desk"  // tools on request, see OpenDesk
)

// nameOf is what the names of a kind's runs begin with, where that is not the kind: names stay as they were given first.
var nameOf = map[string]string{captionKind: "investigate", rowsKind: "curate"}

// describe describes a run of a kind by all that shapes it.
func describe(kind string, spec any) (journal.Description, error) {
	text, err := json.Marshal(spec)
	name := fmt.Sprintf("%s-%.6x", cmp.Or(nameOf[kind], kind), sha256.Sum256(text))
	return journal.Description{Name: name, Kind: kind, Manifest: string(text)}, err
}

// openClips opens a run on clips and says whom it will ask.
func openClips(ctx context.Context, o *OnClips, d journal.Description, who *clipModels) (*clipRun, error) {
	models, err := openModels(ctx, &o.Machine, d)
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

func (r *clipRun) open(ctx context.Context, o *OnClips, who *clipModels) (err error) {
	if r.prompts, err = detectivePrompts(o.at(who.prompts), who.prompts); err != nil {
		return err
	}
	if r.tools, err = r.OpenTools(ctx, who.look(o.Address), o.Warnings); err != nil || who.model == Offline {
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
