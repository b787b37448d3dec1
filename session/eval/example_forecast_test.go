package eval_test

import (
	"context"
	"fmt"
	"log"

	"omniscope/session/eval"
)

// Says what a run would take. Nothing is asked, and no key is needed; prices are the built-in ones.
func ExampleEstimate() {
	spec := &eval.Spec{Benchmark: "omni-cloze", Predictions: "../../bench/demo/captions/careful.jsonl", Data: "../../bench/demo/cloze/clips.jsonl", Judge: "openai/gpt-4o-mini"}
	forecast, err := eval.Estimate(context.Background(), spec, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d calls, %d of them to examine the judge", forecast.Calls, forecast.Exam)
	if forecast.CostUSD != nil {
		fmt.Printf(", about $%.2f", *forecast.CostUSD)
	}
	// Output: 22 calls, 10 of them to examine the judge, about $0.02
}
