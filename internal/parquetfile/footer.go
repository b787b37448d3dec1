package parquetfile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Physical types of columns.
const (
	boolean = iota
	int32s
	int64s
	int96s
	floats
	doubles
	byteArrays
	fixedBytes
)

// Repetitions of fields.
const (
	required = iota
	optional
	repeated
)

// Logical types, those of the union LogicalType. The older converted types are turned into them.
const (
	logicalNone      = 0
	logicalString    = 1
	logicalMap       = 2
	logicalList      = 3
	logicalEnum      = 4
	logicalDecimal   = 5
	logicalDate      = 6
	logicalTime      = 7
	logicalTimestamp = 8
	logicalInteger   = 10
	logicalJSON      = 12
	logicalBSON      = 13
	logicalUUID      = 14
	logicalFloat16   = 15
)

// A logical is a logical type.
type logical struct {
	kind     int
	scale    int  // of decimals: digits behind the point
	unit     int  // of times: ticks in a second
	utc      bool // of times: they are UTC, not local
	unsigned bool // of integers
}

// An element is a field of the schema as it is stored.
type element struct {
	name       string
	physical   int
	length     int // of fixedBytes
	repetition int
	children   int
	logical    logical
}

// A footer is what stands at the end of a file. Row groups are kept as they are stored, and read when their turn comes.
type footer struct {
	elements []element
	rows     int64
	groups   [][]byte
}

const (
	magic         = "PAR1"
	mostFooter    = 64 << 20 // bytes; those of real files have kilobytes
	mostElements  = 100_000
	footerTrailer = 8 // its length and the magic
)

func readFooter(file io.ReaderAt, size int64) (*footer, error) {
	end := make([]byte, footerTrailer)
	if size < int64(len(magic))+footerTrailer {
		return nil, errors.New("it breaks off: get the file again")
	}
	if err := readAt(file, end, size-footerTrailer); err != nil {
		return nil, err
	}
	switch length := int64(binary.LittleEndian.Uint32(end)); {
	case string(end[4:]) == "PARE":
		return nil, errors.New("it is encrypted: write it without encryption")
	case string(end[4:]) != magic:
		return nil, errors.New("it does not end as a Parquet file does: it breaks off; get the file again")
	case length > size-int64(len(magic))-footerTrailer:
		return nil, errors.New("its metadata are longer than the file: it is damaged; get the file again")
	case length > mostFooter:
		return nil, fmt.Errorf("its metadata have more than %d bytes", mostFooter)
	default:
		text := make([]byte, length)
		if err := readAt(file, text, size-footerTrailer-length); err != nil {
			return nil, err
		}
		return parseFooter(text)
	}
}

func parseFooter(text []byte) (*footer, error) {
	f, t := &footer{}, &thrift{from: text}
	encrypted := false
	t.fields(func(id int, kind byte) {
		switch {
		case id == 2 && kind == thriftList:
			t.list(func(i int, kind byte) {
				if kind != thriftStruct || i == mostElements {
					t.fail(fmt.Errorf("its schema has more than %d fields, or is none", mostElements))
					return
				}
				f.elements = append(f.elements, t.element())
			})
		case id == 3:
			f.rows = t.int()
		case id == 4 && kind == thriftList:
			t.list(func(_ int, kind byte) {
				start := t.at
				t.skip(kind)
				f.groups = append(f.groups, t.from[start:t.at])
			})
		default:
			encrypted = encrypted || id == 8
			t.skip(kind)
		}
	})
	switch {
	case encrypted:
		return nil, errors.New("it is encrypted: write it without encryption")
	case t.err != nil:
		return nil, fmt.Errorf("%w: it is damaged; get the file again", t.err)
	}
	return f, nil
}

// element reads a SchemaElement.
func (t *thrift) element() (e element) {
	converted, scale := -1, 0
	e.physical = -1
	t.fields(func(id int, kind byte) {
		switch {
		case id == 4 && kind == thriftBinary:
			e.name = string(t.binary())
		case id == 10 && kind == thriftStruct:
			e.logical = t.logical()
		case kind < thriftI16 || kind > thriftI64:
			t.skip(kind)
		default:
			v := int(t.int())
			switch id {
			case 1:
				e.physical = v
			case 2:
				e.length = v
			case 3:
				e.repetition = v
			case 5:
				e.children = v
			case 6:
				converted = v
			case 7:
				scale = v
			}
		}
	})
	if e.logical.kind == logicalNone {
		e.logical = ofConverted(converted, scale)
	}
	return e
}

