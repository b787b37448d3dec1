package hubfolder

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A set is the files of a split of a configuration.
type set struct {
	config    string // "" = the folder has no card with configurations
	split     string
	names     []string
	isDefault bool  // its configuration needs no name
	err       error // why its files are not known, such as those that are not downloaded
}

// String is how the set is written behind a folder's name.
func (s set) String() string {
	switch {
	case s.config == "":
		return s.split
	case s.split == "":
		return s.config
	}
	return s.config + "/" + s.split
}

// keywords are what stands in names for the three usual splits, in the order of the splits.
var keywords = []struct {
	split string
	words []string
}{
	{"train", []string{"train", "training"}},
	{"validation", []string{"validation", "valid", "dev", "val"}},
	{"test", []string{"test", "testing", "eval", "evaluation"}},
}

// shard matches names such as data/random-00000-of-00003.parquet.
var shard = regexp.MustCompile(`^(.*)-(\d{5})-of-(\d{5})([^/]*\..*)$`)

// byName divides files by the hub's rules for names, of which the first holds that finds any: shards below data, whose names begin
// with the split; folders called after splits; files called after splits; all files as one split, train.
func byName(names []string) (sets []set) {
	if sets = sharded(names); sets != nil {
		return sets
	}
	for _, rule := range []func(string, []string) bool{folderHas, fileHas} {
		for _, k := range keywords {
			s := set{split: k.split}
			for _, name := range names {
				if rule(name, k.words) {
					s.names = append(s.names, name)
				}
			}
			if s.names != nil {
				sets = append(sets, s)
			}
		}
		if sets != nil {
			return sets
		}
	}
	if len(names) == 0 {
		return nil
	}
	return []set{{split: "train", names: names}}
}

func sharded(names []string) (sets []set) {
	for _, name := range names {
		below, ok := strings.CutPrefix(name, "data/")
		m := shard.FindStringSubmatch(below)
		if !ok || m == nil || strings.Contains(below, "/") {
			continue
		}
		i := slices.IndexFunc(sets, func(s set) bool { return s.split == m[1] })
		if i < 0 {
			i, sets = len(sets), append(sets, set{split: m[1]})
		}
		sets[i].names = append(sets[i].names, name)
	}
	return sets
}

func folderHas(name string, words []string) bool {
	folders := strings.Split(name, "/")
	return slices.ContainsFunc(folders[:len(folders)-1], func(f string) bool { return hasWord(f, words) })
}

func fileHas(name string, words []string) bool { return hasWord(path.Base(name), words) }

// between are the characters that end a word of a name.
const between = "-._ 0123456789"

// hasWord reports whether one of the words stands in a name by itself.
func hasWord(name string, words []string) bool {
	parts := strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(between, r) })
	return slices.ContainsFunc(parts, func(part string) bool { return slices.Contains(words, part) })
}

// complete makes sure that of files that say how many they are none is missing.
func complete(names []string) error {
	there := make(map[string]map[int]bool)
	total := make(map[string]int)
	for _, name := range names {
		m := shard.FindStringSubmatch(name)
		if m == nil {
			continue
		}
		i, _ := strconv.Atoi(m[2]) // five digits
		of, _ := strconv.Atoi(m[3])
		key := m[1] + "-*-of-" + m[3] + m[4]
		if there[key] == nil {
			there[key], total[key] = make(map[int]bool), of
		}
		if i >= of {
			return fmt.Errorf("%s says that it is one of %d files", name, of)
		}
		there[key][i] = true
	}
	var missing []string
	for key, have := range there {
		for i := range total[key] {
			if !have[i] {
				missing = append(missing, strings.Replace(key, "*", fmt.Sprintf("%05d", i), 1))
				break
			}
		}
	}
	if slices.Sort(missing); missing != nil {
		return fmt.Errorf("%s is missing: get all files of the split, or name the file that is meant", missing[0])
	}
	return nil
}
