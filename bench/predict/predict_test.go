package predict

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"image/jpeg"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/sha256hex"
	"omniscope/internal/testing/fixture"
	"omniscope/model"
)

func TestModelIsGivenFramesSoundAndPrompt(t *testing.T) {
	film := clip(t, "film.mp4", filmArgs...)
	p := &Profile{Name: "x", Senses: []omniscope.Modality{omniscope.AudioVisual}, System: "Be brief.", Frames: FramePolicy{FPS: 1, MaxFrames: 4, MaxPixels: 160 * 90}}
	m := &replying{reply: saying("A test card.")}
	got := ask(t, system(t, p, omniscope.AudioVisual, m), omniscope.Sample{Media: omniscope.Media{Video: film}, Prompt: "What is it?"})
	if got.Outcome != omniscope.OK || got.Answer != "A test card." || got.Words != 3 {
		t.Fatalf("%+v", got)
	}
	messages := m.asked[0].Messages
	if len(messages) != 2 || messages[0].Role != model.System || messages[0].Parts[0].Text != "Be brief." {
		t.Fatalf("%+v", messages)
	}
	var kinds []string
	for _, part := range messages[1].Parts {
		kinds = append(kinds, string(part.Kind))
	}
	if want := "text image image image image audio text"; strings.Join(kinds, " ") != want {
		t.Fatalf("parts %v, want %s", kinds, want)
	}
	for _, part := range messages[1].Parts[1:5] {
		picture, err := jpeg.DecodeConfig(bytes.NewReader(part.Data))
		if err != nil || picture.Width != got.Sent.Frames.Width || picture.Height != got.Sent.Frames.Height || picture.Width*picture.Height > 160*90 {
			t.Errorf("a frame of %d x %d, %v; said to be %d x %d", picture.Width, picture.Height, err, got.Sent.Frames.Width, got.Sent.Frames.Height)
		}
	}
	sound := messages[1].Parts[5].Data
	if rate, seconds := binary.LittleEndian.Uint32(sound[24:]), float64(len(sound)-44)/2/16000; rate != 16000 || math.Abs(seconds-got.Sent.Sound.Seconds) > 0.1 || math.Abs(seconds-6) > 0.1 {
		t.Errorf("%g s of sound at %d Hz; said to be %g s", seconds, rate, got.Sent.Sound.Seconds)
	}
	pictures := bytes.Join([][]byte{messages[1].Parts[1].Data, messages[1].Parts[2].Data, messages[1].Parts[3].Data, messages[1].Parts[4].Data}, nil)
	if f, s := got.Sent.Frames, got.Sent.Sound; f.Bytes != int64(len(pictures)) || f.SHA256 != sha256hex.Of(pictures) ||
		s.Bytes != int64(len(sound)) || s.SHA256 != sha256hex.Of(sound) || got.Sent.Bytes != f.Bytes+s.Bytes {
		t.Errorf("%d bytes of pictures and %d of sound; said to be %d, %d, together %d", len(pictures), len(sound), f.Bytes, s.Bytes, got.Sent.Bytes)
	}
	if last := messages[1].Parts[6].Text; last != "What is it?" || got.Sent.Prompt != last {
		t.Errorf("prompt %q, said to be %q", last, got.Sent.Prompt)
	}
	if times := got.Sent.Frames.Times; len(times) != 4 || times[0] != 0 || math.Abs(times[3]-5.96) > 0.001 {
		t.Errorf("frames at %v, want the first and the last of 6 s among four", times)
	}
}

