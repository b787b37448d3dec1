package release

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"omniscope"
)

// splits are the names of the parts, in order.
var splits = []string{"train", "validation", "test"}

// Splits are the names of the parts that a release may have, in order.
func Splits() []string { return splits }

// split puts each item into a part, by a hash of its source, so that parts keep their items when others are added.
func (s *set) split() error {
	for _, it := range s.items {
		it.split = s.o.Settings.Split.Of(it.source.group)
	}
	return s.checkSplits()
}

// Of is the part of a source, one of Splits: the hash of seed and source modulo 100 falls into one of the percentages.
func (p *Split) Of(group string) string {
	if p == nil {
		return "test"
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\x00%s", p.Seed, group))
	switch at := int(binary.BigEndian.Uint64(sum[:8]) % 100); {
	case at < p.Train:
		return "train"
	case at < p.Train+p.Validation:
		return "validation"
	}
	return "test"
}

// checkSplits refuses parts that share a recording: two sources with one address, file or digest.
func (s *set) checkSplits() error {
	first := make(map[string]*item)
	for _, it := range s.items {
		for _, key := range []struct{ what, value string }{
			{"address", it.source.url}, {"digest", it.source.digest}, {"file", it.source.file}, {"media path", it.media},
		} {
			if key.value == "" {
				continue
			}
			other := first[key.what+" "+key.value]
			if other == nil {
				first[key.what+" "+key.value] = it
			} else if other.split != it.split {
				return omniscope.Invalidf("items %q (%s) and %q (%s) have sources with the same %s %q: give both sources the same source_id in the file of sources",
					other.id, other.split, it.id, it.split, key.what, key.value)
			}
		}
	}
	return nil
}

// ofSplit are the items of a part, in the order of the rows.
func (s *set) ofSplit(name string) (items []*item) {
	for _, it := range s.items {
		if it.split == name {
			items = append(items, it)
		}
	}
	return items
}

// usedSplits are the parts that have items.
func (s *set) usedSplits() (names []string) {
	for _, name := range splits {
		if len(s.ofSplit(name)) > 0 {
			names = append(names, name)
		}
	}
	return names
}
