package fingerprint

import (
	"omniscope/media/pdq"
)

// A frameIndex finds pictures by their hashes: multi-index hashing (Norouzi, Punjani and Fleet, CVPR
// 2012). Two hashes that differ in at most 31 bits differ in at most one bit in one of their 16 parts of
// 16 bits, so that a look at 17 lists for each part finds them all.
type frameIndex struct {
	hashes []pdq.Hash
	owner  []int32 // number of the file, by picture
	parts  [pdq.Bits / 16]buckets
}

// newFrameIndex makes an index of what pictures takes of each file.
func newFrameIndex(all []*Fingerprint, pictures func(*Fingerprint) []moment) *frameIndex {
	x := &frameIndex{}
	for i, f := range all {
		for _, m := range pictures(f) {
			x.hashes, x.owner = append(x.hashes, m.Hash), append(x.owner, int32(i))
		}
	}
	for p := range x.parts {
		x.parts[p] = newBuckets(len(x.hashes), func(i int) uint16 { return part(x.hashes[i], p) })
	}
	return x
}

// part is the p-th 16 bits of a hash.
func part(h pdq.Hash, p int) uint16 { return uint16(h[p/4] >> (16 * (p % 4))) }

// near adds the files that have what is looked for of one of the pictures.
func (x *frameIndex) near(frames []frame, look look, found map[int32]bool) {
	for i := range frames {
		for _, h := range look(&frames[i]) {
			for p := range x.parts {
				key := part(h, p)
				x.add(h, x.parts[p].of(key), found)
				for bit := range 16 {
					x.add(h, x.parts[p].of(key^1<<bit), found)
				}
			}
		}
	}
}

func (x *frameIndex) add(h pdq.Hash, items []int32, found map[int32]bool) {
	for _, i := range items {
		if h.Distance(x.hashes[i]) <= pictureDistance {
			found[x.owner[i]] = true
		}
	}
}
