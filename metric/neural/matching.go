package neural

import (
	"context"
	"slices"

	"omniscope"
	"omniscope/internal/parallel"
	"omniscope/metric/neural/encoder"
	"omniscope/metric/neural/vec"
	"omniscope/metric/textnorm"
)

// chunkTokens is how many tokens' vectors are held at a time, and once more for
// the chunk before: 64 MB of roberta-large's each.
const chunkTokens = 16384

// A pair is two texts, by number.
type pair struct {
	hypothesis, reference int
	known                 bool
	found                 Match
}

// matching is one call of Match.
type matching struct {
	*BERTScore
	kept *store

	texts       texts
	ids         [][]int32
	isReference []bool
	pairs       []pair // the different ones
	of          []int  // the pair of each hypothesis

	chunk    []int           // pairs that are looked at
	vectors  map[int]vectors // of their texts, as far as they are there
	matchers []*matcher
	vec      *vec.Kernel
	progress progress
}

func newMatching(b *BERTScore, kept *store, hypotheses, references []string) *matching {
	w := &matching{BERTScore: b, kept: kept, vec: vec.New(b.options.Set), progress: progress{report: b.options.Progress}}
	index := map[[2]int]int{}
	for i := range hypotheses {
		two := [2]int{w.texts.add("hypothesis", i, textnorm.Strip(hypotheses[i])), w.texts.add("reference", i, textnorm.Strip(references[i]))}
		p, ok := index[two]
		if !ok {
			p = len(w.pairs)
			index[two] = p
			w.pairs = append(w.pairs, pair{hypothesis: two[0], reference: two[1]})
		}
		w.of = append(w.of, p)
	}
	w.ids = b.tokenize(w.texts.all)
	w.isReference = make([]bool, len(w.texts.all))
	for i := range w.pairs {
		w.isReference[w.pairs[i].reference] = true
		w.recall(&w.pairs[i])
	}
	for range b.options.Threads {
		w.matchers = append(w.matchers, newMatcher(b.options.Set, b.config.Hidden))
	}
	return w
}

// recall fills in what need not be computed: empty texts, and what is
// remembered.
func (w *matching) recall(p *pair) {
	h, r := len(w.ids[p.hypothesis]), len(w.ids[p.reference])
	p.found = Match{HypothesisTokens: h, ReferenceTokens: r}
	if h == 2 || r == 2 {
		p.known = true
		return
	}
	if v, ok := w.kept.floats(w.pairKey(*p), 4); ok {
		p.found.P, p.found.PZero, p.found.R, p.found.RZero = v[0], v[1], v[2], v[3]
		p.known = true
	}
}

func (w *matching) pairKey(p pair) key {
	return keyOf(pairValue, w.ids[p.hypothesis], w.ids[p.reference])
}

func (w *matching) run(ctx context.Context) error {
	chunks := w.chunks()
	w.progress.total = w.toEncode(chunks)
	for _, w.chunk = range chunks {
		if err := w.fetch(ctx, w.needed(w.chunk)); err != nil {
			return err
		}
	}
	return nil
}

// toEncode is how many tokens must be encoded, see fetch.
func (w *matching) toEncode(chunks [][]int) (tokens int) {
	var before []int
	for _, chunk := range chunks {
		needed := w.needed(chunk)
		slices.Sort(needed)
		for _, t := range needed {
			_, there := slices.BinarySearch(before, t)
			if !there && !(w.isReference[t] && w.kept.knows(w.tokensKey(t))) {
				tokens += len(w.ids[t])
			}
		}
		before = needed
	}
	return tokens
}

// chunks groups the pairs that are not known, those of one reference together.
func (w *matching) chunks() (chunks [][]int) {
	byReference := make([][]int, len(w.texts.all))
	var references []int
	for i, p := range w.pairs {
		if p.known {
			continue
		}
		if byReference[p.reference] == nil {
			references = append(references, p.reference)
		}
		byReference[p.reference] = append(byReference[p.reference], i)
	}
	var chunk []int
	tokens := 0
	for _, r := range references {
		for _, i := range byReference[r] {
			size := len(w.ids[w.pairs[i].hypothesis]) + len(w.ids[r])
			if tokens+size > chunkTokens && len(chunk) > 0 {
				chunks = append(chunks, chunk)
				chunk, tokens = nil, 0
			}
			chunk, tokens = append(chunk, i), tokens+size
		}
	}
	if len(chunk) > 0 {
		chunks = append(chunks, chunk)
	}
	return chunks
}

