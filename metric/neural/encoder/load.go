package encoder

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"omniscope"
	"omniscope/internal/parallel"
)

// loadThreads is how many read weights at most. More would only wait for memory
// or the disk, and each needs room for a product's matrices.
const loadThreads = 4

// load takes the weights from src, from the first layer on, as most files have
// them in that order.
func (c *cpu) load(src Source) error {
	if err := c.loadTables(src); err != nil {
		return err
	}
	places := []Place{{0, Embeddings}}
	for layer := range c.cfg.Layers {
		for part := QueryKeyValue; part <= OutputNorm; part++ {
			places = append(places, Place{layer, part})
		}
	}
	loaders := make([]loader, loadThreads)
	var mu sync.Mutex
	failed, first := error(nil), len(places)
	parallel.Do(min(c.threads, loadThreads), len(places), func(worker, i int) {
		mu.Lock()
		stop := failed != nil
		mu.Unlock()
		if stop {
			return
		}
		l := &loaders[worker]
		l.cpu, l.src = c, src
		lin, n, err := l.place(places[i])
		mu.Lock()
		defer mu.Unlock()
		switch {
		case err != nil:
			if i < first { // the same error, whichever worker was faster
				failed, first = err, i
			}
		case lin.weight != nil:
			c.linear[places[i]] = lin
		default:
			c.norm[places[i]] = n
		}
	})
	return failed
}

// loadTables leaves the tables where they are. That of words is large and few
// of its rows are used: whether they are finite is seen when they are.
func (c *cpu) loadTables(src Source) (err error) {
	if c.words, err = src.Floats(WordTable, c.cfg.Vocab, c.cfg.Hidden); err != nil {
		return err
	}
	l := loader{cpu: c, src: src}
	if c.positions, err = l.floats(PositionTable, c.cfg.Positions, c.cfg.Hidden); err != nil {
		return err
	}
	c.types, err = l.floats(TypeTable, c.cfg.Types, c.cfg.Hidden)
	return err
}

// loader is one worker's memory while loading.
type loader struct {
	cpu  *cpu
	src  Source
	side []float32 // matrices of a product, one above the other
}

// floats returns a tensor whose numbers are all finite.
func (l *loader) floats(name string, shape ...int) ([]float32, error) {
	numbers, err := l.src.Floats(name, shape...)
	if err != nil {
		return nil, err
	}
	size := 1
	for _, n := range shape {
		size *= n
	}
	if len(numbers) != size {
		return nil, fmt.Errorf("tensor %s: the source gave %d numbers for shape %v", name, len(numbers), shape)
	}
	if i := notFinite(numbers); i >= 0 {
		return nil, omniscope.Invalidf("tensor %s: number %d is %v: the file is damaged", name, i, numbers[i])
	}
	return numbers, nil
}

// notFinite returns where the first NaN or infinity is, else -1.
func notFinite(numbers []float32) int {
	const exponent = 0x7f800000
	for i, x := range numbers {
		if math.Float32bits(x)&exponent == exponent {
			return i
		}
	}
	return -1
}

func (l *loader) release(name string) {
	if r, ok := l.src.(releaser); ok {
		r.Release(name)
	}
}

// place loads a linear map, or a norm.
func (l *loader) place(at Place) (lin linear, n norm, err error) {
	switch at.Part {
	case Embeddings, AttentionNorm, OutputNorm:
		n, err = l.norm(at.Modules()[0])
	default:
		lin, err = l.linear(at)
	}
	return lin, n, err
}

// norm copies factors and offsets: they are small, and lie in pages that are
// given back with their neighbours.
func (l *loader) norm(module string) (n norm, err error) {
	if n.gamma, err = l.copied(nil, module+".weight", l.cpu.cfg.Hidden); err == nil {
		n.beta, err = l.copied(nil, module+".bias", l.cpu.cfg.Hidden)
	}
	return n, err
}

// copied appends a tensor to numbers.
func (l *loader) copied(numbers []float32, name string, shape ...int) ([]float32, error) {
	tensor, err := l.floats(name, shape...)
	if err != nil {
		return nil, err
	}
	numbers = append(numbers, tensor...)
	l.release(name)
	return numbers, nil
}

func (l *loader) linear(at Place) (lin linear, err error) {
	modules := at.Modules()
	out, in := at.size(l.cpu.cfg)
	for _, module := range modules {
		if lin.bias, err = l.copied(lin.bias, module+".bias", out); err != nil {
			return lin, err
		}
	}
	if len(modules) == 1 {
		name := modules[0] + ".weight"
		weight, err := l.floats(name, out, in)
		if err != nil {
			return lin, err
		}
		lin.weight = l.cpu.gemm.Pack(weight, out, in)
		l.release(name)
		return lin, nil
	}
	l.side = slices.Grow(l.side[:0], len(modules)*out*in)
	for _, module := range modules {
		if l.side, err = l.copied(l.side, module+".weight", out, in); err != nil {
			return lin, err
		}
	}
	lin.weight = l.cpu.gemm.Pack(l.side, len(modules)*out, in)
	return lin, nil
}
