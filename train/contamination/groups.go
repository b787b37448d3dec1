package contamination

// groups are the clips of each source: those that share an id, an address, a file or a digest, and those that share one with
// these.
type groups struct {
	parent  []int
	members map[int][]int // by the first of the group, in order
}

func groupsOf(clips []clip) *groups {
	g := &groups{parent: make([]int, len(clips)), members: make(map[int][]int)}
	first := make(map[string]int)
	for i := range clips {
		g.parent[i] = i
		for _, key := range clips[i].group {
			if other, there := first[key]; there {
				g.join(other, i)
			} else {
				first[key] = i
			}
		}
	}
	for i := range clips {
		g.members[g.of(i)] = append(g.members[g.of(i)], i)
	}
	return g
}

// of is the group of a clip.
func (g *groups) of(i int) int {
	for g.parent[i] != i {
		g.parent[i] = g.parent[g.parent[i]]
		i = g.parent[i]
	}
	return i
}

func (g *groups) join(i, j int) {
	i, j = g.of(i), g.of(j)
	g.parent[max(i, j)] = min(i, j)
}
