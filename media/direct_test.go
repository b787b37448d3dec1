package media

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
)

// A riff makes WAV files of noise.
type riff struct {
	coding, channels, rate, bits int
	frames                       int
	mask                         uint32 // with a header that can be extended; 0 = without
	valid                        int    // bits that are in use; 0 = all
	before, after                []string
	promised                     int     // bytes of samples by the header; 0 = as many as there are
	loud                         float64 // of floating-point samples; 0 = 1.2
	begin                        string  // instead of noise
}

func (r riff) bytes(random *rand.Rand) []byte {
	frame := r.channels * r.bits / 8
	samples := make([]byte, r.frames*frame)
	for i := range samples {
		samples[i] = byte(random.Uint32())
	}
	if r.coding == 3 {
		for i := 0; i < len(samples); i += r.bits / 8 {
			v := (2*random.Float64() - 1) * max(r.loud, 1.2)
			if r.bits == 32 {
				binary.LittleEndian.PutUint32(samples[i:], math.Float32bits(float32(v)))
			} else {
				binary.LittleEndian.PutUint64(samples[i:], math.Float64bits(v))
			}
		}
	}
	copy(samples, r.begin)
	coding := r.coding
	if r.mask > 0 {
		coding = 0xfffe
	}
	var format []byte
	for _, v := range []any{uint16(coding), uint16(r.channels), uint32(r.rate), uint32(r.rate * frame), uint16(frame), uint16(r.bits)} {
		format, _ = binary.Append(format, binary.LittleEndian, v)
	}
	if r.mask > 0 {
		valid := r.bits
		if r.valid > 0 {
			valid = r.valid
		}
		for _, v := range []any{uint16(22), uint16(valid), r.mask, uint16(r.coding)} {
			format, _ = binary.Append(format, binary.LittleEndian, v)
		}
		format = append(format, "\x00\x00\x00\x00\x10\x00\x80\x00\x00\xaa\x00\x38\x9b\x71"...)
	}
	body := chunkOf("fmt ", format)
	for _, name := range r.before {
		body = append(body, chunkOf(name, []byte("adtl\x01\x02\x03"))...)
	}
	data := chunkOf("data", samples)
	if r.promised > 0 {
		binary.LittleEndian.PutUint32(data[4:], uint32(r.promised))
	}
	body = append(body, data...)
	for _, name := range r.after {
		body = append(body, chunkOf(name, []byte("INFOISFT\x06\x00\x00\x00Lavf59\x00\x00")[:12])...)
	}
	return append(append([]byte("RIFF"), binary.LittleEndian.AppendUint32(nil, uint32(4+len(body)))...), append([]byte("WAVE"), body...)...)
}

func chunkOf(name string, content []byte) []byte {
	c := append([]byte(name), binary.LittleEndian.AppendUint32(nil, uint32(len(content)))...)
	return append(append(c, content...), make([]byte, len(content)%2)...)
}

func (r riff) String() string {
	return strings.ReplaceAll(fmt.Sprintf("%d_%dch_%d_%dbit_%d_%x_%v_%v_%d", r.coding, r.channels, r.rate, r.bits, r.frames, r.mask, r.before, r.after, r.promised), " ", "-")
}

// forms are the codings and widths that are read without ffmpeg.
var forms = [][2]int{{1, 8}, {1, 16}, {1, 24}, {1, 32}, {3, 32}, {3, 64}, {6, 8}, {7, 8}}

