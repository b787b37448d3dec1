package bench

import (
	"path"
	"slices"
	"strings"
)

// recordingKey is the name of a recording with its folders and without its ending.
func recordingKey(name string) string {
	clean := path.Clean(strings.ReplaceAll(name, `\`, "/"))
	return path.Join(path.Dir(clean), Stem(clean))
}

// mayBeSame reports whether keys may be of one recording: one may have more folders than the other.
func mayBeSame(a, b string) bool {
	return a == b || strings.HasSuffix(a, "/"+b) || strings.HasSuffix(b, "/"+a)
}

// MayBeSame reports whether two names may be of one recording: one may have more folders than the other.
func MayBeSame(a, b string) bool { return mayBeSame(recordingKey(a), recordingKey(b)) }

// Clusters names the recordings of a file for resampling: by Stem, or with their folders where recordings in several folders have the
// same stem.
type Clusters map[string]string // key by stem; "" = several

// Add adds the name of a recording.
func (c Clusters) Add(name string) {
	stem, key := Stem(name), recordingKey(name)
	if known, there := c[stem]; there && known != key {
		key = ""
	}
	c[stem] = key
}

// Of is the cluster of a recording.
func (c Clusters) Of(name string) string {
	stem := Stem(name)
	if key, there := c[stem]; there && key == "" {
		return recordingKey(name)
	}
	return stem
}

// A recordingIndex finds rows by recordings. It distinguishes recordings of one stem in several folders.
type recordingIndex struct {
	keys   []string         // by row
	byStem map[string][]int // rows
	barred map[string]bool  // keys of recordings that a row of their stem is not of
}

// add adds the next row. It returns an earlier row that may be of the same recording; -1 = no such row.
func (x *recordingIndex) add(id string) (earlier int) {
	stem, key := Stem(id), recordingKey(id)
	for _, row := range x.byStem[stem] {
		if mayBeSame(x.keys[row], key) {
			return row
		}
	}
	x.byStem[stem] = append(x.byStem[stem], len(x.keys))
	x.keys = append(x.keys, key)
	return -1
}

// find returns the row of a recording. The only row of a stem may be in any folder.
func (x *recordingIndex) find(name string) (row int, ok bool) {
	rows, key := x.byStem[Stem(name)], recordingKey(name)
	if len(rows) == 1 {
		return rows[0], !x.barred[key]
	}
	for _, r := range rows {
		if mayBeSame(x.keys[r], key) {
			if ok {
				return 0, false
			}
			row, ok = r, true
		}
	}
	return row, ok
}

// separate bars recordings from a row that belongs to another recording of the same stem. It returns two recordings that a row may be of
// alike, if there are any: that row belongs to neither.
func (x *recordingIndex) separate(n int, names func(i int) []string) (row int, first, second string) {
	x.barred = make(map[string]bool)
	found := make(map[int][]string) // keys by row
	for i := range n {
		for _, name := range names(i) {
			if r, ok := x.find(name); ok {
				if key := recordingKey(name); len(found[r]) == 0 || found[r][len(found[r])-1] != key {
					found[r] = append(found[r], key)
				}
				break
			}
		}
	}
	for r := range x.keys {
		keys, own := found[r], found[r]
		if strings.Contains(x.keys[r], "/") {
			if own = slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return !mayBeSame(x.keys[r], key) }); len(own) == 0 {
				own = keys
			}
		}
		for _, key := range keys {
			switch {
			case key == own[0]:
			case slices.Contains(own, key):
				return r, own[0], key
			default:
				x.barred[key] = true
			}
		}
	}
	return 0, "", ""
}
