package ort

import (
	"encoding/binary"
	"math"
)

// message is a protocol buffer that is being written
// (https://protobuf.dev/programming-guides/encoding/).
type message []byte

// Wire types.
const (
	varint = 0
	bytes  = 2
	fixed4 = 5
)

func (m *message) tag(field, wire int) {
	*m = binary.AppendUvarint(*m, uint64(field<<3|wire))
}

// int writes a whole number. Negative ones take ten bytes, as they must.
func (m *message) int(field int, v int64) {
	m.tag(field, varint)
	*m = binary.AppendUvarint(*m, uint64(v))
}

func (m *message) float(field int, v float32) {
	m.tag(field, fixed4)
	*m = binary.LittleEndian.AppendUint32(*m, math.Float32bits(v))
}

func (m *message) text(field int, v string) {
	m.tag(field, bytes)
	*m = binary.AppendUvarint(*m, uint64(len(v)))
	*m = append(*m, v...)
}

// in writes a message within the message.
func (m *message) in(field int, v message) { m.text(field, string(v)) }

// ints writes whole numbers one behind the other.
func (m *message) ints(field int, list []int64) {
	var packed message
	for _, v := range list {
		packed = binary.AppendUvarint(packed, uint64(v))
	}
	m.in(field, packed)
}

// Types of numbers in ONNX (TensorProto.DataType).
const (
	float32Type  = 1
	int64Type    = 7
	float16Type  = 10
	float64Type  = 11
	bfloat16Type = 16
)

// What follows are the messages of onnx.proto (ONNX 1.12, IR version 8), with
// the fields that are needed here.

// irVersion is that of the format; opset is that of the operators, the first
// that has LayerNormalization.
const (
	irVersion = 8
	opset     = 17
)

// modelProto is a ModelProto.
func modelProto(graph message) message {
	var set, m message
	set.text(1, "") // the operators of ONNX itself
	set.int(2, opset)
	m.int(1, irVersion)
	m.text(2, "omniscope")
	m.in(7, graph)
	m.in(8, set)
	return m
}

// valueProto is a ValueInfoProto: a tensor that goes in or comes out. A side
// with a name may have any length; other sides are whole numbers.
func valueProto(name string, kind int, sides ...any) message {
	var shape message
	for _, side := range sides {
		var d message
		if length, ok := side.(int); ok {
			d.int(1, int64(length))
		} else {
			d.text(2, side.(string))
		}
		shape.in(1, d)
	}
	var tensor, of, m message
	tensor.int(1, int64(kind))
	tensor.in(2, shape)
	of.in(1, tensor)
	m.text(1, name)
	m.in(2, of)
	return m
}

// attribute is one of those of a node: an int, a float32 or a list of ints.
type attribute struct {
	name  string
	value any
}

// nodeProto is a NodeProto.
func nodeProto(operator string, inputs []string, output string, attributes ...attribute) message {
	const ofFloat, ofInt, ofInts = 1, 2, 7 // AttributeProto.AttributeType
	var m message
	for _, name := range inputs {
		m.text(1, name)
	}
	m.text(2, output)
	m.text(3, output) // the node is named after what it makes
	m.text(4, operator)
	for _, a := range attributes {
		var p message
		p.text(1, a.name)
		switch v := a.value.(type) {
		case float32:
			p.float(2, v)
			p.int(20, ofFloat)
		case int:
			p.int(3, int64(v))
			p.int(20, ofInt)
		case []int64:
			p.ints(8, v)
			p.int(20, ofInts)
		}
		m.in(5, p)
	}
	return m
}

// externalProto is a TensorProto whose numbers are in another file.
func externalProto(name string, p piece, file string) message {
	const external = 1 // TensorProto.DataLocation
	var m message
	sides := make([]int64, len(p.shape))
	for i, side := range p.shape {
		sides[i] = int64(side)
	}
	m.ints(1, sides)
	m.int(2, int64(p.kind))
	m.text(8, name)
	for _, entry := range [][2]string{{"location", file}, {"offset", decimal(p.offset)}, {"length", decimal(p.length)}} {
		var e message
		e.text(1, entry[0])
		e.text(2, entry[1])
		m.in(13, e)
	}
	m.int(14, external)
	return m
}

// floatProto is a TensorProto of one number, without sides.
func floatProto(name string, v float32) message {
	var m message
	m.int(2, float32Type)
	m.text(8, name)
	m.text(9, string(binary.LittleEndian.AppendUint32(nil, math.Float32bits(v))))
	return m
}

// intsProto is a TensorProto of a row of whole numbers.
func intsProto(name string, list []int64) message {
	var raw []byte
	for _, v := range list {
		raw = binary.LittleEndian.AppendUint64(raw, uint64(v))
	}
	var m message
	m.ints(1, []int64{int64(len(list))})
	m.int(2, int64Type)
	m.text(8, name)
	m.text(9, string(raw))
	return m
}
