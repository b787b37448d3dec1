package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/detective"
	"omniscope/perceive"
	"omniscope/run"
)

// An investigation is the work of one command.
type investigation struct {
	cmd     *cobra.Command
	o       *investigateOptions
	calls   *calls
	prompts *detective.Prompts
	tools   []perceive.Tool
	planner detective.Planner

	progress     *progress
	mu           sync.Mutex // of output and trajectories
	trajectories *detective.TrajectoryFile
}

// all investigates the files, several at a time. A file that cannot be
// investigated is told of at the end and stops no other; what concerns the
// whole run stops it.
func (w *investigation) all(ctx context.Context, files []string) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	working := run.WithStop(ctx) // what is on the wire is paid for, and awaited
	w.progress = startProgress(w.cmd.ErrOrStderr(), w.o.NoProgress, len(files), &judging{})
	defer w.progress.stop()
	names := clipNames(files)
	turns := make(chan struct{}, w.o.Jobs)
	failed := make([]error, len(files))
	done := 0
	var clips sync.WaitGroup
	for i, path := range files {
		select {
		case turns <- struct{}{}:
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			break
		}
		clips.Go(func() {
			defer func() { <-turns }()
			if err := w.one(working, path, names[i]); stopsAll(ctx, err) {
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
		return err
	}
	return summary(failed)
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
	if errors.As(err, new(unopened)) {
		return ctx.Err() != nil
	}
	switch omniscope.KindOf(err) {
	case omniscope.Budget, omniscope.Denied, omniscope.Usage:
		return true
	}
	return ctx.Err() != nil
}

// clipNames are the files' names without their endings, numbered where two are
// the same.
func clipNames(files []string) []string {
	names := make([]string, len(files))
	taken := make(map[string]bool)
	for i, path := range files {
		base := filepath.Base(path)
		name := fileName(strings.TrimSuffix(base, filepath.Ext(base)))
		if name == "" || strings.Trim(name, ".") == "" {
			name = "clip"
		}
		names[i] = name
		for n := 2; taken[names[i]]; n++ {
			names[i] = fmt.Sprintf("%s-%d", name, n)
		}
		taken[names[i]] = true
	}
	return names
}

// one investigates a file and writes its results. That there is no caption is
// an error, told once the results are written, for they say why.
func (w *investigation) one(ctx context.Context, path, name string) error {
	clip, err := perceive.Open(ctx, omniscope.Clip{ID: omniscope.ClipID(name), Path: path})
	if err != nil {
		return unopened{err}
	}
	defer clip.Close()
	if err := ownFolder(ctx, filepath.Join(w.o.Out, name), clip); err != nil {
		return err
	}
	c := &detective.Case{Clip: clip, Modality: modalities[w.o.Modality], Tools: w.tools, Budget: w.o.Inquiries, Prompts: w.prompts}
	onTurn := func(t detective.Turn) { w.progress.note(fmt.Sprintf("%s turn %d: %s", name, t.Number, t.Inquiry.Tool)) }
	report, err := detective.Investigate(ctx, c, w.planner, detective.Options{Once: w.calls.once(), OnTurn: onTurn})
	if err != nil {
		return err
	}
	dir := filepath.Join(w.o.Out, name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.write(dir, path, report); err != nil {
		return err
	}
	if err := w.show(report, dir); err != nil {
		return err
	}
	if report.Outcome != omniscope.OK {
		return fmt.Errorf("no caption (%s): %s; see %s", report.Outcome, report.Why, filepath.Join(dir, "index.html"))
	}
	return nil
}

// ownFolder refuses a folder that holds the results of another file of the same
// name, which would be lost.
func ownFolder(ctx context.Context, dir string, clip *perceive.Clip) error {
	text, err := os.ReadFile(filepath.Join(dir, "report.json"))
	if err != nil {
		return nil
	}
	var there struct{ Clip detective.ClipInfo }
	if json.Unmarshal(text, &there) != nil || there.Clip.SHA256 == "" {
		return nil
	}
	digest, err := clip.File.Digest(ctx)
	if err != nil || digest == there.Clip.SHA256 {
		return err
	}
	return &omniscope.Error{Kind: omniscope.Invalid, Err: fmt.Errorf("%s holds the results of another file, %s: name another folder with --out, or remove that one", dir, there.Clip.Path)}
}

func (w *investigation) write(dir, path string, r *detective.Report) error {
	text := ""
	if r.Caption != nil {
		text = r.Caption.Text + "\n"
	}
	err := errors.Join(
		writeFile(dir, "caption.txt", func(out io.Writer) error { _, err := io.WriteString(out, text); return err }),
		writeFile(dir, "report.json", func(out io.Writer) error { return writeIndented(out, r) }),
		writeFile(dir, "index.html", func(out io.Writer) error { return r.Page(out, addressFrom(dir, path)) }))
	if err != nil || r.Outcome != omniscope.OK {
		return err
	}
	row, err := detective.NewRow(string(r.Clip.ID), path, r.Trajectory)
	if err != nil {
		return err
	}
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
		fmt.Fprintf(w.cmd.ErrOrStderr(), "%s: warning: %s\n", r.Clip.ID, printable(warning))
	}
	out := w.cmd.OutOrStdout()
	if w.o.JSON {
		return json.NewEncoder(out).Encode(r)
	}
	if r.Outcome != omniscope.OK {
		return nil
	}
	_, err := fmt.Fprintf(out, "%s: %d inquiries, %d observations, %d contradictions; %s\n%s\n\n",
		r.Clip.ID, len(r.Turns), len(r.Ledger), len(r.Contradictions), filepath.Join(dir, "index.html"), printable(r.Caption.Text))
	return err
}
