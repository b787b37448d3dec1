package bench

// A Bounder is an Evaluation that can bound what a unit asks, whatever the
// answers are.
type Bounder interface {
	Bound(i int) (Bound, error)
}

// A Bound is what a unit may ask beyond one asking of each of its Requests.
type Bound struct {
	// RepairBytes is the most that a later asking adds to its request, besides
	// the reply that it sends back and words that it quotes from there. 0 = the
	// same request is sent again.
	RepairBytes int
	Further     []Further
}

// A Further is a kind of question that may follow on the answers.
type Further struct {
	Questions int // at most
	Bytes     int // of the prompt of one, without what it quotes
	Replies   int // earlier replies that one may quote
	MaxTokens int // of the answer; 0 = the model's own limit
}
