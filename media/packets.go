package media

import (
	"bytes"
	"cmp"
	"io"
	"math"
	"slices"
	"strconv"
	"time"
)

// backLeast is how far times go back where a second recording begins. Packets in
// another order than shown are closer to each other.
const backLeast = 500 * time.Millisecond

// A packet is what ffprobe prints of one, in ticks; missing where it has no
// such number.
type packet struct{ pts, dts, duration int64 }

const missing = math.MinInt64

// packetEntries are the fields of each packet.
const packetEntries = "packet=stream_index,pts,dts,duration,flags"

// packetReader gathers the lines of packets or frames from ffprobe's JSON, one
// line each, and keeps the rest.
type packetReader struct {
	tracks map[int]*track
	rest   bytes.Buffer // the document without its packets
	inside bool         // the list of packets
}

func (r *packetReader) read(from io.Reader) error {
	return eachLine(func(line []byte) error {
		switch {
		case bytes.HasPrefix(line, []byte(`    "packets": [`)), bytes.HasPrefix(line, []byte(`    "frames": [`)):
			r.inside = true
		case r.inside && bytes.HasPrefix(line, []byte(`    ]`)):
			r.inside = false
		case !r.inside && r.rest.Len() < probeOutputBytes:
			r.rest.Write(append(line, '\n'))
		case r.inside:
			r.packet(line)
		}
		return nil
	})(from)
}

// packet reads a line of one packet; other lines are of its side data.
func (r *packetReader) packet(line []byte) {
	index := field(line, "stream_index")
	if index == missing {
		return
	}
	t := r.tracks[int(index)]
	if t == nil {
		t = &track{first: missing, end: missing, most: missing}
		r.tracks[int(index)] = t
	}
	if bytes.Contains(line, []byte(`"flags": `)) {
		t.add(packet{field(line, "pts"), field(line, "dts"), field(line, "duration")}, hiddenPacket(line))
		return
	}
	// Of a frame. Its duration had another name before ffmpeg 5.1.
	lasting := max(field(line, "duration"), field(line, "pkt_duration"), 0)
	t.frame(field(line, "best_effort_timestamp"), lasting)
}

// hiddenPacket reports whether an edit list hides a packet.
func hiddenPacket(line []byte) bool {
	_, flags, _ := bytes.Cut(line, []byte(`"flags": "`))
	flags, _, _ = bytes.Cut(flags, []byte(`"`))
	return bytes.ContainsRune(flags, 'D')
}

// frame adds a frame.
func (t *track) frame(at, lasting int64) {
	if at == missing {
		t.undated = append(t.undated, lasting)
		return
	}
	t.shown = append(t.shown, shownAt{at, lasting})
}

// date gives times to the frames of a raw stream without any, as ffmpeg
// does: one after the other from 0 on. Where others have times, frames
// without one, such as the last of an AVI file with B-frames, are left out.
func (t *track) date() {
	if len(t.shown) > 0 {
		return
	}
	at := int64(0)
	for _, lasting := range t.undated {
		t.shown = append(t.shown, shownAt{at, lasting})
		at += lasting
	}
}

// field returns the integer of a name in a line of JSON, or missing.
func field(line []byte, name string) int64 {
	i := bytes.Index(line, []byte(`"`+name+`": `))
	if i < 0 {
		return missing
	}
	rest := line[i+len(name)+4:]
	n := 0
	for n < len(rest) && (rest[n] == '-' || rest[n] >= '0' && rest[n] <= '9') {
		n++
	}
	v, err := strconv.ParseInt(string(rest[:n]), 10, 64)
	if err != nil {
		return missing
	}
	return v
}

// A track gathers the packets of one stream. Times are in ticks.
type track struct {
	packets  int64
	shown    []shownAt // those with a time that no edit list hides
	timeless bool      // a packet that is shown has no time
	undated  []int64   // durations of frames without a time

	reordered bool // packets come in another order than they are shown

	first, end int64         // of what is shown
	held       int64         // how long all packets last together
	lasting    map[int64]int // how many packets last how long; a few durations
	most       int64         // the greatest time so far, by which packets are in order
	backs      []brk         // where it goes back; the first few
	ordered    bool          // there are times of decoding
}

