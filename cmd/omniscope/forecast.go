package main

import (
	"fmt"
	"io"
	"strings"

	"omniscope/session"
)

// printForecast prints a forecast for people.
func printForecast(out io.Writer, d *session.Forecast) error {
	further := ""
	if d.Further != "" {
		further = ", and then " + d.Further
	}
	length := fmt.Sprintf("answers as long as --judge-max-tokens %d allows", d.MaxTokens)
	if d.MaxTokens == 0 {
		length = "1024 tokens an answer, as --judge-max-tokens is not set"
	}
	_, err := fmt.Fprintf(out, `%s, %s: %d samples, judged by %s
calls to make  %d (%d more are remembered)%s; at most %d
tokens in      about %d; %s
tokens out     about %d; %s
cost           %s
Expected is one asking of each question, without what follows on the answers: 4 bytes a token in,
%s.
At most is %s of each question, %s, all that may follow,
a token for each byte of UTF-8 in and 64 around each message. --max-cost stops earlier. Nothing was spent.
`, d.Benchmark, d.System, d.Samples, strings.TrimSpace(d.Judge+" "+d.Endpoint), d.Calls, d.Remembered, further, d.CallsAtMost,
		d.TokensIn, inWords(d.TokensInAtMost), d.TokensOut, inWords(d.TokensOutAtMost), costInWords(d), length, askings(d.Attempts), triesToPay(d.Tries))
	for _, w := range d.Warnings {
		fmt.Fprintln(out, "warning:", w)
	}
	return err
}

// costInWords is the price in words.
func costInWords(d *session.Forecast) string {
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

// inWords writes a bound.
func inWords(n *int) string {
	if n == nil {
		return "no bound without --judge-max-tokens"
	}
	return fmt.Sprintf("at most %d", *n)
}
