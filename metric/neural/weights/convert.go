package weights

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"omniscope"
	"omniscope/internal/diskspace"
)

// Convert writes all tensors of a file, and its hyperparameters, to a
// safetensors file: floating point numbers as F32, rounded if they were F64,
// and whole numbers as they are. The same tensors make the same bytes: wider
// elements come first, so that all are aligned, and then names decide. progress
// may be nil; else it is called with the bytes of tensors that are written, and
// all there are.
//
// The file is written under another name and renamed when it is whole and on the disk. After
// an error, of ctx for example, there is nothing new and what was at to is
// still there. Convert needs a few megabytes of memory, and room for a whole
// storage, at most 2 GiB, where those of a zip archive are compressed.
func Convert(ctx context.Context, from *File, to string, progress func(done, total int64)) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if progress == nil {
		progress = func(done, total int64) {}
	}
	p, err := planOf(from)
	if err != nil {
		return err
	}
	need := int64(len(p.header)) + p.total
	if free, ok := diskspace.Free(filepath.Dir(to)); ok && free < need {
		return writing(to, fmt.Errorf("it takes %d bytes, and the disk has %d left: make room, or write to another disk", need, free))
	}
	err = replace(to, func(w io.Writer) error { return p.write(ctx, w, progress) })
	if err == nil || ctx.Err() != nil {
		return err
	}
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		err = fmt.Errorf("it takes %d bytes, and the disk became full: make room, or write to another disk", need)
	}
	return writing(to, err)
}

// writing is a failure to write a file, unless its reading failed.
func writing(path string, err error) error {
	var known *omniscope.Error
	if errors.As(err, &known) {
		return err
	}
	kind := omniscope.Internal
	switch {
	case errors.Is(err, fs.ErrNotExist):
		kind = omniscope.NotFound
	case errors.Is(err, fs.ErrPermission):
		kind = omniscope.Denied
	}
	return &omniscope.Error{Kind: kind, Op: "write weights " + path, Err: err}
}

// replace writes a file that is never seen half-written.
func replace(path string, write func(io.Writer) error) error {
	// Not os.CreateTemp alone, whose files only their owner may read.
	part, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.incomplete")
	if err != nil {
		return err
	}
	defer os.Remove(part.Name()) // there only after a failure
	err = write(part)
	if err == nil {
		err = part.Chmod(0o644)
	}
	if err == nil {
		err = part.Sync()
	}
	if closeErr := part.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	return os.Rename(part.Name(), path)
}

// A plan is a safetensors file to be.
type plan struct {
	tensors []Tensor
	header  []byte // with its length before it
	total   int64  // bytes of the tensors
}

func planOf(f *File) (*plan, error) {
	p := &plan{}
	for _, t := range f.tensors {
		p.tensors = append(p.tensors, t)
	}
	slices.SortFunc(p.tensors, func(a, b Tensor) int {
		return cmp.Or(cmp.Compare(b.kept().Size(), a.kept().Size()), cmp.Compare(a.Name, b.Name))
	})
	metadata := map[string]string{"format": "pt"} // transformers reads no file without
	if f.hyper != nil {
		text, err := plainText(f.hyper)
		if err != nil {
			return nil, f.invalid(err)
		}
		metadata[hyperKey] = text
	}
	var header bytes.Buffer
	header.Write(make([]byte, 8))
	header.WriteByte('{')
	member(&header, metadataKey, metadata)
	for _, t := range p.tensors {
		size := int64(t.Len()) * int64(t.kept().Size())
		switch {
		case t.Name == metadataKey:
			return nil, f.invalid(fmt.Errorf("a tensor is called %s, which a safetensors file cannot have", metadataKey))
		case p.total > math.MaxInt64-size:
			return nil, f.invalid(errors.New("its tensors are too large"))
		}
		header.WriteByte(',')
		member(&header, t.Name, entry{t.kept().String(), &t.Shape, &[]int64{p.total, p.total + size}})
		p.total += size
	}
	header.WriteByte('}')
	for header.Len()%8 != 0 {
		header.WriteByte(' ')
	}
	if header.Len()-8 > maxHeader {
		return nil, f.invalid(fmt.Errorf("a header for its %d tensors has %d bytes, more than %d", len(p.tensors), header.Len()-8, maxHeader))
	}
	p.header = header.Bytes()
	binary.LittleEndian.PutUint64(p.header, uint64(header.Len()-8))
	return p, nil
}

// member writes a member of a JSON object.
func member(out *bytes.Buffer, name string, value any) {
	key, _ := json.Marshal(name) // strings and numbers always can be
	text, _ := json.Marshal(value)
	out.Write(key)
	out.WriteByte(':')
	out.Write(text)
}

// kept is the type that a tensor is converted to.
func (t Tensor) kept() DType {
	if t.Type.float() {
		return float32Type
	}
	return t.Type
}

func (p *plan) write(ctx context.Context, w io.Writer, progress func(done, total int64)) error {
	if _, err := w.Write(p.header); err != nil {
		return err
	}
	var done int64
	var buffer []byte
	progress(done, p.total)
	for _, t := range p.tensors {
		err := t.pieces(func(from int, raw []byte) error {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if t.Type != t.kept() {
				buffer = t.Type.asF32(buffer[:0], raw)
				raw = buffer
			}
			if _, err := w.Write(raw); err != nil {
				return err
			}
			done += int64(len(raw))
			progress(done, p.total)
			t.Release() // what lies before is not needed again
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// asF32 appends elements of a floating point type to out, as those of an F32.
func (d DType) asF32(out, raw []byte) []byte {
	var x [256]float32
	for size := int(types[d].size); len(raw) > 0; {
		n := min(len(x), len(raw)/size)
		d.floats(x[:n], raw)
		for _, x := range x[:n] {
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(x))
		}
		raw = raw[n*size:]
	}
	return out
}
