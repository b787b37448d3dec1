package main

import (
	"maps"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"omniscope/internal/testing/fake"
)

// samples is how many samples each faulty server is asked about. One of them
// is 2.5 %, fewer failures than --max-failures allows.
const samples = 40

// A fault is what a server does, and what has to become of the run.
type fault struct {
	name     string
	when     fake.When
	do       fake.Effect
	server   fake.Config // its key and its ordinary replies
	flags    []string
	code     int
	outcomes map[string]int // nil = there are no results: the run stopped
	says     []string       // somewhere in its warnings and errors
	calls    int            // most requests that the server may have seen; 0 = any number
}

var (
	allFine    = map[string]int{"ok": samples}
	allFailed  = map[string]int{"failed": samples}
	oneFailed  = oneOf("failed")
	clip3      = fake.Containing("clip 3.")
	noDecision = []string{"none of 40 samples could be judged"}
)

func oneOf(outcome string) map[string]int {
	return map[string]int{"ok": samples - 1, outcome: 1}
}

// faults returns the faults by what is left when they are over: everything,
// all but one sample, nothing. Some remember what they were asked.
func faults() []fault {
	return []fault{
		{name: "429 with seconds to wait", when: fake.Between(1, 5), do: fake.RateLimited("1"), outcomes: allFine},
		{name: "429 with a date to wait for", when: fake.Between(1, 5), do: fake.RateLimitedUntil(2 * time.Second), outcomes: allFine},
		{name: "429 without a word", when: fake.Between(1, 20), do: fake.RateLimited(""), outcomes: allFine},
		{name: "429 above a rate", when: fake.OverRate(60, 10), do: fake.RateLimited(""), outcomes: allFine},
		{name: "a burst of 5xx", when: fake.Between(5, 50), do: fake.ServerError(502), outcomes: allFine},
		{name: "connections reset", when: fake.FirstTries(1), do: fake.Reset(0), outcomes: allFine},
		{name: "answers cut", when: fake.FirstTries(1), do: fake.CutBody(50), outcomes: allFine},
		{name: "a page instead of an answer, once", when: fake.FirstTries(1), do: fake.HTMLPage(), outcomes: allFine},
		{name: "an error inside an answer, once", when: fake.FirstTries(1), do: fake.ErrorInside(), outcomes: allFine},
		{name: "no choices, once", when: fake.FirstTries(1), do: fake.EmptyChoices(), outcomes: allFine},
		{name: "slow but in time", when: clip3, do: fake.Drip(10 * time.Millisecond), outcomes: allFine},
		{
			name: "no schemas", when: fake.WithSchema(), do: fake.SchemaUnsupported(),
			server: fake.Config{Reply: unclearAtFirst}, outcomes: allFine,
			says: []string{"the endpoint does not take [response_format]; calls went without"},
		},

		{
			name: "one sample always fails", when: clip3, do: fake.ServerError(500), flags: []string{"--max-retries", "5"}, outcomes: oneFailed,
			says: []string{"uuid 0000003: failed", "gave up after 6 tries: the endpoint answered 500"},
		},
		{
			name: "one sample always fails, with --max-failures 0", when: clip3, do: fake.ServerError(500), flags: []string{"--max-retries", "1", "--max-failures", "0"},
			code: exitFailures, outcomes: oneFailed, says: []string{"judging failed for 1 of 40 samples, more than --max-failures 0 allows"},
		},
		{
			name: "slower than --timeout", when: clip3, do: fake.Drip(150 * time.Millisecond), flags: []string{"--timeout", "300ms", "--max-retries", "1"},
			outcomes: oneFailed, says: []string{"gave up after 2 tries: no whole answer within 300ms"},
		},
		{
			name: "an answer of 11 MB", when: clip3, do: fake.Huge(11 << 20), outcomes: oneOf("unparsed"),
			says: []string{"uuid 0000003: unparsed", "the answer is larger than 10 MB and was not read"},
		},
		{name: "null for an answer", when: clip3, do: fake.NullContent(), outcomes: oneOf("unparsed"), says: []string{"uuid 0000003: unparsed", "it is empty"}},
		{
			name: "a refusal", when: clip3, do: fake.Refuse("I would rather not."), outcomes: oneOf("refused"),
			says: []string{"uuid 0000003: refused", `it was refused: "I would rather not."`},
		},
		{
			name: "a refusal in words", when: clip3, do: fake.Say("I'm sorry, but I can't assist with that request."), outcomes: oneOf("unparsed"),
			says: []string{"uuid 0000003: unparsed", `it refuses in words: "I'm sorry, but I can't assist with that request."`},
		},
		{
			name: "a content filter", when: clip3, do: fake.Finish("content_filter"), outcomes: oneOf("refused"),
			says: []string{"uuid 0000003: refused", "a content filter withheld it"},
		},
		{
			name: "an answer cut short by its limit", when: clip3, do: fake.Finish("length"), outcomes: oneOf("truncated"),
			says: []string{"uuid 0000003: truncated", "it was cut off by the length limit: the JSON ends too early"},
		},
		{
			name: "a tool call for an answer", when: clip3, do: fake.CallTool("lookup"), outcomes: oneOf("unparsed"),
			says: []string{"uuid 0000003: unparsed", `it calls the tool "lookup" and says nothing`},
		},
		{
			name: "reasoning for an answer", when: clip3, do: fake.ReasonOnly("stop"), outcomes: oneOf("unparsed"),
			says: []string{"uuid 0000003: unparsed", "it holds reasoning and no answer"},
		},
		{
			name: "reasoning up to the limit", when: clip3, do: fake.ReasonOnly("length"), outcomes: oneOf("truncated"),
			says: []string{"uuid 0000003: truncated", "it was cut off by the length limit while the model was reasoning, before any text"},
		},
		{
			name: "a question too long", when: clip3, do: fake.ContextExceeded(100), outcomes: oneFailed,
			says: []string{"context_length_exceeded", "maximum context length is 100 tokens"},
		},

		{
			name: "pages instead of answers", when: fake.Always(), do: fake.HTMLPage(), flags: []string{"--max-retries", "2"},
			code: exitFailures, outcomes: allFailed, says: append(noDecision, "the endpoint answered with text/html; charset=utf-8 instead of JSON"),
		},
		{
			name: "errors inside all answers", when: fake.Always(), do: fake.ErrorInside(), flags: []string{"--max-retries", "2"},
			code: exitFailures, outcomes: allFailed, says: append(noDecision, "Provider returned error"),
		},
		{
			name: "no choices, ever", when: fake.Always(), do: fake.EmptyChoices(), flags: []string{"--max-retries", "2"},
			code: exitFailures, outcomes: allFailed, says: append(noDecision, "the answer has no choices"),
		},
		{
			name: "away for good", when: fake.Always(), do: fake.ServerError(503), flags: []string{"--endpoint-wait", "300ms", "-j", "4"},
			code: exitFailed, says: []string{"endpoint away", "the endpoint answered 503"},
		},
		{
			name: "broken for good", when: fake.Always(), do: fake.ServerError(500), flags: []string{"--max-retries", "2", "-j", "4"},
			code: exitFailures, outcomes: allFailed, says: append(noDecision, "gave up after"),
		},
		{
			name: "a wrong key", server: fake.Config{APIKey: "sesame"}, code: exitFailed, calls: 64,
			says: []string{"judge openai/mock at http://127.0.0.1", "without a key", "401 (invalid_api_key)"},
		},
		{
			name: "no such model", when: fake.Always(), do: noSuchModel, code: exitFailed, calls: 64,
			says: []string{"judge openai/mock", "404 (model_not_found): The model `mock` does not exist"},
		},
		{
			name: "no money left", when: fake.Always(), do: noMoney, code: exitFailed, calls: 64,
			says: []string{"insufficient_quota"},
		},
	}
}

