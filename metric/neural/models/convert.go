package models

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"

	"omniscope"
	"omniscope/internal/outfile"
	"omniscope/metric/neural/weights"
)

// Convert writes the weights of a file as safetensors and returns where: to out,
// or beside the file under its name with another ending. What is there is written
// over only with force.
func Convert(ctx context.Context, path, out string, force bool, o Options) (string, error) {
	usage := func(format string, args ...any) (string, error) {
		return "", omniscope.Usagef(format, args...)
	}
	from, err := os.Stat(path)
	if err == nil && from.IsDir() {
		return usage("%s is a folder: say with --as which model it is, such as --as %s", path, Names()[0])
	}
	if out == "" {
		out = strings.TrimSuffix(path, filepath.Ext(path)) + ".safetensors"
	}
	if to, err := os.Stat(out); err == nil && os.SameFile(from, to) {
		return usage("%s would be written over: name another file with --out", path)
	}
	if !force {
		if err := outfile.Check(out, func(io.Reader) bool { return false }); err != nil {
			return "", err
		}
	}
	f, err := weights.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return out, weights.Convert(ctx, f, out, func(done, total int64) { o.tell("convert "+filepath.Base(path), done, total) })
}
