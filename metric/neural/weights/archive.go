package weights

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
)

// maxDirectory is how much of a zip archive may be read to list it, in bytes.
// Each entry takes about a hundred.
const maxDirectory = 16 << 20

// deflateMost is how many bytes one byte of a compressed entry can become.
const deflateMost = 1032

const pickleName = "data.pkl"

func isArchive(head []byte) bool { return bytes.HasPrefix(head, []byte("PK\x03\x04")) }

// readArchive reads the zip archive of torch.save: NAME/data.pkl is the object,
// NAME/data/KEY its storages, which torch does not compress, and NAME/byteorder
// says in which order their bytes are.
func readArchive(f *File) error {
	meter := &meter{ReaderAt: f.disk, left: maxDirectory}
	archive, err := zip.NewReader(meter, f.disk.size)
	if err != nil {
		return fmt.Errorf("it is a zip archive that was cut off or is damaged, get it again: %w", err)
	}
	meter.left = -1
	entries, folder, err := listEntries(archive)
	if err != nil {
		return err
	}
	if order, ok := entries[folder+"byteorder"]; ok {
		text, err := readEntry(order, 16)
		if err != nil {
			return err
		}
		if strings.TrimSpace(string(text)) != "little" {
			return errors.New("it was written on a big-endian machine: get the model as .safetensors")
		}
	}
	text, err := readEntry(entries[folder+pickleName], maxPickle)
	if err != nil {
		return err
	}
	named := make(storages)
	made, err := unpickle(newTape(bytes.NewReader(text)), named.resolver(5))
	if err != nil {
		return err
	}
	for key, s := range named {
		if s.place, err = f.locate(entries[folder+"data/"+key], s); err != nil {
			return fmt.Errorf("storage %.100q %w", key, err)
		}
	}
	return f.checkpoint(made)
}

// listEntries returns the entries by name, and the folder of the one pickle.
func listEntries(archive *zip.Reader) (entries map[string]*zip.File, folder string, err error) {
	entries = make(map[string]*zip.File, len(archive.File))
	found := false
	for _, e := range archive.File {
		if entries[e.Name] != nil {
			return nil, "", fmt.Errorf("its entry %.100q is there twice: the file is damaged, get it again", e.Name)
		}
		entries[e.Name] = e
		if before, ok := strings.CutSuffix(e.Name, pickleName); ok && (before == "" || strings.Count(before, "/") == 1 && strings.HasSuffix(before, "/")) {
			if found {
				return nil, "", errors.New("it holds two checkpoints: name a file with one")
			}
			folder, found = before, true
		}
	}
	switch {
	case !found:
		return nil, "", errors.New("it is a zip archive, but none that torch.save wrote: it has no data.pkl. Perhaps the file of weights is in it: unpack it")
	case entries[folder+"constants.pkl"] != nil:
		return nil, "", refusal("is a TorchScript program")
	}
	return entries, folder, nil
}

// readEntry returns a small entry.
func readEntry(e *zip.File, most int64) ([]byte, error) {
	r, err := e.Open()
	if err != nil {
		return nil, damaged(e, err)
	}
	defer r.Close()
	text, err := io.ReadAll(io.LimitReader(r, most+1))
	if err != nil {
		return nil, damaged(e, err)
	}
	if int64(len(text)) > most {
		return nil, fmt.Errorf("its entry %.100q has more than %d bytes", e.Name, most)
	}
	return text, nil
}

func damaged(e *zip.File, err error) error {
	return fmt.Errorf("its entry %.100q is damaged, get the file again: %w", e.Name, err)
}

// locate returns where a storage is.
func (f *File) locate(e *zip.File, s *madeStorage) (*storage, error) {
	need := s.elements * types[s.kind].size
	switch {
	case e == nil:
		return nil, fmt.Errorf("is not there: %w", errCut)
	case e.Flags&1 != 0:
		return nil, errors.New("is encrypted: unpack the archive and zip it anew without a password")
	case e.UncompressedSize64 < uint64(need):
		return nil, fmt.Errorf("has %d bytes, should have %d: %w", e.UncompressedSize64, need, errCut)
	case e.Method != zip.Store && e.Method != zip.Deflate:
		return nil, fmt.Errorf("is compressed by a method, %d, that is not known here: unpack the archive and zip it anew without compression", e.Method)
	case e.Method == zip.Deflate && need > maxInflated:
		return nil, fmt.Errorf("is compressed and has %d bytes, more than %d: unpack the archive and zip it anew without compression", need, maxInflated)
	}
	at, err := e.DataOffset()
	if err != nil {
		return nil, damaged(e, err)
	}
	if size := int64(e.CompressedSize64); size < 0 || at > f.disk.size-size || need > size*deflateMost {
		return nil, fmt.Errorf("does not lie within the file: %w", errCut)
	}
	if e.Method == zip.Deflate {
		return &storage{size: need, packed: e}, nil
	}
	if e.CompressedSize64 != e.UncompressedSize64 {
		return nil, damaged(e, zip.ErrFormat)
	}
	return &storage{at: at, size: need}, nil
}

// A meter reads so many bytes and no more, any number if left is below zero.
type meter struct {
	io.ReaderAt
	left int64
}

func (m *meter) ReadAt(p []byte, at int64) (int, error) {
	if m.left >= 0 {
		if int64(len(p)) > m.left {
			return 0, fmt.Errorf("its list of entries has more than %d bytes", maxDirectory)
		}
		m.left -= int64(len(p))
	}
	return m.ReaderAt.ReadAt(p, at)
}
