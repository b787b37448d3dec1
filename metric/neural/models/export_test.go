package models

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
)

// Folder is for the tests.
type Folder = modelFolder

// Weights returns the path of the weights.
func (f modelFolder) Weights() string { return filepath.Join(f.Dir, WeightsFile) }

// Digest identifies the folder's contents: the SHA-256 over names and SHA-256
// of its files.
func (f modelFolder) Digest() string {
	h := sha256.New()
	for _, file := range f.Info.Files {
		fmt.Fprintf(h, "%s %s\n", file.SHA256, file.Name)
	}
	return hex.EncodeToString(h.Sum(nil))
}
