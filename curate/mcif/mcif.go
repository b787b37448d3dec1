// Package mcif builds test sets in the form of MCIF (arXiv 2507.19634): instructions in several languages to
// transcribe, translate, summarise and answer questions about recorded talks, whole (long) and in
// segments (short). The same source gives the same files as the published builder, to the byte.
//
//	tables, audio, video ──► source ──► items (prompts drawn) ──► long and short track ──► files
//
// How talks are cut into segments is package media/pdac; how systems are scored on a set is package bench/mcif; how
// people write the tables is package people/mcif.
package mcif

import (
	"cmp"
	"context"
	"regexp"

	"omniscope"
)

// Options say how a test set is built.
type Options struct {
	Source string // folder with tables, AUDIO, VIDEO, SEGMENTED_AUDIO and SEGMENTED_VIDEO
	Tables string // folder with the tables, if they are elsewhere
	Out    string // folder for the test set; made if it is not there

	Name    string  // of the test set, which starts the names of its files; "" = MCIF1.0
	Video   bool    // with videos, and questions about what is only seen
	Text    bool    // with transcripts, for systems that read
	Longest float64 // seconds; a question about several segments that last longer is not in the short track

	Languages *languages // nil = those of MCIF

	// AsPublished repeats the faults of the published builder: talks that are only summarised get the
	// translated abstract of another talk, a file whose random name has "wav" in it is misnamed, and an answer may end
	// before it starts.
	AsPublished bool

	Force bool // replace the files and folders of an earlier set with this name

	Progress func(done, all int) // called after each file; may be nil
}

// A Result says what was built.
type Result struct {
	Samples  map[string]int // samples of each XML file, by track and language, such as "long de"
	Files    int
	Skipped  []skip
	Unjoined []error // videos of several segments that could not be made; all other files are there
}

// A skip is a question that is left out of the short track as too long.
type skip struct {
	Question string  // such as 2_8: talk and question
	Seconds  float64 // its segments together
}

// setName is what a test set may be called.
var setName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// Build reads the source, and writes the test set. Nothing is written before the whole source is known to be right.
func Build(ctx context.Context, o Options) (*Result, error) {
	o.Name, o.Tables = cmp.Or(o.Name, "MCIF1.0"), cmp.Or(o.Tables, o.Source)
	switch {
	case !setName.MatchString(o.Name):
		return nil, omniscope.Usagef("--name %q: a name has letters, digits and any of . _ -, such as MCIF1.0", o.Name)
	case !(o.Longest >= 0):
		return nil, omniscope.Usagef("--threshold-short-audio is a number of seconds, such as 30")
	}
	if o.Languages == nil {
		var err error
		if o.Languages, err = publishedLanguages(); err != nil {
			return nil, err
		}
	}
	s, err := readSource(ctx, &o)
	if err != nil {
		return nil, err
	}
	items, skipped, err := s.items(&o)
	if err != nil {
		return nil, err
	}
	set := newSet(&o, s, items)
	if err := s.checkFiles(set.files); err != nil {
		return nil, err
	}
	r := &Result{Samples: set.counts(), Files: len(set.files) + len(set.names()) - len(set.folders()), Skipped: skipped}
	r.Unjoined, err = set.write(ctx)
	return r, err
}
