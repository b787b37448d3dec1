package weights

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/big"
)

// legacyMagic is the number with which torch.save began a file before 1.6
// (torch/serialization.py, MAGIC_NUMBER), and legacyProtocol what follows it.
const (
	legacyMagic    = "119547037146038801333356"
	legacyProtocol = 1001
)

// legacyHeads are how a pickle of the magic number begins, in protocol 0 or 1
// and behind the version of a later one.
var legacyHeads = [][]byte{
	[]byte("L" + legacyMagic),
	{0x8a, 10, 0x6c, 0xfc, 0x9c, 0x46, 0xf9, 0x20, 0x6a, 0xa8, 0x50, 0x19},
}

func isLegacy(head []byte) bool {
	if len(head) > 2 && head[0] == 0x80 {
		head = head[2:]
		if len(head) > 9 && head[0] == 0x95 { // a frame
			head = head[9:]
		}
	}
	for _, begin := range legacyHeads {
		if bytes.HasPrefix(head, begin) {
			return true
		}
	}
	return false
}

// readLegacy reads the stream of torch.save before 1.6: pickles of the magic
// number, the version, the machine's properties, the object and the list of the
// keys of its storages, and then each storage, the number of its elements in 8
// bytes before it.
func readLegacy(f *File) error {
	in := newTape(io.NewSectionReader(f.disk, 0, f.disk.size))
	made := make(storages)
	var parts [5]any
	for i := range parts {
		var resolve func(tuple) (any, error)
		if i == 3 {
			resolve = made.resolver(6)
		}
		var err error
		if parts[i], err = unpickle(in, resolve); err != nil {
			return err
		}
	}
	if magic, ok := parts[0].(*big.Int); !ok || magic.String() != legacyMagic {
		return errBroken
	}
	if parts[1] != int64(legacyProtocol) {
		return errors.New("its version is unknown: get the model as .safetensors")
	}
	if properties, ok := parts[2].(*dict); ok && properties.get("little_endian") == false {
		return errors.New("it was written on a big-endian machine: get the model as .safetensors")
	}
	keys, ok := parts[4].(*list)
	if !ok {
		return errBroken
	}
	for _, key := range keys.items {
		if err := made.pass(in, f.disk.size, key); err != nil {
			return err
		}
	}
	for key, s := range made {
		if s.place == nil {
			return fmt.Errorf("storage %.100q is not there: %w", key, errCut)
		}
	}
	return f.checkpoint(parts[3])
}

// pass notes where the storage of a key is and goes behind it. Not in.number,
// which holds to the limits of a pickle.
func (s storages) pass(in *tape, fileSize int64, key any) error {
	name, _ := key.(string)
	made, ok := s[name]
	if !ok || made.place != nil {
		return errBroken
	}
	var b [8]byte
	if _, err := io.ReadFull(in.in, b[:]); err != nil {
		return cut(err)
	}
	in.at += 8
	size := made.elements * types[made.kind].size
	if n := binary.LittleEndian.Uint64(b[:]); n != uint64(made.elements) || size > fileSize-in.at {
		return fmt.Errorf("storage %.100q has %d elements, should have %d: %w", name, n, made.elements, errCut)
	}
	made.place = &storage{at: in.at, size: size}
	return in.skip(size)
}
