package bench

import (
	"path"
	"slices"
)

// A Need is a part of what a benchmark is run or scored with, and where a user gets
// it. What is not known of it is left empty, and shown as unknown.
type Need struct {
	Part     string   // annotations, media or references
	Dataset  string   // on the Hugging Face hub; "" = it is not there: see Page
	Page     string   // where a user gets what the hub has not; "" = unknown
	Revision string   // a tag or commit; "" = main, which may move
	Names    []string // patterns of its files' names, as path.Match has them; nil = all files that no other part has
	Licence  string   // "" = not stated by its publisher
	Gated    bool     // the hub gives it to those who accepted its conditions
	YouTube  bool     // its media are videos of others, which the hub may not have
	Flag     string   // of predict and eval that a copy of the user's is given with
}

// NeedsOf lists the annotations, by their names, and the media of a benchmark with one data set on the hub.
func NeedsOf(dataset, licence string, names ...string) []Need {
	return []Need{
		{Part: "annotations", Dataset: dataset, Names: names, Licence: licence, Flag: "--data"},
		{Part: "media", Dataset: dataset, Flag: "--media"},
	}
}

// NeededBy says which part of a benchmark's needs a file of its data set belongs to,
// by the file's name in the repository; "" = none of them.
func NeededBy(needs []Need, file string) string {
	base := path.Base(file)
	for _, n := range needs {
		if slices.ContainsFunc(n.Names, func(pattern string) bool { ok, _ := path.Match(pattern, base); return ok }) {
			return n.Part
		}
	}
	if base == "README.md" || base == ".gitattributes" || base == ".gitignore" || base == "LICENSE" {
		return ""
	}
	for _, n := range needs {
		if n.Names == nil {
			return n.Part
		}
	}
	return ""
}
