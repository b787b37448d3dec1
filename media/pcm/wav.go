package pcm

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math"

	"omniscope/media/wav"
)

// packetBytes is the length of ffmpeg's packets of a WAV file, in complete frames.
const packetBytes = 4096

// Limits of the headers that are believed.
const (
	leastRate    = 1000
	mostRate     = 1_000_000
	mostChannels = 8
)

// errEnough ends reading where no more samples are wanted.
var errEnough = errors.New("enough samples")

// codecs are the names of the codings.
var codecs = map[wav.Coding]map[int]string{
	wav.Integer: {8: "pcm_u8", 16: "pcm_s16le", 24: "pcm_s24le", 32: "pcm_s32le"},
	wav.Float:   {32: "pcm_f32le", 64: "pcm_f64le"},
	wav.ALaw:    {8: "pcm_alaw"},
	wav.MuLaw:   {8: "pcm_mulaw"},
}

func openWAV(r io.ReaderAt, size int64) (*File, error) {
	w, err := wav.Open(r, size)
	if err != nil {
		return nil, err
	}
	codec := codecs[w.Coding][w.Bits]
	if codec == "" || !w.Plain() || w.Rate < leastRate || w.Rate > mostRate || w.Channels > mostChannels {
		return nil, ErrOther
	}
	if codec == "pcm_s16le" && carriesOther(w.Samples()) {
		return nil, ErrOther
	}
	frame := int64(w.Bits / 8 * w.Channels)
	packet := max(1, packetBytes/frame)
	return &File{
		Format: "wav", Codec: codec, Rate: w.Rate, Channels: w.Channels, Frames: w.Frames, Packets: (w.Frames + packet - 1) / packet,
		speakers: w.Speakers, unsure: w.Coding == wav.Float,
		mono: func(ctx context.Context, to *mixer) error { return monoOfWAV(ctx, w, to) },
	}, nil
}

// carriesOther reports whether 16-bit samples may be another codec in disguise,
// which ffmpeg looks for: DTS, or a stream by IEC 61937 as S/PDIF carries it.
func carriesOther(samples io.Reader) bool {
	head := make([]byte, 1<<17)
	n, _ := io.ReadFull(samples, head)
	head = head[:n]
	for _, sync := range []string{"\x7f\xfe\x80\x01", "\xfe\x7f\x01\x80", "\x1f\xff\xe8\x00", "\xff\x1f\x00\xe8", "\xf8\x72\x4e\x1f", "\x72\xf8\x1f\x4e"} {
		if bytes.Contains(head, []byte(sync)) {
			return true
		}
	}
	const dolby, swapped = "\x0b\x77", "\x77\x0b"
	begins := bytes.TrimLeft(head, "\x00")
	return bytes.HasPrefix(begins, []byte(dolby)) || bytes.HasPrefix(begins, []byte(swapped))
}

// monoOfWAV reads blocks of frames.
func monoOfWAV(ctx context.Context, w *wav.File, to *mixer) error {
	frame, sample := w.Bits/8*w.Channels, monoSample(w)
	wanted := w.Coding == wav.Integer && w.Bits == 16 && w.Channels == 1 // as they are
	from := w.Samples()
	to.at = min(to.from, w.Frames)
	if _, err := from.Seek(to.at*int64(frame), io.SeekStart); err != nil {
		return err
	}
	block := make([]byte, bufferBytes/frame*frame)
	for to.end = min(to.end, w.Frames); to.at < to.end; {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := io.ReadFull(from, block)
		if wanted {
			n = int(min(int64(n), 2*(to.end-to.at))) &^ 1
			to.at += int64(n / 2)
			if _, err := to.to.Write(block[:n]); err != nil {
				return err
			}
			continue
		}
		for part := block[:n-n%frame]; len(part) > 0; part = part[frame:] {
			v, ok := sample(part)
			if !ok {
				return ErrOther
			}
			if more, err := to.put(v); err != nil || !more {
				return err
			}
		}
		if err != nil && err != io.ErrUnexpectedEOF {
			return err
		}
	}
	return nil
}

// monoSample returns the function that makes one sample of a frame; ok = false: these
// numbers have no sample.
func monoSample(w *wav.File) func(frame []byte) (sample int16, ok bool) {
	two := w.Channels == 2
	switch {
	case w.Coding == wav.Float && w.Bits == 32:
		return of(two, 4, func(b []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b)) }, fromFloat, averageFloat)
	case w.Coding == wav.Float:
		return of(two, 8, func(b []byte) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(b)) }, fromDouble, averageDouble)
	case w.Bits == 32:
		return of(two, 4, func(b []byte) int32 { return int32(binary.LittleEndian.Uint32(b)) }, always(from32), always2(average32))
	case w.Bits == 24:
		return of(two, 3, func(b []byte) int32 { return int32(b[0])<<8 | int32(b[1])<<16 | int32(b[2])<<24 }, always(from32), always2(average32))
	case w.Bits == 16:
		return of(two, 2, func(b []byte) int16 { return int16(binary.LittleEndian.Uint16(b)) }, always(same), always2(average16))
	case w.Coding == wav.ALaw:
		return of(two, 1, func(b []byte) int16 { return aLaw[b[0]] }, always(same), always2(average16))
	case w.Coding == wav.MuLaw:
		return of(two, 1, func(b []byte) int16 { return muLaw[b[0]] }, always(same), always2(average16))
	}
	return of(two, 1, func(b []byte) int16 { return int16(int(b[0])-0x80) << 8 }, always(same), always2(average16))
}

// of makes a function of frames of its parts: how to read a sample of so many
// bytes, to convert one, and to average two.
func of[T any](two bool, bytes int, read func([]byte) T, one func(T) (int16, bool), average func(a, b T) (int16, bool)) func([]byte) (int16, bool) {
	if two {
		return func(frame []byte) (int16, bool) { return average(read(frame), read(frame[bytes:])) }
	}
	return func(frame []byte) (int16, bool) { return one(read(frame)) }
}

func always[T any](f func(T) int16) func(T) (int16, bool) {
	return func(v T) (int16, bool) { return f(v), true }
}

func always2[T any](f func(a, b T) int16) func(a, b T) (int16, bool) {
	return func(a, b T) (int16, bool) { return f(a, b), true }
}

func same(v int16) int16 { return v }

// from32 leaves out the lower bits.
func from32(v int32) int16 { return int16(v >> 16) }
