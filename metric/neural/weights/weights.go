// Package weights reads the tensors of trained models from files: safetensors,
// and what torch.save writes, as a zip archive or as the stream of older
// versions. A pickle is read by a machine that knows plain values and tensors
// and nothing else, so no file can run anything; Convert makes a safetensors
// file of it.
//
// What the tensors mean, which there must be and where files come from is not
// known here: see packages encoder and models.
package weights

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"omniscope"
)

// errMissing is in the chain of the error for a tensor that a file does not
// have.
var errMissing = errors.New("is missing")

// A File holds named tensors. It is safe for concurrent use; Close is not, and
// comes last.
type File struct {
	disk    *disk
	tensors map[string]Tensor
	hyper   map[string]any
}

// Open reads what a file holds, not the numbers themselves: they are read when
// a tensor is asked for them. The content decides the format. A file that
// is not there is an error of kind NotFound; one that is no file of weights, is
// damaged or asks for more than plain tensors is one of kind Invalid.
//
// Where the system can, the file is mapped into memory. It must not be shortened
// while it is open: the system ends a program that reads what is no longer
// there. To replace a file by renaming is safe.
func Open(path string) (*File, error) {
	d, err := openDisk(path)
	if err != nil {
		return nil, opening(path, err)
	}
	f := &File{disk: d, tensors: make(map[string]Tensor)}
	if err := f.read(); err != nil {
		_ = d.Close()
		return nil, opening(path, err)
	}
	return f, nil
}

// opening is a failure to open path.
func opening(path string, err error) error {
	kind := omniscope.Invalid
	var system *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		kind = omniscope.NotFound
	case errors.Is(err, fs.ErrPermission):
		kind = omniscope.Denied
	case errors.As(err, &system):
		kind = omniscope.Internal // the machine's fault, not the file's
	}
	return &omniscope.Error{Kind: kind, Op: "read weights " + path, Err: err}
}

// read tells the format and reads what there is.
func (f *File) read() error {
	format, err := tell(f.disk)
	if err != nil {
		return err
	}
	return format.read(f)
}

// add takes a tensor in.
func (f *File) add(t Tensor) error {
	if _, ok := f.tensors[t.Name]; ok {
		return fmt.Errorf("tensor %.100q is there twice: the file is damaged, get it again", t.Name)
	}
	t.file = f
	f.tensors[t.Name] = t
	return nil
}

// Names are the names of all tensors, sorted.
func (f *File) Names() []string { return slices.Sorted(maps.Keys(f.tensors)) }

// Tensor returns the tensor with a name, and whether there is one.
func (f *File) Tensor(name string) (Tensor, bool) {
	t, ok := f.tensors[name]
	return t, ok
}

// Hyperparameters are what a Lightning checkpoint says of how its model was
// made, nil in other files: nil, bool, int64, float64, string, []any and
// map[string]any. What is none of these is left out. Convert keeps them.
func (f *File) Hyperparameters() map[string]any { return f.hyper }

// Floats returns the numbers of the tensor with a name, which must have a
// shape: see Tensor.Floats. That it is missing (errMissing), has another shape
// or holds no floating point numbers is an error of kind Invalid.
func (f *File) Floats(name string, shape ...int) ([]float32, error) {
	t, ok := f.tensors[name]
	if !ok {
		return nil, f.invalid(fmt.Errorf("tensor %q %w: this is not the model that was asked for, or a part of it", name, errMissing))
	}
	if !slices.Equal(t.Shape, shape) {
		return nil, f.invalid(fmt.Errorf("tensor %q has shape %v, needs %v: its configuration is another model's", name, t.Shape, shape))
	}
	return t.Floats()
}

// Under is the part of f whose names begin with prefix.
func (f *File) Under(prefix string) part { return part{file: f, prefix: prefix} }

// Close gives back all memory and the file. Slices that Tensor.Floats did not
// have to copy must not be read any more: the system ends a program that does.
// Afterwards tensors answer with an error.
func (f *File) Close() error { return f.disk.Close() }

func (f *File) invalid(err error) error {
	return &omniscope.Error{Kind: omniscope.Invalid, Op: "read weights " + f.disk.path, Err: err}
}

// A part is a file seen through a prefix: its names are those behind it.
type part struct {
	file   *File
	prefix string
}

// Has reports whether there is a tensor with a name.
func (p part) Has(name string) bool {
	_, ok := p.file.tensors[p.prefix+name]
	return ok
}

// Floats is File.Floats.
func (p part) Floats(name string, shape ...int) ([]float32, error) {
	return p.file.Floats(p.prefix+name, shape...)
}

// Release is Tensor.Release; a tensor that is not there needs none.
func (p part) Release(name string) {
	if t, ok := p.file.tensors[p.prefix+name]; ok {
		t.Release()
	}
}

// byPlace orders tensors as they lie in the file.
func byPlace(a, b Tensor) int {
	return cmp.Or(cmp.Compare(a.store.at, b.store.at), cmp.Compare(a.store.size, b.store.size), cmp.Compare(a.Name, b.Name))
}
