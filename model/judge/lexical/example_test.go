package lexical_test

import (
	"fmt"

	"omniscope/model/judge/lexical"
)

func ExampleRead() {
	passage := "A cyclist in a [BLANK_1] helmet passes a sign that reads \"[BLANK_2].\""
	blanks := []lexical.Blank{
		{Number: 1, Options: []string{"white", "grey", "red", "yellow"}},
		{Number: 2, Options: []string{"Slow Down", "Road Closed", "No Entry", "Detour"}},
	}
	caption := "We see a sign reading ROAD CLOSED. A cyclist wearing a gray helmet passes by a red van."
	for _, c := range lexical.Read(passage, blanks, caption) {
		fmt.Printf("%d %s %q\n", c.Number, c.Letter, c.Quote)
	}
	// Output:
	// 1 B "A cyclist wearing a gray helmet passes by a red van"
	// 2 B "We see a sign reading ROAD CLOSED"
}
