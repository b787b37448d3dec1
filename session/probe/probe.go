package probe

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"omniscope"
	"omniscope/bench/predict"
	"omniscope/bench/predict/probe"
	"omniscope/internal/outfile"
	"omniscope/internal/spelling"
	"omniscope/media"
	"omniscope/media/cache"
	"omniscope/session"
	runpredict "omniscope/session/predict"
)

// probeKind is the kind of runs of this package, in the journal.
const probeKind = "probe"

// Kind is the kind of runs that find out what an endpoint perceives.
var Kind = session.Kind{Name: probeKind, New: func() session.Task { return &Spec{} }}

// A Spec describes a probe of an endpoint as plain data. Model is enough: all else is then as the command without
// flags has it.
type Spec struct {
	Modality omniscope.Modality `json:"modality"`      // "" = the profile's first
	Profile  *predict.Profile   `json:"model_profile"` // nil = the one made for the model, else the one called default
	Model    *session.Role      `json:"model"`
	Trials   []string           `json:"trials,omitempty"` // by name; nil = all
	Seed     uint64             `json:"seed"`
}

// Open implements Task. A worker refuses it before it makes clips.
func (s *Spec) Open(ctx context.Context, m *session.Machine) (session.Units, error) {
	if m != nil && m.Order != nil {
		return nil, session.OnlyHere
	}
	return openFront(ctx, s, m)
}

// openFront opens a Spec that a program wrote, which stays as it is. What it leaves open is as the command without flags has it.
func openFront(ctx context.Context, s *Spec, m *session.Machine) (_ *Run, err error) {
	own, o := *s, &runpredict.Options{Machine: *cmp.Or(m, &session.Machine{})}
	if own.Model == nil {
		return nil, omniscope.Usagef("the Spec names no model to ask")
	}
	if own.Profile == nil {
		if own.Profile, _, err = runpredict.DefaultProfile(ctx, own.Model.Model, ""); err != nil {
			return nil, err
		}
	}
	if own.Modality, err = runpredict.ChooseModality("", own.Profile, own.Modality); err != nil {
		return nil, err
	}
	return open(ctx, &own, o)
}

// Ask does a probe and returns its report. It returns no error for trials that were not perceived: see NotPerceived. m may be nil.
func Ask(ctx context.Context, s *Spec, m *session.Machine) (*probe.Report, error) {
	w, err := openFront(ctx, s, m)
	if err != nil {
		return nil, err
	}
	if err := session.Finish(ctx, w, &w.Machine); err != nil {
		return nil, err
	}
	return w.Report, nil
}

// Listed implements Task.
func (s *Spec) Listed() session.Listing {
	return session.Listing{Command: "probe", By: session.ModelOf(s.Model)}
}

// A Run is the work of one probe.
type Run struct {
	runpredict.Run
	Report *probe.Report // once it is written

	spec   *Spec
	trials []probe.Trial
	asked  []int // the places among the trials of those that are asked, a sample each
}

// open opens a probe, which finds out what an endpoint perceives and writes the report, if a file is named
// for it: Out may be "".
func open(ctx context.Context, s *Spec, o *runpredict.Options) (*Run, error) {
	w, err := openProbe(ctx, s, o)
	if err != nil {
		return nil, err
	}
	if w.Described, err = session.Describe(probeKind, probeKind, s); err != nil {
		return nil, err
	}
	if err := w.makeClips(ctx); err != nil {
		return nil, err
	}
	return w, w.OpenModel(ctx)
}

// Plan implements Units.
func (w *Run) Plan() *session.Plan {
	p := w.Run.Plan()
	p.Here = session.OnlyHere
	return p
}

// Claim implements Units.
func (w *Run) Claim(context.Context) error {
	if w.Out != "" && !w.Force {
		if err := outfile.Check(w.Out, reportOf(w.Described.Name)); err != nil {
			return err
		}
	}
	return w.checkReport()
}

// Write implements Units.
func (w *Run) Write(context.Context) error {
	w.Tested.CheckTokens(w.Results)
	w.Report = w.report(w.Described.Name)
	if w.Out == "" {
		return nil
	}
	return outfile.Write(w.Out, func(to io.Writer) error { return outfile.JSON(to, w.Report) })
}

// A probePreview is what would be sent for one trial.
type probePreview struct {
	Trial string `json:"trial"`
	Tests string `json:"tests"`
	Why   string `json:"not_sent,omitempty"` // nothing is
	*predict.Preview
}

// Preview makes the clips of a probe and shows what would be sent, without
// asking.
func Preview(ctx context.Context, s *Spec, o *runpredict.Options) ([]probePreview, error) {
	w, err := openProbe(ctx, s, o)
	if err == nil {
		err = w.makeClips(ctx)
	}
	if err != nil {
		return nil, err
	}
	all := make([]probePreview, len(w.trials))
	for i, t := range w.trials {
		all[i] = probePreview{Trial: t.Name, Tests: t.Tests, Why: t.Unsent}
	}
	for i, place := range w.asked {
		all[place].Preview, err = w.Tested.Preview(ctx, &w.Samples[i])
		switch {
		case ctx.Err() != nil:
			return nil, err
		case err != nil:
			all[place].Why = err.Error()
		}
	}
	return all, nil
}

