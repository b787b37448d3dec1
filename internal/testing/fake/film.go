package fake

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"

	"omniscope/internal/testing/clips"
)

// Film is a small MP4 file of so many seconds, of parts that look different, with its index at the front
// or, as many programs write it, at the end.
func Film(seconds float64, parts int, indexLast bool) ([]byte, error) {
	dir, err := os.MkdirTemp("", "fake-film-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "film.mp4")
	var args []string
	graph := ""
	for i := range parts {
		args = append(args, "-f", "lavfi", "-i", fmt.Sprintf("%ssize=64x48:rate=10:duration=%g", []string{"testsrc2=", "color=c=white:", "color=c=navy:"}[i%3], seconds/float64(parts)))
		graph += fmt.Sprintf("[%d:v]", i)
	}
	args = append(args, "-filter_complex", fmt.Sprintf("%sconcat=n=%d:v=1,format=yuv420p", graph, parts), "-c:v", "libx264", "-preset", "ultrafast", "-fflags", "+bitexact", "-flags:v", "+bitexact")
	if !indexLast {
		args = append(args, "-movflags", "+faststart")
	}
	if err := clips.MakeFile(path, args...); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// Marked is a film with a text in a box that players skip, so that no two films are the same file.
func Marked(film []byte, text string) []byte {
	out := append([]byte(nil), film...)
	out = binary.BigEndian.AppendUint32(out, uint32(8+len(text)))
	return append(append(out, "free"...), text...)
}
