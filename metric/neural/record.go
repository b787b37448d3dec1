package neural

import (
	"encoding/binary"
	"hash/crc32"
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
	recordMark = 0x31724d4f // "OMr1"
	recordHead = 48
	// maxValue is more than the vectors of any text need: what claims more is
	// damaged.
	maxValue = 1 << 30
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// parseHead reads a record's head. The place lacks its offset.
func parseHead(head []byte) (k key, at place, ok bool) {
	little := binary.LittleEndian
	if little.Uint32(head) != recordMark || little.Uint32(head[44:]) != crc32.Checksum(head[:44], castagnoli) {
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
	to = little.AppendUint32(to, recordMark)
	to = little.AppendUint32(to, at.size)
	to = append(to, r.key[:]...)
	to = little.AppendUint32(to, at.sum)
	to = little.AppendUint32(to, crc32.Checksum(to[start:], castagnoli))
	at.offset = int64(len(to))
	return append(to, r.value...), at
}
