package media

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"slices"
	"time"

	"omniscope"
)

// ChromaprintStep is the time from one word of a Chromaprint to the next: 4096/3 samples at
// 11,025 Hz.
const ChromaprintStep = 4096 * time.Second / 3 / 11025

// ChromaprintSpan is how much sound one word is made of, 2.72 s: the window of the transform, and
// the 19 steps that the smoothing and the classifiers reach across.
const ChromaprintSpan = 19*ChromaprintStep + 4096*time.Second/11025

// mostChromaprint bounds the output: a day of sound has less.
const mostChromaprint = 4 << 20

// Chromaprint returns the acoustic fingerprint of a file's sound as ffmpeg's muxer chromaprint
// computes it: one word of 32 bits for each ChromaprintStep from the beginning on. Less sound than
// ChromaprintSpan has none.
//
// A file without audio is an error of kind Invalid with ErrNoAudio in its chain.
func Chromaprint(ctx context.Context, f *File) ([]uint32, error) {
	if f.Audio == nil {
		return nil, errNoAudio(f.Path)
	}
	var raw bytes.Buffer
	args := append(slices.Clone(general), opening()...)
	args = append(append(args, "-i", argument(f.Path)), f.soundFrom(omniscope.Span{}, f.Start)...)
	args = append(args, "-ac", "1", "-ar", "11025", "-f", "chromaprint", "-fp_format", "raw", pipe(1))
	p := program{name: "ffmpeg", path: f.Path, args: args, readers: []func(io.Reader) error{collect(&raw, mostChromaprint)}}
	if _, err := p.run(ctx); err != nil {
		return nil, err
	}
	words := make([]uint32, raw.Len()/4)
	for i := range words {
		words[i] = binary.NativeEndian.Uint32(raw.Bytes()[4*i:])
	}
	return words, nil
}
