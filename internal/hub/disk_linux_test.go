package hub

import (
	"strings"
	"syscall"
	"testing"

	"omniscope"
)

// tinyDisk mounts a file system of the given size, such as "1m".
func tinyDisk(t *testing.T, size string) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("a small disk cannot be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func TestFullDisk(t *testing.T) {
	f := newFake(t)
	c := f.client()
	c.Cache = tinyDisk(t, "48k")
	_, err := c.File(t.Context(), talks, "audio/talk.bin")
	mustFail(t, err, omniscope.Internal, c.Cache, "full", "make room", "HF_HOME")
	for _, name := range list(t, c.Cache) {
		if !strings.HasSuffix(name, ".incomplete") {
			t.Errorf("%s is there", name)
		}
	}
}
