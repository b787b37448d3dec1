package fingerprint

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"omniscope/media/pdq"
)

// invented is a fingerprint of random pictures and words.
func invented(r *rand.Rand, name string, seconds int) *Fingerprint {
	f := &Fingerprint{Version: Version, File: name, Sound: "sound of " + name}
	for i := range seconds {
		f.Frames = append(f.Frames, frame{Time: time.Duration(i) * time.Second, Hash: pdq.Hash{r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64()}, Quality: 100})
	}
	for range max(0, 8*seconds-22) {
		f.Words = append(f.Words, word{Bits: r.Uint32(), Sounds: true})
	}
	return f
}

// noisy is a copy of a stretch with so many bits of each picture and such a share of bits of the words changed.
func noisy(r *rand.Rand, f *Fingerprint, name string, from, to, bits int, share float64) *Fingerprint {
	c := &Fingerprint{Version: Version, File: name, Sound: "sound of " + name}
	for _, frame := range f.Frames[from:to] {
		for _, b := range r.Perm(pdq.Bits)[:bits] {
			frame.Hash[b/64] ^= 1 << (b % 64)
		}
		frame.Time -= time.Duration(from) * time.Second
		c.Frames = append(c.Frames, frame)
	}
	for _, w := range f.Words[min(8*from, len(f.Words)):min(max(0, 8*to-22), len(f.Words))] {
		for b := range 32 {
			if r.Float64() < share {
				w.Bits ^= 1 << b
			}
		}
		c.Words = append(c.Words, w)
	}
	return c
}

func TestIndexFindsCopies(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var all []*Fingerprint
	for i := range 50 {
		all = append(all, invented(r, fmt.Sprint("file ", i), 20))
	}
	x := NewIndex(all)
	soundOnly := noisy(r, all[7], "sound", 5, 15, 128, 0.1)
	pictureOnly := noisy(r, all[8], "pictures", 5, 15, 31, 0.5)
	sameSound := noisy(r, all[9], "remuxed", 0, 20, 128, 0.5)
	sameSound.Sound = all[9].Sound
	for _, c := range []struct {
		name  string
		f     *Fingerprint
		at    int
		kind  Kind
		after time.Duration // offset, to a tenth of a second
	}{
		{"the same file", all[3], 3, SameFile, 0},
		{"the same samples", sameSound, 9, SameSound, 0},
		{"31 bits of each picture changed", pictureOnly, 8, Pictures, -5 * time.Second},
		{"a tenth of the sound's bits changed", soundOnly, 7, Sounds, -5 * time.Second},
	} {
		hits := x.Find(c.f)
		if len(hits) != 1 || hits[0].At != c.at || hits[0].Kind != c.kind || (hits[0].Offset-c.after).Abs() > 100*time.Millisecond {
			t.Errorf("%s: found %+v, want file %d by %s at %v", c.name, hits, c.at, c.kind, c.after)
		}
	}
	if hits := x.Find(invented(r, "another", 20)); len(hits) != 0 {
		t.Errorf("another file: found %+v", hits)
	}
	if hits := x.Find(noisy(r, all[8], "far", 5, 15, 60, 0.5)); len(hits) != 0 {
		t.Errorf("60 bits of each picture changed: found %+v", hits)
	}
}

func TestEmptyPicturesAndSilenceAreNoCopies(t *testing.T) {
	a, b := &Fingerprint{File: "a"}, &Fingerprint{File: "b"}
	for i := range 20 {
		for _, f := range []*Fingerprint{a, b} {
			f.Frames = append(f.Frames, frame{Time: time.Duration(i) * time.Second, Quality: pictureQuality - 1})
			f.Words = append(f.Words, word{Bits: 77})
		}
	}
	if m := compare(a, b); m.Found() {
		t.Errorf("black silent files: %+v", m)
	}
	if hits := NewIndex([]*Fingerprint{a}).Find(b); len(hits) != 0 {
		t.Errorf("black silent files: %+v", hits)
	}
}

// BenchmarkIndex finds 2,000 files of a minute, a tenth of them copies, among 2,000.
func BenchmarkIndex(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 4))
	var all, asked []*Fingerprint
	for i := range 2000 {
		all = append(all, invented(r, fmt.Sprint("file ", i), 60))
		if i%10 == 0 {
			asked = append(asked, noisy(r, all[i], fmt.Sprint("copy of ", i), 10, 40, 20, 0.1))
		} else {
			asked = append(asked, invented(r, fmt.Sprint("other ", i), 60))
		}
	}
	for b.Loop() {
		x := NewIndex(all)
		found := 0
		for _, f := range asked {
			found += len(x.Find(f))
		}
		if found != 200 {
			b.Fatalf("found %d copies, want 200", found)
		}
	}
}
