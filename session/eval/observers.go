package eval

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/spelling"
	"omniscope/media"
	"omniscope/perceive"
	"omniscope/run"
	"omniscope/session"
	"omniscope/session/tools"
)

// observers look at clips for a run of a benchmark: the tools that work here, and the models that
// the Spec names. They can be asked once the models are connected.
type observers struct {
	local  []perceive.Tool
	engine *session.Transcriber // nil = none
	models []*session.Model
	once   func() *run.Once // nil = nothing is remembered

	open sync.Once
	all  []perceive.Tool
	err  error
}

var _ bench.Observers = (*observers)(nil)

// auditSenses are the senses of those that check claims: each model sees and hears.
var auditSenses = []omniscope.Modality{omniscope.AudioVisual}

// openObservers opens the Spec's observers; open opens a model.
func openObservers(ctx context.Context, e *Evaluation, open func(*session.Role) (*session.Model, error)) (*observers, error) {
	s := e.Spec
	if twice := spelling.Twice(s.Observers); twice != "" {
		return nil, omniscope.Usagef("the observer %s is named twice: it would say the same twice, and count for two", twice)
	}
	if err := media.CheckPrograms(ctx); err != nil {
		return nil, err
	}
	look := (&tools.Roles{Tools: s.Tools, Observers: s.Observers, ASR: s.ASR, Roles: s.Roles, Senses: auditSenses}).Look(e.options.Address)
	o := &observers{once: e.models.Once}
	var err error
	if o.engine, err = session.OpenTranscriber(ctx, look.ASR, e.options.Calls, e.models.Shared, o.remembers); err != nil {
		return nil, err
	}
	if o.local, err = tools.LocalTools(ctx, look, o.engine, e.models.Asks); err != nil {
		return nil, err
	}
	for _, role := range look.Observers {
		m, err := open(role)
		if err != nil {
			return nil, err
		}
		if m.Judge == nil {
			return nil, omniscope.Usagef("--%s %s: it is no model: write PROVIDER/NAME (`omniscope docs models`)", session.Observer, role.Model)
		}
		o.models = append(o.models, m)
	}
	if len(o.local)+len(o.models) == 0 {
		return nil, tools.ErrNoTool
	}
	return o, nil
}

func (o *observers) remembers() *run.Once { return o.once() }

// Models implements bench.Observers.
func (o *observers) Models() int { return len(o.models) }

// Tools implements bench.Observers.
func (o *observers) Tools() ([]perceive.Tool, *run.Once, error) {
	o.open.Do(func() {
		o.all = append(o.all, o.local...)
		for i, m := range o.models {
			tools, err := tools.ObserversOf(m, i, auditSenses)
			if err != nil {
				o.err = err
				return
			}
			o.all = append(o.all, tools...)
		}
	})
	return o.all, o.once(), o.err
}

// name writes what shapes the observers' answers, for the run's name.
func (o *observers) name(to io.Writer, anyEndpoint bool) {
	if o == nil {
		return
	}
	fmt.Fprintf(to, "tools %s\n", strings.Join(tools.ToolNames(o.local), " "))
	if o.engine != nil {
		source := o.engine.Source
		if anyEndpoint {
			source = ""
		}
		fmt.Fprintln(to, "asr", o.engine.Role.Model, source, o.engine.Role.Route)
	}
	chain(o.models).name(to, anyEndpoint)
}

// signature names the observers, and what is asked of them.
func (o *observers) signature() (parts []string) {
	if o == nil {
		return nil
	}
	parts = []string{"tools:" + strings.Join(tools.ToolNames(o.local), ",")}
	if o.engine != nil {
		parts = append(parts, "asr:"+o.engine.Role.Model)
	}
	return append(parts, chain(o.models).signature()...)
}
