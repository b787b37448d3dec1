package dataset

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"omniscope"
	"omniscope/internal/input"
	"omniscope/internal/langid"
	"omniscope/internal/quantity"
	"omniscope/internal/rows"
	"omniscope/internal/sentences"
	"omniscope/internal/spelling"
	"omniscope/metric/textnorm"
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

// settable are the numbers of rules that have one, by name.
var settable = map[string]func(r *rules, value string) error{
	"unfounded":    share(func(r *rules) *float64 { return &r.Unfounded }),
	"contradicted": share(func(r *rules) *float64 { return &r.Disputed }),
	"alike":        share(func(r *rules) *float64 { return &r.Alike }),
	"silent":       share(func(r *rules) *float64 { return &r.Quiet }),
	"still":        share(func(r *rules) *float64 { return &r.Still }),
	"words":        setWords,
}

// The values of any rule.
const (
	ruleOff      = "off"      // it is not applied
	ruleRequired = "required" // a caption without its fields is an error
)

// Set sets a rule: its number, off or required.
func (r *rules) Set(name, value string) error {
	if name == ruleReturned && value == ruleOff {
		return omniscope.Usagef("--rule %s=off: a caption that people sent back is never kept", name)
	}
	if err := spelling.CheckChoice("rule", name, RuleNames()); err != nil && name != ruleReturned {
		return err
	}
	if slices.Contains(r.Off, name) && value == ruleRequired || slices.Contains(r.Required, name) && value == ruleOff {
		return omniscope.Usagef("--rule %s is both off and required", name)
	}
	switch set := settable[name]; {
	case value == ruleOff:
		r.Off = append(r.Off, name)
	case value == ruleRequired:
		r.Required = append(r.Required, name)
	case set == nil:
		return omniscope.Usagef("--rule %s=%s: this rule has no number, it can only be off or required", name, value)
	default:
		if err := set(r, value); err != nil {
			return omniscope.Usagef("--rule %s=%s: %w", name, value, err)
		}
	}
	return nil
}

func share(of func(*rules) *float64) func(*rules, string) error {
	return func(r *rules, value string) error {
		x, err := strconv.ParseFloat(value, 64)
		if err != nil || !(x >= 0 && x <= 1) {
			return errors.New("write a share from 0 to 1, off or required")
		}
		*of(r) = x
		return nil
	}
}

