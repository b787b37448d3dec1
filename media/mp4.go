package media

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// mostWalked is the size above which an MP4 or MP3 file is left to ffprobe: it is read
// into memory, which takes as long as to start a program.
const mostWalked = 32 << 20

// walkMP4 lists the packets of an MP4 or QuickTime file as ffprobe does, without running
// it; nil = it is not simple enough: a complete file with one track of H.264 or one of
// AAC, or both, of equally long packets, each in one edit.
func walkMP4(path string, size int64) *probed {
	data := smallFile(path, size, ".mp4", ".m4a", ".m4v", ".mov")
	if data == nil {
		return nil
	}
	return walkMP4Boxes(data)
}

// smallFile reads a file if its name has one of some endings. It returns nil if the name has another ending, or if the
// file is too large, cannot be read or changes.
func smallFile(path string, size int64, endings ...string) []byte {
	if size > mostWalked || !slices.Contains(endings, strings.ToLower(filepath.Ext(path))) {
		return nil
	}
	data, err := os.ReadFile(path)
	if err != nil || int64(len(data)) != size {
		return nil
	}
	return data
}

func walkMP4Boxes(data []byte) *probed {
	var moov []byte
	var media [][2]int // where samples may be
	at := 0
	if !eachBox(data, func(kind string, body []byte) bool {
		from := at
		at = cap(data) - cap(body) + len(body)
		switch kind {
		case "moov":
			first := moov == nil
			moov = body
			return first
		case "mdat":
			media = append(media, [2]int{at - len(body), at})
			return from > 0
		case "ftyp":
			return from == 0
		}
		return from > 0 && slices.Contains([]string{"free", "skip", "wide"}, kind)
	}) || moov == nil {
		return nil
	}
	// A cover becomes a stream, and this text changes where sound begins.
	if bytes.Contains(moov, []byte("covr")) || bytes.Contains(moov, []byte("iTunSMPB")) {
		return nil
	}
	return probedMP4(data, moov, media)
}

// probedMP4 is what ffprobe would print.
func probedMP4(data, moov []byte, media [][2]int) *probed {
	var movie *mp4Reader
	var bodies [][]byte
	if !eachBox(moov, func(kind string, body []byte) bool {
		switch kind {
		case "mvhd":
			movie = &mp4Reader{b: body}
		case "trak":
			bodies = append(bodies, body)
		default:
			return kind == "udta" || kind == "iods" || kind == "free"
		}
		return true
	}) || movie == nil || len(bodies) == 0 {
		return nil
	}
	scale, length, ok := movie.clock()
	movie.skip(16)
	if !ok || !movie.upright() || movie.short {
		return nil
	}
	p := &probed{tracks: make(map[int]*track)}
	for i, body := range bodies {
		t := &mp4Track{movieScale: scale}
		if !t.read(body) || slices.ContainsFunc(p.Streams, func(s probedStream) bool { return s.Kind == t.stream.Kind }) {
			return nil
		}
		packets := t.packets(data, media)
		if packets == nil {
			return nil
		}
		t.stream.Index = i
		p.Streams = append(p.Streams, t.stream)
		p.tracks[i] = packets
	}
	micro := rescaled(length, 1e6, scale)
	p.Format.Name, p.Format.Start = "mov,mp4,m4a,3gp,3g2,mj2", "0.000000"
	p.Format.Duration = fmt.Sprintf("%d.%06d", micro/1e6, micro%1e6)
	return p
}

// rescaled is v*to/from, rounded to the nearest integer, half-way cases upwards.
func rescaled(v, to, from int64) int64 {
	if v > 1<<31 || to > 1<<30 {
		return -1 // no short file has such numbers
	}
	return (v*to + from/2) / from
}

// An mp4Track is a track as its boxes describe it. Times are in its own ticks.
type mp4Track struct {
	movieScale int64
	stream     probedStream
	scale      int64 // ticks of a second

	lengthBytes int     // of the lengths in samples of H.264
	sizes       []int64 // of the samples
	offsets     []int64 // in the file
	dts         []int64
	delta, last int64   // ticks from one sample to the next, and to the end of the last one
	shown       []int64 // ticks from dts to pts; nil = none
	keys        []bool  // nil = all

	edited             bool
	editFrom, editTime int64
}