// TestTimesBeforeEachFrame: the media themselves, and the keys of profiles that do not
// say how times are told, stay as they are.
func TestTimesBeforeEachFrame(t *testing.T) {
	film := clip(t, "film.mp4", filmArgs...)
	digests := make(map[string][]string)
	for times, want := range map[string]string{
		"":     "3 frames of the video, taken at these seconds: 0.00, 2.96, 5.96|image|image|image|What?",
		"once": "3 frames of the video, taken at these seconds: 0.00, 2.96, 5.96|image|image|image|What?",
		"each": "<0.00 seconds>|image|<2.96 seconds>|image|<5.96 seconds>|image|What?",
	} {
		m := &replying{reply: saying("A test card.")}
		p := &Profile{Name: "x", Frames: FramePolicy{Frames: 3, Times: times}}
		ask(t, system(t, p, omniscope.Visual, m), omniscope.Sample{Media: omniscope.Media{Video: film}, Prompt: "What?"})
		var got []string
		for _, part := range m.asked[0].Messages[0].Parts {
			if part.Kind == model.ImagePart {
				got = append(got, "image")
				digests[times] = append(digests[times], part.Digest)
				continue
			}
			got = append(got, part.Text)
		}
		if strings.Join(got, "|") != want {
			t.Errorf("times %q: %s, want %s", times, strings.Join(got, "|"), want)
		}
	}
	if !slices.Equal(digests[""], digests["each"]) {
		t.Errorf("other pictures: %v", digests)
	}
	text, err := json.Marshal(FramePolicy{Frames: 3})
	if err != nil || string(text) != `{"frames":3}` {
		t.Errorf("a profile without times is named by %s, %v", text, err)
	}
	own := filepath.Join(t.TempDir(), "own.yaml")
	fixture.OK(t, os.WriteFile(own, []byte("name: x\nsenses: [visual]\nframes: {policy: qwen3-omni, times: each}\n"), 0o666))
	if _, err := LoadProfile(t.Context(), own); err != nil {
		t.Error(err)
	}
}

func TestModalities(t *testing.T) {
	film := clip(t, "film.mp4", filmArgs...)
	mute := clip(t, "mute.mp4", "-f", "lavfi", "-i", "testsrc=size=64x64:rate=10:duration=1", "-c:v", "libx264")
	tone := clip(t, "tone.wav", "-f", "lavfi", "-i", "sine=duration=1")
	text := filepath.Join(t.TempDir(), "talk.en")
	fixture.OK(t, os.WriteFile(text, []byte("Good morning.\n"), 0o666))
	p := &Profile{Name: "x", Senses: []omniscope.Modality{omniscope.AudioVisual, omniscope.Audio, omniscope.Visual, Text}, Frames: FramePolicy{Frames: 2}}
	for _, c := range []struct {
		name     string
		modality omniscope.Modality
		media    omniscope.Media
		want     string // kinds of the parts, or why there is no answer
	}{
		{"all of a film", omniscope.AudioVisual, omniscope.Media{Video: film}, "text image image audio text"},
		{"picture of a film", omniscope.Visual, omniscope.Media{Video: film}, "text image image text"},
		{"sound of a film", omniscope.Audio, omniscope.Media{Video: film}, "audio text"},
		{"sound in a file of its own", omniscope.Audio, omniscope.Media{Video: mute, Audio: tone}, "audio text"},
		{"what there is of a mute film", omniscope.AudioVisual, omniscope.Media{Video: mute}, "text image image text"},
		{"what there is of a sound", omniscope.AudioVisual, omniscope.Media{Video: tone}, "audio text"},
		{"sound of a mute film", omniscope.Audio, omniscope.Media{Video: mute}, "no audio stream"},
		{"picture of a sound", omniscope.Visual, omniscope.Media{Video: tone}, "no video"},
		{"text in place of media", Text, omniscope.Media{Video: film, Text: text}, "text"},
		{"a text that is not there", Text, omniscope.Media{Video: film}, "sample a has no text"},
		{"a film that is not there", omniscope.Visual, omniscope.Media{Video: film + "x"}, "no such file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := &replying{reply: saying("yes")}
			got := ask(t, system(t, p, c.modality, m), omniscope.Sample{Media: c.media, Prompt: "Translate."})
			if got.Outcome == omniscope.Missing {
				if !strings.Contains(got.Why, c.want) || len(m.asked) > 0 {
					t.Errorf("%q, %d calls; want none, and %q", got.Why, len(m.asked), c.want)
				}
				return
			}
			var kinds []string
			parts := m.asked[0].Messages[0].Parts
			for _, part := range parts {
				kinds = append(kinds, string(part.Kind))
			}
			if strings.Join(kinds, " ") != c.want {
				t.Errorf("parts %v, want %s", kinds, c.want)
			}
			if c.modality == Text && parts[0].Text != "Good morning.\nTranslate." {
				t.Errorf("asked %q", parts[0].Text)
			}
		})
	}
}

