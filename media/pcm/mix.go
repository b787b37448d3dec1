package pcm

import (
	"encoding/binary"
	"io"
	"math"
)

// A mixer makes one channel of 16-bit samples of frames: one sample of each
// channel. It computes as libswresample does (rematrix.c, audioconvert.c): up to 16
// bits with integers, up to 32 bits in single precision, and 64 bits in
// double precision.
type mixer struct {
	to        io.Writer
	from, end int64 // the wanted frames
	at        int64 // number of the next frame
	buffer    []byte
}

const bufferBytes = 1 << 15

// put writes a sample if it is wanted. false = no more are.
func (m *mixer) put(sample int16) (more bool, err error) {
	if m.at >= m.from && m.at < m.end {
		m.buffer = binary.LittleEndian.AppendUint16(m.buffer, uint16(sample))
		if len(m.buffer) >= bufferBytes {
			err = m.flush()
		}
	}
	m.at++
	return m.at < m.end, err
}

// putAll writes the wanted ones of n samples.
func (m *mixer) putAll(n int, sample func(i int) int16) (more bool, err error) {
	first, last := max(0, m.from-m.at), min(int64(n), m.end-m.at)
	buffer := m.buffer
	for i := first; i < last; i++ {
		buffer = binary.LittleEndian.AppendUint16(buffer, uint16(sample(int(i))))
	}
	m.buffer, m.at = buffer, m.at+int64(n)
	if len(m.buffer) >= bufferBytes {
		err = m.flush()
	}
	return m.at < m.end, err
}

func (m *mixer) flush() error {
	if len(m.buffer) == 0 {
		return nil
	}
	_, err := m.to.Write(m.buffer)
	m.buffer = m.buffer[:0]
	return err
}

// average16 averages two channels, half-way cases upwards.
func average16(a, b int16) int16 { return int16((int32(a) + int32(b) + 1) >> 1) }

// average32 averages two channels of 32-bit samples.
func average32(a, b int32) int16 {
	const step = 1.0 / (1 << 31)
	v, _ := averageFloat(float32(a)*step, float32(b)*step)
	return v
}

func averageFloat(a, b float32) (int16, bool) {
	half := float32(a * 0.5) // the conversions forbid fused multiply-add
	return fromFloat(half + float32(b*0.5))
}

func averageDouble(a, b float64) (int16, bool) {
	half := float64(a * 0.5)
	return fromDouble(half + float64(b*0.5))
}

func fromFloat(v float32) (int16, bool) { return round16(float64(v * (1 << 15))) }

func fromDouble(v float64) (int16, bool) { return round16(v * (1 << 15)) }

// round16 rounds to the nearest sample, half-way cases to the even one. What no
// 32-bit integer can hold has no sample that all processors agree on.
func round16(v float64) (sample int16, ok bool) {
	return int16(min(max(math.RoundToEven(v), math.MinInt16), math.MaxInt16)), v > math.MinInt32 && v < math.MaxInt32
}
