package main

import "fmt"

// avx writes AVX-512 or AVX2. The mask register K1 and the registers from 14
// on are for its own use.
type avx struct {
	writer
	wide   bool // AVX-512
	params map[string]string
}

func (a *avx) parts() int {
	if a.wide {
		return 1
	}
	return 2
}

// r is the part-th register of v.
func (a *avx) r(v reg, part int) string {
	if a.wide {
		return fmt.Sprint("Z", int(v))
	}
	return fmt.Sprint("Y", 2*int(v)+part)
}

// use is an operand: a register, or the constant in memory.
func (a *avx) use(o operand, part int) string {
	if name, ok := o.(string); ok {
		return fmt.Sprintf("constants<>+%d(SB)", amd64Constants.offset(name))
	}
	return a.r(o.(reg), part)
}

// each writes an instruction for every part of the operands.
func (a *avx) each(mnemonic string, operands ...operand) {
	for part := range a.parts() {
		text := mnemonic + " "
		for i, o := range operands {
			if i > 0 {
				text += ", "
			}
			text += a.use(o, part)
		}
		a.line("%s", text)
	}
}

func (a *avx) file(list []kernel) string {
	a.WriteString(header + "#include \"textflag.h\"\n\n")
	amd64Constants.write(&a.writer)
	for _, k := range list {
		a.kernel(k)
	}
	return a.String()
}

func (a *avx) name() string {
	if a.wide {
		return "AVX512"
	}
	return "AVX2"
}

var amd64Rows = []string{"SI", "DI", "R8"}

func (a *avx) kernel(k kernel) {
	params, size := k.params()
	fmt.Fprintf(&a.Buffer, "\n// func %s%s(%s)\nTEXT ·%s%s(SB), NOSPLIT, $0-%d\n", k.name, a.name(), declare(params), k.name, a.name(), size)
	a.params = map[string]string{}
	next := scalarReg
	for i, p := range params {
		from := fmt.Sprintf("%s+%d(FP)", p.name, p.at)
		switch {
		case i < len(k.rows):
			a.params[p.name] = amd64Rows[i]
			a.line("MOVQ %s, %s", from, amd64Rows[i])
		case p.name == "n":
			a.line("MOVQ %s, CX", from)
		case p.name == k.lanes:
			a.line("MOVQ %s, DX", from)
			a.params[p.name] = "DX"
			a.load(lanesReg, p.name)
		default:
			for part := range a.parts() {
				a.line("VBROADCASTSS %s, %s", from, a.r(next, part))
			}
			next--
		}
	}
	a.WriteString("\nloop:\n")
	k.body(a)
	for i := range k.rows {
		a.line("ADDQ $64, %s", amd64Rows[i])
	}
	a.line("DECQ CX")
	a.line("JNZ  loop")
	if k.lanes != "" {
		a.store(k.lanes, lanesReg)
	}
	a.line("VZEROUPPER")
	a.line("RET")
}

func (a *avx) load(d reg, row string) {
	for part := range a.parts() {
		a.line("VMOVUPS %d(%s), %s", 32*part, a.params[row], a.r(d, part))
	}
}

func (a *avx) store(row string, s reg) {
	for part := range a.parts() {
		a.line("VMOVUPS %s, %d(%s)", a.r(s, part), 32*part, a.params[row])
	}
}

func (a *avx) constant(d reg, name string) { a.each("VMOVUPS", name, d) }
func (a *avx) move(d, s reg)               { a.each("VMOVAPS", s, d) }
func (a *avx) mulAdd(d, x reg, y operand)  { a.each("VFMADD231PS", y, x, d) }
func (a *avx) negMulAdd(d, x, y reg)       { a.each("VFNMADD231PS", y, x, d) }
func (a *avx) abs(d, s reg)                { a.each("VANDPS", "notSign", s, d) }
func (a *avx) power2(d reg) {
	for part := range a.parts() {
		a.line("VPSLLD $23, %s, %s", a.r(d, part), a.r(d, part))
	}
}

var avxOps = map[op]string{add: "VADDPS", sub: "VSUBPS", mul: "VMULPS", div: "VDIVPS", minimum: "VMINPS", maximum: "VMAXPS"}

func (a *avx) do(o op, d, x reg, y operand) { a.each(avxOps[o], y, x, d) }

func (a *avx) horner(p, spare, r reg, constants ...string) (result, free reg) {
	for _, c := range constants {
		a.each("VFMADD213PS", c, r, p)
	}
	return p, spare
}

func (a *avx) signOf(d, s reg) {
	a.each("VANDPS", "sign", s, s)
	a.each("VORPS", s, d, d)
}

// Predicates of VCMPPS; those of the keeping kind are true for NaN.
const (
	below    = 1
	above    = 14
	notBelow = 5
	notAbove = 10
	isNaN    = 3
)

func (a *avx) dropAbove(d, x, spare reg, limit string) { a.drop(d, x, spare, limit, above, notAbove) }
func (a *avx) dropBelow(d, x, spare reg, limit string) { a.drop(d, x, spare, limit, below, notBelow) }

func (a *avx) drop(d, x, spare reg, limit string, drop, keep int) {
	if a.wide {
		a.line("VCMPPS $%d, %s, %s, K1", keep, a.use(limit, 0), a.r(x, 0))
		a.line("VMOVAPS.Z %s, K1, %s", a.r(d, 0), a.r(d, 0))
		return
	}
	for part := range a.parts() {
		a.line("VCMPPS $%d, %s, %s, %s", drop, a.use(limit, part), a.r(x, part), a.r(spare, part))
	}
	a.each("VANDNPS", d, spare, d)
}

func (a *avx) takeBelow(d, other, x, spare reg, limit string) {
	if a.wide {
		a.line("VCMPPS $%d, %s, %s, K1", below, a.use(limit, 0), a.r(x, 0))
		a.line("VMOVAPS %s, K1, %s", a.r(other, 0), a.r(d, 0))
		return
	}
	for part := range a.parts() {
		a.line("VCMPPS $%d, %s, %s, %s", below, a.use(limit, part), a.r(x, part), a.r(spare, part))
	}
	a.each("VBLENDVPS", spare, other, d, d)
}

// largest takes the maximum in both orders, which differ where one is a NaN or
// both are zeros: anding them makes a zero positive unless both are negative.
// All bits set is a NaN.
func (a *avx) largest(d, x, spare1, spare2 reg) {
	a.each("VMAXPS", x, d, spare1)
	a.each("VMAXPS", d, x, spare2)
	if a.wide {
		a.line("VCMPPS $%d, %s, %s, K1", isNaN, a.r(x, 0), a.r(d, 0))
		a.each("VANDPS", spare1, spare2, d)
		a.line("VMOVUPS %s, K1, %s", a.use("allOnes", 0), a.r(d, 0))
		return
	}
	a.each("VANDPS", spare1, spare2, spare1)
	for part := range a.parts() {
		a.line("VCMPPS $%d, %s, %s, %s", isNaN, a.r(x, part), a.r(d, part), a.r(spare2, part))
	}
	a.each("VORPS", spare1, spare2, d)
}
