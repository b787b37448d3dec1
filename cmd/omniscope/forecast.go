package main

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"omniscope/bench"
	"omniscope/model/wrap"
	"omniscope/run"
	"omniscope/store"
)

// A cost forecast, before anything is spent.
type forecastDoc struct {
	Schema     string   `json:"schema"`
	Benchmark  string   `json:"benchmark"`
	System     string   `json:"system"`
	Judge      string   `json:"judge"`
	Endpoint   string   `json:"endpoint"`
	Samples    int      `json:"samples"`
	Calls      int      `json:"calls"`      // to be made
	Remembered int      `json:"remembered"` // answers already in the journal
	TokensIn   int      `json:"tokens_in"`  // estimated at 4 bytes a token
	TokensOut  int      `json:"tokens_out"` // the limit of each answer, or 1,024 where none is set
	CostUSD    *float64 `json:"cost_usd"`   // of these, one asking of each question; null when the price is not known
	// At most, with all askings, tries and further calls; null = there is no bound.
	CallsAtMost     int      `json:"calls_at_most"`
	TokensInAtMost  *int     `json:"tokens_in_at_most"`
	TokensOutAtMost *int     `json:"tokens_out_at_most"`
	CostAtMostUSD   *float64 `json:"cost_at_most_usd"`
	Further         string   `json:"further,omitempty"` // calls that depend on answers and are not counted
	Warnings        []string `json:"warnings"`

	most  most
	limit int // of an answer in tokens, as it is set
}

// forecast prints what a run would cost without the answers it remembers. It
// makes no call and writes nothing.
func forecast(cmd *cobra.Command, o *evalOptions, j *judging, ev bench.Evaluation) error {
	doc := forecastDoc{Schema: "omniscope.forecast/1", Benchmark: o.Benchmark, System: ev.Plan().System,
		Judge: o.Judge, Endpoint: j.source, Samples: ev.Plan().Units, Further: ev.Plan().Further, limit: o.JudgeMaxTokens, most: mostOf(o, j), Warnings: append([]string{}, ev.Plan().Warnings...)}
	known, closeStore, err := rememberedKeys(cmd.Context(), o, j, runName(o, j, ev.Plan()))
	if err != nil {
		return err
	}
	defer closeStore()
	for i := range ev.Plan().Units {
		if err := cmd.Context().Err(); err != nil {
			return err
		}
		if err := doc.add(cmd.Context(), ev, i, j, known); err != nil {
			return err
		}
	}
	if j.price != nil {
		cost := j.price.Cost(doc.TokensIn, doc.TokensOut)
		doc.CostUSD = &cost
	}
	doc.bound(j.price)
	if o.JSON {
		enc := json.NewEncoder(documentOut(cmd))
		enc.SetIndent("", "  ")
		return enc.Encode(doc)
	}
	return doc.print(cmd, o)
}

func mostOf(o *evalOptions, j *judging) most {
	m := most{attempts: attemptsOf(j), tries: 1}
	if !j.local {
		m.tries += o.MaxRetries
	}
	return m
}

// bound fills in what the run takes at most.
func (d *forecastDoc) bound(price *wrap.Price) {
	m := d.most
	d.CallsAtMost = m.calls
	d.TokensInAtMost, d.TokensOutAtMost = bounded(m.tokensIn, m.unboundedIn), bounded(m.tokensOut, m.unboundedOut)
	if price != nil && !m.unboundedIn && !m.unboundedOut {
		cost := price.Cost(m.tokensIn, m.tokensOut)
		d.CostAtMostUSD = &cost
	}
}

