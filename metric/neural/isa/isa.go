// Package isa says which vector instruction sets the kernels of gemm and vec
// may use on this machine.
package isa

import (
	"runtime"

	"golang.org/x/sys/cpu"
)

// A Set is an instruction set that there are kernels for.
type Set uint8

// The sets, from slow to fast.
const (
	Scalar Set = iota // plain Go
	NEON              // 128 bit, arm64
	AVX2              // 256 bit with FMA, amd64
	AVX512            // 512 bit: F, BW, DQ and VL, amd64
)

var names = [...]string{"scalar", "neon", "avx2", "avx512"}

func (s Set) String() string { return names[s] }

// Available lists the sets that this machine has, fastest first. Scalar is
// always there, and last.
func Available() []Set {
	var sets []Set
	if x := cpu.X86; x.HasAVX2 && x.HasFMA {
		if x.HasAVX512F && x.HasAVX512BW && x.HasAVX512DQ && x.HasAVX512VL {
			sets = append(sets, AVX512)
		}
		sets = append(sets, AVX2)
	}
	if runtime.GOARCH == "arm64" { // every arm64 machine that Go runs on has it
		sets = append(sets, NEON)
	}
	return append(sets, Scalar)
}

// Best is the fastest available set.
func Best() Set { return Available()[0] }
