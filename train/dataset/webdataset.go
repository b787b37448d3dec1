package dataset

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"omniscope"
	"omniscope/internal/outfile"
)

// webFolder is where the archives of WebDataset lie.
const webFolder = "webdataset"

// webKey is the name of a row in an archive: up to its first dot, all files of a row are called alike.
func webKey(id string) string { return strings.ReplaceAll(nameOf(id), ".", "_") }

// shards calls write for rows of each part whose media have about so many bytes together, with a name such as train-00000.
func (w *writing) shards(rows []*row, most int64, write func(name string, rows []*row) error) error {
	for _, part := range parts {
		var shard []*row
		n, size := 0, int64(0)
		for i, r := range rows {
			if w.split.Of(r.source) == part {
				shard = append(shard, r)
				for _, f := range r.files {
					size += f.Measured.Bytes
				}
			}
			if len(shard) == 0 || size < most && i < len(rows)-1 {
				continue
			}
			if err := write(fmt.Sprintf("%s-%05d", part, n), shard); err != nil {
				return err
			}
			shard, size, n = nil, 0, n+1
		}
	}
	return nil
}

// archive writes rows and their media as a tar file for loaders of WebDataset: the files of a row stand one after another, the
// media first and then KEY.json. The same rows make the same bytes.
func (w *writing) archive(ctx context.Context, name string, rows []*row) error {
	folder := filepath.Join(w.Out, webFolder)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	return outfile.WriteIn(folder, name+".tar", func(out io.Writer) error {
		tw := tar.NewWriter(out)
		for _, r := range rows {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := w.archiveRow(tw, r); err != nil {
				return fmt.Errorf("%s: %w", r.ID, err)
			}
		}
		return tw.Close()
	})
}

func (w *writing) archiveRow(tw *tar.Writer, r *row) error {
	key := webKey(r.ID)
	for _, f := range r.files {
		if err := w.archiveFile(tw, key+filepath.Ext(f.Name), w.path(f.Name), f.Measured.Bytes); err != nil {
			return err
		}
	}
	var text bytes.Buffer
	err := outfile.Lines(&text, struct {
		ID       string             `json:"id"`
		Caption  string             `json:"caption"`
		Modality omniscope.Modality `json:"modality"`
		Duration float64            `json:"duration"`
		Source   source             `json:"source"`
	}{r.ID, r.Caption, w.modality, r.seconds(), sourceOf(r)})
	if err != nil {
		return err
	}
	if err := tw.WriteHeader(header(key+".json", int64(text.Len()))); err != nil {
		return err
	}
	_, err = tw.Write(text.Bytes())
	return err
}

func (w *writing) archiveFile(tw *tar.Writer, name, path string, size int64) (err error) {
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	if err := tw.WriteHeader(header(name, size)); err != nil {
		return err
	}
	_, err = io.Copy(tw, in)
	return err
}

// header has no times and no owner, so that the same files make the same archive.
func header(name string, size int64) *tar.Header {
	return &tar.Header{Typeflag: tar.TypeReg, Name: name, Size: size, Mode: 0o644, Format: tar.FormatUSTAR}
}
