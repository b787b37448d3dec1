package cache

import (
	"context"
	"encoding/json"

	"omniscope"
	"omniscope/media"
)

// Plan returns what media.Policy.Plan does, without decoding the clip.
func (k *Clip) Plan(ctx context.Context, p media.Policy, span omniscope.Span) (*media.Plan, error) {
	if k.File.Video == nil {
		return p.Plan(ctx, k.File, span) // which says so
	}
	var known sampled
	parts, err := k.cache.read(k.key(framesVersion, p.Hash(), span), 1)
	if err == nil && unmarshal(parts, &known) == nil {
		return &known.Plan, nil
	}
	parts, err = k.cache.get(ctx, k.key(planVersion, p.Hash(), span), func(ctx context.Context) (extracted, error) {
		plan, err := p.Plan(ctx, k.File, span)
		if err == nil {
			err = k.unchanged(ctx)
		}
		if err != nil {
			return extracted{}, err
		}
		text, err := json.Marshal(plan)
		return extracted{parts: [][]byte{text}, keep: true}, err
	})
	if err != nil {
		return nil, err
	}
	plan := &media.Plan{}
	return plan, unmarshal(parts, plan)
}

// Frames returns what media.Frames does, with the JPEGs in memory. Frames that
// cannot be decoded are missing, with a warning, as there; such results are not
// kept.
func (k *Clip) Frames(ctx context.Context, p media.Policy, span omniscope.Span) (*media.SampledFrames, error) {
	if k.File.Video == nil {
		return media.Frames(ctx, k.File, p, span, "") // which says so
	}
	slots := k.cache.slots
	if k.framesInBatch(p, span) {
		slots = k.cache.gather
	}
	parts, err := k.cache.getIn(ctx, slots, k.key(framesVersion, p.Hash(), span), func(ctx context.Context) (extracted, error) {
		return k.extractFrames(ctx, p, span)
	})
	if err != nil {
		return nil, err
	}
	return unpackFrames(parts)
}

// framesInBatch reports whether frames are taken by a program that reads several
// files: all of a short film that costs little.
func (k *Clip) framesInBatch(p media.Policy, span omniscope.Span) bool {
	take := media.Take{File: k.File, Frames: &p}
	return span == (omniscope.Span{}) && k.File.ShortFilm() && take.Share() < 1
}

func (k *Clip) extractFrames(ctx context.Context, p media.Policy, span omniscope.Span) (extracted, error) {
	frames, err := k.takeFrames(ctx, p, span)
	if err == nil {
		err = k.unchanged(ctx)
	}
	if err != nil {
		return extracted{}, err
	}
	return packFrames(frames)
}

func (k *Clip) takeFrames(ctx context.Context, p media.Policy, span omniscope.Span) (*media.SampledFrames, error) {
	if !k.framesInBatch(p, span) {
		return media.Frames(ctx, k.File, p, span, "")
	}
	take, err := k.cache.takes.do(ctx, media.Take{File: k.File, Frames: &p})
	if err != nil {
		return nil, err
	}
	return take.Sampled, nil
}

// FramesBeforeSound is Frames for callers that will ask for all sound next, by a
// policy: of a short film both are extracted with one program.
func (k *Clip) FramesBeforeSound(ctx context.Context, p media.Policy, next SoundPolicy) (*media.SampledFrames, error) {
	all := omniscope.Span{}
	if !k.File.ShortFilm() || k.File.Audio == nil || next.Format != WAV || !k.inBatch(next, all) {
		return k.Frames(ctx, p, all)
	}
	soundKey, err := k.soundKey(next, all)
	if err != nil {
		return nil, err
	}
	if _, err := k.cache.read(soundKey, 1); err == nil {
		return k.Frames(ctx, p, all)
	}
	parts, err := k.cache.getIn(ctx, k.cache.gather, k.key(framesVersion, p.Hash(), all), func(ctx context.Context) (extracted, error) {
		take, err := k.cache.takes.do(ctx, media.Take{File: k.File, Frames: &p, Sound: true})
		if err != nil {
			return extracted{}, err
		}
		if err := k.unchanged(ctx); err != nil {
			return extracted{}, err
		}
		if err := k.keepSound(ctx, soundKey, next, take); err != nil {
			return extracted{}, err
		}
		return packFrames(take.Sampled)
	})
	if err != nil {
		return nil, err
	}
	return unpackFrames(parts)
}

// keepSound keeps the sound of a take that has some. Silence is left to Sound, which
// recognises channels that cancel each other out.
func (k *Clip) keepSound(ctx context.Context, name key, p SoundPolicy, take *media.Take) error {
	if take.Heard == nil {
		return nil
	}
	pcm := k.newRecording(p)
	pcm.reserve(k.File.End(), omniscope.Span{})
	if _, err := pcm.Write(take.PCM); err != nil {
		return err
	}
	s := pcm.sound(take.Heard)
	if s.Silent() {
		return nil
	}
	made, err := s.packed()
	if err == nil {
		k.cache.keep(ctx, name, made.parts)
	}
	return err
}

// sampled describes the frames of an entry. The JPEGs are its other parts.
type sampled struct {
	Plan     media.Plan    `json:"plan"`
	Frames   []media.Frame `json:"frames"`
	Moved    int           `json:"moved,omitempty"`
	Warnings []string      `json:"warnings,omitempty"`
}

func packFrames(s *media.SampledFrames) (extracted, error) {
	text, err := json.Marshal(sampled{s.Plan, s.Frames, s.Moved, s.Warnings})
	made := extracted{parts: [][]byte{text}, keep: len(s.Frames) > 0 && len(s.Frames) == len(s.Plan.Indices)}
	for i := range s.Frames {
		made.parts = append(made.parts, s.Frames[i].JPEG)
	}
	return made, err
}

func unpackFrames(parts [][]byte) (*media.SampledFrames, error) {
	var known sampled
	if err := unmarshal(parts, &known); err != nil {
		return nil, err
	}
	if len(known.Frames) != len(parts)-1 {
		return nil, errContent
	}
	for i := range known.Frames {
		known.Frames[i].JPEG = parts[i+1]
	}
	return &media.SampledFrames{Plan: known.Plan, Frames: known.Frames, Moved: known.Moved, Warnings: known.Warnings}, nil
}
