package main

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
)

// TestBudgetCountsLostTries has servers answer every request with
// status 200 and nothing that can be used: each may have to be paid for, so the
// budget stops the run after so many, and the journal knows of them.
func TestBudgetCountsLostTries(t *testing.T) {
	const most = 6
	for name, do := range map[string]fake.Effect{
		"pages":         fake.HTMLPage(),
		"cut bodies":    fake.CutBody(50),
		"no choices":    fake.EmptyChoices(),
		"cut streams":   fake.Body("text/event-stream", "data: {\"choices\":[{\"delta\":{\"content\":\"It\"}}]}\n\n"),
		"gateway times": fake.ServerError(http.StatusGatewayTimeout),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tr := newTrial(t, samples, "--retry-wait", "1ms", "--max-calls", fmt.Sprint(most))
			server := serve(t, fake.Config{Faults: []fake.Fault{{When: fake.Always(), Do: do}}})
			v := tr.eval(server.URL()).ends(t, exitBudget)
			if says := "6 of the calls brought nothing usable and may have to be paid for, the last: "; !strings.Contains(v.errOut, says) {
				t.Errorf("it does not say %q but %s", says, v.errOut)
			}
			if n := server.Stats().Requests; n != most {
				t.Errorf("the server saw %d requests, want %d", n, most)
			}
			if n := journaledTries(t, tr); n != most {
				t.Errorf("the journal has %d tries that may have to be paid for, want %d", n, most)
			}
		})
	}
}

// reasoning returns a server of a model that thinks for so many tokens a call.
func reasoning(t *testing.T, tokens int) *fake.Server {
	answer := fake.ClozeReply(nil, 0)
	return serve(t, fake.Config{Model: "mock", Latency: 20 * time.Millisecond, Reply: func(r *fake.Request) fake.Reply {
		reply := answer(r)
		reply.PromptTokens, reply.CompletionTokens = 100, tokens
		return reply
	}})
}

// TestMaxCost pays for calls of about 1, 20 and 200 cents, 64 at a time: what the server was paid, the message and the
// exit code.
func TestMaxCost(t *testing.T) {
	for _, c := range []struct {
		tokens, samples, code, calls, again int
		says                                string
	}{
		{1000, 20, exitDone, 20, 0, ""},
		{1000, 150, exitBudget, 99, 51, "--max-cost 1 is used up (this command made 99 calls, 108900 tokens, $0.9999), and a further call takes about"},
		{20_000, 40, exitBudget, 4, 4, "--max-cost 1 is used up (this command made 4 calls, 80400 tokens, $0.8004), and a further call takes about 20100 tokens, $0.2001"},
		{200_000, 40, exitBudget, 1, 0, "--max-cost 1 is used up (this command made 1 call, 200100 tokens, $2.0001): run"},
		{200_000, 1, exitBudget, 1, 0, "--max-cost 1 was passed: this command made 1 call, 200100 tokens, $2.0001"},
	} {
		t.Run(fmt.Sprintf("%d samples of %d tokens", c.samples, c.tokens), func(t *testing.T) {
			t.Parallel()
			server := reasoning(t, c.tokens)
			tr := newTrial(t, c.samples, "--max-cost", "1", "-j", "64")
			tr.flags = append(tr.flags, "--prices", tr.path("prices.yaml"))
			fixture.OK(t, os.WriteFile(tr.path("prices.yaml"), []byte("openai/mock: {in: 1, out: 10}\n"), 0o600))
			v := tr.eval(server.URL())
			if n := server.Stats().Answered; v.code != c.code || n != c.calls || !strings.Contains(v.errOut, c.says) {
				t.Errorf("exit code %d after %d calls, want %d after %d and %q: %s", v.code, n, c.code, c.calls, c.says, v.errOut)
			}
			if c.samples == 1 && v.results.Samples != 1 {
				t.Error("the finished run has no results")
			}
			// The journal knows what a call takes.
			if v := tr.eval(server.URL()); server.Stats().Answered != c.calls+c.again {
				t.Errorf("again: exit code %d after %d more calls, want %d: %s", v.code, server.Stats().Answered-c.calls, c.again, v.errOut)
			}
		})
	}
}

// TestRefusalsAndBudget counts the one answer of each sample alone.
func TestRefusalsAndBudget(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, samples, "--retry-wait", "1ms", "--max-calls", fmt.Sprint(samples))
	server := serve(t, fake.Config{Faults: []fake.Fault{{When: fake.FirstTries(2), Do: fake.RateLimited("")}}})
	v := tr.eval(server.URL())
	check(t, fault{outcomes: allFine}, v)
	if u := v.results.Usage; u.Lost.Tries != 0 || u.RateLimited != 2*samples {
		t.Errorf("usage %+v", u)
	}
}

