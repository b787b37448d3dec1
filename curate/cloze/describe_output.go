package cloze

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/outfile"
	"omniscope/internal/quantity"
	"omniscope/model/judge"
)

// The files of descriptions.
const (
	DescriptionsFile = "descriptions.jsonl"
	FailuresFile     = "failures.jsonl"
	SummaryFile      = "describe.json" // says which run the folder is of
)

// summarySchema names the form of Summary.
const summarySchema = "omniscope.cloze-descriptions/1"

// A Summary counts the outcomes of a run's clips. The same answers make the same summary.
type Summary struct {
	Schema     string            `json:"schema"`
	Run        string            `json:"run"`
	Model      string            `json:"model"`
	Source     string            `json:"source,omitempty"` // the model and its address
	Prompt     judge.PromptInfo  `json:"prompt"`
	Inputs     map[string]string `json:"inputs"` // SHA-256 by file; reports of investigations are not among them
	Clips      int               `json:"clips"`
	Outcomes   map[string]int    `json:"outcomes"`  // of clips
	Sentences  map[string]int    `json:"sentences"` // of descriptions, by modality
	Unfounded  int               `json:"unfounded"` // sentences that rest on none of the captions', left out
	Disputed   int               `json:"disputed"`  // sentences that rest on one that conflicts with another
	Conflicts  int               `json:"conflicts"`
	Dropped    int               `json:"dropped"`     // sentences of captions, as the model says
	Unused     int               `json:"unused"`      // sentences of captions that it does not mention
	NoEvidence int               `json:"no_evidence"` // sentences of descriptions for which no observation is known
	Stale      int               `json:"stale"`       // described clips with a report of another caption
}

// Failed is how many clips have no description.
func (s *Summary) Failed() int { return s.Clips - s.Outcomes[omniscope.OK.String()] }

// Described is how many sentences there are.
func (s *Summary) Described() (n int) {
	for _, of := range s.Sentences {
		n += of
	}
	return n
}

func (s *Summary) add(d *description) {
	s.Clips++
	s.Outcomes[d.Outcome.String()]++
	for _, one := range d.Sentences {
		s.Sentences[string(one.Modality)]++
		s.Disputed += quantity.If(one.Disputed)
		s.NoEvidence += quantity.If(len(one.Evidence) == 0)
	}
	s.Stale += quantity.If(d.stale)
	s.Unfounded, s.Conflicts = s.Unfounded+len(d.Unfounded), s.Conflicts+len(d.Conflicts)
	s.Dropped, s.Unused = s.Dropped+len(d.Dropped), s.Unused+len(d.Unused)
}

// An output is the folder of a run's descriptions. It is safe for concurrent use.
type output struct {
	Summary Summary
	Earlier Summary // of the descriptions that were in the folder; the zero value = the folder was empty

	dir    string
	unlock func() error
	mu     sync.Mutex
	good   *bench.Records // lines of descriptions
	bad    *bench.Records // lines of failures
}

// OpenOutput opens a folder, or makes it. One that holds descriptions of another run is an error of
// kind Usage, unless force is given. No other process may write to it meanwhile.
func OpenOutput(dir, run string, force bool) (o *output, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, omniscope.Usagef("--out %s: a file is in the way, or the folder cannot be made: %w", dir, err)
	}
	o = &output{dir: dir, Summary: Summary{Schema: summarySchema, Run: run, Outcomes: make(map[string]int), Sentences: make(map[string]int)}}
	if o.unlock, err = outfile.LockFolder(dir); err != nil {
		return nil, err // there is nothing to close
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, o.Close())
		}
	}()
	if err := o.check(force); err != nil {
		return o, err
	}
	if o.good, err = bench.NewRecords(filepath.Join(dir, "."+DescriptionsFile+".gathering")); err != nil {
		return o, err
	}
	o.bad, err = bench.NewRecords(filepath.Join(dir, "."+FailuresFile+".gathering"))
	return o, err
}

// check refuses what another run wrote.
func (o *output) check(force bool) error {
	names, err := outfile.Entries(o.dir)
	if err != nil || force {
		return err
	}
	names = slices.DeleteFunc(names, func(n string) bool { return n != DescriptionsFile && n != FailuresFile && n != SummaryFile })
	if len(names) == 0 {
		return nil
	}
	var there Summary
	text, err := os.ReadFile(filepath.Join(o.dir, SummaryFile))
	if err != nil || json.Unmarshal(text, &there) != nil || there.Schema != summarySchema || there.Run != o.Summary.Run {
		return omniscope.Usagef("%s holds descriptions of another run, with other captions or flags (%s): %s", o.dir, strings.Join(names, ", "), outfile.OrForce)
	}
	o.Earlier = there
	return nil
}

// Add adds the description, or the failure, of clip n. Clips come in any order.
func (o *output) Add(n int, d *description) error {
	var line any = d
	to := o.good
	if d.Outcome != omniscope.OK {
		line, to = failure{UUID: d.UUID, Outcome: d.Outcome, Why: d.Why}, o.bad
	}
	var text bytes.Buffer
	if err := outfile.Lines(&text, line); err != nil {
		return err
	}
	o.mu.Lock()
	o.Summary.add(d)
	o.mu.Unlock()
	return to.Add(n, text.Bytes())
}

// Write writes the files, in the order of the clips. The summary comes first: it says whose they are.
func (o *output) Write() error {
	if err := outfile.WriteIn(o.dir, SummaryFile, func(w io.Writer) error { return outfile.JSON(w, &o.Summary) }); err != nil {
		return err
	}
	for name, records := range map[string]*bench.Records{DescriptionsFile: o.good, FailuresFile: o.bad} {
		if err := outfile.WriteIn(o.dir, name, func(w io.Writer) error { _, err := records.WriteTo(w); return err }); err != nil {
			return err
		}
	}
	return nil
}

// Close lets others write to the folder.
func (o *output) Close() (err error) {
	for _, r := range []*bench.Records{o.good, o.bad} {
		if r != nil {
			err = errors.Join(err, r.Close())
		}
	}
	return errors.Join(err, o.unlock())
}
