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
	Role      string // that is asked; "" = the judge
	Questions int    // at most
	Bytes     int    // of the prompt of one, without what it quotes
	Replies   int    // earlier replies that one may quote
	MaxTokens int    // of the answer; 0 = the model's own limit
	Quoted    int    // tokens of a quoted reply at most; 0 = MaxTokens
	// Sure says that this many do follow on usable answers to the unit's Requests, so that
	// forecasts count them.
	Sure bool
}

// A RoleAsker is an Evaluation whose Requests go to the model of a role, where the user named
// one, and what follows on them to the judge.
type RoleAsker interface {
	Asks(i int) (role string) // of Info.Roles, that the Requests of unit i go to; "" = the judge
}
