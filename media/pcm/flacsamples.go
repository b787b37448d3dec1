package pcm

import (
	"context"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
)

// A flacInfo is the description of a FLAC file (RFC 9639, section 8.2).
type flacInfo struct {
	rate, channels, bits int
	samples              int64 // of each channel
}

// infoOfFLAC reads the first block of metadata, with its header.
func infoOfFLAC(block []byte) (info flacInfo, err error) {
	const header, length = 4, 34
	if len(block) < header+length || block[0]&0x7f != 0 || binary.BigEndian.Uint32(block)&0xffffff != length {
		return info, ErrOther
	}
	v := binary.BigEndian.Uint64(block[header+10:])
	info = flacInfo{rate: int(v >> 44), channels: int(v>>41&7) + 1, bits: int(v>>36&31) + 1, samples: int64(v & (1<<36 - 1))}
	return info, nil
}

// flacBits are the bits of a sample by their code in the header of a frame; 0 = those
// of the file, -1 = not read here.
var flacBits = [8]int{0, 8, 12, -1, 16, 20, 24, -1}

// eachBlock decodes the frames of a stream and calls do with the samples of each
// channel, which are valid during the call only. A stream that is damaged or incomplete,
// or that changes its form, is an error; so are samples with more bits than promised,
// which decoders read differently.
func eachBlock(ctx context.Context, stream []byte, info flacInfo, do func(channels [][]int32) error) error {
	block := make([][]int32, info.channels)
	for left := info.samples; left > 0 || len(stream) > 0; {
		if err := ctx.Err(); err != nil {
			return err
		}
		f, err := readFrameHeader(stream)
		if err != nil {
			return err
		}
		pair := stream[3] >> 4 // how two channels are stored, or the number of channels less 1
		if f.samples > left || !info.fits(f, pair, flacBits[stream[3]>>1&7]) {
			return ErrOther
		}
		r := &bitReader{data: stream[f.bytes:]}
		for i := range block {
			block[i] = slices.Grow(block[i][:0], int(f.samples))[:f.samples]
			width := info.bits
			if sideOf[pair] == i+1 {
				width++
			}
			if err := r.subframe(block[i], width); err != nil {
				return err
			}
		}
		end := f.bytes + r.bytes() + 2 // of the check sum
		if end > len(stream) || crc16(0, stream[:end]) != 0 {
			return errFrame
		}
		unpair(pair, block)
		stream, left = stream[end:], left-f.samples
		if err := do(block); err != nil {
			return err
		}
	}
	return nil
}

// fits reports whether a frame has the file's form; bits = 0 means the bits of the file.
func (f flacInfo) fits(frame flacFrame, pair byte, bits int) bool {
	return (frame.rate == 0 || frame.rate == f.rate) && (bits == 0 || bits == f.bits) && channelsOf(pair) == f.channels
}

// The ways in which two channels are stored (RFC 9639, section 9.1.3).
const leftSide, sideRight, midSide = 8, 9, 10

// sideOf is the channel, counted from 1, that is a difference of two and so has a bit more.
var sideOf = [16]int{leftSide: 2, sideRight: 1, midSide: 2}

// channelsOf returns the number of channels by the code in the header of a frame, 0
// for reserved ones.
func channelsOf(code byte) int {
	switch {
	case code < 8:
		return int(code) + 1
	case code <= midSide:
		return 2
	}
	return 0
}

// unpair makes left and right of two channels.
func unpair(pair byte, block [][]int32) {
	if pair < leftSide {
		return
	}
	a, b := block[0], block[1][:len(block[0])]
	for i := range a {
		switch pair {
		case leftSide:
			b[i] = a[i] - b[i]
		case sideRight:
			a[i] += b[i]
		default:
			right := a[i] - b[i]>>1
			a[i], b[i] = right+b[i], right
		}
	}
}

// subframe decodes the samples of one channel (RFC 9639, section 9.2).
func (r *bitReader) subframe(out []int32, width int) error {
	code := int(r.take(8))
	wasted := 0
	if code&1 == 1 {
		wasted = 1 + r.zeros()
	}
	if width -= wasted; width < 1 || code >= 0x80 {
		return errFrame
	}
	var err error
	switch kind := code >> 1; {
	case kind == 0:
		v := r.signed(width)
		for i := range out {
			out[i] = v
		}
	case kind == 1:
		for i := range out {
			out[i] = r.signed(width)
		}
	case kind >= 8 && kind <= 12:
		err = r.fixed(out, kind-8, width)
	case kind >= 32:
		err = r.linear(out, kind-31, width)
	default:
		err = errFrame
	}
	if err != nil || r.ended() {
		return errFrame
	}
	return widen(out, width, wasted)
}

// widen adds the wasted bits to samples, which may not have more than width bits.
func widen(out []int32, width, wasted int) error {
	used := int32(0)
	for _, v := range out {
		used |= v ^ v>>31
	}
	if used>>(width-1) != 0 {
		return ErrOther
	}
	if wasted > 0 {
		for i := range out {
			out[i] <<= wasted
		}
	}
	return nil
}

