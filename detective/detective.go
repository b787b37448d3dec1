// Package detective finds out what is in a clip by asking: a planner, which
// never sees the media, chooses a tool and a question turn by turn, the tool
// looks and answers, and at the end the planner writes a caption whose
// sentences name the observations they rest on. The protocol is Omni-Detective
// (Omni-Captioner paper, arXiv 2510.12720, section 3 and appendix A.1.2).
//
// Investigate is the loop, LLM and Offline are the planners, Audit puts the
// claims of any caption to the tools. Package claims has the evidence and the rules that
// compare sentences with it. The tools themselves are in package perceive. The caller
// decides how calls are paid for, limited and remembered, by the wrapped model and the
// run.Once that it passes in.
package detective

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"omniscope"
	"omniscope/media"
	"omniscope/perceive"
)

// DefaultBudget is how many inquiries an investigation may take, as in the paper
// (appendix A.1.1).
const DefaultBudget = 10

// An Investigation is a clip, the tools that observe it, and the evidence found so far.
type Investigation struct {
	Clip     *perceive.Clip
	Name     string             // how steps of the investigation begin; "" = with the clip's id
	Modality omniscope.Modality // the senses that may be used; "" = AudioVisual
	Tools    []perceive.Tool    // the observers; those of another sense are not offered, see Offered
	Budget   int                // inquiries at most; 0 = DefaultBudget
	Prompts  *Prompts           // nil = built in

	// EnoughAfter ends the inquiries after so many in a row that brought nothing new, whatever the
	// planner thinks; 0 = never.
	EnoughAfter int
	// Confirm is how many claims that rest on one observer are put to another at most,
	// before the caption is written.
	Confirm int
	// ConcludeAt are numbers of inquiries, rising, after which a caption is written as well.
	ConcludeAt []int

	// Written by Investigate, read by planners.
	Turns  []Turn
	Ledger Ledger
	Enough bool // the planner ended the inquiries before the budget did

	Confirmations []Confirmation
	At            int // a caption is written after so many inquiries, and more follow; 0 = it is the last one
}

// An Inquiry is one question to one tool, about the clip or, for a closer look, about a part of it.
type Inquiry struct {
	Tool     string `json:"tool"`
	Question string `json:"question"`
	perceive.Focus
}

// fit returns the inquiry as it is put to a tool: a sound has no region.
func (q Inquiry) fit(tool perceive.Info) Inquiry {
	if tool.Modality == omniscope.Audio {
		q.Region = media.Region{}
	}
	return q
}

// A Turn is an inquiry and what came of it.
type Turn struct {
	Number   int               `json:"turn"` // from 1
	Inquiry  Inquiry           `json:"inquiry"`
	Answer   string            `json:"answer"`           // the tool's own text
	Closer   []perceive.Focus  `json:"closer,omitempty"` // where the tool was unsure, so that a closer look may tell more
	Evidence []string          `json:"evidence"`         // ids of its observations; those made before keep their first id
	Outcome  omniscope.Outcome `json:"outcome"`          // OK, Abstained (nothing observed), or how the observer failed
	Why      string            `json:"why,omitempty"`
	Asked    int               `json:"planner_asked"` // askings until the planner's inquiry could be used
	Warnings []string          `json:"warnings,omitempty"`
}

// A Move is what a planner does next.
type Move struct {
	Inquiry Inquiry
	Done    bool // it has enough; there is no inquiry
	Asked   int  // askings it took; 0 = no model was asked

	// Outcome is OK, or says why there is no usable move, and Why says it in
	// words.
	Outcome omniscope.Outcome
	Why     string
}

// A Planner asks the questions and writes the caption. It goes by the investigation
// alone and keeps nothing between calls, so that an investigation can be resumed. It is
// safe for concurrent use. Errors are for what stops the whole run, such as a
// budget that is used up; a planner that fails says so by an outcome.
type Planner interface {
	// Name is who plans, for reports, such as provider/name.
	Name() string
	// Next chooses the next inquiry of an investigation that has inquiries left.
	Next(ctx context.Context, c *Investigation) (Move, error)
	// Conclude writes the caption of an investigation that has evidence.
	Conclude(ctx context.Context, c *Investigation) (*Caption, error)
}

