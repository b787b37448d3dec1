package main

import "fmt"

// x86 writes tiles for AVX2 and AVX-512. The registers of a tile:
//
//	DI out, SI bytes from row to row of it, R9 walks over rows
//	AX a, BX b, CX k, DX bias, R8 more, R10 ahead, R11 step
//	sums from register 0 on, then the vectors of b, then those of a
type x86 struct {
	text
	shape
}

func x86Assembly(s shape) string {
	g := &x86{shape: s}
	g.line(header + "#include \"textflag.h\"")
	for _, rows := range s.heights {
		g.tile(rows)
	}
	g.peak()
	return g.String()
}

// reg names vector register n.
func (g *x86) reg(n int) string {
	if g.lanes == 16 {
		return fmt.Sprint("Z", n)
	}
	return fmt.Sprint("Y", n)
}

// registers is how many of them there are.
func (g *x86) registers() int { return 2 * g.lanes }

func (g *x86) sum(row, vector int) string { return g.reg(row*g.vectors + vector) }
func (g *x86) b(rows, vector int) string  { return g.reg(rows*g.vectors + vector) }

// a names the register that holds x of a row, in turn one of those left over.
func (g *x86) a(rows, row int) string {
	first := (rows + 1) * g.vectors
	return g.reg(first + row%min(g.registers()-first, 4))
}

func (g *x86) tile(rows int) {
	g.step(rows)
	g.line("\n// %s", g.signature(rows))
	g.line("TEXT ·%sTile%d(SB), NOSPLIT, $0-%d", g.name, rows, 8*len(arguments))
	registers := []string{"DI", "SI", "AX", "BX", "CX", "DX", "R8", "R10", "R11"}
	for i, name := range arguments {
		g.op("MOVQ %s+%d(FP), %s", name, 8*i, registers[i])
	}
	g.op("SHLQ $2, SI")
	g.start(rows)
	g.loop(rows)
	g.end(rows)
}

// start loads the sums or clears them, and asks for the rows below, which the
// next tile needs.
func (g *x86) start(rows int) {
	g.op("MOVQ DI, R9")
	g.op("TESTQ R8, R8")
	g.op("JZ zero")
	g.eachRow(rows, func(row, v int) { g.op("VMOVUPS %d(R9), %s", 4*g.lanes*v, g.sum(row, v)) })
	g.op("JMP ready")
	g.line("zero:")
	g.eachRow(rows, func(row, v int) {
		g.op("VXORPS %[1]s, %[1]s, %[1]s", g.sum(row, v))
	})
	g.line("ready:")
	g.eachRow(rows, func(row, v int) {
		if v%max(16/g.lanes, 1) == 0 {
			g.op("PREFETCHT0 %d(R9)", 4*g.lanes*v)
		}
	})
}

// eachRow lets R9 point to one row of out after the other.
func (g *x86) eachRow(rows int, do func(row, vector int)) {
	for row := range rows {
		for v := range g.vectors {
			do(row, v)
		}
		g.op("ADDQ SI, R9")
	}
}

func (g *x86) loop(rows int) {
	g.op("SUBQ $%d, CX", unroll)
	g.op("JLT rest")
	g.op("PCALIGN $32")
	g.line("loop:")
	g.op("PREFETCHT1 (R10)")
	g.op("ADDQ R11, R10")
	for u := range unroll {
		g.op("%sStep%d(%d, %d)", g.name, rows, 4*u, 4*g.lanes*g.vectors*u)
	}
	g.op("ADDQ $%d, AX", 4*unroll)
	g.op("ADDQ $%d, BX", 4*unroll*g.lanes*g.vectors)
	g.op("SUBQ $%d, CX", unroll)
	g.op("JGE loop")
	g.line("rest:")
	g.op("ADDQ $%d, CX", unroll)
	g.op("JZ done")
	g.line("one:")
	g.op("%sStep%d(0, 0)", g.name, rows)
	g.op("ADDQ $4, AX")
	g.op("ADDQ $%d, BX", 4*g.lanes*g.vectors)
	g.op("DECQ CX")
	g.op("JNZ one")
	g.line("done:")
}

// step defines a macro that adds what one k gives. Its arguments are the offsets in bytes of that k in a and in b.
func (g *x86) step(rows int) {
	var m macro
	for v := range g.vectors {
		m.op("VMOVUPS bAt+%d(BX), %s", 4*g.lanes*v, g.b(rows, v))
	}
	for row := range rows {
		a := g.a(rows, row)
		m.op("VBROADCASTSS aAt+%d(AX), %s", 4*row*stride, a)
		for v := range g.vectors {
			m.op("VFMADD231PS %s, %s, %s", g.b(rows, v), a, g.sum(row, v))
		}
	}
	g.line("\n#define %sStep%d(aAt, bAt) %s", g.name, rows, m)
}

// end adds the bias and stores.
func (g *x86) end(rows int) {
	g.op("TESTQ DX, DX")
	g.op("JZ store")
	for v := range g.vectors {
		g.op("VMOVUPS %d(DX), %s", 4*g.lanes*v, g.b(rows, v))
	}
	for row := range rows {
		for v := range g.vectors {
			g.op("VADDPS %s, %[2]s, %[2]s", g.b(rows, v), g.sum(row, v))
		}
	}
	g.line("store:")
	g.op("MOVQ DI, R9")
	g.eachRow(rows, func(row, v int) { g.op("VMOVUPS %s, %d(R9)", g.sum(row, v), 4*g.lanes*v) })
	g.op("VZEROUPPER")
	g.op("RET")
}

// peak writes a loop of multiply-adds that wait for nothing but themselves.
func (g *x86) peak() {
	g.line("\n// func %sPeak(rounds int)", g.name)
	g.line("TEXT ·%sPeak(SB), NOSPLIT, $0-8", g.name)
	g.op("MOVQ rounds+0(FP), CX")
	for i := range g.sums + 1 {
		g.op("VXORPS %[1]s, %[1]s, %[1]s", g.reg(i))
	}
	g.op("PCALIGN $32")
	g.line("loop:")
	for i := range g.sums {
		g.op("VFMADD231PS %[1]s, %[1]s, %[2]s", g.reg(g.sums), g.reg(i))
	}
	g.op("DECQ CX")
	g.op("JNZ loop")
	g.op("VZEROUPPER")
	g.op("RET")
}
