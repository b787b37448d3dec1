// Package document defines results.json, the document that every scoring run ends
// in, and cases.jsonl, one scored unit a line. It holds data only: package bench
// computes it, package results reads it, package report prints it.
package document

import (
	"path"
	"path/filepath"
	"strings"
	"time"

	"omniscope"
	"omniscope/model/judge"
)

// Results is the document that every benchmark's scoring ends in. Its JSON is
// described in docs/results.md.
type Results struct {
	Schema    schemaNumber  `json:"schema"`
	Run       RunInfo       `json:"run"`
	Benchmark BenchmarkInfo `json:"benchmark"`
	System    string        `json:"system"`
	Judge     JudgeInfo     `json:"judge"`
	Scoring   string        `json:"profile"`   // the scoring asked for: Headline shows it
	Status    Status        `json:"status"`    // whether there is a score at all
	Signature string        `json:"signature"` // what must be equal for two scores to be comparable
	Headline  Headline      `json:"headline"`
	Scorings  []ScoringInfo `json:"profiles"` // official and strict, each with all its slices

	// Differences lists where the scorings differ on this input; empty when
	// they agree.
	Differences []Difference   `json:"differences"`
	Samples     int            `json:"samples"`                  // samples asked about
	Outcomes    map[string]int `json:"sample_outcomes"`          // how the judging of the samples ended
	Failed      []string       `json:"failed_samples,omitempty"` // ids of the first samples that could not be judged, in input order: see MostFailed
	FailedWhy   string         `json:"-"`                        // the commonest reason of Failed, in words; "" = not known
	Data        DataInfo       `json:"data"`

	// Marks are the differences from a complete run on the published data, in words; empty for a
	// complete run.
	Marks    []string          `json:"marks"`
	Tables   []omniscope.Table `json:"tables,omitempty"`
	Usage    UsageInfo         `json:"usage"`
	Warnings []string          `json:"warnings"`
}

// DataInfo describes the data that was scored.
type DataInfo struct {
	Samples int               `json:"samples"`        // in the file; a run may score fewer; 0 = not known
	Part    map[string]string `json:"part,omitempty"` // of the benchmark, such as modality=visual; unknown fields are left out
}

// Score returns a score of the headline by its name. ok is false where the run has no such score, or no value for it.
func (r *Results) Score(name string) (value float64, ok bool) {
	s := r.Headline.Scores[name]
	if s.Value == nil {
		return 0, false
	}
	return *s.Value, true
}

// Status says whether a run has a score.
type Status string

// The states.
const (
	Scored  Status = "scored"   // at least one question was judged
	NoScore Status = "no score" // nothing was judged
)

// RunInfo says when and how the results came about.
type RunInfo struct {
	ID       string            `json:"id"`
	Version  string            `json:"omniscope"`
	Command  []string          `json:"command"`
	Finished time.Time         `json:"finished"`
	Inputs   map[string]string `json:"inputs"`          // path to SHA-256
	Files    []string          `json:"files,omitempty"` // of the results, beside the document
}

// BenchmarkInfo names what was measured.
type BenchmarkInfo struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	Paper   string `json:"paper"`
	Cluster string `json:"cluster,omitempty"` // what is independent of each other, in one word; "" = clip
	Item    string `json:"item,omitempty"`    // what is scored, in one word; "" = question
}

// JudgeInfo names who judged.
type JudgeInfo struct {
	Name     string             `json:"name"`               // as asked for, provider/name
	Baseline bool               `json:"baseline"`           // true: a baseline whose scores compare with no published ones
	Answered map[string]int     `json:"answered"`           // the models' own names and how often each answered
	Sources  map[string]int     `json:"sources"`            // the endpoints and how often each answered
	Endpoint *EndpointInfo      `json:"endpoint,omitempty"` // that this command asked; nil = none, as with a script
	Prompts  []judge.PromptInfo `json:"prompts"`
	Readable []judge.Reading    `json:"readable,omitempty"` // replies that could be read, by asking
	Exam     *ExamInfo          `json:"exam,omitempty"`     // nil = it was not examined
}

// ExamInfo is the result of a judge's examination: items with known answers, each asked once.
type ExamInfo struct {
	Items      int      `json:"items"`
	Right      int      `json:"right"`
	Wrong      int      `json:"wrong"`
	Unreadable int      `json:"unreadable"` // of Wrong
	Failed     int      `json:"failed"`     // calls without an answer: neither right nor wrong
	WrongItems []string `json:"wrong_items,omitempty"`
}

// EndpointInfo says where a model answers, and who said so: a flag, or a variable
// and the file that set it. "" = not set: the provider's own address, no key.
type EndpointInfo struct {
	Address     string `json:"address"`
	AddressFrom string `json:"address_from"`
	KeyFrom     string `json:"key_from"`
}

// Headline is the overall line of the scoring asked for.
type Headline struct {
	Scoring string                     `json:"profile"`
	Scores  map[string]omniscope.Score `json:"scores"`
}

// ScoringInfo is one scoring's scores.
type ScoringInfo struct {
	Name   string  `json:"name"`
	Slices []Slice `json:"slices"`
}

