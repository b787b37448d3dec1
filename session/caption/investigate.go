package caption

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"omniscope"
	"omniscope/detective"
	"omniscope/internal/filename"
	"omniscope/internal/outfile"
	"omniscope/internal/sha256hex"
	"omniscope/internal/visible"
	"omniscope/perceive"
	"omniscope/run"
	"omniscope/run/journal"
	"omniscope/session"
	"omniscope/session/tools"
)

// A Spec describes an investigation as plain data: it is the
// run's manifest, and what a run is named by. It holds nothing secret. Clips are enough: all else is then as the command
// without flags has it.
type Spec struct {
	Modality  string   `json:"modality"`            // av, a or v; "" = av
	Detective string   `json:"detective"`           // model; "" = session.Offline, a fixed plan
	Tools     []string `json:"tools,omitempty"`     // by name; nil = all that work here
	Observers []string `json:"observers,omitempty"` // models
	Programs  []string `json:"programs,omitempty"`  // tools that the user brings, see OwnTool
	ASR       string   `json:"asr,omitempty"`       // model
	Inquiries int      `json:"max_inquiries"`       // for each clip; 0 = detective.DefaultBudget
	Prompts   string   `json:"prompts,omitempty"`   // folder

	EnoughAfter int   `json:"enough_after,omitempty"` // as in detective.Investigation
	Confirm     int   `json:"confirm,omitempty"`
	ConcludeAt  []int `json:"conclude_at,omitempty"`

	Roles map[string]*session.Role `json:"roles,omitempty"` // whose settings are not the defaults
	Clips []string                 `json:"clips,omitempty"` // whole paths

	// Of a list, in place of Modality and Clips.
	Passes []string `json:"passes,omitempty"` // of av, a, v: an investigation of each clip for each
	List   string   `json:"list,omitempty"`   // digest
}

var modalities = map[string]omniscope.Modality{"av": omniscope.AudioVisual, "a": omniscope.Audio, "v": omniscope.Visual}

// senses are those of which each observing model becomes an observer. Where
// both may be used, a detective may also want to know what is heard by one who
// does not see; a fixed plan would only ask the same three times.
func (s *Spec) senses() (senses []omniscope.Modality) {
	for _, name := range s.Passes {
		if s.Modality != "" {
			break // one of the passes
		}
		own := *s
		own.Modality = name
		senses = append(senses, own.senses()...)
	}
	if len(senses) > 0 {
		slices.Sort(senses)
		return slices.Compact(senses)
	}
	m := modalities[s.Modality]
	if m == omniscope.AudioVisual && s.Detective != session.Offline {
		return []omniscope.Modality{m, omniscope.Visual, omniscope.Audio}
	}
	return []omniscope.Modality{m}
}

func (s *Spec) models() *tools.Roles {
	return &tools.Roles{Asker: session.Detective, Model: s.Detective, Tools: s.Tools, Observers: s.Observers, Programs: s.Programs, ASR: s.ASR, Prompts: s.Prompts, Roles: s.Roles, Senses: s.senses()}
}

// Repeat has the models answer as the n-th of several repetitions of the run; 0 leaves them as they are.
func (s *Spec) Repeat(n int) {
	if n == 0 {
		return
	}
	roles := make(map[string]*session.Role)
	for _, name := range []string{session.Detective, session.Observer} {
		role := session.DefaultRole(name)
		if own := s.Roles[name]; own != nil {
			role = *own
		}
		role.Repeat(n)
		roles[name] = &role
	}
	for name, role := range s.Roles {
		if roles[name] == nil {
			roles[name] = role
		}
	}
	s.Roles = roles
}

// flags is a digest of what shapes an investigation, whichever the clip.
func (s *Spec) flags() (string, error) {
	shaping := *s
	shaping.Clips, shaping.List, shaping.Passes, shaping.ConcludeAt = nil, "", nil, nil
	text, err := json.Marshal(shaping)
	return sha256hex.Of(text), err
}

