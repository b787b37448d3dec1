package baseline_test

import (
	"fmt"

	"omniscope/model/judge/baseline"
)

func ExampleNewCaption_find() {
	caption := baseline.NewCaption("A tall man waits on a pier. A woman passes by, and he hands her a letter.")
	m := caption.Find("<sbj_1> hands <sbj_2> a letter", 2)
	fmt.Println(m.Status == baseline.Fully)
	fmt.Printf("%q\n", m.Quote)
	// Output:
	// true
	// "A woman passes by, and he hands her a letter"
}

func ExampleGroup() {
	fmt.Println(baseline.Group([]string{"a tall man in a grey coat", "a woman with red hair", "the man in the grey coat", "the woman"}))
	// Output: [[0 2] [1 3]]
}
