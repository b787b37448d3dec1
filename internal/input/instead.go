package input

import (
	"context"
	"os"
)

// A replacement is what is read in place of a file.
type replacement struct {
	text   *os.File
	digest string
}

// Instead returns a context in which the file called path has another text, in JSON Lines:
// what was made of it. Messages and the digest are still those of the file itself. text stays
// the caller's to close, once nothing reads it any more.
func Instead(ctx context.Context, path string, text *os.File, digest string) context.Context {
	return With(ctx, &Files{Limits: from(ctx).Limits, under: from(ctx), replaced: map[string]replacement{path: {text, digest}}})
}
