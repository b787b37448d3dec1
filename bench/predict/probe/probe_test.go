package probe

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/bench/predict"
	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
	"omniscope/media"
	"omniscope/media/cache"
	"omniscope/model"
	"omniscope/model/exchange"
	"omniscope/model/judge"
	"omniscope/model/openai"
	"omniscope/model/wrap"
)

// A bench asks servers about the same clips, which are made and extracted once.
type bench struct {
	folder string
	clips  *predict.Clips
	knows  []string // languages, see viewer
	trials []string // that are asked; nil = all
}

func newBench(t *testing.T) *bench {
	t.Helper()
	need.FFmpeg(t)
	kept, err := cache.Open(t.TempDir(), cache.Options{})
	fixture.OK(t, err)
	return &bench{folder: t.TempDir(), clips: predict.NewClips(kept)}
}

// probe does all trials at a server with defects, which answers by what it perceives
// or, if it says something, always that.
func (b *bench) probe(t *testing.T, h How, says string, defects ...fake.Defect) map[string]result {
	t.Helper()
	o := &fake.Media{Dialect: fake.OpenAI, Defects: defects, Answer: func(s *fake.Seen) string {
		v, err := perceive(t.Context(), s)
		if err != nil {
			t.Error(err)
			return ""
		}
		v.knows = b.knows
		if says != "" {
			return says
		}
		return v.answer(s.Text)
	}}
	profile := &predict.Profile{Name: "x", Senses: []omniscope.Modality{h.Modality}, Send: h.Send, Frames: predict.FramePolicy{FPS: 1, MaxFrames: 64, MaxPixels: 262144}}
	asker := &judge.Judge{Name: "test/m", Request: "m"}
	if h.Send == predict.AsVideo {
		o.Dialect = fake.VLLM
		asker.Params.Extra = map[string]json.RawMessage{"mm_processor_kwargs": json.RawMessage(`{"use_audio_in_video":true}`)}
	}
	server := o.Start(t)
	endpoint, err := openai.New(openai.Options{Options: exchange.Options{BaseURL: server.URL()}})
	fixture.OK(t, err)
	asker.Model = wrap.Stack(endpoint, wrap.Options{Name: "test/m"})
	system := &predict.System{Profile: profile, Clips: b.clips, Modality: h.Modality, Asker: asker}
	results := make(map[string]result)
	h.Voice = func(language string) (Voice, error) { return media.VoiceOf(t.Context(), language) }
	for _, trial := range Trials(h) {
		switch {
		case b.trials != nil && !slices.Contains(b.trials, trial.Name):
			continue
		case trial.Unsent != "":
			results[trial.Name] = trial.Skipped()
			continue
		}
		sample, err := trial.Sample(t.Context(), b.folder)
		fixture.OK(t, err)
		p, err := system.Predict(t.Context(), &sample)
		fixture.OK(t, err)
		results[trial.Name] = trial.Result(p)
	}
	return results
}

var forms = []How{{Modality: omniscope.AudioVisual, Send: predict.AsFrames}, {Modality: omniscope.AudioVisual, Send: predict.AsVideo}}

func TestLongFaultlessServerPerceivesEverything(t *testing.T) { perceivesAll(t, forms[0]) }

func TestLongFaultlessServerPerceivesEverythingInOtherForms(t *testing.T) {
	perceivesAll(t, forms[1], How{Modality: omniscope.Audio, Seed: 7}, How{Modality: omniscope.Visual, Seed: 7})
}

// perceivesAll checks that a server without defects passes all trials.
func perceivesAll(t *testing.T, ways ...How) {
	b := newBench(t)
	for _, h := range ways {
		t.Run(string(h.Send)+" "+string(h.Modality), func(t *testing.T) {
			r := &Report{}
			for name, result := range b.probe(t, h, "") {
				want := Perceived
				if name == "channels" && !h.film() {
					want = NotSent
				}
				if result.Perception != want || result.Few || want == Perceived && (result.TokensIn == 0 || result.Least == 0) {
					t.Errorf("%s: %s: %s; expected %q, answered %q, %d tokens of %d; want %s", name, result.Perception, result.Perceived, result.Expected, result.Answer, result.TokensIn, result.Least, want)
				}
				r.Results = append(r.Results, result)
			}
			if faults := r.Faults(); len(faults) > 0 {
				t.Errorf("%d faults", len(faults))
			}
		})
	}
}

