package journal

import "omniscope/run"

// CostOf reads a call's cost from its result, where rows of version 1 have it.
// The caller supplies it, because the store does not know the form of results.
type CostOf func(result []byte) run.Cost

// A Usage is what the calls to models of a run took, over all its processes.
type Usage struct {
	Calls           int // answered or failed
	Answers         int // usable ones
	Failed          int
	Retries         int // tries beyond the first
	RateLimited     int
	TokensIn        int
	TokensOut       int
	CostUSD         float64
	UnpricedIn      int // tokens of answers whose price was not known then
	UnpricedOut     int
	Lost            run.Lost // the part that brought nothing usable
	UnpricedLostIn  int      // tokens of that part without a price
	UnpricedLostOut int
	Remembered      int // answers of other runs that it was given
}
