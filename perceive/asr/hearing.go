package asr

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"omniscope"
	"omniscope/media/signal"
	"omniscope/perceive"
)

// A hearing is one transcription on its way. Times within are from the first
// sample of the sound.
type hearing struct {
	tool     *Tool
	info     EngineInfo
	engine   Engine
	look     *perceive.Look
	speech   []signal.SpeechSpan // where somebody speaks
	warnings []string
}

// transcribe sends what sounds like speech to the engine and judges what comes
// back.
func (h *hearing) transcribe(ctx context.Context) (*perceive.Answer, error) {
	facts := h.look.Signal
	if facts.Stereo.Known && facts.Stereo.Inverted {
		h.warnings = append(h.warnings, "the channels are in opposite phase and cancel each other in the mono sound that engines hear: nothing was transcribed")
		return h.answer(h.unheard(nil)), nil
	}
	chunks, err := h.settled(plan(facts, h.speech, h.info))
	if err != nil {
		return nil, err
	}
	if missing := total(stretches(h.speech, facts.Duration)) - total(chunks); missing > time.Second {
		h.warnings = append(h.warnings, fmt.Sprintf("%s listens to %s of a clip at most: %s of speech were left out", h.info.Name, h.info.Most, missing.Round(time.Second)))
	}
	var heard []Segment
	for _, c := range chunks {
		sound, err := h.read(c)
		if err != nil {
			return nil, err
		}
		segments, err := h.engine.Transcribe(ctx, sound)
		if err != nil {
			return nil, fmt.Errorf("transcribe %.1f to %.1f s: %w", c.Start.Seconds(), c.End.Seconds(), err)
		}
		for _, s := range segments {
			s.Start, s.End = clamp(s.Start, sound)+c.Start, clamp(s.End, sound)+c.Start
			heard = append(heard, s)
		}
	}
	return h.judge(heard), nil
}

func clamp(at time.Duration, s Sound) time.Duration { return min(max(0, at), s.Duration()) }

// read takes a stretch out of the file of speech samples.
func (h *hearing) read(c omniscope.Span) (Sound, error) {
	f, err := os.Open(h.look.Speech)
	if err != nil {
		return Sound{}, err
	}
	defer f.Close()
	from, to := sampleBytes(c.Start), sampleBytes(c.End)
	pcm, err := io.ReadAll(io.NewSectionReader(f, from, to-from))
	return Sound{PCM: pcm[:len(pcm)&^1]}, err
}

func sampleBytes(at time.Duration) int64 { return 2 * int64(at.Seconds()*bytesPerSecond/2) }

