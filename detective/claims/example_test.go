package claims_test

import (
	"fmt"
	"time"

	"omniscope"
	"omniscope/detective/claims"
	"omniscope/perceive"
)

func ExampleLedger_Contradictions() {
	ledger := claims.Ledger{
		{ID: "o1", Turn: 1, Tool: "ocr", Kind: perceive.Text, What: "Words can be read.", Quote: "HARBOUR NEWS", EndS: 2, Sure: 0.95},
		{ID: "o2", Turn: 2, Tool: "mllm", Kind: perceive.Reported, What: "A harbour at dawn. There is no visible text.", Sure: 0.5},
	}
	for _, c := range ledger.Contradictions() {
		fmt.Println(c.Evidence, c.What)
	}
	// Output: [o1 o2] mllm says there is no text, ocr reads “HARBOUR NEWS”
}

func ExampleClaim_Check() {
	var l claims.Ledger
	cut := perceive.Observation{Kind: perceive.Cut, What: "A cut.", Sure: 0.9, Span: omniscope.Span{Start: 3 * time.Second, End: 3 * time.Second}}
	l.Add(1, perceive.Info{Name: "scene", Modality: omniscope.Visual}, "", perceive.Focus{}, []perceive.Observation{cut})
	for _, c := range claims.Split("A dog runs. There are two cuts.") {
		if say, able := c.Check("scene", l, claims.Stretch{LengthS: 10}); able {
			fmt.Printf("%s %s: %s\n", c.Text, say.Support, say.Why)
		}
	}
	// Output: The number of cuts is 2. contradicted: cuts seen: 1
}
