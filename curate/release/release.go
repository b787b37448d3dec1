// Package release makes the folder in which a built benchmark is published: rows per split as JSON Lines and Parquet, a card
// with licences and statistics, provenance, a version with digests, and a description in Croissant.
//
//	rows ─┐
//	sources ─┼─► items ─► licences ─► splits ─► version ─► folder
//	provenance ─┘
//
// It publishes what is there: rows are copied to the byte, no licence is guessed and nothing is uploaded. How items are
// collected, written and checked is the business of the other packages under curate; how systems are scored on a set
// is that of the packages under bench.
package release

import (
	"context"
	"errors"
	"fmt"

	"omniscope"
	"omniscope/internal/rows"
)

// Options say what is released, and where to.
type Options struct {
	Rows     string // JSON Lines of items in their released form
	Out      string // folder for the release
	Settings *Settings

	Sources    string // JSON Lines of sources; "" = rows name their own licence
	Provenance string // JSON Lines of what is known of how items were made; "" = nothing
	Agreement  string // tables as `omniscope people agreement --out` writes them; "" = none
	Funnel     string // tables of what was left out at each step, in the same form; "" = none
	Media      string // folder with the media to include; "" = none are included
	Previous   string // folder of the release before; "" = this is the first
	Without    string // file of ids to leave out, one a line; "" = none

	IDField    string // field of the id; "" = that of a known form
	MediaField string // field of the media path; "" = video_path

	WithoutUnlicensed bool // leave items without a licence out, in place of an error
	Force             bool // replace an earlier release in Out
}

// A Result says what was released.
type Result struct {
	Items      map[string]int // by split
	Version    string
	Digest     string // of the whole set
	Files      int
	Unlicensed int // items left out since their source has no licence
	Withdrawn  int // items left out on request
	Changes    *changes
	Warnings   []string
}

// set is a release on its way.
type set struct {
	o         *Options
	rows      *rows.File
	form      *form
	items     []*item
	shape     *shape // of the rows that are released, as columns
	agreement []omniscope.Table
	funnel    []omniscope.Table
	version   *releaseVersion
	previous  *releaseVersion
	changes   *changes // nil without a previous release

	unlicensed, withdrawn int
	warnings              []string
}

// Build checks all inputs, and then writes the release, whole or not at all. Input that may not be published, such as an
// item without a licence, is an error of kind Invalid that lists the items.
func Build(ctx context.Context, o Options) (r *Result, err error) {
	s := &set{o: &o}
	defer func() {
		if s.rows != nil {
			err = errors.Join(err, s.rows.Close())
		}
	}()
	if err := s.checkOut(); err != nil {
		return nil, err
	}
	if err := s.read(ctx); err != nil {
		return nil, err
	}
	if err := s.checkLicences(); err != nil {
		return nil, err
	}
	if err := s.readShape(); err != nil {
		return nil, err
	}
	if err := s.split(); err != nil {
		return nil, err
	}
	files, err := s.write(ctx)
	if err != nil {
		return nil, err
	}
	return s.result(files), nil
}

// read reads all inputs and joins them.
func (s *set) read(ctx context.Context) (err error) {
	if s.previous, err = readVersion(s.o.Previous); err != nil {
		return err
	}
	if s.agreement, err = readTables(s.o.Agreement); err != nil {
		return err
	}
	if s.funnel, err = readTables(s.o.Funnel); err != nil {
		return err
	}
	if err := s.readItems(ctx); err != nil {
		return err
	}
	if err := s.joinSources(ctx); err != nil {
		return err
	}
	if err := s.withdraw(ctx); err != nil {
		return err
	}
	return s.joinProvenance(ctx)
}

func (s *set) result(files int) *Result {
	r := &Result{Items: make(map[string]int), Version: s.version.Version, Digest: s.version.Digest, Files: files,
		Unlicensed: s.unlicensed, Withdrawn: s.withdrawn, Changes: s.changes, Warnings: s.warnings}
	for _, it := range s.items {
		r.Items[it.split]++
	}
	return r
}

func (s *set) warn(format string, args ...any) {
	s.warnings = append(s.warnings, fmt.Sprintf(format, args...))
}
