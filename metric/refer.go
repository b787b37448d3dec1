package metric

// Consistency is how consistently a caption refers to a subject (CapRiCorn-1K,
// arXiv 2606.21949, section 3.2.2): of all pairs of the keypoints that name the
// subject, the share whose descriptions were put into one group. Keypoints that
// the caption leaves out are in no group. It is 0 to 1 as long as the groups hold
// no more descriptions than there are keypoints, and above 1 where they do: the
// published scorer takes the sizes of a reply, which may repeat some. ok is false
// for a subject of fewer than two keypoints, which has no pair.
func Consistency(groups []int, keypoints int) (ref float64, ok bool) {
	if keypoints < 2 {
		return 0, false
	}
	pairs := 0
	for _, n := range groups {
		pairs += n * (n - 1) / 2
	}
	return float64(pairs) / float64(keypoints*(keypoints-1)/2), true
}