func TestOutcomes(t *testing.T) {
	tone := clip(t, "tone.wav", "-f", "lavfi", "-i", "sine=duration=1")
	thinks := &Profile{Name: "x", Senses: []omniscope.Modality{omniscope.Audio}, Strip: []Marks{{"<think>", "</think>"}}}
	for _, c := range []struct {
		name   string
		reply  model.Response
		err    error
		want   omniscope.Outcome
		answer string
	}{
		{"an answer", saying(" A tone.\n"), nil, omniscope.OK, "A tone."},
		{"reasoning before it", saying("<think>Is it a tone?</think>\nA tone."), nil, omniscope.OK, "A tone."},
		{"reasoning that the prompt began", saying("Is it a tone?</think>A tone."), nil, omniscope.OK, "A tone."},
		{"reasoning alone", saying("<think>Is it a tone?"), nil, omniscope.Unparsed, ""},
		{"reasoning of another form alone", saying("<thinking>Is it a tone?</thinking>"), nil, omniscope.Unparsed, ""},
		{"nothing", saying(" \n"), nil, omniscope.Abstained, ""},
		{"nothing visible", saying("\u200b\ufeff"), nil, omniscope.Abstained, ""},
		{"a refusal in words", saying("I'm sorry, but I can't help with that."), nil, omniscope.Refused, ""},
		{"a refusal", model.Response{Refusal: "No.", Finish: model.Stop}, nil, omniscope.Refused, ""},
		{"a filter", model.Response{Text: "A to", Finish: model.ContentFilter}, nil, omniscope.Refused, ""},
		{"a filter before the answer", model.Response{}, &omniscope.Error{Kind: omniscope.Declined, Err: errors.New("blocked")}, omniscope.Refused, ""},
		{"an answer cut off", model.Response{Text: "A tone that", Finish: model.Length}, nil, omniscope.Truncated, ""},
		{"a server that fails", model.Response{}, &omniscope.Error{Kind: omniscope.Transient, Err: errors.New("500")}, omniscope.Failed, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ask(t, system(t, thinks, omniscope.Audio, &replying{reply: c.reply, err: c.err}), omniscope.Sample{Media: omniscope.Media{Video: tone}})
			if got.Outcome != c.want || got.Answer != c.answer {
				t.Errorf("%s %q, want %s %q", got.Outcome, got.Answer, c.want, c.answer)
			}
			if (got.Why == "") != (c.want == omniscope.OK) {
				t.Errorf("why: %q", got.Why)
			}
		})
	}
	kept := system(t, thinks, omniscope.Audio, &replying{reply: model.Response{Text: "A tone that", Finish: model.Length}})
	kept.KeepCut = true
	plain := system(t, &Profile{Name: "x", Senses: []omniscope.Modality{omniscope.Audio}}, omniscope.Audio, &replying{reply: saying("<think>Is it a tone?</think>")})
	if got := ask(t, plain, omniscope.Sample{Media: omniscope.Media{Video: tone}}); got.Outcome != omniscope.Unparsed {
		t.Errorf("reasoning alone, of a profile that names no marks: %+v", got)
	}
	if got := ask(t, kept, omniscope.Sample{Media: omniscope.Media{Video: tone}}); got.Outcome != omniscope.OK || got.Answer != "A tone that" || !got.Cut {
		t.Errorf("kept: %+v", got)
	}
}

// TestThinkingWithoutAProfile: marks of thoughts and of chat templates are no part of an answer, though the profile does not name them.
func TestThinkingWithoutAProfile(t *testing.T) {
	const caption = "A person walks along a quiet street."
	s := &System{Profile: &Profile{Name: "x"}}
	for reply, want := range map[string]string{
		caption: caption,
		"<think>\nOkay, the user wants a description.\n</think>\n\n" + caption:                            caption,
		"Okay, I see a street.\n</think>\n\n" + caption:                                                   caption,
		"<thinking>\nOkay.\n</thinking>\n" + caption:                                                      caption,
		"<|begin_of_box|>" + caption + "<|end_of_box|>":                                                   caption,
		"<|channel|>analysis<|message|>We.<|end|><|start|>assistant<|channel|>final<|message|>" + caption: caption,
		caption + "<|im_end|>":                                 caption,
		caption + "<|im_end|>\n<|im_start|>user\nAnd now?":     caption,
		"<s>" + caption + "</s>":                               caption,
		"[THINK]Hm.[/THINK]" + caption:                         caption,
		"◁think▷Hm.◁/think▷" + caption:                         caption,
		"A sign says <b>OPEN</b> [10 am].":                     "A sign says <b>OPEN</b> [10 am].",
		"<think>\nOkay, the user wants a description. I see a": "",
		"So <think>I see a street":                             "",
		"<|channel|>analysis<|message|>We need to describe":    "",
		"<think>Hm.</think>":                                   "",
		"<|im_end|>":                                           "",
		"<think>Hm.</think><answer>" + caption + "</answer>":   caption,
		"A sign says “<think>” in white.":                      "A sign says “<think>” in white.",
	} {
		got, err := s.reader(&omniscope.Sample{})(reply)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v, want %q", reply, got, err, want)
		}
	}
	for reply, want := range map[string]string{
		"It is a train. <|begin_of_box|>B<|end_of_box|>":            "It is a train. <|begin_of_box|>B<|end_of_box|>",
		"<think>A?</think>It is B: <|begin_of_box|>B<|end_of_box|>": "It is B: <|begin_of_box|>B<|end_of_box|>",
		"<|begin_of_box|>B<|end_of_box|>":                           "B",
		"<think>A?</think><answer>B</answer>":                       "<answer>B</answer>", // as scorers look for it
	} {
		if got, err := s.reader(&omniscope.Sample{Prompt: "Which?"})(reply); got != want || err != nil {
			t.Errorf("%q: %q, %v, want %q", reply, got, err, want)
		}
	}
}

