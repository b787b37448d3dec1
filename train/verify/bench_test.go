package verify

import (
	"encoding/binary"
	"testing"

	"omniscope/metric/neural/weights"
)

// BenchmarkCompare counts the bytes of both models.
func BenchmarkCompare(b *testing.B) {
	const n = 1 << 15 // elements; a piece of weights.Pairs
	base, here := make([]byte, 2*n), make([]byte, 2*n)
	for i := range n {
		value := uint16(0x3c00 + i%512)
		binary.LittleEndian.PutUint16(base[2*i:], value)
		binary.LittleEndian.PutUint16(here[2*i:], value^1)
	}
	for name, other := range map[string][]byte{"changed": here, "equal": append([]byte(nil), base...)} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(4 * n)
			var s sums
			var room buffer
			for b.Loop() {
				s.compare(weights.BF16, base, other, &room)
			}
		})
	}
}
