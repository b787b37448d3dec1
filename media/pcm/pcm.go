// Package pcm reads sound without a program: complete WAV and FLAC files with nothing
// but sound, in forms that it decodes to the same samples as ffmpeg. All other files are left to package media.
package pcm

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"time"
)

// A File describes the sound of a file.
type File struct {
	Format   string // of the container, in ffmpeg's words: wav or flac
	Codec    string // in ffmpeg's words, such as pcm_s16le
	Rate     int    // samples of each channel in a second
	Channels int
	Frames   int64 // samples of each channel
	Packets  int64 // as ffmpeg divides the sound; of FLAC, after Check

	speakers uint32 // mask of the channels' positions; 0 = not named
	mono     func(ctx context.Context, to *mixer) error
	check    func() error // nil = the header is enough
	unsure   bool         // the samples may turn out to be unreadable
	close    func() error
}

// ErrOther is the error of files that this package does not read.
var ErrOther = errors.New("not read without ffmpeg")

// Open opens the file at a path and reads its header. Every reason not to read it
// is ErrOther. Close it.
func Open(path string) (*File, error) {
	r, err := os.Open(path)
	if err != nil {
		return nil, ErrOther
	}
	info, err := r.Stat()
	if err == nil {
		var f *File
		if f, err = open(r, info.Size()); err == nil {
			f.close = r.Close
			return f, nil
		}
	}
	_ = r.Close()
	return nil, ErrOther
}

func open(r io.ReaderAt, size int64) (*File, error) {
	var mark [4]byte
	if _, err := r.ReadAt(mark[:], 0); err != nil {
		return nil, err
	}
	switch string(mark[:]) {
	case "RIFF":
		return openWAV(r, size)
	case "fLaC":
		return openFLAC(r, size)
	}
	return nil, ErrOther
}

// Check is ErrOther if a file holds something else than its header promises. It
// reads all of a FLAC file to know, and counts its packets.
func (f *File) Check() error {
	if f.check == nil || f.check() == nil {
		return nil
	}
	return ErrOther
}

// Close closes the file.
func (f *File) Close() error { return f.close() }

// mostUnsure bounds the samples that are held until all are known to be readable.
const mostUnsure = 1 << 25

// mostGrown bounds the memory for samples that a header promises.
const mostGrown = 1 << 20

// HasMono reports whether Mono reads the file: one or two channels in their
// usual places, at a sampling rate.
func (f *File) HasMono(rate int) bool {
	const centre, leftAndRight = 4, 3
	return f.Rate == rate && (!f.unsure || f.Frames <= mostUnsure) &&
		(f.Channels == 1 && (f.speakers == 0 || f.speakers == centre) ||
			f.Channels == 2 && (f.speakers == 0 || f.speakers == leftAndRight))
}

// Mono writes the sound from one time to another as 16-bit little-endian samples
// of one channel; to = 0 is its end. Two channels are averaged as ffmpeg does.
// Where it is ErrOther, nothing was written.
func (f *File) Mono(ctx context.Context, from, to time.Duration, w io.Writer) error {
	m := &mixer{to: w, from: samplesAt(from, f.Rate), end: f.Frames}
	if to > 0 {
		m.end = min(m.end, samplesAt(to, f.Rate))
	}
	var held bytes.Buffer
	if f.unsure {
		held.Grow(int(min(max(0, m.end-m.from)*2, mostGrown)))
		m.to = &held
	}
	if err := f.mono(ctx, m); err != nil && err != errEnough {
		return err
	}
	if err := m.flush(); err != nil || !f.unsure {
		return err
	}
	_, err := w.Write(held.Bytes())
	return err
}

// samplesAt is the number of the sample at a time, the nearest one.
func samplesAt(at time.Duration, rate int) int64 {
	return (int64(at)*int64(rate) + int64(time.Second)/2) / int64(time.Second)
}
