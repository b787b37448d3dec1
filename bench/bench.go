// Package bench scores what systems answered to benchmarks. A Benchmark knows
// one benchmark's files and protocol; Score runs any of them: it judges every
// scoring unit through an engine, adds the counts up, and makes the results
// document.
//
// A scoring unit is what is judged and counted as a whole. It may be one sample
// (Omni-Cloze: a caption), many (MCIF joins the segments of a talk), and may
// need several rounds of questions (CapRiCorn: keypoints, then subjects);
// docs/design/types.md shows all three.
package bench

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"omniscope"
	"omniscope/bench/document"
	"omniscope/metric"
	"omniscope/model"
	"omniscope/model/judge"
	"omniscope/perceive"
	"omniscope/run"
)

// A Scoring is how answers become scores. Flags, files and reports call it "profile".
type Scoring uint8

// The scorings.
const (
	Official    Scoring = iota // exactly the published scorer, quirks included
	Strict                     // mended: failures are counted, never scored
	numScorings = 2
)

// DefaultScoring is what every command and page shows as the headline of a run, unless it is asked
// for another: one run has one number.
const DefaultScoring = Official

var scoringNames = [numScorings]string{"official", "strict"}

func (s Scoring) String() string { return scoringNames[s] }

// ParseScoring reads a scoring's name.
func ParseScoring(name string) (Scoring, bool) {
	for i, n := range scoringNames {
		if n == name {
			return Scoring(i), true
		}
	}
	return 0, false
}

// Info describes a benchmark.
type Info struct {
	Name          string // as on the command line
	Command       string // that scores it; "" = eval NAME
	Title         string
	Paper         string
	Licence       string // of the data, which the user brings
	Judge         string // the published protocol's judge, provider/name; "" = no judge is asked
	JudgeHelp     string // what its judge does and which there are, for help; "" = it judges, as published
	JudgeOptional bool   // it is asked only where one is named, and what is scored without is no baseline
	Networks      bool   // it scores by networks: see Networks
	Observes      bool   // it has the clips observed: see Observers
	Examined      bool   // its judge is examined: see Examiner
	About         string // what is scored and how, for help; "" = nothing more than Title
	Asking        Asking
	Roles         []RoleInfo // of further models that it may ask, in the order of the chain
	Metric        *metric.Metric
	StepKeys      string   // the documented form of its calls' step keys
	Records       []string // names of the files of per-unit lines
	Cluster       string   // what is independent of each other, in one word; "" = clip
	Item          string   // what is scored, in one word; "" = question
	Files         Files
	Needs         []Need // data that the user brings or downloads
	Aliases       []Alias
	Modality      bool   // its prompts say what the captions describe
	Hears, Sees   bool   // it tests hearing, seeing; both false = depends on the sample
	SeenAlone     string // prefix of the name of its file that tests seeing alone; "" = no such file
	Examples      string // commands to try, a line each
}

// ScoredBy is the command that scores the benchmark, without the program's name.
func (i *Info) ScoredBy() string { return cmp.Or(i.Command, "eval "+i.Name) }

// NoPredictions stands in place of a file of predictions where a benchmark can do without.
const NoPredictions = "none"

// A RoleInfo describes a model that a benchmark may ask in addition to its judge, such as
// one that finds the chosen letter in an answer before a judge reads it. The user
// names its model with a flag of this name, or leaves it out.
type RoleInfo struct {
	Name      string // such as extractor
	Help      string
	Attempts  int // askings of one question; 0 = 1
	MaxTokens int // longest answer; 0 = the model's own limit
}

// Files says what a user may give of each kind, for help.
type Files struct {
	Predictions  string
	Data         string // "" = there is no file of the benchmark's own
	CaptionField string // names of the field with the prediction; "" = there is no such field
	Folders      string // of predictions, for a Collector
	DataNeeded   bool   // nothing can be scored without Data
	InParts      bool   // several files of predictions are parts of one system's, not several systems
}

// An Alias is another name of a flag that all benchmarks have, such as that of the
// published program.
type Alias struct {
	Of     string // such as predictions
	Name   string
	Short  string // "" = none
	Hidden bool   // it works, and help does not show it
}

// An Asking says how a benchmark's published protocol asks its judge.
type Asking struct {
	OfficialAttempts int // of one question
	Attempts         int // in strict scoring, unless the user says otherwise
	MaxTokens        int // longest answer; 0 = the model's own limit
	AtOnce           int // questions of one unit that are asked at a time; 0 = 1
}

// A Benchmark knows one benchmark's files, protocol and scores.
type Benchmark interface {
	Info() Info
	// Open reads and checks the inputs. Bad input is an Invalid error that
	// quotes file and line. It spends nothing.
	Open(ctx context.Context, in Inputs) (Evaluation, error)
}

// Inputs are what the user gives a benchmark to score.
type Inputs struct {
	Predictions  string   // file of predictions
	Parts        []string // further files of the same predictions: see Files.InParts
	Folders      []string // that hold the files, in place of Predictions: see Collector
	Data         string   // file of the benchmark, where the predictions do not carry it
	CaptionField string   // name of the field with the prediction; "" = the benchmark's own
	IDField      string   // name of the field with the id of the sample; "" = the benchmark's own, else see FindIDs
	System       string   // name of the system; "" = from the file's name
	Modality     string   // what the predictions describe, where the prompt says it
	Scoring      Scoring
	Limit        int                          // units at most; 0 = all
	Samples      []omniscope.SampleID         // only these; nil = all
	Prompts      fs.FS                        // replaces built-in prompts by file name; nil = the built-in ones
	PromptsName  string                       // where Prompts come from
	Asked        map[omniscope.SampleID]Asked // the questions of a predict run on another version of Data; nil = same version, or not known
	Form         AnswerForm                   // of an option that the predictions were asked for
	Allow        bool                         // score even what is hardly meant so: see Scorable
	Judge        *judge.Judge                 // nil = the offline baseline
	Roles        map[string]*judge.Judge      // by name: models of Info.Roles that the user named
	Networks     Networks                     // nil = not installed
	Observers    Observers                    // of clips, for a benchmark that has them observed
	Download     Download                     // nil = nothing can be downloaded
}

