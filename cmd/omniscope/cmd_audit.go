package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/detective"
	"omniscope/internal/input"
	"omniscope/internal/outfile"
	"omniscope/internal/visible"
	"omniscope/perceive"
	"omniscope/run"
	"omniscope/session"
	"omniscope/stats"
)

// auditOptions are the flags of audit. Their JSON is the run's manifest.
type auditOptions struct {
	Splitter  string                   `json:"splitter"`
	Tools     []string                 `json:"tools,omitempty"`
	Observers []string                 `json:"observers,omitempty"`
	ASR       string                   `json:"asr,omitempty"`
	Prompts   string                   `json:"prompts,omitempty"`
	Roles     map[string]*session.Role `json:"roles,omitempty"`   // whose flags are not the defaults
	Clip      string                   `json:"clip,omitempty"`    // whole path
	Caption   string                   `json:"caption,omitempty"` // SHA-256

	Out         string `json:"-"`
	Force       bool   `json:"-"`
	JSON        bool   `json:"-"`
	calls       session.Calls
	splitter    roleFlags
	tools       toolFlags
	oldMaxCalls int
}

func newAudit() *cobra.Command {
	o := &auditOptions{}
	cmd := &cobra.Command{
		Use:   "audit CAPTION MEDIA",
		Short: "Check a caption claim by claim against its clip",
		Long: `Split a caption, anyone's, into claims and put each to independent observers of the clip:
supported, contradicted, or unsupported, which is no fault of the caption but what nobody here can
tell. CAPTION is a text file.

Without --splitter and --observer only that is checked which local tools measure: quoted text and
speech, numbers and times of cuts, silence, predominant colours. All else is then unsupported, and
the rates say little about the caption.`,
		Example: `  omniscope audit caption.txt clip.mp4
  omniscope audit caption.txt clip.mp4 --splitter openai/gpt-4.1 --observer openai/gpt-4o --observer vllm/qwen3-omni`,
		Args: exactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args[0], args[1]) },
	}
	f := cmd.Flags()
	f.StringVar(&o.Splitter, "splitter", "offline", "who splits the caption: PROVIDER/NAME of a language model, or offline")
	f.StringVar(&o.Prompts, "prompts", "", "folder with prompt files that replace the built-in ones of the same name")
	f.StringVarP(&o.Out, "out", "o", "", "file to write the report to, as JSON")
	addForce(f, &o.Force)
	f.BoolVar(&o.JSON, "json", false, "print the report as JSON")
	o.splitter.role.Attempts, o.splitter.otherwise = 3, "--"+modelAddress
	o.splitter.add(f, session.Splitter)
	o.tools.add(f)
	o.calls = clipCalls()
	f.IntVar(&o.calls.MaxConcurrency, "max-concurrency", o.calls.MaxConcurrency, "most calls of one model at a time; fewer while the endpoint complains")
	addCallFlags(f, &o.calls)
	addOldMaxCalls(f, &o.oldMaxCalls)
	return cmd
}

