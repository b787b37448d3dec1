package ort

// filled is how sentences of several lengths lie in a rectangle.
type filled struct {
	sentences, longest int
	tokens             []int64 // which token stands in each place
	places             []int64 // of each token
	mask               []float32
}

// fill puts sentences, of which start says where they begin, in a rectangle.
// Places behind a sentence's end repeat its first token and are masked.
func fill(start []int) filled {
	f := filled{sentences: len(start) - 1}
	for s := range f.sentences {
		f.longest = max(f.longest, start[s+1]-start[s])
	}
	for s := range f.sentences {
		for t := range f.longest {
			if start[s]+t < start[s+1] {
				f.places = append(f.places, int64(len(f.tokens)))
				f.tokens, f.mask = append(f.tokens, int64(start[s]+t)), append(f.mask, 0)
			} else {
				f.tokens, f.mask = append(f.tokens, int64(start[s])), append(f.mask, masked)
			}
		}
	}
	return f
}
