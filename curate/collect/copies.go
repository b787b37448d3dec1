package collect

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"omniscope/curate/fingerprint"
	"omniscope/internal/mediafiles"
	"omniscope/media"
)

// A known is a file of media that candidates are compared with.
type known struct {
	name  string
	path  string
	print *fingerprint.Fingerprint
}

// readAgainst takes the fingerprints of the files in folders. Files that cannot be read are named in warnings.
func readAgainst(ctx context.Context, folders []string, prints *fingerprint.Memory, note func(string)) (list []known, warnings []string, err error) {
	for _, folder := range folders {
		paths, _, err := mediafiles.In(folder, "")
		if err != nil {
			return nil, nil, fmt.Errorf("--against: %w", err)
		}
		if len(paths) == 0 {
			warnings = append(warnings, folder+": there is no media file in it, so that nothing is compared with it")
		}
		for _, path := range paths {
			note(path)
			print, err := prints.OfFile(ctx, path)
			if ctx.Err() != nil {
				return nil, nil, ctx.Err()
			}
			if err != nil {
				warnings = append(warnings, fmt.Sprintf("nothing is compared with %s: %v", path, err))
				continue
			}
			list = append(list, known{path, path, print})
		}
	}
	return list, warnings, nil
}

// A finder finds copies among known files.
type finder struct {
	all      []known
	index    *fingerprint.Index
	sketches fingerprint.Sketches
}

func newFinder(all []known) *finder {
	prints := make([]*fingerprint.Fingerprint, len(all))
	for i := range all {
		prints[i] = all[i].print
	}
	return &finder{all: all, index: fingerprint.NewIndex(prints)}
}

// A copyOf is a file that another is a copy of.
type copyOf struct {
	Of string `json:"of"` // id, or path of a file to keep away from
	fingerprint.Match
	at int
}

// find returns the first confirmed copy of a file among those for which ok holds; nil = there is none.
func (x *finder) find(ctx context.Context, k known, ok func(at int) bool) (*copyOf, error) {
	for _, hit := range x.index.Find(k.print) {
		if !ok(hit.At) {
			continue
		}
		m, err := confirm(ctx, k.path, x.all[hit.At].path, hit.Match)
		if err != nil {
			return nil, err
		}
		if m.Found() {
			return &copyOf{Of: x.all[hit.At].name, Match: m, at: hit.At}, nil
		}
	}
	return x.findExcerpt(ctx, k, ok)
}

// findExcerpt returns the first confirmed copy by sound that is too short for the index.
func (x *finder) findExcerpt(ctx context.Context, k known, ok func(at int) bool) (*copyOf, error) {
	for i := range x.all {
		other := &x.all[i]
		if !ok(i) || other.path == k.path || !k.print.TooShort() && !other.print.TooShort() || k.print.Sound == "" && !k.print.TooShort() || other.print.Sound == "" && !other.print.TooShort() {
			continue
		}
		a, err := x.sketches.Of(ctx, k.path)
		if err != nil {
			return nil, err
		}
		if !a.Comparable() {
			return nil, nil
		}
		b, err := x.sketches.Of(ctx, other.path)
		if err != nil {
			return nil, err
		}
		m, err := confirm(ctx, k.path, other.path, fingerprint.Excerpt(a, b))
		if err != nil {
			return nil, err
		}
		if m.Found() {
			return &copyOf{Of: other.name, Match: m, at: i}, nil
		}
	}
	return nil, nil
}

// confirm opens two files to listen to them, where that is needed.
func confirm(ctx context.Context, a, b string, m fingerprint.Match) (fingerprint.Match, error) {
	if m.Kind != fingerprint.Sounds {
		return m, nil
	}
	f, err := media.Probe(ctx, a)
	if err != nil {
		return m, err
	}
	g, err := media.Probe(ctx, b)
	if err != nil {
		return m, err
	}
	return fingerprint.Confirm(ctx, f, g, m)
}

// leaveOutContaminated rejects candidates that are copies of files to keep away from.
func (c *collecting) leaveOutContaminated(ctx context.Context, against []known) error {
	x := newFinder(against)
	return c.each(func(k *candidate) error {
		found, err := x.find(ctx, k.known(), func(int) bool { return true })
		if err == nil && found != nil {
			k.reject(ruleContaminated, fmt.Sprintf("it is a copy of %s (%s, likeness %.3f)", found.Of, found.Kind, found.Score))
			k.copy = found
		}
		return err
	})
}

// leaveOutDuplicates keeps of candidates that are copies of each other the largest, then the longest, then the first.
func (c *collecting) leaveOutDuplicates(ctx context.Context) error {
	ranked := c.remaining()
	slices.SortStableFunc(ranked, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(min(b.m.Width, b.m.Height), min(a.m.Width, a.m.Height)), cmp.Compare(b.m.Seconds, a.m.Seconds))
	})
	var all []known
	for _, k := range ranked {
		all = append(all, k.known())
	}
	x := newFinder(all)
	for i, k := range ranked {
		found, err := x.find(ctx, all[i], func(at int) bool { return at < i && ranked[at].rule == "" })
		if err != nil {
			return err
		}
		if found != nil {
			k.reject(ruleDuplicate, fmt.Sprintf("it is a copy of %s (%s, likeness %.3f)", found.Of, found.Kind, found.Score))
			k.copy = found
		}
	}
	return nil
}
