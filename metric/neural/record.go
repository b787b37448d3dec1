package neural

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"
)

// A key names a value within a store.
type key [32]byte

// A place is where a value lies in the file.
type place struct {
	offset int64
	size   uint32
	sum    uint32
}

// A record is a value to keep. In the file it is
//
//	4 bytes   recordMark
//	4 bytes   length of the value
//	32 bytes  key
//	4 bytes   CRC-32C of the value
//	4 bytes   CRC-32C of the 44 bytes before
//	          the value
//
// with numbers in little-endian order.
type record struct {
	key   key
	value []byte
}

const (
	recordMark = "OMr1"
	recordHead = 48
	// maxValue is more than the vectors of any text need: what claims more is
	// damaged.
	maxValue = 1 << 30
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// parseHead reads a record's head. The place lacks its offset.
func parseHead(head []byte) (k key, at place, ok bool) {
	little := binary.LittleEndian
	if string(head[:len(recordMark)]) != recordMark || little.Uint32(head[44:recordHead]) != crc32.Checksum(head[:44], castagnoli) {
		return k, at, false
	}
	at = place{size: little.Uint32(head[4:]), sum: little.Uint32(head[40:])}
	return key(head[8:40]), at, at.size <= maxValue
}

// appendRecord puts a record behind to, and says where in that the value lies.
func appendRecord(to []byte, r record) ([]byte, place) {
	little := binary.LittleEndian
	start := len(to)
	at := place{size: uint32(len(r.value)), sum: crc32.Checksum(r.value, castagnoli)}
	to = append(to, recordMark...)
	to = little.AppendUint32(to, at.size)
	to = append(to, r.key[:]...)
	to = little.AppendUint32(to, at.sum)
	to = little.AppendUint32(to, crc32.Checksum(to[start:], castagnoli))
	at.offset = int64(len(to))
	return append(to, r.value...), at
}

// heads reads the heads of a file's records through a window.
type heads struct {
	file   io.ReaderAt
	size   int64 // of the file
	window []byte
	from   int64 // where the window lies in the file
}

// next finds the first record at from or behind whose head is right and whose
// value ends within the file. It reads what it skips once, and tries a head only
// where there is a mark, so the time is linear whatever the file contains.
func (h *heads) next(from int64) (k key, at place, ok bool, err error) {
	for from+recordHead <= h.size {
		text, err := h.at(from)
		if err != nil {
			return k, at, false, err
		}
		if k, at, ok := parseHead(text); ok {
			at.offset = from + recordHead
			if at.offset+int64(at.size) <= h.size {
				return k, at, true, nil
			}
		}
		if i := bytes.Index(text[1:], []byte(recordMark)); i >= 0 {
			from += int64(1 + i)
		} else {
			from += int64(len(text) - len(recordMark) + 1) // the window can end in part of a mark
		}
	}
	return k, at, false, nil
}

// at returns what the window has from an offset on. That is a head at least,
// which the file must have.
func (h *heads) at(offset int64) ([]byte, error) {
	if offset < h.from || offset+recordHead > h.from+int64(len(h.window)) {
		if h.window == nil {
			h.window = make([]byte, 1<<16)
		}
		h.window, h.from = h.window[:min(int64(cap(h.window)), h.size-offset)], offset
		if _, err := h.file.ReadAt(h.window, offset); err != nil {
			return nil, err
		}
	}
	return h.window[offset-h.from:], nil
}
