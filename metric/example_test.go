package metric_test

import (
	"fmt"

	"omniscope/metric"
)

func ExampleWER() {
	edits, err := metric.WER([]string{"it rains", "we stay in"}, []string{"it rained", "so we stay in"})
	if err != nil {
		fmt.Println(err)
		return
	}
	rate, _ := edits.Rate()
	fmt.Printf("%+v\n%.1f\n", edits, rate)
	// Output:
	// {Hits:4 Substitutions:1 Deletions:0 Insertions:1}
	// 0.4
}

func ExampleResegment() {
	cut, err := metric.Resegment("It rains. We stay\nin, I think.", []string{"It rains.", "We stay in."}, metric.Resegmenting{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%q AS-WER %s\n", cut.Lines, cut.ASWER())
	// Output: ["It rains." "We stay in, I think."] AS-WER 60
}
