// Package webpage holds the shared parts of all HTML pages: the frame, the style, tables, links, and data for scripts.
// Pages are functions that return nodes of maragu.dev/gomponents. Texts from data are g.Text only, addresses of links go
// through Address. Each page is one file that loads no script and no style from elsewhere. The pages themselves are next
// to the code that fills them.
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
