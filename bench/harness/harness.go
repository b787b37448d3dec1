// Package harness is the logs of other harnesses: programs that ran models on benchmarks and wrote
// what these said. A Harness reads its logs as Samples; Import matches them with a benchmark's own
// samples and keeps apart what was no answer, such as the text that stands in a log where a
// request failed. The forms are in the packages below, which catalog lists; ../design/import.md
// says where they are documented.
//
// It scores nothing: the answers go the way of any other predictions.
package harness

import (
	"context"
	"fmt"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/input"
)

// A Harness is a program of others whose logs are read.
type Harness struct {
	Name  string // as on the command line
	Title string // as its authors write it
	Files string // what its logs are called, for help

	// Known are the fields that hold the id of a benchmark's sample, by benchmark: the one
	// that finds most, of equal ones the first; "" = of any benchmark.
	Known map[string][]string
	// Luck says what its scorer of a benchmark does where it finds no option in an answer, by
	// benchmark, such as "draws an option at random".
	Luck map[string]string

	// Recognise reports whether a file is one of its logs.
	Recognise func(g *Glance) bool
	// Read reads logs of one model. What is no log of its form is an Invalid error.
	Read func(ctx context.Context, paths []string) (*Log, error)
}

// A Log is what one or several files of one model hold.
type Log struct {
	Model    string // as the log or its folder names it; "" = nothing says
	Tasks    []string
	Status   string // of the run, as the log says it, where it did not succeed; "" = it did, or the log says nothing
	Samples  []Sample
	Notes    []string          // what a reader should know of how it was read
	Headline []Headline        // the harness's own results, where the log has them
	Digests  map[string]string // of the files, SHA-256 by path

	kept int64 // bytes of the samples, roughly
}

// A Headline is a result that the harness computed itself.
type Headline struct {
	Scorer, Metric string // such as choice and accuracy
	Value          float64
}

// NewLog makes an empty log of a model.
func NewLog(model string) *Log { return &Log{Model: model, Digests: make(map[string]string)} }

// Add adds a sample. All of a log is held in memory, so that it may have as much as the limit of
// texts that are.
func (l *Log) Add(ctx context.Context, s Sample) error {
	const perSample, perField = 512, 64
	l.kept += perSample + int64(len(s.Answer)+len(s.Detail)+len(s.Asked.Question))
	for _, option := range s.Asked.Options {
		l.kept += perField + int64(len(option))
	}
	for name, value := range s.Fields {
		l.kept += perField + int64(len(name)+len(value))
	}
	if limits := input.LimitsOf(ctx, input.Texts); l.kept > int64(limits.Size) {
		return limits.TooLarge("what is kept of " + s.Place.File)
	}
	l.Samples = append(l.Samples, s)
	return nil
}

// A Sample is one answer in a log, or what stands in its place.
type Sample struct {
	Fields    map[string]string // short values of the document and of the log, by path, such as submission.id
	Answer    string            // what the model said, before the harness looked for an option in it
	Outcome   omniscope.Outcome
	Why       string             // reason if not OK, in words that samples share
	Detail    string             // of the reason, such as the server's message
	Suspicion string             // doubt about an OK answer, in words that samples share
	Scores    map[string]float64 // the harness's own, by scorer
	Asked     bench.Asked        // the question, as far as the log has it
	Epoch     int                // from 1
	Place     Place

	filter   string // of the harness, which has a row for each sample
	original string // the answer as the log has it, where another option's letter means the same there
}

// A Place is where a sample stands.
type Place struct {
	File   string `json:"file"`
	Line   int    `json:"line,omitempty"`   // or row of a workbook, from 1
	Member string `json:"member,omitempty"` // of an archive
}

func (p Place) String() string {
	if p.Member != "" {
		return p.File + " (" + p.Member + ")"
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

// Fail notes that there is no answer.
func (s *Sample) Fail(o omniscope.Outcome, why, detail string) {
	s.Outcome, s.Why, s.Detail = o, why, detail
}
