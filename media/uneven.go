package media

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"omniscope"
)

// Limits beyond which the times of sound are more than rounding.
const (
	// unevenLeast is how far packets of sound may be from where the ones before
	// end: ffmpeg is asked to correct more than that.
	unevenLeast = 15 * time.Millisecond
	// gapLeast is the shortest stretch without packets that is named.
	gapLeast = 50 * time.Millisecond
	// lastingShift is how many packets in a row are shifted where times leap or
	// drift. Where fewer are, times only jitter, and no sound is missing.
	lastingShift = 8
)

// unevenness reports whether times of sound are to be corrected, and where the
// file holds none, in its own clock. It compares the time of each packet with
// the lengths of all before: small steps add up. Where sound of more than a
// tenth of the length would be left out, the times are not believed.
func (t *track) unevenness(s *Stream) (uneven bool, gaps []omniscope.Span) {
	if t.reordered || len(t.shown) == 0 {
		return false, nil
	}
	lengths := t.lengths(s)
	offs := make([]time.Duration, len(t.shown))
	for i := 1; i < len(offs); i++ {
		offs[i] = offs[i-1] + durationOf(t.shown[i].pts-t.shown[i-1].pts, s.TimeBase) - lengths[i-1]
	}
	first := slices.Sorted(slices.Values(offs[:min(2*lastingShift, len(offs))]))
	base := first[(len(first)-1)/2]
	surplus, all := time.Duration(0), time.Duration(0)
	for _, length := range lengths {
		all += length
	}
	for i := range offs {
		next, least := offs[i:min(i+lastingShift, len(offs))], unevenLeast
		if len(next) < lastingShift {
			least = gapLeast - 1
		}
		if late := slices.Min(next) - base; late > least {
			uneven, base = true, base+late
			if at := durationOf(t.shown[i].pts, s.TimeBase); late >= gapLeast {
				gaps = append(gaps, omniscope.Span{Start: at - late, End: at})
			}
		} else if early := slices.Max(next) - base; early < -least {
			uneven, base = true, base+early
			surplus -= early
		}
	}
	if s.crowded = s.BackAt == 0 && surplus > all/10; s.crowded {
		return false, nil
	}
	return uneven, gaps
}

// equalPackets are codecs with packets that all, except the last, hold equally many
// samples. A longer one is followed by nothing: MP4 writes gaps so.
var equalPackets = append([]string{"opus", "alac", "flac"}, fixedPackets...)

// fixedPackets are those of which no packet holds fewer: a shorter one is
// followed too early, as where MP4 files were joined by copying.
var fixedPackets = []string{"aac", "mp3", "mp2", "ac3", "eac3", "amr_nb", "amr_wb", "dts"}

// lengths returns how long the sound of each packet lasts. Where that is not
// known exactly, a packet reaches to the next one, unless that is far away.
func (t *track) lengths(s *Stream) []time.Duration {
	equal, fixed, usual := slices.Contains(equalPackets, s.Codec), slices.Contains(fixedPackets, s.Codec), t.usual()
	all := make([]time.Duration, len(t.shown))
	for i, p := range t.shown {
		ticks := p.duration
		if equal && ticks > usual+1 || fixed && ticks > 0 && ticks < usual-1 {
			ticks = usual
		}
		all[i] = durationOf(ticks, s.TimeBase)
		if samples := samplesIn(ticks, equal, s); samples > 0 {
			all[i] = durationOf(samples, Rational{1, int64(s.SampleRate)})
		} else if i+1 < len(t.shown) {
			if step := durationOf(t.shown[i+1].pts-p.pts, s.TimeBase); ticks <= 0 || (step-all[i]).Abs() <= unevenLeast {
				all[i] = step
			}
		}
	}
	return all
}

// usual is how long most packets last, in ticks.
func (t *track) usual() int64 {
	usual, most := int64(math.MaxInt64-1), 0
	for lasting, n := range t.lasting {
		if lasting > 0 && (n > most || n == most && lasting < usual) {
			usual, most = lasting, n
		}
	}
	return usual
}

// packetSizes are the samples that packets of the usual codecs hold, and of PCM
// as most programs write it.
var packetSizes = []int64{120, 160, 240, 256, 320, 480, 512, 576, 768, 960, 1024, 1152, 1280, 1440, 1536, 1920, 2048, 2304, 2880, 3840, 4096, 4608, 8192}

// samplesIn returns the samples in a packet; 0 = not known. A length is known to
// one tick, which is a millisecond in Matroska, and recorders of MP4 write the
// time until the next packet instead.
func samplesIn(ticks int64, equal bool, s *Stream) int64 {
	if s.SampleRate <= 0 || ticks <= 0 || !equal && !strings.HasPrefix(s.Codec, "pcm_") {
		return 0
	}
	perTick := s.TimeBase.Float() * float64(s.SampleRate)
	about := float64(ticks) * perTick
	off := func(n int64) float64 { return math.Abs(float64(n) - about) }
	nearest := slices.MinFunc(packetSizes, func(a, b int64) int { return cmp.Compare(off(a), off(b)) })
	whole := int64(math.Round(about))
	switch {
	case off(nearest) < perTick && perTick > 1, equal && off(nearest) < about/50:
		return nearest
	case perTick <= 1 && off(whole) < 1e-6:
		return whole
	}
	return 0
}
