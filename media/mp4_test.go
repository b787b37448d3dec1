package media

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
)

// wantSameMP4 compares the facts and the packets that are read directly with those
// of ffprobe.
func wantSameMP4(t *testing.T, path string) {
	t.Helper()
	size, err := checkRegular(path)
	fixture.OK(t, err)
	got := walkMP4(path, size)
	if got == nil {
		t.Errorf("%s: left to ffprobe", filepath.Base(path))
		return
	}
	f, err := got.file(path, size)
	if err != nil {
		t.Error(err)
		return
	}
	want, err := probeByProgram(t.Context(), path, size)
	if err != nil {
		t.Error(err)
		return
	}
	if a, b := factsOf(f), factsOf(want); a != b {
		t.Errorf("%s:\n%s\nby ffprobe\n%s", filepath.Base(path), a, b)
	}
	if !reflect.DeepEqual(f.packets, want.packets) {
		t.Errorf("%s: other packets than those of ffprobe", filepath.Base(path))
	}
}

const tone = " -f lavfi -i sine=500:r=44100:d=1.5"

func TestPlainMP4IsReadDirectly(t *testing.T) {
	const film = "-f lavfi -i testsrc2=s=96x64:r=25:d=1.5"
	for name, source := range map[string]string{
		"b-frames.mp4":       film + tone + " -c:v libx264 -bf 3 -g 12 -c:a aac",
		"key frames.mp4":     film + tone + " -c:v libx264 -g 1 -c:a aac -ac 2",
		"no b-frames.mp4":    film + tone + " -c:v libx264 -bf 0 -c:a aac -movflags faststart",
		"odd size.mp4":       "-f lavfi -i testsrc2=s=90x50:r=30000/1001:d=1.2 -c:v libx264 -pix_fmt yuv420p",
		"full range.mp4":     film + " -c:v libx264 -pix_fmt yuvj420p",
		"sound.m4a":          tone + " -c:a aac -ac 2",
		"48 kHz.mp4":         "-f lavfi -i sine=300:r=48000:d=1 -c:a aac -metadata:s:a:0 language=deu",
		"sound is short.mp4": film + " -f lavfi -i sine=500:r=44100:d=0.7 -c:v libx264 -c:a aac",
	} {
		wantSameMP4(t, clips.Made(t, strings.ReplaceAll(name, " ", "_"), source))
	}
}

// Films that were cut by copying hide frames by their edits.
func TestMP4CutByCopying(t *testing.T) {
	whole := clips.Made(t, "whole.mp4", "-f lavfi -i testsrc2=s=96x64:r=25:d=3"+strings.Replace(tone, "1.5", "3", 1)+" -c:v libx264 -bf 2 -g 20 -c:a aac")
	for _, span := range []string{"-ss 0.5 -t 1.3", "-t 1.3", "-ss 0.81 -t 0.7"} {
		path := filepath.Join(t.TempDir(), "cut.mp4")
		args := append(clips.Fields(span), "-i", whole, "-c", "copy")
		fixture.OK(t, clips.MakeFile(path, args...))
		size, err := checkRegular(path)
		fixture.OK(t, err)
		if walkMP4(path, size) != nil { // what is left to ffprobe is right
			wantSameMP4(t, path)
		}
	}
}

func TestOddMP4IsLeftToFFprobe(t *testing.T) {
	const film = "-f lavfi -i testsrc2=s=96x64:r=25:d=1"
	plain, err := os.ReadFile(clips.Made(t, "plain.mp4", film+tone+" -c:v libx264 -c:a aac"))
	fixture.OK(t, err)
	moov := bytes.Index(plain, []byte("moov"))
	mdat := bytes.Index(plain, []byte("mdat"))
	zeros := bytes.Clone(plain)
	copy(zeros[mdat+4+(moov-mdat)/3:], make([]byte, 300))
	turned := bytes.Clone(plain)
	const toMatrix = 4 + 4 + 4*4 + 4 + 8 + 8 // behind the kind of the box
	copy(turned[bytes.Index(plain, []byte("tkhd"))+toMatrix:], "\xff\xff\x00\x00")
	changed := func(old, new string) []byte { return bytes.Replace(plain, []byte(old), []byte(new), 1) }
	contents := map[string][]byte{
		"cut off":      plain[:len(plain)*2/3],
		"cut in index": plain[:len(plain)-10],
		"more behind":  append(bytes.Clone(plain), 1, 2, 3),
		"zeros":        zeros,
		"turned":       turned,
		"other codec":  changed("avc1\x00\x00\x00\x00\x00\x00\x00\x01", "avc9\x00\x00\x00\x00\x00\x00\x00\x01"),
		"no parts":     changed("stsc", "stsx"),
		"two edits":    changed("elst\x00\x00\x00\x00\x00\x00\x00\x01", "elst\x00\x00\x00\x00\x00\x00\x00\x02"),
		"text":         []byte(strings.Repeat("not a film at all ", 100)),
	}
	for name, source := range map[string]string{
		"in fragments":  film + " -c:v libx264 -movflags frag_keyframe+empty_moov",
		"of 10 bits":    film + " -c:v libx264 -pix_fmt yuv420p10le",
		"other rate":    film + " -c:v libx264 -bsf:v h264_metadata=tick_rate=180000",
		"HDR":           film + " -c:v libx264 -color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc",
		"wide pixels":   film + " -c:v libx264 -aspect 2:1",
		"interlaced":    film + " -c:v libx264 -flags +ildct+ilme",
		"two tracks":    film + tone + " -map 0 -map 1 -map 1 -c:v libx264 -c:a aac",
		"two rates":     film + " -vf settb=1/1000,setpts=if(lt(N\\,10)\\,N*40\\,400+(N-10)*100) -fps_mode passthrough -c:v libx264",
		"MPEG-4":        film + " -c:v mpeg4",
		"MP3 inside":    tone + " -c:a libmp3lame",
		"rate of 22050": "-f lavfi -i sine=300:r=22050:d=1 -c:a aac",
		"late sound":    film + " -itsoffset 0.3" + tone + " -c:v libx264 -c:a aac",
	} {
		data, err := os.ReadFile(clips.Made(t, strings.ReplaceAll(name, " ", "_")+".mp4", source))
		fixture.OK(t, err)
		contents[name] = data
	}
	for name, content := range contents {
		if p := walkMP4Boxes(content); p != nil {
			t.Errorf("%s: read directly: %+v", name, p.Streams)
		}
	}
}

