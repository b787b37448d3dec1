package verify

import (
	"bytes"
	"context"
	"encoding/binary"
	"maps"
	"math"
	"slices"
	"strings"
	"sync/atomic"

	"omniscope"
	"omniscope/internal/parallel"
	"omniscope/metric/neural/weights"
)

// stretch is how many elements of a tensor one goroutine compares at a time.
const stretch = 8 << 20

// A piece is a stretch of one tensor, and what was found in it.
type piece struct {
	tensor       int // its number among those compared
	first, count int
	found        sums
}

// sums add up over the elements of tensors.
type sums struct {
	changed                int64 // elements whose bits differ
	largest                float64
	change, base           float64 // sums of squares
	brokenBase, brokenHere int64   // elements that are NaN or infinite
}

func (s *sums) add(o sums) {
	s.changed += o.changed
	s.largest = max(s.largest, o.largest)
	s.change += o.change
	s.base += o.base
	s.brokenBase += o.brokenBase
	s.brokenHere += o.brokenHere
}

// compare compares all tensors that both models have. The result does not depend on how many goroutines do it.
func compare(ctx context.Context, base, trained *model, o Options) ([]*modelPart, error) {
	names, pieces, total, err := plan(base, trained)
	if err != nil {
		return nil, err
	}
	var done atomic.Int64
	buffers := make([]buffer, o.Threads)
	err = parallel.Each(ctx, o.Threads, len(pieces), func(worker, i int) error {
		p := &pieces[i]
		a, b := base.tensors[names[p.tensor]], trained.tensors[names[p.tensor]]
		err := weights.Pairs(a.Tensor, b.Tensor, p.first, p.count, func(x, y []byte) error {
			p.found.compare(a.Type, x, y, &buffers[worker])
			return ctx.Err()
		})
		if n := done.Add(2 * int64(p.count) * int64(a.Type.Size())); o.Progress != nil {
			o.Progress(n, total)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	found := make([]sums, len(names))
	for _, p := range pieces {
		found[p.tensor].add(p.found)
	}
	return partsOf(base, trained, names, found), nil
}

// plan lists the tensors of both models and cuts them into pieces; total is the bytes to read. Tensors that have one name and
// cannot be compared are an error.
func plan(base, trained *model) (names []string, pieces []piece, total int64, err error) {
	for _, name := range slices.Sorted(maps.Keys(base.tensors)) {
		a := base.tensors[name]
		b, ok := trained.tensors[name]
		switch {
		case !ok:
			continue
		case a.Type != b.Type:
			return nil, nil, 0, omniscope.Invalidf("tensor %s is %s in %s and %s in %s: bits of two types cannot be compared; save the checkpoint in the base model's type", b.Name, a.Type, a.file, b.Type, b.file)
		case !slices.Equal(a.Shape, b.Shape):
			return nil, nil, 0, omniscope.Invalidf("tensor %s has shape %v in %s and %v in %s: they are two models, not a model and its checkpoint", b.Name, a.Shape, a.file, b.Shape, b.file)
		}
		total += 2 * int64(a.Len()) * int64(a.Type.Size())
		for first := 0; first < a.Len(); first += stretch {
			pieces = append(pieces, piece{tensor: len(names), first: first, count: min(stretch, a.Len()-first)})
		}
		names = append(names, name)
	}
	return names, pieces, total, nil
}

// A buffer holds decoded numbers; each goroutine has one.
type buffer struct{ base, here []float64 }

func grown(b []float64, n int) []float64 { return slices.Grow(b[:0], n)[:n] }

// compare adds the bytes of the same elements of the base and the checkpoint.
func (s *sums) compare(kind weights.DType, base, here []byte, b *buffer) {
	same := bytes.Equal(base, here)
	if !same {
		s.changed += different(kind.Size(), base, here)
	}
	if !kind.IsFloat() {
		return
	}
	n := len(base) / kind.Size()
	b.base = grown(b.base, n)
	kind.Float64s(b.base, base)
	if same {
		s.addNumbers(b.base, b.base)
		return
	}
	b.here = grown(b.here, n)
	kind.Float64s(b.here, here)
	s.addNumbers(b.base, b.here)
}

// addNumbers adds numbers of the base and the checkpoint. Each is looked at alone only where the sums are not finite.
func (s *sums) addNumbers(base, here []float64) {
	var change, norm [2]float64 // two sums each: one addition need not wait for the other
	largest := s.largest
	for i := 0; i < len(base); i++ {
		d := here[i] - base[i]
		change[i&1] += d * d
		norm[i&1] += base[i] * base[i]
		if d = math.Abs(d); d > largest {
			largest = d
		}
	}
	if sum := change[0] + change[1] + norm[0] + norm[1]; finite(sum) {
		s.change += change[0] + change[1]
		s.base += norm[0] + norm[1]
		s.largest = largest
		return
	}
	for i, x := range base {
		y := here[i]
		if !finite(x) || !finite(y) {
			s.addBroken(x, y)
			continue
		}
		d := y - x
		s.change += d * d
		s.base += x * x
		s.largest = max(s.largest, math.Abs(d))
	}
}

func (s *sums) addBroken(base, here float64) {
	if !finite(base) {
		s.brokenBase++
	}
	if !finite(here) {
		s.brokenHere++
	}
}

func finite(x float64) bool { return x-x == 0 }

// different counts the elements whose bytes differ.
func different(size int, a, b []byte) (n int64) {
	if size == 2 { // nearly all weights
		for i := 0; i+2 <= len(a); i += 2 {
			if binary.LittleEndian.Uint16(a[i:]) != binary.LittleEndian.Uint16(b[i:]) {
				n++
			}
		}
		return n
	}
	for i := 0; i < len(a); i += size {
		if !bytes.Equal(a[i:i+size], b[i:i+size]) {
			n++
		}
	}
	return n
}

// partsOf adds tensors up by the first word of their names: first the parts that have verdicts, then others by name.
func partsOf(base, trained *model, names []string, found []sums) []*modelPart {
	parts, totals := make(map[string]*modelPart), make(map[string]*sums)
	part := func(name string) *modelPart {
		first, _, _ := strings.Cut(name, ".")
		if parts[first] == nil {
			parts[first], totals[first] = &modelPart{Name: first}, &sums{}
		}
		return parts[first]
	}
	for i, name := range names {
		p := part(name)
		p.add(base.tensors[name].Tensor, name, found[i])
		totals[p.Name].add(found[i])
	}
	for _, name := range slices.Sorted(maps.Keys(base.tensors)) {
		if _, ok := trained.tensors[name]; !ok {
			p := part(name)
			p.missing = append(p.missing, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(trained.tensors)) {
		if _, ok := base.tensors[name]; !ok {
			p := part(name)
			p.added = append(p.added, name)
		}
	}
	var list []*modelPart
	for _, name := range slices.SortedFunc(maps.Keys(parts), verdictsFirst) {
		parts[name].finish(*totals[name])
		list = append(list, parts[name])
	}
	return list
}

func verdictsFirst(a, b string) int {
	order := []string{llm, audioPart, visualPart} // the later, the earlier in the list
	if x, y := slices.Index(order, a), slices.Index(order, b); x != y {
		return y - x
	}
	return strings.Compare(a, b)
}

// add takes in a tensor that both models have.
func (p *modelPart) add(t weights.Tensor, name string, s sums) {
	p.Elements += int64(t.Len())
	wide := len(t.Shape) > 1
	if wide {
		p.matrices += int64(t.Len())
	}
	if s.changed > 0 {
		p.changed = append(p.changed, name)
	} else {
		p.equal = append(p.equal, name)
		if wide {
			p.unchanged += int64(t.Len())
		}
	}
	if s.brokenBase+s.brokenHere > 0 {
		p.broken = append(p.broken, notFinite{name, s.brokenBase, s.brokenHere})
	}
}

func (p *modelPart) finish(s sums) {
	p.Equal, p.Changed, p.Missing, p.New = len(p.equal), len(p.changed), len(p.missing), len(p.added)
	p.Tensors, p.ChangedElements, p.LargestChange = p.Equal+p.Changed, s.changed, s.largest
	if s.base > 0 && !math.IsInf(s.base, 0) && !math.IsInf(s.change, 0) {
		relative := math.Sqrt(s.change / s.base)
		p.RelativeChange = &relative
	}
}