func setWords(r *rules, value string) error {
	least, most, _ := strings.Cut(value, "-")
	from, err1 := strconv.Atoi(least)
	to, err2 := strconv.Atoi(most)
	if err1 != nil || err2 != nil || from < 0 || to < from {
		return errors.New("write the fewest and the most words, such as 10-2500, or off or required")
	}
	r.Least, r.Most = from, to
	return nil
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

// RuleNames are the names of the rules that can be off.
func RuleNames() (names []string) {
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

func (b *building) withdrawn(r *row) string {
	for _, id := range []string{r.ID, r.source, r.field("sha256")} {
		if id != "" && b.without[id] {
			return id + " is to be left out"
		}
	}
	return ""
}

func noCaption(_ *building, r *row) string {
	if r.Caption == "" {
		return "there is no caption"
	}
	return ""
}

func plannerFailed(_ *building, r *row) string {
	if r.Summary != nil && r.Summary.Ended == "planner" {
		return "the detective made no usable move"
	}
	return ""
}

func unfounded(b *building, r *row) string {
	if s := r.Summary; s != nil && s.Sentences > 0 && float64(s.Unfounded)/float64(s.Sentences) > b.Rules.Unfounded {
		return fmt.Sprintf("%d of %d sentences rest on no observation", s.Unfounded, s.Sentences)
	}
	return ""
}

func contradicted(b *building, r *row) string {
	if s := r.Summary; s != nil && s.Sentences > 0 && float64(s.Disputed)/float64(s.Sentences) > b.Rules.Disputed {
		return fmt.Sprintf("%d of %d sentences rest on what another observer contradicts", s.Disputed, s.Sentences)
	}
	return ""
}

// tools are words of whoever reports on an investigation instead of the clip.
var tools = regexp.MustCompile(`(?i)\b(?:the |an? |this )?(?:(?:observer|detective|OCR|ASR|sound|scene|vision|audio|speech)(?: (?:tool|model|observer))s?|observers?|detective|OCR(?: (?:output|result|reading))s?|ASR(?: (?:output|result|transcript))s?) (?:reports?|reported|says?|said|notes?|noted|indicates?|indicated|detect(?:s|ed)|finds?|found|claims?|claimed|(?:do|does|did) not|could not|was asked|were asked)\b|\baccording to (?:the )?(?:observers?|OCR|ASR|tools?|analysis|detective)\b|\bas an? (?:AI|language model|assistant)\b|\b(?:based on|from) the (?:observations|evidence|tool outputs?|investigation)\b`)

func speaksOfTools(_ *building, r *row) string {
	if m := tools.FindString(r.Caption); m != "" {
		return fmt.Sprintf("it says %q", m)
	}
	return ""
}

var marks = regexp.MustCompile(`<(?:audio|video|image)>|<\|[^|<>]*\|>`)

func hasMarks(_ *building, r *row) string {
	if m := marks.FindString(r.Caption); m != "" {
		return fmt.Sprintf("it has %q", m)
	}
	return ""
}

// Repeats that no description has: a sentence three times, or a quarter of all runs of eight words said before.
const (
	sentenceTimes = 3
	runWords      = 8
	runShare      = 0.25
)

func loops(_ *building, r *row) string {
	times := make(map[string]int)
	for _, s := range sentences.Cut(r.Caption) {
		if textnorm.CountWords(s.Text) < 3 {
			continue
		}
		if times[s.Text]++; times[s.Text] >= sentenceTimes {
			return fmt.Sprintf("it says %d times: %.60s", sentenceTimes, s.Text)
		}
	}
	words := wordsOf(r.Caption)
	seen, again := make(map[string]bool), 0
	runs := len(words) - runWords + 1
	for i := range max(runs, 0) {
		run := strings.Join(words[i:i+runWords], " ")
		if seen[run] {
			again++
		}
		seen[run] = true
	}
	if runs > 0 && float64(again)/float64(runs) >= runShare {
		return fmt.Sprintf("%d of %d runs of %d words were said before", again, runs, runWords)
	}
	return ""
}

// wordsOf are the words of a text without case and marks.
func wordsOf(text string) []string {
	return textnorm.SplitWords(textnorm.Basic(text))
}

func wordCount(b *building, r *row) string {
	if n := textnorm.CountWords(r.Caption); n < b.Rules.Least || n > b.Rules.Most {
		return fmt.Sprintf("it has %d words", n)
	}
	return ""
}

func otherLanguage(b *building, r *row) string {
	if b.Rules.Language == "" {
		return ""
	}
	if g := langid.Detect(r.Caption); !g.Fits(b.Rules.Language) {
		return "it is in another language: " + g.Lang
	}
	return ""
}

// leaveMany leaves out what is beyond the most captions of a category, by the lot of each source.
func (b *building) leaveMany() {
	if b.Rules.PerCategory == 0 {
		return
	}
	taken := make(map[string]int)
	for _, r := range b.byLot(b.kept()) {
		category := r.field("category", "label")
		if category == "" {
			continue // which category it is of is not known
		}
		if taken[category]++; taken[category] > b.Rules.PerCategory {
			r.rule, r.why = "category", fmt.Sprintf("the category %q has %d captions already", category, b.Rules.PerCategory)
		}
	}
}

func silent(b *building, r *row) string {
	for _, f := range r.files {
		switch s := f.Measured.Sound; {
		case s == nil:
			return "there is no sound"
		case s.Silent:
			return "there is nothing but digital silence"
		case s.Quiet > b.Rules.Quiet:
			return fmt.Sprintf("%.0f %% of it is silence", 100*s.Quiet)
		}
	}
	return ""
}

func still(b *building, r *row) string {
	for _, f := range r.files {
		if p := f.Measured.Picture; p != nil && p.Still > b.Rules.Still {
			return fmt.Sprintf("nothing moves in %.0f %% of it", 100*p.Still)
		}
	}
	return ""
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
