package measure

import (
	"fmt"
	"slices"
	"strconv"

	"omniscope"
	"omniscope/internal/quantity"
	"omniscope/session/predict"
)

// schema is that of a Forecast.
const schema = "omniscope.run-forecast/1"

// A Forecast is what one or several measurements would take, before anything is asked.
type Forecast struct {
	Schema  string   `json:"schema"`
	Parts   []part   `json:"parts"`   // asking and judging of each run
	Total   part     `json:"total"`   // of all parts
	Assumed []string `json:"assumed"` // what the numbers rest on, in words
	Lacks   []string `json:"lacks"`   // scores that the results will lack, each with the reason
}

// The halves of a run.
const (
	asking  = "ask"
	judging = "judge"
)

// A part is the calls of one half of a run. Null bounds and costs are not known.
type part struct {
	Run             string   `json:"run,omitempty"` // of several
	What            string   `json:"what"`          // ask or judge
	Model           string   `json:"model,omitempty"`
	Endpoint        string   `json:"endpoint,omitempty"`
	Samples         int      `json:"samples"`
	Calls           int      `json:"calls"`
	Remembered      int      `json:"remembered"`
	TokensIn        int      `json:"tokens_in"`
	TokensOut       int      `json:"tokens_out"`
	CostUSD         *float64 `json:"cost_usd"`
	CallsAtMost     *int     `json:"calls_at_most"`
	TokensInAtMost  *int     `json:"tokens_in_at_most"`
	TokensOutAtMost *int     `json:"tokens_out_at_most"`
	CostAtMostUSD   *float64 `json:"cost_at_most_usd"`
}

// NewForecast returns a forecast of no run.
func NewForecast() *Forecast {
	return &Forecast{Schema: schema, Parts: []part{}, Assumed: []string{}, Lacks: []string{}, Total: part{What: "all", CostUSD: new(float64), CallsAtMost: new(int), TokensInAtMost: new(int), TokensOutAtMost: new(int), CostAtMostUSD: new(float64)}}
}

// Add adds the outlook of a run; run is its name, "" where there is one.
func (f *Forecast) Add(run string, o *Outlook) {
	a := o.Asking
	f.add(part{Run: run, What: asking, Model: a.Model, Endpoint: a.Endpoint, Samples: a.Samples, Calls: a.Calls, Remembered: a.Remembered, TokensIn: a.TokensIn, TokensOut: a.TokensOut, CostUSD: a.CostUSD,
		CallsAtMost: a.CallsAtMost, TokensInAtMost: a.TokensInAtMost, TokensOutAtMost: a.TokensOutAtMost, CostAtMostUSD: a.CostAtMostUSD})
	f.assume(a.Assumed...)
	for _, j := range o.Judging {
		p := part{Run: run, What: judging, Model: j.Judge, Endpoint: j.Endpoint, Samples: j.Samples, Calls: j.Calls, Remembered: j.Remembered, TokensIn: j.TokensIn, TokensOut: j.TokensOut, CostUSD: j.CostUSD,
			CallsAtMost: j.CallsAtMost, TokensInAtMost: j.TokensInAtMost, TokensOutAtMost: j.TokensOutAtMost, CostAtMostUSD: j.CostAtMostUSD}
		if a.MaxTokens == 0 { // answers without a limit are quoted
			p.TokensInAtMost, p.CostAtMostUSD = nil, nil
		}
		f.add(p)
		f.assume(fmt.Sprintf("captions or answers of %d tokens, 4 bytes each, in what %s judges", o.tokens, j.Judge))
		if j.MaxTokens == 0 {
			f.assume(fmt.Sprintf("replies of %s of %d tokens: no limit is set, so there is no bound; --judge %[1]s,max-tokens=N sets one", j.Judge, predict.AssumedTokens))
		}
		if j.Further != "" {
			f.assume("not counted as expected: " + j.Further)
		}
	}
	for _, lack := range o.Lacks {
		if !slices.Contains(f.Lacks, lack) {
			f.Lacks = append(f.Lacks, lack)
		}
	}
}

func (f *Forecast) assume(notes ...string) {
	for _, note := range notes {
		if !slices.Contains(f.Assumed, note) {
			f.Assumed = append(f.Assumed, note)
		}
	}
}

// add adds a part to the total. A total of something unknown is not known.
func (f *Forecast) add(p part) {
	f.Parts = append(f.Parts, p)
	t := &f.Total
	t.Samples, t.Calls, t.Remembered = t.Samples+p.Samples, t.Calls+p.Calls, t.Remembered+p.Remembered
	t.TokensIn, t.TokensOut = t.TokensIn+p.TokensIn, t.TokensOut+p.TokensOut
	t.CostUSD, t.CostAtMostUSD = sum(t.CostUSD, p.CostUSD), sum(t.CostAtMostUSD, p.CostAtMostUSD)
	t.CallsAtMost, t.TokensInAtMost, t.TokensOutAtMost = sum(t.CallsAtMost, p.CallsAtMost), sum(t.TokensInAtMost, p.TokensInAtMost), sum(t.TokensOutAtMost, p.TokensOutAtMost)
}

// sum is nil where one of the two is not known.
func sum[T int | float64](a, b *T) *T {
	if a == nil || b == nil {
		return nil
	}
	s := *a + *b
	return &s
}

// Table shows the forecast: for each part what is expected, and below it the bounds.
func (f *Forecast) Table() omniscope.Table {
	t := omniscope.Table{Name: "forecast", Title: "Forecast; nothing was asked", Columns: []string{"", "calls", "remembered", "tokens in", "tokens out", "cost"}, Numbers: []int{1, 2, 3, 4, 5}}
	for _, p := range f.Parts {
		name := p.What + " " + p.Model
		if p.Run != "" && p.What == asking { // the run is named after the model
			name = p.Run + ": " + p.What
		} else if p.Run != "" {
			name = p.Run + ": " + name
		}
		t.Rows = append(t.Rows, p.rows(name)...)
	}
	t.Rows = append(t.Rows, f.Total.rows("all")...)
	return t
}

func (p *part) rows(name string) [][]string {
	return [][]string{
		{name, strconv.Itoa(p.Calls), strconv.Itoa(p.Remembered), strconv.Itoa(p.TokensIn), strconv.Itoa(p.TokensOut), dollars(p.CostUSD, "not known")},
		{"  at most", bound(p.CallsAtMost), "", bound(p.TokensInAtMost), bound(p.TokensOutAtMost), p.mostDollars()},
	}
}

func (p *part) mostDollars() string {
	if p.CostUSD == nil {
		return "not known"
	}
	return dollars(p.CostAtMostUSD, "no bound")
}

func dollars(usd *float64, unknown string) string {
	if usd == nil {
		return unknown
	}
	return quantity.Dollars(*usd)
}

func bound(n *int) string {
	if n == nil {
		return "no bound"
	}
	return strconv.Itoa(*n)
}
