package scripted_test

import (
	"context"
	"fmt"

	"omniscope/model"
	"omniscope/model/scripted"
)

func Example() {
	m := scripted.New(map[string][]scripted.Reply{
		"42": {{Text: "not JSON"}, {Text: `{"1": "A: x"}`}},
	})
	for attempt := 1; attempt <= 3; attempt++ {
		resp, err := m.Generate(context.Background(), &model.Request{Step: "42", Attempt: attempt})
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(resp.Text)
	}
	// Output:
	// not JSON
	// {"1": "A: x"}
	// script: step "42", attempt 3: the script has replies to 2 attempts
}
