package contamination

import (
	"cmp"
	"context"
	"fmt"

	"omniscope"
	"omniscope/curate/fingerprint"
	"omniscope/media"
)

// A short is a file with sound that is too short, or too even, to be found in another file or to
// have another found in it.
type short struct{ benchmark, id string } // benchmark "" = a training clip

// findExcerpts looks for short sounds: of a clip in the items, and of items in the clip. The
// clip has the number n; found are the items that it is known to be a copy of.
func (r *run) findExcerpts(ctx context.Context, n int, print *fingerprint.Fingerprint, k *known, found map[int]bool, to *compared) error {
	c := &r.clips[n]
	var own *fingerprint.Sketch
	if print.TooShort() {
		var err error
		if own, err = fingerprint.ListenTo(ctx, c.path); err != nil {
			return err
		}
		if !own.Comparable() {
			to.short = own.Heard()
			return nil
		}
	}
	for i, it := range k.items {
		if other := k.prints[i]; found[i] || !other.TooShort() && (own == nil || other.Sound == "") {
			continue
		}
		theirs, err := r.sketches.Of(ctx, it.path)
		switch {
		case unreadable(ctx, err):
			to.failures = append(to.failures, failure{ID: c.id, Benchmark: it.benchmark, Path: c.path, Why: "listen to " + it.path + ": " + err.Error()})
			continue
		case err != nil:
			return err
		case !theirs.Comparable():
			continue
		}
		if own == nil {
			if own, err = fingerprint.ListenTo(ctx, c.path); err != nil {
				return err
			}
		}
		if err := r.confirmExcerpt(ctx, n, i, it, fingerprint.Excerpt(own, theirs), to); err != nil {
			return err
		}
	}
	return nil
}

// confirmExcerpt makes sure of a proposal by the samples, if something was found.
func (r *run) confirmExcerpt(ctx context.Context, n, at int, it *item, m fingerprint.Match, to *compared) error {
	if !m.Found() {
		return nil
	}
	c := &r.clips[n]
	file, err := media.Probe(ctx, c.path)
	if err != nil {
		return err
	}
	to.proposed = append(to.proposed, cell{sound, it.benchmark})
	hit := hitRecord{Clip: c.id, Benchmark: it.benchmark, Item: it.id, Check: sound, OffsetS: round(m.Offset.Seconds(), 3), clip: n}
	if err := r.confirm(ctx, file, it, fingerprint.Hit{At: at, Match: m}, "", &hit); err != nil {
		return err
	}
	if hit.By != "" {
		hit.Score = round(hit.Score, 4)
		to.hits = append(to.hits, hit)
	}
	return nil
}

// listShortItems lists the items that are too short to be compared by sound.
func (r *run) listShortItems(ctx context.Context, k *known) error {
	if !r.makes(sound) {
		return nil
	}
	for i, it := range k.items {
		if !k.prints[i].TooShort() {
			continue
		}
		s, err := r.sketches.Of(ctx, it.path)
		if err != nil {
			return err
		}
		if s.Heard() && !s.Comparable() {
			r.short = append(r.short, short{it.benchmark, it.id})
		}
	}
	return nil
}

// shortTable lists the files that were not compared by sound.
func (r *run) shortTable() omniscope.Table {
	t := omniscope.Table{Name: "short", Title: "Too short to compare by sound", Columns: []string{"of", "id"},
		Note: "Their sound lasts less than a second, or hardly changes. That they are in no other file is not known, unless their pictures were compared."}
	for _, s := range r.short {
		t.Rows = append(t.Rows, []string{cmp.Or(s.benchmark, "training clips"), s.id})
	}
	return t
}

// shortWarning is about the same files; "" = there are no such files.
func (r *run) shortWarning() string {
	if len(r.short) == 0 {
		return ""
	}
	return fmt.Sprintf("%d files have too little sound to be compared by it, such as %s; all are in report.md", len(r.short), r.short[0].id)
}