// read reads the boxes of a track; false = others than the usual ones.
func (t *mp4Track) read(trak []byte) bool {
	boxes := boxesOf(trak, "tkhd", "edts", "mdia", "udta")
	head := mp4Reader{b: boxes["tkhd"]}
	flags, wide := head.versioned()
	head.skip(2*wide + 8 + wide + 16)
	if !head.upright() || head.short {
		return false
	}
	t.stream.Disposition.Default = int(flags & 1)
	mdia := boxesOf(boxes["mdia"], "mdhd", "hdlr", "minf")
	kind := mp4Reader{b: mdia["hdlr"]}
	kind.skip(8)
	handler := kind.u32()
	if kind.short || !t.readClock(mdia["mdhd"]) {
		return false
	}
	minf := boxesOf(mdia["minf"], "vmhd", "smhd", "hdlr", "dinf", "stbl")
	if !ownData(minf["dinf"]) || !t.readEdits(boxes["edts"], boxes != nil) {
		return false
	}
	stbl := boxesOf(minf["stbl"], "stsd", "stts", "ctts", "stss", "stsc", "stsz", "stco", "co64", "sdtp", "sgpd", "sbgp")
	if stbl == nil || !t.readSamples(stbl) {
		return false
	}
	switch handler {
	case 'v'<<24 | 'i'<<16 | 'd'<<8 | 'e':
		_, grouped := stbl["sbgp"] // which may name key frames
		return !grouped && t.readVideo(stbl["stsd"])
	case 's'<<24 | 'o'<<16 | 'u'<<8 | 'n':
		return t.keys == nil && t.shown == nil && t.readAudio(stbl["stsd"])
	}
	return false
}

// readClock reads mdhd: the ticks of a second, the duration and the language (ISO/IEC 14496-12, 8.4.2).
func (t *mp4Track) readClock(mdhd []byte) bool {
	n := mp4Reader{b: mdhd}
	var ok bool
	t.scale, t.stream.DurationPTS, ok = n.clock()
	letters := n.take(2)
	t.stream.Tags.Language = string([]byte{byte(letters>>10) + 0x60, byte(letters>>5&31) + 0x60, byte(letters&31) + 0x60})
	t.stream.TimeBase, t.stream.StartPTS = "1/"+strconv.FormatInt(t.scale, 10), new(int64)
	const oldest = 0x400 // smaller codes are the Macintosh's
	return ok && !n.short && t.scale <= 1<<30 && letters >= oldest && letters != 0x7fff
}

// ownData reports whether the samples are in the file itself.
func ownData(dinf []byte) bool {
	n := mp4Reader{b: boxesOf(dinf, "dref")["dref"]}
	n.skip(4)
	entries := n.u32()
	n.skip(8)
	return entries == 1 && n.u32() == 1 && !n.short
}

// readEdits reads an edit list; false = it has more than one edit, or an empty one.
func (t *mp4Track) readEdits(edts []byte, ok bool) bool {
	if edts == nil {
		return ok
	}
	n := mp4Reader{b: boxesOf(edts, "elst")["elst"]}
	_, wide := n.versioned()
	entries, length, from, rate := n.u32(), n.take(wide), n.take(wide), n.u32()
	t.edited, t.editFrom, t.editTime = true, from, rescaled(length, t.scale, t.movieScale)
	return !n.short && entries == 1 && from >= 0 && from < 1<<31 && rate == 1<<16 && t.editTime > 0
}