// needed lists the texts of a chunk, each once.
func (w *matching) needed(chunk []int) (list []int) {
	seen := map[int]bool{}
	for _, i := range chunk {
		for _, t := range []int{w.pairs[i].hypothesis, w.pairs[i].reference} {
			if !seen[t] {
				seen[t] = true
				list = append(list, t)
			}
		}
	}
	return list
}

// matchReady matches the pairs of the chunk for which both texts have vectors,
// and returns the records to store.
func (w *matching) matchReady() ([]record, error) {
	var ready []int
	for _, i := range w.chunk {
		p := &w.pairs[i]
		_, h := w.vectors[p.hypothesis]
		_, r := w.vectors[p.reference]
		if !p.known && h && r {
			p.known = true
			ready = append(ready, i)
		}
	}
	parallel.Do(len(w.matchers), len(ready), func(worker, i int) {
		p := &w.pairs[ready[i]]
		p.found = w.matchers[worker].match(w.vectors[p.hypothesis], w.vectors[p.reference])
	})
	var records []record
	for _, i := range ready {
		p := w.pairs[i]
		if err := w.check(p); err != nil {
			return nil, err
		}
		records = keep(records, w.pairKey(p), []float32{p.found.P, p.found.PZero, p.found.R, p.found.RZero})
	}
	return records, nil
}

// check refuses numbers that are none, but for the mean of no tokens.
func (w *matching) check(p pair) error {
	bad := func(mean float32, t int) bool { return !finite(mean) && slices.Contains(w.vectors[t].counts, true) }
	if bad(p.found.P, p.hypothesis) || bad(p.found.R, p.reference) {
		return omniscope.Invalidf("%s with %s, counted from 0: the score is no finite number, so the weights are damaged or of another model",
			w.texts.first[p.hypothesis], w.texts.first[p.reference])
	}
	return nil
}

// fetch has the vectors of texts: of the chunk before, remembered, or computed.
// References come first, so that each batch of hypotheses completes its pairs.
func (w *matching) fetch(ctx context.Context, needed []int) error {
	before := w.vectors
	w.vectors = make(map[int]vectors, len(needed))
	var references, hypotheses []int
	for _, t := range needed {
		if v, ok := before[t]; ok {
			w.vectors[t] = v
		} else if !w.isReference[t] {
			hypotheses = append(hypotheses, t)
		} else if rows, ok := w.kept.floats(w.tokensKey(t), len(w.ids[t])*w.config.Hidden); ok {
			w.vectors[t] = vectors{rows, w.counts(t)}
		} else {
			references = append(references, t)
		}
	}
	if err := w.finish(nil); err != nil {
		return err
	}
	if err := w.encode(ctx, w.ids, references, w, &w.progress); err != nil {
		return err
	}
	return w.encode(ctx, w.ids, hypotheses, w, &w.progress)
}

func (w *matching) tokensKey(t int) key { return keyOf(tokensValue, w.ids[t]) }

// counts tells which tokens count: all but those with the ids that begin and
// end a text, wherever they stand.
func (w *matching) counts(t int) []bool {
	special := w.tokenizer.Special()
	counts := make([]bool, len(w.ids[t]))
	for i, id := range w.ids[t] {
		counts[i] = id != special.CLS && id != special.SEP
	}
	return counts
}

func (w *matching) visit(batch []int, layer int, h encoder.Hidden) error {
	if layer != w.layers {
		return nil
	}
	for s, t := range batch {
		rows := append([]float32(nil), h.Sentence(s)...)
		for i := 0; i < len(rows); i += h.Width {
			row := rows[i:][:h.Width]
			if square := w.vec.Dot(row, row); square == 0 || !finite(square) {
				return w.texts.notFinite(t)
			}
			w.vec.Normalize(row)
		}
		w.vectors[t] = vectors{rows, w.counts(t)}
	}
	return nil
}

// finish keeps what a batch made: an interruption loses no more.
func (w *matching) finish(batch []int) error {
	records, err := w.matchReady()
	if err != nil {
		return err
	}
	for _, t := range batch {
		if w.kept != nil && w.isReference[t] {
			records = keep(records, w.tokensKey(t), w.vectors[t].rows)
		}
	}
	w.kept.put(records)
	return nil
}
