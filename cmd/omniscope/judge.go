package main

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"

	"omniscope"
	"omniscope/bench"
	"omniscope/catalog"
	"omniscope/judge"
	"omniscope/model"
	"omniscope/model/openai"
	"omniscope/model/scripted"
	"omniscope/model/wrap"
	"omniscope/run"
)

// A bench judge, and what shapes and observes its calls.
type judging struct {
	judge   *judge.Judge // nil = the offline reader
	source  string       // the endpoint's address, or the script's digest
	at      *endpoint    // nil = none, such as a script
	limiter *wrap.Limiter
	reach   *model.Reach
	tally   *wrap.Meter
	price   *wrap.Price
	budget  *wrap.Budget
	inner   model.Model // the bare provider; see connect
	name    string
	local   bool
	byStep  bool // equal questions of two steps may have two answers, as in a script
}

// newJudging makes the judge that the options ask for. It contacts nobody and
// its model answers nothing before connect.
func newJudging(ctx context.Context, o *evalOptions) (*judging, error) {
	provider, name, err := catalog.SplitModel(o.Judge)
	if err != nil {
		return nil, err
	}
	j := &judging{tally: &wrap.Meter{}, name: o.Judge, local: provider.Local}
	if provider.Name == "offline" {
		return j, nil
	}
	if err := j.setJudge(o, name); err != nil {
		return nil, err
	}
	if err := j.setPrice(ctx, o); err != nil {
		return nil, err
	}
	if provider.Name == "scripted" {
		return j, j.openScript(ctx, name)
	}
	return j, j.openEndpoint(provider, o)
}

// setJudge makes the judge, whose model is called name at its endpoint.
func (j *judging) setJudge(o *evalOptions, name string) error {
	j.judge = &judge.Judge{Name: o.Judge, Request: name, Attempts: o.JudgeAttempts}
	if o.Profile == bench.Official.String() {
		b, err := catalog.Benchmark(o.Benchmark)
		if err != nil {
			return err
		}
		j.judge.Attempts = b.Info().Asking.OfficialAttempts
	}
	if o.JudgeTemperature >= 0 {
		j.judge.Params.Temperature = &o.JudgeTemperature
	}
	j.judge.Params.MaxTokens = o.JudgeMaxTokens
	if o.JudgeExtra == "" {
		return nil
	}
	return json.Unmarshal([]byte(o.JudgeExtra), &j.judge.Params.Extra)
}

func (j *judging) setPrice(ctx context.Context, o *evalOptions) error {
	prices, err := catalog.Prices(ctx, o.Prices)
	if err != nil {
		return err
	}
	if p, ok := prices[o.Judge]; ok {
		j.price = &p
	}
	if o.MaxCost > 0 && j.price == nil {
		return usagef("--max-cost needs the price of %s: give it with --prices FILE, a line such as `%s: {in: 2.50, out: 10.00}`%s", o.Judge, o.Judge, catalog.NearPriced(o.Judge, prices))
	}
	if j.budget = o.budget; j.budget == nil {
		j.budget = &wrap.Budget{MaxUSD: o.MaxCost, MaxTokens: o.MaxTokens, MaxCalls: o.MaxCalls}
	}
	return nil
}

// openScript reads a script. Its digest is its source: answers remembered from
// another version of the file are not reused.
func (j *judging) openScript(ctx context.Context, path string) error {
	script, err := scripted.Load(ctx, path)
	if err != nil {
		return err
	}
	j.byStep = true
	j.inner, j.source = script, "script sha256:"+script.Digest()
	return nil
}

func (j *judging) openEndpoint(p catalog.Provider, o *evalOptions) error {
	flag := o.addressFlag
	if flag == "" {
		flag = judgeAddress
	}
	e := resolveEndpoint(p, flag, o.JudgeBaseURL, flagSource(o.flags, flag))
	if err := e.check(); err != nil {
		return err
	}
	m, err := openai.New(openai.Options{BaseURL: e.url, Key: e.key, Timeout: o.Timeout, Conns: o.MaxConcurrency})
	if err != nil {
		return err
	}
	if !o.DryRun && !e.key.IsSet() && e.url == p.BaseURL && p.Name != "vllm" {
		return &omniscope.Error{Kind: omniscope.Denied, Err: fmt.Errorf("no key for %s: set %s, or give another address with --%s (`omniscope doctor` shows what will be used)", p.Name, p.KeyEnv[0], flag)}
	}
	j.inner, j.source, j.at = m, m.BaseURL(), &e
	j.limiter = wrap.NewLimiter(o.MaxConcurrency)
	j.reach = o.reaches.of(j.source, o.EndpointWait)
	return nil
}

// watchedBy counts the judge's first answers. Those of a script cost nothing.
func (j *judging) watchedBy(w *watch) (err error) {
	if !j.local {
		j.judge.Streak, err = w.start()
	}
	return err
}

// maxTokensFlag is the flag that bounds a judge's answers, as it is set.
func maxTokensFlag(o *evalOptions) string {
	if o.JudgeMaxTokens == 0 {
		return "--judge-max-tokens (the model's own limit, as it is not set)"
	}
	return fmt.Sprintf("--judge-max-tokens (now %d)", o.JudgeMaxTokens)
}

// connect stacks the wrappers around the provider, on the run's journal.
func (j *judging) connect(o *evalOptions, journal run.Journal) {
	if j.judge == nil {
		return
	}
	options := wrap.Options{
		Name: j.name, Source: j.source, ByStep: j.byStep, Limiter: j.limiter, Reach: j.reach, Budget: j.budget, Price: j.price, Meter: j.tally,
		Once: &run.Once{Journal: journal, AnySource: o.AnyEndpoint},
	}
	if !j.local {
		options.Retry = &wrap.Policy{Tries: o.MaxRetries + 1, Base: o.RetryWait}
	}
	j.judge.Model = wrap.Stack(j.inner, options)
}

// explain adds to a refusal who refused, and which key was shown.
func (j *judging) explain(err error) error {
	if omniscope.KindOf(err) != omniscope.Denied || j.local {
		return err
	}
	key := "without a key"
	if j.at != nil && j.at.key.IsSet() {
		key = "with the key from " + j.at.keyFrom.String()
	}
	return &omniscope.Error{Kind: omniscope.Denied, Op: fmt.Sprintf("judge %s at %s, %s", j.name, j.source, key), Err: err}
}

// announcement says whom the judge or model will ask and with whose key; nothing
// where that costs nothing.
func (j *judging) announcement(role string) []string {
	if j.at == nil {
		return nil
	}
	return j.at.announcement(role + " " + j.name)
}

// workers is how many samples are worked on at a time: more than calls are
// allowed, since an answer that is on its way to the disk holds no place at
// the endpoint. Samples that ask several questions at a time are fewer; each
// can be down to its last ones.
func (j *judging) workers(o *evalOptions, asking bench.Asking) int {
	if j.judge == nil {
		return runtime.NumCPU()
	}
	return (o.MaxConcurrency+o.MaxConcurrency/8)/max(1, asking.AtOnce/2) + 32
}