// readVideo reads the description of H.264.
func (t *mp4Track) readVideo(stsd []byte) bool {
	entry, ok := sampleEntry(stsd, "avc1", 78)
	if !ok {
		return false
	}
	n := mp4Reader{b: entry[24:28]}
	width, height := int(n.take(2)), int(n.take(2))
	boxes := boxesOf(entry[78:], "avcC", "pasp", "btrt", "colr")
	set, lengthBytes := avcParameters(boxes["avcC"])
	h, ok := readSPS(set)
	rate := reduced(t.scale, t.delta)
	if !ok || h.width != width || h.height != height || t.last != t.delta || h.rate.Known() && h.rate != rate {
		return false
	}
	pasp, square := boxes["pasp"]
	if square && !sameSides(pasp) {
		return false
	}
	if colr, has := boxes["colr"]; has && !sameColours(colr, h) {
		return false
	}
	s := &t.stream
	s.Kind, s.Codec, s.Width, s.Height, s.Transfer = "video", "h264", width, height, h.transfer
	if square || h.square {
		s.Aspect = "1:1"
	}
	if h.fullRange {
		s.Range = "pc"
	}
	s.Average = rate.String()
	t.lengthBytes = lengthBytes
	return true
}

// sameSides reports whether a box pasp describes square pixels.
func sameSides(pasp []byte) bool {
	n := mp4Reader{b: pasp}
	across, down := n.u32(), n.u32()
	return across == down && across > 0 && !n.short
}

func reduced(num, den int64) Rational {
	a, b := num, den
	for b > 0 {
		a, b = b, a%b
	}
	return Rational{num / a, den / a}
}

// sampleEntry returns the only description of samples, of a format, if it is longer
// than a number of bytes.
func sampleEntry(stsd []byte, format string, longer int) (entry []byte, ok bool) {
	n := mp4Reader{b: stsd}
	n.skip(4)
	if n.u32() != 1 || n.short {
		return nil, false
	}
	boxes := boxesOf(n.b, format)
	entry = boxes[format]
	return entry, len(entry) > longer
}

// readAudio reads the description of AAC (ISO/IEC 14496-14, 5.6, and 14496-1, 7.2.6).
func (t *mp4Track) readAudio(stsd []byte) bool {
	entry, ok := sampleEntry(stsd, "mp4a", 28)
	if !ok || entry[8] != 0 || entry[9] != 0 { // a version of QuickTime's
		return false
	}
	esds := boxesOf(entry[28:], "esds", "btrt")["esds"]
	n := mp4Reader{b: esds}
	n.skip(4)
	const stream, decoder, config, aac = 3, 4, 5, 0x40
	if n.descriptor() != stream {
		return false
	}
	n.skip(2)
	if n.take(1) != 0 || n.descriptor() != decoder || n.take(1) != aac {
		return false
	}
	n.skip(12)
	if n.descriptor() != config || n.short || len(n.b) < 2 {
		return false
	}
	s := &t.stream
	s.Kind, s.Codec, s.Average = "audio", "aac", "0/0"
	rate, channels, ok := aacConfig(n.b)
	s.SampleRate, s.Channels = strconv.Itoa(rate), channels
	return ok && t.delta == 1024 && t.scale == int64(rate)
}

// descriptor reads the tag of a descriptor, and leaves the reader in it.
func (n *mp4Reader) descriptor() (tag int64) {
	tag = n.take(1)
	length := int64(0)
	for more := true; more && !n.short; {
		v := n.take(1)
		length, more = length<<7|v&0x7f, v >= 0x80
	}
	if int64(len(n.b)) < length {
		n.short = true
		return 0
	}
	if tag == 5 {
		n.b = n.b[:length]
	}
	return tag
}

// aacRates are sampling rates by their index (ISO/IEC 14496-3, table 1.18). Slower ones
// may be doubled by what is found in the sound.
var aacRates = map[int]int{0: 96000, 1: 88200, 2: 64000, 3: 48000, 4: 44100, 5: 32000}

// aacConfig reads the configuration of AAC LC of one or two channels without
// extensions (ISO/IEC 14496-3, 1.6.2).
func aacConfig(b []byte) (rate, channels int, ok bool) {
	v := int(b[0])<<8 | int(b[1])
	object, index, channels, rest := v>>11, v>>7&15, v>>3&15, v&7
	rate = aacRates[index]
	if len(b) > 2 && !bytes.HasPrefix(b[2:], []byte("\x56\xe5\x00")) { // "no extension", as ffmpeg writes
		return 0, 0, false
	}
	return rate, channels, object == 2 && rate > 0 && (channels == 1 || channels == 2) && rest == 0
}