func TestProbeFindsEachDefect(t *testing.T) { findDefects(t, predict.AsFrames, false) }

// TestLongDefectsShowInTheirTrialsAlone asks all trials.
func TestLongDefectsShowInTheirTrialsAlone(t *testing.T) {
	findDefects(t, predict.AsFrames, true)
	findDefects(t, predict.AsVideo, true)
}

// findDefects checks for each defect what the report says of the trials that show it,
// and, if all are asked, that the others are perceived.
func findDefects(t *testing.T, form predict.Form, all bool) {
	b := newBench(t)
	for _, c := range []struct {
		defect fake.Defect
		frames map[string]string // trial: perception and a description of it; nil = no such media are sent
		video  map[string]string
	}{
		{fake.DropsAudio,
			map[string]string{"beeps": "not perceived: no sound is heard", "alignment": "not perceived: no sound is heard", "speech": "not perceived: no speech is heard", "german": "not perceived: no speech is heard", "italian": "not perceived: no speech is heard", "chinese": "not perceived: no speech is heard"},
			map[string]string{"beeps": "not perceived: no sound is heard", "channels": "not perceived: no sound is heard", "alignment": "not perceived: no sound is heard", "speech": "not perceived: no speech is heard", "german": "not perceived: no speech is heard", "italian": "not perceived: no speech is heard", "chinese": "not perceived: no speech is heard"}},
		{fake.KeepsFirst30s,
			map[string]string{"beeps": "partly: and not from 36 s on: the rest is cut off", "speech": "partly: English is understood until 10 s and not from 30 s on: the rest is cut off"},
			map[string]string{"beeps": "partly: and not from 36 s on: the rest is cut off", "speech": "partly: English is understood until 10 s and not from 30 s on: the rest is cut off", "length": "partly: the picture is seen at 6 s, 30 s and not at 57 s"}},
		{fake.ShufflesFrames,
			map[string]string{"order": "partly: all 8 frames are seen, in another order", "alignment": "not perceived: other colours are named"},
			map[string]string{"order": "partly: all 8 frames are seen, in another order", "alignment": "not perceived: other colours are named"}},
		{fake.HalvesFrames,
			map[string]string{"order": "partly: every second frame is seen, 4 of 8"},
			map[string]string{"order": "partly: every second frame is seen, 4 of 8"}},
		{fake.IgnoresVideo,
			map[string]string{"length": "not perceived: no picture is seen", "order": "not perceived: no picture is seen", "detail": "not perceived: no picture is seen", "alignment": "not perceived: no sound is heard, or no picture is seen"},
			map[string]string{"length": "not perceived: no picture is seen", "order": "not perceived: no picture is seen", "detail": "not perceived: no picture is seen", "alignment": "not perceived: no sound is heard, or no picture is seen"}},
		{fake.MixesChannels, nil,
			map[string]string{"channels": "not perceived: left and right are not told apart: the channels are mixed"}},
		{fake.DownsizesTo224,
			map[string]string{"detail": "partly: digits of 56 pixels are read and of 28 pixels not, in pictures sent at 672 x 364: they are made smaller"},
			map[string]string{"detail": "partly: digits of 56 pixels are read and of 28 pixels not, in pictures sent at 672 x 364: they are made smaller"}},
	} {
		for i, want := range []map[string]string{c.frames, c.video} {
			h := forms[i]
			if want == nil || h.Send != form {
				continue
			}
			t.Run(string(c.defect)+" "+string(h.Send), func(t *testing.T) {
				if b.trials = nil; !all {
					b.trials = slices.Collect(maps.Keys(want))
				}
				for name, got := range b.probe(t, h, "", c.defect) {
					said := string(got.Perception) + ": " + got.Perceived
					verdict, words, shows := strings.Cut(want[name], ": ")
					switch {
					case shows && (string(got.Perception) != verdict || !strings.Contains(got.Perceived, words)):
						t.Errorf("%s: %q, expected %q, answered %q; want %q", name, said, got.Expected, got.Answer, want[name])
					case !shows && got.Perception != Perceived && got.Perception != NotSent:
						t.Errorf("%s: %q, expected %q, answered %q, and the defect does not touch it", name, said, got.Expected, got.Answer)
					}
				}
			})
		}
	}
}

