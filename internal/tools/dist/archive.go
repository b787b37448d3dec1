package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"io"
	"maps"
	"path"
	"slices"
	"time"
)

// inArchive is a file of an archive.
type inArchive struct {
	text []byte
	runs bool // it is a program
}

func (f inArchive) mode() int64 {
	if f.runs {
		return 0o755
	}
	return 0o644
}

// epoch is the time of all files: the earliest that a zip can have.
var epoch = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// writeTar writes files below a folder, in the order of their names, without owners.
func writeTar(w io.Writer, folder string, files map[string]inArchive) error {
	packed, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	out := tar.NewWriter(packed)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f := files[name]
		header := &tar.Header{Typeflag: tar.TypeReg, Name: folder + "/" + name, Size: int64(len(f.text)), Mode: f.mode(), ModTime: epoch, Format: tar.FormatPAX}
		if err := out.WriteHeader(header); err != nil {
			return err
		}
		if _, err := out.Write(f.text); err != nil {
			return err
		}
	}
	if err := out.Close(); err != nil {
		return err
	}
	return packed.Close()
}

// writeZip writes files below a folder, in the order of names.
func writeZip(w io.Writer, folder string, names []string, files map[string]inArchive) error {
	out := zip.NewWriter(w)
	for _, name := range names {
		header := &zip.FileHeader{Name: path.Join(folder, name), Method: zip.Deflate, Modified: epoch}
		f := files[name]
		header.SetMode(0o644)
		if f.runs {
			header.SetMode(0o755)
		}
		to, err := out.CreateHeader(header)
		if err != nil {
			return err
		}
		if _, err := to.Write(f.text); err != nil {
			return err
		}
	}
	return out.Close()
}
