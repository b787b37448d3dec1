package predict

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"omniscope"
	"omniscope/media"
	"omniscope/media/cache"
	"omniscope/model"
)

// soundFormat is the format in which sound is sent, its MIME type and what it adds to
// a digest. MP3 is the one beside WAV that all take: OpenAI those two alone
// (openai-python, chat_completion_content_part_input_audio_param.py), vLLM what
// libsndfile or else ffmpeg reads (vllm/multimodal/media/audio.py), SGLang what
// libsndfile reads (sglang/srt/utils/common.py), Gemini also AIFF, AAC, OGG and FLAC
// (ai.google.dev/gemini-api/docs/audio).
func (p SoundPolicy) soundFormat() (format cache.SoundFormat, mime, digest string) {
	if p.Format == "mp3" {
		return cache.MP3, "audio/mpeg", fmt.Sprintf(" mp3 %d kbit/s", media.MP3BitRate)
	}
	return cache.WAV, "audio/wav", ""
}

// What becomes of a sound that is longer than MaxSeconds, beside being refused.
const (
	cutLonger   = "cut"
	partsLonger = "parts"
)

// mostParts bounds the parts of one sound.
const mostParts = 1000

// showSound adds the sound, mono at 16 kHz as models hear it anyway.
func (sh *showing) showSound(ctx context.Context, clip *cache.Clip, policy SoundPolicy) error {
	seconds, err := soundSeconds(ctx, clip)
	if err != nil {
		return err
	}
	if text := gapsIn(clip.File); text != "" {
		sh.warnings = append(sh.warnings, text)
	}
	format, _, _ := policy.soundFormat()
	sent, longest := &SentSound{Format: string(format), Seconds: seconds, Rate: media.SpeechRate}, policy.MaxSeconds
	sh.sent.Sound = sent
	switch {
	case longest == 0 || seconds <= longest:
		sh.addSound(clip, policy, "whole", omniscope.Span{})
	case policy.Longer == cutLonger:
		sent.Of, sent.Seconds = seconds, longest
		sh.warnings = append(sh.warnings, fmt.Sprintf("only the first %g s of %.1f s of its sound are sent", longest, seconds))
		sh.addSound(clip, policy, fmt.Sprintf("first %g s", longest), omniscope.Span{})
	case policy.Longer == partsLonger:
		return sh.addParts(clip, policy, seconds)
	default:
		return cannotShow(clip.File, fmt.Errorf("its sound lasts %.1f s, and the profile allows %g s: cut the clip, or set sound.longer to cut or parts in a profile of your own", seconds, longest))
	}
	return nil
}

// gapsIn names the gaps in the sound, which are sent as silence.
func gapsIn(f *media.File) string {
	gaps := f.SoundGaps()
	if len(gaps) == 0 {
		return ""
	}
	missing := time.Duration(0)
	for _, g := range gaps {
		missing += g.End - g.Start
	}
	return fmt.Sprintf("its sound track lacks %.2f s, the first from %.2f to %.2f s: silence is sent there", missing.Seconds(), gaps[0].Start.Seconds(), gaps[0].End.Seconds())
}

// soundSeconds is how long the sound lasts, by its packets. Where they have no
// times it is decoded to know it.
func soundSeconds(ctx context.Context, clip *cache.Clip) (float64, error) {
	if span := clip.File.SoundSpan(); span.End > span.Start {
		return (span.End - span.Start).Seconds(), nil
	}
	sound, err := clip.Sound(ctx, cache.SoundPolicy{}, omniscope.Span{})
	if err == nil && sound.Duration == 0 {
		err = cannotShow(clip.File, errEmptySound)
	}
	if err != nil {
		return 0, err
	}
	return sound.Duration.Seconds(), nil
}

// addParts adds the sound in parts of at most MaxSeconds, and tells before each of
// them when it begins. What is left after the last of them, if it is less than a tenth
// of a second, belongs to what files declare and do not hold.
func (sh *showing) addParts(clip *cache.Clip, policy SoundPolicy, seconds float64) error {
	n := math.Max(1, math.Ceil((seconds-0.1)/policy.MaxSeconds))
	if n > mostParts {
		return cannotShow(clip.File, fmt.Errorf("its sound of %.1f s would be %.0f parts of %g s, and %d are the most: raise sound.max_seconds", seconds, n, policy.MaxSeconds, mostParts))
	}
	start := clip.File.SoundSpan().Start
	at := func(part int) time.Duration {
		return start + time.Duration(float64(part)*policy.MaxSeconds*float64(time.Second))
	}
	for i := range int(n) {
		span, to := omniscope.Span{Start: at(i), End: at(i + 1)}, at(i+1)
		if i == int(n)-1 {
			span.End, to = 0, start+time.Duration(seconds*float64(time.Second))
		}
		sh.sent.Sound.Parts = append(sh.sent.Sound.Parts, span.Start.Seconds())
		sh.parts = append(sh.parts, model.Part{Kind: model.TextPart, Text: fmt.Sprintf("Part %d of %.0f of the sound, from %.2f to %.2f seconds:", i+1, n, span.Start.Seconds(), to.Seconds())})
		sh.addSound(clip, policy, fmt.Sprintf("part from %g s, at most %g s", span.Start.Seconds(), policy.MaxSeconds), span)
	}
	return nil
}

// addSound adds a span of the sound. what says in the digest which one it is.
func (sh *showing) addSound(clip *cache.Clip, policy SoundPolicy, what string, span omniscope.Span) {
	format, mime, suffix := policy.soundFormat()
	digest := fmt.Sprintf("sha256:%s sound %s 16 kHz mono%s%s", clip.Digest, what, suffix, clip.File.SoundRule(span))
	sh.addLoaded(model.AudioPart, mime, digest, func(ctx context.Context) ([]byte, error) {
		sound, err := clip.Sound(ctx, cache.SoundPolicy{Format: format, MaxSeconds: policy.MaxSeconds}, span)
		switch {
		case err != nil:
			return nil, err
		case sound.Duration == 0 && span.Start > 0:
			return nil, cannotShow(clip.File, fmt.Errorf("its sound ends before %.2f s, and its packets go on", span.Start.Seconds()))
		case sound.Duration == 0:
			return nil, cannotShow(clip.File, errEmptySound)
		case sound.Shortened && span.End == 0 && policy.Longer != cutLonger:
			return nil, cannotShow(clip.File, fmt.Errorf("its sound goes on after %g s, where its packets end: it cannot be measured; convert it to WAV", (span.Start+sound.Duration).Seconds()))
		}
		return sound.Data, nil
	})
}

// errEmptySound is in the chain of the error of a file whose sound track has packets
// of which nothing can be decoded.
var errEmptySound = errors.New("its sound track holds no sound")

// lacksSound reports whether a clip could not be shown because it turned out to have
// no sound. Of a film the model can be given the picture.
func (s *System) lacksSound(err error) bool {
	return s.Modality == omniscope.AudioVisual && errors.Is(err, errEmptySound)
}

// noSound says why a film is shown without sound.
func noSound(f *media.File) string {
	if f.Audio != nil || slices.ContainsFunc(f.Streams, func(s media.Stream) bool { return s.Kind == media.Audio }) {
		return errEmptySound.Error()
	}
	return "it has no sound track"
}
