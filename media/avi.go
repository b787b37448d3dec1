package media

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"time"
)

// AVI has no times: sound is where the chunks before it end. Programs that write gaps write
// empty chunks, which ffmpeg does not count, so that all sound after them is early. Where
// the header counts them, they are looked for, and named.
//
// Layout: Microsoft, "AVI RIFF File Reference". The index of a file above 1 GB (OpenDML) is
// not read.
func (f *File) noticeEmptyChunks() {
	a := f.Audio
	if f.Format != "avi" || a == nil || a.Promised-a.Duration < emptyLeast {
		return
	}
	file, err := os.Open(f.Path)
	if err != nil {
		return
	}
	defer file.Close()
	n, first := emptyChunks(indexOfAVI(file), fmt.Appendf(nil, "%02dwb", a.Index))
	lost := min(durationOf(n, a.TimeBase), a.Promised-a.Duration)
	if lost < emptyLeast {
		return
	}
	a.Promised -= lost
	f.Warnings = append(f.Warnings, fmt.Sprintf("its sound has %d empty chunks, the first at %.2f s: the gap of %.2f s that they mark is lost, so that later sound is early by up to as much",
		n, durationOf(first, a.TimeBase).Seconds(), lost.Seconds()))
}

// emptyLeast is the shortest gap that is named.
const emptyLeast = 20 * time.Millisecond

// mostIndex is the size in bytes above which an index is not read.
const mostIndex = 64 << 20

// indexOfAVI returns the index of an AVI file, nil if there is no index.
func indexOfAVI(f io.ReaderAt) (index []byte) {
	size := func(b []byte) int64 { return int64(binary.LittleEndian.Uint32(b[4:])) }
	chunks(f, 12, 8, func(b []byte) int64 { return 8 + size(b) + size(b)%2 }, func(at int64, b []byte) bool {
		if string(b[:4]) != "idx1" {
			return true
		}
		if n := size(b); n <= mostIndex {
			index = read(f, at+8, int(n))
		}
		return false
	})
	return index
}

// emptyChunks counts the chunks of a stream without content before its last one with
// content, and returns how many chunks are before the first of them.
func emptyChunks(index, id []byte) (n, first int64) {
	const entry = 16 // bytes: id, flags, place, size
	before, empty := int64(0), int64(0)
	first = -1
	for ; len(index) >= entry; index = index[entry:] {
		if !bytes.Equal(index[:4], id) {
			continue
		}
		if binary.LittleEndian.Uint32(index[12:]) > 0 {
			n = empty
		} else {
			empty++
			if first < 0 {
				first = before
			}
		}
		before++
	}
	return n, max(first, 0)
}
