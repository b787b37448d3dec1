// Package wav reads and writes WAV files of uncompressed samples.
package wav

import "encoding/binary"

// HeaderBytes is the length of what Header returns.
const HeaderBytes = 44

// Header is what comes before n bytes of interleaved 16-bit little-endian
// samples in a WAV file.
func Header(rate, channels, n int) []byte {
	return header(Format{Rate: rate, Channels: channels, BitsPerSample: 16}, n)
}

func header(f Format, n int) []byte {
	frame := f.frameBytes()
	h := append(make([]byte, 0, HeaderBytes), "RIFF"...)
	h = binary.LittleEndian.AppendUint32(h, uint32(HeaderBytes-8+n))
	h = append(h, "WAVEfmt "...)
	h = binary.LittleEndian.AppendUint32(h, 16)
	h = binary.LittleEndian.AppendUint16(h, pcm)
	h = binary.LittleEndian.AppendUint16(h, uint16(f.Channels))
	h = binary.LittleEndian.AppendUint32(h, uint32(f.Rate))
	h = binary.LittleEndian.AppendUint32(h, uint32(f.Rate*frame))
	h = binary.LittleEndian.AppendUint16(h, uint16(frame))
	h = binary.LittleEndian.AppendUint16(h, uint16(f.BitsPerSample))
	h = append(h, "data"...)
	return binary.LittleEndian.AppendUint32(h, uint32(n))
}
