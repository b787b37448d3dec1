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

// Cost returns what the calls cost, in US dollars. It is not known where some answers had no
// price, nor where nothing was charged: an answer without a price is stored as one of 0.
func (u Usage) Cost() (usd float64, known bool) {
	return u.CostUSD, u.CostUSD > 0 && u.UnpricedIn+u.UnpricedOut == 0
}
