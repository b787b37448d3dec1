package caption

import (
	"bytes"
	"cmp"
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
	"omniscope/session"
	"omniscope/session/tools"
)

// auditKind is the kind of audits, in the journal.
const auditKind = "audit"

// AuditKind is the kind of runs that compare a caption with its clip.
var AuditKind = session.Kind{Name: auditKind, New: func() session.Task { return &AuditSpec{} }}

// An AuditSpec says what an audit does, as plain data: it is the run's manifest,
// and what a run is named by. It holds nothing secret.
type AuditSpec struct {
	Splitter  string                   `json:"splitter"` // model; "" = session.Offline
	Tools     []string                 `json:"tools,omitempty"`
	Observers []string                 `json:"observers,omitempty"` // models
	ASR       string                   `json:"asr,omitempty"`       // model
	Prompts   string                   `json:"prompts,omitempty"`   // folder
	Roles     map[string]*session.Role `json:"roles,omitempty"`     // whose settings are not the defaults
	Clip      string                   `json:"clip,omitempty"`      // whole path
	Caption   string                   `json:"caption,omitempty"`   // SHA-256
}

func (s *AuditSpec) models() *tools.Roles {
	return &tools.Roles{Asker: session.Splitter, Model: s.Splitter, Tools: s.Tools, Observers: s.Observers, ASR: s.ASR, Prompts: s.Prompts, Roles: s.Roles,
		Senses: []omniscope.Modality{omniscope.AudioVisual}}
}

// Open implements Task: the caption is not in the description.
func (*AuditSpec) Open(context.Context, *session.Machine) (session.Units, error) {
	return nil, session.OnlyHere
}

// Listed implements Task.
func (s *AuditSpec) Listed() session.Listing {
	l := session.Listing{Command: "audit", By: s.Splitter}
	if s.Clip != "" {
		l.What = []string{s.Clip}
	}
	return l
}

// AuditOptions are the settings of an audit that do not shape its report.
type AuditOptions struct {
	session.Machine
	Caption, Clip string // files
	Show          func(*detective.AuditReport) error
}

// An audit is a run of one unit.
type audit struct {
	*AuditOptions
	*clipRun
	text   string
	report *detective.AuditReport
}

// OpenAudit opens an audit, which compares a caption with its clip and writes the report, if a file is
// named for it.
func OpenAudit(ctx context.Context, s *AuditSpec, o *AuditOptions) (session.Units, error) {
	text, err := readCaption(ctx, o.Caption)
	if err != nil {
		return nil, err
	}
	s.Splitter = cmp.Or(s.Splitter, session.Offline)
	s.Clip, s.Caption = session.WholePaths([]string{o.Clip})[0], sha256hex.Of(text)
	d, err := session.Describe(auditKind, auditKind, s)
	if err != nil {
		return nil, err
	}
	if o.Out != "" && !o.Force { // before a tool is started
		if err := outfile.Check(o.Out, auditOf(d.Name, text)); err != nil {
			return nil, err
		}
	}
	w := &audit{AuditOptions: o, text: text}
	w.clipRun, err = openClips(ctx, &o.Machine, d, s.models())
	return w, err
}

// Plan implements Units.
func (w *audit) Plan() *session.Plan {
	p := w.plan(1, 1)
	p.Here = session.OnlyHere
	return p
}

// Claim implements Units: OpenAudit has looked at the file.
func (w *audit) Claim(context.Context) error { return nil }

// Begin implements Units.
func (w *audit) Begin(context.Context, *session.Env) error { return nil }

// Do implements Units.
func (w *audit) Do(ctx context.Context, _ int) (session.Done, error) {
	ctx = run.WithStop(ctx) // what is on the wire is paid for, and awaited
	clip, err := perceive.Open(ctx, omniscope.Clip{ID: omniscope.ClipID(ClipBase(w.Clip)), Path: w.Clip})
	if err != nil {
		return session.Done{}, err
	}
	defer clip.Close()
	if w.report, err = detective.Audit(ctx, w.text, clip, w.tools, detective.AuditOptions{Prompts: w.prompts, Once: w.Once(), Splitter: w.asker}); err != nil {
		return session.Done{}, err
	}
	w.report.Run = w.described.Name
	return session.DoneAs(w.report.Outcome, "", w.report.Why), nil
}

// Write implements Units. That the caption was not split is an
// error once the report says so.
func (w *audit) Write(context.Context) error {
	if w.Out != "" {
		if err := outfile.Write(w.Out, func(to io.Writer) error { return outfile.JSON(to, w.report) }); err != nil {
			return err
		}
	}
	if w.Show != nil {
		if err := w.Show(w.report); err != nil {
			return err
		}
	}
	if o := w.report.Outcome; o != omniscope.OK && o != omniscope.Abstained {
		return errors.Join(fmt.Errorf("the caption was not split into claims (%s): %s", o, w.report.Why), w.Journal.EndFresh())
	}
	return nil
}

// Close implements Units.
func (w *audit) Close() error { return w.Models.Close() }

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
