package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/tidwall/gjson"

	"omniscope/internal/testing/fake"
)

// TestSpansOfCalls sends a span for each call of a run, remembered ones included, and no
// text of prompts and answers.
func TestSpansOfCalls(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var got []string
	collector := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		mu.Lock()
		got = append(got, string(text))
		mu.Unlock()
	}))
	t.Cleanup(collector.Close)
	tr := newTrial(t, 5, "--otel", collector.URL).asking(",temperature=0.25")
	server := serve(t, fake.Config{Faults: []fake.Fault{{When: fake.Between(1, 1), Do: fake.Refuse("no")}}})
	for round, remembered := range []int{0, 5} {
		got = nil
		if v := tr.eval(server.URL()); v.code == exitFailed || strings.Contains(v.errOut, "otel") {
			t.Fatalf("exit code %d: %s", v.code, v.errOut)
		}
		all := strings.Join(got, "\n")
		roots, calls, cached := 0, 0, 0
		for _, document := range got {
			for _, span := range gjson.Get(document, "resourceSpans.0.scopeSpans.0.spans").Array() {
				if span.Get("name").Str == "omniscope eval omni-cloze" {
					roots++
					continue
				}
				calls++
				of := func(key string) gjson.Result {
					return span.Get(`attributes.#(key="` + key + `").value`)
				}
				if of("omniscope.remembered").Get("boolValue").Bool() {
					cached++
				}
				if span.Get("name").Str != "chat mock" || of("gen_ai.operation.name").Get("stringValue").Str != "chat" || of("gen_ai.provider.name").Get("stringValue").Str != "openai" ||
					of("gen_ai.request.temperature").Get("doubleValue").Num != 0.25 || of("gen_ai.usage.input_tokens").Get("intValue").Int() <= 0 ||
					of("server.address").Get("stringValue").Str != "127.0.0.1" || of("omniscope.step").Get("stringValue").Str == "" {
					t.Errorf("span %s", span.Raw)
				}
			}
		}
		if roots != 1 || calls < 5 || round == 1 && cached < remembered {
			t.Errorf("round %d: %d spans of the command, %d of calls, %d remembered", round, roots, calls, cached)
		}
		if strings.Contains(all, "clip 1.") || strings.Contains(all, "correct answer") {
			t.Errorf("a span holds a text: %s", all)
		}
	}
}

// TestCollectorThatIsNotThere ends no run: it warns.
func TestCollectorThatIsNotThere(t *testing.T) {
	t.Parallel()
	server := serve(t, fake.Config{})
	newTrial(t, 2, "--otel", "http://127.0.0.1:1").eval(server.URL()).ends(t, exitDone).says(t, "warning: --otel: 3 of 3 spans did not reach the collector")
	newTrial(t, 2, "--otel", "nowhere").eval(server.URL()).ends(t, exitUsage)
}
