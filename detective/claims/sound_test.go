package claims_test

import (
	"testing"

	"omniscope"
	"omniscope/detective/claims"
	"omniscope/perceive"
)

// valued is an observation of all of the sound with values, in pairs of name and number.
func valued(sure float64, what string, values ...any) perceive.Observation {
	o := seen(perceive.Sound, 0, 0, sure, what, "")
	o.Values = make(map[string]float64)
	for i := 0; i < len(values); i += 2 {
		o.Values[values[i].(string)] = values[i+1].(float64)
	}
	return o
}

// ear is the tool sound of one clip.
func ear(list ...perceive.Observation) []tool {
	return []tool{observer("sound", omniscope.Audio, list...)}
}

// checkClaim wants a caption to be one claim of that support.
func checkClaim(t *testing.T, tools []tool, caption string, want claims.Support) {
	t.Helper()
	list := claims.Split(caption)
	if len(list) != 1 {
		t.Fatalf("claims %+v, want one", list)
	}
	c := &list[0]
	for _, tool := range tools {
		if say, able := c.Check(tool.info.Name, ledgerOf(tool), claims.Stretch{LengthS: 10}); able {
			c.Says = append(c.Says, say)
		}
	}
	if c.Decide(); c.Support != want {
		t.Errorf("got %+v, want %s", c, want)
	}
}

func loudAt(lufs float64) perceive.Observation {
	return valued(1, "the sound has a loudness", "integrated_lufs", lufs, "rms_dbfs", lufs)
}

// TestClaimsOfSound by what one tool measured of it.
func TestClaimsOfSound(t *testing.T) {
	const yes, no, open = claims.Supported, claims.Contradicted, claims.Unsupported
	tone := ear(loudAt(-21.8), valued(1, "the sound is mono", "channels", 1.0),
		valued(0.85, "most lie near 440 Hz", "pitch_hz", 440.0, "pitch_low_hz", 439.0, "pitch_high_hz", 441.0, "pitched_share", 1.0))
	noHum := ear(valued(1, "the sound has a loudness", "integrated_lufs", -21.8, "hum", 0.0))
	music := ear(loudAt(-12), valued(1, "the sound is stereo and balanced", "channels", 2.0, "balance_db", 0.3, "correlation", 0.6),
		valued(0.9, "there is a pulse", "bpm", 129.5, "pulse", 0.5))
	dual := ear(valued(1, "the sound is stereo in form only: both channels carry the same", "channels", 2.0, "balance_db", 0.0, "correlation", 1.0))
	hum := ear(loudAt(-35), valued(0.9, "lines at multiples of 50 Hz are heard", "hum_hz", 50.0, "excess_db", 20.0))
	faint := ear(valued(0.9, "the sound is too faint for a loudness", "rms_dbfs", -72.0), valued(1, "the sound is mono", "channels", 1.0))
	left := ear(loudAt(-20), valued(1, "the sound is stereo, but only the left channel carries sound", "channels", 2.0, "balance_db", -120.0, "correlation", 0.0))
	mute := ear(seen(perceive.Silence, 0, 0, 1, "the sound track is silent throughout", ""))
	for _, c := range []struct {
		tools   []tool
		caption string
		want    claims.Support
	}{
		{left, "Only the left channel carries sound.", yes}, {left, "Only the right channel carries sound.", no}, {left, "The right channel is silent.", yes},
		{music, "Sound comes only from the left channel.", no}, {music, "The left channel is completely silent.", no}, {tone, "Only the left channel carries sound.", open},
		{hum, "There is no mains hum.", no}, {hum, "There is no hum.", no}, {noHum, "There is no mains hum.", yes}, {noHum, "There is no hum.", open},
		{hum, "There is no 60 Hz hum.", yes}, {hum, "At the end there is no hum.", open}, {hum, "The hum does not stop.", open},
		{mute, "The tempo is 120 BPM.", no}, {mute, "A 50 Hz hum is heard.", no}, {mute, "The sound is loud.", no}, {mute, "The sound is quiet.", open},
		{mute, "A tone of 440 Hz is heard.", no}, {mute, "There is no mains hum.", yes}, {mute, "No sound can be heard.", yes}, {tone, "No sound can be heard.", no},
		{tone, "The clip is silent.", no}, {tone, "The audio is completely silent.", no}, {faint, "The clip is silent.", open},
		{tone, "This is a silent video.", no},
		{tone, "The sound is stereo.", no}, {tone, "The sound is mono.", yes}, {music, "The music is in stereo.", yes}, {music, "It is a mono recording.", no},
		{dual, "The sound is stereo.", open}, {dual, "The sound is mono.", open},
		{noHum, "A mains hum is heard throughout the clip.", no}, {tone, "A mains hum is heard throughout the clip.", open},
		{hum, "A mains hum is heard throughout the clip.", yes}, {hum, "There is a 60 Hz hum.", no}, {hum, "There is a 50 Hz hum.", yes},
		{tone, "A tone of 440 Hz is heard.", yes}, {tone, "A tone at 300 Hz is heard.", no}, {tone, "A tone of 220 Hz is heard.", open}, {tone, "A 440 Hz tone is heard.", yes},
		{tone, "Of the pitches from 60 to 800 Hz most lie near 440 Hz, in a high register.", yes},
		{tone, "The sound is of middling loudness: -21.8 LUFS, true peak -18.0 dBTP.", yes}, {tone, "Near the end a 440 Hz tone is heard.", open},
		{tone, "The sampling rate of the tone is 8 kHz.", open},
		{music, "The tempo is about 130 BPM.", yes}, {music, "The tempo is 65 beats per minute.", open}, {music, "The tempo is 100 BPM.", no},
		{music, "The tempo is 135 BPM.", open}, {music, "Her heart beats at 100 beats per minute.", open},
		{music, "The loudness is -12.4 LUFS.", yes}, {music, "The loudness is -23 LUFS.", no}, {music, "The loudness is -14 LUFS.", open},
		{music, "The sound is loud.", yes}, {music, "The sound is quiet.", no}, {hum, "The sound is very quiet.", yes}, {hum, "The audio is loud.", no}, {tone, "The sound is loud.", open},
		{music, "At the end the sound is quiet.", open}, {music, "The man is silent.", open}, {music, "The sound may be mono.", open}, {music, "The sound is not mono.", open},
		{music, "A man listens to a mono speaker.", open},
	} {
		t.Run(c.caption, func(t *testing.T) {
			checkClaim(t, c.tools, c.caption, c.want)
		})
	}
}

