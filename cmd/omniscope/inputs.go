package main

import (
	"github.com/spf13/pflag"

	"omniscope/internal/input"
)

// addInputFlags adds the bounds of what is read of a file that the user names.
// All commands have them.
func addInputFlags(f *pflag.FlagSet, limits *input.Limits) {
	f.Var(&limits.Size, "max-input-size", "most that a packed file or a pipe may hold, such as 8GiB (default: 2 GiB of rows, 256 MiB of text\nthat is held in memory, 32 MiB of XML)")
	f.IntVar(&limits.Rows, "max-input-rows", 0, "most rows or lines of one file, or elements and attributes of XML (default: 4,000,000 rows that are\nread one at a time, 1,000,000 of text, 500,000 of XML)")
	f.Var(&limits.Row, "max-row-size", "longest row or line, such as 64MiB (default: 16 MiB of JSON, 1 MiB of text that is held in memory,\n9 MiB of an element of XML)")
}
