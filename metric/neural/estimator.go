package neural

import (
	"fmt"
	"sync"

	"omniscope/metric/neural/gemm"
	"omniscope/metric/neural/vec"
)

// An estimator makes a score of three sentence vectors: three linear maps with
// Tanh between them, and nothing behind the last (Rei et al. 2020, section 2.3;
// COMET 2.2.4's FeedForward without dropout). All of it is float32.
type estimator struct {
	width  int // of a sentence vector
	linear [3]linear
	gemm   *gemm.Kernel
	vec    *vec.Kernel
	once   sync.Once
	packed [3]*gemm.Packed
}

// A linear map is out numbers of in.
type linear struct {
	in, out      int
	weight, bias []float32
}

// estimatorRows is how many segments are scored at a time.
const estimatorRows = 128

// newEstimator takes the maps from a checkpoint.
func newEstimator(n *network, hidden [2]int) (*estimator, error) {
	e := &estimator{width: n.config.Hidden, gemm: gemm.New(n.options.Set), vec: vec.New(n.options.Set)}
	sizes := []int{6 * e.width, hidden[0], hidden[1], 1}
	for i := range e.linear {
		l := linear{in: sizes[i], out: sizes[i+1]}
		name := fmt.Sprintf("estimator.ff.%d.", 3*i) // activation and dropout are counted
		var err error
		if l.weight, err = n.file.Floats(name+"weight", l.out, l.in); err != nil {
			return nil, fmt.Errorf("%w (hidden_sizes of hparams.yaml are %v)", err, hidden)
		}
		if l.bias, err = n.file.Floats(name+"bias", l.out); err != nil {
			return nil, err
		}
		e.linear[i] = l
	}
	return e, nil
}

// scores returns the score of each three vectors.
func (e *estimator) scores(threads int, sources, hypotheses, references [][]float32) []float32 {
	e.once.Do(func() {
		for i, l := range e.linear {
			e.packed[i] = e.gemm.Pack(l.weight, l.out, l.in)
		}
	})
	scores := make([]float32, 0, len(sources))
	for start := 0; start < len(sources); start += estimatorRows {
		end := min(start+estimatorRows, len(sources))
		x := make([]float32, 0, (end-start)*6*e.width)
		for i := start; i < end; i++ {
			x = features(x, sources[i], hypotheses[i], references[i])
		}
		scores = append(scores, e.forward(threads, x, end-start)...)
	}
	return scores
}

func (e *estimator) forward(threads int, x []float32, rows int) []float32 {
	for i, l := range e.linear {
		out := make([]float32, rows*l.out)
		e.gemm.MulParallel(threads, out, l.out, x, l.in, rows, e.packed[i], l.bias)
		if i+1 < len(e.linear) {
			e.vec.Tanh(out)
		}
		x = out
	}
	return x
}

// features puts what the estimator looks at behind x: hypothesis, reference,
// product and distance of both, product and distance of hypothesis and source.
func features(x, source, hypothesis, reference []float32) []float32 {
	x = append(append(x, hypothesis...), reference...)
	for _, other := range [][]float32{reference, source} {
		for i, h := range hypothesis {
			x = append(x, h*other[i])
		}
		for i, h := range hypothesis {
			x = append(x, max(h-other[i], other[i]-h))
		}
	}
	return x
}
