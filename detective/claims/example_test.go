package claims_test

import (
	"fmt"

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
