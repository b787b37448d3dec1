package dataset

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"omniscope"
	"omniscope/internal/input"
	"omniscope/internal/langid"
	"omniscope/internal/quantity"
	"omniscope/internal/rows"
	"omniscope/train"
)

// rules are the numbers that captions and media have to keep, and which rules are not applied.
type rules struct {
	Unfounded   float64 `json:"most_unfounded"` // largest share of sentences that rest on no observation
	Disputed    float64 `json:"most_disputed"`  // largest share of sentences that rest on what another observer contradicts
	Least       int     `json:"least_words"`
	Most        int     `json:"most_words"`
	Language    string  `json:"language"`         // of captions, as langid names it; "" = any
	Alike       float64 `json:"most_alike"`       // largest share of word runs that a caption has in common with an earlier one
	PerCategory int     `json:"most_in_category"` // captions; 0 = any number
	Quiet       float64 `json:"most_quiet"`       // largest share of a clip without sound
	Still       float64 `json:"most_still"`       // largest share of a clip in which nothing moves

	Off     []string `json:"off,omitempty"`     // names of rules that are not applied
	Without []string `json:"without,omitempty"` // ids of clips and sources to leave out

	Unreviewed bool     `json:"unreviewed,omitempty"` // keep unreviewed captions of people's projects
	Required   []string `json:"required,omitempty"`   // names of rules; captions without their fields are an error
}

// DefaultRules are our own, because the paper names no rules.
func DefaultRules() rules {
	return rules{Least: 10, Most: 2500, Language: "en", Alike: 0.8, Quiet: 0.95, Still: 1}
}

// A rule leaves captions out.
type rule struct {
	Name, Means string
	limit       func(*rules) string          // nil = the rule has no limit
	find        func(*building, *row) string // why a row is left out; "" = the row is kept
	after       when
}

type when int

const (
	onCaptions when = iota // needs the captions alone
	onMedia                // needs the media
)

// ruleMedia is the name of the rule that media have to be usable. Rows that it leaves out are failures.
const ruleMedia = "media"

// rulePicture is the name of the rule that leaves files of sound out of audio-visual data sets.
const rulePicture = "picture"

// ruleReturned is the name of the rule that cannot be off.
const ruleReturned = "returned"

// allRules are the rules, in the order in which they are applied. A caption counts at the first one that leaves it out.
var allRules = []rule{
	{"withdrawn", "neither the clip nor its source is among those to leave out", nil, (*building).withdrawn, onCaptions},
	{"caption", "there is a caption", nil, noCaption, onCaptions},
	{ruleReturned, "no reviewer of the caption sent it back", nil, returned, onCaptions},
	{"reviewed", "people reviewed the caption, if it is from a people's project", func(r *rules) string {
		if r.Unreviewed {
			return "any"
		}
		return ""
	}, unreviewed, onCaptions},
	{"planner", "the detective ended by itself, and did not fail", nil, plannerFailed, onCaptions},
	{"unfounded", "share of sentences that rest on no observation", func(r *rules) string { return atMost(r.Unfounded) }, unfounded, onCaptions},
	{"contradicted", "share of sentences that rest on what another observer contradicts", func(r *rules) string { return atMost(r.Disputed) }, contradicted, onCaptions},
	{"tools", "the caption speaks of the clip, not of observers and tools", nil, speaksOfTools, onCaptions},
	{"marks", "the caption has no marks of media or of a model's form, such as <video> or <|im_end|>", nil, hasMarks, onCaptions},
	{"loop", "the caption does not repeat itself", nil, loops, onCaptions},
	{"words", "words of the caption", func(r *rules) string { return fmt.Sprintf("%d-%d", r.Least, r.Most) }, wordCount, onCaptions},
	{"language", "language of the caption", func(r *rules) string { return cmp.Or(r.Language, "any") }, otherLanguage, onCaptions},
	{"alike", "share of word runs in common with an earlier caption", func(r *rules) string { return "< " + fmt.Sprint(r.Alike) }, nil, onCaptions}, // see leaveAlike
	{"category", "captions of its category before it", func(r *rules) string {
		if r.PerCategory == 0 {
			return "any"
		}
		return fmt.Sprintf("< %d", r.PerCategory)
	}, nil, onCaptions}, // see leaveMany
	{ruleMedia, "the file can be opened, decodes completely, and is converted to the format that trainers read", nil, nil, onMedia}, // see prepare
	{rulePicture, "a clip of an audio-visual data set has a picture", nil, nil, onMedia},                                            // see prepare
	{"silent", "share of the clip without sound", func(r *rules) string { return atMost(r.Quiet) }, silent, onMedia},
	{"still", "share of the clip in which nothing moves", func(r *rules) string { return atMost(r.Still) }, still, onMedia},
}

// ruleNames are the names of the rules that can be off.
func ruleNames() (names []string) {
	for _, r := range allRules {
		if r.Name != ruleReturned {
			names = append(names, r.Name)
		}
	}
	return names
}

