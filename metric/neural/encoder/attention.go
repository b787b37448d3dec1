package encoder

import (
	"math"

	"omniscope/internal/parallel"
	"omniscope/metric/neural/gemm"
)

// queries is how many rows of scores are computed at a time. They stay in the
// cache, and the memory does not grow with the square of the length.
const queries = 96

// head is one worker's memory for attention.
type head struct {
	keys, values gemm.Packed
	scores       []float32
}

// Attention is done for each sentence and head alone. Long sentences come in
// several stretches of queries only within their own piece of work: the packed
// keys and values are the same for all of them.
func (c *cpu) Attention(qkv matrix) matrix {
	out := c.matrix(c.cfg.Hidden)
	sentences := len(c.in.Start) - 1
	parallel.Do(c.threads, sentences*c.cfg.Heads, func(worker, i int) {
		c.attend(&c.heads[worker], out, qkv, i/c.cfg.Heads, i%c.cfg.Heads)
	})
	return out
}

func (c *cpu) attend(w *head, out, qkv matrix, sentence, number int) {
	width := c.cfg.Hidden / c.cfg.Heads
	from, to := c.in.Start[sentence], c.in.Start[sentence+1]
	length := to - from
	// column returns what begins in the first row at the head's part of block b.
	column := func(b int) []float32 { return qkv.rows[from*qkv.width+b*c.cfg.Hidden+number*width:] }
	c.gemm.PackInto(&w.keys, column(1), length, width, qkv.width, false)
	c.gemm.PackInto(&w.values, column(2), width, length, qkv.width, true)
	if need := min(queries, length) * length; cap(w.scores) < need {
		w.scores = make([]float32, need)
	}
	scale := float32(1 / math.Sqrt(float64(width)))
	for first := 0; first < length; first += queries {
		rows := min(queries, length-first)
		scores := w.scores[:rows*length]
		c.gemm.Mul(scores, length, column(0)[first*qkv.width:], qkv.width, rows, &w.keys, nil)
		for i := 0; i < len(scores); i += length {
			c.vec.Softmax(scores[i:i+length], scale)
		}
		c.gemm.Mul(out.rows[(from+first)*out.width+number*width:], out.width, scores, length, rows, &w.values, nil)
	}
}
