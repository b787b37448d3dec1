package match

import "math"

// A pair is one thing of a first list and one of a second, by their places.
type pair struct{ A, B int }

// Pairs matches two lists one to one, so that the likenesses of the pairs add up to the most that
// is possible. like is from 0 to 1; less than least is no match. The pairs come in the order of
// the first list. The time grows with the third power of the lengths: lists of hundreds are fine.
func Pairs(a, b int, like func(i, k int) float64, least float64) (pairs []pair) {
	n := max(a, b)
	gain := make([][]float64, n) // a square, since the method needs one; what is beyond a list gains nothing
	for i := range gain {
		gain[i] = make([]float64, n)
		for k := range gain[i] {
			if i < a && k < b {
				if l := like(i, k); l >= least {
					gain[i][k] = l
				}
			}
		}
	}
	for i, k := range assign(gain) {
		if gain[i][k] > 0 {
			pairs = append(pairs, pair{i, k})
		}
	}
	return pairs
}

// assign gives each row of a square one column, each column to one row, with the greatest sum. It is the
// Hungarian method with potentials, one row after the other: H. W. Kuhn, "The Hungarian Method
// for the assignment problem" (1955), in the form with O(n³) steps. Rows and columns count from 1
// in it; 0 stands for none.
func assign(gain [][]float64) (columnOf []int) {
	n := len(gain)
	rowCost, columnCost := make([]float64, n+1), make([]float64, n+1)
	rowOf, cameFrom := make([]int, n+1), make([]int, n+1)
	for row := 1; row <= n; row++ {
		slack, seen := make([]float64, n+1), make([]bool, n+1)
		for k := range slack {
			slack[k] = math.Inf(1)
		}
		rowOf[0] = row
		at := 0
		for rowOf[at] != 0 { // look for a free column, always by the cheapest step
			seen[at] = true
			i, step, next := rowOf[at], math.Inf(1), 0
			for k := 1; k <= n; k++ {
				if seen[k] {
					continue
				}
				if cost := -gain[i-1][k-1] - rowCost[i] - columnCost[k]; cost < slack[k] {
					slack[k], cameFrom[k] = cost, at
				}
				if slack[k] < step {
					step, next = slack[k], k
				}
			}
			for k := 0; k <= n; k++ {
				if seen[k] {
					rowCost[rowOf[k]] += step
					columnCost[k] -= step
				} else {
					slack[k] -= step
				}
			}
			at = next
		}
		for at != 0 { // give every row on the way the column that it was found by
			rowOf[at] = rowOf[cameFrom[at]]
			at = cameFrom[at]
		}
	}
	columnOf = make([]int, n)
	for k := 1; k <= n; k++ {
		columnOf[rowOf[k]-1] = k - 1
	}
	return columnOf
}
