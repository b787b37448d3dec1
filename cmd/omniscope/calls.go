package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"omniscope/model/wrap"
	"omniscope/run"
)

// What budgets count, the same for every command that calls models.
const (
	maxCostHelp   = "most US dollars this command may spend, on answers and on tries that brought nothing usable but may be\ncharged (unreadable answers, time-outs); it stops resumably (exit 4). 0 = no limit"
	maxTokensHelp = "most tokens, in and out, this command may use, counted likewise; 0 = no limit"
	maxCallsHelp  = "most calls of models this command may have to pay for: answers, and tries that brought nothing usable but\nmay be charged; refused ones (429, other 4xx, no connection) do not count. 0 = no limit"
)

// callOptions say how models are called by a command that has several.
type callOptions struct {
	BaseURL        string
	WorkDir        string
	MaxConcurrency int
	MaxRetries     int
	RetryWait      time.Duration
	Timeout        time.Duration
	EndpointWait   time.Duration
	MaxCost        float64
	MaxTokens      int
	MaxCalls       int
	Prices         string
	StopUnusable   int
	AnyEndpoint    bool
	Fresh          bool
	AskDamaged     bool

	oldMaxCalls int // by the flag's old name
	flags       *pflag.FlagSet
}

// renameFlags takes the budget of calls by its old name.
func (o *callOptions) renameFlags(f *pflag.FlagSet, warn io.Writer) error {
	if !f.Changed("max-model-calls") {
		return nil
	}
	if f.Changed("max-calls") {
		return usagef("--max-model-calls is the old name of --max-calls: give one of them")
	}
	o.MaxCalls = o.oldMaxCalls
	fmt.Fprintln(warn, "warning: --max-model-calls is called --max-calls now")
	return nil
}

func (o *callOptions) addFlags(f *pflag.FlagSet) {
	o.flags = f
	f.StringVar(&o.BaseURL, "model-base-url", "", "address of the models, such as http://localhost:8000/v1 (default: from the environment)")
	f.StringVar(&o.WorkDir, "work-dir", "omniscope-work", "folder of the journal and the results")
	f.IntVar(&o.MaxConcurrency, "max-concurrency", 16, "most calls of one model at a time; fewer while the endpoint complains")
	f.IntVar(&o.MaxRetries, "max-retries", 9, "further tries of a call that fails for a passing reason")
	f.DurationVar(&o.RetryWait, "retry-wait", 0, "wait before the second try, doubled for each further; 0 = half a second")
	f.MarkHidden("retry-wait")
	f.DurationVar(&o.Timeout, "timeout", 5*time.Minute, "longest wait for one try")
	f.DurationVar(&o.EndpointWait, endpointWait, 0, endpointWaitHelp)
	f.Float64Var(&o.MaxCost, "max-cost", 0, maxCostHelp)
	f.IntVar(&o.MaxTokens, "max-tokens", 0, maxTokensHelp)
	f.IntVar(&o.MaxCalls, "max-calls", 0, maxCallsHelp)
	f.IntVar(&o.oldMaxCalls, "max-model-calls", 0, "the old name of --max-calls")
	f.MarkHidden("max-model-calls")
	f.StringVar(&o.Prices, "prices", "", "YAML file of prices: PROVIDER/NAME: {in: USD, out: USD} per million tokens")
	addStopAfterUnusable(f, &o.StopUnusable)
	f.BoolVar(&o.AnyEndpoint, "any-endpoint", false, "reuse answers of the same model from any address, such as a cluster that moved")
	addFreshFlags(f, &o.Fresh, &o.AskDamaged)
}

func addFreshFlags(f *pflag.FlagSet, fresh, askDamaged *bool) {
	f.BoolVar(fresh, "fresh", false, "ask again what was answered before this run; interrupted, the same command goes on, and\nonce it has come to its end it starts anew")
	f.BoolVar(askDamaged, "ask-damaged", false, "ask again where a remembered answer was changed after it was written, which else stops the run")
}

