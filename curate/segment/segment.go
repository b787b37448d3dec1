// Package segment cuts the talks of a source folder into segments: sound, and
// pictures where there are any, with the list that says where each segment lies.
// `omniscope curate mcif segment` shows it.
//
// Where to cut is decided by package pdac from probabilities of speech, which a
// Detector or a file of them gives. Transcripts, questions and the test set made of the
// segments are not its business.
//
// Folders and names are those that MCIF's builder reads:
//
//	AUDIO/NAME.wav                          a talk
//	VIDEO/NAME.mp4                          its pictures, if there are any
//	SEGMENTED_AUDIO/shas_segmentation.yaml  the list, written last
//	SEGMENTED_AUDIO/shas_segments/NAME_0.wav
//	SEGMENTED_AUDIO/segmentation.json       how it was made, and of what
//	SEGMENTED_VIDEO/NAME_0.mp4
package segment

import (
	"context"
	"fmt"
	"path/filepath"

	"omniscope/internal/outfile"
	"omniscope/media/pdac"
)

// Options say what is cut, and how.
type Options struct {
	Source        string // the folder that holds AUDIO
	Probabilities Probabilities
	PDAC          pdac.Options
	Program       string // version, for segmentation.json
	Force         bool   // replace segments that were made otherwise

	// Report is called after each talk. It may be nil.
	Report func(wav string, segments int)
}

// Probabilities are where the probabilities of speech come from.
type Probabilities interface {
	// Origin says where they come from: part of what segments are made by.
	Origin() origin
	// Of returns the probability of each of the talk's frames, as many as
	// talkPart.Frames says.
	Of(ctx context.Context, t talkPart) ([]float64, error)
}

// An origin is where probabilities come from, as segmentation.json says it.
type origin struct {
	Name       string `json:"name"`             // file, energy or speech-pack
	Substitute bool   `json:"substitute"`       // they are not those of SHAS's own model
	SHA256     string `json:"sha256,omitempty"` // of the file
}

// A result is what a source folder holds now.
type result struct {
	List      string // path of the list of segments
	Talks     int
	Segments  int
	Seconds   float64 // of all segments
	Unchanged bool    // everything was there already
	Warnings  []string
}

// Run segments all talks. What an earlier call with the same options has done is
// kept, also if that was killed, and the list is there only when everything is done. Segments
// that were made otherwise, or of other files, are an error of kind Usage
// unless Options.Force is set; then they are removed first.
func Run(ctx context.Context, o Options) (*result, error) {
	if err := o.PDAC.Check(); err != nil {
		return nil, err
	}
	talks, err := findTalks(ctx, o.Source)
	if err != nil {
		return nil, err
	}
	w, err := openWork(o, talks)
	if err != nil {
		return nil, err
	}
	defer func() { _ = w.unlock() }()
	r := &result{List: w.list(), Unchanged: w.listed()}
	for _, t := range talks {
		if w.done(t) {
			continue
		}
		r.Unchanged = false
		if err := w.cutTalk(ctx, t); err != nil {
			return nil, err
		}
		if o.Report != nil {
			o.Report(t.Wav, len(w.made.find(t.Wav).Segments))
		}
	}
	if !r.Unchanged {
		if err := w.finish(); err != nil {
			return nil, err
		}
	}
	w.summarize(r)
	return r, nil
}

// summarize counts what the folder holds, and adds warnings about it.
func (w *work) summarize(r *result) {
	if w.made.Method.Origin.Substitute {
		r.Warnings = append(r.Warnings, fmt.Sprintf("the probabilities of speech are those of %s, a substitute for SHAS's own model: boundaries will differ from published ones", w.made.Method.Origin.Name))
	}
	for _, t := range w.made.Talks {
		r.Talks++
		r.Segments += len(t.Segments)
		for _, s := range t.Segments {
			r.Seconds += s.Duration
		}
		if len(t.Segments) == 0 {
			r.Warnings = append(r.Warnings, fmt.Sprintf("%s has no segments: no speech was found in it", t.Wav))
		}
	}
}

// finish writes the list of segments. Before that its digest is noted, so
// that a later call knows whether somebody changed the list.
func (w *work) finish() error {
	text, digest, err := w.made.yaml()
	if err != nil {
		return err
	}
	w.made.ListSHA256 = digest
	if err := w.save(); err != nil {
		return err
	}
	return outfile.WriteIn(filepath.Dir(w.list()), filepath.Base(w.list()), writeAll(text))
}
