package clip

import (
	"testing"

	"omniscope/internal/testing/clips"
)

// Many gaps that are too short to be named are noted all the same: together
// they are as long as one that is.
func TestSoundThatLosesALittleEachSecond(t *testing.T) {
	const film = "-f lavfi -i testsrc2=s=64x48:r=25:d=6 -f lavfi -i sine=d=6:r=48000 -map 0:v -map 1:a -c:v libx264 -preset ultrafast -c:a pcm_s16le "
	for _, c := range []struct {
		name, filter string
		uneven       bool
	}{
		{"whole.mkv", "asetnsamples=480", false},
		{"losing.mkv", "asetnsamples=480,asetpts=PTS+0.01/TB*floor(T)", true},
	} {
		m, err := Measure(t.Context(), clips.Made(t, c.name, film+"-af "+c.filter))
		if err != nil || m.Sound == nil || m.Sound.Uneven != c.uneven || m.Broken != "" {
			t.Errorf("%s: %+v, %v", c.name, m, err)
		}
	}
}