// logical reads a LogicalType.
func (t *thrift) logical() (l logical) {
	t.fields(func(id int, kind byte) {
		if l.kind = id; kind != thriftStruct {
			t.skip(kind)
			return
		}
		t.fields(func(field int, kind byte) {
			switch {
			case id == logicalDecimal && field == 1:
				l.scale = int(t.int())
			case (id == logicalTime || id == logicalTimestamp) && field == 1:
				l.utc = kind == thriftTrue
			case (id == logicalTime || id == logicalTimestamp) && field == 2 && kind == thriftStruct:
				t.fields(func(unit int, kind byte) {
					l.unit = map[int]int{1: 1e3, 2: 1e6, 3: 1e9}[unit]
					t.skip(kind)
				})
			case id == logicalInteger && field == 2:
				l.unsigned = kind == thriftFalse
			default:
				t.skip(kind)
			}
		})
	})
	return l
}

// ofConverted is the logical type for a converted one.
func ofConverted(converted, scale int) logical {
	switch converted {
	case 0:
		return logical{kind: logicalString}
	case 1, 2:
		return logical{kind: logicalMap}
	case 3:
		return logical{kind: logicalList}
	case 4:
		return logical{kind: logicalEnum}
	case 5:
		return logical{kind: logicalDecimal, scale: scale}
	case 6:
		return logical{kind: logicalDate}
	case 7:
		return logical{kind: logicalTime, unit: 1e3, utc: true}
	case 8:
		return logical{kind: logicalTime, unit: 1e6, utc: true}
	case 9:
		return logical{kind: logicalTimestamp, unit: 1e3, utc: true}
	case 10:
		return logical{kind: logicalTimestamp, unit: 1e6, utc: true}
	case 11, 12, 13, 14:
		return logical{kind: logicalInteger, unsigned: true}
	case 15, 16, 17, 18:
		return logical{kind: logicalInteger}
	case 19:
		return logical{kind: logicalJSON}
	case 20:
		return logical{kind: logicalBSON}
	}
	return logical{}
}

// A chunk is where the values of a column in a row group are.
type chunk struct {
	physical int
	codec    int
	values   int64
	start    int64
	external bool // in another file, or encrypted
}

// readGroup reads a row group: how many rows it has, and its chunks in the order of the columns.
func readGroup(text []byte) (rows int64, chunks []chunk, err error) {
	t := &thrift{from: text}
	t.fields(func(id int, kind byte) {
		switch {
		case id == 1 && kind == thriftList:
			t.list(func(_ int, kind byte) {
				if kind != thriftStruct {
					t.fail(errWrong)
					return
				}
				chunks = append(chunks, t.chunk())
			})
		case id == 3 && kind == thriftI64:
			rows = t.int()
		default:
			t.skip(kind)
		}
	})
	return rows, chunks, t.err
}

// chunk reads a ColumnChunk.
func (t *thrift) chunk() (c chunk) {
	t.fields(func(id int, kind byte) {
		switch {
		case id == 1 || id == 8 || id == 9:
			c.external = true
			t.skip(kind)
		case id == 3 && kind == thriftStruct:
			t.chunkMetadata(&c)
		default:
			t.skip(kind)
		}
	})
	return c
}

func (t *thrift) chunkMetadata(c *chunk) {
	var data, dictionary int64
	t.fields(func(id int, kind byte) {
		if kind < thriftI16 || kind > thriftI64 {
			t.skip(kind)
			return
		}
		switch v := t.int(); id {
		case 1:
			c.physical = int(v)
		case 4:
			c.codec = int(v)
		case 5:
			c.values = v
		case 9:
			data = v
		case 11:
			dictionary = v
		}
	})
	if c.start = data; dictionary > 0 && dictionary < data {
		c.start = dictionary
	}
}

// readAt reads all of p.
func readAt(file io.ReaderAt, p []byte, at int64) error {
	n, err := file.ReadAt(p, at)
	if n == len(p) {
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return err
}
