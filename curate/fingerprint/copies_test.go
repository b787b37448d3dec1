package fingerprint

import (
	"testing"
	"time"

	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/golden"
	"omniscope/internal/testing/need"
	"omniscope/media"
)

// made returns a clip that ffmpeg makes with one thread.
func made(t testing.TB, name, args string) string {
	t.Helper()
	return clips.Made(t, name, args+" -threads 1")
}

// taken is a probed file and its fingerprint.
func taken(t testing.TB, path string) (*media.File, *Fingerprint) {
	t.Helper()
	f, err := media.Probe(t.Context(), path)
	fixture.OK(t, err)
	p, err := of(t.Context(), f)
	fixture.OK(t, err)
	return f, p
}

// match compares two files and confirms what is found.
func match(t testing.TB, f *media.File, x *Fingerprint, b string) Match {
	t.Helper()
	g, y := taken(t, b)
	m, err := Confirm(t.Context(), f, g, compare(x, y))
	fixture.OK(t, err)
	return m
}

// clip makes five seconds of invented picture and sound, other ones for another seed: blocks that change each second,
// and noise whose colour changes all the time.
func clip(t testing.TB, name, seed string) string {
	return made(t, name, "-f lavfi -i life=s=20x15:rate=1:seed="+seed+",scale=160:120:flags=neighbor,fps=5 "+
		"-f lavfi -i anoisesrc=d=5:seed="+seed+":r=16000:a=0.5 -af tremolo=f=3:d=0.9,aphaser=speed=0.7:decay=0.6,lowpass=2500 -t 5 "+
		"-c:v libx264 -preset ultrafast -crf 20 -c:a aac -b:a 96k")
}

func TestCopiesAreFound(t *testing.T) {
	whole := clip(t, "whole.mp4", "71")
	f, print := taken(t, whole)
	for _, c := range []struct {
		name, args string
		kind       Kind
		offset     time.Duration
	}{
		{"other container", "-c copy -f mov", SameSound, 0},
		{"recoded and scaled", "-vf scale=128:96 -c:v libx264 -crf 32 -preset ultrafast -c:a libmp3lame -b:a 48k -f matroska", Pictures, 0},
		{"sound alone, at 48 kb/s", "-vn -c:a libmp3lame -b:a 48k -f matroska", Sounds, 0},
		{"sound alone, cut and louder", "-vn -ss 1 -t 4 -af volume=1.5 -c:a aac -b:a 48k -f matroska", Sounds, time.Second},
	} {
		copied := made(t, "copy.mkv", "-i "+whole+" "+c.args)
		m := match(t, f, print, copied)
		if m.Kind != c.kind || (m.Offset-c.offset).Abs() > 130*time.Millisecond {
			t.Errorf("%s: %+v, want %s at %v", c.name, m, c.kind, c.offset)
		}
	}
}

func TestOtherClipsAreNone(t *testing.T) {
	f, print := taken(t, clip(t, "a.mp4", "71"))
	b := clip(t, "b.mp4", "32")
	if m := match(t, f, print, b); m.Found() {
		t.Errorf("clips of other picture and sound: %+v", m)
	}
	// Sound that the acoustic fingerprint takes for the same is not confirmed if its samples differ.
	g, _ := taken(t, b)
	m, err := Confirm(t.Context(), f, g, Match{Kind: Sounds, Score: 0.9})
	if err != nil || m.Found() {
		t.Errorf("other sound: %+v, %v, want no match", m, err)
	}
	m, err = Confirm(t.Context(), f, f, Match{Kind: Sounds, Score: 0.9})
	if err != nil || m.Score < 0.99 {
		t.Errorf("the same sound: %+v, %v, want correlation 1", m, err)
	}
}

func TestFingerprintsAreRemembered(t *testing.T) {
	path := made(t, "a.wav", "-f lavfi -i anoisesrc=d=4:seed=5:r=16000")
	_, want := taken(t, path)
	m := &Memory{Dir: t.TempDir()}
	if got := m.Load(want.File); got != nil {
		t.Errorf("an empty memory has %+v", got)
	}
	if _, err := m.OfFile(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	got := m.Load(want.File)
	if got == nil || got.Sound != want.Sound || len(got.Words) != len(want.Words) || len(want.Words) == 0 {
		t.Errorf("remembered %+v, want %+v", got, want)
	}
}

// No two of the clips of known content are copies of each other.
func TestRealClipsAreNotAlike(t *testing.T) {
	need.FFmpeg(t)
	files := []string{"esc10_rain.ogg", "libri_198-209-0000.ogg", "libri_3436-172162-0000.ogg"}
	var prints []*Fingerprint
	for _, name := range files {
		_, p := taken(t, golden.Path(t, "media", name))
		prints = append(prints, p)
	}
	for i := range prints {
		for j := range i {
			if m := compare(prints[i], prints[j]); m.Found() {
				t.Errorf("%s and %s: %+v", files[i], files[j], m)
			}
		}
	}
}