func TestClaimsOfShots(t *testing.T) {
	const yes, no, open = claims.Supported, claims.Contradicted, claims.Unsupported
	counted := func(shots float64) perceive.Observation {
		o := seen(perceive.Scene, 0, 0, 0.9, "There are shots.", "")
		o.Values = map[string]float64{"shots": shots, "cuts": shots - 1, "length_s": 10}
		return o
	}
	cut := func(at, sure float64) perceive.Observation { return seen(perceive.Cut, at, at, sure, "A cut.", "") }
	three := []tool{observer("scene", omniscope.Visual, counted(3), cut(3, 0.97), cut(6, 0.97))}
	unsure := []tool{observer("scene", omniscope.Visual, counted(3), cut(3, 0.97), cut(6, 0.6))}
	for _, c := range []struct {
		tools   []tool
		caption string
		want    claims.Support
	}{
		{three, "The clip has three shots.", yes}, {three, "There are 3 shots.", yes}, {three, "There are five shots.", no}, {three, "The video consists of two different shots.", no},
		{three, "There are at least two shots.", yes}, {three, "The film has several shots.", yes}, {three, "There are more than three shots.", no},
		{three, "The clip consists of a single shot.", no}, {three, "The video was filmed in a single shot.", no}, {three, "The camera never cuts.", no}, {three, "Each single shot of the film is long.", open},
		{unsure, "There are two shots.", open}, {unsure, "There are three shots.", open}, {unsure, "There are four shots.", no},
		{three, "There are two gun shots.", open}, {three, "A man drinks two shots of whiskey.", open}, {three, "Two shots follow the first.", open},
	} {
		t.Run(c.caption, func(t *testing.T) {
			checkClaim(t, c.tools, c.caption, c.want)
		})
	}
}
