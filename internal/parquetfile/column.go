package parquetfile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// A column is a leaf of the schema, and how far its values are read in the row group at hand.
type column struct {
	name   string // its path, with dots
	index  int    // among all leaves
	of     element
	maxDef int
	maxRep int

	r     *reader
	chunk chunk
	at    int64 // of the next page
	left  int64 // values of the chunk still to come
	pages int   // read, from the chunk's start
	dict  *dictionary
	held  int64 // bytes of the dictionary

	page     []byte
	inPage   int64 // values of the page still to come
	rep, def *hybrid
	data     []byte // the page's values
	encoding int
	values   decoder // nil = none was asked for yet

	peeked bool
	now    levels
}

// mostEmptyPages may stand one behind the other, dictionaries and indexes among them.
const mostEmptyPages = 1000

// levels say where a value belongs: at which repeated field it begins anew, and up to which optional field there is something.
type levels struct{ rep, def int }

// begin starts reading a row group.
func (c *column) begin(of chunk) error {
	switch {
	case of.external:
		return errors.New("its values are encrypted or in another file")
	case of.physical != c.of.physical:
		return errors.New("its type is another than the schema says")
	case of.values < 0 || of.values > 0 && (of.start < int64(len(magic)) || of.start > c.r.size): // pyarrow names no place for no values
		return errors.New("it is not in the file")
	}
	c.r.release(c.held)
	c.chunk, c.at, c.left, c.pages, c.dict, c.held, c.inPage, c.peeked = of, of.start, of.values, 0, nil, 0, 0, false
	return nil
}

// peek returns the levels of the next value; ok = false says that there is none.
func (c *column) peek() (l levels, ok bool, err error) {
	if c.peeked {
		return c.now, true, nil
	}
	for empty := 0; c.inPage == 0; empty++ {
		if c.left == 0 {
			return levels{}, false, nil
		}
		if empty > mostEmptyPages {
			return levels{}, false, c.damaged(errWrong)
		}
		if err := c.nextPage(); err != nil {
			return levels{}, false, c.damaged(err)
		}
	}
	c.now = levels{}
	if c.now.rep, err = level(c.rep, c.maxRep); err == nil {
		c.now.def, err = level(c.def, c.maxDef)
	}
	if err != nil {
		return levels{}, false, c.damaged(err)
	}
	c.inPage--
	c.left--
	c.peeked = true
	return c.now, true, nil
}

func level(from *hybrid, most int) (int, error) {
	if most == 0 {
		return 0, nil
	}
	v, err := from.number()
	if err == nil && v > uint64(most) {
		err = fmt.Errorf("a level of %d where %d is the highest", v, most)
	}
	return int(v), err
}

// take takes the value that was peeked at; there = false says that it is missing.
func (c *column) take() (value []byte, there bool, err error) {
	if c.peeked = false; c.now.def < c.maxDef {
		return nil, false, nil
	}
	if c.values == nil {
		if c.values, err = c.decoder(); err != nil {
			return nil, false, c.damaged(err)
		}
	}
	if value, err = c.values.next(); err != nil {
		return nil, false, c.damaged(err)
	}
	return value, true, nil
}

func (c *column) damaged(err error) error {
	if errors.Is(err, errLong) {
		return err
	}
	return fmt.Errorf("column %s, page %d: %w", c.name, c.pages, err)
}

// nextPage reads pages up to the next one of data.
func (c *column) nextPage() error {
	h, start, err := c.r.readPageHeader(c.at)
	if err != nil {
		return err
	}
	c.pages++
	c.at = start + h.packed
	switch h.kind {
	case dataPage, dataPageV2:
		if c.page, err = c.r.readPage(h, start, c.chunk.codec, c.page); err != nil {
			return err
		}
		c.inPage, c.encoding, c.values = min(h.values, c.left), h.encoding, nil
		if h.kind == dataPageV2 {
			return c.levelsV2(h)
		}
		return c.levelsV1(h)
	case dictionaryPage:
		return c.readDictionary(h, start)
	}
	if h.packed == 0 {
		return errWrong
	}
	return nil // an index, which holds no values
}

