package webpage

import (
	"bytes"
	"io"
)

// IsOurs reports whether a file begins as our pages do.
func IsOurs(r io.Reader) bool {
	start := make([]byte, 200)
	n, _ := io.ReadFull(r, start)
	return bytes.Contains(start[:n], []byte(`<meta name="generator" content="omniscope">`))
}
