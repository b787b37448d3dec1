package wav

import (
	"errors"
	"fmt"
	"io"
)

// Join writes the samples of files one after another. The header is that of whole numbers, the shortest there is, and a last
// odd byte is not filled up: Python's module wave writes it so. Files of different rates, channels or widths are an error.
func Join(w io.Writer, files ...*File) error {
	first, n := files[0], int64(0)
	for i, f := range files {
		if f.Rate != first.Rate || f.Channels != first.Channels || f.Bits != first.Bits {
			return fmt.Errorf("file 1 has %d channels of %d bits at %d Hz, and file %d has %d channels of %d bits at %d Hz: only equal ones can be joined", first.Channels, first.Bits, first.Rate, i+1, f.Channels, f.Bits, f.Rate)
		}
		if f.Coding != Integer {
			return errors.New("the samples are not integers: convert the files, such as with `ffmpeg -i IN.wav -c:a pcm_s16le OUT.wav`")
		}
		n += f.Frames * int64(f.frame)
	}
	if n > 1<<32-1-HeaderBytes {
		return fmt.Errorf("%d bytes of samples are too many for a WAV file", n)
	}
	if _, err := w.Write(header(first.Rate, first.Channels, first.Bits, int(n))); err != nil {
		return err
	}
	for _, f := range files {
		if _, err := io.Copy(w, f.Samples()); err != nil {
			return err
		}
	}
	return nil
}
