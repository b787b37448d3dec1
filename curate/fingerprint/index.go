package fingerprint

import (
	"maps"
	"slices"
)

// An Index finds the copies of a file among many without comparing it with each. It finds what
// Compare finds in the files and, where one picture is near enough, in the pictures; of sound, those copies of which half a word is equal somewhere, which
// all but very short or damaged ones have. It is safe for concurrent use.
type Index struct {
	all    []*Fingerprint
	files  map[string][]int32
	sounds map[string][]int32
	whole  *frameIndex
	inner  *frameIndex
	words  *wordIndex
}

// A Hit is a copy that an Index found.
type Hit struct {
	At int // in the list that the index was made of
	Match
}

// NewIndex makes an index of fingerprints, which must not be changed afterwards.
func NewIndex(all []*Fingerprint) *Index {
	x := &Index{all: all, files: make(map[string][]int32), sounds: make(map[string][]int32), whole: newFrameIndex(all, whole), inner: newFrameIndex(all, look(innerLook).of), words: newWordIndex(all)}
	for i, f := range all {
		x.files[f.File] = append(x.files[f.File], int32(i))
		if f.Sound != "" {
			x.sounds[f.Sound] = append(x.sounds[f.Sound], int32(i))
		}
	}
	return x
}

// Find returns the copies of a file, in the order of the list, as compare(f, copy) returns them. A file that is in
// the index finds itself.
func (x *Index) Find(f *Fingerprint) []Hit {
	return x.find(f, func(other *Fingerprint) []Match {
		if m := compare(f, other); m.Found() {
			return []Match{m}
		}
		return nil
	})
}

// FindAll is Find with a hit for each way in which a file is a copy, as matches(f, copy) returns them.
func (x *Index) FindAll(f *Fingerprint) []Hit {
	return x.find(f, func(other *Fingerprint) []Match { return matches(f, other) })
}

func (x *Index) find(f *Fingerprint, matches func(other *Fingerprint) []Match) (hits []Hit) {
	for _, i := range x.near(f) {
		for _, m := range matches(x.all[i]) {
			hits = append(hits, Hit{int(i), m})
		}
	}
	return hits
}

// near are the files that may be copies, in the order of the list.
func (x *Index) near(f *Fingerprint) []int32 {
	near := make(map[int32]bool)
	for _, i := range x.files[f.File] {
		near[i] = true
	}
	if f.Sound != "" {
		for _, i := range x.sounds[f.Sound] {
			near[i] = true
		}
	}
	frames := usable(f)
	x.whole.near(frames, plainLook, near)
	x.whole.near(frames, mirroredLook, near)
	x.whole.near(spread(frames), innerLook, near)
	x.inner.near(frames, plainLook, near)
	x.words.near(f, near)
	return slices.Sorted(maps.Keys(near))
}

// mostInner is of how many pictures inner parts are looked up: six look-ups each cost much, and one that is near enough will do.
const mostInner = 20

// spread are evenly spread pictures, mostInner at most.
func spread(frames []frame) (some []frame) {
	step := (len(frames) + mostInner - 1) / mostInner
	for i := 0; i < len(frames); i += max(1, step) {
		some = append(some, frames[i])
	}
	return some
}

// buckets are lists of numbers by a key of 16 bits, in two arrays.
type buckets struct {
	start []int32 // of each key's list, and the end of the last
	items []int32
}

// newBuckets puts n items into the lists of their keys.
func newBuckets(n int, key func(i int) uint16) buckets {
	b := buckets{start: make([]int32, 1<<16+1), items: make([]int32, n)}
	for i := range n {
		b.start[int(key(i))+1]++
	}
	for k := range 1 << 16 {
		b.start[k+1] += b.start[k]
	}
	next := slices.Clone(b.start)
	for i := range n {
		k := key(i)
		b.items[next[k]] = int32(i)
		next[k]++
	}
	return b
}

func (b *buckets) of(key uint16) []int32 { return b.items[b.start[key]:b.start[int(key)+1]] }
