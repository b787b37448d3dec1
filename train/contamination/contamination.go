// Package contamination finds which clips of a training set are in the test media of benchmarks: by where they are from, by
// their bytes, by what they sound and look like. A clip that is found takes all clips of its source with it.
//
// It compares files and reads lists. How copies are recognised is curate/fingerprint's business, and what is done
// without the clips that it names is train export's.
package contamination

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"omniscope"
	"omniscope/curate/fingerprint"
	"omniscope/internal/outfile"
)

// A checkName is one way in which clips are found.
type checkName string

// The checks, in the order of tables.
const (
	mediaSource checkName = "source"
	file        checkName = checkName(fingerprint.SameFile)
	samples     checkName = checkName(fingerprint.SameSound)
	pictures    checkName = checkName(fingerprint.Pictures)
	mirrored    checkName = checkName(fingerprint.Mirrored)
	cropped     checkName = checkName(fingerprint.Cropped)
	sound       checkName = checkName(fingerprint.Sounds)
	text        checkName = "text"
)

// Checks lists the checks with what each compares.
var Checks = []struct {
	Name  checkName
	About string
}{
	{mediaSource, "the same source, by id or address, and stretches of it that overlap"},
	{file, "the same bytes (SHA-256)"},
	{samples, "the same decoded sound (SHA-256)"},
	{pictures, "pictures of each second: 80 % of one file's are in the other (PDQ, distance at most 31), at any speed"},
	{mirrored, "the same with left and right exchanged"},
	{cropped, "the same of inner parts: without margins of up to 15 %, or without black bars"},
	{sound, "chromaprint proposes (at most 15 % of the bits differ), of less than 3.3 s the spectrum; the aligned sound (correlation of at least 0.5) or pictures confirm"},
	{text, "13 words in a row that a caption or transcript shares with a benchmark's text: a hint, which drops nothing"},
}

// CheckNames are the names of the checks.
func CheckNames() (names []string) {
	for _, c := range Checks {
		names = append(names, string(c.Name))
	}
	return names
}

// Options say what is compared with what.
type Options struct {
	List         string // of the training clips, as production.ReadList reads it, or a folder of captions
	Media        string // folder that relative paths of the list start from; "" = the list's
	Against      []Against
	AgainstTexts []string // files of JSON Lines with id and text, [NAME=]FILE
	Texts        []string // files of JSON Lines with id and text: transcripts of training clips
	Without      []string // names of checks that are not made
	Benchmarks   []string // all that are known, to say which were not compared
	Dir          string   // of the results
	Memory       string   // folder of fingerprints
	Jobs         int      // files that are decoded at a time
	Force        bool
	Program      string // version, for the report

	// Progress shows how many files of total are done; note says what is done now.
	Progress func(total int) (done func(int), note func(string), stop func())
}

// An Against is a benchmark, or a part of one, to compare with.
type Against struct {
	Name  string // of the benchmark
	Path  string // folder of media, list of clips, or text file of ids
	Media string // folder that relative paths of a list start from; "" = the list's
}

func (o *Options) makes(c checkName) bool { return !slices.Contains(o.Without, string(c)) }

// Run compares a training set with benchmarks and writes the results into a folder. Files that cannot be read are no error: they
// are in the results as failures. An error of kind Usage says that the folder holds something else.
//
// Fingerprints are kept in Memory, so that a run that was stopped goes on where it was. The same input gives the same bytes.
func Run(ctx context.Context, o *Options) (*Results, error) {
	if err := os.MkdirAll(o.Dir, 0o755); err != nil {
		return nil, &omniscope.Error{Kind: omniscope.Invalid, Op: "make the folder of the results", Err: err}
	}
	unlock, err := outfile.LockFolder(o.Dir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = unlock() }()
	r := &run{Options: o, prints: &fingerprint.Memory{Dir: o.Memory}}
	for _, step := range []func(context.Context) error{r.readTexts, r.readAgainst, r.readClips, r.begin, r.findSources, r.findTexts, r.findCopies} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	results := r.results()
	return results, results.write(o.Dir)
}

// A run is one comparison.
type run struct {
	*Options
	prints   *fingerprint.Memory
	clips    []clip
	items    []item
	texts    *texts
	settings settings

	hits     []hitRecord
	proposed map[cell]int
	failures []failure
	short    []short
	sketches fingerprint.Sketches // of the items' sound
	warnings []string
}

// A cell is a place in the table of checks and benchmarks.
type cell struct {
	check     checkName
	benchmark string
}

// A hitRecord says that a clip is in a benchmark, or of a hint that it may be.
type hitRecord struct {
	Clip      string    `json:"clip"`
	Benchmark string    `json:"benchmark"`
	Item      string    `json:"item"`
	Check     checkName `json:"check"`
	Score     float64   `json:"score"`           // from 0 to 1: share of equal pictures, correlation of sound, share of the item's 13-grams
	OffsetS   float64   `json:"offset_s"`        // seconds in the clip's file less those in the item's
	Speed     float64   `json:"speed,omitempty"` // seconds of the item that pass in one of the clip, where that is not one
	By        string    `json:"by,omitempty"`    // what confirmed a proposal, or what is shared
	Hint      bool      `json:"hint,omitempty"`  // nothing is dropped for it
	Drops     []string  `json:"drops,omitempty"` // further clips of the same source, which are dropped with it
	clip      int
}

// A failure is a file that could not be compared.
type failure struct {
	ID        string `json:"id"`
	Benchmark string `json:"benchmark,omitempty"` // "" = a training clip
	Path      string `json:"path"`
	Why       string `json:"why"`
}

// stem is a file's name without folders and ending.
func stem(path string) string {
	base := filepath.Base(path)
	return base[:len(base)-len(filepath.Ext(base))]
}
