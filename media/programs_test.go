package media

import (
	"context"
	"io"
	"omniscope/internal/testing/need"
	"strings"
	"testing"

	"omniscope"
)

func TestOldVersions(t *testing.T) {
	for version, refused := range map[string]bool{
		"4.2.2-static": true, "n4.4": true, "5.0.1": true, "5.1.9-0+deb12u1": false, "6.0-static": false, "n9.0.2-17-g2a571b6068-20260930": false,
		"10.1": false, "N-113007-g8d24a28d06": false, "2025-01-05-git-19c95ecbff": false, "": false,
	} {
		if got := tooOld("ffmpeg", version); (got != "") != refused {
			t.Errorf("%s: %q", version, got)
		}
	}
}

func TestOldFFmpegIsRefusedByName(t *testing.T) {
	need.FFmpeg(t)
	script(t, "ffmpeg", "echo 'ffmpeg version 4.2.2-static Copyright'")
	for what, err := range map[string]error{
		"check": CheckPrograms(context.Background()),
		"run": func() error {
			_, err := (&program{name: "ffmpeg", readers: []func(io.Reader) error{func(io.Reader) error { return nil }}}).run(context.Background())
			return err
		}(),
	} {
		if omniscope.KindOf(err) != omniscope.NotFound || !strings.Contains(err.Error(), "ffmpeg 4.2.2-static is too old: 5.1 or later is needed") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func TestSelfTest(t *testing.T) {
	need.FFmpeg(t)
	if err := SelfTest(context.Background()); err != nil {
		t.Error(err)
	}
}
