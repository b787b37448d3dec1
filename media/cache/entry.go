package cache

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
)

// An entry is one file:
//
//	mark       8 bytes, "omnimed" and the version of this form
//	key       32 bytes
//	parts      4 bytes, how many there are
//	table     12 bytes for each part: its length (8 bytes), its CRC-32C (4)
//	sum        4 bytes, the CRC-32C of all before it
//	the parts, one after another
//
// Numbers are little-endian. The first part is JSON that describes the others.
// The file is exactly as long as the table says.
const (
	entryMark  = "omnimed\x01"
	entryStart = len(entryMark) + len(key{}) + 4
	tableRow   = 12
	sumBytes   = 4
	allParts   = math.MaxInt
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// entryHead returns what comes before the parts.
func entryHead(k key, parts [][]byte) []byte {
	head := append([]byte(entryMark), k[:]...)
	head = binary.LittleEndian.AppendUint32(head, uint32(len(parts)))
	for _, p := range parts {
		head = binary.LittleEndian.AppendUint64(head, uint64(len(p)))
		head = binary.LittleEndian.AppendUint32(head, crc32.Checksum(p, castagnoli))
	}
	return binary.LittleEndian.AppendUint32(head, crc32.Checksum(head, castagnoli))
}

// entrySize is the length of the file of an entry.
func entrySize(parts [][]byte) int64 {
	n := int64(entryStart + len(parts)*tableRow + sumBytes)
	for _, p := range parts {
		n += int64(len(p))
	}
	return n
}

func writeEntry(w io.Writer, k key, parts [][]byte) error {
	if _, err := w.Write(entryHead(k, parts)); err != nil {
		return err
	}
	for _, p := range parts {
		if _, err := w.Write(p); err != nil {
			return err
		}
	}
	return nil
}

var errDamaged = errors.New("the entry is damaged or not whole")

// readEntry reads the first parts of an entry, at most so many, and checks
// them.
func readEntry(path string, k key, first int) ([][]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	lengths, sums, err := readHead(f, k, info.Size())
	if err != nil {
		return nil, err
	}
	first = min(first, len(lengths))
	var total int64
	for _, n := range lengths[:first] {
		total += n
	}
	content := make([]byte, total)
	if _, err := io.ReadFull(f, content); err != nil {
		return nil, fmt.Errorf("%w: %w", errDamaged, err)
	}
	parts := make([][]byte, first)
	for i := range parts {
		n := lengths[i]
		parts[i], content = content[:n:n], content[n:]
		if crc32.Checksum(parts[i], castagnoli) != sums[i] {
			return nil, errDamaged
		}
	}
	return parts, nil
}

// readHead reads the table of an entry whose file has the given size.
func readHead(r io.Reader, k key, size int64) (lengths []int64, sums []uint32, err error) {
	start := make([]byte, entryStart)
	if _, err := io.ReadFull(r, start); err != nil {
		return nil, nil, fmt.Errorf("%w: %w", errDamaged, err)
	}
	parts := int64(binary.LittleEndian.Uint32(start[entryStart-4:]))
	if !bytes.HasPrefix(start, append([]byte(entryMark), k[:]...)) || parts < 1 || parts*tableRow > size {
		return nil, nil, errDamaged
	}
	head := append(start, make([]byte, parts*tableRow+sumBytes)...)
	if _, err := io.ReadFull(r, head[entryStart:]); err != nil {
		return nil, nil, fmt.Errorf("%w: %w", errDamaged, err)
	}
	checked := head[:len(head)-sumBytes]
	if crc32.Checksum(checked, castagnoli) != binary.LittleEndian.Uint32(head[len(checked):]) {
		return nil, nil, errDamaged
	}
	rest := size - int64(len(head))
	for row := checked[entryStart:]; len(row) > 0; row = row[tableRow:] {
		n := binary.LittleEndian.Uint64(row)
		if n > uint64(rest) {
			return nil, nil, errDamaged
		}
		rest -= int64(n)
		lengths, sums = append(lengths, int64(n)), append(sums, binary.LittleEndian.Uint32(row[8:]))
	}
	if rest != 0 {
		return nil, nil, errDamaged
	}
	return lengths, sums, nil
}
