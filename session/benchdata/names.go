package benchdata

import (
	"slices"
	"strings"

	"omniscope"
	"omniscope/internal/spelling"
	"omniscope/metric/neural/models"
	"omniscope/session/catalog"
)

// A kindOfData is one of the kinds of data.
type kindOfData string

// The kinds: published data of a benchmark, a network of BERTScore or COMET, files that a tool needs.
const (
	Benchmark kindOfData = "benchmark"
	network   kindOfData = "network"
	pack      kindOfData = "pack"
)

// SpeechPack names the files with which the tool asr transcribes speech without an endpoint.
const SpeechPack = "speech"

// A dataName is a name of data and its kind. All kinds share one name space.
type dataName struct {
	Name string
	Kind kindOfData
}

// allNames lists all names of data.
func allNames() (all []dataName) {
	for _, open := range catalog.Benchmarks {
		if info := open().Info(); len(info.Needs) > 0 {
			all = append(all, dataName{info.Name, Benchmark})
		}
	}
	for _, name := range models.Names() {
		all = append(all, dataName{name, network})
	}
	return append(all, dataName{SpeechPack, pack})
}

// Find returns the data with these names, each once.
func Find(names ...string) (found []dataName, err error) {
	all := allNames()
	for _, name := range names {
		i := slices.IndexFunc(all, func(n dataName) bool { return n.Name == name })
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
