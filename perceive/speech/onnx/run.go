package onnx

import (
	"context"
	"fmt"
	"slices"
)

// A runner is one run of a model.
type runner struct {
	ctx   context.Context
	arena *arena
	outer *scope // of the node that is run, for its subgraphs
}

// A scope holds the values of a graph while it runs.
type scope struct {
	graph  *graph
	values map[string]*Tensor
	outer  *scope
}

func (s *scope) find(name string) *Tensor {
	for ; s != nil; s = s.outer {
		if t := s.values[name]; t != nil {
			return t
		}
		if t := s.graph.constants[name]; t != nil {
			return t
		}
	}
	return nil
}

// Run computes all outputs from the inputs, which are named as in Inputs. It
// stops between two nodes when ctx is cancelled.
func (m *Model) Run(ctx context.Context, inputs map[string]*Tensor) (map[string]*Tensor, error) {
	s := &scope{graph: m.graph, values: make(map[string]*Tensor)}
	for _, name := range m.graph.inputs {
		t := inputs[name]
		if t == nil {
			return nil, fmt.Errorf("the input %q is missing", name)
		}
		if err := t.check(); err != nil {
			return nil, fmt.Errorf("input %q: %w", name, err)
		}
		kept := *t
		kept.buffer = nil // it is the caller's
		s.values[name] = &kept
	}
	r := &runner{ctx: ctx}
	if r.arena, _ = m.arenas.Get().(*arena); r.arena == nil {
		r.arena = new(arena)
	}
	list, err := r.graph(s)
	if err != nil {
		return nil, err // with whatever is in the arena
	}
	m.arenas.Put(r.arena)
	outputs := make(map[string]*Tensor)
	for i, name := range m.graph.outputs {
		t := *list[i]
		t.buffer = nil // it is the caller's from now on
		outputs[name] = &t
	}
	return outputs, nil
}

// graph runs a graph. The outputs are retained once each.
func (r *runner) graph(s *scope) ([]*Tensor, error) {
	for i, n := range s.graph.nodes {
		if err := r.node(s, n); err != nil {
			return nil, err
		}
		for _, name := range n.uses {
			if t := s.values[name]; t != nil && s.graph.last[name] == i {
				r.arena.release(t)
				delete(s.values, name)
			}
		}
	}
	var outputs []*Tensor
	for _, name := range s.graph.outputs {
		t := s.find(name)
		if t == nil {
			return nil, fmt.Errorf("nothing computes the output %q", name)
		}
		t.retain()
		outputs = append(outputs, t)
	}
	for _, t := range s.values {
		r.arena.release(t)
	}
	return outputs, nil
}

func (r *runner) node(s *scope, n *node) error {
	if err := r.ctx.Err(); err != nil {
		return err
	}
	in := make([]*Tensor, len(n.inputs))
	for i, name := range n.inputs {
		if name == "" {
			continue
		}
		if in[i] = s.find(name); in[i] == nil {
			return fmt.Errorf("%s: nothing computes its input %q", n, name)
		}
	}
	r.outer = s
	out, err := n.compute(r, in)
	if err != nil {
		return fmt.Errorf("%s: %w", n, err)
	}
	for i, t := range out {
		if i < len(n.outputs) && n.outputs[i] != "" {
			if s.values[n.outputs[i]] != nil {
				return fmt.Errorf("%s: %q is computed twice", n, n.outputs[i])
			}
			s.values[n.outputs[i]] = t
		} else {
			r.arena.release(t)
		}
	}
	return nil
}

func (n *node) String() string { return n.op + " " + n.name }

// branch runs the subgraph that the condition of an If chooses.
func branch(r *runner, n *node, in []*Tensor) ([]*Tensor, error) {
	if in[0].Kind != boolKind || in[0].len() != 1 {
		return nil, fmt.Errorf("the condition is %s, not one truth value", in[0])
	}
	name := "else_branch"
	if in[0].B[0] != 0 {
		name = "then_branch"
	}
	a := n.attrs[name]
	if a == nil || a.g == nil {
		return nil, fmt.Errorf("it has no %s", name)
	}
	return r.graph(&scope{graph: a.g, values: make(map[string]*Tensor), outer: r.outer})
}

// prepare notes where each value is needed for the last time, and drops
// constants that nothing needs.
func (g *graph) prepare() {
	g.last = make(map[string]int)
	for i, n := range g.nodes {
		n.uses = slices.Clone(n.inputs)
		for _, a := range n.attrs {
			if a.g != nil {
				a.g.prepare()
				n.uses = append(n.uses, a.g.taken()...)
			}
		}
		slices.Sort(n.uses)
		n.uses = slices.Compact(n.uses)
		for _, name := range n.uses {
			g.last[name] = i
		}
	}
	for _, name := range g.outputs {
		g.last[name] = len(g.nodes)
	}
	for name := range g.constants {
		if _, needed := g.last[name]; !needed {
			delete(g.constants, name)
		}
	}
}

// taken are the names that a prepared subgraph takes from outside.
func (g *graph) taken() (list []string) {
	made := make(map[string]bool)
	for _, n := range g.nodes {
		for _, name := range n.outputs {
			made[name] = true
		}
	}
	for name := range g.last {
		if !made[name] && g.constants[name] == nil {
			list = append(list, name)
		}
	}
	return list
}