// fixed decodes samples that are predicted by a polynomial.
func (r *bitReader) fixed(out []int32, order, width int) error {
	if !r.begin(out, order, width) {
		return errFrame
	}
	if err := r.residuals(out, order); err != nil {
		return err
	}
	switch order {
	case 1:
		for i := 1; i < len(out); i++ {
			out[i] += out[i-1]
		}
	case 2:
		for i := 2; i < len(out); i++ {
			out[i] += 2*out[i-1] - out[i-2]
		}
	case 3:
		for i := 3; i < len(out); i++ {
			out[i] += 3*(out[i-1]-out[i-2]) + out[i-3]
		}
	case 4:
		for i := 4; i < len(out); i++ {
			out[i] += 4*(out[i-1]+out[i-3]) - 6*out[i-2] - out[i-4]
		}
	}
	return nil
}

// linear decodes samples that are predicted by coefficients of their own.
func (r *bitReader) linear(out []int32, order, width int) error {
	if !r.begin(out, order, width) {
		return errFrame
	}
	precision, shift := int(r.take(4))+1, r.signed(5)
	if precision == 16 || shift < 0 {
		return errFrame
	}
	var factors [32]int64 // the one of the sample before last
	for i := range order {
		factors[order-1-i] = int64(r.signed(precision))
	}
	if err := r.residuals(out, order); err != nil {
		return err
	}
	by := factors[:order]
	for i := order; i < len(out); i++ {
		sum := int64(0)
		for k, v := range out[i-order : i : i] {
			sum += by[k] * int64(v)
		}
		out[i] += int32(sum >> shift)
	}
	return nil
}

// begin reads the first samples, which are not predicted; false = there are fewer.
func (r *bitReader) begin(out []int32, order, width int) bool {
	for i := range min(order, len(out)) {
		out[i] = r.signed(width)
	}
	return order <= len(out)
}

// residuals reads the residuals behind the first samples (RFC 9639, section 9.2.7).
func (r *bitReader) residuals(out []int32, order int) error {
	method := r.take(2)
	parts := 1 << r.take(4)
	each := len(out) / parts
	if method > 1 || each*parts != len(out) || order > each {
		return errFrame
	}
	width := 4 + int(method)
	for from := order; len(out) > 0; from = 0 {
		part := out[from:each]
		if k := int(r.take(width)); k == 1<<width-1 {
			raw := int(r.take(5))
			for i := range part {
				part[i] = r.signed(raw)
			}
		} else if !r.rice(part, k) {
			return errFrame
		}
		out = out[each:]
	}
	return nil
}

// A bitReader reads bits, the highest of each byte first. Behind the end all bits are
// zero.
type bitReader struct {
	data  []byte
	at    int    // of the next byte
	ahead uint64 // the next bits, from the highest on
	n     int    // how many
}

// fill makes at least 56 bits available.
func (r *bitReader) fill() {
	if r.at+8 <= len(r.data) {
		r.ahead |= binary.BigEndian.Uint64(r.data[r.at:]) >> r.n
		r.at += (63 - r.n) >> 3
		r.n |= 56
		return
	}
	for ; r.n <= 56; r.n += 8 {
		if r.at < len(r.data) {
			r.ahead |= uint64(r.data[r.at]) << (56 - r.n)
		}
		r.at++
	}
}

// take returns up to 32 bits.
func (r *bitReader) take(n int) uint64 {
	if r.n < n {
		r.fill()
	}
	v := r.ahead >> (64 - n)
	r.ahead, r.n = r.ahead<<n, r.n-n
	return v
}

// signed returns a number of up to 32 bits in two's complement; of no bits, 0.
func (r *bitReader) signed(n int) int32 {
	return int32(int64(r.take(n)<<(64-n)) >> (64 - n))
}

// zeros counts zeros up to a one, and takes them all.
func (r *bitReader) zeros() (n int) {
	for {
		r.fill()
		if z := bits.LeadingZeros64(r.ahead); z < r.n {
			r.ahead, r.n = r.ahead<<(z+1), r.n-z-1
			return n + z
		}
		n += r.n
		r.ahead, r.n = 0, 0
		if r.ended() {
			return n
		}
	}
}

// rice reads residuals in Rice's code with k low bits; false = the data end, or a number
// is larger than 32 bits.
func (r *bitReader) rice(out []int32, k int) bool {
	for i := range out {
		r.fill()
		z := bits.LeadingZeros64(r.ahead)
		var v uint64
		if used := z + 1 + k; used <= r.n {
			low := r.ahead << (z + 1) >> 1 // the shift of 64 - k in two steps, since k may be 0
			v = uint64(z)<<k | low>>(63-k)
			r.ahead, r.n = r.ahead<<used, r.n-used
		} else {
			high := uint64(r.zeros())
			if high > 1<<31>>k || r.ended() {
				return false
			}
			v = high<<k | r.take(k)
		}
		if v > math.MaxUint32 {
			return false
		}
		out[i] = int32(v>>1) ^ -int32(v&1)
	}
	return true
}

// ended reports whether more bits were taken than there are.
func (r *bitReader) ended() bool { return r.at*8-r.n > len(r.data)*8 }

// bytes returns how many bytes were taken, the last one even if it was not taken
// entirely.
func (r *bitReader) bytes() int { return (r.at*8 - r.n + 7) / 8 }
