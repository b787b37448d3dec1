package eval

import (
	"fmt"
	"strings"
)

// Text is a forecast for people.
func (d *Forecast) Text() string {
	further := ""
	if d.Further != "" {
		further = ", and then " + d.Further
	}
	length := fmt.Sprintf("answers as long as max-tokens=%d of the judge allows", d.MaxTokens)
	if d.MaxTokens == 0 {
		length = "1024 tokens an answer, as the judge has no max-tokens"
	}
	text := fmt.Sprintf(`%s, %s: %d samples, judged by %s
calls to make  %d (%d more are remembered)%s; %s
tokens in      about %d; %s
tokens out     about %d; %s
cost           %s
Expected is one asking of each question, without what only some answers call for: 4 bytes a token in,
%s.
%s. Nothing was spent.
`, d.Benchmark, d.System, d.Samples, strings.TrimSpace(d.Judge+" "+d.Endpoint), d.Calls, d.Remembered, further, d.bound(d.CallsAtMost),
		d.TokensIn, d.bound(d.TokensInAtMost), d.TokensOut, d.bound(d.TokensOutAtMost), d.cost(), length, d.explainBound())
	if d.Exam > 0 {
		text += fmt.Sprintf("%d of the calls examine the judge: items with known answers, once for each judge (--judge-exam=false leaves them out).\n", d.Exam)
	}
	for _, w := range d.Warnings {
		text += "warning: " + w + "\n"
	}
	return text
}

// cost is the price in words.
func (d *Forecast) cost() string {
	if d.Further == "" {
		return d.costOfCounted()
	}
	return d.costOfCounted() + "; without the calls that follow"
}

// costOfCounted is the price of the calls that are counted.
func (d *Forecast) costOfCounted() string {
	atMost := d.noBound()
	if d.CostAtMostUSD != nil {
		atMost = fmt.Sprintf("at most $%.2f", *d.CostAtMostUSD)
	}
	switch {
	case d.CallsAtMost != nil && *d.CallsAtMost == 0:
		return "nothing"
	case d.Calls == 0 && d.Remembered == 0:
		return "nothing expected"
	case d.Calls == 0 && d.CostUSD == nil:
		return "nothing expected, unless what is remembered cannot be used"
	case d.CostUSD == nil:
		return "not known: no price for " + d.Judge + " (--prices FILE)"
	case d.Calls == 0:
		return "nothing expected; " + atMost + " where what is remembered cannot be used"
	}
	return fmt.Sprintf("expected $%.2f; %s", *d.CostUSD, atMost)
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

// bound writes a bound.
func (d *Forecast) bound(n *int) string {
	if n == nil {
		return d.noBound()
	}
	return fmt.Sprintf("at most %d", *n)
}

// explainBound says what the bounds are of.
func (d *Forecast) explainBound() string {
	if d.CallsAtMost == nil {
		return "--max-calls and --max-cost set a bound"
	}
	return fmt.Sprintf("At most is %s of each question, %s, all that may follow,\n"+
		"a token for each byte of UTF-8 in and 64 around each message. --max-cost stops earlier", askings(d.Attempts), triesToPay(d.Tries))
}

// noBound says why there is no bound.
func (d *Forecast) noBound() string {
	if d.FurtherCalls > 0 {
		return "no bound, as answers decide how many calls follow"
	}
	return "no bound without max-tokens of the judge"
}
