package eval

import (
	"strings"
	"testing"
)

func TestForecastInWords(t *testing.T) {
	dollar, many, six, two, none := 1.0, 500, 6, 2, 0
	for _, c := range []struct {
		name     string
		forecast Forecast
		want     []string
	}{
		{"all known", Forecast{Benchmark: "quiz", System: "s", Samples: 2, Judge: "openai/x", Endpoint: "http://host", Calls: 2, CallsAtMost: &six, Attempts: 3, Tries: 1, MaxTokens: 50,
			CostUSD: &dollar, CostAtMostUSD: &dollar, TokensInAtMost: &many, TokensOutAtMost: &many, Further: "one more", Warnings: []string{"odd"}},
			[]string{"quiz, s: 2 samples, judged by openai/x http://host\n", "calls to make  2 (0 more are remembered), and then one more; at most 6\n", "tokens in      about 0; at most 500\n",
				"cost           expected $1.00; at most $1.00; without the calls that follow\n", "answers as long as max-tokens=50 of the judge allows.\n", "At most is 3 askings of each question, one try of each,", "\nwarning: odd\n"}},
		{"no limits", Forecast{Calls: 1, CallsAtMost: &two, Attempts: 1, Tries: 2, CostUSD: &dollar},
			[]string{"; no bound without max-tokens of the judge\n", "1024 tokens an answer, as the judge has no max-tokens", "one asking of each question, 2 tries of each that may all have to be paid,"}},
		{"no price", Forecast{Judge: "openai/x", Calls: 1, CallsAtMost: &two}, []string{"not known: no price for openai/x (--prices FILE)"}},
		{"all remembered", Forecast{Remembered: 2, CallsAtMost: &two, CostUSD: &dollar, CostAtMostUSD: &dollar}, []string{"nothing expected; at most $1.00 where what is remembered cannot be used"}},
		{"all remembered, no price", Forecast{CallsAtMost: &two, Remembered: 2}, []string{"nothing expected, unless what is remembered cannot be used"}},
		{"nobody knows how many follow", Forecast{Calls: 1, Further: "about 7", FurtherCalls: 7, CostUSD: &dollar},
			[]string{"and then about 7; no bound, as answers decide how many calls follow\n", "expected $1.00; no bound, as answers decide how many calls follow; without the calls that follow\n", "--max-calls and --max-cost set a bound. Nothing was spent."}},
		{"only what follows", Forecast{Further: "about 7", FurtherCalls: 7}, []string{"cost           nothing expected; without the calls that follow\n"}},
		{"nothing to ask", Forecast{CallsAtMost: &none}, []string{"cost           nothing\n"}},
	} {
		text := c.forecast.Text()
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in\n%s", c.name, want, text)
			}
		}
	}
}
