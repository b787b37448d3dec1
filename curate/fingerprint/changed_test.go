package fingerprint

import (
	"testing"
	"time"
)

// moving makes eight seconds of picture that moves all the time, and sound that goes with it.
func moving(t testing.TB, name, picture string) string {
	return made(t, name, "-f lavfi -i "+picture+" -f lavfi -i anoisesrc=d=8:seed=5:r=16000:a=0.5 -af tremolo=f=3:d=0.9,aphaser=speed=0.7:decay=0.6,lowpass=2500 -t 8 "+
		"-c:v libx264 -preset ultrafast -crf 20 -c:a aac -b:a 96k")
}

const colony = "life=s=48x36:rate=3:seed=9:ratio=0.4,scale=320:240:flags=bicubic,fps=10"

// Pictures alone tell what was done to them.
func TestLongChangedPicturesAreFound(t *testing.T) {
	whole := moving(t, "whole.mp4", colony)
	_, print := taken(t, whole)
	const code = " -an -c:v libx264 -crf 28 -preset ultrafast"
	for _, c := range []struct {
		name, args string
		kind       Kind
		speed      float64
	}{
		{"mirrored", "-vf hflip", Mirrored, 0},
		{"a tenth off at each side", "-vf crop=iw*0.8:ih*0.8,scale=320:240", Cropped, 0},
		{"a fourteenth off at each side", "-vf crop=iw*0.86:ih*0.86", Cropped, 0},
		{"bars above and below", "-vf scale=320:180,pad=320:240:0:30", Cropped, 0},
		{"bars left and right", "-vf scale=200:240,pad=320:240:60:0", Cropped, 0},
		{"at 1.25 of the speed", "-vf setpts=PTS/1.25", Pictures, 1.25},
		{"at 0.8 of the speed", "-vf setpts=PTS/0.8", Pictures, 0.8},
		{"cut between two seconds", "-ss 1.4 -t 4", Pictures, 0},
	} {
		_, copied := taken(t, made(t, "copy.mp4", "-i "+whole+" "+c.args+code))
		m := compare(copied, print)
		if m.Kind != c.kind || m.Speed < c.speed-0.08 || m.Speed > c.speed+0.08 {
			t.Errorf("%s: %+v, want %s at speed %g", c.name, m, c.kind, c.speed)
		}
		back := compare(print, copied)
		if back.Kind != c.kind {
			t.Errorf("%s, the other way round: %+v, want %s", c.name, back, c.kind)
		}
		if hits := NewIndex([]*Fingerprint{print}).Find(copied); len(hits) != 1 || hits[0].Match != m {
			t.Errorf("%s: the index finds %+v, want %+v", c.name, hits, m)
		}
	}
	_, cut := taken(t, made(t, "cut.mp4", "-i "+whole+" -ss 1.4 -t 4"+code))
	if m := compare(print, cut); (m.Offset - 1400*time.Millisecond).Abs() > 300*time.Millisecond {
		t.Errorf("cut at 1.4 s: offset %v", m.Offset)
	}
}
