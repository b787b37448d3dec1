// Package dataset makes data sets for training captioners out of captions: it leaves out, by named rules, what a captioner should
// not learn (Omni-Captioner paper, arXiv 2510.12720, section 4.1, which names none of its rules but diversity), makes files of
// media that trainers read without surprises, and writes the rows of trainers and what a publication takes.
//
//	captions ─► rules on captions ─► media ─► rules on media ─► parts ─► rows, provenance, card
//
// Which trainers there are is train's business, what is wrong with rows that exist train/check's.
package dataset

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"omniscope"
	"omniscope/bench/captionrow"
	"omniscope/curate/release"
	"omniscope/internal/ondisk"
	"omniscope/internal/outfile"
	"omniscope/internal/quantity"
	"omniscope/train"
)

// Options say of what a data set is made, and how.
type Options struct {
	Captions string             // folder of a pass of captions, or a file of rows, see production.ReadCaptions
	Media    string             // folder that relative paths of media start from; "" = the list's
	Modality omniscope.Modality // of captions whose rows have none
	Limit    int                // only the first captions; 0 = all
	Out      string

	Forms  []*train.Form
	Rules  rules
	Prefix string // put before the paths of media in rows; "" = they are as seen from Out

	Validation int // percent of the sources that are kept for validation
	Seed       uint64

	WebDataset bool  // also write tar files of rows and media
	Parquet    bool  // also write Parquet files of rows and media
	ShardBytes int64 // size of one of those, about; 0 = a gigabyte

	Workers  int                   // files of media that are made at a time
	Progress func(done, total int) // is called after each clip's media; may be nil
	Force    bool                  // replace a data set of other captions or rules in Out
}

// A Result is the outcome of Build or Preview.
type Result struct {
	Captions int            `json:"captions"` // that were read
	Kept     map[string]int `json:"kept"`     // by part
	Funnel   []stage        `json:"funnel"`
	Failed   int            `json:"failed"` // clips whose media cannot be used
	Hours    float64        `json:"hours"`
	Untimed  int            `json:"untimed"` // kept captions of clips of unknown length, which are not in Hours
	Warnings []string       `json:"warnings"`
}

// parts are the names of the parts of a data set, in order.
var parts = []string{"train", "validation"}

// Build makes a data set. After any interruption the same call goes on: media that were made are not made again. The same
// input makes the same files, to the byte.
func Build(ctx context.Context, o Options) (r *Result, err error) {
	b, err := begin(ctx, o)
	if err != nil {
		return nil, err
	}
	b.apply(onCaptions)
	if err := errors.Join(b.checkRequired(), b.checkAny()); err != nil {
		return nil, err
	}
	fresh := !ondisk.Exists(o.Out)
	if err := os.MkdirAll(filepath.Join(o.Out, mediaFolder), 0o755); err != nil {
		return nil, omniscope.Usagef("--out %s: a file is in the way, or the folder cannot be made: %v", o.Out, err)
	}
	defer func() {
		if kind := omniscope.KindOf(err); fresh && (kind == omniscope.Invalid || kind == omniscope.Usage) {
			err = errors.Join(err, os.RemoveAll(o.Out)) // a refused export leaves no folder
		}
	}()
	unlock, err := outfile.LockFolder(o.Out)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if err := b.claim(); err != nil {
		return nil, err
	}
	if err := b.prepare(ctx); err != nil {
		return nil, err
	}
	b.apply(onMedia)
	if err := b.checkRequired(); err != nil {
		return nil, err
	}
	if err := b.findReports(ctx); err != nil {
		return nil, err
	}
	if err := b.write(ctx); err != nil {
		return nil, err
	}
	return b.result(), nil
}

// Preview reads captions and applies the rules that need no media. It writes nothing.
func Preview(ctx context.Context, o Options) (*Result, error) {
	b, err := begin(ctx, o)
	if err != nil {
		return nil, err
	}
	b.apply(onCaptions)
	return b.result(), b.checkRequired()
}

// building is the work on a data set.
type building struct {
	Options
	split *release.Split

	without  map[string]bool
	digest   string // of the captions
	modality omniscope.Modality
	rows     []*row // in the captions' order
	stages   []stage
}

// begin reads the captions.
func begin(ctx context.Context, o Options) (*building, error) {
	b := &building{Options: o, split: &release.Split{Seed: o.Seed, Train: 100 - o.Validation, Validation: o.Validation}, without: make(map[string]bool)}
	for _, id := range o.Rules.Without {
		b.without[id] = true
	}
	return b, b.read(ctx)
}

