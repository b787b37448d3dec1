package media

import (
	"bytes"
	"math/bits"
)

// An avcHeader is what a sequence parameter set of H.264 says of the picture.
type avcHeader struct {
	width, height int
	square        bool     // its pixels are; false = it does not say
	rate          Rational // frames a second, by which ffprobe takes packets to last; zero = it does not say

	// Of colours, as ffprobe names them.
	coloured  bool
	colours   [3]int // primaries, transfer, matrix
	transfer  string
	fullRange bool
}

// transferNames are names of transfer functions (ITU-T H.264, table E-4); 2 = unknown. Films with
// other functions are left to ffprobe.
var transferNames = map[int]string{1: "bt709", 2: "unknown", 6: "smpte170m", 13: "iec61966-2-1"}

// readSPS reads a sequence parameter set (ITU-T H.264, 7.3.2.1.1 and E.1.1); false =
// it is of an unusual form: interlaced, of more than 8 bits, with pixels that are
// not square, with matrices of its own, or with frames that may be shown twice.
func readSPS(unit []byte) (h avcHeader, ok bool) {
	if len(unit) < 5 || unit[0]&31 != 7 {
		return h, false
	}
	r := &spsBits{data: bytes.ReplaceAll(unit[4:], []byte{0, 0, 3}, []byte{0, 0})}
	r.golomb() // its number
	if !r.usualForm(int(unit[1])) {
		return h, false
	}
	r.golomb()
	if order := r.golomb(); order == 0 {
		r.golomb()
	} else if order != 2 {
		return h, false
	}
	r.golomb()
	r.take(1)
	h.width, h.height = 16*(r.golomb()+1), 16*(r.golomb()+1)
	if progressive := r.take(1); progressive != 1 {
		return h, false
	}
	r.take(1)
	if r.take(1) == 1 { // cropped
		left, right, top, bottom := r.golomb(), r.golomb(), r.golomb(), r.golomb()
		if left != 0 || top != 0 {
			return h, false
		}
		h.width, h.height = h.width-2*right, h.height-2*bottom
	}
	ok = r.take(1) == 0 || h.readVUI(r)
	return h, ok && !r.short && h.width > 0 && h.height > 0
}

// usualForm reads the fields of the high profiles: 8 bits, a quarter of the colours, and no matrices. The first profiles
// have no other form.
func (r *spsBits) usualForm(profile int) bool {
	switch profile {
	case 66, 77, 88:
		return true
	case 100, 110, 122:
		chroma, luma, depth := r.golomb(), r.golomb(), r.golomb()
		bypass, matrices := r.take(1), r.take(1)
		return chroma == 1 && luma+depth+bypass+matrices == 0
	}
	return false
}

// readVUI reads the beginning of the usability information.
func (h *avcHeader) readVUI(r *spsBits) bool {
	if r.take(1) == 1 {
		form := r.take(8)
		if h.square = form == 1; form > 1 {
			return false
		}
	}
	if r.take(1) == 1 { // overscan
		r.take(1)
	}
	known := true
	if r.take(1) == 1 {
		known = h.readColours(r)
	}
	if r.take(1) == 1 { // places of colours
		r.golomb()
		r.golomb()
	}
	if r.take(1) == 1 {
		units, scale := int64(r.take(32)), int64(r.take(32))
		if units < 1 || scale < 1 || scale > 1<<31 {
			return false
		}
		h.rate = reduced(scale, 2*units)
		r.take(1)
	}
	hypothetical, decoder, repeats := r.take(1), r.take(1), r.take(1)
	return known && hypothetical+decoder+repeats == 0
}

func (h *avcHeader) readColours(r *spsBits) (known bool) {
	r.take(3)
	h.fullRange = r.take(1) == 1
	if h.coloured = r.take(1) == 1; !h.coloured {
		return true
	}
	for i := range h.colours {
		h.colours[i] = r.take(8)
	}
	h.transfer, known = transferNames[h.colours[1]]
	return known
}

// sameColours reports whether a box colr has the colours of the parameter set.
func sameColours(colr []byte, h avcHeader) bool {
	n := mp4Reader{b: colr}
	kind := n.u32()
	same := h.coloured && kind == 'n'<<24|'c'<<16|'l'<<8|'x'
	for _, want := range h.colours {
		same = same && n.take(2) == int64(want)
	}
	full := n.take(1)>>7 == 1
	return same && !n.short && full == h.fullRange
}

// spsBits reads bits, the highest of each byte first. Behind the end they are zero, and
// short is set.
type spsBits struct {
	data  []byte
	at    int // of the next bit
	short bool
}

func (r *spsBits) take(n int) (v int) {
	for range n {
		if r.at >= 8*len(r.data) {
			r.short = true
			return 0
		}
		v = v<<1 | int(r.data[r.at/8]>>(7-r.at%8)&1)
		r.at++
	}
	return v
}

// golomb reads a number in the code of Exp-Golomb (ITU-T H.264, 9.1).
func (r *spsBits) golomb() int {
	zeros := 0
	for r.take(1) == 0 && !r.short {
		zeros++
	}
	if zeros > bits.UintSize/2-8 {
		r.short = true
		return 0
	}
	return 1<<zeros - 1 + r.take(zeros)
}
