package media

import (
	"encoding/binary"
	"slices"
)

// eachBox calls do with the boxes that fill b (ISO/IEC 14496-12, 4.2); false = they do
// not fill it exactly, or do returned false.
func eachBox(b []byte, do func(kind string, body []byte) bool) bool {
	for len(b) > 0 {
		if len(b) < 8 {
			return false
		}
		size, head := uint64(binary.BigEndian.Uint32(b)), 8
		if size == 1 && len(b) >= 16 {
			size, head = binary.BigEndian.Uint64(b[8:]), 16
		}
		if size < uint64(head) || size > uint64(len(b)) || !do(string(b[4:8]), b[head:size]) {
			return false
		}
		b = b[size:]
	}
	return true
}

// boxesOf returns the boxes that fill b by their kind; nil = others than the known ones
// are there, or one of them twice.
func boxesOf(b []byte, known ...string) map[string][]byte {
	found := map[string][]byte{}
	if !eachBox(b, func(kind string, body []byte) bool {
		if _, twice := found[kind]; twice || !slices.Contains(known, kind) {
			return false
		}
		found[kind] = body
		return true
	}) {
		return nil
	}
	return found
}

// An mp4Reader reads big-endian numbers. Behind the end they are zero, and short is set.
type mp4Reader struct {
	b     []byte
	short bool
}

func (n *mp4Reader) take(bytes int) (v int64) {
	if len(n.b) < bytes {
		n.b, n.short = nil, true
		return 0
	}
	for _, c := range n.b[:bytes] {
		v = v<<8 | int64(c)
	}
	n.b = n.b[bytes:]
	return v
}

func (n *mp4Reader) u32() int64 { return n.take(4) }

func (n *mp4Reader) skip(bytes int) {
	if len(n.b) < bytes {
		n.b, n.short = nil, true
		return
	}
	n.b = n.b[bytes:]
}

// versioned reads the version and flags of a box, and returns how many bytes its
// times have.
func (n *mp4Reader) versioned() (flags int64, wide int) {
	v := n.u32()
	if v>>24 == 1 {
		return v & 0xffffff, 8
	}
	n.short = n.short || v>>24 != 0
	return v & 0xffffff, 4
}

// clock reads what mvhd and mdhd begin with: the ticks of a second and a length in ticks; ok = neither is zero.
func (n *mp4Reader) clock() (scale, length int64, ok bool) {
	_, wide := n.versioned()
	n.skip(2 * wide)
	scale, length = n.u32(), n.take(wide)
	return scale, length, scale > 0 && length > 0
}

// upright reads a matrix; false = it turns or scales the picture.
func (n *mp4Reader) upright() bool {
	matrix := [9]int64{0: 1 << 16, 4: 1 << 16, 8: 1 << 30}
	for _, want := range matrix {
		if n.u32() != want {
			return false
		}
	}
	return true
}
