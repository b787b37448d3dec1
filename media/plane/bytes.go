package plane

import (
	"encoding/binary"
	"math/bits"
)

// Eight pixels at a time are counted in one 64-bit number. Sums are gathered in lanes of 16
// bits, which hold as many steps as laneSteps before they have to be emptied.
const (
	lanes     = 0x00ff00ff00ff00ff
	laneOnes  = 0x0001000100010001
	byteOnes  = 0x0101010101010101
	laneSteps = 128
)

// emptied adds up the four lanes.
func emptied(v uint64) int {
	return int(v&0xffff + v>>16&0xffff + v>>32&0xffff + v>>48)
}

// total is the sum of all pixels.
func total(pix []uint8) (sum int) {
	for len(pix) >= 8 {
		part := pix[:min(len(pix)&^7, 8*laneSteps)]
		pix = pix[len(part):]
		var held uint64
		for ; len(part) >= 8; part = part[8:] {
			v := binary.LittleEndian.Uint64(part)
			held += v&lanes + v>>8&lanes
		}
		sum += emptied(held)
	}
	for _, v := range pix {
		sum += int(v)
	}
	return sum
}

// AtMost counts the pixels that are not brighter than a level below 128.
func AtMost(pix []uint8, level uint8) int {
	brighter, all := 0, len(pix)
	for ; len(pix) >= 8; pix = pix[8:] {
		v := binary.LittleEndian.Uint64(pix)
		// The upper bit of a byte is set by the addition, or it was.
		above := (v&(0x7f*byteOnes) + uint64(127-level)*byteOnes) | v
		brighter += bits.OnesCount64(above & (0x80 * byteOnes))
	}
	for _, v := range pix {
		if v > level {
			brighter++
		}
	}
	return all - brighter
}

// Difference is the mean absolute difference of the pixels of two pictures, 0 to 255. The
// second one is at least as long as the first, which is not empty.
func Difference(a, b []uint8) float64 {
	sum, all := 0, len(a)
	for b = b[:all]; len(a) >= 8; {
		n := min(len(a)&^7, 8*laneSteps)
		sum += distance(a[:n], b[:n])
		a, b = a[n:], b[n:]
	}
	for i, v := range a {
		sum += max(int(v)-int(b[i]), int(b[i])-int(v))
	}
	return float64(sum) / float64(all)
}

// distance is the sum of the absolute differences of up to laneSteps times eight pixels.
func distance(a, b []uint8) int {
	var held uint64
	for ; len(a) >= 8 && len(b) >= 8; a, b = a[8:], b[8:] {
		v, w := binary.LittleEndian.Uint64(a), binary.LittleEndian.Uint64(b)
		held += distances(v&lanes, w&lanes) + distances(v>>8&lanes, w>>8&lanes)
	}
	return emptied(held)
}

// distances are the absolute differences of four lanes. Where a lane of 256 + v - w has lost
// its ninth bit, v is less than w, and 512 less that number is 256 + w - v.
func distances(v, w uint64) uint64 {
	d := (v | 256*laneOnes) - w
	less := laneOnes - d>>8&laneOnes
	return ((d ^ (less<<9 - less)) + less) & lanes
}