func FuzzMP4(f *testing.F) {
	f.Add([]byte("\x00\x00\x00\x10ftypisom\x00\x00\x02\x00\x00\x00\x00\x08mdat\x00\x00\x00\x08moov"))
	f.Fuzz(func(t *testing.T, content []byte) {
		if p := walkMP4Boxes(content); p != nil {
			for i, s := range p.Streams {
				if p.tracks[i].packets < 1 || s.DurationPTS <= 0 {
					t.Errorf("%+v", s)
				}
			}
		}
	})
}

// The number of samples and of entries is bounded by the bytes of the file.
func TestHostileTablesOfMP4(t *testing.T) {
	many := "\x00\x00\x00\x00\xff\xff\xff\xff"
	for name, read := range map[string]func(*mp4Track) bool{
		"sizes":   func(k *mp4Track) bool { return k.readSizes([]byte("\x00\x00\x00\x00\x00\x00\x00\x01\xff\xff\xff\xff")) },
		"times":   func(k *mp4Track) bool { return k.readTimes([]byte(many + "\xff\xff\xff\xff\x00\x00\x00\x01")) },
		"shown":   func(k *mp4Track) bool { return k.readShown([]byte(many + "\xff\xff\xff\xff\x00\x00\x00\x01")) },
		"keys":    func(k *mp4Track) bool { return k.readKeys([]byte(many + "\x00\x00\x00\x01")) },
		"offsets": func(k *mp4Track) bool { return k.readOffsets([]byte(many), []byte(many), nil) },
	} {
		if read(&mp4Track{sizes: []int64{1, 1}}) {
			t.Errorf("%s: read", name)
		}
	}
}

// Runs of chunks are {first chunk, samples of each, description}.
func TestSamplesOfChunks(t *testing.T) {
	for _, c := range []struct {
		name   string
		chunks int64
		runs   [][3]uint32
		want   []int64
	}{
		{"one run", 3, [][3]uint32{{1, 2, 1}}, []int64{2, 2, 2}},
		{"a shorter last chunk", 3, [][3]uint32{{1, 5, 1}, {3, 1, 1}}, []int64{5, 5, 1}},
		{"each chunk its own", 2, [][3]uint32{{1, 4, 1}, {2, 3, 1}}, []int64{4, 3}},
		{"no run", 2, nil, []int64{0, 0}},
		{"not from the first chunk", 2, [][3]uint32{{2, 4, 1}}, nil},
		{"a run behind the last chunk", 2, [][3]uint32{{1, 4, 1}, {3, 1, 1}}, nil},
		{"runs out of order", 3, [][3]uint32{{1, 4, 1}, {3, 1, 1}, {2, 1, 1}}, nil},
		{"a second description", 2, [][3]uint32{{1, 4, 1}, {2, 1, 2}}, nil},
	} {
		stsc := binary.BigEndian.AppendUint32(make([]byte, 4), uint32(len(c.runs)))
		for _, run := range c.runs {
			for _, v := range run {
				stsc = binary.BigEndian.AppendUint32(stsc, v)
			}
		}
		if got := samplesOfChunks(stsc, c.chunks); !slices.Equal(got, c.want) || (got == nil) != (c.want == nil) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	if got := samplesOfChunks([]byte{0, 0, 0, 0, 0, 0, 0, 9}, 2); got != nil {
		t.Errorf("a table that is cut off: %v", got)
	}
}
