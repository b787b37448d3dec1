package main

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"omniscope/internal/testing/fake"
	"omniscope/session/eval"
)

// TestForecastUpperBound compares a forecast with the dearest run there is: all
// replies are as long as they may be, in bytes that are a token each, and none
// can be used.
func TestForecastUpperBound(t *testing.T) {
	t.Parallel()
	const limit = 200
	server := serve(t, fake.Config{
		Reply: func(r *fake.Request) fake.Reply {
			return fake.Reply{Content: strings.Repeat("7", limit), PromptTokens: bytesOf(r.Body), CompletionTokens: limit}
		},
		Faults: []fake.Fault{{When: fake.FirstTries(1), Do: fake.ServerError(http.StatusInternalServerError)}},
	})
	tr := newTrial(t, 12, "--retry-wait", "1ms", "--max-retries", "3", "--stop-after-unusable", "0", "--max-failures", "1").asking(",max-tokens=200")
	var doc eval.Forecast
	v := tr.eval(server.URL(), "--dry-run", "--json")
	if err := json.Unmarshal([]byte(v.out), &doc); err != nil || doc.CallsAtMost == nil || doc.TokensInAtMost == nil || doc.TokensOutAtMost == nil {
		t.Fatalf("%v: %s%s", err, v.out, v.errOut)
	}
	if n := server.Stats().Requests; n != 0 {
		t.Fatalf("the forecast made %d requests", n)
	}
	v = tr.eval(server.URL())
	asked := server.Stats().Requests
	if asked <= doc.Calls || asked > *doc.CallsAtMost {
		t.Errorf("%d requests; expected %d, at most %d: %s", asked, doc.Calls, *doc.CallsAtMost, v.errOut)
	}
	if u := v.results.Usage; u.TokensOut <= doc.Calls*limit || u.TokensOut > *doc.TokensOutAtMost || u.TokensIn > *doc.TokensInAtMost {
		t.Errorf("%d tokens in, at most %d; %d out, at most %d", u.TokensIn, *doc.TokensInAtMost, u.TokensOut, *doc.TokensOutAtMost)
	}
}

// bytesOf are those of a request that a model may see: the messages, with some
// tokens around each, and the wanted form.
func bytesOf(body []byte) int {
	var r struct {
		Messages []struct{ Content string }
		Format   json.RawMessage `json:"response_format"`
	}
	if err := json.Unmarshal(body, &r); err != nil {
		panic(err)
	}
	n := 0
	if len(r.Format) > 0 {
		var form struct {
			Schema struct{ Schema json.RawMessage } `json:"json_schema"`
		}
		json.Unmarshal(r.Format, &form)
		n = len(form.Schema.Schema)
	}
	for _, m := range r.Messages {
		n += 20 + len(m.Content)
	}
	return n
}

// TestForecastUpperBoundCapricorn counts the groupings that may follow.
func TestForecastUpperBoundCapricorn(t *testing.T) {
	t.Parallel()
	q := newInquest(t)
	rows := q.write("rows.jsonl", `{"video_id": "a", "duration": 100, "events": {"main_sbj_evts": ["<dog> barks", "<dog> runs", "<cat> sleeps"], "main_sbj_ints": [], "bg_desc": [], "trans_desc": [], "minor_evts": []}}`)
	captions := q.write("captions.jsonl", `{"video_id": "a", "caption": "A dog."}`)
	for profile, want := range map[string]int{"strict": 3*5 + 2*5, "official": 3*5 + 5} { // three keypoints and the dog, five askings each
		v := q.command("eval", "capricorn", "-d", rows, "-p", captions, "--judge", "openai/x,base-url=http://127.0.0.1:1/v1",
			"--work-dir", q.path("work"), "--max-retries", "0", "--scoring", profile, "--dry-run", "--json")
		var doc eval.Forecast
		if err := json.Unmarshal([]byte(v.out), &doc); err != nil || doc.Calls != 3 || doc.CallsAtMost == nil || *doc.CallsAtMost != want || doc.TokensInAtMost == nil {
			t.Errorf("%s: %d calls, at most %v, want %d; %v: %s", profile, doc.Calls, doc.CallsAtMost, want, err, v.errOut)
		}
	}
}
