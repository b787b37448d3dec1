package benchdata

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/hub"
	"omniscope/internal/version"
	"omniscope/metric/neural/models"
	"omniscope/perceive/speech"
	"omniscope/session/catalog"
)

// Options are the settings of a download.
type Options struct {
	Part     string // of a benchmark: annotations, media, references or networks; "" = all
	Networks string // folder of networks; "" = the usual one
	DryRun   bool   // list the files and download none
	Progress func(file string, done, total int64)
	Plan     func(part string, files []hub.Listed, bytes int64) // called for each part or network, before it is downloaded
	Got      func(path string, warnings []string)               // called for each file or network that is there
}

// Get downloads the named data. A file that cannot be downloaded does not stop the others; the error names each.
func Get(ctx context.Context, names []dataName, g *Options) error {
	var errs []error
	for _, n := range names {
		var err error
		switch n.Kind {
		case Benchmark:
			var b bench.Benchmark
			if b, err = catalog.Benchmark(n.Name); err == nil {
				err = getBenchmark(ctx, b.Info(), g)
			}
		case network:
			err = getNetwork(ctx, n.Name, g)
		case pack:
			err = getPack(ctx, g)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// getBenchmark downloads the parts of a benchmark.
func getBenchmark(ctx context.Context, info bench.Info, g *Options) error {
	if err := checkPart(info, g.Part); err != nil {
		return err
	}
	client, err := openHub(g)
	if err != nil {
		return err
	}
	client.Progress = g.Progress
	var errs []error
	for _, n := range info.Needs {
		if g.Part != "" && n.Part != g.Part {
			continue
		}
		client.Wanted, client.ByHand = wanted(info, n), byHand(n)
		if err := getPart(ctx, client, info, n, g); ctx.Err() != nil {
			return ctx.Err()
		} else if err != nil {
			errs = append(errs, fmt.Errorf("%s of %s: %w", n.Part, info.Name, err))
		}
	}
	if info.Networks && (g.Part == "" || g.Part == networksPart) {
		for _, name := range models.Names() {
			errs = append(errs, getNetwork(ctx, name, g))
		}
	}
	return errors.Join(errs...)
}

// openHub opens the hub, and reports a warning about its token.
func openHub(g *Options) (*hub.Client, error) {
	client, warning, err := hubOfEnvironment()
	if warning != "" && err == nil {
		g.Got("", []string{warning})
	}
	return client, err
}

func checkPart(info bench.Info, part string) error {
	var parts []string
	for _, n := range info.Needs {
		parts = append(parts, n.Part)
	}
	if info.Networks {
		parts = append(parts, networksPart)
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
		return omniscope.NotFoundf("the data set %s has no file %s at commit %.12s: get it elsewhere and give it with %s", n.Dataset, wanted(info, n), commit, n.Flag)
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

// getNetwork downloads a network and makes its folder.
func getNetwork(ctx context.Context, name string, g *Options) error {
	root, err := networkRoot(g.Networks)
	if err != nil {
		return err
	}
	if g.DryRun {
		m, _ := models.Lookup(name)
		var files []hub.Listed
		for _, file := range m.Files() {
			files = append(files, hub.Listed{Path: name + "/" + file, Size: -1})
		}
		g.Plan(name, files, m.Weights)
		return nil
	}
	client, err := openHub(g)
	if err != nil {
		return err
	}
	f, err := models.Get(ctx, client, root, name, networkOptions(g.Progress))
	if err != nil {
		return err
	}
	g.Got(name+": "+f.String(), f.Warnings)
	return nil
}

// getPack installs the speech pack, unless all its files are there unharmed.
func getPack(ctx context.Context, g *Options) error {
	folder := speech.Folder()
	if g.DryRun {
		g.Plan(SpeechPack, nil, packBytes)
		return nil
	}
	if _, err := speech.Open(folder); err != nil {
		if err := speech.Install(ctx, folder, g.Progress); err != nil {
			return err
		}
	}
	g.Got(SpeechPack+": "+folder, nil)
	return nil
}

// networkOptions are the options of long work on networks.
func networkOptions(progress func(what string, done, total int64)) models.Options {
	return models.Options{By: "omniscope " + version.Program(), Progress: progress}
}

// Remove deletes the named data: a network's folder, or the files of a benchmark in the hub's cache. It returns how many
// bytes of each are free again.
func Remove(ctx context.Context, n dataName, root string) (int64, error) {
	switch n.Kind {
	case network:
		root, err := networkRoot(root)
		if err != nil {
			return 0, err
		}
		f, _ := models.Find(root, n.Name)
		return f.Info.Bytes(), models.Remove(ctx, root, n.Name)
	case pack:
		row := speechRow()
		if !row.There {
			return 0, omniscope.NotFoundf("%s", row.Do)
		}
		return speech.Remove(row.Folder)
	}
	return removeBenchmark(n.Name)
}

// removeBenchmark deletes the files of a benchmark from the hub's cache.
func removeBenchmark(name string) (bytes int64, err error) {
	b, err := catalog.Benchmark(name)
	if err != nil {
		return 0, err
	}
	client, err := hub.FromEnv()
	if err != nil {
		return 0, err
	}
	info, files := b.Info(), 0
	for _, n := range info.Needs {
		if n.Dataset == "" {
			continue
		}
		removed, freed, err := client.Remove(repoOf(n), func(file string) bool { return bench.NeededBy(info.Needs, file) == n.Part })
		if bytes += freed; err != nil {
			return bytes, err
		}
		files += removed
	}
	if files == 0 {
		return 0, omniscope.NotFoundf("no file of %s is in the hub's cache; `omniscope data list` shows what is here", name)
	}
	return bytes, nil
}
