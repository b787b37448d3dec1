package predict

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/model"
)

func TestSimilarAnswers(t *testing.T) {
	long := "A woman in a red coat walks along the beach with a small brown dog while waves roll in and a gull cries above the pier."
	for _, c := range []struct {
		a, b  string
		value float64
		same  bool
	}{
		{"B", "b.", 1, true},
		{"B", "C", 0, false},
		{"Yes, two people.", "yes two people", 1, true},
		{"The capital is Rome.", "The capital is Oslo.", 2.0 / 3, true}, // of short answers, more is not asked
		{"Rome is shown.", "I see Oslo here.", 0, false},
		{long, strings.Replace(long, "red", "blue", 1), 23.0 / 25, true},
		{long, "Two men repair an old car in a garage; one of them hands the other a wrench, and a radio plays in the background all the time.", 4.0 / 51, false},
		{"两个人在海边散步。", "两个人在海边散步", 1, true},
		{"两个人在海边散步。", "一辆红色的汽车停在路边", 0, false},
		{"", "", 1, true},
		{"", "a", 0, false},
	} {
		if value, same := similarity(c.a, c.b); math.Abs(value-c.value) > 1e-9 || same != c.same {
			t.Errorf("%q and %q: %g %v, want %g %v", c.a, c.b, value, same, c.value, c.same)
		}
		if value, _ := similarity(c.b, c.a); math.Abs(value-c.value) > 1e-9 {
			t.Errorf("%q and %q: %g the other way round", c.a, c.b, value)
		}
	}
	loop := strings.Repeat("and so on ", 200_000)
	if words := wordsOf(loop); len(words) != mostWords {
		t.Errorf("%d words of a loop are compared", len(words))
	}
}

func TestAnswersThatSayThatMediaAreMissing(t *testing.T) {
	for text, want := range map[string]bool{
		"I don't see a video attached. Please upload it.":       true,
		"I’m sorry, but I can’t view videos.":                   true,
		"There is no audio in your message, so I cannot say.":   true,
		"It looks like the clip wasn't included.":               true,
		"Ich sehe kein Video.":                                  true,
		"Non vedo nessun video allegato.":                       true,
		"我没有看到任何视频，请上传。":                                        true,
		"The video shows a man who plays the piano. He smiles.": false,
		"A dog runs over a meadow.":                             false,
		"":                                                      false,
		"A man plays. He sings. He bows. He leaves. The video cannot be rewound.": false,
	} {
		if declines(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}

func TestBlindTwinsAreDrawnBySeedAndId(t *testing.T) {
	var samples []omniscope.Sample
	for i := range 1000 {
		samples = append(samples, omniscope.Sample{ID: omniscope.SampleID(fmt.Sprint(i))})
	}
	for _, c := range []struct {
		samples int
		share   float64
		most    int
		want    int
	}{{1000, 0.05, 0, 50}, {1000, 0.05, 20, 20}, {3, 0.05, 50, 1}, {3, 0, 50, 0}, {3, 1, 0, 3}, {0, 0.05, 50, 0}, {10, 2, 0, 10}} {
		if got := BlindTwins(samples[:c.samples], c.share, c.most, 1); len(got) != c.want || !slices.IsSorted(got) {
			t.Errorf("%+v: %v", c, got)
		}
	}
	first := BlindTwins(samples, 0.05, 0, 1)
	if slices.Equal(first, BlindTwins(samples, 0.05, 0, 2)) || !slices.Equal(first, BlindTwins(samples, 0.05, 0, 1)) {
		t.Error("the draw does not depend on the seed, or on something else")
	}
	slices.Reverse(samples)
	for i, at := range BlindTwins(samples, 0.05, 0, 1) {
		if at != 999-first[len(first)-1-i] {
			t.Fatal("the draw depends on the order of the samples")
		}
	}
}

func TestBlindTwinIsAskedWithoutMedia(t *testing.T) {
	tone := clip(t, "tone.wav", "-f", "lavfi", "-i", "sine=duration=1")
	p := &Profile{Name: "x", System: "Be brief.", Senses: []omniscope.Modality{omniscope.Audio}}
	sample := omniscope.Sample{ID: "a", Media: omniscope.Media{Video: tone}, Prompt: "What is heard?"}
	for _, c := range []struct {
		name  string
		reply model.Response
		err   error
		want  blind
		count BlindCounts
	}{
		{"the same", saying("a TONE"), nil, blind{Outcome: omniscope.OK, Text: "a TONE", Similarity: 1, Same: true}, BlindCounts{Asked: 1, Same: 1}},
		{"something else", saying("Rain falls."), nil, blind{Outcome: omniscope.OK, Text: "Rain falls."}, BlindCounts{Asked: 1}},
		{"nothing is there", saying("I don't hear any audio."), nil, blind{Outcome: omniscope.OK, Text: "I don't hear any audio.", Declined: true}, BlindCounts{Asked: 1, Declined: 1}},
		{"nothing", saying(""), nil, blind{Outcome: omniscope.Abstained, Why: "it is empty", Declined: true}, BlindCounts{Asked: 1, Declined: 1}},
		{"rejected", model.Response{}, &omniscope.Error{Kind: omniscope.Invalid, Err: errors.New("no media")}, blind{Outcome: omniscope.Failed, Why: "no media"}, BlindCounts{Failed: 1}},
		{"budget used up", model.Response{}, &omniscope.Error{Kind: omniscope.Budget, Err: errors.New("used up")}, blind{Outcome: omniscope.Failed, Why: "used up"}, BlindCounts{Failed: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := &replying{reply: saying("A tone.")}
			s := system(t, p, omniscope.Audio, m)
			s.Asker.Streak = &model.Streak{Limit: 1}
			got := ask(t, s, sample)
			m.reply, m.err = c.reply, c.err
			fixture.OK(t, s.AskBlind(t.Context(), &sample, got))
			if got.Blind.Why == "" && c.want.Why != "" || got.Blind.Outcome != omniscope.Abstained && !strings.Contains(got.Blind.Why, c.want.Why) {
				t.Errorf("why: %q", got.Blind.Why)
			}
			got.Blind.Why = c.want.Why
			if *got.Blind != c.want || got.Answer != "A tone." {
				t.Errorf("%+v, want %+v", got.Blind, c.want)
			}
			var count BlindCounts
			if count.Add(got.Blind); count != c.count || (count.Warning() != "") != (c.count.Same > 0) {
				t.Errorf("counted %+v, %q", count, count.Warning())
			}
			messages := m.asked[len(m.asked)-1].Messages
			if len(m.asked) != 2 || len(messages) != 2 || len(messages[1].Parts) != 1 || messages[1].Parts[0].Text != sample.Prompt {
				t.Errorf("asked %+v", messages)
			}
		})
	}
	s := system(t, p, omniscope.Audio, &replying{})
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.AskBlind(ended, &sample, &Prediction{}); !errors.Is(err, context.Canceled) {
		t.Errorf("an interrupted twin: %v", err)
	}
	if s.Profile = (&Profile{Prompt: NoPrompt}); s.CanBeBlind() {
		t.Error("without a prompt there would be nothing to send")
	}
}

func TestWarningOfBlindTwins(t *testing.T) {
	for counts, want := range map[BlindCounts]bool{{}: false, {Asked: 2, Same: 1}: false, {Asked: 3, Same: 2}: true, {Asked: 1, Same: 1}: true, {Failed: 5}: false} {
		if (counts.Warning() != "") != want {
			t.Errorf("%+v: %q", counts, counts.Warning())
		}
	}
}
