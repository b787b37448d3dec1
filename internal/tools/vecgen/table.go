package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"math"
)

// A word is a constant of the kernels: its name and the bits of the float32.
type word struct {
	name string
	bits uint32
}

// A table is the constants as they lie in memory: each repeated until it fills
// a vector.
type table struct {
	words []word
	width int // bytes of a vector
}

var amd64Constants, arm64Constants table

func (t table) offset(name string) int {
	for i, w := range t.words {
		if w.name == name {
			return i * t.width
		}
	}
	panic("no constant " + name)
}

func (t table) write(w *writer) {
	w.WriteString("// FILL repeats eight bytes until they fill a vector.\n#define FILL(at, bits)")
	for at := 0; at < t.width; at += 8 {
		if at > 0 {
			w.WriteString(";")
		}
		fmt.Fprintf(&w.Buffer, " \\\n\tDATA constants<>+at+%d(SB)/8, bits", at)
	}
	w.WriteString("\n\n")
	for i, c := range t.words {
		fmt.Fprintf(&w.Buffer, "FILL(%d, $0x%08[2]x%08[2]x) // %s\n", i*t.width, c.bits, c.name)
	}
	fmt.Fprintf(&w.Buffer, "GLOBL constants<>(SB), RODATA|NOPTR, $%d\n", len(t.words)*t.width)
}

// readConstants returns the constants declared in a Go file, by name, and
// those that the instructions need beside.
func readConstants(path string) ([]word, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	pkg, err := new(types.Config).Check("vec", files, []*ast.File{file}, nil)
	if err != nil {
		return nil, err
	}
	words := []word{
		{"zero", 0},
		{"one", math.Float32bits(1)},
		{"two", math.Float32bits(2)},
		{"minusHalf", math.Float32bits(-0.5)},
		{"sign", 1 << 31},
		{"notSign", 1<<31 - 1},
		{"allOnes", math.MaxUint32},
	}
	for _, name := range pkg.Scope().Names() { // sorted
		c := pkg.Scope().Lookup(name).(*types.Const)
		value, exact := constant.Float32Val(constant.ToFloat(c.Val()))
		if !exact {
			return nil, fmt.Errorf("%s: %s is no float32", path, name)
		}
		words = append(words, word{name, math.Float32bits(value)})
	}
	return words, nil
}
