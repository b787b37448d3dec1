package signal

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/golden"
	"omniscope/internal/testing/need"
)

// Folders of real recordings.
const (
	mediaFolder       = "media"
	calibrationFolder = "sound_calibration"
)

// needs skips the test unless the folder and the decoder are there.
func needs(t *testing.T, folder string) {
	t.Helper()
	golden.Path(t, folder)
	need.FFmpeg(t)
}

// A recording is decoded PCM at its native rate.
type recording struct {
	rate, channels int
	pcm            []float32
}

func (r recording) facts(t *testing.T) Facts { return measure(t, r.rate, r.channels, r.pcm) }

// with replaces the sound.
func (r recording) with(pcm []float32) recording { return recording{r.rate, r.channels, pcm} }

// mono keeps the first channel.
func (r recording) mono() recording {
	out := recording{rate: r.rate, channels: 1}
	for i := 0; i < len(r.pcm); i += r.channels {
		out.pcm = append(out.pcm, r.pcm[i])
	}
	return out
}

// decode reads an audio stream; stream is ffmpeg's, such as a:0.
func decode(t *testing.T, file, stream string) recording {
	t.Helper()
	text, err := exec.Command("ffprobe", "-v", "error", "-select_streams", stream,
		"-show_entries", "stream=sample_rate,channels", "-of", "csv=p=0", file).Output()
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	line, _, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
	rate, channels, _ := strings.Cut(strings.TrimSpace(line), ",")
	var r recording
	r.rate, _ = strconv.Atoi(rate)
	r.channels, _ = strconv.Atoi(strings.Trim(channels, ","))
	r.pcm = decodePCM(t, file, stream)
	return r
}

func decodePCM(t *testing.T, file, stream string) []float32 {
	t.Helper()
	raw, err := exec.Command("ffmpeg", "-v", "error", "-i", file, "-map", "0:"+stream, "-f", "f32le", "-").Output()
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return samples(raw)
}

func samples(raw []byte) []float32 {
	out := make([]float32, len(raw)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
	}
	return out
}

// media decodes a file of the media folder, the wideband stream of the one that
// has two.
func media(t *testing.T, name string) recording {
	t.Helper()
	stream := "a:0"
	if name == "nasa_13013.mp4" {
		stream = "a:1"
	}
	return decode(t, golden.Path(t, mediaFolder, name), stream)
}

var (
	spoken   = []string{"jfk.flac", "libri_198-209-0000.ogg", "libri_3436-172162-0000.ogg", "austen_0870.wav", "countdown.mp3", "nasa_13013.mp4"}
	muted    = []string{"flower.mp4", "intel_car-detection.mp4"}
	unspoken = []string{"bbb_trailer.webm", "tos_battle.webm", "smpte_2997.mp4", "sintel_2s_letterbox.mp4", "voices_around_fire.mp3",
		"hungarian_dance_5.ogg", "vibe_ace.ogg", "solo_trumpet_90bpm.ogg", "humpback.ogg", "esc10_rain.ogg", "esc10_dog.ogg",
		"esc10_clock.ogg", "esc10_baby.ogg", "esc10_rooster.ogg", "esc10_helicopter.ogg", "esc10_waves.ogg"}
)

