package detective

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"omniscope"
	"omniscope/model/judge"
	"omniscope/perceive"
)

// ReportSchema names the form of Report. It changes only when a reader of the
// old form would misread the new one.
const ReportSchema = "omniscope.investigation/1"

// A Report is an investigation as one document. The same answers make the same
// report: it has no clock and no cost in it.
type Report struct {
	Schema   string             `json:"schema"`
	Flags    string             `json:"flags,omitempty"`   // digest of the flags that shape an investigation, from the program
	Sources  []string           `json:"sources,omitempty"` // models at endpoints with their addresses, from the program; empty = not known
	Clip     ClipInfo           `json:"clip"`
	Modality omniscope.Modality `json:"modality"`
	Planner  string             `json:"planner"`
	Prompts  []judge.PromptInfo `json:"prompts"`
	Tools    []ToolInfo         `json:"tools"`  // as offered
	Budget   int                `json:"budget"` // inquiries at most
	Outcome  omniscope.Outcome  `json:"outcome"`
	Why      string             `json:"why,omitempty"`
	Ended    Ended              `json:"ended"`
	Turns    []Turn             `json:"turns"`
	Ledger   Ledger             `json:"ledger"`
	Caption  *Caption           `json:"caption"`

	Contradictions []Contradiction  `json:"contradictions"` // found by rules, then by confirmations, then those the planner named
	Confirmations  []Confirmation   `json:"confirmations,omitempty"`
	Earlier        []EarlierCaption `json:"earlier_captions,omitempty"` // after some of the inquiries, where those were wanted
	Trajectory     Trajectory       `json:"omni_detective_trajectory"`
	Warnings       []string         `json:"warnings"`
}

// Ended says why there were no more inquiries.
type Ended string

// The ends.
const (
	EndedEnough  Ended = "enough"      // the planner had enough
	EndedBudget  Ended = "budget"      // the inquiries were used up
	EndedIdle    Ended = "nothing-new" // some in a row brought nothing new
	EndedPlanner Ended = "planner"     // the planner made no usable move
)

// Early reports whether the inquiries ended before the budget did because nothing new came.
func (e Ended) Early() bool { return e == EndedEnough || e == EndedIdle }

// Span is the stretch of the file that the clip is.
func (c ClipInfo) Span() omniscope.Span {
	seconds := func(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
	return omniscope.Span{Start: seconds(c.StartS), End: seconds(c.EndS)}
}

// ClipInfo names the clip of a document.
type ClipInfo struct {
	ID      omniscope.ClipID `json:"id"`
	Path    string           `json:"path"`
	SHA256  string           `json:"sha256"` // of the file
	StartS  float64          `json:"start_s"`
	EndS    float64          `json:"end_s,omitempty"`    // 0 = to the end
	LengthS float64          `json:"length_s,omitempty"` // 0 = not known
}

// ToolInfo names an observer of a document.
type ToolInfo struct {
	Name     string             `json:"name"`
	Version  string             `json:"version"`
	About    string             `json:"about"`
	Modality omniscope.Modality `json:"modality"`
	Asks     bool               `json:"heeds_questions"`
}

// Author identifies an observer regardless of its local name: the model if it heeds questions, else the tool.
func (t ToolInfo) Author() string {
	if model, _, ok := strings.Cut(t.Version, " "); ok && t.Asks {
		return model
	}
	return t.Name
}

// Authors returns the observers that were asked; the caption is based on their answers.
func (r *Report) Authors() (names []string) {
	for _, tool := range r.Tools {
		asked := slices.ContainsFunc(r.Turns, func(t Turn) bool { return t.Inquiry.Tool == tool.Name })
		if name := tool.Author(); asked && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func clipInfo(ctx context.Context, clip *perceive.Clip) (ClipInfo, error) {
	digest, err := clip.File.Digest(ctx)
	return ClipInfo{
		ID: omniscope.ClipID(clipName(clip)), Path: clip.Path, SHA256: digest,
		StartS: clip.Span.Start.Seconds(), EndS: clip.Span.End.Seconds(), LengthS: length(clip).Seconds(),
	}, err
}

func toolInfos(tools []perceive.Tool) []ToolInfo {
	infos := make([]ToolInfo, len(tools))
	for i, t := range tools {
		info := t.Info()
		infos[i] = ToolInfo{Name: info.Name, Version: info.Version, About: info.About, Modality: info.Modality, Asks: info.Asks}
	}
	return infos
}

// contradictions are all that were found, by whomever.
func (c *Investigation) contradictions(caption *Caption) []Contradiction {
	return slices.Concat(c.Ledger.Contradictions(), c.disputes(), caption.Contradictions)
}

// report puts the document of an ended investigation together.
func (c *Investigation) report(clip ClipInfo, planner string, ended Ended, caption *Caption, unmoved Move) *Report {
	r := &Report{
		Schema: ReportSchema, Clip: clip, Modality: c.Modality, Planner: planner, Prompts: c.promptsOf(),
		Tools: toolInfos(c.Offered()), Budget: c.Budget, Outcome: caption.Outcome, Why: caption.Why, Ended: ended,
		Turns: append([]Turn{}, c.Turns...), Ledger: append(Ledger{}, c.Ledger...), Caption: caption,
		Contradictions: c.contradictions(caption),
		Trajectory:     c.trajectory(caption), Confirmations: c.Confirmations,
		Warnings: append([]string{}, c.Clip.File.Warnings...),
	}
	if ended == EndedPlanner {
		r.Warnings = append(r.Warnings, fmt.Sprintf("the planner made no usable move after turn %d (%s): %s", len(c.Turns), unmoved.Outcome, unmoved.Why))
	}
	for _, t := range c.Turns {
		if t.Outcome != omniscope.OK {
			r.Warnings = append(r.Warnings, fmt.Sprintf("turn %d: %s gave no answer (%s): %s", t.Number, t.Inquiry.Tool, t.Outcome, t.Why))
		}
		for _, w := range t.Warnings {
			r.Warnings = append(r.Warnings, fmt.Sprintf("turn %d: %s: %s", t.Number, t.Inquiry.Tool, w))
		}
	}
	r.Warnings = append(r.Warnings, caption.Warnings...)
	if n := caption.Disputed(); n > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("sentences of the caption that rest on what another observer contradicts: %d of %d", n, len(caption.Sentences)))
	}
	if c.Confirm > 0 && len(c.Confirmations) == 0 {
		r.Warnings = append(r.Warnings, "nothing was confirmed: no claim rests on one observer alone, or no observer of another model has the sense for it")
	}
	if n := caption.Unfounded(); n > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("sentences of the caption without evidence: %d of %d", n, len(caption.Sentences)))
	}
	return r
}
