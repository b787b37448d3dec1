package neural

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// weightsFile is where a model folder has its weights.
const weightsFile = "model.safetensors"

// A fileDigest is what a file was when its SHA-256 was taken. It holds as long
// as size and time of change are the same, to the nanosecond where the file
// system has them: to read 2 GB at every start would take seconds to find out
// what is known.
type fileDigest struct {
	Name     string    `json:"name"` // in model.json that within the folder, in a cache the whole path
	SHA256   string    `json:"sha256"`
	Bytes    int64     `json:"bytes"`
	Modified time.Time `json:"modified"`
}

// of reports whether d tells of the file that info does.
func (d fileDigest) of(info os.FileInfo) bool {
	return len(d.SHA256) == 2*sha256.Size && d.Bytes == info.Size() && d.Modified.Equal(info.ModTime())
}

// weightsDigest returns the SHA-256 of a model folder's weights: that of
// model.json, or the one that the cache remembers, if the file has not changed
// since, else it is computed, and remembered if there is a cache.
func weightsDigest(folder string, c *Cache) (string, error) {
	path := filepath.Join(folder, weightsFile)
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	for _, d := range readModelFile(folder).Files {
		if d.Name == weightsFile && d.of(info) {
			return d.SHA256, nil
		}
	}
	for _, d := range c.digests() {
		if d.Name == absolute(path) && d.of(info) {
			return d.SHA256, nil
		}
	}
	sum, err := hashFiles(path)
	if err != nil {
		return "", err
	}
	c.rememberDigest(fileDigest{absolute(path), sum, info.Size(), info.ModTime()})
	return sum, nil
}

// A modelFile is what model.json says, as far as scores are concerned.
type modelFile struct {
	Name  string `json:"name"`
	Files []struct {
		fileDigest
		Source struct {
			Repo string `json:"repo"` // of the hub
		} `json:"source"`
	} `json:"files"`
}

// fromHub reports whether the weights were downloaded, and not imported.
func (m modelFile) fromHub() bool {
	for _, f := range m.Files {
		if f.Name == weightsFile {
			return f.Source.Repo != ""
		}
	}
	return false
}

// readModelFile reads a folder's model.json. Nothing depends on it being there.
func readModelFile(folder string) (m modelFile) {
	text, err := os.ReadFile(filepath.Join(folder, "model.json"))
	if err != nil || json.Unmarshal(text, &m) != nil {
		return modelFile{}
	}
	return m
}

// hashFiles is the SHA-256 of files, of their names too if there are several.
func hashFiles(paths ...string) (string, error) {
	h := sha256.New()
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			return "", err
		}
		if len(paths) > 1 {
			info, err := f.Stat()
			if err != nil {
				f.Close()
				return "", err
			}
			fmt.Fprintf(h, "%s %d\n", filepath.Base(path), info.Size())
		}
		_, err = io.CopyBuffer(h, f, make([]byte, 1<<20))
		f.Close()
		if err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// digestsFile lies in the cache's folder.
const digestsFile = "digests.json"

// digests returns what is remembered. A file that cannot be read is as good as
// none.
func (c *Cache) digests() (known []fileDigest) {
	if c == nil {
		return nil
	}
	text, err := os.ReadFile(filepath.Join(c.folder, digestsFile))
	if err != nil || json.Unmarshal(text, &known) != nil {
		return nil
	}
	return known
}

// rememberDigest replaces the file by one that has d as well. Of two processes
// that do so at once one may be forgotten, and computes it again next time.
func (c *Cache) rememberDigest(d fileDigest) {
	if c == nil {
		return
	}
	known := slices.DeleteFunc(c.digests(), func(old fileDigest) bool { return old.Name == d.Name })
	text, err := json.MarshalIndent(append(known, d), "", "\t")
	if err == nil {
		err = replaceFile(filepath.Join(c.folder, digestsFile), append(text, '\n'))
	}
	if err != nil {
		c.warn("the digest of %s is not remembered and will be computed again: %v", d.Name, err)
	}
}

// replaceFile writes a file under another name and renames it.
func replaceFile(path string, text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+strings.TrimPrefix(filepath.Base(path), ".")+"-*")
	if err != nil {
		return err
	}
	if _, err = f.Write(text); err == nil {
		err = f.Chmod(0o644)
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
