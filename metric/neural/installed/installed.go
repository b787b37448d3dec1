// Package installed opens the networks of BERTScore and COMET that are installed
// on this machine, each once, with one cache of what they compute. What is scored
// by them is not known here; package models gets and installs networks.
package installed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"omniscope"
	"omniscope/internal/ondisk"
	"omniscope/internal/spelling"
	"omniscope/metric/neural"
	"omniscope/metric/neural/isa"
	"omniscope/metric/neural/models"
	"omniscope/metric/remember"
)

// COMET is the network of COMET that is used where none is named.
const COMET = "comet/wmt22-comet-da"

// BERTScore is the network of BERTScore for a language.
func BERTScore(lang string) string { return "bert_score/" + lang }

// Options say where networks are and how they compute. None of it shapes a score.
type Options struct {
	Root     string // of the model folders; "" = the usual one
	Threads  int    // goroutines at the same time; 0 = one for each processor
	CacheDir string // of what was computed; "" = in the user's caches
	NoCache  bool   // nothing is remembered, and nothing remembered is used

	// Progress is called with the number of tokens that a network has encoded, of how
	// many; it may be nil.
	Progress func(network string, done, total int)
}

// Check checks the options, in the words of the flags.
func (o Options) Check() error {
	switch {
	case o.Threads < 0:
		return omniscope.Usagef("--threads must not be negative")
	case o.NoCache && o.CacheDir != "":
		return omniscope.Usagef("give --cache-dir or --no-cache, not both")
	}
	return nil
}

// Networks are the networks that were asked for. A network is opened when it is
// first asked for, and stays open. They are safe for concurrent use.
type Networks struct {
	o    Options
	root string

	computing sync.Mutex // held while one computes: each uses all threads

	mu       sync.Mutex
	cache    *neural.Cache // nil = nothing is remembered
	uncached string        // why not, where that was not asked for
	berts    map[string]*neural.BERTScore
	comets   map[string]*neural.COMET
}

// Open opens no network and no cache yet.
func Open(o Options) (*Networks, error) {
	n := &Networks{o: o, root: o.Root, berts: make(map[string]*neural.BERTScore), comets: make(map[string]*neural.COMET)}
	var err error
	if n.root == "" {
		n.root, err = models.Root()
	}
	return n, err
}

// BERTScore opens the network of a language. model is its name or its folder; "" =
// the usual one. Where it is not installed, the error is of kind NotFound and says
// how to get it.
func (n *Networks) BERTScore(model, lang string) (*neural.BERTScore, error) {
	model = cmp.Or(model, BERTScore(lang))
	return opened(n, n.berts, model+"\x00"+lang, model, func(folder string, o neural.Options) (*neural.BERTScore, error) {
		return neural.OpenBERTScore(folder, lang, o)
	})
}

// COMET opens a network of COMET, as BERTScore does.
func (n *Networks) COMET(model string) (*neural.COMET, error) {
	model = cmp.Or(model, COMET)
	return opened(n, n.comets, model, model, neural.OpenCOMET)
}

// opened returns the network that is open under a key, or opens it.
func opened[N any](n *Networks, known map[string]N, key, model string, open func(string, neural.Options) (N, error)) (network N, err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if network, ok := known[key]; ok {
		return network, nil
	}
	folder, err := n.folder(model)
	if err != nil {
		return network, err
	}
	options, err := n.options(model)
	if err != nil {
		return network, err
	}
	if network, err = open(folder, options); err == nil {
		known[key] = network
	}
	return network, err
}

// Matches scores pairs by a network of BERTScore. A journal can remember them.
func (n *Networks) Matches(b *neural.BERTScore) (*remember.Scorer[neural.Match], error) {
	signature, err := b.Signature("")
	if err != nil {
		return nil, err
	}
	return scorer(n, signature, b.Identity, func(ctx context.Context, texts [][]string) ([]neural.Match, error) {
		return b.Match(ctx, texts[0], texts[1])
	})
}

