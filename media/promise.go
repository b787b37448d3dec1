package media

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
)

// promisedShare returns how much of its content a file holds, by the sizes in
// its header, from 0 to 1: 1 where it is whole or of another format. It is
// for formats with lengths that ffprobe does not report: it derives a length from the
// bytes that are there.
//
// The layouts are those of Microsoft (RIFF, WAV), EBU Tech 3306 (RF64), Sony
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

func endOfRIFF(f io.ReaderAt) int64 {
	if string(read(f, 8, 4)) != "WAVE" {
		return 0
	}
	long := int64(0) // of the data, in a file of more than 4 GB
	at := int64(12)
	for range mostChunks {
		b := read(f, at, 16)
		if len(b) < 16 {
			return 0
		}
		size := int64(binary.LittleEndian.Uint32(b[4:]))
		switch string(b[:4]) {
		case "ds64":
			if d := read(f, at+16, 8); len(d) == 8 {
				long = int64(binary.LittleEndian.Uint64(d))
			}
		case "data":
			const unknown = 0x7fff0000 // and more: written by programs that do not know it yet
			switch {
			case size == 0xffffffff && long > 0:
				return at + 8 + long
			case size >= unknown || size == 0:
				return 0
			}
			return at + 8 + size
		}
		at += 8 + size + size%2
	}
	return 0
}

func endOfWave64(f io.ReaderAt) int64 {
	at := int64(40)
	for range mostChunks {
		b := read(f, at, 24)
		if len(b) < 24 {
			return 0
		}
		size := int64(binary.LittleEndian.Uint64(b[16:]))
		if string(b[:4]) == "data" {
			return at + size
		}
		if size < 24 {
			return 0
		}
		at += (size + 7) &^ 7
	}
	return 0
}

func endOfCAF(f io.ReaderAt) int64 {
	at := int64(8)
	for range mostChunks {
		b := read(f, at, 12)
		if len(b) < 12 {
			return 0
		}
		size := int64(binary.BigEndian.Uint64(b[4:]))
		if size < 0 { // to the end of the file, wherever that is
			return 0
		}
		if string(b[:4]) == "data" {
			return at + 12 + size
		}
		at += 12 + size
	}
	return 0
}

// endOfASF reads the size of the file from the object File Properties.
func endOfASF(f io.ReaderAt) int64 {
	properties := []byte("\xa1\xdc\xab\x8c\x47\xa9\xcf\x11")
	at := int64(30)
	for range mostChunks {
		b := read(f, at, 96)
		if len(b) < 96 {
			return 0
		}
		size := int64(binary.LittleEndian.Uint64(b[16:]))
		if bytes.HasPrefix(b, properties) {
			const broadcast = 1 // then sizes mean nothing
			if binary.LittleEndian.Uint32(b[88:])&broadcast != 0 {
				return 0
			}
			return int64(binary.LittleEndian.Uint64(b[40:]))
		}
		if size < 24 {
			return 0
		}
		at += size
	}
	return 0
}
