package diskspace

import (
	"path/filepath"
	"runtime"
	"testing"
)

func TestFree(t *testing.T) {
	switch runtime.GOOS {
	case "linux", "darwin", "windows":
	default:
		t.Skip("not known on this system")
	}
	if n, ok := Free(t.TempDir()); !ok || n <= 0 {
		t.Errorf("%d bytes, known: %t", n, ok)
	}
	if n, ok := Free(filepath.Join(t.TempDir(), "missing")); ok {
		t.Errorf("a folder that is not there has %d bytes", n)
	}
}