type shownAt struct{ pts, duration int64 }

// A brk is a packet with a time before an earlier packet's.
type brk struct{ number, before, at int64 }

const (
	mostBacks     = 50
	mostDurations = 50
)

func (t *track) add(p packet, hidden bool) {
	t.packets++
	if hidden {
		return
	}
	t.follow(p)
	lasting := max(p.duration, 0)
	t.held += lasting
	if p.pts == missing {
		t.timeless = true
		if n := len(t.shown); n > 0 {
			t.shown[n-1].duration = 0 // when the next one with a time follows is not known
		}
		t.reach(p.dts, lasting)
		return
	}
	t.reordered = t.reordered || p.dts != missing && p.dts != p.pts
	if _, known := t.lasting[lasting]; known || len(t.lasting) < mostDurations {
		if t.lasting == nil {
			t.lasting = make(map[int64]int)
		}
		t.lasting[lasting]++
	}
	t.shown = append(t.shown, shownAt{p.pts, lasting})
	t.reach(p.pts, lasting)
}

// follow notes where times go back. Packets are in order by the times of
// decoding, if they have such.
func (t *track) follow(p packet) {
	if p.dts != missing && !t.ordered {
		t.ordered, t.most, t.backs = true, missing, nil
	}
	at := p.pts
	if t.ordered {
		at = p.dts
	}
	if at == missing {
		return
	}
	if t.most != missing && at < t.most && len(t.backs) < mostBacks {
		t.backs = append(t.backs, brk{t.packets, t.most, at})
	}
	t.most = max(t.most, at)
}

// reach extends the time that is covered by what is shown.
func (t *track) reach(at, lasting int64) {
	if at == missing {
		return
	}
	if t.first == missing {
		t.first = at
	}
	t.first, t.end = min(t.first, at), max(t.end, at+lasting)
}

// measure puts into s what its packets show.
func (t *track) measure(s *Stream) {
	s.Packets = t.packets
	if t.end == missing || !s.TimeBase.Known() {
		return
	}
	if s.startless {
		s.Start = durationOf(t.first, s.TimeBase)
	}
	s.Promised = s.Duration
	for _, b := range t.backs {
		if s.BackAt == 0 && durationOf(b.before-b.at, s.TimeBase) >= backLeast {
			s.BackAt = b.number
		}
	}
	measured := durationOf(t.end, s.TimeBase) - s.Start
	if s.BackAt > 0 {
		measured, s.Promised = durationOf(t.held, s.TimeBase), 0
	}
	// A header is more exact by the samples that an encoder adds.
	if off := measured - s.Duration; s.Duration <= 0 || off > headerSlack || off < -headerSlack {
		s.Duration = max(measured, 0)
	}
	if s.Kind == Audio {
		s.Uneven, s.Gaps = t.unevenness(s)
		if s.crowded {
			s.Duration = max(s.Duration, durationOf(t.held, s.TimeBase))
		}
	}
}

// headerSlack is how far a header may be from the counted length: encoders add a
// few packets that decoders leave out in part.
const headerSlack = 150 * time.Millisecond

// timeline lists frames in the order they are shown; nil if there are none.
func timelineOf(all []shownAt, base Rational, start time.Duration) *Timeline {
	if len(all) == 0 {
		return nil
	}
	t := &Timeline{Base: base, start: start}
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b shownAt) int { return cmp.Compare(a.pts, b.pts) })
	for i, a := range all {
		if i == 0 || a.pts != all[i-1].pts {
			t.PTS = append(t.PTS, a.pts)
		}
	}
	t.Last = durationOf(all[len(all)-1].duration, t.Base)
	if n := len(t.PTS); t.Last <= 0 && n > 1 {
		t.Last = (t.At(n-1) - t.At(0)) / time.Duration(n-1)
	}
	return t
}
