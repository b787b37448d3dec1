// Package benchdata finds, downloads and checks the published data of benchmarks.
package benchdata

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/hub"
	"omniscope/internal/ondisk"
)

// A Row says of one part of a benchmark's data where it comes from and whether
// it is here.
type Row struct {
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
func Rows(info bench.Info) ([]Row, error) {
	client, err := hub.FromEnv()
	if err != nil {
		return nil, err
	}
	var rows []Row
	for _, n := range info.Needs {
		if n.Dataset == "" {
			rows = append(rows, Row{Benchmark: info.Name, Part: n.Part, From: cmp.Or(n.Page, elsewhere), Flag: n.Flag, Licence: cmp.Or(n.Licence, "not stated"), Do: howToGet(info, n)})
			continue
		}
		row := Row{Benchmark: info.Name, Part: n.Part, From: hub.DefaultEndpoint + "/datasets/" + n.Dataset, Gated: n.Gated, Flag: n.Flag,
			Revision: cmp.Or(n.Revision, "main"), Licence: cmp.Or(n.Licence, "not stated")}
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

// elsewhere says where to get data whose page is not known.
const elsewhere = "its publisher, not the hub"

// howToGet says what the user does to get a part.
func howToGet(info bench.Info, n bench.Need) string {
	if n.Dataset == "" {
		return fmt.Sprintf("get it from %s, and give it with %s", cmp.Or(n.Page, elsewhere), n.Flag)
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

// Options are the settings of a download.
type Options struct {
	Part     string // annotations, media or references; "" = all
	DryRun   bool   // list the files and download none
	Progress func(file string, done, total int64)
	Plan     func(part string, files []hub.Listed, bytes int64) // called for each part, before it is downloaded
	Got      func(path string, warnings []string)               // called for each file that is there
}

// Get downloads what a benchmark needs. A file that cannot be downloaded does not
// stop the others; the error names each.
func Get(ctx context.Context, info bench.Info, g *Options) error {
	if err := checkPart(info, g.Part); err != nil {
		return err
	}
	client, warning, err := Hub()
	if err != nil {
		return err
	}
	if warning != "" {
		g.Got("", []string{warning})
	}
	client.Progress = g.Progress
	var errs []error
	for _, n := range info.Needs {
		if g.Part != "" && n.Part != g.Part {
			continue
		}
		client.ByHand = "give a copy of yours with " + n.Flag
		if err := getPart(ctx, client, info, n, g); ctx.Err() != nil {
			return ctx.Err()
		} else if err != nil {
			errs = append(errs, fmt.Errorf("%s of %s: %w", n.Part, info.Name, err))
		}
	}
	return errors.Join(errs...)
}

func checkPart(info bench.Info, part string) error {
	var parts []string
	for _, n := range info.Needs {
		parts = append(parts, n.Part)
	}
	if part != "" && !slices.Contains(parts, part) {
		return omniscope.Usagef("--part %s: %s has %s", part, info.Name, strings.Join(parts, ", "))
	}
	return nil
}

// getPart downloads the files of a part, all at the commit that the revision has now.
func getPart(ctx context.Context, client *hub.Client, info bench.Info, n bench.Need, g *Options) error {
	if n.Dataset == "" {
		return &omniscope.Error{Kind: omniscope.NotFound, Err: errors.New(howToGet(info, n))}
	}
	commit, all, err := client.List(ctx, repoOf(n))
	if err != nil {
		return err
	}
	files := slices.DeleteFunc(all, func(f hub.Listed) bool { return bench.NeededBy(info.Needs, f.Path) != n.Part })
	if len(files) == 0 {
		return omniscope.NotFoundf("the data set %s has no such file at commit %.12s: get it elsewhere and give it with %s", n.Dataset, commit, n.Flag)
	}
	var bytes int64
	for _, f := range files {
		bytes += max(f.Size, 0)
	}
	if g.Plan(n.Part, files, bytes); g.DryRun {
		return nil
	}
	repo := repoOf(n) // the first by its revision, which the cache then knows
	var errs []error
	for _, f := range files {
		local, err := client.File(ctx, repo, f.Path)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		repo.Revision = local.Commit
		g.Got(local.Path, local.Warnings)
	}
	return errors.Join(errs...)
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
