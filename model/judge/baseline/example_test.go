package baseline_test

import (
	"fmt"

	"omniscope/model/judge/baseline"
)

func ExampleRead() {
	passage := "A cyclist in a [BLANK_1] helmet passes a sign that reads \"[BLANK_2].\""
	blanks := []baseline.Blank{
		{Number: 1, Options: []string{"white", "grey", "red", "yellow"}},
		{Number: 2, Options: []string{"Slow Down", "Road Closed", "No Entry", "Detour"}},
	}
	caption := "We see a sign reading ROAD CLOSED. A cyclist wearing a gray helmet passes by a red van."
	for _, c := range baseline.Read(passage, blanks, caption) {
		fmt.Printf("%s %q\n", c.Letter, c.Quote)
	}
	// Output:
	// B "A cyclist wearing a gray helmet passes by a red van"
	// B "We see a sign reading ROAD CLOSED"
}
