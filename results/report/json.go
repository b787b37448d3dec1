package report

import (
	"bytes"
	"fmt"
	"io"

	"omniscope/internal/outfile"

	"omniscope/bench/document"
)

// JSON writes the document itself, indented. A NaN or an infinity in it is an
// error, and nothing is written: a reader must never meet one.
func JSON(w io.Writer, r *document.Results) error {
	var out bytes.Buffer
	if err := outfile.JSON(&out, r); err != nil {
		return fmt.Errorf("encode results of %s: %w", r.Benchmark.Name, err)
	}
	_, err := w.Write(out.Bytes())
	return err
}
