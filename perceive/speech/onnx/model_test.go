package onnx

import (
	"context"
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"omniscope/internal/testing/fixture"
)

// A message is a protocol buffer that a test writes.
type message []byte

func (m message) bytes(number int, b []byte) message {
	m = binary.AppendUvarint(m, uint64(number)<<3|wireBytes)
	m = binary.AppendUvarint(m, uint64(len(b)))
	return append(m, b...)
}

func (m message) text(number int, s string) message { return m.bytes(number, []byte(s)) }

func (m message) number(number int, v uint64) message {
	return binary.AppendUvarint(binary.AppendUvarint(m, uint64(number)<<3|wireVarint), v)
}

// nodeOf writes "op inputs > outputs", with attributes.
func nodeOf(line string, attributes ...message) message {
	var m message
	fields := strings.Fields(line)
	number := 1
	for _, name := range fields[1:] {
		switch name {
		case ">":
			number = 2
		case "_": // left out
			m = m.text(number, "")
		default:
			m = m.text(number, name)
		}
	}
	m = m.text(4, fields[0])
	for _, a := range attributes {
		m = m.bytes(5, a)
	}
	return m
}

// floatsOf is a tensor of raw floats.
func floatsOf(name string, shape []uint64, v ...float32) message {
	m := message{}.text(8, name).number(2, uint64(float32Kind))
	var raw []byte
	for _, d := range shape {
		m = m.number(1, d)
	}
	for _, f := range v {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(f))
	}
	return m.bytes(9, raw)
}

// intsOf is a tensor of packed whole numbers.
func intsOf(name string, v ...uint64) message {
	var packed []byte
	for _, i := range v {
		packed = binary.AppendUvarint(packed, i)
	}
	return message{}.text(8, name).number(2, uint64(int64Kind)).number(1, uint64(len(v))).bytes(7, packed)
}

// graphOf is a graph of nodes and constants with inputs and outputs.
func graphOf(inputs, outputs string, constants []message, nodes ...message) message {
	var m message
	for _, n := range nodes {
		m = m.bytes(1, n)
	}
	for _, c := range constants {
		m = m.bytes(5, c)
	}
	for _, name := range strings.Fields(inputs) {
		m = m.bytes(11, message{}.text(1, name))
	}
	for _, name := range strings.Fields(outputs) {
		m = m.bytes(12, message{}.text(1, name))
	}
	return m
}

func modelOf(graph message, opset uint64) []byte {
	return message{}.number(1, 8).bytes(8, message{}.text(1, "").number(2, opset)).bytes(7, graph)
}

func attrGraph(name string, g message) message { return message{}.text(1, name).bytes(6, g) }

// chooser adds 1 to x, then gives back the square where yes is true, else the
// sum with a constant that is computed from constants.
func chooser() []byte {
	return modelOf(graphOf("x yes", "y", []message{floatsOf("one", []uint64{1}, 1), intsOf("to", 1, 2)},
		nodeOf("Add x one > more"),
		nodeOf("If yes > y",
			attrGraph("then_branch", graphOf("", "square", nil, nodeOf("Mul more more > square"))),
			attrGraph("else_branch", graphOf("", "sum", nil,
				nodeOf("Add one one > two"), nodeOf("Expand two to > twos"), nodeOf("Add more twos > sum")))),
	), 16)
}

func TestGraphsInGraphs(t *testing.T) {
	m, err := Load(chooser())
	fixture.OK(t, err)
	if !slices.Equal(m.Inputs(), []string{"x", "yes"}) || !slices.Equal(m.Outputs(), []string{"y"}) {
		t.Error(m.Inputs(), m.Outputs())
	}
	x := row(1, 4)
	var kept []*Tensor
	for range 3 { // memory is used again from run to run
		for _, c := range []struct {
			yes  bool
			want string
		}{{true, "float32[2] 4 25"}, {false, "float32[1 2] 4 7"}} {
			out, err := m.Run(t.Context(), map[string]*Tensor{"x": x, "yes": Truth(c.yes)})
			fixture.OK(t, err)
			if got := numbers(out["y"]); got != c.want {
				t.Errorf("%v: %s, want %s", c.yes, got, c.want)
			}
			kept = append(kept, out["y"])
		}
	}
	for i, y := range kept {
		if got, want := numbers(y), []string{"float32[2] 4 25", "float32[1 2] 4 7"}[i%2]; got != want {
			t.Errorf("a later run changed an output to %s", got)
		}
	}
	if numbers(x) != "float32[2] 1 4" {
		t.Error("the input was changed")
	}
}

func TestRunsAtTheSameTime(t *testing.T) {
	m, err := Load(chooser())
	fixture.OK(t, err)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for range 50 {
				out, err := m.Run(t.Context(), map[string]*Tensor{"x": row(float32(i)), "yes": Truth(true)})
				if err != nil || out["y"].F[0] != float32((i+1)*(i+1)) {
					t.Errorf("%d: %v, %v", i, out, err)
				}
			}
		})
	}
	all.Wait()
}

func TestConstantFolding(t *testing.T) {
	m, err := Load(chooser())
	fixture.OK(t, err)
	inner := m.graph.nodes[1].attrs["else_branch"].g
	if len(inner.nodes) != 1 || inner.constants["twos"] == nil || inner.constants["two"] != nil || m.graph.constants["to"] != nil {
		t.Errorf("%d nodes, constants %v", len(inner.nodes), inner.constants)
	}
}

