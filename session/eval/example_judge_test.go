package eval_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"

	"omniscope/session"
	"omniscope/session/eval"
	"omniscope/session/journals"
)

// Has a model judge, at an endpoint that speaks OpenAI's protocol. Its answers are in the journal of the working folder, and
// the second run asks nothing. Without Address, the endpoint and its key are from the environment.
func ExampleScore_judge() {
	endpoint := httptest.NewServer(http.HandlerFunc(answerA))
	defer endpoint.Close()
	work, err := os.MkdirTemp("", "omniscope-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(work)
	m := &session.Machine{Calls: &session.Calls{WorkDir: work, Journals: journals.All, MaxCost: 5}, Address: session.At(endpoint.URL + "/v1"), Warnings: io.Discard}
	for _, out := range []string{"first", "second"} {
		m.Out = filepath.Join(work, out)
		spec := &eval.Spec{Benchmark: "omni-cloze", Predictions: "../../bench/demo/captions/careful.jsonl", Data: "../../bench/demo/cloze/clips.jsonl", Judge: "openai/gpt-4o-mini"}
		results, err := eval.Score(context.Background(), spec, m)
		if err != nil {
			log.Fatal(err)
		}
		score, _ := results.Score("score")
		fmt.Printf("score %.3f, %d calls\n", score, results.Usage.ThisCommand.Calls)
	}
	// Output:
	// score -0.500, 22 calls
	// score -0.500, 0 calls
}

// answerA is a model that chooses the first option for each blank, which is mostly wrong and costs points.
func answerA(w http.ResponseWriter, r *http.Request) {
	asked, err := io.ReadAll(r.Body)
	if err != nil {
		log.Print(err)
	}
	var letters []string
	for n := 1; strings.Contains(string(asked), fmt.Sprintf("[BLANK_%d]", n)); n++ {
		letters = append(letters, fmt.Sprintf(`\"%d\": \"A: it fits\"`, n))
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"model": "gpt-4o-mini", "choices": [{"message": {"content": "{%s}"}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 900, "completion_tokens": 60}}`, strings.Join(letters, ", "))
}
