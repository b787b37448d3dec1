package media

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
)

// mostSamples bounds the samples of a track that are listed.
const mostSamples = 1 << 20

// readSamples reads the tables of samples (ISO/IEC 14496-12, 8.6 and 8.7).
func (t *mp4Track) readSamples(stbl map[string][]byte) bool {
	return t.readSizes(stbl["stsz"]) && t.readTimes(stbl["stts"]) && t.readShown(stbl["ctts"]) && t.readKeys(stbl["stss"]) &&
		t.readOffsets(stbl["stsc"], stbl["stco"], stbl["co64"])
}

func (t *mp4Track) readSizes(b []byte) bool {
	n := mp4Reader{b: b}
	n.skip(4)
	each, count := n.u32(), n.u32()
	if n.short || count < 1 || count > mostSamples || each == 0 && int64(len(n.b)) != 4*count {
		return false
	}
	for range count {
		size := each
		if each == 0 {
			size = n.u32()
		}
		if size == 0 {
			return false
		}
		t.sizes = append(t.sizes, size)
	}
	return true
}

// readTimes reads the times of decoding: equal steps, except to the last sample's end.
func (t *mp4Track) readTimes(b []byte) bool {
	n := mp4Reader{b: b}
	n.skip(4)
	entries, count := n.u32(), n.u32()
	t.delta = n.u32()
	t.last = t.delta
	if entries == 2 {
		if n.u32() != 1 {
			return false
		}
		count, t.last = count+1, n.u32()
	}
	if n.short || len(n.b) > 0 || entries < 1 || entries > 2 || count != int64(len(t.sizes)) ||
		t.delta < 1 || t.delta > 1<<30 || t.last > t.delta {
		return false
	}
	for i := range count {
		t.dts = append(t.dts, i*t.delta)
	}
	t.stream.DurationPTS = min(t.stream.DurationPTS, (count-1)*t.delta+t.last)
	return true
}

// readShown reads how much later than it is decoded a sample is shown.
func (t *mp4Track) readShown(b []byte) bool {
	if b == nil {
		return true
	}
	n := mp4Reader{b: b}
	n.versioned()
	for range n.u32() {
		count, offset := n.u32(), n.u32()
		if n.short || count > int64(len(t.sizes)-len(t.shown)) || offset > 1<<30 {
			return false
		}
		t.shown = append(t.shown, slices.Repeat([]int64{offset}, int(count))...)
	}
	return len(t.shown) == len(t.sizes)
}

func (t *mp4Track) readKeys(b []byte) bool {
	if b == nil {
		return true
	}
	n := mp4Reader{b: b}
	n.skip(4)
	t.keys = make([]bool, len(t.sizes))
	for range n.u32() {
		at := n.u32()
		if n.short || at < 1 || at > int64(len(t.keys)) {
			return false
		}
		t.keys[at-1] = true
	}
	return t.keys[0]
}

// readOffsets finds the samples in their chunks.
func (t *mp4Track) readOffsets(stsc, stco, co64 []byte) bool {
	places, wide := mp4Reader{b: stco}, 4
	if stco == nil {
		places, wide = mp4Reader{b: co64}, 8
	}
	places.skip(4)
	chunks := places.u32()
	if int64(len(places.b)) != chunks*int64(wide) || chunks > mostSamples {
		return false
	}
	for _, n := range samplesOfChunks(stsc, chunks) {
		at := places.take(wide)
		for range n {
			i := len(t.offsets)
			if i == len(t.sizes) || at < 0 {
				return false
			}
			t.offsets, at = append(t.offsets, at), at+t.sizes[i]
		}
	}
	return len(t.offsets) == len(t.sizes)
}

// samplesOfChunks returns how many samples each chunk has (ISO/IEC 14496-12, 8.7.4); nil = the
// table is damaged, or names a further description of samples.
func samplesOfChunks(stsc []byte, chunks int64) (inChunk []int64) {
	n := mp4Reader{b: stsc}
	n.skip(4)
	entries := n.u32()
	if int64(len(n.b)) != entries*12 {
		return nil
	}
	each := int64(0)
	fill := func(to int64) {
		inChunk = append(inChunk, slices.Repeat([]int64{each}, int(to)-len(inChunk))...)
	}
	for i := range entries {
		first, samples, description := n.u32(), n.u32(), n.u32()
		if first <= int64(len(inChunk)) || first > chunks || i == 0 && first != 1 || description != 1 {
			return nil
		}
		fill(first - 1)
		each = samples
		fill(first)
	}
	fill(chunks)
	return inChunk
}

// packets lists the packets; nil = some are not in the file, or are not what they should
// be.
func (t *mp4Track) packets(data []byte, media [][2]int) *track {
	for i, at := range t.offsets {
		end := at + t.sizes[i]
		if !slices.ContainsFunc(media, func(m [2]int) bool { return at >= int64(m[0]) && end <= int64(m[1]) }) ||
			t.lengthBytes > 0 && !isAVC(data[at:end], t.lengthBytes) {
			return nil
		}
	}
	list := &track{first: missing, end: missing, most: missing}
	if !t.edited {
		if t.shown != nil {
			return nil
		}
		for i, at := range t.dts {
			list.add(packet{at, at, t.lasting(t.dts, i)}, false)
		}
		return list
	}
	times, from, hidden := t.edit()
	t.stream.DurationPTS = min(t.stream.DurationPTS, t.editTime)
	if times == nil {
		return nil
	}
	for i, at := range times {
		p := packet{at, at, t.lasting(times, i)}
		if t.shown != nil {
			p.pts, p.duration = at+t.shown[from+i], t.delta
		}
		list.add(p, hidden[i])
	}
	return list
}

