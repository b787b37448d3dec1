package weights

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope/internal/testing/smalldisk"

	"omniscope"
)

// large is a file of 600,000 bytes of tensors.
func large(t *testing.T) *File {
	tensor := tensorOf(pyStored{"FloatStorage", "0", 150_000, false}, 0, pyTuple{150_000}, pyTuple{1})
	return opened(t, saved(t, archived(t, entryOf{"m/data.pkl", string(pickled(pyDict{"w", tensor}))}, entryOf{"m/data/0", strings.Repeat("\x01", 600_000)})))
}

func mustBeFull(t *testing.T, err error, to string) {
	t.Helper()
	if omniscope.KindOf(err) != omniscope.Internal {
		t.Errorf("error of kind %v", omniscope.KindOf(err))
	}
	for _, want := range []string{to, "it takes 600", "make room"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v lacks %q", err, want)
		}
	}
}

func TestTooLittleDiskSpace(t *testing.T) {
	folder := smalldisk.Mount(t, "512k").Dir
	to := filepath.Join(folder, "model.safetensors")
	begun := false
	err := Convert(t.Context(), large(t), to, func(done, total int64) { begun = true })
	mustBeFull(t, err, to)
	if begun {
		t.Error("writing was begun")
	}
	only(t, folder)
}

func TestFullDisk(t *testing.T) {
	folder := smalldisk.Mount(t, "1m").Dir
	to := filepath.Join(folder, "model.safetensors")
	err := Convert(t.Context(), large(t), to, func(done, total int64) {
		if done == 0 { // somebody else writes, too
			if err := os.WriteFile(filepath.Join(folder, "other"), make([]byte, 600_000), 0o600); err != nil {
				t.Error(err)
			}
		}
	})
	mustBeFull(t, err, to)
	only(t, folder, "other")
}
