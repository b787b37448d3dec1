package stats

// PassAtK estimates the chance that at least one of k answers is right, from n answers of which c are right:
//
//	pass@k = 1 - C(n-c, k) / C(n, k)
//
// It is the share of the subsets of k answers that hold a right one, and unbiased; 1 - (1-c/n)^k is too low. Source: M. Chen
// et al., "Evaluating large language models trained on code", arXiv 2107.03374 (2021), section 2.1. The quotient is a
// product of min(c, k) factors, so that large n do not overflow. ok is false unless 1 <= k <= n and 0 <= c <= n.
func PassAtK(n, c, k int) (share float64, ok bool) {
	if k < 1 || k > n || c < 0 || c > n {
		return 0, false
	}
	return 1 - subsets(n, n-c, k), true
}

// PassHatK estimates the chance that k answers are all right, from n answers of which c are right:
//
//	pass^k = C(c, k) / C(n, k)
//
// Source: S. Yao et al., "τ-bench: a benchmark for tool-agent-user interaction in real-world domains", arXiv 2406.12045
// (2024). ok is as of [PassAtK].
func PassHatK(n, c, k int) (share float64, ok bool) {
	if k < 1 || k > n || c < 0 || c > n {
		return 0, false
	}
	return subsets(n, c, k), true
}

// subsets returns C(m, k) / C(n, k), the share of the subsets of k of n things that hold some m of them only.
func subsets(n, m, k int) float64 {
	if m < k {
		return 0
	}
	// C(m, k) / C(n, k) = C(n-k, n-m) / C(n, n-m): the smaller one is the number of factors.
	if n-m < k {
		m, k = n-k, n-m
	}
	share := 1.0
	for i := range k {
		share *= float64(m-i) / float64(n-i)
	}
	return share
}