// Scores scores triples by a network of COMET. A journal can remember them.
func (n *Networks) Scores(c *neural.COMET) (*remember.Scorer[float64], error) {
	signature, err := c.Signature()
	if err != nil {
		return nil, err
	}
	return scorer(n, signature, c.Identity, func(ctx context.Context, texts [][]string) ([]float64, error) {
		return c.Score(ctx, texts[0], texts[1], texts[2])
	})
}

// scorer scores rows of texts, given as columns. The signature begins with the
// metric and its version.
func scorer[V any](n *Networks, signature string, identity func() (string, error), score func(context.Context, [][]string) ([]V, error)) (*remember.Scorer[V], error) {
	id, err := identity()
	if err != nil {
		return nil, err
	}
	source, _, _ := strings.Cut(signature, "|")
	return &remember.Scorer[V]{Source: source, Identity: id, Score: func(ctx context.Context, texts [][]string) ([]V, error) {
		n.computing.Lock()
		defer n.computing.Unlock()
		return score(ctx, texts)
	}}, nil
}

// folder returns the folder of a network, given by its name or as a folder.
func (n *Networks) folder(model string) (string, error) {
	if _, known := models.Lookup(model); known {
		found, err := models.Find(n.root, model)
		return found.Dir, err
	}
	if !ondisk.IsFolder(model) {
		return "", omniscope.Usagef("--model %s is neither a folder nor a model%s: %s", model, spelling.Among(model, models.Names()), strings.Join(models.Names(), ", "))
	}
	return model, nil
}

// options are those of a network; the first one opens the cache. Where the usual
// folder cannot be had, as in many containers, nothing is remembered.
func (n *Networks) options(model string) (neural.Options, error) {
	if n.cache == nil && !n.o.NoCache && n.uncached == "" {
		dir, err := n.cacheDir()
		if err == nil {
			n.cache, err = neural.OpenCache(dir)
		}
		if err != nil && n.o.CacheDir != "" {
			return neural.Options{}, fmt.Errorf("--cache-dir: %w", err)
		}
		if err != nil {
			n.cache, n.uncached = nil, fmt.Sprintf("what BERTScore and COMET compute is not remembered (%v): name a folder with --cache-dir", err)
		}
	}
	options := neural.Options{Threads: n.o.Threads, Set: isa.Best(), Cache: n.cache}
	if tell := n.o.Progress; tell != nil {
		options.Progress = func(done, total int) { tell(model, done, total) }
	}
	return options, nil
}

// Arithmetic names the instructions by which networks compute on this machine. Their last
// bits depend on it.
func Arithmetic() string { return isa.Best().String() }

// Names lists the networks that are installed.
func (n *Networks) Names() (names []string) {
	for _, m := range models.List(n.root) {
		if m.There {
			names = append(names, m.Model.Name)
		}
	}
	return names
}

func (n *Networks) cacheDir() (string, error) {
	if n.o.CacheDir != "" {
		return n.o.CacheDir, nil
	}
	caches, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(caches, "omniscope", "embeddings"), nil
}

// Install is the command that gets a network.
func (n *Networks) Install(model string) string {
	get := "omniscope data get " + model
	if n.o.Root != "" {
		get += " --models-dir " + n.o.Root
	}
	return get
}

// CacheWarnings say what went wrong with the cache and harmed no score.
func (n *Networks) CacheWarnings() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	switch {
	case n.uncached != "":
		return []string{n.uncached}
	case n.cache == nil:
		return nil
	}
	return n.cache.Warnings()
}

// Warnings are those of the networks that are open, each once.
func (n *Networks) Warnings() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	var out []string
	for _, b := range n.berts {
		out = append(out, b.Warnings()...)
	}
	for _, c := range n.comets {
		out = append(out, c.Warnings()...)
	}
	slices.Sort(out)
	return slices.Compact(out) // German and Italian share a model
}

// Close closes all networks, and the cache.
func (n *Networks) Close() error {
	var err error
	for _, b := range n.berts {
		err = errors.Join(err, b.Close())
	}
	for _, c := range n.comets {
		err = errors.Join(err, c.Close())
	}
	if n.cache != nil {
		err = errors.Join(err, n.cache.Close())
	}
	n.cache = nil
	clear(n.berts)
	clear(n.comets)
	return err
}
