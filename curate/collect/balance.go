package collect

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
)

// A cell is the clips of one category and one bin of lengths.
type cell struct{ category, bin string }

// balance keeps one file of each source, then as many clips of each category and bin as the rules allow. It goes round the
// cells and takes one clip of each in turn, so that all have nearly as many; which one of a cell is
// decided by the seed and the id alone, whatever else is in the list.
func (c *collecting) balance(context.Context) error {
	ranked := c.remaining()
	slices.SortStableFunc(ranked, func(a, b *candidate) int { return bytes.Compare(lot(c.Seed, a.ID), lot(c.Seed, b.ID)) })
	if c.Rules.OnePerSource {
		ranked = onePerSource(ranked)
	}
	cells := make(map[cell][]*candidate)
	for _, k := range ranked {
		at := cell{k.Category, c.Rules.Bin(k.segment.Seconds())}
		cells[at] = append(cells[at], k)
	}
	order := slices.SortedFunc(maps.Keys(cells), func(a, b cell) int {
		return bytes.Compare(lot(c.Seed, a.category+"\n"+a.bin), lot(c.Seed, b.category+"\n"+b.bin))
	})
	caps := &caps{rules: &c.Rules, categories: make(map[string]int), bins: make(map[string]int)}
	for left := len(ranked); left > 0; {
		for _, at := range order {
			if list := cells[at]; len(list) > 0 {
				caps.take(list[0], at)
				cells[at] = list[1:]
				left--
			}
		}
	}
	return nil
}

// lot is what an id draws.
func lot(seed uint64, id string) []byte {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\n%s", seed, id))
	return sum[:]
}

// onePerSource keeps the first of each source.
func onePerSource(ranked []*candidate) (kept []*candidate) {
	first := make(map[string]*candidate)
	for _, k := range ranked {
		if k.Of != "" && first[k.Of] != nil {
			k.reject(ruleSource, fmt.Sprintf("%s is of the same source, %s", first[k.Of].ID, k.Of))
			continue
		}
		first[k.Of] = k
		kept = append(kept, k)
	}
	return kept
}

// caps counts accepted clips.
type caps struct {
	rules      *ruleSet
	categories map[string]int
	bins       map[string]int
	total      int
}

func (s *caps) take(k *candidate, at cell) {
	for _, limit := range []struct {
		rule        string
		count, most int
	}{
		{ruleCategory, s.categories[at.category], s.rules.MaxPerCategory},
		{ruleBin, s.bins[at.bin], s.rules.MaxPerBin},
		{ruleClips, s.total, s.rules.MaxClips},
	} {
		if limit.most > 0 && limit.count >= limit.most {
			k.checks = append(k.checks, check{limit.rule, float64(limit.count), float64(limit.most), true})
			k.reject(limit.rule, fmt.Sprintf("%s: %d clips were taken before it, limit %d", limit.rule, limit.count, limit.most))
			return
		}
	}
	s.categories[at.category]++
	s.bins[at.bin]++
	s.total++
}
