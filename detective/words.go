package detective

import "omniscope/detective/claims"

// Words of package claims that are part of reports.
type (
	// Evidence is one observation with the id it is cited by.
	Evidence = claims.Evidence
	// A Ledger is all evidence of an investigation, in the order in which it came.
	Ledger = claims.Ledger
	// A Sentence of a caption and what it rests on.
	Sentence = claims.Sentence
	// A Contradiction is what cannot all be true.
	Contradiction = claims.Contradiction
	// A Claim is one thing that a caption states.
	Claim = claims.Claim
	// A Say is what one observer says of one claim.
	Say = claims.Say
	// Support is how far the observers support a claim.
	Support = claims.Support
)

// The levels of support.
const (
	Supported    = claims.Supported
	Contradicted = claims.Contradicted
	Unsupported  = claims.Unsupported
)
