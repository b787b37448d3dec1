package wav

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
)

// A Coding is the form of a sample, by its number in the header
// (Microsoft, mmreg.h).
type Coding uint16

// The codings that this package reads.
const (
	Integer Coding = 1 // signed, but for 8 bits
	Float   Coding = 3
	ALaw    Coding = 6 // ITU-T G.711, 8 bits
	MuLaw   Coding = 7 // ITU-T G.711, 8 bits
)

// extensible is the number of a header with the coding in a later field.
const extensible = 0xfffe

// A File is a WAV file of samples of equal length, open for reading.
type File struct {
	Coding   Coding
	Bits     int    // of a sample
	Rate     int    // samples of each channel in a second
	Channels int    // 1 or more
	Speakers uint32 // mask of the channels' positions; 0 = not in the header
	Frames   int64  // samples of each channel

	from   io.ReaderAt
	closer io.Closer // nil = there is nothing to close
	format []byte    // the chunk "fmt ", as it is
	data   int64     // where the samples begin
	end    int64     // and end
	frame  int       // bytes of one sample of each channel
	others []string  // names of the chunks before the samples, other than "fmt "

	endless bool // the header does not give the length of the samples
}

// Samples reads the samples, interleaved.
func (f *File) Samples() *io.SectionReader {
	return io.NewSectionReader(f.from, f.data, f.Frames*int64(f.frame))
}

// OpenFile opens a WAV file. Its errors name the file. Close it.
func OpenFile(path string) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	w, err := Open(f, info.Size())
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
	}
	w.closer = f
	return w, nil
}

// Close closes the file that OpenFile opened.
func (f *File) Close() error {
	if f.closer == nil {
		return nil
	}
	return f.closer.Close()
}

// Seconds is how long the file is.
func (f *File) Seconds() float64 { return float64(f.Frames) / float64(f.Rate) }

// Open reads the header of a file of so many bytes. Samples may be integers or
// floating-point numbers of any width. Anything else, and a file that is cut off,
// is an error. A header without a length, as programs write it that do not know it yet,
// means all that follows.
func Open(from io.ReaderAt, size int64) (*File, error) {
	head := make([]byte, 12)
	if _, err := from.ReadAt(head, 0); err != nil || string(head[:4]) != "RIFF" || string(head[8:]) != "WAVE" {
		return nil, errors.New("it is not a WAV file")
	}
	f := &File{from: from}
	for at := int64(12); ; {
		chunk := make([]byte, 8)
		if _, err := from.ReadAt(chunk, at); err != nil {
			return nil, errors.New("the WAV file has no samples: it is cut off, or only a header")
		}
		length := int64(binary.LittleEndian.Uint32(chunk[4:]))
		at += 8
		switch string(chunk[:4]) {
		case "fmt ":
			if f.format != nil {
				return nil, errors.New("the header of the WAV file is damaged: it has two formats")
			}
			if err := f.readFormat(at, length); err != nil {
				return nil, err
			}
		case "data":
			return f, f.setData(at, length, size)
		default:
			f.others = append(f.others, string(chunk[:4]))
			if len(f.others) > mostChunks {
				return nil, errors.New("the header of the WAV file is damaged: it has too many chunks")
			}
		}
		at += length + length%2
	}
}

func (f *File) readFormat(at, length int64) error {
	const shortest, longest = 16, 1024
	if length < shortest || length > longest {
		return fmt.Errorf("the header of the WAV file is damaged: its format has %d bytes", length)
	}
	f.format = make([]byte, length)
	if _, err := f.from.ReadAt(f.format, at); err != nil {
		return errors.New("the header of the WAV file is cut off")
	}
	f.Coding = Coding(binary.LittleEndian.Uint16(f.format))
	if f.Coding == extensible && length >= 26 {
		f.Speakers = binary.LittleEndian.Uint32(f.format[20:])
		f.Coding = Coding(binary.LittleEndian.Uint16(f.format[24:]))
	}
	f.Channels = int(binary.LittleEndian.Uint16(f.format[2:]))
	f.Rate = int(binary.LittleEndian.Uint32(f.format[4:]))
	f.frame = int(binary.LittleEndian.Uint16(f.format[12:]))
	f.Bits = int(binary.LittleEndian.Uint16(f.format[14:]))
	switch {
	case f.Coding != Integer && f.Coding != Float && f.Coding != ALaw && f.Coding != MuLaw:
		return fmt.Errorf("the samples of the WAV file are compressed (format %d): convert it, such as with `ffmpeg -i IN.wav -c:a pcm_s16le OUT.wav`", f.Coding)
	case f.Rate < 1 || f.Channels < 1 || f.Bits < 1 || f.frame != f.Channels*((f.Bits+7)/8):
		return fmt.Errorf("the header of the WAV file is damaged: %d channels of %d bits in %d bytes, %d Hz", f.Channels, f.Bits, f.frame, f.Rate)
	}
	return nil
}

// mostChunks bounds the chunks of a file.
const mostChunks = 1000

func (f *File) setData(at, length, size int64) error {
	const unknown = 0xffffffff
	switch {
	case f.format == nil:
		return errors.New("the WAV file does not say how its samples are written")
	case length == unknown:
		length, f.endless = size-at, true
	case at+length > size:
		return fmt.Errorf("the WAV file is cut off: its header says %d bytes of samples, and %d are there", length, size-at)
	}
	f.data, f.end, f.Frames = at, at+length, length/int64(f.frame)
	return nil
}

// Cut writes the samples from one up to, and without, another as a WAV file of
// the same rate, channels and width.
func (f *File) Cut(w io.Writer, from, to int64) error {
	if from < 0 || to < from || to > f.Frames {
		return fmt.Errorf("no samples from %d to %d in %d", from, to, f.Frames)
	}
	n := (to - from) * int64(f.frame)
	riff := 4 + 8 + int64(len(f.format)) + 8 + n + n%2
	if riff > 0xffffffff {
		return fmt.Errorf("%d bytes of samples are too many for a WAV file", n)
	}
	h := binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(riff))
	h = binary.LittleEndian.AppendUint32(append(h, "WAVEfmt "...), uint32(len(f.format)))
	h = append(append(h, f.format...), "data"...)
	if _, err := w.Write(binary.LittleEndian.AppendUint32(h, uint32(n))); err != nil {
		return err
	}
	if _, err := io.Copy(w, io.NewSectionReader(f.from, f.data+from*int64(f.frame), n)); err != nil {
		return err
	}
	_, err := w.Write(make([]byte, n%2)) // chunks have even lengths
	return err
}
