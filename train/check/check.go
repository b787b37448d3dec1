// Package check finds what is wrong with rows of training before a GPU is paid for: media that trainers read wrongly without a word,
// rows that they cut or replace, captions with marks of a model's form, and parts that share a source.
package check

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"omniscope/internal/sha256hex"
	"omniscope/train"
	"omniscope/train/clip"
	"omniscope/train/tokens"
)

// Options say what is checked, and by which numbers.
type Options struct {
	Rows       string // file of rows for training
	Validation string // file of rows for validation; "" = none
	Form       *train.Form
	Root       string // folder that relative paths start from; "" = the one above the file's, as train export has it

	Model    tokens.Model
	Sampling tokens.Sampling
	Tokens   int                   // most tokens of a row
	Count    func(text string) int // how many tokens a text takes; nil = tokens.Text
	Sound    bool                  // videos have to have sound: not for stage 1

	// Settings returns the faults of the trainer's settings. longest is the length of the longest clip in seconds. nil = not checked.
	Settings func(longest float64) ([]string, error)

	Without map[string]string // ids and paths that must not be in it, with the reason

	Reviews    map[string]train.Review // of captions, by people; nil = the reviews in the rows and their provenance
	Unreviewed bool                    // allow unreviewed captions
	Memory     *clip.Memory
	Workers    int
	// Progress is called after each row; may be nil.
	Progress func(done, total int)
}

// A finding is one thing that is wrong.
type finding struct {
	File  string `json:"file"`
	Line  int    `json:"line"` // 0 = the file as a whole
	ID    string `json:"id,omitempty"`
	Check string `json:"check"` // a name of Checks
	Says  string `json:"says"`
}

func (f finding) String() string {
	where := f.File
	if f.Line > 0 {
		where = fmt.Sprintf("%s:%d", f.File, f.Line)
	}
	if f.ID != "" {
		where += " (" + f.ID + ")"
	}
	return fmt.Sprintf("%s: %s (%s)", where, f.Says, f.Check)
}

// A checkInfo is a check.
type checkInfo struct{ Name, Means string }

// checks are all checks.
var checks = []checkInfo{
	{"row", "the line is no row of the trainer"},
	{"roles", "the user and the model do not take turns, or the model does not have the last word"},
	{"marks", "the marks for media are not as many as the media, or stand in what the model says"},
	{"text", "a caption is empty, or has marks of a model's form such as <|im_end|>"},
	{"user", "VeOmni ends its labels at the token user, and a caption has that"},
	{"twice", "an id or a pair of media and caption is there twice"},
	{"file", "a file is missing, is no media, or does not decode whole"},
	{"sound", "there is no sound, or nothing but digital silence"},
	{"start", "a track does not begin at 0"},
	{"gap", "the sound lacks stretches, so that trainers hear what follows too early"},
	{"tracks", "there are several video tracks, and each trainer chooses one"},
	{"drift", "sound and picture are not equally long"},
	{"rate", "the frame rate is not constant: trainers take frames by their number"},
	{"short", "the clip is shorter than a second"},
	{"long", "the sound is longer than the model's encoder takes"},
	{"tokens", "the row takes more tokens than the trainer keeps"},
	{"parts", "training and validation share a source"},
	{"test", "the row is among those that must not be trained on, such as copies of benchmark clips"},
	{"reviewed", "people sent the caption back, or have not reviewed it (which --unreviewed allows)"},
	{"counts", "the rows are not as many as dataset.json says, or not those that it has the digest of"},
	{"settings", "a setting of the trainer is wrong"},
}

// Help lists the checks, a line each.
func Help() string {
	var out strings.Builder
	for _, c := range checks {
		fmt.Fprintf(&out, "  %-9s %s\n", c.Name, c.Means)
	}
	return out.String()
}

// schema is the form of a Result.
const schema = "omniscope.train-check/1"

// A Result is what a check found.
type Result struct {
	Schema   string         `json:"schema"`
	Digest   string         `json:"digest"` // of what was checked, by which numbers, and the findings
	Passed   bool           `json:"passed"`
	Trainer  string         `json:"trainer"`
	Model    string         `json:"model"`
	Rows     string         `json:"rows"` // SHA-256 of the file
	Count    int            `json:"count"`
	Tokens   *Spread        `json:"tokens"` // of a row, estimated
	Seconds  *Spread        `json:"seconds"`
	Hours    float64        `json:"hours"`
	Found    map[string]int `json:"found"` // findings by check
	Findings []finding      `json:"findings"`
}

// Run checks rows. Findings are no errors; what cannot be read at all is.
func Run(ctx context.Context, o Options) (*Result, error) {
	c := &checking{Options: o}
	if c.Count == nil {
		c.Count = tokens.Text
	}
	sets := []*set{{file: o.Rows}}
	if o.Validation != "" {
		sets = append(sets, &set{file: o.Validation})
	}
	total := 0
	for _, s := range sets {
		if err := c.read(ctx, s); err != nil {
			return nil, err
		}
		total += len(s.rows)
	}
	c.total = total
	for _, s := range sets {
		c.texts(s)
		if err := c.media(ctx, s); err != nil {
			return nil, err
		}
	}
	c.apart(sets)
	c.manifest(sets)
	if err := c.settings(sets); err != nil {
		return nil, err
	}
	return c.result(sets)
}

// settings looks at the trainer's settings.
func (c *checking) settings(sets []*set) error {
	if c.Settings == nil {
		return nil
	}
	longest := 0.0
	for _, s := range sets {
		for _, r := range s.rows {
			longest = max(longest, r.seconds)
		}
	}
	found, err := c.Settings(longest)
	for _, says := range found {
		c.find(nil, "settings", "%s", says)
	}
	return err
}

// result puts the findings in order: by file, then by line.
func (c *checking) result(sets []*set) (*Result, error) {
	r := &Result{Schema: schema, Trainer: c.Form.Name, Model: c.Model.Name, Rows: sets[0].digest, Count: len(sets[0].rows), Found: make(map[string]int), Findings: c.sorted(sets)}
	for _, f := range r.Findings {
		r.Found[f.Check]++
	}
	r.Passed = len(r.Findings) == 0
	var all, seconds []float64
	for _, row := range sets[0].rows {
		if row.measured {
			all, seconds = append(all, float64(row.tokens)), append(seconds, row.seconds)
			r.Hours += row.seconds / 3600
		}
	}
	r.Tokens, r.Seconds = spreadOf(all), spreadOf(seconds)
	shaped, err := json.Marshal(struct {
		Form, Model, Rows, Validation string
		Sampling                      tokens.Sampling
		Tokens                        int
		Sound                         bool
		Takes                         *Spread
		Findings                      []finding
	}{c.Form.Name, c.Model.Name, sets[0].digest, sets[len(sets)-1].digest, c.Sampling, c.Options.Tokens, c.Sound, r.Tokens, r.Findings})
	if err != nil {
		return nil, err
	}
	r.Digest = sha256hex.Of(shaped)
	return r, nil
}
