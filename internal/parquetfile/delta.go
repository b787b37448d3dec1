package parquetfile

import "encoding/binary"

// A deltaReader reads numbers that are stored as differences, in blocks of packed ones (DELTA_BINARY_PACKED).
type deltaReader struct {
	from   []byte
	block  int    // numbers in a block
	minis  int    // parts of a block
	left   uint64 // numbers still to come
	first  bool   // the next number is the first, which is stored as it is
	value  uint64
	least  uint64 // difference of the block
	widths []byte // of the parts still to come
	inMini int    // numbers left in the part
	width  int
	at     int // bits of the part that are read
	out    [8]byte
	size   int // of a value: 4 or 8
}

// newDelta reads at most so many numbers, as values of size bytes.
func newDelta(from []byte, size int, most uint64) (*deltaReader, error) {
	r := &deltaReader{from: from, size: size, first: true}
	block, minis, left, first := r.uvarint(), r.uvarint(), r.uvarint(), r.uvarint()
	if r.from == nil || left > most || block == 0 || block > mostDeltaBlock || minis == 0 || minis > block || block%minis != 0 || block/minis%8 != 0 {
		return nil, errValues
	}
	r.block, r.minis, r.left = int(block), int(minis), left
	r.value = unzigzag(first)
	return r, nil
}

func unzigzag(v uint64) uint64 { return v>>1 ^ -(v & 1) }

// uvarint leaves nil in from if there is none.
func (r *deltaReader) uvarint() uint64 {
	v, n := binary.Uvarint(r.from)
	if n <= 0 {
		r.from = nil
		return 0
	}
	r.from = r.from[n:]
	return v
}

func (r *deltaReader) number() (uint64, error) {
	if r.left == 0 {
		return 0, errValues
	}
	r.left--
	if r.first {
		r.first = false
		return r.value, nil
	}
	if r.inMini == 0 {
		if err := r.begin(); err != nil {
			return 0, err
		}
	}
	size := r.block / r.minis
	r.value += r.least + unpackBits(r.from, r.at, r.width)
	r.at += r.width
	if r.inMini--; r.inMini == 0 {
		r.from = r.from[size*r.width/8:]
	}
	return r.value, nil
}

// begin starts the next part of a block, and the next block.
func (r *deltaReader) begin() error {
	if len(r.widths) == 0 {
		r.least = unzigzag(r.uvarint())
		if r.from == nil || len(r.from) < r.minis {
			return errValues
		}
		r.widths, r.from = r.from[:r.minis], r.from[r.minis:]
	}
	size := r.block / r.minis
	r.width, r.widths, r.at, r.inMini = int(r.widths[0]), r.widths[1:], 0, size
	if r.width > 64 || size*r.width/8 > len(r.from) {
		return errValues
	}
	return nil
}

func (r *deltaReader) next() ([]byte, error) {
	v, err := r.number()
	binary.LittleEndian.PutUint64(r.out[:], v)
	return r.out[:r.size], err
}

// skip reads all numbers, and returns what follows them.
func (r *deltaReader) skip() ([]byte, error) {
	for r.left > 0 {
		if _, err := r.number(); err != nil {
			return nil, err
		}
	}
	if r.inMini > 0 { // the last part is stored whole
		r.from = r.from[r.block/r.minis*r.width/8:]
	}
	return r.from, nil
}

// behindDelta starts reading the numbers in front of data, and returns what follows them as well.
func behindDelta(data []byte, most uint64) (numbers *deltaReader, rest []byte, err error) {
	first, err := newDelta(data, 8, most)
	if err != nil {
		return nil, nil, err
	}
	if rest, err = first.skip(); err != nil {
		return nil, nil, err
	}
	numbers, err = newDelta(data, 8, most)
	return numbers, rest, err
}

// A lengthReader reads bytes that follow their lengths (DELTA_LENGTH_BYTE_ARRAY).
type lengthReader struct {
	lengths *deltaReader
	from    []byte
}

func newLengths(data []byte, most uint64) (*lengthReader, error) {
	lengths, rest, err := behindDelta(data, most)
	return &lengthReader{lengths: lengths, from: rest}, err
}

func (r *lengthReader) next() ([]byte, error) {
	n, err := r.lengths.number()
	if err != nil {
		return nil, err
	}
	if n > uint64(len(r.from)) {
		return nil, errValues
	}
	v := r.from[:n]
	r.from = r.from[n:]
	return v, nil
}

// A prefixReader reads bytes that begin as those before do (DELTA_BYTE_ARRAY).
type prefixReader struct {
	prefixes *deltaReader
	suffixes *lengthReader
	last     []byte
	long     int // most bytes of a value
}

func newPrefixes(data []byte, most uint64, long int) (*prefixReader, error) {
	prefixes, rest, err := behindDelta(data, most)
	if err != nil {
		return nil, err
	}
	suffixes, err := newLengths(rest, most)
	return &prefixReader{prefixes: prefixes, suffixes: suffixes, long: long}, err
}

func (r *prefixReader) next() ([]byte, error) {
	n, err := r.prefixes.number()
	if err != nil {
		return nil, err
	}
	suffix, err := r.suffixes.next()
	switch {
	case err != nil:
		return nil, err
	case n > uint64(len(r.last)):
		return nil, errValues
	case int(n)+len(suffix) > r.long:
		return nil, errLong
	}
	r.last = append(r.last[:n], suffix...)
	return r.last, nil
}