func (o *callOptions) check() error {
	switch {
	case o.MaxConcurrency < 1:
		return usagef("--max-concurrency must be at least 1")
	case o.MaxRetries < 0 || o.MaxTokens < 0 || o.MaxCalls < 0 || !(o.MaxCost >= 0 && o.MaxCost <= 1e9):
		return usagef("--max-retries, --max-cost, --max-tokens and --max-calls must not be negative")
	case o.Timeout <= 0 || o.RetryWait < 0:
		return usagef("--timeout must be more than 0, such as 90s")
	case o.EndpointWait < 0 || o.StopUnusable < 0:
		return usagef("--endpoint-wait and --stop-after-unusable must not be negative")
	}
	return nil
}

// calls are the models of one command, on one journal and one budget.
type calls struct {
	o       *callOptions
	run     string // its name
	budget  *wrap.Budget
	reaches reaches
	journal *runJournal
	models  []*judging
	watches []*watch
	asked   []string // whom the command will ask, for people
}

// openCalls opens the journal of a run. What the run asks is remembered there,
// whichever model it asks.
func openCalls(ctx context.Context, o *callOptions, name, manifest string, errOut io.Writer) (*calls, error) {
	journal, err := openRunJournal(ctx, journalOptions{WorkDir: o.WorkDir, Fresh: o.Fresh, AskDamaged: o.AskDamaged,
		InFlight: 2 * o.MaxConcurrency, ErrOut: errOut}, name, manifest)
	if err != nil {
		return nil, err
	}
	return &calls{o: o, run: name, budget: &wrap.Budget{MaxUSD: o.MaxCost, MaxTokens: o.MaxTokens, MaxCalls: o.MaxCalls}, journal: journal}, nil
}

// once remembers the calls of tools.
func (c *calls) once() *run.Once {
	return &run.Once{Journal: c.journal, AnySource: c.o.AnyEndpoint}
}

// model connects a model by its name, PROVIDER/NAME, for a role in the command.
func (c *calls) model(ctx context.Context, role, spec string, attempts int) (*judging, error) {
	o := &evalOptions{reaches: &c.reaches, Judge: spec, JudgeBaseURL: c.o.BaseURL, addressFlag: modelAddress, flags: c.o.flags, JudgeAttempts: attempts, Profile: "strict",
		MaxConcurrency: c.o.MaxConcurrency, MaxRetries: c.o.MaxRetries, RetryWait: c.o.RetryWait, Timeout: c.o.Timeout, EndpointWait: c.o.EndpointWait,
		MaxCost: c.o.MaxCost, MaxTokens: c.o.MaxTokens, MaxCalls: c.o.MaxCalls, Prices: c.o.Prices, AnyEndpoint: c.o.AnyEndpoint}
	j, err := newJudging(ctx, o)
	if err != nil {
		return nil, err
	}
	if j.judge == nil {
		return nil, usagef("%s is no model: write PROVIDER/NAME (`omniscope list models`)", spec)
	}
	c.asked = append(c.asked, j.announcement("model")...)
	j.budget = c.budget
	w := &watch{limit: c.o.StopUnusable, workDir: c.o.WorkDir, run: c.run, role: role, model: spec, fresh: c.o.Fresh, begun: c.journal.begun}
	if err := j.watchedBy(w); err != nil {
		return nil, err
	}
	c.watches = append(c.watches, w)
	j.connect(o, c.journal)
	c.models = append(c.models, j)
	return j, nil
}

// announce says, before anything is paid for, whom the command will ask and
// with whose keys.
func (c *calls) announce(w io.Writer) {
	for _, line := range firstOfEach(c.asked) {
		fmt.Fprintln(w, line)
	}
}

func firstOfEach(list []string) (out []string) {
	for _, s := range list {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// Close closes the journal.
func (c *calls) Close() error {
	var err error
	for _, w := range c.watches {
		err = errors.Join(err, w.end())
	}
	return errors.Join(err, c.journal.Close())
}