func noSuchModel(*fake.Request, fake.Responder) fake.Reply {
	return fake.ErrorReply(http.StatusNotFound, "The model `mock` does not exist.", "invalid_request_error", "", "model_not_found")
}

func noMoney(*fake.Request, fake.Responder) fake.Reply {
	return fake.ErrorReply(http.StatusTooManyRequests, "You exceeded your current quota.", "insufficient_quota", "", "insufficient_quota")
}

// unclearAtFirst answers clip 3 in prose until told that prose cannot be used.
func unclearAtFirst(r *fake.Request) fake.Reply {
	if r.Contains("clip 3.") && !r.Contains("cannot be used") {
		return fake.Reply{Content: "A dog, I believe."}
	}
	return fake.ClozeReply(nil, 0)(r)
}

// TestFaults runs against servers that misbehave: the run ends soon, with the
// right exit code, counts what it lost, and says why.
func TestFaults(t *testing.T) {
	const bound = time.Minute // two seconds or less each, on a machine with nothing else to do
	for _, f := range faults() {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			tr := newTrial(t, samples, "--retry-wait", "20ms")
			if f.when != nil {
				f.server.Faults = []fake.Fault{{When: f.when, Do: f.do}}
			}
			server := serve(t, f.server)
			v := tr.eval(server.URL(), f.flags...)
			check(t, f, v)
			if n := server.Stats().Requests; f.calls > 0 && n > f.calls {
				t.Errorf("the server saw %d requests, want %d at most", n, f.calls)
			}
			if v.took > bound {
				t.Errorf("it took %s", v.took)
			}
		})
	}
}

