package journal

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"

	"omniscope"
	"omniscope/run"
)

// Rows carry a checksum, CRC-32C, so that an answer that was edited or damaged
// after it was written is not counted. It finds accidents and manual edits; it
// is no protection against forgery.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// RowChecksum is over all of an entry but its request, whose text lies in
// another file and may be deleted, and its cost, which also stands in the result.
func RowChecksum(e *run.Entry) int64 {
	var space [256]byte
	b := append(space[:0], e.Key[:]...)
	for _, text := range []string{e.Step, e.Kind, e.Source} {
		b = binary.LittleEndian.AppendUint32(b, uint32(len(text)))
		b = append(b, text...)
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(e.Attempt))
	b = binary.LittleEndian.AppendUint32(b, uint32(e.Outcome))
	b = binary.LittleEndian.AppendUint64(b, uint64(e.Started.UnixMicro()))
	return int64(crc32.Update(crc32.Checksum(b, castagnoli), castagnoli, e.Result))
}

func RequestChecksum(text []byte) int64 { return int64(crc32.Checksum(text, castagnoli)) }

// DamagedError says that a remembered call was changed after it was written.
type DamagedError struct {
	ID   int64 // of the row in call
	Step string
	Why  string
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("the remembered call %d (%s) was changed after it was written: %s", e.ID, e.Step, e.Why)
}

// Mismatch is the error of a row whose checksum is not that of its entry.
func Mismatch(id int64, e *run.Entry) error {
	return &omniscope.Error{Kind: omniscope.Internal, Err: &DamagedError{ID: id, Step: e.Step, Why: "its checksum differs"}}
}
