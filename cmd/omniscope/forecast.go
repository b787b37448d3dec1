package main

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"

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
	Calls      int      `json:"calls"`             // to be made
	Remembered int      `json:"remembered"`        // answers already in the journal
	TokensIn   int      `json:"tokens_in"`         // estimated at 4 bytes a token
	TokensOut  int      `json:"tokens_out"`        // at most, or 1,024 a call where no limit is set
	CostUSD    *float64 `json:"cost_usd"`          // of these; null when the price is not known
	Further    string   `json:"further,omitempty"` // calls that depend on answers and are not counted
	Warnings   []string `json:"warnings"`

	attempts int // of one question
}

// forecast prints what a run would cost without the answers it remembers. It
// makes no call and writes nothing.
func forecast(cmd *cobra.Command, o *evalOptions, j *judging, ev bench.Evaluation) error {
	doc := forecastDoc{Schema: "omniscope.forecast/1", Benchmark: o.Benchmark, System: ev.Plan().System,
		Judge: o.Judge, Endpoint: j.source, Samples: ev.Plan().Units, Further: ev.Plan().Further, attempts: attemptsOf(j), Warnings: append([]string{}, ev.Plan().Warnings...)}
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
	if o.JSON {
		enc := json.NewEncoder(cmd.OutOrStdout())
		enc.SetIndent("", "  ")
		return enc.Encode(doc)
	}
	return doc.print(cmd, o)
}

func (d *forecastDoc) add(ctx context.Context, ev bench.Evaluation, i int, j *judging, known func(context.Context, run.Key) (bool, error)) error {
	requests, err := ev.Requests(i)
	if err != nil {
		return err
	}
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
			continue
		}
		in, out := wrap.Estimate(req)
		d.Calls++
		d.TokensIn += in
		d.TokensOut += out
	}
	return nil
}

func (d *forecastDoc) print(cmd *cobra.Command, o *evalOptions) error {
	calls, these := fmt.Sprintf("%d (%d more are remembered)", d.Calls, d.Remembered), ""
	if d.Further != "" {
		calls = fmt.Sprintf("%d (%d more are remembered), and then %s", d.Calls, d.Remembered, d.Further)
		these = ", without those that follow"
	}
	cost := "not known: no price for " + o.Judge + " (--prices FILE)"
	switch {
	case d.Calls == 0:
		cost = "nothing"
	case d.CostUSD != nil:
		cost = fmt.Sprintf("at most $%.2f", *d.CostUSD)
	}
	_, err := fmt.Fprintf(cmd.OutOrStdout(), `%s, %s: %d samples, judged by %s %s
calls to make  %s
tokens in      about %d (4 bytes a token)%s
tokens out     at most %d%[8]s
cost           %[10]s%[8]s
A reply that cannot be used is asked for again, up to %[11]s in all. Nothing was spent.
`, d.Benchmark, d.System, d.Samples, d.Judge, d.Endpoint, calls, d.TokensIn, these, d.TokensOut, cost, askings(d.attempts))
	for _, w := range d.Warnings {
		fmt.Fprintln(cmd.OutOrStdout(), "warning:", w)
	}
	return err
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