// lasting is the duration of a packet: up to the next one, or the end of the track.
func (t *mp4Track) lasting(times []int64, i int) int64 {
	next := t.stream.DurationPTS
	if t.edited {
		next = min(next, t.editTime)
	}
	if i+1 < len(times) {
		next = times[i+1]
	}
	if next <= times[i] {
		return t.delta
	}
	return next - times[i]
}

// edit applies the edit as ffmpeg does: it returns the times of decoding of the samples from
// a key frame on, and which of them are outside the edit. nil = no sample is
// inside.
func (t *mp4Track) edit() (times []int64, from int, hidden []bool) {
	if t.stream.Kind == "video" {
		from = t.keyBefore(t.editFrom)
	} else if t.editFrom >= t.scale { // then ffmpeg looks for a sample a second earlier
		return nil, 0, nil
	}
	first, at, hidden := t.inEdit(from)
	if first < 0 {
		return nil, 0, nil
	}
	least := int64(math.MaxInt64) // the first time of a sample inside
	for k := range hidden {
		times = append(times, at+t.delta*int64(k-first))
		if !hidden[k] {
			least = min(least, times[k]+t.shownAt(from+k)-t.dts[from+k])
		}
	}
	for k := range times {
		times[k] -= max(0, least)
	}
	return times, from, hidden
}

// inEdit returns in hidden which samples, starting with sample from, are outside the edit. It
// stops after the first key frame past the edit's end, or after the second one if samples are
// reordered. first is the index in hidden of the first sample inside (-1 = all are outside), and
// at is its time, which is negative for a sound sample that the edit cuts.
func (t *mp4Track) inEdit(from int) (first int, at int64, hidden []bool) {
	end, keysLeft := t.editFrom+t.editTime, 1
	if t.shown != nil {
		keysLeft = 2
	}
	first = -1
	for i := from; i < len(t.dts) && keysLeft > 0; i++ {
		shown, lasts := t.shownAt(i), t.delta
		if i+1 == len(t.dts) {
			lasts = t.editTime
		}
		cut := t.stream.Kind != "video" && shown < t.editFrom && shown+lasts > t.editFrom
		inside := cut || shown >= t.editFrom && shown < end
		if inside && first < 0 {
			first, at = len(hidden), min(0, shown-t.editFrom)
		}
		hidden = append(hidden, !inside)
		if shown+lasts >= end && t.isKey(i) {
			keysLeft--
		}
	}
	return first, at, hidden
}

func (t *mp4Track) isKey(i int) bool { return t.keys == nil || t.keys[i] }

// shownAt is when a sample is shown, before edits.
func (t *mp4Track) shownAt(i int) int64 {
	if t.shown == nil {
		return t.dts[i]
	}
	return t.dts[i] + t.shown[i]
}

// keyBefore is the last key frame that is decoded and shown at a time or before, or the
// first.
func (t *mp4Track) keyBefore(at int64) int {
	for i := len(t.dts) - 1; i > 0; i-- {
		if t.isKey(i) && t.dts[i] <= at && t.shownAt(i) <= at {
			return i
		}
	}
	return 0
}

// isAVC reports whether a sample is a row of units of H.264 (ISO/IEC 14496-15, 5.3.2)
// without bytes that no unit contains (ITU-T H.264, 7.4.1).
func isAVC(sample []byte, lengthBytes int) bool {
	for len(sample) > 0 {
		n := mp4Reader{b: sample}
		size := n.take(lengthBytes)
		if n.short || size < 1 || size > int64(len(n.b)) {
			return false
		}
		unit := n.b[:size]
		const first, last = 1, 20
		if kind := unit[0] & 31; unit[0] >= 0x80 || kind < first || kind > last || hasForbidden(unit) {
			return false
		}
		sample = n.b[size:]
	}
	return true
}

// hasForbidden looks for two zero bytes before a byte smaller than 3.
func hasForbidden(unit []byte) bool {
	for {
		i := bytes.Index(unit, []byte{0, 0})
		if i < 0 || i+2 >= len(unit) {
			return false
		}
		if unit[i+2] < 3 {
			return true
		}
		unit = unit[i+1:]
	}
}

// avcParameters returns the only sequence parameter set of the configuration of H.264
// (ISO/IEC 14496-15, 5.3.3), and the bytes of the length of a unit; nil = it is of
// another form.
func avcParameters(avcC []byte) (set []byte, lengthBytes int) {
	if len(avcC) < 9 || avcC[0] != 1 || avcC[5]&31 != 1 {
		return nil, 0
	}
	size := int(binary.BigEndian.Uint16(avcC[6:]))
	if size > len(avcC)-8 {
		return nil, 0
	}
	return avcC[8 : 8+size], int(avcC[4]&3) + 1
}
