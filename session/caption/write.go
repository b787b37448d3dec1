package caption

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"

	"omniscope"
	"omniscope/bench/captionrow"
	"omniscope/detective"
	"omniscope/internal/outfile"
	"omniscope/internal/visible"
	"omniscope/session/production"
)

// writeReport writes the report of an investigation into its folder.
func writeReport(dir string, r *detective.Report) error {
	return outfile.WriteIn(dir, "report.json", func(out io.Writer) error { return outfile.JSON(out, r) })
}

// writePage writes the report, the caption as text, and the page; path is the media file's.
func writePage(dir, path string, r *detective.Report) error {
	text := ""
	if r.Caption != nil {
		text = visible.Text(r.Caption.Text) + "\n" // people print the file; report.json has every byte
	}
	return errors.Join(
		writeReport(dir, r), // first: it identifies the clip of the folder
		outfile.WriteIn(dir, "caption.txt", func(out io.Writer) error { _, err := io.WriteString(out, text); return err }),
		outfile.WriteIn(dir, PageFile, func(out io.Writer) error { return r.Page(out, addressFrom(dir, path), nil) }))
}

// An investigated row has the figures of the investigation, as rows of lists do.
type investigated struct {
	captionrow.Row
	Investigation production.Summary `json:"investigation"`
}

// write writes the report of a clip, which later commands find it by, and its row.
func (w *Investigation) write(ctx context.Context, dir, path string, r *detective.Report) error {
	r.Flags, r.Sources = w.flags, w.Sources()
	err := writeReport(dir, r)
	if err == nil && (w.Pages || r.Outcome != omniscope.OK) {
		err = writePage(dir, path, r)
	}
	if err != nil || r.Outcome != omniscope.OK {
		return err
	}
	row, err := detective.NewRow(investigated{
		captionrow.Of(r, string(r.Clip.ID), captionrow.PathFrom(w.Out, path), w.spec.System()), production.Summarise(r, w.spec.Modality),
	}, r.Trajectory)
	if err != nil {
		return err
	}
	unlock, err := lockRows(ctx, w.Out)
	if err != nil {
		return err
	}
	defer func() { _ = unlock() }()
	return w.rows.Put(row)
}

// addressFrom is the address of a file as a page in dir writes it.
func addressFrom(dir, path string) string {
	if strings.Contains(path, "://") {
		return path
	}
	from, err1 := filepath.Abs(dir)
	to, err2 := filepath.Abs(path)
	if err1 != nil || err2 != nil {
		return path
	}
	relative, err := filepath.Rel(from, to)
	if err != nil {
		return to
	}
	return filepath.ToSlash(relative)
}