func (o *auditOptions) run(cmd *cobra.Command, captionFile, mediaFile string) error {
	if err := renameMaxCalls(cmd.Flags(), cmd.ErrOrStderr(), o.oldMaxCalls, &o.calls); err != nil {
		return err
	}
	if err := errors.Join(checkModels(append(o.tools.Observers, o.Splitter, o.tools.ASR)...), o.splitter.check(), o.tools.check(), o.calls.Check()); err != nil {
		return err
	}
	text, err := readCaption(cmd.Context(), captionFile)
	if err != nil {
		return err
	}
	o.Tools, o.Observers, o.ASR = o.tools.Tools, o.tools.Observers, o.tools.ASR
	o.Roles = changedRoles(&o.splitter, &o.tools.observer)
	o.Clip, o.Caption = session.WholePaths([]string{mediaFile})[0], fmt.Sprintf("%x", sha256.Sum256([]byte(text)))
	manifest, err := json.Marshal(o)
	if err != nil {
		return err
	}
	name := fmt.Sprintf("audit-%x", sha256.Sum256(manifest))[:18]
	if o.Out != "" && !o.Force {
		if err := outfile.Check(o.Out, auditOf(name, text)); err != nil {
			return err
		}
	}
	models, err := session.OpenModels(cmd.Context(), &o.calls, &session.Shared{}, name, string(manifest), cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	defer models.Close()
	defer func() { models.Warn(cmd.ErrOrStderr()) }()
	report, err := o.audit(cmd, models, text, mediaFile)
	if err != nil {
		return errors.Join(err, models.Journal.StoppedBy(err))
	}
	report.Run = name
	if o.Out != "" {
		if err := outfile.Write(o.Out, func(w io.Writer) error { return outfile.JSON(w, report) }); err != nil {
			return err
		}
	}
	if o.JSON {
		err = outfile.JSON(documentOut(cmd), report)
	} else {
		err = showAudit(cmd.OutOrStdout(), report)
	}
	if err == nil {
		err = models.Journal.EndFresh()
	}
	if err == nil && report.Outcome != omniscope.OK && report.Outcome != omniscope.Abstained {
		err = fmt.Errorf("the caption was not split into claims (%s): %s", report.Outcome, report.Why)
	}
	return err
}

// auditOf recognises the report of an audit. Those of versions that did not
// write its name are told by the caption.
func auditOf(name, caption string) func(io.Reader) bool {
	return func(f io.Reader) bool {
		var there detective.AuditReport
		if json.NewDecoder(f).Decode(&there) != nil || there.Schema != detective.AuditSchema {
			return false
		}
		return there.Run == name || there.Run == "" && there.Caption == caption
	}
}

// mostCaption is more than anybody writes of a clip.
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

func (o *auditOptions) audit(cmd *cobra.Command, models *session.Models, caption, path string) (*detective.AuditReport, error) {
	prompts, err := session.LoadDetectivePrompts(o.Prompts)
	if err != nil {
		return nil, err
	}
	look := o.tools.look()
	look.Senses = []omniscope.Modality{omniscope.AudioVisual}
	tools, err := models.OpenTools(cmd.Context(), look, cmd.ErrOrStderr())
	if err != nil {
		return nil, err
	}
	options := detective.AuditOptions{Prompts: prompts, Once: models.Once()}
	if o.Splitter != "offline" {
		m, err := models.Open(cmd.Context(), o.tools.role(&o.splitter, o.Splitter))
		if err != nil {
			return nil, err
		}
		options.Splitter = m.Judge
	}
	models.Announce(cmd.ErrOrStderr())
	ctx := run.WithStop(cmd.Context()) // what is on the wire is paid for, and awaited
	clip, err := perceive.Open(ctx, omniscope.Clip{ID: omniscope.ClipID(session.ClipNames([]string{path})[0]), Path: path})
	if err != nil {
		return nil, err
	}
	defer clip.Close()
	return detective.Audit(ctx, caption, clip, tools, options)
}

// showAudit prints the claims and the rates. Claims are taken as independent,
// which those of one caption hardly are: the intervals are the narrowest that
// could be meant.
func showAudit(w io.Writer, r *detective.AuditReport) error {
	if len(r.Claims) == 0 {
		_, err := fmt.Fprintf(w, "no claims (%s) %s\n", r.Outcome, r.Why)
		return err
	}
	for _, c := range r.Claims {
		fmt.Fprintf(w, "%-12s  %s\n", c.Verdict, visible.Line(c.Text))
		for _, s := range c.Says {
			if s.Verdict != detective.Unsupported || s.Outcome != omniscope.OK {
				fmt.Fprintf(w, "              %s: %s (%s) %s\n", s.Tool, s.Verdict, s.Outcome, visible.Line(s.Why))
			}
		}
	}
	fmt.Fprintln(w)
	for _, row := range []struct {
		name string
		n    int
	}{{"supported", r.Counts.Supported}, {"contradicted", r.Counts.Contradicted}, {"unsupported", r.Counts.Unsupported}} {
		share := float64(row.n) / float64(r.Counts.Claims)
		i := stats.Wilson(float64(row.n), float64(r.Counts.Claims), stats.DefaultLevel)
		fmt.Fprintf(w, "%-12s  %d of %d, %.0f %% [%.0f, %.0f]\n", row.name, row.n, r.Counts.Claims, 100*share, 100*i.Low, 100*i.High)
	}
	fmt.Fprintf(w, "%-12s  %d of the unsupported could be taken up by no observer here\n", "unchecked", r.Counts.Unchecked)
	for _, warning := range r.Warnings {
		fmt.Fprintln(w, "warning:", warning)
	}
	return nil
}
