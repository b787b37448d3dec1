package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
	"omniscope/model/wrap"
)

// behaviourSamples is how many samples each server is asked about, each with two
// tries at most and one attempt: too few for a run that stops early.
const behaviourSamples = 2

// A behaviour is what a server does to every request, and what has to become of
// the run. docs/endpoints.md has a line for each.
type behaviour struct {
	name     string
	later    bool      // one more sample is answered first: who has never answered is waited for otherwise
	when     fake.When // nil = to every request
	do       fake.Effect
	config   func(*fake.Config)       // what else the server is; may be nil
	url      func(base string) string // the address that is given; nil = the server's
	flags    []string
	settings string // of the judge

	outcome string // of every sample; "" = the run stops without results
	exit    int
	served  int    // most requests of these samples that the server may see; 0 = two a sample
	paid    int    // tries a sample that may have to be paid for
	atMost  bool   // or fewer
	says    string // somewhere in warnings and errors

	unwanted string // nowhere in what is printed and kept
}

// behaviours are all of them, in the order of docs/endpoints.md.
func behaviours() []behaviour {
	return slices.Concat(refusals(), rateLimits(), serverErrors(), redirects(), bodies(), encodings(), streams(), choices(), contents(),
		finishes(), usages(), modelNames(), connections(), options(), echoesOfKeys())
}

// TestLongBehaviours asks servers that misbehave. It wants the expected outcome and
// exit code, no more requests than expected, and that the program reports as
// paid, in its journal and in its results, what may have to be paid for.
func TestLongBehaviours(t *testing.T) {
	for _, b := range behaviours() {
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			tr := newTrial(t, behaviourSamples+b.first(), "--retry-wait", "1ms", "--max-retries", "1", "--endpoint-wait", "1ms").asking(cmp.Or(b.settings, ",attempts=1"))
			config := fake.Config{Model: "mock"}
			if b.later {
				tr.flags = append(tr.flags, "-j", "1")
				config.Faults = []fake.Fault{{When: fake.Between(1, 1), Do: raw(func(r *fake.Request) string {
					return response("", completionJSON(r, plainMessage, "")) // and closes the connection
				})}}
			}
			if b.do != nil {
				when := b.when
				if when == nil {
					when = fake.Always()
				}
				config.Faults = append(config.Faults, fake.Fault{When: when, Do: b.do})
			}
			if b.config != nil {
				b.config(&config)
			}
			if greet := config.Greet; b.later && greet != nil {
				var met atomic.Int32
				config.Greet = func(c net.Conn) bool { return met.Add(1) == 1 || greet(c) }
			}
			server := serve(t, config)
			url := server.URL()
			if b.url != nil {
				url = b.url(url)
			}
			v := tr.eval(url, b.flags...)
			b.check(t, v, server.Stats())
			b.checkPaid(t, tr, v)
			b.checkUnwanted(t, tr, v)
		})
	}
}

// first is how many samples are answered before.
func (b *behaviour) first() int {
	if b.later {
		return 1
	}
	return 0
}

func (b *behaviour) check(t *testing.T, v verdict, seen fake.Stats) {
	t.Helper()
	if v.code != b.exit {
		t.Errorf("exit code %d, want %d; it said %s", v.code, b.exit, v.errOut)
	}
	var want map[string]int
	if b.outcome != "" {
		want = map[string]int{b.outcome: behaviourSamples}
		if b.later {
			want["ok"]++
		}
	}
	if !maps.Equal(v.results.Outcomes, want) {
		t.Errorf("outcomes %v, want %v; it said %s %q", v.results.Outcomes, want, v.errOut, v.results.Warnings)
	}
	if said := v.errOut + strings.Join(v.results.Warnings, "\n"); !strings.Contains(said, b.says) {
		t.Errorf("it does not say %q but\n%s", b.says, said)
	}
	served := b.served
	if served == 0 {
		served = 2 * behaviourSamples
	}
	if seen.Requests > served+b.first() {
		t.Errorf("the server saw %d requests, want %d at most", seen.Requests, served+b.first())
	}
	if (b.outcome == "ok" || b.later) != (v.results.Status == "scored") {
		t.Errorf("status %q with outcome %q", v.results.Status, b.outcome)
	}
}

