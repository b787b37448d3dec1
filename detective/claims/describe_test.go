package claims_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"omniscope"
	"omniscope/detective/claims"
	"omniscope/perceive"
)

// A tool is what a measuring tool observes.
type tool struct {
	info perceive.Info
	list []perceive.Observation
}

func observer(name string, sense omniscope.Modality, observations ...perceive.Observation) tool {
	return tool{perceive.Info{Name: name, Modality: sense}, observations}
}

// seen makes an observation; two zeros are for the entire clip.
func seen(kind perceive.Kind, startS, endS, sure float64, what, quote string) perceive.Observation {
	seconds := func(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
	return perceive.Observation{Kind: kind, What: what, Quote: quote, Sure: sure, Span: omniscope.Span{Start: seconds(startS), End: seconds(endS)}}
}

func ledgerOf(tools ...tool) (l claims.Ledger) {
	for i, t := range tools {
		l.Add(i+1, t.info, "", perceive.Focus{}, t.list)
	}
	return l
}

// described returns the sentences about the observations of measuring tools.
func described(tools ...tool) []claims.Sentence {
	return ledgerOf(tools...).Describe(func(string) bool { return true })
}

// sentences returns the sentences of described, each with its evidence.
func sentences(tools ...tool) string {
	var got []string
	for _, s := range described(tools...) {
		got = append(got, s.Text+"|"+strings.Join(s.Evidence, " "))
	}
	return strings.Join(got, "\n")
}

func checkSentences(t *testing.T, got string, want ...string) {
	t.Helper()
	if all := strings.Join(want, "\n"); got != all {
		t.Errorf("got\n%s\nwant\n%s", got, all)
	}
}

func TestOfflineShotContents(t *testing.T) {
	scene := observer("scene", omniscope.Visual,
		seen(perceive.Scene, 0, 4, 0.9, "In the shot from 0.00 s to 4.00 s the dominant colour is white.", ""),
		seen(perceive.Scene, 4, 9, 0.9, "From 4.00 s to 9.00 s the picture is nearly still.", ""),
		seen(perceive.Scene, 0, 4, 0.9, "From 0.00 s to 4.00 s the picture is nearly still.", ""),
		seen(perceive.Scene, 0, 4, 0.9, "The brightest shot is that from 0.00 s to 4.00 s.", ""),
		seen(perceive.Scene, 0, 4, 0.3, "From 0.00 s to 4.00 s the camera pans.", ""))
	ocr := observer("ocr", omniscope.Visual, seen(perceive.Text, 0, 4, 0.9, "From 0.00 s to 4.00 s the picture shows the words “PIER”.", "PIER"))
	checkSentences(t, sentences(scene, ocr),
		"From 0.00 s to 4.00 s the dominant colour is white; the picture is nearly still.|o1 o3",
		"The brightest shot is that from 0.00 s to 4.00 s.|o4",
		"Perhaps: From 0.00 s to 4.00 s the camera pans.|o5",
		"From 0.00 s to 4.00 s the picture shows the words “PIER”.|o6",
		"From 4.00 s to 9.00 s the picture is nearly still.|o2")
}

func TestOfflineCaptionSound(t *testing.T) {
	whole := func(what string) perceive.Observation { return seen(perceive.Sound, 0, 0, 0.9, what, "") }
	checkSentences(t, sentences(observer("sound", omniscope.Audio,
		whole("the sound is loud: -10.0 LUFS"), whole("the sound is mono"), whole("the level is steady"), whole("sounds set in often"),
		seen(perceive.Sound, 0, 0, 0.4, "a hum may be there", ""))),
		"The sound is loud: -10.0 LUFS.|o1",
		"The sound is mono.|o2",
		"The level is steady.|o3",
		"Sounds set in often.|o4",
		"Perhaps: a hum may be there.|o5")
}

// silences makes an observation of a silence for each pair of times.
func silences(times ...float64) (list []perceive.Observation) {
	for i := 0; i < len(times); i += 2 {
		list = append(list, seen(perceive.Silence, times[i], times[i+1], 0.9, "silence", ""))
	}
	return list
}

func TestOfflineShortSilences(t *testing.T) {
	for _, c := range []struct {
		name     string
		silences []perceive.Observation
		want     []string
	}{
		{"between beeps", silences(1.1, 1.5, 1.6, 2, 2.1, 2.5, 2.6, 6), []string{
			"From 1.10 s to 2.50 s there are 3 short silences, of 0.40 to 0.40 s, about one every 0.50 s.|o1 o2 o3", "From 2.60 s to 6.00 s there is silence.|o4"}},
		{"between words", silences(1, 1.4, 2.2, 2.6, 2.7, 3.5), []string{"From 1.00 s to 3.50 s there are 3 short silences, of 0.40 to 0.80 s.|o1 o2 o3"}},
		{"long, and even", silences(0.7, 2, 2.6, 3.8, 4.8, 5.8, 6.7, 8, 8.7, 9.9), []string{
			"From 0.70 s to 9.90 s there are 5 silences, of 1.00 to 1.30 s, about one every 2.00 s.|o1 o2 o3 o4 o5"}},
		{"three even ones", silences(1, 2.5, 3, 4.5, 5, 6.5), []string{
			"From 1.00 s to 2.50 s there is silence.|o1", "From 3.00 s to 4.50 s there is silence.|o2", "From 5.00 s to 6.50 s there is silence.|o3"}},
		{"two", silences(1, 1.4, 2, 2.4), []string{"From 1.00 s to 2.40 s there are 2 short silences, of 0.40 to 0.40 s.|o1 o2"}},
		{"far from each other", silences(1, 1.4, 7, 7.4), []string{"From 1.00 s to 1.40 s there is silence.|o1", "From 7.00 s to 7.40 s there is silence.|o2"}},
		{"a second each", silences(1, 2, 2.1, 3.1), []string{"From 1.00 s to 2.00 s there is silence.|o1", "From 2.10 s to 3.10 s there is silence.|o2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			checkSentences(t, sentences(observer("sound", omniscope.Audio, c.silences...)), c.want...)
		})
	}
}

func TestOfflineRepeatedFacts(t *testing.T) {
	checkSentences(t, sentences(observer("sound", omniscope.Audio,
		seen(perceive.Sound, 5, 5.2, 0.9, "a short sound stands out by 12 dB", ""), seen(perceive.Sound, 1, 1.2, 0.9, "a short sound stands out by 9.5 dB", ""),
		seen(perceive.Sound, 2, 2.2, 0.9, "a long sound", ""), seen(perceive.Sound, 7, 7.2, 0.9, "a short sound stands out by 8 dB", ""),
		seen(perceive.Sound, 3, 3.2, 0.9, "a long sound", ""))),
		"From 1.00 s to 1.20 s a short sound stands out by 9.5 dB; much the same at 5.00 s and 7.00 s.|o2 o1 o4",
		"From 2.00 s to 2.20 s: a long sound.|o3",
		"From 3.00 s to 3.20 s: a long sound.|o5")
}

func TestOfflineRepeatedSpeech(t *testing.T) {
	var voice, unclear []perceive.Observation
	for i := range 3 {
		at := float64(3 * i)
		voice = append(voice, seen(perceive.Speech, at, at+2, 0.9, "somebody seems to speak", ""))
		unclear = append(unclear, seen(perceive.Speech, at+0.1, at+2, 0.9, "speech is heard, not intelligible", ""))
	}
	checkSentences(t, sentences(observer("sound", omniscope.Audio, voice...), observer("asr", omniscope.Audio, unclear...)),
		"From 0.10 s to 2.00 s speech is heard, not intelligible; much the same from 3.10 s to 5.00 s and from 6.10 s to 8.00 s.|o4 o5 o6 o1 o2 o3")
	for i := range 20 {
		at := float64(9 + i)
		voice = append(voice, seen(perceive.Speech, at, at+0.5, 0.9, "somebody seems to speak", ""))
	}
	got := sentences(observer("sound", omniscope.Audio, voice...))
	if want := "From 0.00 s to 2.00 s somebody seems to speak; much the same 22 times more, the last from 28.00 s to 28.50 s.|"; !strings.HasPrefix(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A tool that measures, and found nothing, says so itself.
func TestOfflineNothingFound(t *testing.T) {
	ocr := observer("ocr", omniscope.Visual, seen(perceive.Reported, 0, 0, 0.5, "No text can be read.", ""))
	checkSentences(t, sentences(ocr), "No text can be read.|o1")
}

// Speech that nobody understands is told once, and so is speech that somebody
// does.
func TestOfflineSpeechOnce(t *testing.T) {
	voice := seen(perceive.Speech, 1, 4, 0.9, "somebody seems to speak", "")
	unclear := seen(perceive.Speech, 1.1, 4, 0.9, "speech is heard, not intelligible", "")
	sound := observer("sound", omniscope.Audio, voice)
	for _, c := range []struct {
		name string
		asr  []perceive.Observation
		want string
	}{
		{"not understood", []perceive.Observation{unclear}, "From 1.10 s to 4.00 s speech is heard, not intelligible.|o2 o1"},
		{"understood", []perceive.Observation{seen(perceive.Speech, 1.1, 4, 0.9, "speech", "good day")}, "From 1.10 s to 4.00 s somebody says: “good day”.|o2 o1"},
		{"understood by one of two", []perceive.Observation{unclear, seen(perceive.Speech, 1.2, 4, 0.9, "speech", "good day")},
			"From 1.10 s to 4.00 s speech is heard, not intelligible.|o2\nFrom 1.20 s to 4.00 s somebody says: “good day”.|o3 o1"},
		{"elsewhere", []perceive.Observation{seen(perceive.Speech, 6, 8, 0.9, "speech is heard", "")},
			"From 1.00 s to 4.00 s somebody seems to speak.|o1\nFrom 6.00 s to 8.00 s speech is heard.|o2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			checkSentences(t, sentences(sound, observer("asr", omniscope.Audio, c.asr...)), c.want)
		})
	}
}

// Each observation is in a sentence, for any mix of observations.
func TestOfflineUsesEveryObservation(t *testing.T) {
	var list []perceive.Observation
	for i := range 200 {
		kind := []perceive.Kind{perceive.Scene, perceive.Sound, perceive.Silence, perceive.Speech, perceive.Cut}[i%5]
		start := float64(i * 7 % 90)
		what := fmt.Sprintf("thing %d is there", i)
		if kind == perceive.Scene {
			what = fmt.Sprintf("From %.2f s to %.2f s thing %d is there.", start, start+0.5, i)
		}
		list = append(list, seen(kind, start, start+0.5, float64(i%4)/4+0.2, what, ""))
	}
	sound := observer("sound", omniscope.Audio, list...)
	asr := observer("asr", omniscope.Audio, list[3], list[8])
	told := make(map[string]int)
	for _, s := range described(sound, asr) {
		for _, id := range s.Evidence {
			told[id]++
		}
	}
	for _, e := range ledgerOf(sound, asr) {
		most := 1
		if e.Kind == perceive.Cut {
			most = 2 // a cut ends one shot and begins the next
		}
		if told[e.ID] < 1 || told[e.ID] > most {
			t.Errorf("%s is in %d sentences: %+v", e.ID, told[e.ID], e)
		}
	}
}