// openProbe checks what is asked for, before anything is made or paid for.
func openProbe(ctx context.Context, s *Spec, o *runpredict.Options) (*Run, error) {
	o.Ready(session.ClipCalls())
	w := &Run{spec: s, Run: runpredict.Run{Options: o, Models: session.NewModels(&o.Machine), Spec: &runpredict.Spec{Modality: s.Modality, Profile: s.Profile, Model: s.Model, Seed: s.Seed}}}
	switch {
	case s.Modality == predict.Text:
		return nil, omniscope.Usagef("a model that is given text only has nothing to perceive: choose another --modality")
	case s.Profile.Prompt == predict.NoPrompt:
		return nil, omniscope.Usagef("profile %s is for a model that is given no text, and so cannot be asked what it perceives: name another behind the model: profile=NAME", s.Profile.Name)
	}
	for _, name := range s.Trials {
		if all := probe.Names(); !slices.Contains(all, name) {
			return nil, omniscope.Usagef("no trial %q%s: %s", name, spelling.Among(name, all), strings.Join(all, ", "))
		}
	}
	voice := func(language string) (probe.Voice, error) { return media.VoiceOf(ctx, language) }
	for _, t := range probe.Trials(probe.How{Modality: s.Modality, Send: s.Profile.Send, Seed: s.Seed, Voice: voice}) {
		if len(s.Trials) == 0 || slices.Contains(s.Trials, t.Name) {
			w.trials = append(w.trials, t)
		}
	}
	if len(w.trials) == 0 {
		return nil, omniscope.Usagef("none of these trials can be asked by --modality %s", s.Modality)
	}
	if err := w.CheckPrograms(ctx); err != nil {
		return nil, err
	}
	kept, err := cache.Open(filepath.Join(o.Calls.WorkDir, "media"), cache.Options{MaxBytes: o.CacheBytes, Warn: func(message string) { fmt.Fprintln(o.Warnings, "warning:", message) }})
	w.Tested = &predict.System{Clips: predict.NewClips(kept), Profile: s.Profile, Modality: s.Modality, Seed: s.Seed}
	return w, err
}

// makeClips makes the clips of the trials that are asked.
func (w *Run) makeClips(ctx context.Context) error {
	folder := filepath.Join(w.Calls.WorkDir, "probe")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for i, t := range w.trials {
		if t.Unsent != "" {
			continue
		}
		sample, err := t.Sample(ctx, folder)
		if err != nil {
			return err
		}
		w.Samples, w.asked = append(w.Samples, sample), append(w.asked, i)
	}
	return nil
}

// report reads the answers.
func (w *Run) report(name string) *probe.Report {
	s := w.spec
	r := &probe.Report{Schema: probe.Schema, Run: name, Model: s.Model.Model, Source: w.AnsweredBy(), Profile: s.Profile.Name, Modality: s.Modality, Seed: s.Seed}
	for _, t := range w.trials {
		r.Results = append(r.Results, t.Skipped())
	}
	for i, place := range w.asked {
		r.Results[place] = w.trials[place].Result(w.Results[i])
	}
	r.Summarise()
	return r
}

// checkReport refuses to write over the report of the same probe at another address.
func (w *Run) checkReport() error {
	text, err := os.ReadFile(w.Out)
	if w.Out == "" || errors.Is(err, os.ErrNotExist) || w.Force || w.Calls.AnyEndpoint {
		return nil
	}
	var there probe.Report
	if err := errors.Join(err, json.Unmarshal(text, &there)); err != nil {
		return err
	}
	if now := w.Source(); there.Source != "" && there.Source != now {
		return omniscope.Usagef("%s is of %s, and this command asks %s: %s", w.Out, there.Source, now, outfile.OrForce)
	}
	return nil
}

// reportOf recognises the report of a probe.
func reportOf(name string) func(io.Reader) bool {
	return func(f io.Reader) bool {
		var there probe.Report
		return json.NewDecoder(f).Decode(&there) == nil && there.Schema == probe.Schema && there.Run == name
	}
}

// NotPerceived is an error that names the trials of a probe in which something that
// was sent was not perceived, nil if there are none.
func NotPerceived(r *probe.Report) error {
	faults := r.Faults()
	if len(faults) == 0 {
		return nil
	}
	var names []string
	for _, f := range faults {
		names = append(names, f.Trial)
	}
	return perceptionError(fmt.Sprintf("not perceived, or in part only, in %d of %d trials: %s", len(faults), r.Asked(), strings.Join(names, ", ")))
}

// A perceptionError ends a probe that did its work and found something missing.
type perceptionError string

func (e perceptionError) Error() string { return string(e) }

// Is gives the error the exit code of work that was done, and badly.
func (perceptionError) Is(target error) bool { return target == session.ErrTooManyFailures }
