package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/spf13/pflag"

	"omniscope/metric/neural"
	"omniscope/metric/neural/isa"
	"omniscope/metric/neural/models"
	"omniscope/run"
)

// cometModel is the network of COMET that MCIF scores by, and COMET's default.
const cometModel = "comet/wmt22-comet-da"

func bertScoreModel(lang string) string { return "bert_score/" + lang }

// encoderOptions are the flags of commands that score by encoders.
type encoderOptions struct {
	ModelsDir string
	Threads   int
	NoCache   bool
	CacheDir  string
}

func (o *encoderOptions) addEncoderFlags(f *pflag.FlagSet) {
	f.StringVar(&o.ModelsDir, "models-dir", "", "root of the model folders (default: $"+models.RootEnv+", else in the user's caches);\nsee omniscope models")
	f.IntVar(&o.Threads, "threads", 0, "goroutines that compute BERTScore and COMET at the same time; 0 = one for each processor")
	f.StringVar(&o.CacheDir, "cache-dir", "", "folder that remembers what BERTScore and COMET computed (default: in the user's caches)")
	f.BoolVar(&o.NoCache, "no-cache", false, "remember nothing of what BERTScore and COMET compute, and use nothing remembered")
}

func (o *encoderOptions) checkEncoders() error {
	switch {
	case o.Threads < 0:
		return usagef("--threads must not be negative")
	case o.NoCache && o.CacheDir != "":
		return usagef("give --cache-dir or --no-cache, not both")
	}
	return nil
}

// encoders are the models that a command has opened. Each is opened when it is
// first asked for, and stays open for the texts of other systems.
type encoders struct {
	o        encoderOptions
	root     string
	cache    *neural.Cache // nil = nothing is remembered
	uncached string        // why not, where that was not asked for
	progress *tokenProgress
	under    *progress                    // shows progress in its place, where there is one already
	berts    map[string]*neural.BERTScore // by language
	comet    *neural.COMET
	busy     sync.Mutex // held while one computes
	inUse    bool       // one of them scores the file of outputs at hand
	once     *run.Once  // remembers the scores of that file; nil = nothing does
}

// openEncoders opens no model and no cache yet. Progress goes to errOut.
func (o encoderOptions) openEncoders(errOut io.Writer, quiet bool) (*encoders, error) {
	e := &encoders{o: o, root: o.ModelsDir, progress: &tokenProgress{w: errOut, quiet: quiet}, berts: make(map[string]*neural.BERTScore)}
	var err error
	if e.root == "" {
		e.root, err = models.Root()
	}
	return e, err
}

// options are those of a model; the first one opens the cache. Where the usual
// folder cannot be had, as in many containers, nothing is remembered.
func (e *encoders) options() (neural.Options, error) {
	if e.cache == nil && !e.o.NoCache && e.uncached == "" {
		dir, err := e.o.cacheDir()
		if err == nil {
			e.cache, err = neural.OpenCache(dir)
		}
		if err != nil && e.o.CacheDir != "" {
			return neural.Options{}, fmt.Errorf("--cache-dir: %w", err)
		}
		if err != nil {
			e.cache, e.uncached = nil, fmt.Sprintf("what BERTScore and COMET compute is not remembered (%v): name a folder with --cache-dir", err)
		}
	}
	return neural.Options{Threads: e.o.Threads, Set: isa.Best(), Cache: e.cache, Progress: e.tell}, nil
}

func (o encoderOptions) cacheDir() (string, error) {
	if o.CacheDir != "" {
		return o.CacheDir, nil
	}
	caches, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(caches, "omniscope", "embeddings"), nil
}

// tell hears how many tokens of how many are done.
func (e *encoders) tell(done, total int) {
	if e.under == nil {
		e.progress.tell(done, total)
		return
	}
	e.under.note(fmt.Sprintf("%s: %d of %d tokens", e.progress.what, done, total))
}

// bertScore opens the model of a language. Where it is not installed, the error
// is of kind NotFound and says how to get it.
func (e *encoders) bertScore(lang string) (*neural.BERTScore, error) {
	if b := e.berts[lang]; b != nil {
		return b, nil
	}
	folder, err := models.Find(e.root, bertScoreModel(lang))
	if err != nil {
		return nil, err
	}
	options, err := e.options()
	if err != nil {
		return nil, err
	}
	b, err := neural.OpenBERTScore(folder.Dir, lang, options)
	if err != nil {
		return nil, err
	}
	e.berts[lang] = b
	return b, nil
}

// cometScorer opens COMET's model, as bertScore does.
func (e *encoders) cometScorer() (*neural.COMET, error) {
	if e.comet != nil {
		return e.comet, nil
	}
	folder, err := models.Find(e.root, cometModel)
	if err != nil {
		return nil, err
	}
	options, err := e.options()
	if err != nil {
		return nil, err
	}
	c, err := neural.OpenCOMET(folder.Dir, options)
	if err != nil {
		return nil, err
	}
	e.comet = c
	return c, nil
}

// warnings are those of the cache: what went wrong and harmed no score.
func (e *encoders) warnings() []string {
	switch {
	case e.uncached != "":
		return []string{e.uncached}
	case e.cache == nil:
		return nil
	}
	return e.cache.Warnings()
}

// modelWarnings are those of the models that are open.
func (e *encoders) modelWarnings() []string {
	var out []string
	for _, lang := range slices.Sorted(maps.Keys(e.berts)) {
		out = append(out, e.berts[lang].Warnings()...)
	}
	if e.comet != nil {
		out = append(out, e.comet.Warnings()...)
	}
	slices.Sort(out)
	return slices.Compact(out) // German and Italian share a model
}

func (e *encoders) close() error {
	e.progress.stop()
	var errs []error
	for _, b := range e.berts {
		errs = append(errs, b.Close())
	}
	if e.comet != nil {
		errs = append(errs, e.comet.Close())
	}
	if e.cache != nil {
		errs = append(errs, e.cache.Close())
	}
	return errors.Join(errs...)
}
