package input

import (
	"context"
	"crypto/sha256"
	"fmt"

	"omniscope/internal/hubfolder"
)

// Parts are the files of rows that a path names: one, or those of a folder that is laid out
// as data sets of the Hugging Face hub are.
type Parts struct {
	Paths  []string // as they are opened
	names  []string // below the folder; nil = the path names a file
	digest []string
}

// PartsOf returns the files of rows that a path names.
func PartsOf(path string) (*Parts, error) {
	files, err := hubfolder.Find(path)
	switch {
	case err != nil:
		return nil, err
	case path == Stdin || files == nil:
		return &Parts{Paths: []string{path}}, nil
	}
	return &Parts{Paths: files.Paths(), names: files.Names}, nil
}

// Each opens the files one after another for their rows.
func (p *Parts) Each(ctx context.Context, do func(part int, f *File) error) error {
	for i, path := range p.Paths {
		if err := p.each(ctx, i, path, do); err != nil {
			return err
		}
	}
	return nil
}

func (p *Parts) each(ctx context.Context, i int, path string, do func(part int, f *File) error) error {
	f, err := Open(ctx, path, Rows)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := do(i, f); err != nil {
		return err
	}
	p.digest = append(p.digest, f.Digest())
	return nil
}

// Folder reports whether the path names a folder.
func (p *Parts) Folder() bool { return p.names != nil }

// Digest is the SHA-256 of the file as it is stored, hex, once its rows are read. Of a folder
// it is that of the lines that sha256sum prints of its files, by their names in the folder and
// in their order.
func (p *Parts) Digest() string {
	if !p.Folder() {
		return p.digest[0]
	}
	h := sha256.New()
	for i, digest := range p.digest {
		fmt.Fprintf(h, "%s  %s\n", digest, p.names[i])
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// CutFolder takes from a path what is chosen of the folder that it names: config and split.
// ok = false says that it names none.
func CutFolder(path string) (folder, choice string, ok bool) { return hubfolder.Cut(path) }