// Help lists the rules, a line each, with the numbers that can be set.
func Help() string {
	var out strings.Builder
	defaults := DefaultRules()
	for _, r := range allRules {
		means := r.Means
		if settable[r.Name] != nil {
			means += " (" + r.limit(&defaults) + ")"
		}
		fmt.Fprintf(&out, "  %-13s %s\n", r.Name, means)
	}
	return out.String()
}

func atMost(share float64) string { return "≤ " + fmt.Sprint(share) }

// A stage is a line of the funnel.
type stage struct {
	Rule  string `json:"rule"`
	Means string `json:"means"`
	Limit string `json:"limit"` // "" = there is no number
	Out   int    `json:"left_out"`
	Left  int    `json:"left"`

	// Unknown is the number of remaining captions without the fields that the rule needs. They did not pass it.
	Unknown int  `json:"not_known"`
	Off     bool `json:"off,omitempty"` // it was not applied
}

// apply applies the rules that need what is there by now, each to what the ones before it left.
func (b *building) apply(now when) {
	for i := range allRules {
		rule := &allRules[i]
		if rule.after != now {
			continue
		}
		isOff := b.off(rule.Name)
		switch {
		case isOff || rule.Name == ruleMedia || rule.Name == rulePicture: // which are applied while media are made
		case rule.Name == "alike":
			b.leaveAlike()
		case rule.Name == "category":
			b.leaveMany()
		default:
			for _, r := range b.kept() {
				if why := rule.find(b, r); why != "" {
					r.rule, r.why = rule.Name, why
				}
			}
		}
		s := stage{Rule: rule.Name, Means: rule.Means, Off: isOff}
		if rule.limit != nil {
			s.Limit = rule.limit(&b.Rules)
		}
		b.stages = append(b.stages, s)
	}
	b.count()
}

// off reports whether a rule is not applied.
func (b *building) off(rule string) bool {
	return slices.Contains(b.Rules.Off, rule) && rule != ruleReturned
}

// count counts what each stage left out.
func (b *building) count() {
	out := make(map[string]int)
	for _, r := range b.rows {
		out[r.rule]++
	}
	left := len(b.rows)
	for i := range b.stages {
		s := &b.stages[i]
		s.Out = out[s.Rule]
		left -= s.Out
		s.Left = left
		s.Unknown = 0
		for _, r := range b.kept() {
			s.Unknown += quantity.If(!s.Off && !b.known(r, s.Rule))
		}
	}
}

// sayNothing has, by rule, the condition for applying it; other rules apply to every caption.
var sayNothing = map[string]func(*row) bool{
	ruleReturned: func(r *row) bool { return r.review == train.Approved },
	"reviewed":   func(r *row) bool { return r.review == train.Approved },
	"planner":    func(r *row) bool { return r.Summary != nil && r.Summary.Ended != "" },
	"unfounded":  func(r *row) bool { return r.Summary != nil && r.Summary.Sentences > 0 },
	"contradicted": func(r *row) bool { // unknown without another observer
		return r.Summary != nil && r.Summary.Sentences > 0 && r.Summary.Confirmations+r.Summary.Disputed > 0
	},
	"language":  func(r *row) bool { return langid.Detect(r.Caption).Lang != "" },
	"category":  func(r *row) bool { return r.field("category", "label") != "" },
	rulePicture: func(r *row) bool { return len(r.files) > 0 },
	"silent":    func(r *row) bool { return len(r.files) > 0 },
	"still": func(r *row) bool {
		return slices.ContainsFunc(r.files, func(f file) bool { return f.Measured.Picture != nil })
	},
}

// known reports whether a caption has the fields that a rule needs. A rule that lets everything pass needs no field.
func (b *building) known(r *row, rule string) bool {
	if rule == "language" && b.Rules.Language == "" || rule == "category" && b.Rules.PerCategory == 0 {
		return true
	}
	has := sayNothing[rule]
	return has == nil || has(r)
}

// checkRequired rejects captions without the fields that a required rule needs.
func (b *building) checkRequired() error {
	for _, s := range b.stages {
		if !slices.Contains(b.Rules.Required, s.Rule) || s.Unknown == 0 {
			continue
		}
		rows := b.kept()
		r := rows[slices.IndexFunc(rows, func(r *row) bool { return !b.known(r, s.Rule) })]
		return omniscope.Invalidf("%s:%d: %s lacks the fields for the required rule %s, as do %d of the %d remaining captions: use captions with their investigations, or do not require the rule",
			r.File, r.Line, r.ID, s.Rule, s.Unknown, len(rows))
	}
	return nil
}

// ReadWithout reads ids to leave out, one a line; what stands behind a # is a comment.
func ReadWithout(ctx context.Context, path string) (ids []string, err error) {
	f, err := input.Open(ctx, path, input.Texts)
	if err != nil {
		return nil, omniscope.Invalidf("--without: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	err = rows.EachLine(f, func(_ int, line []byte) error {
		text, _, _ := strings.Cut(string(line), " #")
		if text = strings.TrimSpace(text); text != "" && !strings.HasPrefix(text, "#") {
			ids = append(ids, text)
		}
		return nil
	})
	slices.Sort(ids)
	return slices.Compact(ids), err
}