// wavs are files of all forms, and whether ffprobe is needed for them.
func wavs() (direct, others []riff) {
	for _, form := range forms {
		for channels := 1; channels <= 2; channels++ {
			r := riff{coding: form[0], bits: form[1], channels: channels, rate: 16000, frames: 16000}
			direct = append(direct, r)
			r.frames, r.before, r.after = 4097, []string{"LIST"}, []string{"LIST"}
			direct = append(direct, r)
			r.frames, r.mask = 1, []uint32{4, 3}[channels-1]
			direct = append(direct, r)
			r.frames, r.loud, r.mask, r.before, r.after = 5000, 1e30, 0, []string{"bext", "PEAK"}, nil
			direct = append(direct, r)
			r.rate, r.frames, r.after = 44100, 3*44100, []string{"cue "}
			direct = append(direct, r)
			r.rate, r.frames, r.promised = 16000, 5001, 1<<20
			others = append(others, r)
		}
		for _, channels := range []int{3, 6, 8} {
			direct = append(direct, riff{coding: form[0], bits: form[1], channels: channels, rate: 16000, frames: 3000})
		}
		direct = append(direct, riff{coding: form[0], bits: form[1], channels: 12, rate: 16000, frames: 3000}) // by ffmpeg, and equal
	}
	s16 := riff{coding: 1, bits: 16, channels: 1, rate: 16000, frames: 20000}
	for _, change := range []func(*riff){
		func(r *riff) { r.after = []string{"id3 "} },
		func(r *riff) { r.after = []string{"data"} },
		func(r *riff) { r.before = []string{"what"} },
		func(r *riff) { r.before = []string{"fmt "} },
		func(r *riff) { r.promised = 1 << 31 },
		func(r *riff) { r.promised = math.MaxUint32 },
		func(r *riff) { r.promised = 1000 },
		func(r *riff) { r.mask, r.valid, r.bits = 4, 20, 24 },
		func(r *riff) { r.begin = "\xfe\x7f\x01\x80\x00\x00" },
		func(r *riff) { r.begin = "\x72\xf8\x1f\x4e\x01\x00\x00\x60\x0b\x77" },
		func(r *riff) { r.begin = "\x00\x00\x0b\x77" },
		func(r *riff) { r.channels, r.mask = 2, 4|8 },
		func(r *riff) { r.mask = 1 },
	} {
		r := s16
		change(&r)
		others = append(others, r)
	}
	return direct, others
}

// readByPrograms is what ffprobe and ffmpeg make of a file.
func readByPrograms(t *testing.T, path string, span omniscope.Span) (facts string, samples []byte) {
	t.Helper()
	size, err := checkRegular(path)
	fixture.OK(t, err)
	f, err := probeByProgram(t.Context(), path, size)
	if err != nil {
		return err.Error(), nil
	}
	var tap speechTap
	var pcm bytes.Buffer
	tap.w, tap.most = &pcm, spanFrames(span, SpeechRate)
	if _, err := listen(t.Context(), f, span, speechOutput(f.soundFrom(span, f.spanStart(span)), 1), tap.read); err != nil {
		return err.Error(), nil
	}
	return factsOf(f), pcm.Bytes()
}

func factsOf(f *File) string {
	text, _ := json.Marshal(f)
	return string(text)
}

// wantSame compares what is read directly with what programs make of it.
func wantSame(t *testing.T, path string, spans ...omniscope.Span) {
	t.Helper()
	for _, span := range append(spans, omniscope.Span{}) {
		facts, samples := readByPrograms(t, path, span)
		f, err := Probe(t.Context(), path)
		if err != nil {
			if err.Error() != facts {
				t.Errorf("%s: %v, and by programs %s", path, err, facts)
			}
			return
		}
		if got := factsOf(f); got != facts {
			t.Errorf("%s:\n%s\nby programs\n%s", path, got, facts)
		}
		var pcm bytes.Buffer
		if _, err := Speech(t.Context(), f, span, &pcm); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		if got := pcm.Bytes(); !bytes.Equal(got, samples) {
			t.Errorf("%s, span %v: %d bytes, by programs %d: %s", filepath.Base(path), span, len(got), len(samples), firstDifference(got, samples))
		}
	}
}

func firstDifference(a, b []byte) string {
	for i := 0; i+1 < min(len(a), len(b)); i += 2 {
		if a[i] != b[i] || a[i+1] != b[i+1] {
			return fmt.Sprintf("sample %d is %d, not %d", i/2, int16(binary.LittleEndian.Uint16(a[i:])), int16(binary.LittleEndian.Uint16(b[i:])))
		}
	}
	return "one is longer"
}

// TestLongDirectSound compares all files, TestDirectSound one of each form.
func TestLongDirectSound(t *testing.T) {
	direct, others := wavs()
	wantSameWAVs(t, append(direct, others...))
}

func TestDirectSound(t *testing.T) {
	direct, others := wavs()
	wantSameWAVs(t, append(every(direct, 6), every(others, 6)...))
}

func every(all []riff, n int) (some []riff) {
	for i := 0; i < len(all); i += n {
		some = append(some, all[i])
	}
	return some
}

