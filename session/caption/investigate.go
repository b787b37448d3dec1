package caption

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"omniscope"
	"omniscope/bench/captionrow"
	"omniscope/detective"
	"omniscope/perceive"
	"omniscope/run"
	"omniscope/session"
)

// Options are the settings of an investigation that do not shape its reports.
type Options struct {
	session.Machine
	Files []string // clips, as they were named
	Jobs  int      // clips at a time; 0 = as many as processors
	Pages bool     // each clip gets a page; else those without a caption

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

	mu     sync.Mutex // of output and rows
	failed []error    // by clip
	rows   *detective.TrajectoryFile
	result Result
}

// Open opens an investigation of clips. The results are a file of rows, and a folder for each clip. A clip that cannot be
// investigated is an error of the results and stops no other clip; a problem of the entire run stops it.
func Open(ctx context.Context, s *Spec, o *Options) (*Investigation, error) {
	if o.Order != nil { // before anything is started
		if err := s.checkShared(); err != nil {
			return nil, err
		}
	}
	o.Ready(session.ClipCalls())
	s.complete()
	w := &Investigation{Options: o, spec: s, names: ClipNames(o.Files), failed: make([]error, len(o.Files)), began: time.Now()}
	var err error
	if w.flags, err = s.flags(); err != nil {
		return nil, err
	}
	s.Clips = session.WholePaths(o.Files)
	d, err := session.Describe(captionKind, captionKind, s)
	if err != nil {
		return nil, err
	}
	o.Out = cmp.Or(o.Out, FolderOf(o.Calls, s.System(), strings.TrimPrefix(d.Name, captionKind+"-")))
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
	return w.openRows(ctx)
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

// Write implements Units. The rows and the clips' folders are written.
func (w *Investigation) Write(context.Context) error { return summary(w.failed) }

// Result returns the outcome of the run, also of one that ended early.
func (w *Investigation) Result() *Result {
	w.mu.Lock()
	defer w.mu.Unlock()
	r := w.result
	r.File, r.Clips, r.Wanted = w.rowsFile(), len(w.Files), len(w.Files)
	r.NothingSeen = w.spec.nothingSeen()
	for _, err := range w.failed {
		if err != nil {
			r.Fail(err.Error())
		}
	}
	return &r
}

// Close implements Units.
func (w *Investigation) Close() error {
	err := w.Models.Close()
	if w.rows != nil {
		err = errors.Join(err, w.rows.Close())
	}
	return err
}

// rowsFile is the file of the captions.
func (w *Investigation) rowsFile() string { return filepath.Join(w.Out, captionrow.FileName) }

func (w *Investigation) openRows(ctx context.Context) error {
	if err := os.MkdirAll(w.Out, 0o755); err != nil {
		return err
	}
	unlock, err := lockRows(ctx, w.Out)
	if err != nil {
		return err
	}
	defer func() { _ = unlock() }()
	w.rows, err = detective.OpenTrajectories(w.rowsFile())
	return err
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
	if report.Outcome == omniscope.OK {
		w.result.add(report.Caption.Text)
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