// checkShared refuses what one machine does not do because a journal says so: start programs.
func (s *Spec) checkShared() error {
	if len(s.Programs) > 0 {
		return omniscope.Usagef("it has tools of its user's own (--tool %s), and a worker starts no program that a journal names", s.Programs[0])
	}
	return nil
}

// Open implements Task. The clips are in the description.
func (s *Spec) Open(ctx context.Context, m *session.Machine) (session.Units, error) {
	if s.List != "" {
		return nil, omniscope.Usagef("its clips are in a list, which one machine works on: repeat its command on that machine")
	}
	if m.Order != nil {
		return Open(ctx, s, &Options{Machine: *m, Files: s.Clips})
	}
	return openFront(ctx, s, m, nil)
}

// Listed implements Task.
func (s *Spec) Listed() session.Listing {
	return session.Listing{Command: "investigate", What: s.Clips, By: s.Detective}
}

// Options are the settings of an investigation that do not shape its reports.
type Options struct {
	session.Machine
	Files []string // clips, as they were named
	Jobs  int      // clips at a time; 0 = as many as processors

	Show func(r *detective.Report, dir string) error // called for each clip, one at a time; nil = not wanted

	// Took is called before Show with what the calls about the clip took; nil = not wanted.
	Took func(path string, t run.Tallied)

	// Failed is called for each clip that has no caption; nil = such clips are an error.
	Failed func(path string, err error)
}

// An Investigation is a run that is open.
type Investigation struct {
	*Options
	*clipRun
	spec    *Spec
	names   []string // of the clips, where they are free
	flags   string
	locks   *clipLocks
	results bool // write them; without, reports are discarded: the journal keeps the answers
	began   time.Time
	note    func(string) // shows what was done last

	mu           sync.Mutex // of output and trajectories
	failed       []error    // by clip
	trajectories *detective.TrajectoryFile
}

// Open opens an investigation of clips. The results are a folder for each clip. A clip that cannot be
// investigated is an error of the results and stops no other clip; a problem of the entire run stops it.
func Open(ctx context.Context, s *Spec, o *Options) (*Investigation, error) {
	if o.Order != nil { // before anything is started
		if err := s.checkShared(); err != nil {
			return nil, err
		}
	}
	o.Ready(session.ClipCalls())
	o.Out = cmp.Or(o.Out, DefaultOut)
	s.complete()
	w := &Investigation{Options: o, spec: s, names: ClipNames(o.Files), failed: make([]error, len(o.Files)), began: time.Now()}
	var err error
	if w.flags, err = s.flags(); err != nil {
		return nil, err
	}
	s.Clips = session.WholePaths(o.Files)
	d, err := session.Describe(captionKind, captionName, s)
	if err != nil {
		return nil, err
	}
	w.locks = newClipLocks(o.Calls, w.flags)
	w.clipRun, err = openClips(ctx, &o.Machine, d, s.models())
	return w, err
}

// Plan implements Units.
func (w *Investigation) Plan() *session.Plan {
	p := w.plan(len(w.Files), cmp.Or(w.Jobs, runtime.NumCPU()))
	p.ID, p.Here = func(i int) string { return w.Files[i] }, w.spec.checkShared()
	return p
}

// Claim implements Units.
func (w *Investigation) Claim(ctx context.Context) error {
	w.results = true
	if err := w.checkFolders(); err != nil {
		return err
	}
	return w.openTrajectories(ctx)
}

// Begin implements Units.
func (w *Investigation) Begin(_ context.Context, e *session.Env) error {
	w.note = e.Note
	return nil
}

// Do implements Units.
func (w *Investigation) Do(ctx context.Context, i int) (session.Done, error) {
	path := w.Files[i]
	done, err := w.one(run.WithTally(ctx, run.NewTally(w.began)), i)
	switch {
	case stopsAll(ctx, err):
		return session.Done{}, err
	case errors.As(err, new(busyClip)) && !w.results:
		return session.Done{}, nil // another process works on it
	case err != nil && w.Failed != nil:
		w.Failed(path, err)
	case err != nil:
		w.failed[i] = session.About(path, err)
	}
	if err != nil && done.Failed == "" {
		done = session.DoneAs(omniscope.OutcomeOf(err), path, err.Error())
	}
	return done, nil
}

