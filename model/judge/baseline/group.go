package baseline

// Group puts descriptions that could be of one subject into one group and
// returns the groups as indexes, in order of first appearance. A description
// joins the first group with a member that shares more than half of the content
// words of the shorter of the two. One without content words stays alone.
func Group(descriptions []string) [][]int {
	var groups [][]int
	words := make([]map[string]bool, len(descriptions))
	for i, d := range descriptions {
		words[i] = contentOf(d)
		joined := false
		for k, members := range groups {
			for _, m := range members {
				joined = joined || 2*common(words[i], words[m]) > min(len(words[i]), len(words[m]))
			}
			if joined {
				groups[k] = append(members, i)
				break
			}
		}
		if !joined {
			groups = append(groups, []int{i})
		}
	}
	return groups
}

// contentOf is the set of content words of a description.
func contentOf(description string) map[string]bool {
	words := make(map[string]bool)
	t := readText(description)
	for i, w := range t.words {
		if t.isContent(i) {
			words[w.Stem] = true
		}
	}
	return words
}

func common(a, b map[string]bool) (n int) {
	for w := range a {
		if b[w] {
			n++
		}
	}
	return n
}