func TestRunInvalid(t *testing.T) {
	m, err := Load(chooser())
	fixture.OK(t, err)
	stopped, stop := context.WithCancel(t.Context())
	stop()
	for _, c := range []struct {
		name string
		ctx  context.Context
		in   map[string]*Tensor
		want string
	}{
		{"no input", t.Context(), map[string]*Tensor{"x": row(1)}, `"yes" is missing`},
		{"a shape that lies", t.Context(), map[string]*Tensor{"x": Floats([]float32{1}, 2), "yes": Truth(true)}, `"x": float32[2] has 1 numbers`},
		{"a condition that is none", t.Context(), map[string]*Tensor{"x": row(1), "yes": row(1)}, "not one truth value"},
		{"a kind that does not fit", t.Context(), map[string]*Tensor{"x": list(1), "yes": Truth(true)}, "different kinds"},
		{"a run that is stopped", stopped, map[string]*Tensor{"x": row(1), "yes": Truth(true)}, "canceled"},
	} {
		if _, err := m.Run(c.ctx, c.in); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestLoadInvalid(t *testing.T) {
	loud := nodeOf("Shout x > y")
	for _, c := range []struct {
		name, want string
		file       []byte
	}{
		{"an unknown operator", "operator Shout is not supported", modelOf(graphOf("x", "y", nil, loud), 16)},
		{"an operator of somebody else", "operator com.example.Add is not supported", modelOf(graphOf("x", "y", nil, nodeOf("Add x x > y").text(7, "com.example")), 16)},
		{"old operators", "version 9 of the ONNX operators", modelOf(graphOf("x", "y", nil), 9)},
		{"nothing", "not an ONNX model", nil},
		{"text", "not an ONNX model", []byte("Once upon a time there was a model.")},
		{"half a file", "not an ONNX model", chooser()[:100]},
		{"too few numbers", "not an ONNX model", modelOf(graphOf("x", "x", []message{floatsOf("c", []uint64{3}, 1)}), 16)},
		{"too many numbers", "too large", modelOf(graphOf("x", "x", []message{floatsOf("c", []uint64{1 << 20, 1 << 20}, 1)}), 16)},
		{"a constant that cannot be computed", "Reshape", modelOf(graphOf("x", "x", []message{floatsOf("c", []uint64{3}, 1, 2, 3), intsOf("s", 2)}, nodeOf("Reshape c s > d")), 16)},
	} {
		if _, err := Load(c.file); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	deep := graphOf("", "y", nil, nodeOf("Identity y > z"))
	for range mostDepth + 1 {
		deep = graphOf("", "y", nil, nodeOf("If c > y", attrGraph("then_branch", deep)))
	}
	if _, err := Load(modelOf(deep, 16)); err == nil || !strings.Contains(err.Error(), "deep") {
		t.Error(err)
	}
}

func TestStoredNumbers(t *testing.T) {
	packed := binary.LittleEndian.AppendUint32(nil, math.Float32bits(2.5))
	minus := message{}.number(2, uint64(int64Kind)).number(1, 1)
	minus = minus.number(7, math.MaxUint64) // -1
	for _, c := range []struct {
		name string
		m    message
		want string
	}{
		{"raw floats", floatsOf("", []uint64{2, 1}, 1, -2), "float32[2 1] 1 -2"},
		{"packed floats", message{}.number(2, uint64(float32Kind)).number(1, 1).bytes(4, packed), "float32[1] 2.5"},
		{"packed whole numbers", intsOf("", 3, 5), "int64[2] 3 5"},
		{"a single negative number", minus, "int64[1] -1"},
		{"signed bytes", message{}.number(2, uint64(int8Kind)).number(1, 2).bytes(9, []byte{1, 255}), "int8[2] 1 -1"},
		{"bytes among whole numbers", message{}.number(2, uint64(uint8Kind)).bytes(5, []byte{7}), "uint8[] 7"},
		{"32-bit numbers", message{}.number(2, uint64(int32Kind)).number(1, 1).bytes(9, []byte{1, 1, 0, 0}), "int32[1] 257"},
	} {
		got, _, err := readTensor(c.m)
		if err != nil || numbers(got) != c.want {
			t.Errorf("%s: %v, %v", c.name, got, err)
		}
	}
	for name, m := range map[string]message{
		"double precision": message{}.number(2, 11).bytes(9, make([]byte, 8)),
		"another file":     floatsOf("", nil, 1).bytes(13, nil),
	} {
		if _, _, err := readTensor(m); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// Whatever the bytes are, Load returns, and what it returns can be run.
func FuzzLoad(f *testing.F) {
	f.Add(chooser())
	f.Add(modelOf(graphOf("x", "y", []message{intsOf("s", 2, 3)}, nodeOf("Reshape x s > y")), 13))
	f.Fuzz(func(t *testing.T, file []byte) {
		m, err := Load(file)
		if err != nil {
			return
		}
		in := make(map[string]*Tensor)
		for _, name := range m.Inputs() {
			in[name] = row(1, 2)
		}
		m.Run(t.Context(), in)
	})
}