// TestUsageOfFailedCalls has no call be answered: what a run took
// is what its only command took.
func TestUsageOfFailedCalls(t *testing.T) {
	for name, do := range map[string]fake.Effect{"refused": fake.RateLimited(""), "broken": fake.ServerError(500)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tr := newTrial(t, samples, "--retry-wait", "1ms", "--max-retries", "3")
			server := serve(t, fake.Config{Faults: []fake.Fault{{When: fake.Always(), Do: do}}})
			u := tr.eval(server.URL()).results.Usage
			if u.Retries == 0 || u.Retries != u.ThisCommand.Retries || u.RateLimited != u.ThisCommand.RateLimited {
				t.Errorf("%d retries, %d refusals for too many requests; this command had %d and %d",
					u.Retries, u.RateLimited, u.ThisCommand.Retries, u.ThisCommand.RateLimited)
			}
			if n := server.Stats().Requests; u.Calls+u.Retries != n {
				t.Errorf("%d calls and %d retries, but %d requests", u.Calls, u.Retries, n)
			}
		})
	}
}

// TestResultsLostTries has each first try bring nothing, at a price that is
// known from the start, or from the second command on.
func TestResultsLostTries(t *testing.T) {
	for name, first := range map[string][]string{"one command": nil, "prices come later": {"--max-calls", "20"}} {
		t.Run(name, func(t *testing.T) { testResultsSayWhatWasLost(t, first) })
	}
}

func testResultsSayWhatWasLost(t *testing.T, first []string) {
	t.Parallel()
	tr := newTrial(t, samples, "--retry-wait", "1ms").asking(",max-tokens=100")
	fixture.OK(t, os.WriteFile(tr.path("prices.yaml"), []byte("openai/mock: {in: 1, out: 10}\n"), 0o644))
	server := serve(t, fake.Config{Faults: []fake.Fault{{When: fake.FirstTries(1), Do: fake.EmptyChoices()}}})
	if first != nil {
		tr.eval(server.URL(), first...).must(t, exitBudget)
	}
	v := tr.eval(server.URL(), "--prices", tr.path("prices.yaml"))
	u := v.results.Usage
	if u.Lost.Tries != samples || u.Lost.TokensOut != 100*samples || u.Lost.TokensIn < 100*samples || u.Lost.CostUSD == nil || u.CostUSD == nil {
		t.Fatalf("usage %+v, want a lost try of 100 tokens out for each of %d samples", u, samples)
	}
	lost := (float64(u.Lost.TokensIn) + 10*float64(u.Lost.TokensOut)) / 1e6
	if d := *u.Lost.CostUSD - lost; d > 1e-9 || d < -1e-9 || *u.CostUSD <= lost {
		t.Errorf("$%g lost of $%g, want $%g", *u.Lost.CostUSD, *u.CostUSD, lost)
	}
	if says := "for 40 tries that brought nothing usable"; !strings.Contains(v.out, says) {
		t.Errorf("the table does not say %q:\n%s", says, v.out)
	}
}

// TestTokenBudgetImplausibleCounts has endpoints report tokens
// that no budget could be kept by.
func TestTokenBudgetImplausibleCounts(t *testing.T) {
	for name, usage := range map[string]string{
		"none": `null`, "negative": `{"prompt_tokens":-5,"completion_tokens":-5}`, "one alone": `{"completion_tokens":1}`,
		"text": `{"prompt_tokens":"12","completion_tokens":"3"}`, "zero": `{"prompt_tokens":0,"completion_tokens":0}`,
	} {
		for _, limit := range [][]string{{"--max-total-tokens", "12000"}, {"--max-cost", "0.012"}} {
			t.Run(name+" "+limit[0], func(t *testing.T) {
				t.Parallel()
				tr := newTrial(t, samples, "-j", "2").asking(",max-tokens=100")
				fixture.OK(t, os.WriteFile(tr.path("prices.yaml"), []byte("openai/mock: {in: 1, out: 1}\n"), 0o644))
				server := serve(t, fake.Config{Faults: []fake.Fault{{When: fake.Always(), Do: fake.Usage(usage)}}})
				v := tr.eval(server.URL(), append(limit, "--prices", tr.path("prices.yaml"))...).ends(t, exitBudget).says(t, limit[0]+" "+limit[1]+" is used up")
				if says := "counted by estimate"; strings.Count(v.errOut, says) != 1 {
					t.Errorf("it does not say %q once but %s", says, v.errOut)
				}
				if n := server.Stats().Requests; n < 5 || n >= samples {
					t.Errorf("the server saw %d requests of %d", n, samples)
				}
			})
		}
	}
}
