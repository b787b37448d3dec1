package proxy

import (
	"os"
	"path/filepath"
	"testing"

	"omniscope"
	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/smalldisk"
)

// TestAFullDiskIsCalledOne prepares a film on a disk that has room for the start of it alone, with and without
// its copy without sound. Once there is room, it is prepared.
func TestAFullDiskIsCalledOne(t *testing.T) {
	source := clips.Made(t, "a.mp4", short)
	for _, left := range []int{4 << 10, 12 << 10, 24 << 10} {
		disk := smalldisk.Mount(t, "1m")
		filler := filepath.Join(disk.Dir, "filler")
		fixture.OK(t, os.WriteFile(filler, make([]byte, 1<<20-left), 0o600))
		dir := filepath.Join(disk.Dir, "prepared")
		_, err := Prepare(t.Context(), source, dir, Options{Muted: true})
		fixture.WantError(t, err, omniscope.Internal, "the disk is full")
		fixture.OK(t, os.Remove(filler))
		if p := prepared(t, source, dir, Options{Muted: true}); p.Frames != 10 {
			t.Errorf("with room: %+v", p)
		}
	}
}
