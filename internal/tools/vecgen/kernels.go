package main

import "fmt"

// lanesReg keeps the running sums or maxima, or the first scalar of kernels
// without; scalarReg keeps the scalar beside them.
const (
	lanesReg  reg = 6
	scalarReg reg = 5
)

// kernels are all there is; what each computes is said by the function of the
// same name in scalar.go.
var kernels = []kernel{
	{name: "gelu", rows: []string{"x"}, body: gelu},
	{name: "tanh", rows: []string{"x"}, body: tanh},
	{name: "scale", rows: []string{"x"}, scalars: []string{"s"}, body: inPlace(mul)},
	{name: "div", rows: []string{"x"}, scalars: []string{"s"}, body: inPlace(div)},
	{name: "add", rows: []string{"dst", "src"}, body: func(m machine) {
		m.load(0, "dst")
		m.load(1, "src")
		m.do(add, 0, 0, reg(1))
		m.store("dst", 0)
	}},
	{name: "addScaled", rows: []string{"dst", "src"}, scalars: []string{"w"}, body: func(m machine) {
		m.load(0, "dst")
		m.load(1, "src")
		m.mulAdd(0, 1, scalarReg)
		m.store("dst", 0)
	}},
	{name: "maxInto", rows: []string{"dst", "src"}, body: func(m machine) {
		m.load(0, "dst")
		m.load(1, "src")
		m.largest(0, 1, 2, 3)
		m.store("dst", 0)
	}},
	{name: "max", rows: []string{"x"}, lanes: "top", body: func(m machine) {
		m.load(0, "x")
		m.largest(lanesReg, 0, 1, 2)
	}},
	{name: "scaleMax", rows: []string{"x"}, lanes: "top", scalars: []string{"s"}, body: func(m machine) {
		m.load(0, "x")
		m.do(mul, 0, 0, scalarReg)
		m.store("x", 0)
		m.do(maximum, lanesReg, lanesReg, reg(0))
	}},
	{name: "expSum", rows: []string{"x"}, lanes: "sums", scalars: []string{"m"}, body: expSum},
	{name: "sum", rows: []string{"x"}, lanes: "sums", body: func(m machine) {
		m.load(0, "x")
		m.do(add, lanesReg, lanesReg, reg(0))
	}},
	{name: "addSum", rows: []string{"out", "x", "y"}, lanes: "sums", body: func(m machine) {
		m.load(0, "x")
		m.load(1, "y")
		m.do(add, 0, 0, reg(1))
		m.store("out", 0)
		m.do(add, lanesReg, lanesReg, reg(0))
	}},
	{name: "squares", rows: []string{"x"}, lanes: "sums", scalars: []string{"mean"}, body: func(m machine) {
		m.load(0, "x")
		m.do(sub, 0, 0, scalarReg)
		m.mulAdd(lanesReg, 0, reg(0))
	}},
	{name: "affine", rows: []string{"x", "gamma", "beta"}, scalars: []string{"mean", "inverse"}, body: func(m machine) {
		m.load(0, "x")
		m.load(1, "gamma")
		m.load(2, "beta")
		m.do(sub, 0, 0, scalarReg)
		m.do(mul, 0, 0, scalarReg-1)
		m.mulAdd(2, 0, reg(1))
		m.store("x", 2)
	}},
	{name: "dot", rows: []string{"a", "b"}, lanes: "sums", body: func(m machine) {
		m.load(0, "a")
		m.load(1, "b")
		m.mulAdd(lanesReg, 0, reg(1))
	}},
}

func inPlace(o op) func(machine) {
	return func(m machine) {
		m.load(0, "x")
		m.do(o, 0, 0, scalarReg)
		m.store("x", 0)
	}
}

// power is exp(y - low), low being -1 for none. It loses y, low, t and the
// spares, and leaves the result in t.
func power(m machine, t, y, low, spare1, spare2 reg) {
	m.constant(t, "magic")
	m.mulAdd(t, y, "log2e")
	m.do(sub, spare1, t, "magic")
	m.mulAdd(y, spare1, "minusLn2High")
	m.mulAdd(y, spare1, "minusLn2Low")
	if low >= 0 {
		m.do(sub, y, y, low)
	}
	m.constant(spare1, "exp4")
	p, _ := m.horner(spare1, spare2, y, "exp3", "exp2", "exp1", "exp0", "one", "one")
	m.power2(t)
	m.do(mul, t, p, t)
}

func expSum(m machine) {
	m.load(0, "x")
	m.do(sub, 0, 0, scalarReg)
	m.move(1, 0)
	power(m, 2, 1, -1, 3, 4)
	m.dropBelow(2, 0, 1, "expLimit")
	m.store("x", 2)
	m.do(add, lanesReg, lanesReg, reg(2))
}

func gelu(m machine) {
	m.load(0, "x")
	m.abs(1, 0)
	m.do(mul, 2, 1, "minusHalf")
	m.do(mul, 3, 2, reg(1))
	m.move(4, 3)
	m.negMulAdd(4, 2, 1)
	power(m, 2, 3, 4, 5, 6) // reg 4 is lost
	m.constant(3, "one")
	m.mulAdd(3, 1, "tailScale")
	m.constant(4, "one")
	m.do(div, 3, 4, reg(3))
	var constants []string
	for i := 7; i >= 0; i-- {
		constants = append(constants, fmt.Sprint("tail", i))
	}
	m.constant(4, "tail8")
	q, free := m.horner(4, 5, 3, constants...)
	m.do(mul, 3, 1, reg(3))
	m.do(mul, 3, 3, q)
	m.do(mul, 3, 3, reg(2))
	m.dropAbove(3, 1, free, "tailLimit")
	m.do(maximum, 0, 0, "zero")
	m.do(sub, 0, 0, reg(3))
	m.store("x", 0)
}

func tanh(m machine) {
	m.load(0, "x")
	m.abs(1, 0)
	m.do(mul, 2, 1, reg(1))
	m.constant(3, "tanh4")
	p, small := m.horner(3, 4, 2, "tanh3", "tanh2", "tanh1", "tanh0")
	m.do(mul, p, p, reg(2))
	m.move(small, 1)
	m.mulAdd(small, p, reg(1))
	m.constant(2, "tanhLimit")
	m.do(minimum, 2, 2, reg(1))
	m.do(add, 2, 2, reg(2))
	power(m, p, 2, -1, 5, 6)
	m.do(add, p, p, "one")
	m.constant(2, "two")
	m.do(div, 2, 2, p)
	m.constant(5, "one")
	m.do(sub, 2, 5, reg(2))
	m.takeBelow(2, small, 1, 5, "tanhSmall")
	m.signOf(2, 0)
	m.store("x", 2)
}
