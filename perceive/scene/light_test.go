package scene

import (
	"testing"
	"time"

	"omniscope"
	"omniscope/media"
)

func TestLightThatGrows(t *testing.T) {
	for _, c := range []struct {
		name  string
		lumas func(i int) float32
		want  bool
	}{
		{"little by little", func(i int) float32 { return 40 + float32(i) }, true},
		{"in small steps", func(i int) float32 { return 40 + 10*float32(i/10) }, true},
		{"at once", func(i int) float32 { return 40 + 80*float32(i/50) }, false},
		{"hardly", func(i int) float32 { return 40 + float32(i)/5 }, false},
	} {
		s := &media.VideoSurvey{End: 4 * time.Second}
		for i := range 100 {
			s.Moments = append(s.Moments, media.Moment{Time: time.Duration(i) * 40 * time.Millisecond, Luma: c.lumas(i)})
		}
		if o, ok := trend(s, omniscope.Span{End: 4 * time.Second}); ok != c.want {
			t.Errorf("%s: %v %q", c.name, ok, o.What)
		}
	}
}