// An AnswerForm is the form in which a model was asked to name an option.
type AnswerForm int

// The forms.
const (
	AnyForm AnswerForm = iota // not known
	Letters
	Words
)

// Observers look at clips: the tools and models that the user named.
type Observers interface {
	// Models is how many of them are models, which are paid for.
	Models() int
	// Tools may be called once the run has begun. Their calls are to be remembered by once, if
	// it is not nil.
	Tools() (tools []perceive.Tool, once *run.Once, err error)
}

// Download returns the local copy of a file of a data set. It is downloaded if it
// is not there yet.
type Download func(ctx context.Context, f DatasetFile) (path string, warnings []string, err error)

// A DatasetFile is a file of a data set on the Hugging Face hub.
type DatasetFile struct {
	Dataset, Revision, Name string

	ByHand string // what to do with a copy downloaded by hand, for messages
}

// An Evaluation is one set of predictions, opened for scoring. Its methods are
// safe for concurrent use.
type Evaluation interface {
	Plan() *Plan
	// Requests returns what unit i will ask the judge first, for forecasts.
	Requests(i int) ([]*model.Request, error)
	// Evaluate judges unit i. Failed calls are outcomes in the result; an error
	// stops the run.
	Evaluate(ctx context.Context, i int) (*Result, error)
	Close() error
}

// A Finisher is an Evaluation with the last word on its results, such as the last
// digits of sums that the published program adds up in another order.
type Finisher interface {
	Finish(r *document.Results)
}

// A Warmer is an Evaluation whose units cost less together than one by one, such
// as texts for a network. Score warms units before it evaluates them. A unit
// that was not warmed has the same result.
type Warmer interface {
	Warm(ctx context.Context, units []int) error
}

// An Explainer is an Evaluation that has more to tell than scores once all its
// units are evaluated.
type Explainer interface {
	Explain() Explanation
}

// An Explanation is what an Explainer tells.
type Explanation struct {
	Why      [numScorings]map[string]string // by score: why it has no value, and how to get one
	Effects  map[string]map[string]float64  // by difference and score: what the mend changes by itself
	Tables   []omniscope.Table
	Pages    []Page
	Warnings []string
}

// A Page is a file to look at, beside the results.
type Page struct {
	Name  string // such as pairs.jsonl
	Write func(io.Writer) error
}

// A Plan is what will be judged.
type Plan struct {
	System   string
	Units    int
	Of       int                // units of the file before Inputs.Limit and Samples; 0 = not known
	Part     map[string]string  // of the benchmark, such as modality=visual; nil = not known, or no parts
	Steps    func(i int) string // step key of unit i's first call
	Inputs   map[string]string  // path to SHA-256
	Prompts  []judge.PromptInfo
	Protocol string // part of the signature: parser version and the like
	Data     string // digest of the questions that will be judged, without the answers given to them
	Warnings []string
	Lacks    map[string]string // scores of the input that cannot be made here, by name, each with the reason
	Baseline bool              // judged without a model
	Further  string            // calls that depend on answers, and that Requests therefore does not return; "" = none
	Follow   int               // how many these may be, where that can be guessed; Further says how
}

// Warn adds a warning.
func (p *Plan) Warn(format string, args ...any) {
	p.Warnings = append(p.Warnings, fmt.Sprintf(format, args...))
}

// WarnUnknown warns if a benchmark's file is not a known version of it.
func (p *Plan) WarnUnknown(benchmark, path, digest string) {
	if isUnknown(benchmark, digest) {
		p.Warn("%s is not a known version of %s (SHA-256 %.12s…): published scores may be of another version", path, benchmark, digest)
	}
}

// A Result is the outcome of one unit.
type Result struct {
	Unit    string
	Cluster string // units of one cluster (a clip) are not independent
	Outcome omniscope.Outcome
	Why     string // of an outcome that is a failure, if no question to a model explains it; "" = one does
	Tallies [numScorings][]Tally
	// Records are the unit's lines of each of the benchmark's record files, JSON,
	// each ended by a line break.
	Records [][]byte
	// Verdicts are the verdicts of strict scoring, to compare judges item by item.
	Verdicts    []ItemVerdict
	Differences []UnitDifference
	Warnings    []string
}

// WriteRecords sets the unit's records: its line of the benchmark's own file, and the line of CasesFile.
func (r *Result) WriteRecords(line any, shown *document.Case) error {
	own, err1 := json.Marshal(line)
	seen, err2 := json.Marshal(shown)
	r.Records = [][]byte{append(own, '\n'), append(seen, '\n')}
	return errors.Join(err1, err2)
}

// An ItemVerdict is what was decided of one item of a unit.
type ItemVerdict struct {
	Item    string // its name within the unit
	Verdict omniscope.Verdict
}

// A Tally is a unit's counts in one slice.
type Tally struct {
	Dimension, Group string
	Counts           metric.Counts
}

// A UnitDifference describes how the scorings treated a unit differently. Where Explain reports the
// effect of a What, all units have the same Official and Strict with it.
type UnitDifference struct {
	What, Official, Strict string
	Items                  int
}
