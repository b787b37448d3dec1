package wav

import "encoding/binary"

// Peak returns the greatest of 16-bit little-endian samples, without their signs; 1
// is full scale.
func Peak(samples []byte) float64 {
	low, high := int16(0), int16(0)
	for ; len(samples) >= 2; samples = samples[2:] {
		v := int16(binary.LittleEndian.Uint16(samples))
		low, high = min(low, v), max(high, v)
	}
	return max(-float64(low), float64(high)) / (1 << 15)
}