func (c *column) readDictionary(h pageHeader, start int64) error {
	if c.dict != nil {
		return errors.New("it has a second dictionary")
	}
	data, err := c.r.readPage(h, start, c.chunk.codec, nil)
	if err != nil {
		return err
	}
	c.held = int64(len(data))
	size := fixedSize(c.of.physical, c.of.length)
	if size == 0 { // four bytes to find each of the values
		if c.held += 4 * h.values; h.values > int64(len(data))/4 {
			return errWrong
		}
		if err := c.r.hold(4 * h.values); err != nil {
			return err
		}
	}
	c.dict, err = newDictionary(data, size, h.values)
	return err
}

// levelsV1 finds levels and values in a page of version 1, where each kind of levels follows its length.
func (c *column) levelsV1(h pageHeader) (err error) {
	rest := c.page
	for _, l := range []struct {
		most, method int
		to           **hybrid
	}{{c.maxRep, h.repLevels, &c.rep}, {c.maxDef, h.defLevels, &c.def}} {
		if l.most == 0 {
			continue
		}
		if l.method != runLength {
			return fmt.Errorf("its levels are stored by the method %d, which is out of use: write the file again", l.method)
		}
		if len(rest) < 4 || int64(binary.LittleEndian.Uint32(rest)) > int64(len(rest)-4) {
			return errValues
		}
		end := 4 + int(binary.LittleEndian.Uint32(rest))
		if *l.to, err = newHybrid(rest[4:end], levelBits(l.most)); err != nil {
			return err
		}
		rest = rest[end:]
	}
	c.data = rest
	return nil
}

func (c *column) levelsV2(h pageHeader) (err error) {
	if c.rep, err = newHybrid(c.page[:h.repBytes], levelBits(c.maxRep)); err != nil {
		return err
	}
	c.def, err = newHybrid(c.page[h.repBytes:h.repBytes+h.defBytes], levelBits(c.maxDef))
	c.data = c.page[h.repBytes+h.defBytes:]
	return err
}

// typesOf are the types of encodings that do not serve all.
var typesOf = map[int][]int{
	runLength: {boolean}, deltaBinary: {int32s, int64s}, deltaLength: {byteArrays}, deltaBytes: {byteArrays, fixedBytes},
}

// decoder reads the page's values.
func (c *column) decoder() (decoder, error) {
	size := fixedSize(c.of.physical, c.of.length)
	most := uint64(c.inPage) + 1 // with the one that was peeked at
	encoding := c.encoding
	if types := typesOf[encoding]; types != nil && !slices.Contains(types, c.of.physical) {
		encoding = -1
	}
	switch encoding {
	case plain:
		if c.of.physical == boolean {
			return &bitReader{from: c.data}, nil
		}
		return &plainReader{from: c.data, size: size}, nil
	case plainDictionary, runLengthOfKeys:
		if c.dict == nil || len(c.data) == 0 {
			return nil, errors.New("its dictionary is missing")
		}
		numbers, err := newHybrid(c.data[1:], int(c.data[0]))
		return &keys{of: c.dict, numbers: numbers}, err
	case runLength:
		if len(c.data) >= 4 {
			numbers, err := newHybrid(c.data[4:], 1)
			return &runBooleans{from: numbers}, err
		}
	case deltaBinary:
		return newDelta(c.data, size, most)
	case deltaLength:
		return newLengths(c.data, most)
	case deltaBytes:
		return newPrefixes(c.data, most, c.r.limits.Row)
	case byteStreamSplit:
		if size > 1 {
			return &splitReader{from: c.data, out: make([]byte, size)}, nil
		}
	}
	return nil, fmt.Errorf("values are stored by the method %d, which is not read for this type", c.encoding)
}
