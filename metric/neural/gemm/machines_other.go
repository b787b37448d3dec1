//go:build !amd64 && !arm64

package gemm

import "omniscope/metric/neural/isa"

func machines() map[isa.Set]machine { return map[isa.Set]machine{isa.Scalar: scalar} }