func TestKeepCutKeepsWhatALimitCutOffAlone(t *testing.T) {
	tone := clip(t, "tone.wav", "-f", "lavfi", "-i", "sine=duration=1")
	for finish, want := range map[model.Finish]omniscope.Outcome{
		model.Length: omniscope.OK, "repetition": omniscope.OK, model.ContentFilter: omniscope.Refused, model.GaveUp: omniscope.Failed, "weird": omniscope.OK,
	} {
		s := system(t, &Profile{Name: "x"}, omniscope.Audio, &replying{reply: model.Response{Text: "A tone that", Finish: finish}})
		s.KeepCut = true
		got := ask(t, s, omniscope.Sample{Media: omniscope.Media{Video: tone}})
		if got.Outcome != want || (got.Answer != "") != (want == omniscope.OK) || (got.Why == "") != (want == omniscope.OK) {
			t.Errorf("%s: %s %q, %q, want %s", finish, got.Outcome, got.Answer, got.Why, want)
		}
		if (finish == "weird") != (len(got.Warnings) == 1) {
			t.Errorf("%s: warnings %q", finish, got.Warnings)
		}
	}
}

func TestLoopIsASymptom(t *testing.T) {
	tone := clip(t, "tone.wav", "-f", "lavfi", "-i", "sine=duration=1")
	m := &replying{reply: saying("A tone. " + strings.Repeat("And again and ", 60))}
	got := ask(t, system(t, &Profile{Name: "x"}, omniscope.Audio, m), omniscope.Sample{Media: omniscope.Media{Video: tone}})
	if got.Outcome != omniscope.OK || len(got.Symptoms) != 1 || got.Symptoms[0].Kind != "repetition" {
		t.Errorf("%s, symptoms %v", got.Outcome, got.Symptoms)
	}
}

func TestDatasetMayNotLeadOutOfItsFolder(t *testing.T) {
	dir := t.TempDir()
	secret := filepath.Join(dir, "secret.txt")
	fixture.OK(t, os.WriteFile(secret, []byte("key"), 0o600))
	for _, name := range []string{"../secret.txt", secret, "a/../../secret.txt"} {
		m := &replying{reply: saying("key")}
		s := system(t, &Profile{Name: "x"}, Text, m)
		s.Folder = filepath.Join(dir, "media")
		if got := ask(t, s, omniscope.Sample{Media: omniscope.Media{Text: name}}); got.Outcome != omniscope.Missing || !strings.Contains(got.Why, "leads out of the folder") || len(m.asked) > 0 {
			t.Errorf("%s: %s %q, %d calls", name, got.Outcome, got.Why, len(m.asked))
		}
	}
}

func TestPromptIsDrawnBySeedAndSample(t *testing.T) {
	p := &Profile{Prompts: []string{"one", "two", "three"}}
	drawn := make(map[string]int)
	for _, id := range []omniscope.SampleID{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"} {
		s := &omniscope.Sample{ID: id}
		first := p.promptFor(s, 1)
		if p.promptFor(s, 1) != first {
			t.Errorf("%s is asked differently by the same seed", id)
		}
		drawn[first]++
		if first != p.promptFor(s, 2) {
			drawn["differs"]++
		}
	}
	if len(drawn) != 4 {
		t.Errorf("drawn: %v; want each prompt, and others by another seed", drawn)
	}
	if got := p.promptFor(&omniscope.Sample{Prompt: "its own"}, 1); got != "its own" {
		t.Errorf("the dataset's prompt became %q", got)
	}
	if got := (&Profile{Prompt: NoPrompt}).promptFor(&omniscope.Sample{Prompt: "its own"}, 1); got != "" {
		t.Errorf("a model that is given no text is asked %q", got)
	}
}

