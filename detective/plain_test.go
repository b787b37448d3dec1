package detective_test

import (
	"strings"
	"testing"

	"omniscope"
	"omniscope/detective"
	"omniscope/perceive"
)

// The offline caption of an invented clip, to the letter.
func TestOfflineCaption(t *testing.T) {
	tools := []perceive.Tool{
		observer("asr", omniscope.Audio, false,
			seen(perceive.Speech, 1, 2.5, 0.9, "Speech.", "Welcome to the harbour."),
			seen(perceive.Speech, 4, 5, 0.6, "Speech.", "it is bold today"),
			seen(perceive.Speech, 8, 9, 0.3, "Speech.", "the mumble jumble")),
		observer("ocr", omniscope.Visual, false,
			seen(perceive.Text, 0, 2, 0.95, "Text.", "HARBOUR\nNEWS"),
			seen(perceive.Text, 3, 4, 0.6, "Text.", "Pier 1l"),
			seen(perceive.Text, 6, 7, 0.2, "Text.", "xK")),
		observer("sound", omniscope.Audio, false,
			seen(perceive.Sound, 0, 0, 0.9, "The recording is quiet, at -31.0 LUFS.", ""),
			seen(perceive.Silence, 2.5, 4, 0.95, "Silence.", ""),
			seen(perceive.Sound, 5.5, 6, 0.4, "A short loud burst, consistent with a door.", "")),
		observer("scene", omniscope.Visual, false,
			seen(perceive.Scene, 0, 0, 0.9, "The picture is mostly blue and grey.", ""),
			seen(perceive.Cut, 6, 6, 0.9, "A cut.", ""), seen(perceive.Cut, 3, 3, 0.9, "A cut.", ""),
			seen(perceive.Cut, 8.25, 8.25, 0.3, "A cut.", ""),
			seen(perceive.Scene, 9, -1, 0.8, "The picture is black from 9.0 s on", "")),
	}
	want := strings.Join([]string{
		"Shot 1 lasts from 0.00 s to 3.00 s.|o3",
		"From 0.00 s to 2.00 s the picture shows the words “HARBOUR NEWS”.|o9",
		"From 1.00 s to 2.50 s somebody says: “Welcome to the harbour.”|o12",
		"From 2.50 s to 4.00 s there is silence.|o7",
		"Shot 2 lasts from a cut at 3.00 s to 6.00 s.|o3",
		"From 3.00 s to 4.00 s the picture seems to show words, perhaps “Pier 1l”.|o10",
		"From 4.00 s to 5.00 s somebody speaks, perhaps saying: “it is bold today”.|o13",
		"From 5.50 s to 6.00 s, perhaps: A short loud burst, consistent with a door.|o8",
		"Shot 3 lasts from a cut at 6.00 s to the end.|o2",
		"From 6.00 s to 7.00 s the picture may show words, but they cannot be read.|o11",
		"From 8.00 s to 9.00 s there is speech, not intelligible.|o14",
		"At 8.25 s the picture may cut.|o4",
		"The picture is black from 9.0 s on.|o5",
		"The picture is mostly blue and grey.|o1",
		"The recording is quiet, at -31.0 LUFS.|o6",
	}, "\n")
	r := investigate(t, &detective.Investigation{Clip: clipOf(t), Tools: tools}, detective.Offline{}, nil)
	var got []string
	for _, s := range r.Caption.Sentences {
		got = append(got, s.Text+"|"+strings.Join(s.Evidence, " "))
	}
	if text := strings.Join(got, "\n"); text != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
	if r.Ended != detective.EndedEnough || len(r.Turns) != 4 || r.Caption.Unfounded() != 0 {
		t.Errorf("ended %s after %d turns with %d unfounded sentences", r.Ended, len(r.Turns), r.Caption.Unfounded())
	}
}

func TestOfflineAbsences(t *testing.T) {
	tools := []perceive.Tool{
		observer("sound", omniscope.Audio, false, seen(perceive.Absence, 0, 0, 1, "The clip has no sound track", "")),
		observer("ocr", omniscope.Visual, false, seen(perceive.Text, 0, 0, 0.8, "No text can be read in the picture.", "")),
		observer("eye", omniscope.Visual, true, seen(perceive.Reported, 0, 0, 0.5, "A boat lies still.", "")),
	}
	r := investigate(t, &detective.Investigation{Clip: clipOf(t), Tools: tools}, detective.Offline{}, nil)
	want := "The observer eye reports: A boat lies still. No text can be read in the picture. The clip has no sound track."
	if r.Caption.Text != want {
		t.Errorf("got  %s\nwant %s", r.Caption.Text, want)
	}
}

