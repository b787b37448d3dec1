package media

import (
	"bytes"
	"math"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
)

// TestVoicesSpeak: words last a while, are heard, sound alike each time, and different
// words are different.
func TestVoicesSpeak(t *testing.T) {
	need.FFmpeg(t)
	for language, words := range map[string][2]string{"en": {"seven", "two"}, "de": {"sieben", "zwei"}, "it": {"sette", "due"}, "zh": {"七", "二"}} {
		t.Run(language, func(t *testing.T) {
			v, err := VoiceOf(t.Context(), language)
			if err != nil {
				t.Skip(err)
			}
			said, err := v.Say(t.Context(), words[0])
			again, _ := v.Say(t.Context(), words[0])
			other, _ := v.Say(t.Context(), words[1])
			loudest := 0.0
			for _, x := range samplesOf(said) {
				loudest = max(loudest, math.Abs(x))
			}
			seconds := float64(len(said)) / 2 / SpeechRate
			if err != nil || seconds < 0.1 || seconds > 3 || loudest < 2000 {
				t.Errorf("%s: %.2f s, at most %.0f: %v", v.Program, seconds, loudest, err)
			}
			if !bytes.Equal(said, again) || bytes.Equal(said, other) {
				t.Error("the same word sounds otherwise, or two words sound alike")
			}
		})
	}
}

func TestNoVoice(t *testing.T) {
	_, err := VoiceOf(t.Context(), "tlh")
	fixture.WantError(t, err, omniscope.NotFound, "install espeak-ng")
	if _, err := (&voice{"flite", "en"}).Say(t.Context(), "one'; rm"); omniscope.KindOf(err) != omniscope.Internal {
		t.Errorf("%v", err)
	}
}
