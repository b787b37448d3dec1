package letters_test

import (
	"fmt"

	"omniscope/model/judge/letters"
)

func ExampleRead() {
	options := []string{"a dog", "a cat", "a horse"}
	for _, reply := range []string{"The answer is (B).", "E", "<think>Is it a dog?", "A or C"} {
		switch option, why := letters.Read(reply, options); why {
		case "":
			fmt.Println("chooses", options[option])
		case letters.NotOffered, letters.CutOff:
			fmt.Println("to ask again:", why)
		default:
			fmt.Println("unread:", why)
		}
	}
	// Output:
	// chooses a cat
	// to ask again: names a letter that is no option
	// to ask again: ends before its answer
	// unread: names several options
}