func wantSameWAVs(t *testing.T, all []riff) {
	need.FFmpeg(t)
	random, folder := rand.New(rand.NewPCG(1, 2)), t.TempDir()
	for i, r := range all {
		path := filepath.Join(folder, fmt.Sprintf("%d_%v.wav", i, r))
		fixture.OK(t, os.WriteFile(path, r.bytes(random), 0o600))
		if r.frames == 16000 {
			wantSame(t, path, omniscope.Span{End: 200 * time.Millisecond}, omniscope.Span{Start: 100 * time.Millisecond}, omniscope.Span{Start: 123456 * time.Microsecond, End: 345678 * time.Microsecond})
		} else {
			wantSame(t, path)
		}
	}
}

// Files that are read without a program, and others. With no programs in PATH the
// others cannot be read.
func TestWhatIsReadDirectly(t *testing.T) {
	direct, others := wavs()
	random, folder := rand.New(rand.NewPCG(3, 4)), t.TempDir()
	flac := clips.Made(t, "sound.flac", "-f lavfi -i anoisesrc=r=16000:d=1.3 -ac 2 -c:a flac")
	t.Setenv("PATH", "")
	if f, err := Probe(t.Context(), flac); err != nil {
		t.Error(err)
	} else if _, err := Speech(t.Context(), f, omniscope.Span{}, &bytes.Buffer{}); err != nil {
		t.Error(err)
	}
	reads := func(name string, r riff) bool {
		path := filepath.Join(folder, name+".wav")
		fixture.OK(t, os.WriteFile(path, r.bytes(random), 0o600))
		f, err := Probe(t.Context(), path)
		if err != nil {
			return false
		}
		_, err = Speech(t.Context(), f, omniscope.Span{}, &bytes.Buffer{})
		return err == nil
	}
	for i, r := range direct {
		if want := r.channels <= 2 && r.rate == SpeechRate && !(r.coding == 3 && r.loud > 1e9); reads(fmt.Sprint("direct", i), r) != want {
			t.Errorf("%v: read directly %v, want %v", r, !want, want)
		}
	}
	for i, r := range others {
		if reads(fmt.Sprint("other", i), r) {
			t.Errorf("%v: read directly, and ffmpeg may see it in another way", r)
		}
	}
}

func TestDirectFLAC(t *testing.T) {
	for _, form := range []string{"s16", "s32"} {
		for channels := 1; channels <= 3; channels++ {
			for _, options := range []string{"", "-compression_level 12 ", "-bits_per_raw_sample 20 -strict -2 "} {
				path := clips.Made(t, "sound.flac", fmt.Sprintf("-f lavfi -i anoisesrc=r=16000:d=1.3:a=0.7 -f lavfi -i sine=300:r=16000:d=1.3 "+
					"-filter_complex [0][1]amerge -ac %d -sample_fmt %s -c:a flac %s", channels, form, options))
				wantSame(t, path, omniscope.Span{Start: 250 * time.Millisecond, End: 900 * time.Millisecond})
			}
		}
	}
	noise := "-f lavfi -i anoisesrc=r=16000:d=1.3:a=0.7 "
	for name, options := range map[string]string{
		"silence":         "-f lavfi -i anullsrc=r=16000:d=1.3",
		"full noise":      "-f lavfi -i aevalsrc='2*random(0)-1|2*random(1)-1:s=16000:d=1.3'",
		"wasted bits":     noise + "-af aformat=s16 -sample_fmt s32",
		"steps":           noise + "-af acrusher=bits=4:mix=1:mode=lin:aa=0 -sample_fmt s16",
		"fixed":           noise + "-af lowpass=300 -lpc_type fixed",
		"order 32":        noise + "-af lowpass=300 -lpc_type cholesky -min_prediction_order 32 -max_prediction_order 32 -lpc_coeff_precision 15",
		"left and side":   noise + "-ac 2 -ch_mode left_side",
		"side and right":  noise + "-ac 2 -ch_mode right_side",
		"middle and side": noise + "-ac 2 -ch_mode mid_side -sample_fmt s32",
		"short frames":    noise + "-frame_size 16",
		"partitions":      "-f lavfi -i sine=300:r=16000:d=1.3,tremolo=f=9:d=1 -frame_size 4096 -min_partition_order 8 -max_partition_order 8",
		"24 kHz":          "-f lavfi -i anoisesrc=r=24000:d=1.3:a=0.7",
	} {
		path := clips.Made(t, strings.ReplaceAll(name, " ", "_")+".flac", options+" -c:a flac")
		if f := (&File{Path: path}); !f.ReadDirect() {
			t.Errorf("%s: left to ffprobe", name)
		}
		wantSame(t, path)
	}
	// A file that is cut off, one with a cover, and one with a false length.
	whole := clips.Made(t, "whole.flac", "-f lavfi -i anoisesrc=r=16000:d=2:a=0.7 -c:a flac")
	data, err := os.ReadFile(whole)
	fixture.OK(t, err)
	lying := bytes.Clone(data)
	lying[25] ^= 1
	for name, content := range map[string][]byte{"cut.flac": data[:len(data)*2/3], "lying.flac": lying} {
		path := filepath.Join(t.TempDir(), name)
		fixture.OK(t, os.WriteFile(path, content, 0o600))
		wantSame(t, path)
	}
	wantSame(t, clips.Made(t, "cover.flac", "-f lavfi -i anoisesrc=r=16000:d=1:a=0.7 -f lavfi -i testsrc2=s=64x64:d=0.04 -map 0 -map 1 -c:v png -disposition:v attached_pic -c:a flac"))
}

