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
	parts, err := k.cache.get(ctx, k.key(framesVersion, p.Hash(), span), func(ctx context.Context) (extracted, error) {
		frames, err := media.Frames(ctx, k.File, p, span, "")
		if err == nil {
			err = k.unchanged(ctx)
		}
		if err != nil {
			return extracted{}, err
		}
		return packFrames(frames)
	})
	if err != nil {
		return nil, err
	}
	return unpackFrames(parts)
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
