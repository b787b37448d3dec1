package media

import (
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
)

// piped is a file as ffmpeg writes it to a pipe: it has no length.
func piped(t *testing.T, format, args string) string {
	t.Helper()
	all := append([]string{"-v", "error", "-nostdin"}, clips.Fields(args)...)
	data, err := exec.CommandContext(t.Context(), "ffmpeg", append(all, "-f", format, "pipe:1")...).Output()
	fixture.OK(t, err)
	path := filepath.Join(t.TempDir(), "piped."+format)
	fixture.OK(t, os.WriteFile(path, data, 0o600))
	return path
}

// Lengths come from the packets, not from headers.
func TestLengthsAreCounted(t *testing.T) {
	need.FFmpeg(t)
	const noise = "-f lavfi -i aevalsrc=random(0)-0.5:s=44100:d=20 "
	subtitles := filepath.Join(t.TempDir(), "late.srt")
	fixture.OK(t, os.WriteFile(subtitles, []byte("1\n00:00:01,000 --> 00:01:05,000\nLate\n"), 0o600))
	for _, c := range []struct {
		name, path   string
		end, audible float64
	}{
		{"WebM of a browser", piped(t, "webm", film8+beeps8+both+"-c:v libvpx -deadline realtime -cpu-used 8 -c:a libopus"), 8, 8},
		{"sound in WebM of a browser", piped(t, "webm", beeps8+"-c:a libopus"), 8, 8},
		{"FLV of a stream", piped(t, "flv", film8+beeps8+both+h264+"-ar 44100 -c:a aac"), 8, 8},
		{"raw AAC of unequal bit rate", clips.Made(t, "a.aac", "-f lavfi -i aevalsrc='if(lt(t\\,10)\\,random(0)-0.5\\,0)':d=30:s=44100 -c:a aac"), 30, 30},
		{"MP3 of unequal bit rate without a header", clips.Made(t, "a.mp3", "-f lavfi -i aevalsrc='if(lt(t\\,2)\\,0\\,random(0)-0.5)':d=20:s=44100 -c:a libmp3lame -q:a 2 -write_xing 0"), 20, 20},
		{"a film with short sound", clips.Made(t, "short.mkv", "-f lavfi -i testsrc2=s=64x48:r=10:d=30 -f lavfi -i sine=d=3:r=48000 "+both+h264+"-c:a aac"), 30, 3},
		{"subtitles beyond the end", clips.Made(t, "subs.mkv", film8+beeps8+"-i "+subtitles+" -map 0 -map 1 -map 2 "+h264+"-c:a libopus -c:s srt"), 8, 8},
		{"a WAV with a false size", piped(t, "wav", noise+"-c:a pcm_s16le"), 20, 20},
		{"raw H.264", clips.Made(t, "a.h264", film8+h264), 8, 0},
	} {
		f := probedFile(t, c.path)
		if got := f.End().Seconds(); math.Abs(got-c.end) > 0.1 {
			t.Errorf("%s ends at %.2f s, not %g", c.name, got, c.end)
		}
		if span := f.SoundSpan(); math.Abs(span.End.Seconds()-c.audible) > 0.1 {
			t.Errorf("the sound of %s ends at %v, not %g s", c.name, span.End, c.audible)
		}
		if whole, why := f.Whole(); !whole {
			t.Errorf("%s: %s", c.name, why)
		}
		if c.audible == 0 {
			continue
		}
		if heard, err := Speech(t.Context(), f, omniscope.Span{}, io.Discard); err != nil || len(heard.Warnings) > 0 {
			t.Errorf("%s: %v, %+v", c.name, err, heard)
		}
	}
}

func TestFilesThatAreCutOff(t *testing.T) {
	sound := "-f lavfi -i aevalsrc=0.3*random(0):s=44100:d=10 "
	for name, args := range map[string]string{
		"a.wav": sound, "a.w64": sound, "a.caf": sound, "a.aiff": sound, "a.au": sound, "a.flac": sound, "a.wv": sound, "a.tta": sound,
		"a.wma": sound + "-c:a wmav2", "a.mp3": sound + "-c:a libmp3lame",
		"a.m4a": sound + "-c:a aac -movflags +faststart", "a.webm": sound + "-c:a libopus",
		"a.mp4": film8 + h264 + "-movflags +faststart", "a.mkv": film8 + h264, "a.avi": film8 + "-c:v mpeg4",
	} {
		path := clips.Made(t, name, args)
		if whole, why := probedFile(t, path).Whole(); !whole {
			t.Errorf("%s is complete: %s", name, why)
		}
		truncated(t, path, 0.5)
		if whole, _ := probedFile(t, path).Whole(); whole {
			t.Errorf("half of %s is taken for complete", name)
		}
	}
	// A copied cut holds more than it shows, and less than a header counts.
	long := clips.Made(t, "long.mp4", film8+beeps8+both+h264+"-g 250 -c:a aac")
	cut := clips.Made(t, "cut.mp4", "-ss 3.3 -i "+long+" -c copy -t 4")
	if whole, why := probedFile(t, cut).Whole(); !whole {
		t.Errorf("a copied cut: %s", why)
	}
}

