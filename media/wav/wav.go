// Package wav makes WAV files of 16-bit samples, and cuts and joins WAV files of any samples without
// changing one. Package media decodes them.
package wav

import "encoding/binary"

// HeaderBytes is the length of what Header returns.
const HeaderBytes = 44

// Header is what comes before n bytes of interleaved 16-bit little-endian
// samples in a WAV file.
func Header(rate, channels, n int) []byte { return header(rate, channels, 16, n) }

func header(rate, channels, bits, n int) []byte {
	frame := channels * ((bits + 7) / 8) // bytes of one sample of each channel
	h := append(make([]byte, 0, HeaderBytes), "RIFF"...)
	h = binary.LittleEndian.AppendUint32(h, uint32(HeaderBytes-8+n))
	h = append(h, "WAVEfmt "...)
	h = binary.LittleEndian.AppendUint32(h, 16)
	h = binary.LittleEndian.AppendUint16(h, 1) // samples as they are
	h = binary.LittleEndian.AppendUint16(h, uint16(channels))
	h = binary.LittleEndian.AppendUint32(h, uint32(rate))
	h = binary.LittleEndian.AppendUint32(h, uint32(rate*frame))
	h = binary.LittleEndian.AppendUint16(h, uint16(frame))
	h = binary.LittleEndian.AppendUint16(h, uint16(bits)) // of a sample
	h = append(h, "data"...)
	return binary.LittleEndian.AppendUint32(h, uint32(n))
}
