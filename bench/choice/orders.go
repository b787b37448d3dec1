package choice

import (
	"hash/fnv"
	"math/rand/v2"

	"omniscope/bench"
)

var _ bench.Optioned = (*benchmark)(nil)

// Options implements bench.Optioned.
func (b *benchmark) Options() []bench.Option {
	return []bench.Option{
		{Name: "shuffle", Value: bench.Number(&b.shuffle), Help: "in a cascade: show the options in another order, drawn for each question by this seed; 0 = as in the file"},
		{Name: "circular", Value: bench.Switch(&b.circular), Help: "in a cascade: ask each question once for each option, which take turns in standing first; it is right\nif it is right every time"},
		{Name: bench.AnyQuestions, Value: bench.Switch(&b.any), Help: "score answers also where their row has another question, other options or another right answer than the\nbenchmark's file"},
	}
}

// orders are the orders in which a question's options are shown, each as numbers of
// options. A preference for some letter shows in one order, and not in all.
func (e *evaluation) orders(q *question) [][]int {
	n := len(q.Options)
	first := make([]int, n)
	for i := range first {
		first[i] = i
	}
	if e.shuffle > 0 {
		name := fnv.New64a()
		name.Write([]byte(q.ID))
		rand.New(rand.NewPCG(uint64(e.shuffle), name.Sum64())).Shuffle(n, func(i, k int) { first[i], first[k] = first[k], first[i] })
	}
	orders := [][]int{first}
	if e.circular {
		for turn := 1; turn < n; turn++ {
			next := append(append([]int{}, first[turn:]...), first[:turn]...)
			orders = append(orders, next)
		}
	}
	return orders
}

// inOrder are a question's options in an order.
func (q *question) inOrder(order []int) []string {
	out := make([]string, len(order))
	for i, o := range order {
		out[i] = q.Options[o]
	}
	return out
}
