// Package onnx runs neural networks stored in the ONNX format: a small
// interpreter in plain Go of just the operators that the speech models of
// perceive/speech use. It is not a general ONNX runtime: it refuses what it
// does not know, by name, and its convolutions have one spatial axis.
//
// What operators do is laid down in the ONNX operator specification, versions
// 13 to 17; the numbers of the fields of the file in onnx.proto.
package onnx

import (
	"fmt"
	"math"
	"strings"
	"sync"
)

// A Model is a graph that can be run. It is safe for concurrent use.
type Model struct {
	graph  *graph
	opset  int
	arenas sync.Pool // of finished runs, so that the next need not ask for memory
}

// A graph is a list of nodes in the order in which they run.
type graph struct {
	nodes     []*node
	constants map[string]*Tensor
	inputs    []string // without constants
	outputs   []string
	last      map[string]int // the last node that needs a value
}

// A node is one operation.
type node struct {
	op      string
	name    string
	inputs  []string // "" = left out
	outputs []string // "" = not wanted
	attrs   map[string]*attr
	uses    []string // its inputs, and what its subgraphs take from outside
	operator
}

// An attr is an attribute of a node: the parts that are set.
type attr struct {
	f      float32
	i      int64
	s      string
	t      *Tensor
	g      *graph
	floats []float32
	ints   []int64
}

// limits of what is read.
const (
	mostDepth    = 8       // of graphs in graphs
	mostNodes    = 100_000 // of a graph
	mostElements = 1 << 25 // of a tensor
	mostAxes     = 8
)

// Load reads a model. It refuses operators that it does not know, by name, and
// models whose weights are in other files.
func Load(file []byte) (*Model, error) {
	m := &Model{}
	var message []byte
	err := fields(file, func(f field) error {
		switch f.number {
		case 7:
			message = f.bytes
		case 8:
			return m.readOpset(f.bytes)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if message == nil {
		return nil, errWire
	}
	if m.opset < leastOpset || m.opset > mostOpset {
		return nil, fmt.Errorf("the model needs version %d of the ONNX operators; %d to %d are known", m.opset, leastOpset, mostOpset)
	}
	if m.graph, err = readGraph(message, 0); err != nil {
		return nil, err
	}
	f := folder{done: make(map[string][]*Tensor)}
	if err := f.fold(m.graph, nil); err != nil {
		return nil, err
	}
	m.graph.prepare()
	return m, nil
}

// The versions of the operators whose meaning is implemented: from 13 on axes
// of Squeeze, Unsqueeze and ReduceSum are inputs.
const (
	leastOpset = 13
	mostOpset  = 17
)

func (m *Model) readOpset(message []byte) error {
	var domain string
	version := 0
	err := fields(message, func(f field) error {
		switch f.number {
		case 1:
			domain = string(f.bytes)
		case 2:
			version = int(min(f.value, 1<<20))
		}
		return nil
	})
	if domain == "" || domain == "ai.onnx" {
		m.opset = version
	}
	return err
}

// Inputs are the names of what Run wants.
func (m *Model) Inputs() []string { return m.graph.inputs }

// Outputs are the names of what Run returns.
func (m *Model) Outputs() []string { return m.graph.outputs }

func readGraph(message []byte, depth int) (*graph, error) {
	if depth > mostDepth {
		return nil, fmt.Errorf("graphs lie in graphs more than %d deep", mostDepth)
	}
	g := &graph{constants: make(map[string]*Tensor)}
	err := fields(message, func(f field) error {
		switch f.number {
		case 1:
			n, err := readNode(f.bytes, depth)
			if err != nil {
				return err
			}
			if g.nodes = append(g.nodes, n); len(g.nodes) > mostNodes {
				return fmt.Errorf("the graph has more than %d nodes", mostNodes)
			}
		case 5:
			t, name, err := readTensor(f.bytes)
			if err != nil {
				return fmt.Errorf("constant %q: %w", name, err)
			}
			g.constants[name] = t
		case 11, 12:
			name, err := readName(f.bytes, 1)
			if err != nil {
				return err
			}
			if f.number == 11 {
				g.inputs = append(g.inputs, name)
			} else {
				g.outputs = append(g.outputs, name)
			}
		case 15:
			return fmt.Errorf("sparse constants are not supported")
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return g, nil
}

// readName returns a field of text.
func readName(message []byte, number int) (name string, err error) {
	err = fields(message, func(f field) error {
		if f.number == number {
			name = string(f.bytes)
		}
		return nil
	})
	return name, err
}

func readNode(message []byte, depth int) (*node, error) {
	n := &node{attrs: make(map[string]*attr)}
	domain := ""
	err := fields(message, func(f field) error {
		switch f.number {
		case 1:
			n.inputs = append(n.inputs, string(f.bytes))
		case 2:
			n.outputs = append(n.outputs, string(f.bytes))
		case 3:
			n.name = string(f.bytes)
		case 4:
			n.op = string(f.bytes)
		case 5:
			name, err := readName(f.bytes, 1)
			if err != nil {
				return err
			}
			n.attrs[name], err = readAttr(f.bytes, depth)
			return err
		case 7:
			domain = string(f.bytes)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	known := false
	if domain == "" || domain == "ai.onnx" {
		n.operator, known = operatorOf(n.op)
	}
	if !known {
		return nil, fmt.Errorf("the ONNX operator %s is not supported", strings.TrimPrefix(domain+"."+n.op, "."))
	}
	return n, nil
}

func readAttr(message []byte, depth int) (*attr, error) {
	a := &attr{}
	err := fields(message, func(f field) (err error) {
		switch f.number {
		case 2:
			a.f = math.Float32frombits(uint32(f.value))
		case 3:
			a.i = int64(f.value)
		case 4:
			a.s = string(f.bytes)
		case 5:
			a.t, _, err = readTensor(f.bytes)
		case 6:
			a.g, err = readGraph(f.bytes, depth+1)
		case 7:
			var bits []uint32
			bits, err = f.floatBits(nil)
			for _, b := range bits {
				a.floats = append(a.floats, math.Float32frombits(b))
			}
		case 8:
			var list []uint64
			list, err = f.numbers(nil)
			for _, v := range list {
				a.ints = append(a.ints, int64(v))
			}
		}
		return err
	})
	return a, err
}