func TestTokensTooFewAreEvidence(t *testing.T) {
	b := newBench(t)
	b.trials = []string{"length"}
	got := b.probe(t, forms[0], "", fake.IgnoresVideo)["length"]
	if !got.Few || got.TokensIn >= got.Least || !strings.Contains(got.Tokens(), "too few") {
		t.Errorf("%d tokens, %d needed: %s", got.TokensIn, got.Least, got.Tokens())
	}
	if r := (&Report{Results: []result{{Perception: Perceived, Few: true}}}); len(r.Faults()) != 1 {
		t.Error("a right answer with too few tokens is no fault")
	}
}

func TestInventedSpeechAndGuessesAreFound(t *testing.T) {
	b := newBench(t)
	b.trials = []string{"silence", "no sound track", "order", "beeps", "italian"}
	for name, got := range b.probe(t, forms[0], "Thank you for watching, and see you next time.") {
		switch {
		case name == "silence" || name == "no sound track":
			if got.Perception != NotPerceived || got.Perceived != "speech is invented where there is none" {
				t.Errorf("%s: %s, %s", name, got.Perception, got.Perceived)
			}
		case got.Perception != NotPerceived && got.Perception != NotSent:
			t.Errorf("%s: %s, %s", name, got.Perception, got.Perceived)
		}
	}
}

func TestAnswersOfOtherOutcomes(t *testing.T) {
	trial := Trials(forms[0])[0]
	for outcome, want := range map[omniscope.Outcome]Perception{omniscope.Refused: NoAnswer, omniscope.Failed: NoAnswer, omniscope.Abstained: NoAnswer, omniscope.Missing: NotSent} {
		got := trial.Result(&predict.Prediction{Outcome: outcome, Why: "so it is", Usage: &model.Usage{TokensIn: 9, Estimated: true}})
		if got.Perception != want || got.Perceived != "so it is" || got.TokensIn != 0 {
			t.Errorf("%s: %+v", outcome, got)
		}
	}
}

// TestLanguagesOfAModelThatKnowsTwo reports each language that is spoken.
func TestLanguagesOfAModelThatKnowsTwo(t *testing.T) {
	b := newBench(t)
	b.knows = []string{"English", "Italian"}
	b.trials = []string{"speech", "german", "italian", "chinese"}
	r := &Report{}
	results := b.probe(t, How{Modality: omniscope.Audio, Seed: 3}, "")
	for _, l := range languages {
		if _, err := media.VoiceOf(t.Context(), l.code); err != nil {
			t.Skip(err)
		}
		r.Results = append(r.Results, results[l.trial])
	}
	r.Summarise()
	if got, want := r.LanguageLine(), "understood: English, Italian; not understood: German, Chinese"; got != want {
		t.Errorf("%s; want %s; %+v", got, want, r.Results)
	}
}

// TestSpokenTrialsWithoutAVoice are not asked, and say what to install.
func TestSpokenTrialsWithoutAVoice(t *testing.T) {
	for _, trial := range Trials(How{Modality: omniscope.Audio, Voice: func(string) (Voice, error) { return nil, errors.New("install one") }}) {
		if spoken := slices.ContainsFunc(languages, func(l language) bool { return l.trial == trial.Name }); spoken != (trial.Unsent == "install one") {
			t.Errorf("%s: %q", trial.Name, trial.Unsent)
		}
	}
}

func TestNamesOfTrials(t *testing.T) {
	var want []string
	for _, trial := range Trials(How{Modality: omniscope.AudioVisual}) {
		want = append(want, trial.Name)
	}
	if got := Names(); !slices.Equal(got, want) {
		t.Errorf("the names are %q, want %q", got, want)
	}
}

func TestRowsShowFewNumbers(t *testing.T) {
	r := &Report{Results: []result{{Trial: "order", Perception: Partly, Perceived: "numbers that were not shown: 1, 2, 3, 4, 5, 6, 7", Expected: "11, 12", Answer: "I saw 1 2 3 4 5 6 7 8 9, then nothing"}}}
	row := r.Rows()[0]
	if want := "numbers that were not shown: 1, 2, 3, 4, 5, …"; row[2] != want {
		t.Errorf("perceived %q, want %q", row[2], want)
	}
	if want := "I saw 1 2 3 4 5 …, then nothing (11, 12)"; row[3] != want {
		t.Errorf("answered %q, want %q", row[3], want)
	}
}