func TestModelsWithoutPromptAreSentNoText(t *testing.T) {
	tone := clip(t, "tone.wav", "-f", "lavfi", "-i", "sine=duration=1")
	p, err := LoadProfile(t.Context(), "qwen3-omni-captioner")
	fixture.OK(t, err)
	m := &replying{reply: saying("A tone.")}
	ask(t, system(t, p, omniscope.Audio, m), omniscope.Sample{Media: omniscope.Media{Video: tone}})
	if messages := m.asked[0].Messages; len(messages) != 1 || len(messages[0].Parts) != 1 || messages[0].Parts[0].Kind != model.AudioPart {
		t.Errorf("%+v", messages)
	}
}

func TestBuiltInProfiles(t *testing.T) {
	all, err := Profiles()
	if err != nil || len(all) < 12 {
		t.Fatal(len(all), err)
	}
	var names []string
	for _, p := range all {
		if p.About == "" || p.Source == "" || slices.Contains(names, p.Name) {
			t.Errorf("%s: says nothing about itself or its source, or is there twice", p.Name)
		}
		names = append(names, p.Name)
	}
	for model, want := range map[string]string{
		"vllm/Qwen/Qwen3-Omni-30B-A3B-Captioner":   "qwen3-omni-captioner",
		"vllm/Qwen/Qwen3-Omni-30B-A3B-Instruct":    "qwen3-omni",
		"vllm/Qwen/Qwen2.5-Omni-7B":                "qwen2.5-omni",
		"openrouter/qwen/qwen3-vl-235b-a22b":       "qwen3-vl",
		"gemini/gemini-2.5-flash":                  "gemini-2.5",
		"vllm/OpenGVLab/InternVL3_5-8B":            "internvl3.5",
		"vllm/tsinghua-ee/video-SALMONN-2":         "video-salmonn-2",
		"vllm/tsinghua-ee/video-SALMONN-2_plus_7B": "video-salmonn-2+",
		"openai/gpt-4o":                            "gpt-4o",
	} {
		got, err := ProfileOf(model, "")
		if err != nil || got == nil && want != "" || got != nil && got.Name != want {
			t.Errorf("%s: %v, %v; want %q", model, got, err, want)
		}
	}
}

// TestProfilesOfModelsAndBenchmarks: a model that hears is asked as one, and a benchmark may have a profile of its own for a model.
func TestProfilesOfModelsAndBenchmarks(t *testing.T) {
	for _, c := range []struct {
		model, benchmark, want string
		senses                 string // the first and default one
	}{
		{"vllm/Qwen/Qwen3.5-Omni-Plus", "omni-cloze", "qwen-omni", "audio-visual"},
		{"Qwen/Qwen3.5-Omni-35B-A3B-Instruct", "", "qwen-omni", "audio-visual"},
		{"qwen3_5-omni-flash", "", "qwen-omni", "audio-visual"},
		{"Qwen3.6-Omni", "mcif", "qwen-omni", "audio-visual"},
		{"dashscope/qwen3.7-omni-plus-2026-09-01", "mmau", "qwen-omni", "audio-visual"},
		{"Qwen4-Omni-30B", "", "qwen-omni", "audio-visual"},
		{"qwen-omni-turbo", "", "qwen-omni", "audio-visual"},
		{"Qwen/Qwen3-Omni-30B-A3B-Instruct", "", "qwen3-omni", "audio-visual"},
		{"qwen3-omni-flash", "", "qwen3-omni", "audio-visual"},
		{"Qwen/Qwen2.5-Omni-7B", "", "qwen2.5-omni", "audio-visual"},
		{"Qwen/Qwen3.5-122B-A10B", "", "qwen3-vl", "visual"},
		{"Qwen/Qwen3.6-27B", "", "qwen3-vl", "visual"},
		{"Qwen/Qwen3-VL-8B-Instruct", "", "qwen3-vl", "visual"},
		{"InternVL3.5-Omni-8B", "", "", ""}, // no profile of this family hears: as any other model
		{"mimo-vl-omni", "", "", ""},
		{"Qwen/Qwen3-Omni-30B-A3B-Captioner", "", "qwen3-omni-captioner", "audio"},
		{"Qwen/Qwen3-Omni-30B-A3B-Captioner", "omni-cloze", "qwen3-omni-captioner", "audio"},
		{"vllm/Qwen/Qwen3-Omni-30B-A3B-Captioner", "capricorn", "qwen3-omni-captioner-capricorn", "audio-visual"},
		{"Qwen/Qwen3-Omni-30B-A3B-Instruct", "capricorn", "qwen3-omni", "audio-visual"},
		{"qwen3-omni-captioner", "capricorn", "qwen3-omni-captioner-capricorn", "audio-visual"}, // a profile for the benchmark comes first
		{"qwen3-omni-captioner", "vdc", "qwen3-omni-captioner", "audio"},                        // by the profile's name
		{"gpt-4o", "capricorn", "gpt-4o", "visual"},
	} {
		p, err := ProfileOf(c.model, c.benchmark)
		switch {
		case err != nil:
			t.Error(err)
		case p == nil && c.want != "", p != nil && (p.Name != c.want || string(p.Senses[0]) != c.senses):
			t.Errorf("%s on %q: %+v, want %s by %s", c.model, c.benchmark, p, c.want, c.senses)
		}
	}
}

