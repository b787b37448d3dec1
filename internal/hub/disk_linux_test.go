package hub

import (
	"strings"
	"testing"

	"omniscope/internal/testing/smalldisk"

	"omniscope"
)

func TestFullDisk(t *testing.T) {
	f := newFake(t)
	c := f.client()
	c.Cache = smalldisk.Mount(t, "48k").Dir
	_, err := c.File(t.Context(), talks, "audio/talk.bin")
	mustFail(t, err, omniscope.Internal, c.Cache, "full", "make room", "HF_HOME")
	for _, name := range list(t, c.Cache) {
		if !strings.HasSuffix(name, ".incomplete") {
			t.Errorf("%s is there", name)
		}
	}
}
