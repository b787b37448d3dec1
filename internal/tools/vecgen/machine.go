package main

import (
	"bytes"
	"fmt"
)

// A reg is sixteen float32: one register of AVX-512, two of AVX2 or four of
// NEON. Kernels may use regs 0 to 6.
type reg int

// An operand is a reg or the name of a constant.
type operand any

// An op is an arithmetic operation on two operands.
type op string

const (
	add op = "add"
	sub op = "sub"
	mul op = "mul"
	div op = "div"
	// min and max of a number and a NaN, or of two zeros, are the second
	// operand on amd64; NEON returns the NaN, and +0 as the maximum.
	minimum op = "min"
	maximum op = "max"
)

// A param is an argument of a kernel. All have pointers first, then n, the
// number of blocks, then perhaps the lanes of a sum, then perhaps scalars.
type param struct {
	name string
	kind string // Go's type in the declaration of the assembly
	at   int    // offset from FP
}

// A kernel is one function of the package: its name, its rows, and whether it
// keeps lanes.
type kernel struct {
	name    string
	rows    []string
	lanes   string
	scalars []string
	body    func(m machine)
}

func (k kernel) params() (list []param, size int) {
	put := func(name, kind string, bytes int) {
		list = append(list, param{name, kind, size})
		size += bytes
	}
	for _, r := range k.rows {
		put(r, "*float32", 8)
	}
	put("n", "int", 8)
	if k.lanes != "" {
		put(k.lanes, "*block", 8)
	}
	for _, s := range k.scalars {
		put(s, "float32", 4)
	}
	return list, size
}

// A machine writes one instruction set's instructions. The operand d is where
// the result goes; d may be one of the other operands unless said otherwise.
type machine interface {
	load(d reg, row string)
	store(row string, s reg)
	constant(d reg, name string)
	move(d, s reg)
	// do is d = a op b.
	do(o op, d, a reg, b operand)
	// mulAdd is d += a*b, negMulAdd is d -= a*b, both with one rounding.
	mulAdd(d, a reg, b operand)
	negMulAdd(d, a, b reg)
	// horner is p*r + c for each constant in turn. The result is in p or in
	// spare, whose content is lost: it says in which, and the other is free.
	horner(p, spare, r reg, constants ...string) (result, free reg)
	abs(d, a reg)
	// power2 makes the integer in the last bits of d an exponent.
	power2(d reg)
	// signOf puts the sign of s on d, which is positive or NaN. s is lost.
	signOf(d, s reg)
	// dropAbove and dropBelow make d zero where a is above or below the constant.
	dropAbove(d, a, spare reg, limit string)
	dropBelow(d, a, spare reg, limit string)
	// takeBelow makes d what other is where a is below the constant.
	takeBelow(d, other, a, spare reg, limit string)
	// largest is max(d, a) with NaN if one is NaN, and +0 above -0.
	largest(d, a, spare1, spare2 reg)
}

// A writer collects the text of one file.
type writer struct{ bytes.Buffer }

func (w *writer) line(format string, args ...any) {
	fmt.Fprintf(&w.Buffer, "\t"+format+"\n", args...)
}