func (d *forecastDoc) add(ctx context.Context, ev bench.Evaluation, i int, j *judging, known func(context.Context, run.Key) (bool, error)) error {
	requests, err := ev.Requests(i)
	if err != nil {
		return err
	}
	var bound bench.Bound
	if b, ok := ev.(bench.Bounder); ok {
		if bound, err = b.Bound(i); err != nil {
			return err
		}
	}
	d.most.follow(bound)
	for _, req := range requests {
		_, key, err := wrap.Canonical(wrap.KeyName(j.name, j.byStep, req), req)
		if err != nil {
			return err
		}
		remembered, err := known(ctx, key)
		if err != nil {
			return err
		}
		if remembered {
			d.Remembered++
			d.most.add(req, bound, 1) // what is remembered may be of no use
			continue
		}
		in, out := wrap.Estimate(req)
		d.most.add(req, bound, 0)
		d.Calls++
		d.TokensIn += in
		d.TokensOut += out
	}
	return nil
}

func (d *forecastDoc) print(cmd *cobra.Command, o *evalOptions) error {
	further := ""
	if d.Further != "" {
		further = ", and then " + d.Further
	}
	length := fmt.Sprintf("answers as long as --judge-max-tokens %d allows", d.limit)
	if d.limit == 0 {
		length = "1024 tokens an answer, as --judge-max-tokens is not set"
	}
	_, err := fmt.Fprintf(cmd.OutOrStdout(), `%s, %s: %d samples, judged by %s
calls to make  %d (%d more are remembered)%s; at most %d
tokens in      about %d; %s
tokens out     about %d; %s
cost           %s
Expected is one asking of each question, without what follows on the answers: 4 bytes a token in,
%s.
At most is %s of each question, %s, all that may follow,
a token for each byte of UTF-8 in and 64 around each message. --max-cost stops earlier. Nothing was spent.
`, d.Benchmark, d.System, d.Samples, strings.TrimSpace(d.Judge+" "+d.Endpoint), d.Calls, d.Remembered, further, d.CallsAtMost,
		d.TokensIn, inWords(d.TokensInAtMost), d.TokensOut, inWords(d.TokensOutAtMost), d.cost(o), length, askings(d.most.attempts), triesToPay(d.most.tries))
	for _, w := range d.Warnings {
		fmt.Fprintln(cmd.OutOrStdout(), "warning:", w)
	}
	return err
}

// cost is the price in words.
func (d *forecastDoc) cost(o *evalOptions) string {
	atMost := "no bound without --judge-max-tokens"
	if d.CostAtMostUSD != nil {
		atMost = fmt.Sprintf("at most $%.2f", *d.CostAtMostUSD)
	}
	switch {
	case d.CallsAtMost == 0:
		return "nothing"
	case d.Calls == 0 && d.CostUSD == nil:
		return "nothing expected, unless what is remembered cannot be used"
	case d.CostUSD == nil:
		return "not known: no price for " + o.Judge + " (--prices FILE)"
	case d.Calls == 0:
		return "nothing expected; " + atMost + " where what is remembered cannot be used"
	}
	return fmt.Sprintf("expected $%.2f; %s", *d.CostUSD, atMost)
}

func attemptsOf(j *judging) int {
	if j.judge == nil {
		return 1
	}
	return max(1, j.judge.Attempts)
}

func askings(n int) string {
	if n == 1 {
		return "one asking"
	}
	return fmt.Sprintf("%d askings", n)
}

func triesToPay(n int) string {
	if n == 1 {
		return "one try of each"
	}
	return fmt.Sprintf("%d tries of each that may all have to be paid", n)
}

// rememberedKeys tells which calls the journal can answer, without making a
// journal where there is none.
func rememberedKeys(ctx context.Context, o *evalOptions, j *judging, name string) (known func(context.Context, run.Key) (bool, error), closeStore func() error, err error) {
	dir := filepath.Join(o.WorkDir, "journal")
	nothing := func(context.Context, run.Key) (bool, error) { return false, nil }
	if j.judge == nil || !store.Exists(dir) {
		return nothing, func() error { return nil }, nil
	}
	s, err := store.Open(dir)
	if err != nil {
		return nil, nil, err
	}
	source := j.source
	if o.AnyEndpoint {
		source = ""
	}
	return func(ctx context.Context, key run.Key) (bool, error) {
		if o.Fresh {
			return s.HasFresh(ctx, name, key, source)
		}
		return s.Has(ctx, key, source)
	}, s.Close, nil
}
