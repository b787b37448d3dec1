package bench

import (
	"context"

	"omniscope"
	"omniscope/bench/document"
)

// A Collector is a Benchmark whose systems write many files of predictions, which
// it finds in folders. Each file is a run of its own; tables show all of them.
type Collector interface {
	Benchmark
	// Collect finds the files in the folders of in, at least one, and reads none.
	Collect(ctx context.Context, in Inputs) (Collection, error)
}

// A Collection is many files of predictions.
type Collection interface {
	Title() string
	LeftOut() []string // files that are no predictions, and why, a line each
	// Prepare makes what the runs need and writes it to dir, the folder of the
	// results.
	Prepare(ctx context.Context, dir string) error
	Files() []PredictionFile // once they are prepared
	// Trouble explains why a file could not be scored. An error of kind Invalid or
	// NotFound concerns that file alone; any other ends the command.
	Trouble(file int, err error) error
	// Add takes the results of a file in. It keeps no Evaluation.
	Add(FileResults)
	Summary() Summary // of those that were added, at least one
}

// A PredictionFile is one file of a Collection, perhaps in parts.
type PredictionFile struct {
	Name     string // of its system and of the folder of its results; no two are equal
	Paths    []string
	Data     string            // "" = as the user says
	Options  map[string]string // of the benchmark, that the file sets
	Warnings []string          // that belong into its results
}

// FileResults are the results of a file.
type FileResults struct {
	File       int // in Files
	Results    *document.Results
	Evaluation Evaluation
	Folder     string // of its results, by its name alone
}

// A Summary shows the results of many files.
type Summary struct {
	Tables   []omniscope.Table
	Details  omniscope.Table // one of Tables, with every number: too wide for a terminal
	Warnings []string
}
