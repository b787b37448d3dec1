package main

import "fmt"

// arm writes tiles for NEON. The registers of a tile:
//
//	R0 out, R1 bytes from row to row of it, R9 walks over rows
//	R2 a, R3 b, R4 k, R5 bias, R6 more, R7 ahead, R8 step
//	V0... sums, V16 and V17 the vectors of b, V24... four k of each row of a, which is also how many a turn does
//
// Go's assembler has no multiply-add by one lane of a vector and no addition of
// vectors, so these two are words.
type arm struct {
	text
	shape
}

const (
	armB = 16
	armA = 24
)

func armAssembly(s shape) string {
	g := &arm{shape: s}
	g.line(header + "#include \"textflag.h\"")
	for _, rows := range s.heights {
		g.tile(rows)
	}
	g.peak()
	return g.String()
}

func (g *arm) sum(row, vector int) int { return row*g.vectors + vector }

func (g *arm) tile(rows int) {
	g.step(rows)
	g.line("\n// %s", g.signature(rows))
	g.line("TEXT ·%sTile%d(SB), NOSPLIT, $0-%d", g.name, rows, 8*len(arguments))
	for i, name := range arguments {
		g.op("MOVD %s+%d(FP), R%d", name, 8*i, i)
	}
	g.op("LSL $2, R1")
	g.start(rows)
	g.loop(rows)
	g.end(rows)
}

// start loads the sums or clears them, and asks for the rows below, which the
// next tile needs.
func (g *arm) start(rows int) {
	g.op("MOVD R0, R9")
	g.op("CBZ R6, zero")
	g.eachRow(rows, func(row, v int) { g.op("FMOVQ %d(R9), F%d", 16*v, g.sum(row, v)) })
	g.op("B ready")
	g.line("zero:")
	for row := range rows {
		for v := range g.vectors {
			g.op("VEOR V%[1]d.B16, V%[1]d.B16, V%[1]d.B16", g.sum(row, v))
		}
		g.op("ADD R1, R9")
	}
	g.line("ready:")
	for range rows {
		g.op("PRFM (R9), PLDL1KEEP")
		g.op("ADD R1, R9")
	}
}

// eachRow lets R7 point to one row of out after the other.
func (g *arm) eachRow(rows int, do func(row, vector int)) {
	for row := range rows {
		for v := range g.vectors {
			do(row, v)
		}
		g.op("ADD R1, R9")
	}
}

func (g *arm) loop(rows int) {
	g.op("SUBS $%d, R4", unroll)
	g.op("BLT rest")
	g.op("PCALIGN $32")
	g.line("loop:")
	g.op("PRFM (R7), PLDL2KEEP")
	g.op("ADD R8, R7")
	for row := range rows {
		g.op("FMOVQ %d(R2), F%d", 4*stride*row, armA+row)
	}
	for lane := range unroll {
		g.callStep(rows, lane)
	}
	g.op("ADD $%d, R2", 4*unroll)
	g.op("ADD $%d, R3", 16*unroll*g.vectors)
	g.op("SUBS $%d, R4", unroll)
	g.op("BGE loop")
	g.line("rest:")
	g.op("ADDS $%d, R4", unroll)
	g.op("BEQ done")
	g.line("one:")
	for row := range rows {
		g.op("FMOVS %d(R2), F%d", 4*stride*row, armA+row)
	}
	g.callStep(rows, 0)
	g.op("ADD $4, R2")
	g.op("ADD $%d, R3", 16*g.vectors)
	g.op("SUBS $1, R4")
	g.op("BNE one")
	g.line("done:")
}

// step defines a macro that adds what the k in one lane of the rows gives. Its arguments are the offset in bytes of that k in b, the
// registers for the vectors of b, and what lane and registers add to the words of FMLA.
func (g *arm) step(rows int) {
	var m macro
	arguments := "bAt"
	for v := range g.vectors {
		arguments += fmt.Sprint(", b", v)
		m.op("FMOVQ bAt+%d(R3), b%d", 16*v, v)
	}
	for row := range rows {
		for v := range g.vectors {
			m.op("WORD $(0x%08X+lane)", multiplyLane(g.sum(row, v), armB+v, armA+row, 0))
		}
	}
	g.line("\n// FMLA Vsum.4S, Vb.4S, Va.S[lane] for all sums.\n#define %sStep%d(%s, lane) %s", g.name, rows, arguments, m)
}

func (g *arm) callStep(rows, lane int) {
	// Each second k has registers of its own, so that loads need not wait.
	shift := lane % 2 * g.vectors
	call := fmt.Sprintf("%sStep%d(%d", g.name, rows, 16*lane*g.vectors)
	for v := range g.vectors {
		call += fmt.Sprintf(", F%d", armB+shift+v)
	}
	g.op("%s, 0x%X)", call, multiplyLane(0, armB+shift, 0, lane)-multiplyLane(0, armB, 0, 0))
}

// multiplyLane is FMLA Vd.4S, Vn.4S, Vm.S[lane].
func multiplyLane(d, n, m, lane int) int {
	return 0x4F801000 | lane&1<<21 | lane>>1<<11 | m<<16 | n<<5 | d
}

// add is FADD Vd.4S, Vd.4S, Vm.4S.
func (g *arm) add(d, m int) {
	word := 0x4E20D400 | m<<16 | d<<5 | d
	g.word(word, fmt.Sprintf("FADD V%d.4S, V%d.4S, V%d.4S", d, d, m))
}

func (g *arm) word(word int, means string) { g.op("WORD $0x%08X // %s", word, means) }

// end adds the bias and stores.
func (g *arm) end(rows int) {
	g.op("CBZ R5, store")
	for v := range g.vectors {
		g.op("FMOVQ %d(R5), F%d", 16*v, armB+v)
	}
	for row := range rows {
		for v := range g.vectors {
			g.add(g.sum(row, v), armB+v)
		}
	}
	g.line("store:")
	g.op("MOVD R0, R9")
	g.eachRow(rows, func(row, v int) { g.op("FMOVQ F%d, %d(R9)", g.sum(row, v), 16*v) })
	g.op("RET")
}

// peak writes a loop of multiply-adds that wait for nothing but themselves.
func (g *arm) peak() {
	g.line("\n// func %sPeak(rounds int)", g.name)
	g.line("TEXT ·%sPeak(SB), NOSPLIT, $0-8", g.name)
	g.op("MOVD rounds+0(FP), R4")
	for i := range g.sums + 1 {
		g.op("VEOR V%[1]d.B16, V%[1]d.B16, V%[1]d.B16", i)
	}
	g.op("PCALIGN $32")
	g.line("loop:")
	for i := range g.sums {
		g.op("VFMLA V%[1]d.S4, V%[1]d.S4, V%[2]d.S4", g.sums, i)
	}
	g.op("SUBS $1, R4")
	g.op("BNE loop")
	g.op("RET")
}