func TestDirectMP3(t *testing.T) {
	for _, c := range []struct{ rate, options string }{
		{"44100", "-ac 2 -q:a 2"}, {"16000", "-ac 1 -b:a 64k -write_id3v1 1 -id3v2_version 3"}, {"8000", "-ac 1 -b:a 32k -write_xing 0"},
		{"48000", "-ac 2 -abr 1 -b:a 48k -joint_stereo 0"}, {"22050", "-ac 2 -b:a 40k -reservoir 0"},
	} {
		path := clips.Made(t, "sound.mp3", "-f lavfi -i anoisesrc=r="+c.rate+":d=0.9:a=0.3 -c:a libmp3lame "+c.options)
		if f := (&File{Path: path}); !f.ReadDirect() {
			t.Errorf("%v: left to ffprobe", c)
		}
		wantSame(t, path)
	}
}

func TestOddMP3IsLeftToFFprobe(t *testing.T) {
	data, err := os.ReadFile(clips.Made(t, "sound.mp3", "-f lavfi -i anoisesrc=r=16000:d=1.5:a=0.3 -c:a libmp3lame -b:a 32k"))
	fixture.OK(t, err)
	picture := clips.Made(t, "cover.mp3", "-f lavfi -i anoisesrc=r=16000:d=1:a=0.7 -f lavfi -i testsrc2=s=64x64:d=0.04 -map 0 -map 1 -c:v png -id3v2_version 3 -c:a libmp3lame")
	cover, err := os.ReadFile(picture)
	fixture.OK(t, err)
	for name, content := range map[string][]byte{
		"cut off in a frame":  data[:len(data)-50],
		"cut off at a frame":  data[:len(data)-288],
		"joined":              append(bytes.Clone(data), data...),
		"more at the end":     append(bytes.Clone(data), "APETAGEX and more"...),
		"text":                []byte(strings.Repeat("not sound at all ", 100)),
		"tag alone":           []byte("ID3\x04\x00\x00\x00\x00\x00\x00"),
		"tag that is cut off": append([]byte("ID3\x04\x00\x00\x7f\x7f\x7f\x7f"), data...),
		"picture":             cover,
	} {
		path := filepath.Join(t.TempDir(), strings.ReplaceAll(name, " ", "_")+".mp3")
		fixture.OK(t, os.WriteFile(path, content, 0o600))
		if f := (&File{Path: path}); f.ReadDirect() {
			t.Errorf("%s: read directly: %s", name, factsOf(f))
		}
	}
}

func FuzzMP3(f *testing.F) {
	frame := append([]byte{0xff, 0xf3, 0x28, 0xc0}, make([]byte, 140)...) // MPEG 2, 16 kbit/s, 16 kHz, mono
	f.Add(bytes.Repeat(frame, 3))
	f.Fuzz(func(t *testing.T, content []byte) {
		if p := walkMP3Frames(content); p != nil {
			if s := p.Streams[0]; p.tracks[0].packets < 2 || s.DurationPTS <= 0 || s.Channels < 1 {
				t.Errorf("%+v", s)
			}
		}
	})
}
