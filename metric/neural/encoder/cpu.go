package encoder

import (
	"sync"

	"omniscope"
	"omniscope/metric/neural/gemm"
	"omniscope/metric/neural/isa"
	"omniscope/metric/neural/vec"
)

// cpu does tensorOps at once, with all threads.
type cpu struct {
	cfg     Config
	threads int
	gemm    *gemm.Kernel
	vec     *vec.Kernel

	words, positions, types []float32 // tables, which belong to the source
	linear                  map[Place]linear
	norm                    map[Place]norm

	in    tokens
	fault error               // found while computing
	room  int                 // how many tokens there is memory for
	free  map[int][][]float32 // memory of values that are not used any more, by width
	heads []head              // one for each worker
}

// linear is x·Wᵀ + b.
type linear struct {
	weight *gemm.Packed
	bias   []float32
}

// norm is LayerNorm's factors and offsets.
type norm struct{ gamma, beta []float32 }

// matrix has a row for each token.
type matrix struct {
	rows  []float32
	width int
}

var _ tensorOps[matrix] = (*cpu)(nil)

func newCPU(cfg Config, src Source, threads int, set isa.Set) (*cpu, error) {
	c := &cpu{
		cfg: cfg, threads: threads, gemm: gemm.New(set), vec: vec.New(set),
		linear: make(map[Place]linear), norm: make(map[Place]norm),
		heads: make([]head, threads), free: make(map[int][][]float32),
	}
	if err := c.load(src); err != nil {
		return nil, err
	}
	return c, nil
}

// reset makes ready for other sentences. Memory that is too small for them goes:
// kept beside what replaces it, it would add up over many calls.
func (c *cpu) reset(ids [][]int32) error {
	const step = 128 // tokens; a little more should not need other memory
	c.fault = nil
	if err := c.in.Set(c.cfg, ids); err != nil {
		return err
	}
	if n := len(c.in.IDs); n > c.room {
		c.room, c.free = (n+step-1)/step*step, make(map[int][][]float32)
	}
	return nil
}

// matrix returns one with anything in it.
func (c *cpu) matrix(width int) matrix {
	n := len(c.in.IDs) * width
	if free := c.free[width]; len(free) > 0 {
		c.free[width] = free[:len(free)-1]
		return matrix{free[len(free)-1][:n], width}
	}
	return matrix{make([]float32, n, c.room*width), width}
}

func (c *cpu) Free(m matrix) { c.free[m.width] = append(c.free[m.width], m.rows) }

func (c *cpu) Embed() matrix {
	out := c.matrix(c.cfg.Hidden)
	n, width := c.norm[Place{0, Embeddings}], c.cfg.Hidden
	var mu sync.Mutex
	bad := -1
	parallelRows(c.threads, len(c.in.IDs), func(from, to int) {
		for t := from; t < to; t++ {
			row := out.rows[t*width:][:width]
			copy(row, c.words[int(c.in.IDs[t])*width:])
			if notFinite(row) >= 0 {
				mu.Lock()
				bad = max(bad, int(c.in.IDs[t]))
				mu.Unlock()
			}
			c.vec.Add(row, c.types[:width])
			position := c.positions[int(c.in.Positions[t])*width:][:width]
			c.vec.AddNorm(row, row, position, n.gamma, n.beta, float32(c.cfg.Eps))
		}
	})
	if bad >= 0 {
		c.fault = omniscope.Invalidf("tensor %s: row %d has numbers that are not finite: the file is damaged", WordTable, bad)
	}
	return out
}

func (c *cpu) Linear(x matrix, at Place, then activation) matrix {
	l := c.linear[at]
	out := c.matrix(l.weight.N)
	c.gemm.MulParallel(c.threads, out.rows, out.width, x.rows, x.width, len(c.in.IDs), l.weight, l.bias)
	if then == gelu {
		parallelRows(c.threads, len(c.in.IDs), func(from, to int) {
			c.vec.GELU(out.rows[from*out.width : to*out.width])
		})
	}
	return out
}

func (c *cpu) AddNorm(x, residual matrix, at Place) matrix {
	out := c.matrix(x.width)
	n, width := c.norm[at], x.width
	parallelRows(c.threads, len(c.in.IDs), func(from, to int) {
		for i := from * width; i < to*width; i += width {
			c.vec.AddNorm(out.rows[i:i+width], x.rows[i:i+width], residual.rows[i:i+width], n.gamma, n.beta, float32(c.cfg.Eps))
		}
	})
	return out
}