// Write implements Units. The clips' folders are written.
func (w *Investigation) Write(context.Context) error { return summary(w.failed) }

// Close implements Units.
func (w *Investigation) Close() error {
	err := w.Models.Close()
	if w.trajectories != nil {
		err = errors.Join(err, w.trajectories.Close())
	}
	return err
}

func (w *Investigation) openTrajectories(ctx context.Context) error {
	if err := os.MkdirAll(w.Out, 0o755); err != nil {
		return err
	}
	unlock, err := lockTrajectories(ctx, w.Out)
	if err != nil {
		return err
	}
	defer func() { _ = unlock() }()
	w.trajectories, err = detective.OpenTrajectories(filepath.Join(w.Out, "trajectories.jsonl"))
	return err
}

// summary joins the errors of clips; nil where there are none.
func summary(failed []error) error {
	all := len(failed)
	failed = slices.DeleteFunc(failed, func(err error) bool { return err == nil })
	if len(failed) == 0 || all == 1 {
		return errors.Join(failed...)
	}
	return fmt.Errorf("%d of %d clips failed:\n%w", len(failed), all, errors.Join(failed...))
}

// An openError says that a file cannot be opened. stopsAll tests for it first: a
// file without read permission must not stop the run, as a wrong key does.
type openError struct{ error }

func (u openError) Unwrap() error { return u.error }

// stopsAll reports whether an error concerns more than its own clip.
func stopsAll(ctx context.Context, err error) bool {
	if err == nil {
		return false
	}
	if errors.As(err, new(*journal.Error)) {
		return true
	}
	if errors.As(err, new(openError)) || errors.As(err, new(busyClip)) {
		return run.Stopping(ctx).Err() != nil
	}
	kind := omniscope.KindOf(err)
	return kind.EndsRun() || kind == omniscope.Usage || run.Stopping(ctx).Err() != nil
}

// ClipNames are the files' names without their endings, numbered where two are
// the same, in capitals or not.
func ClipNames(files []string) []string {
	bases := make([]string, len(files))
	for i, path := range files {
		bases[i] = ClipBase(path)
	}
	return distinct(bases)
}

// distinct numbers those of the names that are there before, in capitals or not.
func distinct(bases []string) []string {
	names, taken := make([]string, len(bases)), make(map[string]bool, len(bases))
	for i, base := range bases {
		names[i] = base
		for n := 2; taken[strings.ToLower(names[i])]; n++ {
			names[i] = filename.Numbered(base, n)
		}
		taken[strings.ToLower(names[i])] = true
	}
	return names
}

// ClipBase is a file's name without its ending, fit to name a folder.
func ClipBase(path string) string {
	base := filepath.Base(path)
	return folderName(strings.TrimSuffix(base, filepath.Ext(base)))
}

// folderName is the name of a clip, fit to name a folder.
func folderName(clip string) string {
	if strings.Trim(clip, ".") == "" {
		return "clip"
	}
	return filename.Safe(clip)
}

// one investigates the i-th of the files and writes its results. That there is
// no caption is an error, which is returned once the results are written, for they say why.
func (w *Investigation) one(ctx context.Context, i int) (out session.Done, err error) {
	path := w.Files[i]
	clip, err := perceive.Open(ctx, omniscope.Clip{ID: omniscope.ClipID(w.names[i]), Path: path})
	if err != nil {
		return out, openError{err}
	}
	defer clip.Close()
	unlock, err := w.locks.lock(ctx, clip)
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if !w.results {
		report, err := w.investigate(ctx, w.spec, clip, "", detective.Options{})
		if err != nil {
			return out, err
		}
		return session.DoneAs(report.Outcome, path, report.Why), nil
	}
	folder, err := claimFolder(ctx, w.Out, ClipBase(path), w.names[i], w.names, clip)
	if err != nil {
		return out, err
	}
	defer func() { _ = folder.unlock() }()
	if err := w.checkFlags(folder.dir); err != nil {
		return out, err
	}
	clip.ID = omniscope.ClipID(folder.name)
	report, err := w.investigate(ctx, w.spec, clip, "", detective.Options{OnTurn: func(t detective.Turn) {
		w.note(fmt.Sprintf("%s turn %d: %s", folder.name, t.Number, t.Inquiry.Tool))
	}})
	if err != nil {
		return out, err
	}
	return session.DoneAs(report.Outcome, path, report.Why), w.keep(ctx, clip, folder.dir, report)
}

