package benchdata

import (
	"slices"
	"strings"

	"omniscope"
	"omniscope/internal/spelling"
	"omniscope/metric/neural/models"
	"omniscope/session/catalog"
)

// A Kind is one of the kinds of data.
type Kind string

// The kinds: published data of a benchmark, a network of BERTScore or COMET, files that a tool needs.
const (
	Benchmark Kind = "benchmark"
	Network   Kind = "network"
	Pack      Kind = "pack"
)

// SpeechPack names the files with which the tool asr transcribes speech without an endpoint.
const SpeechPack = "speech"

// A Name is a name of data and its kind. All kinds share one name space.
type Name struct {
	Name string
	Kind Kind
}

// Names lists all names of data.
func Names() (all []Name) {
	for _, open := range catalog.Benchmarks {
		if info := open().Info(); len(info.Needs) > 0 {
			all = append(all, Name{info.Name, Benchmark})
		}
	}
	for _, name := range models.Names() {
		all = append(all, Name{name, Network})
	}
	return append(all, Name{SpeechPack, Pack})
}

// Find returns the data with these names, each once.
func Find(names ...string) (found []Name, err error) {
	all := Names()
	for _, name := range names {
		i := slices.IndexFunc(all, func(n Name) bool { return n.Name == name })
		if i < 0 {
			var there []string
			for _, n := range all {
				there = append(there, n.Name)
			}
			return nil, omniscope.Usagef("no data %q%s: %s", name, spelling.Among(name, there), strings.Join(there, ", "))
		}
		if !slices.Contains(found, all[i]) {
			found = append(found, all[i])
		}
	}
	return found, nil
}
