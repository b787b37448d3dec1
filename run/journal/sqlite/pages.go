package sqlite

import (
	"encoding/binary"
	"errors"
	"math"
	"os"
)

// pages are the pages of a damaged database, as https://www.sqlite.org/fileformat2.html
// describes them, those in its write-ahead log included. They are read without
// SQLite, which refuses a file whose beginning it cannot read.
type pages struct {
	db, log []byte
	newest  map[uint32][]byte // by number, from the log
}

// pageSize is that of every journal of ours: SQLite's default.
const pageSize = 4096

func openPages(path string) (*pages, error) {
	db, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	log, err := os.ReadFile(path + "-wal")
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	p := &pages{db: db, log: log, newest: make(map[uint32][]byte)}
	const header, frame = 32, 24
	for at := header; at+frame+pageSize <= len(log); at += frame + pageSize {
		p.newest[binary.BigEndian.Uint32(log[at:])] = log[at+frame : at+frame+pageSize]
	}
	return p, nil
}

// The kinds of pages that hold rows.
const (
	indexLeaf = 10 // also of tables without row ids
	tableLeaf = 13
)

// leaves calls do for every page that looks like a leaf of the given kind, those
// of the log last. Rows of calls are never changed, so that old pages do no harm.
func (p *pages) leaves(kind byte, do func(cells [][]byte)) {
	for at := 0; at < len(p.db); at += pageSize {
		page := p.db[at:min(at+pageSize, len(p.db))]
		do(cells(page, kind, at == 0))
	}
	const header, frame = 32, 24
	for at := header; at+frame+pageSize <= len(p.log); at += frame + pageSize {
		do(cells(p.log[at+frame:at+frame+pageSize], kind, binary.BigEndian.Uint32(p.log[at:]) == 1))
	}
}

// cells returns the cells of a leaf, each up to the page's end.
func cells(page []byte, kind byte, first bool) (all [][]byte) {
	at := 0
	if first {
		at = 100 // behind the file's header
	}
	const leafHeader = 8
	if len(page) < at+leafHeader || page[at] != kind {
		return nil
	}
	for i := range int(binary.BigEndian.Uint16(page[at+3:])) {
		pointer := at + leafHeader + 2*i
		if pointer+2 > len(page) {
			break
		}
		if start := int(binary.BigEndian.Uint16(page[pointer:])); start >= leafHeader && start < len(page) {
			all = append(all, page[start:])
		}
	}
	return all
}

func (p *pages) page(n uint32) []byte {
	if page := p.newest[n]; page != nil {
		return page
	}
	if end := int64(n) * pageSize; n > 0 && end <= int64(len(p.db)) {
		return p.db[end-pageSize : end]
	}
	return nil
}

// row reads a cell: the row's id and its values, which are nil, int64, float64,
// string or []byte. ok is false where it cannot be read.
func (p *pages) row(cell []byte) (id int64, values []any, ok bool) {
	size, n := varint(cell)
	if n == 0 || size > resultMost {
		return 0, nil, false
	}
	key, m := varint(cell[n:])
	if m == 0 {
		return 0, nil, false
	}
	payload := p.payload(cell[n+m:], int(size))
	if payload == nil {
		return 0, nil, false
	}
	values, ok = record(payload)
	return int64(key), values, ok
}

// payload joins what lies in the cell and what lies in overflow pages.
func (p *pages) payload(cell []byte, size int) []byte {
	const most, least = pageSize - 35, (pageSize-12)*32/255 - 23
	if size <= most {
		if size > len(cell) {
			return nil
		}
		return cell[:size]
	}
	local := least + (size-least)%(pageSize-4)
	if local > most {
		local = least
	}
	if local+4 > len(cell) {
		return nil
	}
	payload := append([]byte(nil), cell[:local]...)
	next := binary.BigEndian.Uint32(cell[local:])
	for len(payload) < size { // grows with each page, so that a circle ends, too
		page := p.page(next)
		if page == nil {
			return nil
		}
		payload = append(payload, page[4:min(pageSize, 4+size-len(payload))]...)
		next = binary.BigEndian.Uint32(page)
	}
	return payload
}

// record reads the values of a row.
func record(b []byte) (values []any, ok bool) {
	size, n := varint(b)
	if n == 0 || size > uint64(len(b)) || int(size) < n {
		return nil, false
	}
	types, body := b[n:size], b[size:]
	for len(types) > 0 {
		kind, n := varint(types)
		if n == 0 {
			return nil, false
		}
		types = types[n:]
		length := lengthOf(kind)
		if length > uint64(len(body)) {
			return nil, false
		}
		values = append(values, value(kind, body[:length]))
		body = body[length:]
	}
	return values, true
}

func lengthOf(kind uint64) uint64 {
	switch {
	case kind <= 4:
		return kind
	case kind == 5:
		return 6
	case kind <= 7:
		return 8
	case kind < 12:
		return 0
	}
	return (kind - 12) / 2
}

func value(kind uint64, b []byte) any {
	switch {
	case kind == 0:
		return nil
	case kind == 7:
		return math.Float64frombits(binary.BigEndian.Uint64(b))
	case kind <= 6:
		n := int64(int8(b[0]))
		for _, c := range b[1:] {
			n = n<<8 | int64(c)
		}
		return n
	case kind < 12:
		return int64(kind - 8)
	case kind%2 == 0:
		return b
	}
	return string(b)
}

// varint reads a number of 1 to 9 bytes; n is 0 where there is none.
func varint(b []byte) (v uint64, n int) {
	for n < 9 && n < len(b) {
		if n == 8 {
			return v<<8 | uint64(b[8]), 9
		}
		v = v<<7 | uint64(b[n]&0x7f)
		n++
		if b[n-1] < 0x80 {
			return v, n
		}
	}
	return 0, 0
}
