package session

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"omniscope"
	"omniscope/detective"
	"omniscope/internal/input"
	"omniscope/internal/outfile"
	"omniscope/internal/sha256hex"
	"omniscope/perceive"
	"omniscope/run"
)

// auditKind is the kind of audits, in the journal.
const auditKind = "audit"

// AuditRuns are runs that compare a caption with its clip.
var AuditRuns = Kind{Name: auditKind, New: func() Task { return &AuditSpec{} }}

// An AuditSpec says what an audit does, as plain data: it is the run's manifest,
// and what a run is named by. It holds nothing secret.
type AuditSpec struct {
	Splitter  string           `json:"splitter"` // model
	Tools     []string         `json:"tools,omitempty"`
	Observers []string         `json:"observers,omitempty"` // models
	ASR       string           `json:"asr,omitempty"`       // model
	Prompts   string           `json:"prompts,omitempty"`   // folder
	Roles     map[string]*Role `json:"roles,omitempty"`     // whose settings are not the defaults
	Clip      string           `json:"clip,omitempty"`      // whole path
	Caption   string           `json:"caption,omitempty"`   // SHA-256
}

func (s *AuditSpec) models() *clipModels {
	return &clipModels{asker: Splitter, model: s.Splitter, tools: s.Tools, observers: s.Observers, asr: s.ASR, prompts: s.Prompts, roles: s.Roles,
		senses: []omniscope.Modality{omniscope.AudioVisual}}
}

func (*AuditSpec) work(context.Context, *Machine) (*Work, error) { return nil, onlyHere }

// listed implements task.
func (s *AuditSpec) listed() listing {
	l := listing{command: "audit", by: s.Splitter}
	if s.Clip != "" {
		l.what = []string{s.Clip}
	}
	return l
}

// Auditing says how an audit is done and shown.
type Auditing struct {
	Machine
	Caption, Clip string // files
	Show          func(*detective.AuditReport) error
}

// Audit checks a caption against its clip and writes the report, if a file is
// named for it.
func Audit(ctx context.Context, s *AuditSpec, o *Auditing) (err error) {
	text, err := readCaption(ctx, o.Caption)
	if err != nil {
		return err
	}
	s.Clip, s.Caption = WholePaths([]string{o.Clip})[0], sha256hex.Of(text)
	d, err := describe(auditKind, auditKind, s)
	if err != nil {
		return err
	}
	if o.Out != "" && !o.Force {
		if err := outfile.Check(o.Out, auditOf(d.Name, text)); err != nil {
			return err
		}
	}
	r, err := openClips(ctx, &o.Machine, d, s.models())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	defer r.Warn(o.Warnings)
	report, err := r.audit(ctx, text, o.Clip)
	if err != nil {
		return errors.Join(r.Models.explain(err), r.Journal.StoppedBy(err))
	}
	report.Run = d.Name
	return r.endAudit(o, report)
}

func (r *clipRun) audit(ctx context.Context, caption, path string) (*detective.AuditReport, error) {
	ctx = run.WithStop(ctx) // what is on the wire is paid for, and awaited
	clip, err := perceive.Open(ctx, omniscope.Clip{ID: omniscope.ClipID(clipBase(path)), Path: path})
	if err != nil {
		return nil, err
	}
	defer clip.Close()
	return detective.Audit(ctx, caption, clip, r.tools, detective.AuditOptions{Prompts: r.prompts, Once: r.Once(), Splitter: r.asker})
}

// endAudit writes and shows the report. That the caption was not split is an
// error once they say so.
func (r *clipRun) endAudit(o *Auditing, report *detective.AuditReport) error {
	if o.Out != "" {
		if err := outfile.Write(o.Out, func(w io.Writer) error { return outfile.JSON(w, report) }); err != nil {
			return err
		}
	}
	if err := o.Show(report); err != nil {
		return err
	}
	if err := r.Journal.EndFresh(); err != nil {
		return err
	}
	if report.Outcome != omniscope.OK && report.Outcome != omniscope.Abstained {
		return fmt.Errorf("the caption was not split into claims (%s): %s", report.Outcome, report.Why)
	}
	return nil
}

// auditOf recognises the report of an audit. Those of versions that did not
// write its name are recognised by the caption.
func auditOf(name, caption string) func(io.Reader) bool {
	return func(f io.Reader) bool {
		var there detective.AuditReport
		if json.NewDecoder(f).Decode(&there) != nil || there.Schema != detective.AuditSchema {
			return false
		}
		return there.Run == name || there.Run == "" && there.Caption == caption
	}
}

// mostCaption is more bytes than anybody writes of a clip.
const mostCaption = 1 << 20

// readCaption reads a file of text.
func readCaption(ctx context.Context, path string) (string, error) {
	text, _, err := input.ReadFile(ctx, path, input.Texts)
	if err != nil {
		return "", &omniscope.Error{Kind: omniscope.KindOf(err), Op: "read the caption", Err: err}
	}
	if len(text) > mostCaption || !utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0 {
		err = fmt.Errorf("%s is no caption: give a text file in UTF-8 of at most 1 MB, and the media after it", path)
		return "", &omniscope.Error{Kind: omniscope.Invalid, Op: "read the caption", Err: err}
	}
	return string(text), nil
}