// keep writes and shows the results of a clip.
func (w *Investigation) keep(ctx context.Context, clip *perceive.Clip, dir string, report *detective.Report) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.write(ctx, dir, clip.Path, report); err != nil {
		return err
	}
	if w.Took != nil {
		w.Took(clip.Path, run.TallyOf(ctx).Sum())
	}
	if w.Show != nil {
		if err := w.Show(report, dir); err != nil {
			return err
		}
	}
	if report.Outcome != omniscope.OK {
		return fmt.Errorf("no caption (%s): %s; see %s%s", report.Outcome, report.Why, filepath.Join(dir, PageFile), w.Models.AskFailed(report.Outcome))
	}
	return nil
}

// investigate investigates an open clip. Steps begin with name; "" = the clip's id.
func (r *clipRun) investigate(ctx context.Context, s *Spec, clip *perceive.Clip, name string, o detective.Options) (*detective.Report, error) {
	c := &detective.Investigation{Clip: clip, Name: name, Modality: modalities[s.Modality], Tools: toolsFor(s, r.tools), Budget: s.Inquiries, Prompts: r.prompts,
		EnoughAfter: s.EnoughAfter, Confirm: s.Confirm, ConcludeAt: s.ConcludeAt}
	o.Once = r.Once()
	return detective.Investigate(ctx, c, r.planner(), o)
}

// planner is the detective.
func (r *clipRun) planner() detective.Planner {
	if r.asker == nil {
		return detective.Offline{}
	}
	return &detective.LLM{Judge: r.asker}
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

// writeInvestigation writes the files of an investigation into its folder; path is the
// media file's.
func writeInvestigation(dir, path string, r *detective.Report) error {
	text := ""
	if r.Caption != nil {
		text = visible.Text(r.Caption.Text) + "\n" // people print the file; report.json has every byte
	}
	return errors.Join(
		outfile.WriteIn(dir, "report.json", func(out io.Writer) error { return outfile.JSON(out, r) }), // first: it says whose folder this is
		outfile.WriteIn(dir, "caption.txt", func(out io.Writer) error { _, err := io.WriteString(out, text); return err }),
		outfile.WriteIn(dir, PageFile, func(out io.Writer) error { return r.Page(out, addressFrom(dir, path), nil) }))
}

func (w *Investigation) write(ctx context.Context, dir, path string, r *detective.Report) error {
	r.Flags, r.Sources = w.flags, w.Sources()
	if err := writeInvestigation(dir, path, r); err != nil || r.Outcome != omniscope.OK {
		return err
	}
	row, err := detective.NewRow(string(r.Clip.ID), path, r.Trajectory)
	if err != nil {
		return err
	}
	unlock, err := lockTrajectories(ctx, w.Out)
	if err != nil {
		return err
	}
	defer func() { _ = unlock() }()
	return w.trajectories.Put(row)
}

// addressFrom is the address of a file as a page in dir writes it.
func addressFrom(dir, path string) string {
	if strings.Contains(path, "://") {
		return path
	}
	from, err1 := filepath.Abs(dir)
	to, err2 := filepath.Abs(path)
	if err1 != nil || err2 != nil {
		return path
	}
	relative, err := filepath.Rel(from, to)
	if err != nil {
		return to
	}
	return filepath.ToSlash(relative)
}
