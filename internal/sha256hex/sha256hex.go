// Package sha256hex computes SHA-256 digests of texts and files in hexadecimal digits.
package sha256hex

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
)

// Of returns the digest of a text.
func Of[T ~string | ~[]byte](text T) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// Read reads r to its end and returns the digest and the number of bytes.
func Read(r io.Reader) (digest string, size int64, err error) {
	h := sha256.New()
	if size, err = io.Copy(h, r); err != nil {
		return "", size, err
	}
	return hex.EncodeToString(h.Sum(nil)), size, nil
}

// File returns the digest of a file as it is stored.
func File(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	digest, _, err := Read(f)
	return digest, err
}