// The film is shown, and not its cover, however large that is.
func TestChosenVideo(t *testing.T) {
	track := func(width int, packets int64, seconds float64, isDefault bool) Stream {
		return Stream{Kind: Video, Width: width, Height: width / 2, Packets: packets, Duration: time.Duration(seconds * float64(time.Second)), Default: isDefault}
	}
	coded := func(codec string, s Stream) Stream { s.Codec = codec; return s }
	cover := track(4000, 1, 0, false)
	cover.Cover = true
	for _, c := range []struct {
		name    string
		streams []Stream
		want    int
	}{
		{"a cover", []Stream{cover, track(320, 200, 8, false)}, 1},
		{"a cover that lost its flag", []Stream{track(1280, 1, 0.04, false), track(320, 200, 8, true)}, 1},
		{"a picture that is the default", []Stream{track(1280, 1, 8, true), track(320, 200, 8, false)}, 1},
		{"thumbnails, one each second", []Stream{track(1280, 8, 8, false), track(320, 240, 8, false)}, 1},
		{"thumbnails, two each second, as JPEG", []Stream{coded("mjpeg", track(640, 16, 8, false)), coded("h264", track(320, 80, 8, false))}, 1},
		{"slides and a small camera", []Stream{coded("h264", track(1280, 40, 8, true)), coded("h264", track(320, 200, 8, false))}, 0},
		{"a film of JPEG and a preview", []Stream{coded("mjpeg", track(1280, 200, 8, false)), coded("h264", track(320, 240, 8, false))}, 0},
		{"a larger introduction", []Stream{track(1280, 25, 1, false), track(320, 64, 8, true)}, 1},
		{"a larger introduction without defaults", []Stream{track(1280, 25, 1, false), track(320, 64, 8, false)}, 1},
		{"two sizes of one film", []Stream{track(320, 200, 8, true), track(1280, 200, 8, false)}, 1},
		{"two angles, one the default", []Stream{track(320, 200, 8, false), track(320, 200, 8, true)}, 1},
		{"a single picture", []Stream{track(320, 1, 1, false)}, 0},
		{"two pictures", []Stream{track(320, 1, 1, false), track(640, 1, 1, false)}, 1},
	} {
		f := &File{Streams: c.streams}
		if f.choose(); f.Video != &f.Streams[c.want] {
			t.Errorf("%s: chose %+v", c.name, f.Video)
		}
	}
}

// Frames are shown though the picture changes its size, though the recording
// begins amid a group of pictures, and though frames have no time of their own.
func TestFramesOfHardFiles(t *testing.T) {
	part := func(name, size string, codec string) string {
		return clips.Made(t, name, "-f lavfi -i testsrc2=s="+size+":r=25:d=2 "+codec)
	}
	sizes := joined(t, "sizes.h264", part("a.h264", "128x96", h264), part("b.h264", "96x64", h264))
	remuxed := filepath.Join(t.TempDir(), "sizes.ts")
	clips.Make(t, remuxed, "-r", "25", "-i", sizes, "-c", "copy")
	amid := filepath.Join(t.TempDir(), "amid.ts")
	whole := part("whole.ts", "128x96", h264+"-g 30 -bf 0")
	data, err := os.ReadFile(whole)
	fixture.OK(t, err)
	head := data[:188*3] // what describes the stream
	fixture.OK(t, os.WriteFile(amid, append(append([]byte{}, head...), data[len(data)/4/188*188:]...), 0o600))
	for name, path := range map[string]string{
		"the size changes":          remuxed,
		"it begins amid a group":    amid,
		"AVI with B-frames":         part("b.avi", "128x96", "-c:v mpeg4 -bf 2"),
		"AVI of H.264 with B":       part("c.avi", "128x96", h264+"-bf 2"),
		"raw H.264":                 part("d.h264", "128x96", h264+"-bf 2"),
		"MPEG-1 with B-frames":      part("e.mpg", "128x96", "-c:v mpeg1video -bf 2"),
		"raw MPEG-2 with B-frames":  part("f.m2v", "128x96", "-c:v mpeg2video -bf 2"),
		"interlaced, of two fields": part("g.ts", "128x96", "-vf tinterlace=interleave_top,fieldorder=tff -c:v mpeg2video -flags +ilme+ildct"),
	} {
		t.Run(name, func(t *testing.T) {
			f := probedFile(t, path)
			s, err := Frames(t.Context(), f, Policy{Frames: 8}, omniscope.Span{}, "")
			fixture.OK(t, err)
			if len(s.Frames) != 8 {
				t.Fatalf("%d of 8 frames: %v", len(s.Frames), s.Warnings)
			}
			there, err := f.decodedFrames(t.Context())
			fixture.OK(t, err)
			known := make(map[int64]bool)
			for _, pts := range there.pts {
				known[pts] = true
			}
			for _, frame := range s.Frames {
				if !known[frame.PTS] || frame.Time != f.TimeOf(frame.PTS) || len(frame.JPEG) == 0 {
					t.Errorf("a frame at %d (%v), which no decoder gives", frame.PTS, frame.Time)
				}
			}
			if moved := strings.Contains(strings.Join(s.Warnings, ""), "the nearest ones are taken"); moved != (s.Moved > 0) {
				t.Errorf("%d frames are moved; warnings %q", s.Moved, s.Warnings)
			}
		})
	}
}
