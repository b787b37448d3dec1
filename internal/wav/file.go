package wav

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
)

// A Format says how the samples of a file are stored.
type Format struct {
	Rate          int // samples a second
	Channels      int
	BitsPerSample int
}

// frameBytes is the size of one sample of each channel.
func (f Format) frameBytes() int { return f.Channels * ((f.BitsPerSample + 7) / 8) }

// A File is a WAV file of uncompressed samples, opened to read. Read reads the samples as they are stored. Close it.
type File struct {
	Format
	Frames int64 // samples of each channel, as the header says; the file may end earlier
	io.Reader
	io.Closer
}

// Bytes is the size of all samples.
func (w *File) Bytes() int64 { return w.Frames * int64(w.frameBytes()) }

// Open opens a WAV file.
func Open(path string) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	w := &File{Closer: f}
	if err := w.readHeader(f); err != nil {
		f.Close()
		return nil, fmt.Errorf("%s is no WAV file of uncompressed samples: %w", path, err)
	}
	return w, nil
}

const (
	pcm        = 1
	extensible = 0xfffe // the format is in the first two bytes of a longer code
)

// readHeader reads up to the first sample.
func (w *File) readHeader(f io.ReadSeeker) error {
	var riff [12]byte
	if _, err := io.ReadFull(f, riff[:]); err != nil || string(riff[:4]) != "RIFF" || string(riff[8:]) != "WAVE" {
		return errors.New("it does not begin with RIFF and WAVE")
	}
	for {
		var chunk [8]byte
		if _, err := io.ReadFull(f, chunk[:]); err != nil {
			return errors.New("it has no data")
		}
		name, size := string(chunk[:4]), int64(binary.LittleEndian.Uint32(chunk[4:]))
		switch {
		case name == "fmt ":
			if err := w.readFormat(f, size); err != nil {
				return err
			}
		case name == "data" && w.Rate == 0:
			return errors.New("the data come before their format")
		case name == "data":
			w.Frames = size / int64(w.frameBytes())
			w.Reader = io.LimitReader(f, w.Bytes())
			return nil
		default:
			if _, err := f.Seek(size+size%2, io.SeekCurrent); err != nil {
				return err
			}
		}
	}
}

func (w *File) readFormat(f io.ReadSeeker, size int64) error {
	var b [26]byte
	n := min(size, int64(len(b)))
	if _, err := io.ReadFull(f, b[:n]); err != nil || n < 16 {
		return errors.New("its format is cut off")
	}
	code := binary.LittleEndian.Uint16(b[:])
	if code == extensible {
		code = binary.LittleEndian.Uint16(b[24:])
	}
	w.Format = Format{Channels: int(binary.LittleEndian.Uint16(b[2:])), Rate: int(binary.LittleEndian.Uint32(b[4:])), BitsPerSample: int(binary.LittleEndian.Uint16(b[14:]))}
	switch {
	case code != pcm:
		return fmt.Errorf("its format is %d, not 1", code)
	case w.Channels == 0 || w.Rate == 0 || w.BitsPerSample == 0:
		return fmt.Errorf("its format has %d channels, %d samples a second and %d bits", w.Channels, w.Rate, w.BitsPerSample)
	}
	_, err := f.Seek(size+size%2-n, io.SeekCurrent)
	return err
}

// Write writes a WAV file of n bytes of samples, which come from r.
func Write(w io.Writer, f Format, n int64, r io.Reader) error {
	if n > 1<<32-1-HeaderBytes {
		return fmt.Errorf("%d bytes are more than a WAV file holds", n)
	}
	if _, err := w.Write(header(f, int(n))); err != nil {
		return err
	}
	_, err := io.CopyN(w, r, n)
	return err
}