func check(t *testing.T, f fault, v verdict) {
	t.Helper()
	if v.code != f.code {
		t.Errorf("exit code %d, want %d; it said %s", v.code, f.code, v.errOut)
	}
	if !maps.Equal(v.results.Outcomes, f.outcomes) {
		t.Errorf("outcomes %v, want %v", v.results.Outcomes, f.outcomes)
	}
	said := v.errOut + strings.Join(v.results.Warnings, "\n")
	has(t, said, f.says...)
	if f.outcomes == nil {
		return
	}
	scored := v.results.Status == "scored"
	if want := f.outcomes["ok"] > 0; scored != want {
		t.Errorf("status %q with outcomes %v", v.results.Status, f.outcomes)
	}
	if f.outcomes["ok"] == samples && f.server.Reply == nil && v.results.Usage.Retries == 0 && f.name != "slow but in time" {
		t.Errorf("nothing was tried again: the fault did not happen")
	}
}

// TestStopHopelessRun does not wait for all tries of a call that fails the same way
// while others are answered.
func TestStopHopelessRun(t *testing.T) {
	t.Parallel()
	const samples = 400
	server := serve(t, fake.Config{Latency: 10 * time.Millisecond, Faults: []fake.Fault{{When: clip3, Do: fake.ServerError(500)}}})
	v := newTrial(t, samples, "-j", "4", "--retry-wait", "20ms").eval(server.URL())
	check(t, fault{outcomes: map[string]int{"ok": samples - 1, "failed": 1}, says: []string{"times while other calls succeeded"}}, v)
	if tries := server.Stats().Status[http.StatusInternalServerError]; tries > 6 {
		t.Errorf("it was tried %d times", tries)
	}
}

// TestOutage takes the server away in the middle of a run and brings it back.
func TestOutage(t *testing.T) {
	outage, flags := 2*time.Second, []string{"--retry-wait", "100ms"}
	if os.Getenv(soakEnv) != "" {
		outage, flags = 30*time.Second, nil
	}
	t.Parallel()
	halfway := make(chan struct{})
	answer := fake.ClozeReply(nil, 0)
	config := fake.Config{Latency: 10 * time.Millisecond, Reply: func(r *fake.Request) fake.Reply {
		if r.N == samples/2 {
			close(halfway)
		}
		return answer(r)
	}}
	before := serve(t, config)
	url := before.URL()
	tr := newTrial(t, samples, append(flags, "-j", "4")...)
	ended := make(chan verdict)
	go func() { ended <- tr.eval(url) }()
	<-halfway
	before.Close()
	time.Sleep(outage) // what is tested is time itself
	config.Addr, config.Reply = strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/v1"), answer
	after := serve(t, config)

	v := <-ended
	check(t, fault{outcomes: allFine}, v)
	if before, after := before.Stats(), after.Stats(); before.Answered+after.Answered > samples+4 {
		t.Errorf("%d and %d answers to %d samples", before.Answered, after.Answered, samples)
	}
	if v.took < outage {
		t.Errorf("%d samples took %s: there was no outage", samples, v.took)
	}
}