func TestBadProfiles(t *testing.T) {
	for text, want := range map[string]string{
		"name: x\nsenses: [audio]\nframez: {fps: 2}\n":                                     `line 3: there is no field "framez"; did you mean frames?`,
		"name: x\nsenses: [audio]\nframes: {max_frame: 2}\n":                               `line 3: there is no field "max_frame"; did you mean max_frames?`,
		"name: x\nsenses: [sound]\n":                                                       `senses: "sound"`,
		"name: x\n":                                                                        "senses is missing",
		"senses: [audio]\n":                                                                "it has no name",
		"name: x\nsenses: [audio]\nsend: vidio\n":                                          `send: "vidio"; did you mean video?`,
		"name: x\nsenses: [audio]\nprompt: non\n":                                          `prompt: "non"; did you mean none?`,
		"name: x\nsenses: [audio]\nsound: {longer: chop}\n":                                `sound.longer: "chop"`,
		"name: x\nsenses: [audio]\nsound: {format: mp4}\n":                                 `sound.format: "mp4"; there are: wav, mp3`,
		"name: x\nsenses: [audio]\nsound: {longer: parts}\n":                               "parts needs sound.max_seconds",
		"name: x\nsenses: [audio]\nprompt: none\nsound: {longer: parts, max_seconds: 9}\n": "prompt: none allows no words",
		"name: x\nsenses: [audio]\nframes: {times: eech}\n":                                `frames.times: "eech"; did you mean each?`,
		"name: x\nsenses: [audio]\nframes: {fps: -1}\n":                                    "frames.fps must not be negative",
		"name: x\nsenses: [audio]\nconcurrency: -1\n":                                      "concurrency must not be negative",
		"name: x\nsenses: [audio]\nframes: {width: 4}\n":                                   "frames.width and frames.height go together",
		"name: x\nsenses: [audio]\nframes: {policy: qwen3-omny}\n":                         "qwen3-omni",
		"name: x\nsenses: [audio]\nframes: {policy: qwen3-omni, fps: 4}\n":                 "says everything",
		"name: x\nsenses: [audio]\nframes: {fps: two}\n":                                   "line 3: ",
		"name: x\nsenses: [audio]\nstrip: [{begin: <think>}]\n":                            "each entry has a begin and an end",
		"name: x\nsenses: [audio]\ndecoding: {temperature: hot}\n":                         "line 3: ",
		"name: &a x\nsenses: [audio]\n":                                                    "anchors",
		"name: x\nsenses: [audio]\ndecoding: {extra: {a: [[[[[[[[[[[1]]]]]]]]":             "",
	} {
		path := filepath.Join(t.TempDir(), "own.yaml")
		fixture.OK(t, os.WriteFile(path, []byte(text), 0o666))
		_, err := LoadProfile(t.Context(), path)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "own.yaml") {
			t.Errorf("%q: %v; want %q and the file", text, err, want)
		}
	}
	if _, err := LoadProfile(t.Context(), "qwen3-omny"); omniscope.KindOf(err) != omniscope.Usage || !strings.Contains(err.Error(), "did you mean qwen3-omni?") {
		t.Error(err)
	}
}