// Remaining returns how many inquiries are left.
func (c *Investigation) Remaining() int { return c.Budget - len(c.Turns) }

// Offered returns the tools that fit the investigation: all of them when both senses
// may be used, else those that stand for the one sense. A tool that uses both
// would tell of the other.
func (c *Investigation) Offered() []perceive.Tool {
	var offered []perceive.Tool
	for _, t := range c.Tools {
		both := c.Modality == omniscope.AudioVisual || c.Modality == ""
		if m := t.Info().Modality; both || m == c.Modality || m == "" {
			offered = append(offered, t)
		}
	}
	return offered
}

// tool returns the offered tool of that name, nil if there is none.
func (c *Investigation) tool(name string) perceive.Tool {
	for _, t := range c.Offered() {
		if t.Info().Name == name {
			return t
		}
	}
	return nil
}

// name is how steps of the investigation begin.
func (c *Investigation) name() string { return cmp.Or(c.Name, clipName(c.Clip)) }

func clipName(clip *perceive.Clip) string {
	if clip.ID != "" {
		return string(clip.ID)
	}
	return filepath.Base(clip.Path)
}

// length returns how long the clip is, 0 if unknown.
func length(clip *perceive.Clip) time.Duration {
	end := clip.Span.End
	if end == 0 && clip.File != nil {
		end = clip.File.End()
	}
	return max(0, end-clip.Span.Start)
}

var modalities = []omniscope.Modality{omniscope.Audio, omniscope.Visual, omniscope.AudioVisual}

// ready fills in the defaults of a copy of the investigation, or returns what is wrong
// with it.
func (c *Investigation) ready() (*Investigation, error) {
	r := *c
	r.Turns, r.Ledger, r.Enough, r.Confirmations = nil, nil, false, nil
	r.Modality, r.Budget = cmp.Or(r.Modality, omniscope.AudioVisual), cmp.Or(r.Budget, DefaultBudget)
	switch {
	case r.Clip == nil || r.Clip.File == nil:
		return nil, invalid("open the clip before it is investigated")
	case r.EnoughAfter < 0 || r.Confirm < 0:
		return nil, invalid("neither the inquiries without news nor the claims to confirm can be less than none")
	case !slices.IsSorted(r.ConcludeAt) || len(r.ConcludeAt) > 0 && r.ConcludeAt[0] < 1:
		return nil, invalid("captions are written after rising numbers of inquiries, from 1 on, not %v", r.ConcludeAt)
	case r.Budget < 0:
		return nil, invalid("a case needs at least one inquiry, not %d", r.Budget)
	case !slices.Contains(modalities, r.Modality):
		return nil, invalid("modality %q is none of audio, visual, audio-visual", r.Modality)
	}
	if err := checkTools(r.Offered()); err != nil {
		return nil, err
	}
	if r.Prompts == nil {
		var err error
		if r.Prompts, err = LoadPrompts(nil, ""); err != nil {
			return nil, err
		}
	}
	return &r, nil
}

// checkTools makes sure that a name means one tool.
func checkTools(tools []perceive.Tool) error {
	if len(tools) == 0 {
		return invalid("no tool fits the case: give one that sees or hears what is asked about")
	}
	seen := make(map[string]bool)
	for _, t := range tools {
		name := t.Info().Name
		if name == "" || seen[name] {
			return invalid("each tool needs a name of its own, %q is not", name)
		}
		seen[name] = true
	}
	return nil
}

func invalid(format string, args ...any) error {
	return &omniscope.Error{Kind: omniscope.Invalid, Op: "investigate", Err: fmt.Errorf(format, args...)}
}