// What tools say themselves stands as they say it, in full sentences.
func TestOfflineToolWords(t *testing.T) {
	tools := []perceive.Tool{
		observer("sound", omniscope.Audio, false,
			seen(perceive.Silence, 0, 1.2, 1, "the sound track begins only at 1.20 s", ""),
			seen(perceive.Silence, 3, 4, 0.9, "near silence, with a faint background at -50 dBFS", ""),
			seen(perceive.Speech, 1.3, 2.9, 0.8, "somebody seems to speak; the speech is not intelligible here", ""),
			seen(perceive.Speech, 6, 7, 0.8, "somebody seems to speak; the speech is not intelligible here", "")),
		observer("ocr", omniscope.Visual, false,
			seen(perceive.Text, 5, 6, 0.9, "From 5.00 s to 6.00 s a running number can be read, from “1” to “9”.", "1")),
		observer("asr", omniscope.Audio, false, seen(perceive.Speech, 1.25, 3, 0.9, "speech", "good day")),
	}
	r := investigate(t, &detective.Investigation{Clip: clipOf(t), Tools: tools}, detective.Offline{}, nil)
	want := "The sound track begins only at 1.20 s. From 1.25 s to 3.00 s somebody says: “good day”. " +
		"From 3.00 s to 4.00 s there is near silence, with a faint background at -50 dBFS. From 5.00 s to 6.00 s a running number can be read, from “1” to “9”. " +
		"From 6.00 s to 7.00 s somebody seems to speak; the speech is not intelligible here."
	if r.Caption.Text != want {
		t.Errorf("got  %s\nwant %s", r.Caption.Text, want)
	}
	if got := strings.Join(r.Caption.Sentences[1].Evidence, " "); got != "o6 o3" {
		t.Errorf("what was heard rests on %s, want the words and the voice, o6 o3", got)
	}
}

func TestOfflineFactOfTwoTools(t *testing.T) {
	same := seen(perceive.Silence, 0, 0, 1, "the sound track is silent throughout", "")
	r := investigate(t, &detective.Investigation{Clip: clipOf(t), Tools: []perceive.Tool{
		observer("sound", omniscope.Audio, false, same), observer("asr", omniscope.Audio, false, same),
	}}, detective.Offline{}, nil)
	if len(r.Caption.Sentences) != 1 || strings.Join(r.Caption.Sentences[0].Evidence, " ") != "o1 o2" {
		t.Errorf("got %+v", r.Caption.Sentences)
	}
}

// A clip of one shot reads as a text of one shot, and what is so of the entire
// clip is a paragraph of its own.
func TestOfflineCaptionOfOneShot(t *testing.T) {
	counted := seen(perceive.Scene, 0, 0, 0.9, "No cut was found: the picture seems to be one continuous shot of 9.00 s.", "")
	counted.Values = map[string]float64{"shots": 1, "length_s": 9}
	r := investigate(t, &detective.Investigation{Clip: clipOf(t), Tools: []perceive.Tool{
		observer("scene", omniscope.Visual, false, counted, seen(perceive.Scene, 2, 4, 0.9, "From 2.00 s to 4.00 s the picture is nearly still.", "")),
		observer("ocr", omniscope.Visual, false, seen(perceive.Text, 1, 2, 0.9, "From 1.00 s to 2.00 s the picture shows the words “PIER”.", "PIER")),
	}}, detective.Offline{}, nil)
	want := "From 1.00 s to 2.00 s the picture shows the words “PIER”. From 2.00 s to 4.00 s the picture is nearly still.\n" +
		"No cut was found: the picture seems to be one continuous shot of 9.00 s."
	if r.Caption.Text != want {
		t.Errorf("got  %s\nwant %s", r.Caption.Text, want)
	}
	if s := r.Caption.Sentences; s[0].Whole || !s[2].Whole || s[0].Shot != 0 {
		t.Errorf("sentences are %+v", s)
	}
}

// TestParagraphs: each shot is a paragraph, and so is what is said of the entire clip.
func TestParagraphs(t *testing.T) {
	cut := seen(perceive.Cut, 3, 3, 0.9, "A cut.", "")
	r := investigate(t, &detective.Investigation{Clip: clipOf(t), Tools: []perceive.Tool{
		observer("scene", omniscope.Visual, false, cut, seen(perceive.Scene, 0, 0, 0.9, "It is dark.", "")),
		observer("sound", omniscope.Audio, false, seen(perceive.Sound, 4, 5, 0.9, "a door closes", "")),
	}}, detective.Offline{}, nil)
	want := "Shot 1 lasts from 0.00 s to 3.00 s.\nShot 2 lasts from a cut at 3.00 s to the end. From 4.00 s to 5.00 s: a door closes.\nIt is dark."
	if r.Caption.Text != want {
		t.Errorf("got  %s\nwant %s", r.Caption.Text, want)
	}
}

func TestOfflineBudget(t *testing.T) {
	tools := []perceive.Tool{observer("ocr", omniscope.Visual, false), observer("scene", omniscope.Visual, false, seen(perceive.Scene, 0, 0, 1, "It is dark.", ""))}
	r := investigate(t, &detective.Investigation{Clip: clipOf(t), Tools: tools, Budget: 1}, detective.Offline{}, nil)
	if len(r.Turns) != 1 || r.Turns[0].Inquiry.Tool != "scene" || r.Ended != detective.EndedBudget {
		t.Errorf("turns %+v, ended %s", r.Turns, r.Ended)
	}
}