func TestTokensTooFewForWhatWasSent(t *testing.T) {
	film := clip(t, "film.mp4", filmArgs...)
	p, err := LoadProfile(t.Context(), "qwen3-omni")
	fixture.OK(t, err)
	// 12 frames of 512 x 288 are sent as 12 pictures of 16 x 9 tokens and 2 marks; 6 s of sound are 78 tokens and 2 marks.
	const pictures, sound, text = 12 * (16*9 + 2), 78 + 2, 160
	for tokens, few := range map[int]bool{pictures + sound + text: false, sound + text: true, pictures/2 + sound + text: true, pictures/2 + text: true, 0: false} {
		m := &replying{reply: model.Response{Text: "A test card.", Finish: model.Stop, Usage: model.Usage{TokensIn: tokens, TokensOut: 3}}}
		s := system(t, p, omniscope.AudioVisual, m)
		got := ask(t, s, omniscope.Sample{Media: omniscope.Media{Video: film}})
		if got.Few != few || few != slices.ContainsFunc(got.Warnings, func(w string) bool { return strings.Contains(w, "did not perceive all") }) {
			t.Errorf("%d tokens: %v, %v; want %v", tokens, got.Few, got.Warnings, few)
		}
		if need := p.tokensOf(&got.Sent); need.pictures != pictures || need.sound < sound-2 || need.sound > sound+2 {
			t.Errorf("%+v tokens for %+v, want %d and %d", need, got.Sent.Frames, pictures, sound)
		}
	}
}

// TestTokensOfRealServers compares counts of a vLLM 0.32 server with a Qwen2.5-Omni processor, which made each picture 54 tokens, with
// what it was sent: unchanged, and through proxies that drop every second picture or all sound. exact are counts by the model's own rules.
func TestTokensOfRealServers(t *testing.T) {
	p, err := LoadProfile(t.Context(), "qwen2.5-omni")
	fixture.OK(t, err)
	qwen3, err := LoadProfile(t.Context(), "qwen3-omni")
	fixture.OK(t, err)
	prompt := strings.TrimSpace(captionPrompt)
	four := Sent{Modality: omniscope.AudioVisual, Prompt: prompt, Frames: &SentFrames{Count: 4, Width: 280, Height: 196}, Sound: &SentSound{Seconds: 7.754}}
	twenty := Sent{Modality: omniscope.Visual, Prompt: prompt, Frames: &SentFrames{Count: 20, Width: 308, Height: 224}}
	film := Sent{Modality: omniscope.AudioVisual, Prompt: prompt, Frames: &SentFrames{Count: 20, Width: 392, Height: 280}, Sound: &SentSound{Seconds: 10}}
	large := Sent{Modality: omniscope.AudioVisual, Prompt: prompt, Frames: &SentFrames{Count: 20, Width: 448, Height: 320}, Sound: &SentSound{Seconds: 10}}
	plain := &Profile{Name: "x"} // no rules of counting
	spoken := Sent{Modality: omniscope.Audio, Prompt: prompt, Sound: &SentSound{Seconds: 7.754}}
	file := Sent{Modality: omniscope.AudioVisual, Prompt: prompt, Video: &SentVideo{Sound: true}}
	const lineOfFour, lineOfTwenty = 70, 166 // bytes of the line with the times
	const exact, exactLine, pictures = 92, 132, 20 * (140 + 2)
	for _, c := range []struct {
		name    string
		profile *Profile
		sent    *Sent
		line    int
		prompt  int // tokens of the prompt alone
		tokens  int
		says    string // "" = nothing is missing
	}{
		{"vLLM, 4 frames and sound", p, &four, lineOfFour, 90, 539, ""},
		{"vLLM, 2 of 4 frames and sound", p, &four, lineOfFour, 90, 427, "did not perceive all"},
		{"vLLM, 4 frames without the sound", p, &four, lineOfFour, 90, 343, "did not perceive all"},
		{"vLLM, 20 frames", p, &twenty, lineOfTwenty, 116, 1306, ""},
		{"vLLM, 10 of 20 frames", p, &twenty, lineOfTwenty, 116, 746, "did not perceive all"},
		{"vLLM, 20 frames, the prompt was not asked alone", p, &twenty, lineOfTwenty, 0, 1306, ""},
		{"vLLM, 10 of 20 frames, the prompt was not asked alone", p, &twenty, lineOfTwenty, 0, 746, "did not perceive all"},
		{"exact, all", p, &film, lineOfTwenty, exact, exact + exactLine + pictures + 252, ""},
		{"exact, without the sound", p, &film, lineOfTwenty, exact, exact + exactLine + pictures, "the pictures alone need"},
		{"exact, without the pictures", p, &film, lineOfTwenty, exact, exact + exactLine + 252, "the sound alone needs"},
		{"exact, half of the frames", p, &film, lineOfTwenty, exact, exact + exactLine + pictures/2 + 252, "did not perceive all"},
		{"exact, half of the frames without the sound", p, &film, lineOfTwenty, exact, exact + exactLine + pictures/2, "did not perceive all"},
		{"exact, nothing", p, &film, lineOfTwenty, exact, exact + exactLine, "did not perceive"},
		{"no rules, all", plain, &four, lineOfFour, 90, 539, ""},
		{"no rules, without the sound", plain, &four, lineOfFour, 90, 343, ""},
		{"no rules, nothing", plain, &four, lineOfFour, 90, 90 + lineOfFour/3, "as many as the texts alone"},
		{"no rules, nothing, the prompt was not asked alone", plain, &four, lineOfFour, 0, 90 + lineOfFour/3, ""},
		{"no rules, sound of few tokens", plain, &spoken, 0, 90, 90 + 2*7, ""},
		{"no rules, no sound", plain, &spoken, 0, 90, 90, "or does not count them"},
		{"no rules, a file", plain, &file, 0, 90, 800, ""},
		{"no rules, no file", plain, &file, 0, 90, 90, "or does not count them"},
		{"exact, all, 13 tokens a second", qwen3, &large, lineOfTwenty, exact, exact + exactLine + pictures + 132, ""},
		{"exact, without the sound, 13 tokens a second", qwen3, &large, lineOfTwenty, exact, exact + exactLine + pictures, "the pictures alone need"},
	} {
		got := &Prediction{Sent: *c.sent, Usage: &model.Usage{TokensIn: c.tokens}, textBytes: c.line}
		if c.prompt > 0 {
			got.Blind = &blind{TokensIn: c.prompt}
		}
		s := &System{Profile: c.profile}
		for range 2 { // again: nothing is said twice
			s.CheckTokens([]*Prediction{got, nil})
		}
		said := strings.Join(got.Warnings, "; ")
		if got.Few != (c.says != "") || len(got.Warnings) > 1 || !strings.Contains(said, c.says) {
			t.Errorf("%s: %d tokens: %v, %q, want %q", c.name, c.tokens, got.Few, said, c.says)
		}
	}
}

