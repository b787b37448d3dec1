package outfile

import (
	"errors"
	"os"
	"path/filepath"
)

// WriteShared writes a whole file that several goroutines and processes may write at a time, all of them the same: the last one
// stays. It makes the folder. What a killed process leaves beside it stays as well: it is for folders of what can be made again.
func WriteShared(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.partial")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(text)
	if err := errors.Join(err, f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
