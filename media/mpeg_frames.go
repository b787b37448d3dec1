package media

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strconv"
	"time"
)

// mp3Clock are the ticks of MP3 in a second: a multiple of all its sampling rates.
const mp3Clock = 14112000

// walkMP3 lists the frames of an MP3 file as ffprobe does, without running it; nil =
// it is not simple enough: ID3 tags without a picture and nothing but frames of
// one form between them, as many and as long as the first one promises, if it is
// one of Xing's.
func walkMP3(path string, size int64) *probed {
	data := smallFile(path, size, ".mp3")
	if data == nil {
		return nil
	}
	return walkMP3Frames(data)
}

func walkMP3Frames(data []byte) *probed {
	frames, ok := withoutID3(data)
	first, known := readMPEGHeader(frames)
	if !ok || !known || first.bytes > len(frames) {
		return nil
	}
	delay, promised, isInfo := infoOf(frames[:first.bytes], first)
	if promised.odd {
		return nil
	}
	bytesOfFrames := int64(len(frames))
	if isInfo {
		frames = frames[first.bytes:]
	}
	tick := int64(mp3Clock / first.rate)
	t := &track{first: missing, end: missing, most: missing}
	for len(frames) > 0 {
		h, ok := readMPEGHeader(frames)
		if !ok || h.form != first.form || h.bytes > len(frames) {
			return nil
		}
		at := t.packets * first.samples * tick
		t.add(packet{at, at, first.samples * tick}, false)
		frames = frames[h.bytes:]
	}
	length := t.packets * first.samples * tick
	if t.packets < 2 || isInfo && (promised.frames != t.packets || promised.bytes != bytesOfFrames) {
		return nil
	}
	return first.probed(t, delay*tick, length, !isInfo)
}

// probed is what ffprobe would print.
func (h mpegHeader) probed(t *track, start, length int64, estimated bool) *probed {
	p := &probed{tracks: map[int]*track{0: t}, estimated: estimated}
	p.Streams = []probedStream{{
		Codec: "mp3", Kind: "audio", TimeBase: "1/" + strconv.Itoa(mp3Clock), StartPTS: &start, DurationPTS: length,
		SampleRate: strconv.Itoa(h.rate), Channels: h.channels, Average: "0/0",
	}}
	p.Format.Name = "mp3"
	tick := Rational{1, mp3Clock}
	clock := func(ticks int64) string { return seconds(durationOf(ticks, tick).Round(time.Microsecond)) }
	p.Format.Start, p.Format.Duration = clock(start), clock(length)
	return p
}

// withoutID3 leaves out the tags at both ends; false = there is a picture, or a tag
// is cut off.
func withoutID3(data []byte) ([]byte, bool) {
	if n := len(data) - 128; n >= 0 && bytes.HasPrefix(data[n:], []byte("TAG")) {
		data = data[:n]
	}
	if !bytes.HasPrefix(data, []byte("ID3")) {
		return data, true
	}
	const header, footer = 10, 0x10
	if len(data) < header || data[5]&footer != 0 {
		return nil, false
	}
	n := header
	for i, b := range data[6:header] {
		if b >= 0x80 {
			return nil, false
		}
		n += int(b) << (7 * (3 - i))
	}
	if n > len(data) || bytes.Contains(data[:n], []byte("PIC")) {
		return nil, false
	}
	return data[n:], true
}

// An mpegHeader is the header of a frame of layer III (ISO/IEC 11172-3, 2.4.1.3, and
// 13818-3; MPEG 2.5 halves the rates again).
type mpegHeader struct {
	rate, channels int
	samples        int64  // of each channel
	bytes          int    // of the frame
	side           int    // bytes from its start to its main data
	form           uint32 // bits that are equal in all frames of a file
}

// Kilobits a second by their code, of MPEG 1 and of MPEG 2 and 2.5.
var mpegBitRates = [2][16]int{
	{0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0},
	{0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0},
}

func readMPEGHeader(b []byte) (h mpegHeader, ok bool) {
	if len(b) < 4 {
		return h, false
	}
	const sync, layer3, mono = 0x7ff, 1, 3
	v := binary.BigEndian.Uint32(b)
	version, rate, mode := v>>19&3, int(v>>10&3), v>>6&3
	if v>>21 != sync || v>>17&3 != layer3 || version == 1 || rate == 3 {
		return h, false
	}
	h.rate, h.channels, h.samples = []int{44100, 48000, 32000}[rate], 2, 1152
	old := 0 // MPEG 1
	if version != 3 {
		old, h.samples = 1, 576
		h.rate /= 2
	}
	if version == 0 {
		h.rate /= 2
	}
	h.side = 4 + [2][2]int{{32, 17}, {17, 9}}[old][0]
	if mode == mono {
		h.channels = 1
		h.side = 4 + [2][2]int{{32, 17}, {17, 9}}[old][1]
	}
	bits := mpegBitRates[old][v>>12&15] * 1000
	h.bytes = int(h.samples)/8*bits/h.rate + int(v>>9&1)
	h.form = v&0xfffe0c00 | uint32(h.channels)
	return h, bits > 0 && h.bytes > h.side
}

// An infoPromise is what Xing's frame says of all others.
type infoPromise struct {
	frames, bytes int64
	odd           bool // it says it in a way that is left to ffprobe
}

// infoOf reads the first frame if it is one of Xing's, without sound, as LAME and
// ffmpeg write it. delay are the samples before the sound. The places are from
// LAME's specification of its tag, revision 1.
func infoOf(frame []byte, h mpegHeader) (delay int64, p infoPromise, isInfo bool) {
	if bytes.Contains(frame, []byte("VBRI")) {
		return 0, infoPromise{odd: true}, false
	}
	tag := frame[h.side:]
	if !bytes.HasPrefix(tag, []byte("Xing")) && !bytes.HasPrefix(tag, []byte("Info")) {
		return 0, p, false
	}
	const all, encoder, delays, decoder = 0x0f, 120, 141, 528 + 1
	if len(tag) < delays+3 || binary.BigEndian.Uint32(tag[4:]) != all || frame[1]&1 == 0 ||
		!slices.Contains([]string{"LAME", "Lavf", "Lavc"}, string(tag[encoder:encoder+4])) {
		return 0, infoPromise{odd: true}, true
	}
	p.frames, p.bytes = int64(binary.BigEndian.Uint32(tag[8:])), int64(binary.BigEndian.Uint32(tag[12:]))
	return int64(tag[delays])<<4 + int64(tag[delays+1])>>4 + decoder, p, true
}
