package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/detective"
	"omniscope/internal/filename"
	"omniscope/internal/outfile"
	"omniscope/internal/visible"
	"omniscope/perceive"
	"omniscope/run"
	"omniscope/session"
	"omniscope/store"
)

// An investigation is the work of one command.
type investigation struct {
	cmd     *cobra.Command
	o       *investigateOptions
	models  *session.Models
	prompts *detective.Prompts
	tools   []perceive.Tool
	planner detective.Planner
	files   []string
	names   []string // of the clips, where they are free
	flags   string   // digest of what shapes an investigation, whichever the clip
	locks   *clipLocks

	progress     *progress
	mu           sync.Mutex // of output and trajectories
	trajectories *detective.TrajectoryFile
}

// all investigates the files, several at a time. A file that cannot be
// investigated is told of at the end and stops no other; what concerns the
// whole run stops it.
func (w *investigation) all(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	working := run.WithStop(ctx) // what is on the wire is paid for, and awaited
	w.progress = startProgress(w.cmd.ErrOrStderr(), w.o.NoProgress, len(w.files), nil, w.models.Shared.Reaches.All()...)
	defer w.progress.stop()
	turns := make(chan struct{}, w.o.Jobs)
	failed := make([]error, len(w.files))
	done := 0
	var clips sync.WaitGroup
	for i, path := range w.files {
		select {
		case turns <- struct{}{}:
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			break
		}
		clips.Go(func() {
			defer func() { <-turns }()
			if err := w.one(working, i); stopsAll(ctx, err) {
				stop(err)
			} else if err != nil {
				failed[i] = about(path, err)
			}
			w.mu.Lock()
			defer w.mu.Unlock()
			done++
			w.progress.done(done)
		})
	}
	clips.Wait()
	if err := context.Cause(ctx); err != nil {
		return errors.Join(err, w.models.Journal.StoppedBy(err))
	}
	return errors.Join(summary(failed), w.models.Journal.EndFresh())
}

// about names the file in an error that does not.
func about(path string, err error) error {
	if strings.Contains(err.Error(), path) {
		return err
	}
	return fmt.Errorf("%s: %w", path, err)
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

// unopened is the error of a file that cannot be opened, whatever its kind: a
// file that may not be read is no wrong key.
type unopened struct{ error }

func (u unopened) Unwrap() error { return u.error }

// stopsAll reports whether an error concerns more than its own clip.
func stopsAll(ctx context.Context, err error) bool {
	if err == nil {
		return false
	}
	if errors.As(err, new(*store.Error)) {
		return true
	}
	if errors.As(err, new(unopened)) || errors.As(err, new(busyClip)) {
		return ctx.Err() != nil
	}
	kind := omniscope.KindOf(err)
	return kind.EndsRun() || kind == omniscope.Usage || ctx.Err() != nil
}

// clipNames are the files' names without their endings, numbered where two are
// the same, in capitals or not.
func clipNames(files []string) []string {
	names := make([]string, len(files))
	taken := make(map[string]bool)
	for i, path := range files {
		base := clipBase(path)
		names[i] = base
		for n := 2; taken[strings.ToLower(names[i])]; n++ {
			names[i] = numbered(base, n)
		}
		taken[strings.ToLower(names[i])] = true
	}
	return names
}

// clipBase is a file's name without its ending, fit to name a folder.
func clipBase(path string) string {
	base := filepath.Base(path)
	base = strings.TrimSuffix(base, filepath.Ext(base))
	if strings.Trim(base, ".") == "" {
		return "clip"
	}
	return filename.Safe(base)
}

// one investigates the i-th of the files and writes its results. That there is
// no caption is an error, told once the results are written, for they say why.
func (w *investigation) one(ctx context.Context, i int) error {
	path := w.files[i]
	clip, err := perceive.Open(ctx, omniscope.Clip{Path: path})
	if err != nil {
		return unopened{err}
	}
	defer clip.Close()
	unlock, err := w.locks.lock(ctx, clip)
	if err != nil {
		return err
	}
	defer unlock()
	folder, err := claimFolder(ctx, w.o.Out, clipBase(path), w.names[i], w.names, clip)
	if err != nil {
		return err
	}
	defer folder.unlock()
	if err := w.checkFlags(folder.dir); err != nil {
		return err
	}
	clip.ID = omniscope.ClipID(folder.name)
	c := &detective.Case{Clip: clip, Modality: modalities[w.o.Modality], Tools: w.tools, Budget: w.o.Inquiries, Prompts: w.prompts}
	onTurn := func(t detective.Turn) {
		w.progress.note(fmt.Sprintf("%s turn %d: %s", folder.name, t.Number, t.Inquiry.Tool))
	}
	report, err := detective.Investigate(ctx, c, w.planner, detective.Options{Once: w.models.Once(), OnTurn: onTurn})
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.write(ctx, folder.dir, path, report); err != nil {
		return err
	}
	if err := w.show(report, folder.dir); err != nil {
		return err
	}
	if report.Outcome != omniscope.OK {
		return fmt.Errorf("no caption (%s): %s; see %s", report.Outcome, report.Why, filepath.Join(folder.dir, "index.html"))
	}
	return nil
}

func (w *investigation) write(ctx context.Context, dir, path string, r *detective.Report) error {
	text := ""
	if r.Caption != nil {
		text = visible.Text(r.Caption.Text) + "\n" // people print the file; report.json has every byte
	}
	r.Flags = w.flags
	err := errors.Join(
		outfile.WriteIn(dir, "report.json", func(out io.Writer) error { return writeIndented(out, r) }), // first: it says whose folder this is
		outfile.WriteIn(dir, "caption.txt", func(out io.Writer) error { _, err := io.WriteString(out, text); return err }),
		outfile.WriteIn(dir, "index.html", func(out io.Writer) error { return r.Page(out, addressFrom(dir, path)) }))
	if err != nil || r.Outcome != omniscope.OK {
		return err
	}
	row, err := detective.NewRow(string(r.Clip.ID), path, r.Trajectory)
	if err != nil {
		return err
	}
	unlock, err := lockTrajectories(ctx, w.o.Out)
	if err != nil {
		return err
	}
	defer unlock()
	return w.trajectories.Put(row)
}

func writeIndented(w io.Writer, v any) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return out.Encode(v)
}

// addressFrom is the address of a file as a page in dir writes it.
func addressFrom(dir, path string) string {
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

func (w *investigation) show(r *detective.Report, dir string) error {
	for _, warning := range r.Warnings {
		fmt.Fprintf(w.cmd.ErrOrStderr(), "%s: warning: %s\n", r.Clip.ID, visible.Line(warning))
	}
	out := w.cmd.OutOrStdout()
	if w.o.JSON {
		return json.NewEncoder(unwrapped(out)).Encode(r)
	}
	if r.Outcome != omniscope.OK {
		return nil
	}
	_, err := fmt.Fprintf(out, "%s: %d inquiries, %d observations, %d contradictions; %s\n%s\n\n",
		r.Clip.ID, len(r.Turns), len(r.Ledger), len(r.Contradictions), filepath.Join(dir, "index.html"), visible.Text(r.Caption.Text))
	return err
}