func TestLongRecordings(t *testing.T) {
	needs(t, mediaFolder)
	facts := make(map[string]Facts)
	for _, name := range slices.Concat(spoken, muted, unspoken) {
		f := media(t, name).facts(t)
		facts[name] = f
		t.Logf("%-28s %5.1f s  RMS %6.1f peak %5.1f floor %6.1f  edge %5.0f Hz -%2.0f dB  clip %3.0f ppm  balance %4.1f corr %5.2f  hum %2.0f %4.1f %-5v  tempo %5.1f (%.2f)  onsets %3d bursts %2d silences %2d  steadiness %4.1f  pitch %3.0f (%.2f)  speech %.2f (%2.0f %%)",
			name, f.Duration.Seconds(), f.Level.RMS, f.Level.Peak, f.Level.Floor, f.Band.Edge, f.Band.Drop, f.Clipping.PPM, f.Stereo.Balance, f.Stereo.Correlation,
			f.Hum.Base, f.Hum.Excess, f.Hum.Present, f.Tempo.BPM, f.Tempo.Pulse, len(f.Onsets.Times), len(f.Bursts.Spans), len(f.Silences.Spans),
			f.Texture.Steadiness, f.Pitch.Median, f.Pitch.Share, f.Speech.Peak, 100*f.Speech.Share)
		for _, h := range f.Hints {
			t.Logf("    %.2f %s: consistent with %s", h.Sure, h.Texture, strings.Join(h.ConsistentWith, ", "))
		}
	}
	for _, name := range muted {
		if f := facts[name]; !f.Silences.All || f.Level.Digital != 1 || f.Speech.Present {
			t.Errorf("%s is digitally silent: %+v", name, f)
		}
	}
	for _, name := range unspoken {
		if f := facts[name]; f.Speech.Present {
			t.Errorf("%s: speech was heard, %+v", name, f.Speech)
		}
	}
	about(t, "balance of vibe_ace", facts["vibe_ace.ogg"].Stereo.Balance, 4.7, 0.1)
	about(t, "tempo of vibe_ace", facts["vibe_ace.ogg"].Tempo.BPM, 129.5, 0.6)
	about(t, "tempo of the beeps", facts["smpte_2997.mp4"].Tempo.BPM, 120, 0.2)
	about(t, "ticks a second", facts["esc10_clock.ogg"].Repeats.Rate, 1, 0.05)
	about(t, "pitch of the low reader", facts["austen_0870.wav"].Pitch.Median, 107, 8)
	about(t, "step in jfk near the line at 15.7 kHz", facts["jfk.flac"].Band.Edge, 15700, 400)
	about(t, "codec edge of humpback", facts["humpback.ogg"].Band.Edge, 18800, 300)
	if h := facts["jfk.flac"].Hum; !h.Present || h.Base != 60 {
		t.Errorf("the comb at 60 Hz in jfk: %+v", h)
	}
	if f := facts["tos_battle.webm"]; f.Clipping.PPM == 0 || f.Level.Peak < 0 {
		t.Errorf("tos_battle clips: %+v, peak %.1f", f.Clipping, f.Level.Peak)
	}
	if n := len(facts["countdown.mp3"].Silences.Spans); n != 10 {
		t.Errorf("%d gaps in the countdown, want 10", n)
	}
	if f := facts["solo_trumpet_90bpm.ogg"]; f.Tempo.Known {
		t.Errorf("5 s of trumpet have a tempo: %+v", f.Tempo)
	}
	if h := facts["esc10_rain.ogg"].Hints; len(h) == 0 || !slices.Contains(h[0].ConsistentWith, "rain") {
		t.Errorf("rain: %+v", h)
	}
}

// Speech is looked for in every spoken recording as it is, and as it would be
// louder, quieter, noisier, in a narrow band and with the other's rate.
func TestLongSpeechInRecordings(t *testing.T) {
	needs(t, mediaFolder)
	worse := []struct {
		name string
		make func(recording) recording
		most int // recordings that may be missed; isolated numbers always are
	}{
		{"as it is", func(r recording) recording { return r }, 1},
		{"20 dB lower", func(r recording) recording { return r.with(gain(r.pcm, -20)) }, 1},
		{"12 dB higher, clipped", func(r recording) recording { return r.with(limited(gain(r.pcm, 12))) }, 1},
		{"white noise 20 dB below", func(r recording) recording { return noisier(t, r, 20) }, 2},
		{"white noise 10 dB below", func(r recording) recording { return noisier(t, r, 10) }, 6},
		{"first 4 s", func(r recording) recording { return r.with(r.pcm[:4*r.rate*r.channels]) }, 2},
		{"8 kHz", func(r recording) recording { return reencoded(t, r, "-ar", "8000") }, 1},
		{"44.1 kHz", func(r recording) recording { return reencoded(t, r, "-ar", "44100") }, 1},
	}
	recordings := make(map[string]recording)
	for _, name := range spoken {
		recordings[name] = media(t, name)
	}
	for _, w := range worse {
		missed := 0
		var peaks []string
		for _, name := range spoken {
			f := w.make(recordings[name]).facts(t)
			if !f.Speech.Present {
				missed++
			}
			peaks = append(peaks, strconv.FormatFloat(f.Speech.Peak, 'f', 2, 64))
		}
		t.Logf("%-24s heard in %d of %d: %s", w.name, len(spoken)-missed, len(spoken), strings.Join(peaks, " "))
		if missed > w.most {
			t.Errorf("%s: missed in %d, at most %d expected", w.name, missed, w.most)
		}
	}
}

func noisier(t *testing.T, r recording, below float64) recording {
	m := r.mono()
	level := m.facts(t).Level.RMS
	return m.with(mix(m.pcm, noise(m.rate, float64(len(m.pcm))/float64(m.rate), 20, 0.5*float64(m.rate), level-below, 3)))
}

// reencoded sends a recording through ffmpeg.
func reencoded(t *testing.T, r recording, options ...string) recording {
	t.Helper()
	raw := make([]byte, 0, 4*len(r.pcm))
	for _, v := range r.pcm {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
	}
	file := filepath.Join(t.TempDir(), "sound.mka")
	args := append([]string{"-v", "error", "-f", "f32le", "-ar", strconv.Itoa(r.rate), "-ac", strconv.Itoa(r.channels), "-i", "-"}, options...)
	cmd := exec.Command("ffmpeg", append(args, file)...)
	cmd.Stdin = bytes.NewReader(raw)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("ffmpeg: %v: %s", err, text)
	}
	return decode(t, file, "a:0")
}

