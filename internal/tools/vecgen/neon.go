package main

import "fmt"

// neon writes NEON. Go's assembler lacks most floating-point vector
// instructions; those are written as words. V28 to V31 are for its own use.
type neon struct {
	writer
	params map[string]string
}

const (
	neonParts   = 4
	neonScratch = 28
)

func (a *neon) r(v reg, part int) int { return neonParts*int(v) + part }

// word writes "mnemonic Vd.4S, Vn.4S, Vm.4S" (Arm Architecture Reference
// Manual, C7.2), without Vm where m is negative.
func (a *neon) word(mnemonic string, code uint32, d, n, m int) {
	code |= uint32(n)<<5 | uint32(d)
	text := fmt.Sprintf("%s V%d, V%d", mnemonic, d, n)
	if m >= 0 {
		code |= uint32(m) << 16
		text += fmt.Sprintf(", V%d", m)
	}
	a.line("WORD $0x%08X // %s", code, text)
}

type instruction struct {
	mnemonic string
	code     uint32
}

var (
	fmla  = instruction{"FMLA", 0x4E20CC00}
	fmls  = instruction{"FMLS", 0x4EA0CC00}
	fcmgt = instruction{"FCMGT", 0x6EA0E400}
	fabs  = instruction{"FABS", 0x4EA0F800}
	fmax  = instruction{"FMAX", 0x4E20F400}
	shl23 = instruction{"SHL #23", 0x4F375400}
	and   = instruction{"AND", 0x4E201C00}
	bic   = instruction{"BIC", 0x4E601C00}
	orr   = instruction{"ORR", 0x4EA01C00}
	bit   = instruction{"BIT", 0x6EA01C00}
)

var neonOps = map[op]instruction{
	add:     {"FADD", 0x4E20D400},
	sub:     {"FSUB", 0x4EA0D400},
	mul:     {"FMUL", 0x6E20DC00},
	div:     {"FDIV", 0x6E20FC00},
	minimum: {"FMIN", 0x4EA0F400},
	maximum: fmax,
}

// each writes an instruction for every part; constants are loaded once.
func (a *neon) each(in instruction, d, n, m operand) {
	n, m = a.scratch(n), a.scratch(m)
	for part := range neonParts {
		a.word(in.mnemonic, in.code, a.use(d, part), a.use(n, part), a.use(m, part))
	}
}

// inScratch is a constant that has been loaded.
type inScratch struct{}

func (a *neon) scratch(o operand) operand {
	name, ok := o.(string)
	if !ok {
		return o
	}
	a.line("FMOVQ %d(R6), F%d", arm64Constants.offset(name), neonScratch)
	return inScratch{}
}

func (a *neon) use(o operand, part int) int {
	switch o := o.(type) {
	case reg:
		return a.r(o, part)
	case inScratch:
		return neonScratch
	default: // no third operand
		return -1
	}
}

func (a *neon) file(list []kernel) string {
	a.WriteString(header + "#include \"textflag.h\"\n\n")
	arm64Constants.write(&a.writer)
	for _, k := range list {
		a.kernel(k)
	}
	return a.String()
}

func (a *neon) kernel(k kernel) {
	params, size := k.params()
	fmt.Fprintf(&a.Buffer, "\n// func %sNEON(%s)\nTEXT ·%sNEON(SB), NOSPLIT, $0-%d\n", k.name, declare(params), k.name, size)
	a.params = map[string]string{}
	next := scalarReg
	for i, p := range params {
		from := fmt.Sprintf("%s+%d(FP)", p.name, p.at)
		switch {
		case i < len(k.rows):
			a.params[p.name] = fmt.Sprint("R", i)
			a.line("MOVD %s, R%d", from, i)
		case p.name == "n":
			a.line("MOVD %s, R4", from)
		case p.name == k.lanes:
			a.line("MOVD %s, R5", from)
			a.params[p.name] = "R5"
			a.load(lanesReg, p.name)
		default:
			a.line("FMOVS %s, F%d", from, neonScratch)
			for part := range neonParts {
				a.line("VDUP V%d.S[0], V%d.S4", neonScratch, a.r(next, part))
			}
			next--
		}
	}
	a.line("MOVD $constants<>(SB), R6")
	a.WriteString("\nloop:\n")
	k.body(a)
	for i := range k.rows {
		a.line("ADD $64, R%d", i)
	}
	a.line("SUBS $1, R4, R4")
	a.line("BNE  loop")
	if k.lanes != "" {
		a.store(k.lanes, lanesReg)
	}
	a.line("RET")
}

func (a *neon) load(d reg, row string) {
	for part := range neonParts {
		a.line("FMOVQ %d(%s), F%d", 16*part, a.params[row], a.r(d, part))
	}
}

func (a *neon) store(row string, s reg) {
	for part := range neonParts {
		a.line("FMOVQ F%d, %d(%s)", a.r(s, part), 16*part, a.params[row])
	}
}

func (a *neon) constant(d reg, name string) {
	for part := range neonParts {
		a.line("FMOVQ %d(R6), F%d", arm64Constants.offset(name), a.r(d, part))
	}
}

func (a *neon) move(d, s reg)                { a.each(orr, d, s, s) }
func (a *neon) do(o op, d, x reg, y operand) { a.each(neonOps[o], d, x, y) }
func (a *neon) mulAdd(d, x reg, y operand)   { a.each(fmla, d, x, y) }
func (a *neon) negMulAdd(d, x, y reg)        { a.each(fmls, d, x, y) }
func (a *neon) abs(d, s reg)                 { a.each(fabs, d, s, nil) }
func (a *neon) power2(d reg)                 { a.each(shl23, d, d, nil) }

// horner alternates between two registers, because FMLA adds to its
// destination.
func (a *neon) horner(p, spare, r reg, constants ...string) (result, free reg) {
	for _, c := range constants {
		a.constant(spare, c)
		a.mulAdd(spare, p, r)
		p, spare = spare, p
	}
	return p, spare
}

func (a *neon) signOf(d, s reg) {
	a.each(and, s, s, "sign")
	a.each(orr, d, d, s)
}

func (a *neon) dropAbove(d, x, spare reg, limit string) {
	a.each(fcmgt, spare, x, limit)
	a.each(bic, d, d, spare)
}

func (a *neon) dropBelow(d, x, spare reg, limit string) {
	a.each(fcmgt, spare, limit, x)
	a.each(bic, d, d, spare)
}

func (a *neon) takeBelow(d, other, x, spare reg, limit string) {
	a.each(fcmgt, spare, limit, x)
	a.each(bit, d, other, spare)
}

// largest is what FMAX does.
func (a *neon) largest(d, x, _, _ reg) { a.each(fmax, d, d, x) }
