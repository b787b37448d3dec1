package media

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
)

// promisedShare returns how much of its content a file holds, by the sizes in
// its header, from 0 to 1: 1 where it is complete or of another format. It is
// for formats with lengths that ffprobe does not report: it derives a length from the
// bytes that are there.
//
// Layouts: Microsoft (RIFF, WAV), EBU Tech 3306 (RF64), Sony
// (Wave64), Apple (CAF) and Microsoft's Advanced Systems Format.
func promisedShare(path string, bytes int64) float64 {
	f, err := os.Open(path)
	if err != nil {
		return 1
	}
	defer f.Close()
	end := promisedEnd(f)
	if end <= bytes || end <= 0 {
		return 1
	}
	return float64(bytes) / float64(end)
}

// promisedEnd returns where the samples end by the header; 0 = it does not say.
func promisedEnd(f io.ReaderAt) int64 {
	head := read(f, 0, 40)
	switch {
	case bytes.HasPrefix(head, []byte("RIFF")), bytes.HasPrefix(head, []byte("RF64")), bytes.HasPrefix(head, []byte("BW64")):
		return endOfRIFF(f)
	case bytes.HasPrefix(head, []byte("riff\x2e\x91\xcf\x11")):
		return endOfWave64(f)
	case bytes.HasPrefix(head, []byte("caff")):
		return endOfCAF(f)
	case bytes.HasPrefix(head, []byte("\x30\x26\xb2\x75\x8e\x66\xcf\x11")):
		return endOfASF(f)
	}
	return 0
}

// read returns up to n bytes at a place.
func read(f io.ReaderAt, at int64, n int) []byte {
	b := make([]byte, n)
	got, _ := f.ReadAt(b, at)
	return b[:got]
}

const mostChunks = 1000 // of a header

// chunks calls do with the header of each chunk, from a place on, until it
// returns false. length is from one header to the next; 0 ends it.
func chunks(f io.ReaderAt, at int64, header int, length func([]byte) int64, do func(at int64, header []byte) bool) {
	for range mostChunks {
		b := read(f, at, header)
		if len(b) < header || !do(at, b) {
			return
		}
		n := length(b)
		if n <= 0 {
			return
		}
		at += n
	}
}

func endOfRIFF(f io.ReaderAt) (end int64) {
	if string(read(f, 8, 4)) != "WAVE" {
		return 0
	}
	long := int64(0) // of the data, in a file of more than 4 GB
	size := func(b []byte) int64 { return int64(binary.LittleEndian.Uint32(b[4:])) }
	chunks(f, 12, 8, func(b []byte) int64 { return 8 + size(b) + size(b)%2 }, func(at int64, b []byte) bool {
		const unknown = 0x7fff0000 // and more: written by programs that do not know it yet
		switch string(b[:4]) {
		case "ds64":
			if d := read(f, at+16, 8); len(d) == 8 {
				long = int64(binary.LittleEndian.Uint64(d))
			}
			return true
		case "data":
			if n := size(b); n == 0xffffffff && long > 0 {
				end = at + 8 + long
			} else if n > 0 && n < unknown {
				end = at + 8 + n
			}
			return false
		}
		return true
	})
	return end
}

func endOfWave64(f io.ReaderAt) (end int64) {
	size := func(b []byte) int64 { return int64(binary.LittleEndian.Uint64(b[16:])) }
	chunks(f, 40, 24, func(b []byte) int64 { return (size(b) + 7) &^ 7 }, func(at int64, b []byte) bool {
		if string(b[:4]) == "data" {
			end = at + size(b)
		}
		return end == 0
	})
	return end
}

func endOfCAF(f io.ReaderAt) (end int64) {
	size := func(b []byte) int64 { return int64(binary.BigEndian.Uint64(b[4:])) }
	chunks(f, 8, 12, func(b []byte) int64 { return 12 + size(b) }, func(at int64, b []byte) bool {
		if string(b[:4]) == "data" && size(b) > 0 { // less than 0: to the end of the file, wherever that is
			end = at + 12 + size(b)
		}
		return end == 0
	})
	return end
}

// endOfASF reads the size of the file from the object File Properties.
func endOfASF(f io.ReaderAt) (end int64) {
	properties := []byte("\xa1\xdc\xab\x8c\x47\xa9\xcf\x11")
	chunks(f, 30, 24, func(b []byte) int64 { return int64(binary.LittleEndian.Uint64(b[16:])) }, func(at int64, b []byte) bool {
		if !bytes.HasPrefix(b, properties) {
			return true
		}
		const broadcast = 1 // then sizes mean nothing
		if b = read(f, at, 96); len(b) == 96 && binary.LittleEndian.Uint32(b[88:])&broadcast == 0 {
			end = int64(binary.LittleEndian.Uint64(b[40:]))
		}
		return false
	})
	return end
}
