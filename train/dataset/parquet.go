package dataset

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/parquet-go/parquet-go"

	"omniscope"
	"omniscope/internal/outfile"
)

// parquetFolder is where the tables with media lie.
const parquetFolder = "parquet"

// A parquetRow is a row of a table with media, in the form that the library datasets has for audio and video:
// struct<bytes, path>.
type parquetRow struct {
	ID       string       `parquet:"id"`
	Caption  string       `parquet:"caption"`
	Modality string       `parquet:"modality"`
	Duration float64      `parquet:"duration"` // seconds
	SourceID string       `parquet:"source_id"`
	Licence  string       `parquet:"licence"`
	Video    *parquetFile `parquet:"video,optional"`
	Audio    *parquetFile `parquet:"audio,optional"`
}

type parquetFile struct {
	Bytes []byte `parquet:"bytes"`
	Path  string `parquet:"path"`
}

// parquetFeatures tell the library which columns are media.
const parquetFeatures = `{"info":{"features":{"id":{"dtype":"string","_type":"Value"},"caption":{"dtype":"string","_type":"Value"},"modality":{"dtype":"string","_type":"Value"},` +
	`"duration":{"dtype":"float64","_type":"Value"},"source_id":{"dtype":"string","_type":"Value"},"licence":{"dtype":"string","_type":"Value"},"video":{"_type":"Video"},"audio":{"_type":"Audio"}}}}`

// rowsOfGroup bounds what is in memory: the media of so many rows.
const rowsOfGroup = 10

// table writes rows with their media as a Parquet file.
func (w *writing) table(ctx context.Context, name string, rows []*row) error {
	folder := filepath.Join(w.Out, parquetFolder)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	return outfile.WriteIn(folder, name+".parquet", func(out io.Writer) error {
		table := parquet.NewGenericWriter[parquetRow](out, parquet.Compression(&parquet.Zstd), parquet.MaxRowsPerRowGroup(rowsOfGroup), parquet.KeyValueMetadata("huggingface", parquetFeatures))
		for _, r := range rows {
			if err := ctx.Err(); err != nil {
				return err
			}
			line, err := w.parquetRow(r)
			if err != nil {
				return fmt.Errorf("%s: %w", r.ID, err)
			}
			if _, err := table.Write([]parquetRow{*line}); err != nil {
				return err
			}
		}
		return table.Close()
	})
}

func (w *writing) parquetRow(r *row) (*parquetRow, error) {
	line := &parquetRow{ID: r.ID, Caption: r.Caption, Modality: string(w.modality), Duration: r.seconds(), SourceID: r.source, Licence: r.field("licence", "license")}
	for _, f := range r.files {
		text, err := os.ReadFile(w.path(f.Name))
		if err != nil {
			return nil, err
		}
		switch {
		case f.Made != soundCut:
			line.Video = &parquetFile{text, f.Name}
		case w.modality == omniscope.Audio:
			line.Audio = &parquetFile{text, f.Name}
		}
	}
	return line, nil
}
