package layers

import (
	"maps"
	"slices"
	"testing"
)

// words lists the packages that may export a type of each name: one word is one type. Another
// meaning needs another word, such as Support for what observers say about a claim.
var words = map[string]string{
	"Case":    "bench/document", // one unit of a run, to look at
	"Profile": "bench/predict",  // how a class of models is asked
	"Role":    "session",        // the part of a model in a run
	"Verdict": ".",              // how an answer compares with the key
}

// unchecked are folders that may use a word once more for now.
var unchecked = map[string]string{
	"cmd":     "it will be rewritten as tables of options, and its words with it",
	"session": "it will be rewritten around one type for all kinds of runs, and its words with it",
}

func TestOneTypePerWord(t *testing.T) {
	packages := packagesByType(sources(t))
	for _, word := range slices.Sorted(maps.Keys(words)) {
		owner := words[word]
		if !slices.Contains(packages[word], owner) {
			t.Errorf("package %s exports no type %s: change words in internal/testing/layers", owner, word)
		}
		for _, pkg := range packages[word] {
			if pkg != owner && unchecked[folderOf(pkg)] == "" {
				t.Errorf("packages %s and %s both export a type %s: use the first one, or give the second the name of what it means", owner, pkg, word)
			}
		}
	}
}

func TestPackagesByType(t *testing.T) {
	got := packagesByType([]file{
		{pkg: "media", types: []string{"Clip", "Span"}},
		{pkg: "media", types: []string{"Clip"}},
		{pkg: "train", types: []string{"Clip"}},
		{pkg: "media", types: []string{"Case"}, test: true},
	})
	if want := []string{"media", "train"}; len(got) != 2 || !slices.Equal(got["Clip"], want) || len(got["Span"]) != 1 {
		t.Errorf("packages by type are %v, want Clip in %v and Span in media", got, want)
	}
}

// packagesByType returns the packages that export a type, by its name, each once.
func packagesByType(files []file) map[string][]string {
	out := make(map[string][]string)
	for _, f := range files {
		for _, name := range f.types {
			if !f.test && !slices.Contains(out[name], f.pkg) {
				out[name] = append(out[name], f.pkg)
			}
		}
	}
	return out
}
