package reconstruct

import (
	"os"
	"path/filepath"
	"testing"

	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
	"omniscope/media"
)

func TestVideosMeasuredByOlderRulesAreMeasuredAgain(t *testing.T) {
	film := clips.Made(t, "film.mp4", "-f lavfi -i color=red:s=64x48:r=10:d=1 -f lavfi -i color=white:s=64x48:r=10:d=1 -filter_complex [0][1]concat=n=2 -pix_fmt yuv420p")
	broken := filepath.Join(t.TempDir(), "broken.mp4")
	fixture.OK(t, os.WriteFile(broken, []byte("no film"), 0o600))
	old := measure{Seconds: 7, Cuts: 9}
	now := measure{Seconds: 7, Cuts: 9, CutRules: media.CutRules}
	for _, c := range []struct {
		name, path string
		was        measure
		cuts       int
	}{
		{"by older rules", film, old, 1},
		{"by these", film, now, 9},
		{"not there any more", film + ".gone", old, 9},
		{"not a film any more", broken, old, 9},
	} {
		if is, err := measuredNow(t.Context(), c.path, c.was); err != nil || is.Cuts != c.cuts {
			t.Errorf("%s: %+v, %v", c.name, is, err)
		}
	}
}
