package caption

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync/atomic"

	"omniscope"
	"omniscope/detective"
	"omniscope/perceive"
	"omniscope/perceive/all"
	"omniscope/perceive/asr"
	"omniscope/run"
	"omniscope/run/journal"
	"omniscope/session"
	"omniscope/session/tools"
)

// IsRun reports whether a run investigated clips.
func IsRun(r journal.Run) bool { return r.Kind == captionKind }

// Replay investigates the clips of a run again, from what it remembers alone: no tool looks and no model is
// asked. The clips have to be where they were, unchanged. show is called for each.
func Replay(ctx context.Context, s journal.Store, r journal.Run, show func(*detective.Report) error) error {
	var spec Spec
	if err := json.Unmarshal([]byte(r.Manifest), &spec); err != nil {
		return fmt.Errorf("manifest of run %s: %w", r.Name, err)
	}
	if len(spec.Clips) == 0 {
		return omniscope.Usagef("run %s described a list, of which the journal has the digest alone: repeat its command, which asks nothing twice", r.Name)
	}
	p := &pastInvestigation{spec: &spec, answers: &session.Past{Store: s, Run: r.Name}, once: &run.Once{Journal: session.Remembered{Store: s, Run: r.Name}, AnySource: true}}
	if err := p.open(ctx, s, r.Name); err != nil {
		return err
	}
	flags, err := spec.flags()
	if err != nil {
		return err
	}
	names := ClipNames(spec.Clips)
	var failed []error
	for i, path := range spec.Clips {
		report, err := p.clip(ctx, path, names[i])
		if err == nil {
			report.Flags = flags
			err = show(report)
		}
		if err != nil {
			failed = append(failed, session.About(path, err))
		}
	}
	if n := p.answers.Reworded.Load(); n > 0 {
		failed = append(failed, fmt.Errorf("%d answers were given to requests that this version words otherwise; they were found by step and attempt", n))
	}
	return errors.Join(failed...)
}

// A pastInvestigation is one that is replayed.
type pastInvestigation struct {
	spec    *Spec
	answers *session.Past
	once    *run.Once
	tools   []perceive.Tool
	planner detective.Planner
	prompts *detective.Prompts
	unknown atomic.Int64 // questions to tools that have no remembered answer
}

func (p *pastInvestigation) open(ctx context.Context, s journal.Store, name string) (err error) {
	who := p.spec.models()
	if p.prompts, err = detectivePrompts(who.Prompts, who.Prompts); err != nil {
		return err
	}
	if p.tools, err = p.pastTools(ctx, s, name, who); err != nil {
		return err
	}
	if p.planner = detective.Planner(detective.Offline{}); who.Model == session.Offline {
		return nil
	}
	m, err := session.ModelOfPast(who.Role(session.Detective, who.Model, nil), p.answers)
	if err != nil {
		return err
	}
	m.Connect(p.once)
	p.planner = &detective.LLM{Judge: m.Judge}
	return nil
}

// clip replays one clip: as it ended last, or if its failures have been asked again since, but not all of them, as it ended
// before.
func (p *pastInvestigation) clip(ctx context.Context, path, name string) (report *detective.Report, err error) {
	clip, err := perceive.Open(ctx, omniscope.Clip{ID: omniscope.ClipID(name), Path: path})
	if err != nil {
		return nil, err
	}
	defer clip.Close()
	c := &detective.Investigation{Clip: clip, Modality: modalities[p.spec.Modality], Tools: toolsFor(p.spec, p.tools), Budget: p.spec.Inquiries, Prompts: p.prompts,
		EnoughAfter: p.spec.EnoughAfter, Confirm: p.spec.Confirm, ConcludeAt: p.spec.ConcludeAt}
	for back := range 2 {
		before := p.unknown.Load() + p.answers.Unknown.Load()
		report, err = detective.Investigate(ctx, c, p.planner, detective.Options{Once: p.once, Back: back})
		if err != nil || p.unknown.Load()+p.answers.Unknown.Load() == before {
			return report, err
		}
	}
	return nil, omniscope.Invalidf("the journal lacks some of its answers: the clip has changed since, or its investigation did not come to its end")
}

// pastTools are the tools that the run had, as far as the journal tells: those that its investigations name, else those
// that this program makes of its flags, in the versions whose answers are remembered.
func (p *pastInvestigation) pastTools(ctx context.Context, s journal.Store, name string, who *tools.Roles) (list []perceive.Tool, err error) {
	var named []detective.ToolInfo
	versions, asks := make(map[string]string), make(map[string]bool)
	for c, err := range s.Calls(ctx, name, "") {
		if err != nil {
			return nil, err
		}
		switch c.Kind {
		case "investigation":
			var key struct{ Tools []detective.ToolInfo }
			if json.Unmarshal(c.Request, &key) == nil && len(key.Tools) > 0 {
				named = key.Tools
			}
		case "tool":
			var key struct{ Tool, Version, Question string }
			if json.Unmarshal(c.Request, &key) == nil && key.Tool != "" {
				versions[key.Tool], asks[key.Tool] = key.Version, key.Question != ""
			}
		}
	}
	var infos []perceive.Info
	for _, t := range named {
		infos = append(infos, perceive.Info{Name: t.Name, Version: t.Version, About: t.About, Modality: t.Modality, Asks: t.Asks})
	}
	if named == nil {
		if infos, err = p.toolsOfFlags(who, versions); err != nil {
			return nil, err
		}
	}
	for tool, version := range versions { // of the user's own
		if !slices.ContainsFunc(infos, func(i perceive.Info) bool { return i.Name == tool }) {
			infos = append(infos, perceive.Info{Name: tool, Version: version, Modality: omniscope.AudioVisual, Asks: asks[tool]})
		}
	}
	for _, info := range infos {
		list = append(list, pastTool{info, &p.unknown})
	}
	return list, nil
}

// toolsOfFlags are the tools that were asked, of those that the run's flags make.
func (p *pastInvestigation) toolsOfFlags(who *tools.Roles, versions map[string]string) (infos []perceive.Info, err error) {
	for _, t := range all.Open(asr.Options{}) {
		if info := t.Info(); versions[info.Name] != "" {
			info.Version = versions[info.Name]
			infos = append(infos, info)
		}
	}
	for i, role := range who.Look(nil).Observers {
		m, err := session.ModelOfPast(role, p.answers)
		if err != nil {
			return nil, err
		}
		m.Connect(p.once)
		tools, err := tools.ObserversOf(m, i, who.Senses)
		if err != nil {
			return nil, err
		}
		for _, t := range tools {
			info := t.Info()
			info.Version = cmp.Or(versions[info.Name], info.Version)
			infos = append(infos, info)
		}
	}
	return infos, nil
}

// A pastTool is a tool as the journal knows it: it has no answer but those that are remembered.
type pastTool struct {
	info    perceive.Info
	unknown *atomic.Int64
}

func (t pastTool) Info() perceive.Info         { return t.info }
func (t pastTool) Check(context.Context) error { return nil }

func (t pastTool) Observe(_ context.Context, c *perceive.Clip, question string) (*perceive.Answer, error) {
	t.unknown.Add(1)
	return nil, &omniscope.Error{Kind: omniscope.Exhausted, Err: fmt.Errorf("no remembered answer of %s about %s", t.info.Name, filepath.Base(c.Path))}
}
