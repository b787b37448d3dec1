package sqlite

import (
	"io"
	"os"
	"path/filepath"

	"omniscope/internal/outfile"
)

// MarkWritten records that the results of the run were written, and where. Lists then show it as done wherever they are.
func (j *Journal) MarkWritten(at string) error {
	return outfile.Write(writtenMark(j.store.dir, j.name), func(to io.Writer) error {
		_, err := io.WriteString(to, at)
		return err
	})
}

// WrittenTo returns where the results of a run were written. ok is false if they were not.
func WrittenTo(dir, name string) (at string, ok bool) {
	text, err := os.ReadFile(writtenMark(dir, name))
	return string(text), err == nil
}

func writtenMark(dir, name string) string { return filepath.Join(dir, "locks", name+".written") }