// A Slice is the part of a benchmark that shares a property. The whole has the
// dimension "overall".
type Slice struct {
	Dimension string                     `json:"dimension"` // such as modality, category
	Group     string                     `json:"group"`     // such as audio, Sports
	Counts    map[string]float64         `json:"counts"`
	Scores    map[string]omniscope.Score `json:"scores"`
}

// A Difference is one way in which the scorings treated this input differently.
type Difference struct {
	What     string `json:"what"`
	Samples  int    `json:"samples"`
	Items    int    `json:"items"` // questions touched
	Official string `json:"official"`
	Strict   string `json:"strict"`

	// Effects is by how much each score would change were this mended and nothing
	// else, by the score's name; absent where that is not known.
	Effects map[string]float64 `json:"effects,omitempty"`
}

// UsageInfo is what the run cost, over all commands that worked on it, and
// apart from that what this command did.
type UsageInfo struct {
	Calls       int      `json:"calls"`
	Remembered  int      `json:"remembered"` // answers paid for elsewhere: by other runs, or, of this command, before it
	Failed      int      `json:"failed"`
	Retries     int      `json:"retries"`
	RateLimited int      `json:"rate_limited"`
	TokensIn    int      `json:"tokens_in"`
	Cached      int      `json:"-"` // of TokensIn, of this command: see CommandUsage
	TokensOut   int      `json:"tokens_out"`
	CostUSD     *float64 `json:"cost_usd"`  // null when the price is not known
	Lost        LostInfo `json:"lost"`      // a part of tokens and cost
	Estimated   int      `json:"estimated"` // answers whose tokens are estimates, remembered ones included
	Seconds     float64  `json:"seconds"`   // of this command, from the first sample to the last, without reading inputs and writing results

	// ThisCommand is this command's part; nil where no model is asked.
	ThisCommand *CommandUsage `json:"this_command,omitempty"`
}

// CommandUsage is what one command did of a run.
type CommandUsage struct {
	Calls       int      `json:"calls"`
	Remembered  int      `json:"remembered"`
	Failed      int      `json:"failed"`
	Retries     int      `json:"retries"`
	RateLimited int      `json:"rate_limited"`
	TokensIn    int      `json:"tokens_in"`
	Cached      int      `json:"tokens_cached,omitempty"` // of TokensIn, that the provider read from its cache of prompts
	TokensOut   int      `json:"tokens_out"`
	CostUSD     *float64 `json:"cost_usd"`
	Lost        LostInfo `json:"lost"`
}

// Sums are the numbers of the run alone.
func (u UsageInfo) Sums() CommandUsage {
	return CommandUsage{u.Calls, u.Remembered, u.Failed, u.Retries, u.RateLimited, u.TokensIn, u.Cached, u.TokensOut, u.CostUSD, u.Lost}
}

// LostInfo is what was spent on tries that brought nothing usable and may have
// to be paid for: an estimate.
type LostInfo struct {
	Tries     int      `json:"tries"`
	TokensIn  int      `json:"tokens_in"`
	TokensOut int      `json:"tokens_out"`
	CostUSD   *float64 `json:"cost_usd"` // null when the price is not known
}

// MostFailed is how many ids Results.Failed has at most.
const MostFailed = 20

// In is the document with the headline of a profile, whichever was asked for. One that lacks the
// profile stays as it is.
func (r *Results) In(profile string) *Results {
	for _, p := range r.Scorings {
		if p.Name != profile || p.Name == r.Headline.Scoring {
			continue
		}
		out := *r
		out.Scoring, out.Headline, out.Status = profile, Headline{Scoring: profile, Scores: map[string]omniscope.Score{}}, NoScore
		for _, s := range p.Slices {
			if s.Dimension == "overall" {
				out.Headline.Scores = s.Scores
			}
		}
		for _, s := range out.Headline.Scores {
			if s.Value != nil {
				out.Status = Scored
			}
		}
		parts := strings.Split(r.Signature, "|")
		for i, part := range parts {
			if strings.HasPrefix(part, "profile:") {
				parts[i] = "profile:" + profile
			}
		}
		out.Signature = strings.Join(parts, "|")
		return &out
	}
	return r
}

// Marked joins the marks; "" = no mark.
func (r *Results) Marked() string { return strings.Join(r.Marks, "; ") }

// Dagger follows the name of a marked system in a table; a note below lists the marks.
const Dagger = " †"

// Mark is the note below a table about a marked run; "" = it is not marked.
func (r *Results) Mark() string {
	if len(r.Marks) == 0 {
		return ""
	}
	return strings.TrimSpace(Dagger) + " " + r.System + ": " + r.Marked()
}

// Shown is the judge's name without the folder of a script or of people's project: tables that are
// sent around show no path of a disk.
func (j JudgeInfo) Shown() string {
	provider, place, _ := strings.Cut(j.Name, "/")
	if provider == "scripted" || provider == "people" {
		return provider + "/" + path.Base(filepath.ToSlash(place))
	}
	return j.Name
}