// checkPaid compares what the program reports as paid, in the journal and in the
// results, with what may have to be paid for.
func (b *behaviour) checkPaid(t *testing.T, tr *trial, v verdict) {
	t.Helper()
	want, u := b.paid*behaviourSamples+b.first(), v.results.Usage
	kept, told := journaledTries(t, tr), u.Calls-u.Failed+u.Lost.Tries
	if b.outcome == "" {
		told = kept
	}
	if kept != told || kept > want || kept < want && !b.atMost && b.outcome != "" {
		t.Errorf("the journal has %d tries that may have to be paid for, the results %d, want %d", kept, told, want)
	}
}

func (b *behaviour) checkUnwanted(t *testing.T, tr *trial, v verdict) {
	t.Helper()
	if b.unwanted == "" {
		return
	}
	if strings.Contains(v.out+v.errOut, b.unwanted) {
		t.Errorf("it prints %q:\n%s%s", b.unwanted, v.out, v.errOut)
	}
	err := filepath.WalkDir(tr.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if bytes.Contains(text, []byte(b.unwanted)) {
			t.Errorf("%s has %q", path, b.unwanted)
		}
		return err
	})
	fixture.OK(t, err)
}

// journaledTries adds up the tries that the journal says may be paid for.
func journaledTries(t *testing.T, tr *trial) (n int) {
	t.Helper()
	v := command(context.Background(), "journal", "export", "--work-dir", tr.path("work")).must(t, exitDone)
	for rows := json.NewDecoder(strings.NewReader(v.out)); rows.More(); {
		var row struct {
			Outcome string      `json:"outcome"`
			Result  wrap.Result `json:"result"`
		}
		fixture.OK(t, rows.Decode(&row))
		n += row.Result.Lost.Tries
		if row.Outcome == "ok" {
			n++
		}
	}
	return n
}

// TestBehavioursTable writes what each behaviour costs as lines of a table; docscheck compares
// docs/endpoints.md with them. That page is not read here: all tests of the commands would
// run again when it changes.
func TestBehavioursTable(t *testing.T) {
	var lines strings.Builder
	for _, b := range behaviours() {
		outcome := b.outcome
		if outcome == "" {
			outcome = "stops"
		}
		paid := strconv.Itoa(b.paid)
		if b.atMost {
			paid = "≤ " + paid
		}
		fmt.Fprintf(&lines, "`%s` | %s | %s | %d\n", b.name, outcome, paid, b.exit)
	}
	const golden = "testdata/behaviours.txt"
	want := fixture.Read(t, golden)
	if got := lines.String(); got != want {
		t.Errorf("%s has other lines; it must be\n%s", golden, got)
	}
}

// ordinary is the text of a good answer to any question.
var ordinary = fake.ClozeReply(nil, 0)

// completed answers with choices and usage around a good answer, all as JSON.
// %s in message stands for the text.
func completed(message, rest string) fake.Effect {
	return fake.Answer(func(r *fake.Request) fake.Reply {
		return fake.Reply{Body: []byte(completionJSON(r, message, rest))}
	})
}

func completionJSON(r *fake.Request, message, rest string) string {
	text := strconv.Quote(ordinary(r).Content)
	return `{"id":"c1","model":"mock","choices":[{"index":0,"finish_reason":"stop","message":` + strings.ReplaceAll(message, "%s", text) +
		`}],"usage":{"prompt_tokens":40,"completion_tokens":9}` + rest + `}`
}

const plainMessage = `{"role":"assistant","content":%s}`

// transformed sends a good answer's body after f has changed it.
func transformed(f func(body string) string) fake.Effect {
	return fake.Answer(func(r *fake.Request) fake.Reply {
		return fake.Reply{Body: []byte(f(completionJSON(r, plainMessage, "")))}
	})
}

// aWhile is a time limit for servers that never come to an end.
const aWhile = time.Second

var shortTimeout = []string{"--timeout", aWhile.String()}
