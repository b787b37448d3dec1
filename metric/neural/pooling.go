package neural

import (
	"context"

	"omniscope/internal/parallel"
	"omniscope/metric/neural/encoder"
	"omniscope/metric/neural/vec"
)

// pooling makes one vector of each text.
type pooling struct {
	*COMET
	kept     *store
	texts    texts
	ids      [][]int32
	vectors  [][]float32
	mixed    []float32 // of the batch
	vec      *vec.Kernel
	progress progress
}

func newPooling(c *COMET, kept *store) *pooling {
	return &pooling{COMET: c, kept: kept, vec: vec.New(c.options.Set), progress: progress{report: c.options.Progress}}
}

// of are the vectors of texts.
func (p *pooling) of(texts []int) [][]float32 {
	list := make([][]float32, len(texts))
	for i, t := range texts {
		list[i] = p.vectors[t]
	}
	return list
}

func (p *pooling) run(ctx context.Context) error {
	p.ids = p.tokenize(p.texts.all)
	p.vectors = make([][]float32, len(p.texts.all))
	var compute []int
	for t, ids := range p.ids {
		if v, ok := p.kept.floats(keyOf(sentenceValue, ids), p.config.Hidden); ok {
			p.vectors[t] = v
		} else {
			compute = append(compute, t)
			p.progress.total += len(ids)
		}
	}
	return p.encode(ctx, p.ids, compute, p, &p.progress)
}

// visit adds a layer to the mix, and pools the last.
func (p *pooling) visit(batch []int, layer int, h encoder.Hidden) error {
	if layer == p.shown[0] {
		p.mixed = sized(p.mixed, len(h.Rows))
		clear(p.mixed)
	}
	if w := p.mix[layer]; w != 0 {
		p.vec.AddScaled(p.mixed, h.Rows, w)
	}
	if layer != p.layers {
		return nil
	}
	p.vec.Scale(p.mixed, p.gamma)
	parallel.Do(p.options.Threads, len(batch), func(_, s int) {
		out := make([]float32, h.Width)
		pool(out, p.mixed[h.Start[s]*h.Width:h.Start[s+1]*h.Width], p.ids[batch[s]], p.tokenizer.Special().PAD)
		p.vectors[batch[s]] = out
	})
	for _, t := range batch {
		for _, v := range p.vectors[t] {
			if !finite(v) {
				return p.texts.notFinite(t)
			}
		}
	}
	return nil
}

func (p *pooling) finish(batch []int) error {
	var records []record
	for _, t := range batch {
		records = keep(records, keyOf(sentenceValue, p.ids[t]), p.vectors[t])
	}
	p.kept.put(records)
	return nil
}
