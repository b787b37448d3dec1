package media

import (
	"bytes"
	"context"
	"image/jpeg"
	"math"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
)

// quarters is a picture of four colours; turned, it is stored on its side.
const quarters = "-f lavfi -i color=black:s=320x240:r=10:d=2,drawbox=0:0:160:120:c=0x404040:t=fill,drawbox=160:0:160:120:c=0x808080:t=fill,drawbox=0:120:160:120:c=0xc0c0c0:t=fill,drawbox=160:120:160:120:c=0xf0f0f0:t=fill -pix_fmt yuv420p "

var quarterRegions = map[string]struct {
	region Region
	grey   float64
}{
	"left top":     {Region{0, 0, 0.5, 0.5}, 0x40},
	"right top":    {Region{0.5, 0, 1, 0.5}, 0x80},
	"left bottom":  {Region{0, 0.5, 0.5, 1}, 0xc0},
	"right bottom": {Region{0.5, 0.5, 1, 1}, 0xf0},
	"within one":   {Region{0.6, 0.1, 0.9, 0.4}, 0x80},
}

// brightness is the mean of a JPEG's luma.
func brightness(t *testing.T, data []byte) (mean float64, width, height int) {
	t.Helper()
	picture, err := jpeg.Decode(bytes.NewReader(data))
	fixture.OK(t, err)
	size := picture.Bounds()
	for y := range size.Dy() {
		for x := range size.Dx() {
			r, _, _, _ := picture.At(x, y).RGBA()
			mean += float64(r>>8) / float64(size.Dx()*size.Dy())
		}
	}
	return mean, size.Dx(), size.Dy()
}

func TestPartOfPicture(t *testing.T) {
	lying := clips.Made(t, "lying.mp4", quarters+"-vf transpose=2 "+x264)
	for name, path := range map[string]string{
		"upright": clips.Made(t, "upright.mp4", quarters+x264),
		"turned":  clips.Made(t, "turned.mp4", "-i "+lying+" -c copy -metadata:s:v:0 rotate=270"),
	} {
		whole := probedFile(t, path)
		for at, c := range quarterRegions {
			t.Run(name+"/"+at, func(t *testing.T) {
				part, err := whole.Part(c.region)
				fixture.OK(t, err)
				taken, err := Frames(t.Context(), part, Policy{Frames: 2, MinPixels: 640 * 480}, omniscope.Span{}, "")
				if err != nil || len(taken.Frames) != 2 {
					t.Fatalf("%+v, %v", taken, err)
				}
				mean, width, height := brightness(t, taken.Frames[1].JPEG)
				if math.Abs(mean-c.grey) > 6 || width*height < 640*480 || taken.Plan.Region != c.region {
					t.Errorf("brightness %.0f, want %.0f; %d×%d; region %v", mean, c.grey, width, height, taken.Plan.Region)
				}
				s, err := RunSurvey(t.Context(), part, SurveyOptions{Span: omniscope.Span{Start: time.Second}})
				fixture.OK(t, err)
				if luma := float64(s.Video.Moments[0].Luma); math.Abs(luma-c.grey) > 8 {
					t.Errorf("the survey sees brightness %.0f, want %.0f", luma, c.grey)
				}
			})
		}
	}
}

// TestPartOfPart goes by the whole picture again, and shares what is known of it.
func TestPartOfPart(t *testing.T) {
	whole := probedFile(t, clips.Made(t, "q.mp4", quarters+x264))
	right, err := whole.Part(Region{0.5, 0, 1, 1})
	fixture.OK(t, err)
	part, err := right.Part(Region{0, 0.5, 1, 1})
	if err != nil || part.region != (Region{0.5, 0.5, 1, 1}) || part.Video.Width != 160 || part.Video.Height != 120 {
		t.Fatalf("%+v, %v", part, err)
	}
	if same, err := whole.Part(Region{}); err != nil || same != whole {
		t.Errorf("the zero region is another file: %v", err)
	}
	a, err1 := whole.Timeline(t.Context())
	b, err2 := part.Timeline(t.Context())
	x, err3 := whole.Digest(t.Context())
	y, err4 := part.Digest(context.Background())
	if err1 != nil || err2 != nil || err3 != nil || err4 != nil || a != b || x != y || x == "" {
		t.Errorf("timelines %p %p, digests %s %s: %v %v %v %v", a, b, x, y, err1, err2, err3, err4)
	}
}

func TestPartThatIsNone(t *testing.T) {
	whole := probedFile(t, clips.Made(t, "q.mp4", quarters+x264))
	for name, r := range map[string]Region{
		"beyond the picture": {0, 0, 1.2, 1}, "before it": {-0.1, 0, 1, 1}, "turned round": {0.8, 0, 0.2, 1}, "upside down": {0, 0.5, 1, 0.5},
		"no number": {math.NaN(), 0, 1, 1}, "pixels": {0, 0, 320, 240}, "too small": {0.5, 0.5, 0.51, 0.6},
	} {
		if _, err := whole.Part(r); omniscope.KindOf(err) != omniscope.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := probedFile(t, clips.Made(t, "s.wav", "-f lavfi -i sine=d=1")).Part(Region{0, 0, 0.5, 1}); omniscope.KindOf(err) != omniscope.Invalid {
		t.Errorf("a sound has a part of a picture: %v", err)
	}
}
