package onnx

import (
	"context"
	"fmt"
	"strings"
)

// A folder computes once, when the model is read, what depends on constants
// alone. Nodes that do the same with the same constants, as the branches of an
// If often do, share the result.
type folder struct {
	done map[string][]*Tensor
}

// fold works through a graph in which the constants of outer are seen.
func (f *folder) fold(g *graph, outer *scope) error {
	s := &scope{graph: g, outer: outer}
	inputs := make(map[string]bool)
	for _, name := range g.inputs {
		inputs[name] = true
		delete(g.constants, name) // it is only what the input is unless given
	}
	rest := g.nodes[:0]
	for _, n := range g.nodes {
		inner := false
		for _, a := range n.attrs {
			if a.g == nil {
				continue
			}
			inner = true
			if err := f.fold(a.g, s); err != nil {
				return err
			}
		}
		in, constant := constants(s, n)
		if inner || !constant {
			rest = append(rest, n)
			continue
		}
		out, err := f.compute(n, in)
		if err != nil {
			return fmt.Errorf("%s: %w", n, err)
		}
		for i, name := range n.outputs {
			if i < len(out) && name != "" {
				g.constants[name] = out[i]
			}
		}
	}
	clear(g.nodes[len(rest):])
	g.nodes = rest
	return nil
}

// constants returns the inputs of a node if all are constants. Names are used
// once in a graph and those within it, so a constant of an outer graph is not
// hidden by a value.
func constants(s *scope, n *node) ([]*Tensor, bool) {
	in := make([]*Tensor, len(n.inputs))
	for i, name := range n.inputs {
		if name == "" {
			continue
		}
		if in[i] = s.find(name); in[i] == nil {
			return nil, false
		}
	}
	return in, true
}

func (f *folder) compute(n *node, in []*Tensor) ([]*Tensor, error) {
	var key strings.Builder
	key.WriteString(n.op)
	for _, t := range in {
		fmt.Fprintf(&key, " %p", t)
	}
	for name, a := range n.attrs { // at most one in the nodes worth sharing
		if a.t != nil {
			fmt.Fprintf(&key, " %s=%p", name, a.t)
			continue
		}
		fmt.Fprintf(&key, " %s=%v", name, *a)
	}
	if out, ok := f.done[key.String()]; ok {
		return out, nil
	}
	r := &runner{ctx: context.Background(), arena: new(arena)}
	out, err := n.compute(r, in)
	if err != nil {
		return nil, err
	}
	for i, t := range out {
		kept := *t
		kept.buffer = nil // it stays
		out[i] = &kept
	}
	f.done[key.String()] = out
	return out, nil
}
