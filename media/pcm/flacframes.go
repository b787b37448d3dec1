package pcm

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// A flacFrame is the header of a frame (RFC 9639, section 9.1).
type flacFrame struct {
	bytes   int    // of the header
	samples int64  // of each channel
	rate    int    // 0 = that of the file
	number  uint64 // of the frame, or of its first sample
	counts  bool   // number is that of the first sample
}

var errFrame = errors.New("no frame of FLAC")

// countFrames walks over the frames of a stream by their check sums, without
// decoding them, and returns their number. They must follow each other, at one
// rate, up to the end.
func countFrames(stream []byte, rate int, samples int64) (frames int64, err error) {
	reached := int64(0)
	for len(stream) > 0 {
		f, err := readFrameHeader(stream)
		if err != nil {
			return 0, err
		}
		place := uint64(frames)
		if f.counts {
			place = uint64(reached)
		}
		if f.number != place || f.rate != 0 && f.rate != rate {
			return 0, errFrame
		}
		length := frameLength(stream, f)
		if length == 0 {
			return 0, errFrame
		}
		stream, reached, frames = stream[length:], reached+f.samples, frames+1
	}
	if reached != samples {
		return 0, errFrame
	}
	return frames, nil
}

// frameLength returns the bytes of the first frame: up to the first place where
// its check sum is right and another frame, or nothing, follows; 0 = there is no
// such place.
func frameLength(stream []byte, f flacFrame) int {
	sum := crc16(0, stream[:f.bytes])
	for at := f.bytes; ; {
		next := bytes.IndexByte(stream[at:], 0xff)
		if next < 0 {
			next = len(stream) - at
		}
		sum = crc16(sum, stream[at:at+next])
		if at += next; at == len(stream) {
			if sum == 0 {
				return at
			}
			return 0
		}
		if sum == 0 {
			if _, err := readFrameHeader(stream[at:]); err == nil {
				return at
			}
		}
		sum = crc16(sum, stream[at:at+1])
		at++
	}
}

// readFrameHeader reads the header at the beginning of a stream.
func readFrameHeader(stream []byte) (f flacFrame, err error) {
	if len(stream) < 6 || stream[0] != 0xff || stream[1]&^1 != 0xf8 || stream[3]&1 != 0 {
		return f, errFrame
	}
	f.counts = stream[1]&1 == 1
	at := 4
	if f.number, at = codedNumber(stream, at); at == 0 {
		return f, errFrame
	}
	field := func(n int) (v int) {
		for range n {
			if at < len(stream) {
				v = v<<8 | int(stream[at])
			}
			at++
		}
		return v
	}
	f.samples = flacSamples[stream[2]>>4]
	if code := stream[2] >> 4; code == 6 || code == 7 {
		f.samples = int64(field(int(code)-5)) + 1
	}
	f.rate = flacRates[stream[2]&15]
	if n := flacRateBytes[stream[2]&15]; n > 0 {
		f.rate *= field(n)
	}
	if at >= len(stream) || f.samples == 0 || stream[2]&15 == 15 || crc8(stream[:at]) != stream[at] {
		return f, errFrame
	}
	f.bytes = at + 1
	return f, nil
}

// flacSamples are the samples of a frame by their code (RFC 9639, section 9.1.1); 0 = reserved, or written behind the code.
var flacSamples = [16]int64{1: 192, 576, 1152, 2304, 4608, 8: 256, 512, 1024, 2048, 4096, 8192, 16384, 32768}

// flacRates are the sampling rates by their code (RFC 9639, section 9.1.2); 0 = the rate of the file. If a code puts the
// rate into bytes behind the header, flacRates has their unit, and flacRateBytes has their number.
var (
	flacRates     = [16]int{0, 88200, 176400, 192000, 8000, 16000, 22050, 24000, 32000, 44100, 48000, 96000, 1000, 1, 10}
	flacRateBytes = [16]int{12: 1, 2, 2}
)

// codedNumber reads a number in the extended form of UTF-8, of up to seven bytes,
// and returns the place after it; 0 = the bytes are not a number.
func codedNumber(stream []byte, at int) (n uint64, after int) {
	first := stream[at]
	more := 0
	for mask := byte(0x80); first&mask != 0; mask >>= 1 {
		if more++; mask == 1 {
			return 0, 0
		}
	}
	switch {
	case more == 0:
		return uint64(first), at + 1
	case more == 1 || at+more > len(stream):
		return 0, 0
	}
	n = uint64(first) & (1<<(7-more) - 1)
	for _, b := range stream[at+1 : at+more] {
		if b&0xc0 != 0x80 {
			return 0, 0
		}
		n = n<<6 | uint64(b&0x3f)
	}
	return n, at + more
}

// crc8 is the check sum of a header: x⁸ + x² + x + 1, from 0.
func crc8(b []byte) (sum byte) {
	for _, v := range b {
		sum = crc8Table[sum^v]
	}
	return sum
}

// crc16 is the check sum of a frame: x¹⁶ + x¹⁵ + x² + 1, from 0. With the sum at
// its end, that of a frame is 0. Eight bytes are looked up at a time.
func crc16(sum uint16, b []byte) uint16 {
	for ; len(b) >= 8; b = b[8:] {
		v := binary.BigEndian.Uint64(b) ^ uint64(sum)<<48
		t := &crc16Tables
		sum = t[7][byte(v>>56)] ^ t[6][byte(v>>48)] ^ t[5][byte(v>>40)] ^ t[4][byte(v>>32)] ^
			t[3][byte(v>>24)] ^ t[2][byte(v>>16)] ^ t[1][byte(v>>8)] ^ t[0][byte(v)]
	}
	for _, v := range b {
		sum = sum<<8 ^ crc16Tables[0][byte(sum>>8)^v]
	}
	return sum
}

// crc16Tables hold the sums of each byte with as many zero bytes behind it as the
// number of the table.
var crc8Table, crc16Tables = func() (eight [256]byte, sixteen [8][256]uint16) {
	for i := range 256 {
		a, b := byte(i), uint16(i)<<8
		for range 8 {
			a = a<<1 ^ a>>7*0x07
			b = b<<1 ^ b>>15*0x8005
		}
		eight[i], sixteen[0][i] = a, b
	}
	for k := 1; k < len(sixteen); k++ {
		for i, before := range sixteen[k-1] {
			sixteen[k][i] = before<<8 ^ sixteen[0][before>>8]
		}
	}
	return eight, sixteen
}()
