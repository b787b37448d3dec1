package pcm

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"

	"github.com/mewkiz/flac"
	"github.com/mewkiz/flac/frame"
	"github.com/mewkiz/flac/meta"
)

// Limits of the FLAC files that are read here: in longer ones, which are read
// more than once, starting a program costs little.
const (
	mostFLACBytes  = 32 << 20
	mostFLACFrames = mostUnsure
)

// openFLAC reads the blocks before the frames.
func openFLAC(r io.ReaderAt, size int64) (*File, error) {
	if size > mostFLACBytes {
		return nil, ErrOther
	}
	start, err := firstFrame(r, size)
	if err != nil {
		return nil, err
	}
	info, err := eachFrame(context.Background(), r, nil)
	if err != nil {
		return nil, err
	}
	f := &File{Format: "flac", Codec: "flac", unsure: true, Rate: int(info.SampleRate), Channels: int(info.NChannels), Frames: int64(info.NSamples)}
	f.check = func() error {
		stream := make([]byte, size-start)
		if _, err := r.ReadAt(stream, start); err != nil {
			return err
		}
		f.Packets, err = countFrames(stream, f.Rate, f.Frames)
		return err
	}
	f.mono = func(ctx context.Context, to *mixer) error { return monoOfFLAC(ctx, r, to) }
	return f, nil
}

// firstFrame returns the place of the first frame. A file with a picture, which
// ffmpeg takes for a stream, or with reserved blocks of metadata, is an error.
func firstFrame(r io.ReaderAt, size int64) (at int64, err error) {
	const picture, last = 6, 0x80
	var header [4]byte
	for at = 4; ; {
		if _, err := r.ReadAt(header[:], at); err != nil {
			return 0, err
		}
		if header[0]&^last >= picture {
			return 0, ErrOther
		}
		at += 4 + int64(header[1])<<16 + int64(header[2])<<8 + int64(header[3])
		if at >= size {
			return 0, ErrOther
		}
		if header[0]&last != 0 {
			return at, nil
		}
	}
}

// eachFrame decodes a file and calls do with each of its frames (in FLAC, a
// stretch of samples) and the number of bits of a sample. A file that is damaged
// or incomplete, or that changes its form, is an error; so is what the decoder
// cannot read, for which it panics. Without do it reads the header alone.
func eachFrame(ctx context.Context, r io.ReaderAt, do func(f *frame.Frame, bits int) error) (info *meta.StreamInfo, err error) {
	defer func() {
		if trouble := recover(); trouble != nil {
			err = fmt.Errorf("decode FLAC: %v", trouble)
		}
	}()
	stream, err := flac.New(bufio.NewReaderSize(io.NewSectionReader(r, 0, mostFLACBytes), bufferBytes))
	if err != nil {
		return nil, err
	}
	if info = stream.Info; !usual(info) {
		return nil, ErrOther
	}
	if do == nil {
		return info, nil
	}
	for left := int64(info.NSamples); ; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f, err := stream.ParseNext()
		switch {
		case err == io.EOF && left == 0:
			return info, nil
		case err != nil:
			return nil, err
		case len(f.Subframes) != int(info.NChannels), f.SampleRate != 0 && f.SampleRate != info.SampleRate,
			f.BitsPerSample != 0 && f.BitsPerSample != info.BitsPerSample, int64(f.BlockSize) > left:
			return nil, ErrOther
		}
		left -= int64(f.BlockSize)
		if err := do(f, int(info.BitsPerSample)); err != nil {
			return nil, err
		}
	}
}

// usual reports whether a file is of a form that is read here. For two sampling
// rates the decoder writes to the standard error.
func usual(info *meta.StreamInfo) bool {
	rate, bits := info.SampleRate, info.BitsPerSample
	return info.NSamples > 0 && info.NSamples <= mostFLACFrames && rate >= leastRate && rate != 24000 && rate != 176400 &&
		(bits == 8 || bits == 12 || bits == 16 || bits == 20 || bits == 24)
}

// monoOfFLAC mixes the frames. ffmpeg takes up to 16 bits for 16-bit samples, and
// more for 32-bit samples, with the lower bits zero.
func monoOfFLAC(ctx context.Context, r io.ReaderAt, to *mixer) error {
	_, err := eachFrame(ctx, r, func(f *frame.Frame, bits int) error {
		sample := flacSample(f, bits)
		for i := range int(f.BlockSize) {
			if more, err := to.put(sample(i)); err != nil {
				return err
			} else if !more {
				return errEnough
			}
		}
		return nil
	})
	if err != nil && err != errEnough {
		return cmp.Or(ctx.Err(), ErrOther)
	}
	return nil
}

// flacSample returns the function that makes one sample of the i-th sample of
// each channel.
func flacSample(f *frame.Frame, bits int) func(i int) int16 {
	a, b := f.Subframes[0].Samples, f.Subframes[len(f.Subframes)-1].Samples
	two := len(f.Subframes) == 2
	shift16, shift32 := max(0, 16-bits), 32-bits
	switch {
	case bits <= 16 && two:
		return func(i int) int16 { return average16(int16(a[i]<<shift16), int16(b[i]<<shift16)) }
	case bits <= 16:
		return func(i int) int16 { return int16(a[i] << shift16) }
	case two:
		return func(i int) int16 { return average32(a[i]<<shift32, b[i]<<shift32) }
	}
	return func(i int) int16 { return from32(a[i] << shift32) }
}
