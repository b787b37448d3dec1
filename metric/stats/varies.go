package stats

import "math"

// Varies reports whether an exchange of the sides of one cluster changes the difference of a statistic. If not (such as a score
// of 0 in all clusters of both sides), all arrangements of [PermutationTest] and [DropTest] are equal: P is always 1, and [Holm]
// need not count the test.
func Varies(a, b Clusters, stat Statistic) bool {
	if _, _, ok := join(a, b); !ok || a.Len() == 0 {
		return false
	}
	p := newPermuter(a, b)
	found, ok := p.difference(stat)
	if !ok {
		return true // nothing is known of it
	}
	for i := range a.Len() {
		p.reset()
		p.swap(i)
		d, ok := p.difference(stat)
		// Sums in another order differ in their last bits.
		if !ok || math.Abs(d-found) > 1e-12*math.Abs(found)+1e-15 {
			return true
		}
	}
	return false
}
