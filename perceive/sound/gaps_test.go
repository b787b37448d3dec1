package sound

import (
	"strings"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
	"omniscope/media"
	"omniscope/perceive"
)

// The silence that fills a gap in the sound track is not described as one of
// the recording.
func TestGapsAreNotSilences(t *testing.T) {
	path := clips.Made(t, "gap.mkv", "-f lavfi -i testsrc2=s=64x48:r=25:d=8 -f lavfi -i sine=f=440:d=8:r=48000 -map 0:v -map 1:a "+
		"-af aselect=not(between(t\\,2.2\\,4.9)) -c:v libx264 -preset ultrafast -c:a aac")
	c, err := perceive.Open(t.Context(), omniscope.Clip{Path: path})
	fixture.OK(t, err)
	defer c.Close()
	a, err := (&Tool{}).Observe(t.Context(), c, "")
	fixture.OK(t, err)
	named := false
	for _, o := range a.Observations {
		named = named || o.Kind == perceive.Absence && strings.HasPrefix(o.What, "a part of the sound track is missing, from 2.2")
		if o.Kind == perceive.Silence && o.Span.Start < 5*time.Second {
			t.Errorf("a silence is reported: %+v", o)
		}
	}
	if !named {
		t.Errorf("the gap is not named:\n%s", a.Text)
	}
}

func TestRecordedParts(t *testing.T) {
	second := func(from, to float64) omniscope.Span {
		return omniscope.Span{Start: time.Duration(from * float64(time.Second)), End: time.Duration(to * float64(time.Second))}
	}
	l := listening{hearing: &media.AudioSurvey{}, gaps: []omniscope.Span{second(2, 4), second(6, 6.5)}}
	for _, c := range []struct{ silence, want omniscope.Span }{
		{second(0, 1), second(0, 1)},
		{second(2, 4), omniscope.Span{}},
		{second(1, 4), second(1, 2)},
		{second(3, 7), second(4, 6)},
		{second(6.2, 9), second(6.5, 9)},
	} {
		if got := l.recorded(c.silence); got != c.want {
			t.Errorf("of %v recorded is %v, not %v", c.silence, got, c.want)
		}
	}
}
