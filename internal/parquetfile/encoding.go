package parquetfile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
)

// Encodings of values. The deprecated BIT_PACKED is not read.
const (
	plain             = 0
	plainDictionary   = 2
	runLength         = 3
	deltaBinary       = 5
	deltaLength       = 6
	deltaBytes        = 7
	runLengthOfKeys   = 8
	byteStreamSplit   = 9
	mostPageValues    = 1 << 26
	mostDeltaBlock    = 1 << 20
	mostRunLengthBits = 32
)

var errValues = errors.New("its values break off")

// A decoder returns the values of a page one after another, each as PLAIN would store it (a truth value as a byte, bytes without
// their length), valid until the next call. It keeps nothing that the page's own bytes do not hold, however many values these say
// they have.
type decoder interface{ next() ([]byte, error) }

// fixedSize is how many bytes a value of a physical type takes; 0 = it varies.
func fixedSize(physical, length int) int {
	switch physical {
	case boolean:
		return 1
	case int32s, floats:
		return 4
	case int64s, doubles:
		return 8
	case int96s:
		return 12
	case fixedBytes:
		return length
	}
	return 0
}

// A plainReader reads values that stand one behind the other.
type plainReader struct {
	from []byte
	size int // 0 = each has its length before it
}

func (r *plainReader) next() ([]byte, error) {
	size := r.size
	if size == 0 {
		if len(r.from) < 4 {
			return nil, errValues
		}
		size = int(binary.LittleEndian.Uint32(r.from))
		r.from = r.from[4:]
	}
	if size > len(r.from) {
		return nil, errValues
	}
	v := r.from[:size]
	r.from = r.from[size:]
	return v, nil
}

// A bitReader reads truth values, eight in a byte.
type bitReader struct {
	from []byte
	at   int
	out  [1]byte
}

func (r *bitReader) next() ([]byte, error) {
	if r.at/8 >= len(r.from) {
		return nil, errValues
	}
	r.out[0] = r.from[r.at/8] >> (r.at % 8) & 1
	r.at++
	return r.out[:], nil
}

// A hybrid reads runs of equal numbers and packed numbers (the RLE/bit-packing hybrid).
type hybrid struct {
	from   []byte
	width  int
	run    uint64 // how often the value comes still
	value  uint64
	packed int // bits read of the packed numbers in front of from; -1 = it is a run
	groups []byte
}

func newHybrid(from []byte, width int) (*hybrid, error) {
	if width > mostRunLengthBits {
		return nil, fmt.Errorf("numbers of %d bits", width)
	}
	return &hybrid{from: from, width: width}, nil
}

func (h *hybrid) number() (uint64, error) {
	if h.run == 0 {
		if err := h.begin(); err != nil {
			return 0, err
		}
	}
	h.run--
	if h.groups == nil {
		return h.value, nil
	}
	v := unpackBits(h.groups, h.packed, h.width)
	h.packed += h.width
	return v, nil
}

// begin reads the head of the next run.
func (h *hybrid) begin() error {
	head, n := binary.Uvarint(h.from)
	for n > 0 && head>>1 == 0 { // a run of nothing
		h.from = h.from[n:]
		head, n = binary.Uvarint(h.from)
	}
	if n <= 0 {
		return errValues
	}
	h.from = h.from[n:]
	if head&1 == 0 {
		size := (h.width + 7) / 8
		if size > len(h.from) {
			return errValues
		}
		h.value, h.groups = 0, nil
		for i := range size {
			h.value |= uint64(h.from[i]) << (8 * i)
		}
		h.from, h.run = h.from[size:], head>>1
		return nil
	}
	if h.width == 0 {
		h.value, h.groups, h.run = 0, nil, min(head>>1, mostPageValues)*8
		return nil
	}
	// Some writers leave out what the last group of eight has too much.
	size := min(head>>1, uint64(len(h.from)))
	size = min(size*uint64(h.width), uint64(len(h.from)))
	h.groups, h.from = h.from[:size], h.from[size:]
	h.packed, h.run = 0, min(head>>1, mostPageValues)*8
	h.run = min(h.run, size*8/uint64(h.width))
	if h.run == 0 {
		return errValues
	}
	return nil
}

// unpackBits is the number of width bits that begins at a bit, the lowest first.
func unpackBits(from []byte, at, width int) (v uint64) {
	for got := 0; got < width; {
		in := at % 8
		take := min(8-in, width-got)
		v |= uint64(from[at/8]>>in&byte(1<<take-1)) << got
		got, at = got+take, at+take
	}
	return v
}

// runBooleans are truth values as runs.
type runBooleans struct {
	from *hybrid
	out  [1]byte
}

func (r *runBooleans) next() ([]byte, error) {
	v, err := r.from.number()
	r.out[0] = byte(v)
	return r.out[:], err
}

// A dictionary holds the different values of a column in a row group.
type dictionary struct {
	data    []byte
	size    int      // of each value; 0 = the offsets say
	offsets []uint32 // where the value begins, behind its length
}

func (d *dictionary) at(i uint64) ([]byte, error) {
	switch {
	case d.size > 0 && i < uint64(len(d.data)/d.size):
		return d.data[int(i)*d.size:][:d.size], nil
	case d.size == 0 && i < uint64(len(d.offsets)):
		start := d.offsets[i]
		return d.data[start:][:binary.LittleEndian.Uint32(d.data[start-4:])], nil
	}
	return nil, fmt.Errorf("the value %d of a dictionary that lacks it", i)
}

// newDictionary looks for the values of a dictionary page, which says how many there are.
func newDictionary(data []byte, size int, values int64) (*dictionary, error) {
	d := &dictionary{data: data, size: size}
	if size == 0 {
		d.offsets = make([]uint32, 0, min(values, int64(len(data)/4)))
	}
	for at := 0; size == 0 && at < len(data); {
		if len(data)-at < 4 || int64(binary.LittleEndian.Uint32(data[at:])) > int64(len(data)-at-4) {
			return nil, errValues
		}
		if int64(len(d.offsets)) == values {
			return nil, errLonger
		}
		d.offsets = append(d.offsets, uint32(at+4))
		at += 4 + int(binary.LittleEndian.Uint32(data[at:]))
	}
	return d, nil
}

// keys are values of a dictionary by their numbers.
type keys struct {
	of      *dictionary
	numbers *hybrid
}

func (k *keys) next() ([]byte, error) {
	i, err := k.numbers.number()
	if err != nil {
		return nil, err
	}
	return k.of.at(i)
}

// A splitReader reads values of which the first bytes stand first, then all second ones (BYTE_STREAM_SPLIT).
type splitReader struct {
	from []byte
	at   int
	out  []byte
}

func (r *splitReader) next() ([]byte, error) {
	n := len(r.from) / len(r.out)
	if r.at >= n {
		return nil, errValues
	}
	for k := range r.out {
		r.out[k] = r.from[k*n+r.at]
	}
	r.at++
	return r.out, nil
}

// levelBits is how many bits a level takes.
func levelBits(most int) int { return bits.Len(uint(most)) }