func TestLossyCodecEdge(t *testing.T) {
	needs(t, mediaFolder)
	x := recording{44100, 2, stereo(noise(44100, 6, 20, 22050, -20, 1), noise(44100, 6, 20, 22050, -20, 2))}
	for _, c := range []struct {
		rate string
		edge float64
	}{{"64k", 11000}, {"128k", 16800}} {
		f := reencoded(t, x, "-c:a", "libmp3lame", "-b:a", c.rate).facts(t)
		t.Logf("MP3 at %s: %.0f Hz, %.0f dB", c.rate, f.Band.Edge, f.Band.Drop)
		about(t, "edge of MP3 at "+c.rate, f.Band.Edge, c.edge, 400)
	}
}

func TestLouderRecordingsClip(t *testing.T) {
	needs(t, mediaFolder)
	for _, name := range []string{"jfk.flac", "countdown.mp3"} {
		r, before := media(t, name), -1.0
		for _, db := range []float64{0, 3, 6, 12} {
			ppm := r.with(limited(gain(r.pcm, db))).facts(t).Clipping.PPM
			t.Logf("%-22s %+3.0f dB: %6.0f ppm", name, db, ppm)
			if db == 0 && ppm != 0 || ppm <= before {
				t.Errorf("%s at %+.0f dB: %.0f ppm after %.0f", name, db, ppm, before)
			}
			before = ppm
		}
	}
}

func TestLongHumUnderRecordedSpeech(t *testing.T) {
	needs(t, mediaFolder)
	for _, name := range spoken {
		r := media(t, name).mono()
		length := float64(len(r.pcm)) / float64(r.rate)
		clean := r.facts(t).Hum
		for _, level := range []float64{-40, -50} {
			h := r.with(mix(r.pcm, comb(r.rate, length, 50, level))).facts(t).Hum
			t.Logf("%-28s clean %4.1f dB %-5v  50 Hz at %.0f dBFS: %2.0f Hz %4.1f dB %v, pauses %v", name, clean.Excess, clean.Present, level, h.Base, h.Excess, h.Present, h.Pauses)
			// jfk hums at 60 Hz by itself; nasa has music under the voice.
			if level == -40 && name != "jfk.flac" && name != "nasa_13013.mp4" && (!h.Present || h.Base != 50) {
				t.Errorf("%s: hum at %.0f dBFS: %+v", name, level, h)
			}
		}
	}
}

// labelled are the files of the calibration set by label.
func labelled(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile(golden.Path(t, calibrationFolder, "MANIFEST.json"))
	fixture.OK(t, err)
	var manifest struct {
		Files []struct{ File, Label string }
	}
	fixture.OK(t, json.Unmarshal(text, &manifest))
	out := make(map[string][]string)
	for _, f := range manifest.Files {
		out[f.Label] = append(out[f.Label], f.File)
	}
	return out
}

// decodeClips decodes clips of the calibration set with one call: all are 5 s
// at 44100 Hz, and starting ffmpeg takes longer than decoding one.
func decodeClips(t *testing.T, files []string) (clips [][]float32) {
	t.Helper()
	const length = 5 * 44100
	args := []string{"-v", "error"}
	var filter strings.Builder
	for i, file := range files {
		args = append(args, "-i", golden.Path(t, calibrationFolder, file))
		fmt.Fprintf(&filter, "[%d:a]apad,atrim=end_sample=%d[c%d];", i, length, i)
	}
	for i := range files {
		fmt.Fprintf(&filter, "[c%d]", i)
	}
	fmt.Fprintf(&filter, "concat=n=%d:v=0:a=1", len(files))
	args = append(args, "-filter_complex", filter.String(), "-f", "f32le", "-")
	raw, err := exec.Command("ffmpeg", args...).Output()
	fixture.OK(t, err)
	all := samples(raw)
	if len(all) != length*len(files) {
		t.Fatalf("%d clips have %d samples, want %d each", len(files), len(all), length)
	}
	for at := 0; at < len(all); at += length {
		clips = append(clips, all[at:at+length])
	}
	return clips
}

func TestLongNoSpeechInNature(t *testing.T) {
	needs(t, calibrationFolder)
	all, heard, sure := 0, 0, 0
	files := labelled(t)
	for _, label := range slices.Sorted(maps.Keys(files)) {
		hints := make(map[string]int)
		for i, clip := range decodeClips(t, files[label]) {
			file, f := files[label][i], measure(t, 44100, 1, clip)
			all++
			if f.Speech.Present {
				heard++
				t.Logf("%s (%s): speech %.2f", file, label, f.Speech.Peak)
			}
			if f.Speech.Peak >= 0.75 {
				sure++
			}
			for _, h := range f.Hints {
				hints[h.Texture]++
			}
		}
		t.Logf("%-15s %3d clips: %v", label, len(files[label]), hints)
	}
	t.Logf("speech was heard in %d of %d clips, surely in %d", heard, all, sure)
	if heard > 2 || sure > 0 {
		t.Errorf("speech in %d clips, surely in %d", heard, sure)
	}
}
