package pcm

import (
	"cmp"
	"context"
	"io"
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
	block := make([]byte, 4+34)
	if _, err := r.ReadAt(block, 4); err != nil {
		return nil, err
	}
	info, err := infoOfFLAC(block)
	if err != nil || !info.usual() {
		return nil, ErrOther
	}
	frames := func() ([]byte, error) {
		stream := make([]byte, size-start)
		_, err := r.ReadAt(stream, start)
		return stream, err
	}
	f := &File{Format: "flac", Codec: "flac", unsure: true, Rate: info.rate, Channels: info.channels, Frames: info.samples}
	f.check = func() error {
		stream, err := frames()
		if err == nil {
			f.Packets, err = countFrames(stream, f.Rate, f.Frames)
		}
		return err
	}
	f.mono = func(ctx context.Context, to *mixer) error {
		stream, err := frames()
		if err != nil {
			return err
		}
		return monoOfFLAC(ctx, stream, info, to)
	}
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

// usual reports whether a file is of a form that is read here.
func (f flacInfo) usual() bool {
	return f.samples > 0 && f.samples <= mostFLACFrames && f.rate >= leastRate &&
		(f.bits == 8 || f.bits == 12 || f.bits == 16 || f.bits == 20 || f.bits == 24)
}

// monoOfFLAC mixes the frames. ffmpeg takes up to 16 bits for 16-bit samples, and
// more for 32-bit samples, with the lower bits zero.
func monoOfFLAC(ctx context.Context, stream []byte, info flacInfo, to *mixer) error {
	err := eachBlock(ctx, stream, info, func(channels [][]int32) error {
		more, err := to.putAll(len(channels[0]), flacSample(channels, info.bits))
		if err == nil && !more {
			return errEnough
		}
		return err
	})
	if err != nil && err != errEnough {
		return cmp.Or(ctx.Err(), ErrOther)
	}
	return nil
}

// flacSample returns the function that makes one sample of the i-th sample of
// each channel.
func flacSample(channels [][]int32, bits int) func(i int) int16 {
	a, b := channels[0], channels[len(channels)-1]
	two := len(channels) == 2
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
