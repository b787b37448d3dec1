package caption

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"

	"omniscope"
	"omniscope/bench/captionrow"
	"omniscope/internal/sha256hex"
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

// System names the author of the captions: see captionrow.Row.System.
func (s *Spec) System() string {
	switch {
	case s.Detective != session.Offline && s.Detective != "":
		return "detective-" + filepath.Base(s.Detective)
	case len(s.Observers) > 0:
		return "plan-" + filepath.Base(s.Observers[0])
	}
	return captionrow.Offline
}

// nothingSeen reports that no model looks at the clips: tools measure, read and transcribe, and name nothing that is seen or heard.
func (s *Spec) nothingSeen() bool { return len(s.Observers) == 0 && len(s.Programs) == 0 }

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
	return session.Listing{Command: "caption", What: s.Clips, By: s.Detective}
}