// judge makes observations of what was heard.
func (h *hearing) judge(heard []Segment) *perceive.Answer {
	var list []perceive.Observation
	var told []omniscope.Span // what some observation is about
	var doubted, perhaps []Segment
	loops := loopsIn(heard)
	for i, s := range heard {
		span := omniscope.Span{Start: s.Start, End: s.End}
		presence, shared := h.presence(span)
		if !spoken(s.Text) || shared < leastShared || !h.info.Quotes {
			continue // if there was speech, unheard tells of it
		}
		if loops[i] || s.Foreign != "" || h.doubted(s.Sure) {
			doubted = append(doubted, s)
			if h.info.Mentions && !loops[i] && s.Foreign == "" && !invented(s.Sure) {
				perhaps = append(perhaps, s)
			}
			continue
		}
		told = append(told, span)
		list = append(list, h.quoted(s, presence))
	}
	h.disbelieved(doubted)
	list = append(list, h.unheard(told)...)
	if !h.info.Quotes {
		h.hint(list, heard)
	}
	h.mention(list, perhaps)
	slices.SortStableFunc(list, func(a, b perceive.Observation) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	return h.answer(list)
}

// leastShared is the share of a segment in which there must be speech.
const leastShared = 0.3

// presence returns the confidence of the best speech span that a segment
// touches, and which share of it lies in speech spans, each widened by what
// their limits may be off.
func (h *hearing) presence(s omniscope.Span) (confidence, shared float64) {
	length := max(time.Millisecond, s.End-s.Start)
	for _, span := range h.speech {
		common := min(s.End, span.End+margin) - max(s.Start, span.Start-margin)
		if common > 0 {
			confidence = max(confidence, span.Sure)
			shared += float64(common) / float64(length)
		}
	}
	return confidence, shared
}

// Words are not believed if they repeat themselves so that they pack well (compression_ratio_threshold of openai/whisper, transcribe.py).
const mostPacked = 2.4

// doubted reports whether words are not believed: under the engine's limit, or in a loop. The probability of silence does not
// count where the words are sure enough: Whisper has it above 0.6 for speech over music (no_speech_threshold of openai/whisper,
// transcribe.py, which keeps such words, too).
func (h *hearing) doubted(s Sureness) bool {
	return s.Known && (s.LogProb < h.tool.least || s.Packed > mostPacked)
}

// invented reports whether the engine itself hears no speech, or repeats itself: words that are not believed are not even mentioned then.
func invented(s Sureness) bool {
	return s.Known && (s.NoSpeech > mostNoSpeech || s.Packed > mostPacked)
}

// disbelieved warns of words of the engine that are not reported.
func (h *hearing) disbelieved(list []Segment) {
	if len(list) == 0 {
		return
	}
	low, high, unsure, foreign, language := 0.0, math.Inf(-1), 0, 0, ""
	for _, s := range list {
		if s.Foreign != "" {
			foreign, language = foreign+1, s.Foreign
			continue
		}
		if s.Sure.Known && s.Sure.LogProb < h.tool.least {
			low, high, unsure = min(low, s.Sure.LogProb), max(high, s.Sure.LogProb), unsure+1
		}
	}
	text := fmt.Sprintf("words of %s that are not believed: %d stretches, the first at %.1f s", h.info.Name, len(list), h.at(omniscope.Span{Start: list[0].Start}).Start.Seconds())
	if unsure > 0 {
		text += fmt.Sprintf("; mean log-probability %.2f to %.2f, at least %g is believed", low, high, h.tool.least)
	}
	if foreign > 0 {
		text += fmt.Sprintf("; %d are written in another language than the one that the server hears (%s): start the server so that it finds the language itself (whisper.cpp: -l auto)", foreign, language)
	}
	if repeated := len(list) - unsure - foreign; repeated > 0 {
		text += fmt.Sprintf("; %d repeat the same words", repeated)
	}
	h.warnings = append(h.warnings, text)
}

// Sure in quotes.
const (
	mostSure  = 0.95 // engines are surest of what they have learnt by heart
	unsaid    = 0.7  // of engines without a measure of sureness
	leastSure = 0.5  // of words that the engine itself keeps; captions quote them with "perhaps"

	// mostNoSpeech is the probability of no speech above which words are quoted with "perhaps" (no_speech_threshold of openai/whisper).
	mostNoSpeech = 0.6
)

func (h *hearing) quoted(s Segment, presence float64) perceive.Observation {
	text := readable(strings.Join(strings.Fields(s.Text), " "))
	values := map[string]float64{"speech_confidence": presence}
	sure := unsaid
	if s.Sure.Known {
		sure = min(mostSure, max(leastSure, math.Exp(s.Sure.LogProb)))
		if s.Sure.NoSpeech > mostNoSpeech {
			sure = leastSure
		}
		values["mean_log_prob"], values["no_speech_prob"] = s.Sure.LogProb, s.Sure.NoSpeech
	}
	return perceive.Observation{
		Kind: perceive.Speech, What: fmt.Sprintf("somebody says: “%s”", text), Quote: text,
		Span: h.at(omniscope.Span{Start: s.Start, End: s.End}), Sure: sure, Values: values,
	}
}

// readable has an ellipsis where letters came broken: which they are is not known.
func readable(text string) string {
	const broken = string(utf8.RuneError)
	for strings.Contains(text, broken+broken) {
		text = strings.ReplaceAll(text, broken+broken, broken)
	}
	return strings.ReplaceAll(text, broken, "…")
}

// leastUntold is how much of a speech span must be without a quote for that to
// be reported.
const leastUntold = 1500 * time.Millisecond

// unheard tells of the speech whose words are not known.
func (h *hearing) unheard(told []omniscope.Span) (list []perceive.Observation) {
	for _, s := range h.speech {
		for _, rest := range without(s.Span, told) {
			if rest != s.Span && rest.End-rest.Start < leastUntold {
				continue
			}
			list = append(list, perceive.Observation{
				Kind: perceive.Speech, What: "speech is heard, not intelligible", Span: h.at(rest), Sure: min(0.9, s.Sure),
				Values: map[string]float64{"speech_confidence": s.Sure},
			})
		}
	}
	return list
}

// without takes spans out of another.
func without(s omniscope.Span, taken []omniscope.Span) []omniscope.Span {
	rest := []omniscope.Span{s}
	for _, t := range taken {
		var next []omniscope.Span
		for _, r := range rest {
			if t.End <= r.Start || t.Start >= r.End {
				next = append(next, r)
				continue
			}
			if t.Start > r.Start {
				next = append(next, omniscope.Span{Start: r.Start, End: t.Start})
			}
			if t.End < r.End {
				next = append(next, omniscope.Span{Start: t.End, End: r.End})
			}
		}
		rest = next
	}
	return rest
}

// at turns times of the sound into media time.
func (h *hearing) at(s omniscope.Span) omniscope.Span {
	start := h.look.Audio.Start
	return omniscope.Span{Start: start + s.Start, End: start + s.End}
}

func (h *hearing) answer(list []perceive.Observation) *perceive.Answer {
	a := perceive.NewAnswer(true, list...)
	a.Warnings = append(slices.Clone(h.look.Audio.Warnings), h.warnings...)
	return a
}