func TestClipThatBreaksOffIsMissing(t *testing.T) {
	film := clip(t, "film.mkv", filmArgs...)
	whole, err := os.ReadFile(film)
	fixture.OK(t, err)
	fixture.OK(t, os.WriteFile(film, whole[:len(whole)/2], 0o666))
	m := &replying{reply: saying("A test card.")}
	s := system(t, &Profile{Name: "x", Frames: FramePolicy{FPS: 1}}, omniscope.Visual, m)
	got := ask(t, s, omniscope.Sample{Media: omniscope.Media{Video: film}})
	if got.Outcome == omniscope.OK && got.Sent.Frames.Times[len(got.Sent.Frames.Times)-1] > 4 || got.Outcome == omniscope.Failed {
		t.Errorf("%s %s: %+v", got.Outcome, got.Why, got.Sent.Frames)
	}
}

func TestEndpointThatRejectsEverythingStopsTheRun(t *testing.T) {
	tone := clip(t, "tone.wav", "-f", "lavfi", "-i", "sine=duration=1")
	m := &replying{err: &omniscope.Error{Kind: omniscope.Invalid, Err: errors.New("input_audio is not supported")}}
	s := system(t, &Profile{Name: "x"}, omniscope.Audio, m)
	s.MostRejected = 3
	sample := omniscope.Sample{ID: "a", Media: omniscope.Media{Video: tone}}
	for range 2 {
		if got := ask(t, s, sample); got.Outcome != omniscope.Failed {
			t.Errorf("%s %s", got.Outcome, got.Why)
		}
	}
	if _, err := s.Predict(t.Context(), &sample); omniscope.KindOf(err) != omniscope.Unusable || !strings.Contains(err.Error(), "input_audio is not supported") {
		t.Error(err)
	}
	s = system(t, &Profile{Name: "x"}, omniscope.Audio, m)
	s.MostRejected = 3
	s.answered.Store(true)
	for range 5 {
		ask(t, s, sample) // one that has answered may reject single clips
	}
}