// kept are the rows that no rule left out.
func (b *building) kept() (rows []*row) {
	for _, r := range b.rows {
		if r.rule == "" {
			rows = append(rows, r)
		}
	}
	return rows
}

// checkAny refuses captions of which the rules leave none.
func (b *building) checkAny() error {
	if len(b.kept()) > 0 {
		return nil
	}
	var by []string
	for _, s := range b.stages {
		if s.Out > 0 {
			by = append(by, fmt.Sprintf("%s: %d", s.Rule, s.Out))
		}
	}
	return omniscope.Invalidf("%s: no caption is left after the rules (%s): --dry-run shows what each rule leaves out, --rule NAME=off switches one off", b.Captions, strings.Join(by, ", "))
}

func (b *building) result() *Result {
	r := &Result{Captions: len(b.rows), Kept: make(map[string]int), Funnel: b.stages, Warnings: []string{}}
	offline := 0
	for _, row := range b.kept() {
		r.Kept[b.split.Of(row.source)]++
		r.Hours += row.seconds() / 3600
		if row.seconds() == 0 {
			r.Untimed++
		}
		offline += quantity.If(row.field("system") == captionrow.Offline)
	}
	if offline > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%d of %s written offline, without any model: they list measurements of tools and name nothing that is seen; caption these clips with --detective or --observer",
			offline, quantity.Of(r.Kept["train"]+r.Kept["validation"], "caption was", "captions were")))
	}
	for _, row := range b.rows {
		if row.rule == ruleMedia {
			r.Failed++
		}
	}
	return r
}

// mediaFolder is where the files of media lie.
const mediaFolder = "media"

// A manifest is dataset.json: of what a data set is made, and what it has.
type manifest struct {
	Schema   string             `json:"schema"`
	Made     made               `json:"made_of"`
	Modality omniscope.Modality `json:"modality"`
	Rows     map[string]int     `json:"rows"` // by part
	Hours    float64            `json:"hours"`
	Funnel   []stage            `json:"funnel"`
	Files    map[string]string  `json:"files"` // SHA-256 by name
}

// manifestFile says of what a data set is made. manifestSchema is its form.
const (
	manifestFile   = "dataset.json"
	manifestSchema = "omniscope.train-dataset/1"

	unfinishedFile = ".unfinished.json" // of what a data set is made while it is written
)

// made is what shapes a data set beside the media.
type made struct {
	Captions   string   `json:"captions"` // digest
	Forms      []string `json:"trainers"`
	Rules      rules    `json:"rules"`
	Prefix     string   `json:"prefix,omitempty"`
	Validation int      `json:"validation_percent"`
	Seed       uint64   `json:"seed"`
}

func (b *building) made() made {
	m := made{Captions: b.digest, Rules: b.Rules, Prefix: b.Prefix, Validation: b.Validation, Seed: b.Seed}
	for _, f := range b.Forms {
		m.Forms = append(m.Forms, f.Name)
	}
	return m
}

// claim refuses a folder with another data set, and marks it as that of this one. Without the mark, what a killed command left would
// be no part of any data set, since the manifest is written last.
func (b *building) claim() error {
	if err := b.refuseOthers(); err != nil {
		return err
	}
	return outfile.WriteIn(b.Out, unfinishedFile, func(out io.Writer) error { return outfile.JSON(out, b.made()) })
}

func (b *building) refuseOthers() error {
	if b.Force {
		return nil
	}
	entries, err := outfile.Entries(b.Out)
	if err != nil {
		return err
	}
	entries = slices.DeleteFunc(entries, func(e string) bool { return e == mediaFolder })
	if len(entries) == 0 {
		return nil
	}
	var unfinished made
	if err := readJSON(filepath.Join(b.Out, unfinishedFile), &unfinished); err == nil {
		if sameJSON(unfinished, b.made()) {
			return nil
		}
		return omniscope.Usagef("%s holds an unfinished data set of other captions, rules or flags: %s", b.Out, outfile.OrForce)
	}
	if !slices.Contains(entries, manifestFile) {
		return omniscope.Usagef("%s holds %s, which is no part of a data set: %s", b.Out, entries[0], outfile.OrForce)
	}
	var there manifest
	if err := readJSON(filepath.Join(b.Out, manifestFile), &there); err == nil && sameJSON(there.Made, b.made()) {
		return nil
	}
	return omniscope.Usagef("%s holds a data set of other captions, rules or flags: %s", b.Out, outfile.OrForce)
}
