package contamination

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"omniscope"
	"omniscope/curate/fingerprint"
	"omniscope/media"
)

// findCopies compares the media of the training set with the benchmarks'. Fingerprints of the benchmarks are held in memory,
// those of the training set one for each job.
func (r *run) findCopies(ctx context.Context) error {
	if !r.makesAny(file, samples, pictures, mirrored, cropped, sound) {
		return nil
	}
	known, err := r.readItemPrints(ctx)
	if err != nil || len(known.items) == 0 {
		return err
	}
	if err := r.listShortItems(ctx, known); err != nil {
		return err
	}
	return r.compareClips(ctx, known)
}

func (r *run) makesAny(checks ...checkName) bool { return slices.ContainsFunc(checks, r.makes) }

// known are the items with media, and an index of their fingerprints.
type known struct {
	items  []*item
	prints []*fingerprint.Fingerprint // of the items
	index  *fingerprint.Index
}

// readItemPrints takes the fingerprints of the benchmarks' media.
func (r *run) readItemPrints(ctx context.Context) (*known, error) {
	var with []*item
	for i := range r.items {
		if r.items[i].path != "" {
			with = append(with, &r.items[i])
		}
	}
	prints, failures := make([]*fingerprint.Fingerprint, len(with)), make([]*failure, len(with))
	err := r.each(ctx, len(with), func(n int) string { return with[n].path }, func(ctx context.Context, n int) (err error) {
		prints[n], err = r.prints.OfFile(ctx, with[n].path)
		if unreadable(ctx, err) {
			failures[n], err = &failure{with[n].id, with[n].benchmark, with[n].path, err.Error()}, nil
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	k := &known{}
	for n, it := range with {
		if failures[n] != nil {
			r.failures = append(r.failures, *failures[n])
			continue
		}
		k.items, k.prints = append(k.items, it), append(k.prints, prints[n])
	}
	k.index = fingerprint.NewIndex(k.prints)
	return k, nil
}

// each does numbers from 0 to n-1, some at a time, and shows how far it is.
func (r *run) each(ctx context.Context, n int, name func(int) string, do func(context.Context, int) error) error {
	done, note, stop := r.Progress(n)
	defer stop()
	var finished atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(1, r.Jobs))
	for i := range n {
		if ctx.Err() != nil {
			break
		}
		group.Go(func() error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			note(name(i))
			err := do(ctx, i)
			done(int(finished.Add(1)))
			return err
		})
	}
	return group.Wait()
}

// unreadable reports whether an error is of the file alone, so that the others are gone on with.
func unreadable(ctx context.Context, err error) bool {
	return err != nil && ctx.Err() == nil &&
		(omniscope.KindOf(err) == omniscope.Invalid || errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission))
}

// A compared is what came of one clip.
type compared struct {
	digest   string
	hits     []hitRecord
	proposed []cell
	failures []failure
	short    bool // its sound is too short to be compared
}

// compareClips compares each clip of the training set.
func (r *run) compareClips(ctx context.Context, k *known) error {
	all := make([]compared, len(r.clips))
	err := r.each(ctx, len(r.clips), func(n int) string { return r.clips[n].id }, func(ctx context.Context, n int) error {
		if r.clips[n].remote {
			return nil
		}
		return r.compareClip(ctx, n, k, &all[n])
	})
	if err != nil {
		return err
	}
	for n := range all {
		if all[n].digest != "" {
			r.clips[n].group = append(r.clips[n].group, "sha256:"+all[n].digest)
		}
		r.hits, r.failures = append(r.hits, all[n].hits...), append(r.failures, all[n].failures...)
		for _, c := range all[n].proposed {
			r.propose(c.check, c.benchmark)
		}
		if all[n].short {
			r.short = append(r.short, short{id: r.clips[n].id})
		}
	}
	return nil
}

// compareClip compares one clip with all items.
func (r *run) compareClip(ctx context.Context, n int, k *known, to *compared) error {
	c := &r.clips[n]
	print, err := r.prints.OfFile(ctx, c.path)
	if unreadable(ctx, err) {
		to.failures = append(to.failures, failure{ID: c.id, Path: c.path, Why: err.Error()})
		return nil
	}
	if err != nil {
		return err
	}
	to.digest = print.File
	var file *media.File // opened for the first proposal
	hits := k.index.FindAll(print)
	found := make(map[int]bool)
	for i, h := range hits {
		it := k.items[h.At]
		if !r.makes(checkName(h.Kind)) {
			continue
		}
		to.proposed = append(to.proposed, cell{checkName(h.Kind), it.benchmark})
		hit := hitRecord{Clip: c.id, Benchmark: it.benchmark, Item: it.id, Check: checkName(h.Kind), Score: h.Score, OffsetS: h.Offset.Seconds(), Speed: h.Speed, clip: n}
		if h.Kind == fingerprint.Sounds {
			var err error
			if file == nil {
				file, err = media.Probe(ctx, c.path)
			}
			if err == nil {
				err = r.confirm(ctx, file, it, h, r.picturesOf(hits[:i], h.At), &hit)
			}
			if unreadable(ctx, err) {
				to.failures = append(to.failures, failure{ID: c.id, Benchmark: it.benchmark, Path: c.path, Why: "compare its sound with " + it.path + ": " + err.Error()})
				continue
			} else if err != nil {
				return err
			}
			if hit.By == "" {
				continue
			}
		}
		hit.Score, hit.OffsetS = round(hit.Score, 4), round(hit.OffsetS, 3)
		to.hits = append(to.hits, hit)
		found[h.At] = true
	}
	if !r.makes(sound) {
		return nil
	}
	err = r.findExcerpts(ctx, n, print, k, found, to)
	if unreadable(ctx, err) {
		to.failures = append(to.failures, failure{ID: c.id, Path: c.path, Why: "listen to it: " + err.Error()})
		return nil
	}
	return err
}

// picturesOf is the check of pictures among the hits that found the item; "" = none did.
func (r *run) picturesOf(hits []fingerprint.Hit, at int) fingerprint.Kind {
	for _, h := range hits {
		switch h.Kind {
		case fingerprint.Pictures, fingerprint.Mirrored, fingerprint.Cropped:
			if h.At == at && r.makes(checkName(h.Kind)) {
				return h.Kind
			}
		}
	}
	return ""
}

// confirm makes sure of a proposal by its sound, else by pictures, and notes by what; nothing = neither does.
func (r *run) confirm(ctx context.Context, f *media.File, it *item, h fingerprint.Hit, pictures fingerprint.Kind, hit *hitRecord) error {
	g, err := media.Probe(ctx, it.path)
	if err != nil {
		return err
	}
	m, err := fingerprint.Confirm(ctx, f, g, h.Match)
	switch {
	case err != nil:
		return err
	case m.Found():
		hit.Score, hit.By = m.Score, "correlation"
	case pictures != "":
		hit.By = string(pictures)
	}
	return nil
}

func round(v float64, digits int) float64 {
	scale := math.Pow10(digits)
	return math.Round(v*scale) / scale
}
