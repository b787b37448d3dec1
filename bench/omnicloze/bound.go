package omnicloze

import "omniscope/bench"

// Bound implements bench.Bounder: a later asking sends the reply back, says what
// is wrong with it, and gives the wanted form.
func (e *evaluation) Bound(i int) (bench.Bound, error) {
	p := parsers.Get().(*parser)
	defer parsers.Put(p)
	it, _, err := e.data.load(p, i)
	if err != nil {
		return bench.Bound{}, err
	}
	const words = 1000 // around the reply, and about it
	return bench.Bound{RepairBytes: words + len(schema(len(it.blanks)).JSON)}, nil
}
