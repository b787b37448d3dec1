package outfile

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// TestSharedFilesAreWrittenAtATime has many write the same file at a time.
func TestSharedFilesAreWrittenAtATime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ab", "file.json")
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			if err := WriteShared(path, []byte("the same")); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	text, err := os.ReadFile(path)
	entries, _ := os.ReadDir(filepath.Dir(path))
	if err != nil || string(text) != "the same" || len(entries) != 1 {
		t.Errorf("%q, %v, %d files", text, err, len(entries))
	}
}
