package webpage

import (
	"bytes"
	"io"
)

// generator is the name in the head of each page.
const generator = "omniscope"

// IsOurs reports whether a file begins as our pages do.
func IsOurs(r io.Reader) bool {
	start := make([]byte, 200)
	n, _ := io.ReadFull(r, start)
	return bytes.Contains(start[:n], []byte(`<meta name="generator" content="`+generator+`">`))
}
