package wav

import (
	"encoding/binary"
	"slices"
	"strings"
)

// harmless are chunks that hold nothing to hear or to see.
var harmless = []string{"LIST", "fact", "PEAK", "JUNK", "junk", "PAD ", "FLLR", "bext", "cue ", "smpl", "inst", "minf", "elm1", "regn", "umid", "iXML", "_PMX", "afsp", "DISP", "CSET"}

// Plain reports whether a file has nothing but samples, all that its header
// promises, and chunks that hold nothing to hear or to see. Readers agree on the
// samples of such a file.
func (f *File) Plain() bool {
	names, ok := f.chunksAfter()
	return ok && !f.endless && f.Frames > 0 && (f.end-f.data)%int64(f.frame) == 0 && f.Bits%8 == 0 && f.plainFormat() &&
		!slices.ContainsFunc(append(names, f.others...), func(name string) bool { return !slices.Contains(harmless, name) })
}

// chunksAfter returns the names of the chunks after the samples; false = something
// else is there.
func (f *File) chunksAfter() (names []string, ok bool) {
	header := make([]byte, 8)
	for at := f.end + f.end%2; ; {
		n, _ := f.from.ReadAt(header, at)
		if n == 0 {
			return names, true
		}
		if n < len(header) || len(names) > mostChunks {
			return nil, false
		}
		names = append(names, string(header[:4]))
		length := int64(binary.LittleEndian.Uint32(header[4:]))
		if last, _ := f.from.ReadAt(header[:1], at+8+length-1); length > 0 && last == 0 {
			return nil, false // cut off
		}
		at += 8 + length + length%2
	}
}

// guidTail is the rest of the identifiers of codings, behind their number.
const guidTail = "\x00\x00\x00\x00\x10\x00\x80\x00\x00\xaa\x00\x38\x9b\x71"

// plainFormat reports whether all bits of the samples are in use, and the coding
// is one of Microsoft's.
func (f *File) plainFormat() bool {
	if binary.LittleEndian.Uint16(f.format) != extensible {
		return true
	}
	return len(f.format) >= 40 && int(binary.LittleEndian.Uint16(f.format[18:])) == f.Bits && strings.HasPrefix(string(f.format[26:]), guidTail)
}
