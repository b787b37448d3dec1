// Package benchdata finds, downloads and checks the published data of benchmarks.
package benchdata

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/hub"
	"omniscope/internal/ondisk"
)

// A row describes one part of a benchmark's data: where it comes from, and what of it is here.
type row struct {
	Benchmark string   `json:"benchmark"`
	Part      string   `json:"part"`
	From      string   `json:"from"`               // page of the data set
	Revision  string   `json:"revision,omitempty"` // on the hub
	Licence   string   `json:"licence"`
	Gated     bool     `json:"gated,omitempty"`
	Folder    string   `json:"folder,omitempty"` // of the files in the hub's cache; "" = none is there
	Files     []string `json:"files,omitempty"`  // by their names there
	Bytes     int64    `json:"bytes,omitempty"`
	Do        string   `json:"do,omitempty"` // what the user does to get it
	Flag      string   `json:"flag"`         // that a copy of the user's is given with
}

// repoOf is the repository of a part.
func repoOf(n bench.Need) hub.Repo {
	return hub.Repo{Kind: "dataset", Name: n.Dataset, Revision: n.Revision}
}

// Rows lists what a benchmark needs. It makes no request.
func Rows(info bench.Info) ([]row, error) {
	client, err := hub.FromEnv()
	if err != nil {
		return nil, err
	}
	var rows []row
	for _, n := range info.Needs {
		if n.Dataset == "" {
			rows = append(rows, row{Benchmark: info.Name, Part: n.Part, From: cmp.Or(n.Page, elsewhere), Flag: n.Flag, Licence: cmp.Or(n.Licence, notStated), Do: howToGet(info, n)})
			continue
		}
		row := row{Benchmark: info.Name, Part: n.Part, From: hub.DefaultEndpoint + "/datasets/" + n.Dataset, Gated: n.Gated, Flag: n.Flag,
			Revision: cmp.Or(n.Revision, "main"), Licence: cmp.Or(n.Licence, notStated)}
		folder, files, err := client.CachedFiles(repoOf(n))
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			if bench.NeededBy(info.Needs, f) != n.Part {
				continue
			}
			row.Folder, row.Files = folder, append(row.Files, f)
			if stat, err := os.Stat(filepath.Join(folder, filepath.FromSlash(f))); err == nil {
				row.Bytes += stat.Size()
			}
		}
		if len(row.Files) == 0 {
			row.Do = howToGet(info, n)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

const (
	elsewhere    = "its publisher, not the hub" // where to get data whose page is not known
	notStated    = "not stated"                 // the licence of a part whose publisher names none
	networksPart = "networks"                   // of a benchmark that scores by networks
)

// howToGet says what the user does to get a part.
func howToGet(info bench.Info, n bench.Need) string {
	if n.Dataset == "" {
		return fmt.Sprintf("copy %s from %s, and give it with %s", wanted(info, n), cmp.Or(n.Page, elsewhere), n.Flag)
	}
	text := fmt.Sprintf("omniscope data get %s --part %s", info.Name, n.Part)
	if n.Gated {
		text = "accept the conditions on its page, set HF_TOKEN, then " + text
	}
	if n.YouTube {
		text += "; videos that the hub lacks: download them yourself"
	}
	return text
}

// wanted names the files of a part.
func wanted(info bench.Info, n bench.Need) string {
	if n.Names != nil {
		return strings.Join(n.Names, ", ")
	}
	var others []string
	for _, other := range info.Needs {
		if other.Dataset == n.Dataset {
			others = append(others, other.Names...)
		}
	}
	if len(others) == 0 || n.Dataset == "" {
		return "the " + n.Part
	}
	return "all files except README.md and " + strings.Join(others, ", ")
}

// byHand is what to do with files that the user copied.
func byHand(n bench.Need) string {
	if n.Part == "media" {
		return "put them into one folder under the names that they have there, and give the folder with " + n.Flag
	}
	return "put it into any folder, and give it with " + n.Flag
}

// findData returns where the hub's cache has the file of a benchmark: the only one of
// its annotations, or that called name. "" = it is not there, or there are several and
// no name says which.
func findData(info bench.Info, name string) (file string, all []string, err error) {
	client, err := hub.FromEnv()
	if err != nil {
		return "", nil, err
	}
	for _, n := range info.Needs {
		if n.Part != "annotations" || n.Dataset == "" {
			continue
		}
		folder, files, err := client.CachedFiles(repoOf(n))
		if err != nil {
			return "", nil, err
		}
		for _, f := range files {
			if bench.NeededBy(info.Needs, f) != n.Part {
				continue
			}
			all = append(all, path.Base(f))
			if name == "" || name == path.Base(f) {
				file = filepath.Join(folder, filepath.FromSlash(f))
			}
		}
	}
	if name == "" && len(all) > 1 {
		file = ""
	}
	return file, all, nil
}

// Resolve finds the benchmark's file that the user means: the file called data,
// else that of this name in the hub's cache; without a name the only one there, if the
// file is needed. found says that it is the cache's.
func Resolve(info bench.Info, data string, needed bool) (file string, found bool, err error) {
	if data == "" && !needed {
		return "", false, nil
	}
	if data != "" {
		if ondisk.Exists(data) || filepath.Base(data) != data {
			return data, false, nil
		}
	}
	file, all, err := findData(info, data)
	switch {
	case err != nil || file != "":
		return file, file != "", err
	case data != "":
		return data, false, nil // whoever opens it says what is wrong
	case len(all) > 0:
		return "", false, omniscope.Usagef("the hub's cache has several files of %s: name one with --data: %s", info.Name, strings.Join(all, ", "))
	}
	return "", false, omniscope.Usagef("give the benchmark's file with --data FILE, or download it with `omniscope data get %s` (`omniscope data samples %[1]s FILE` shows what it asks)", info.Name)
}
