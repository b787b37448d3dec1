package cache

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
	"omniscope/media"
)

// result is all that a cache gives of a clip.
type result struct {
	Digest string
	Facts  string
	Video  *media.Stream
	Audio  *media.Stream
	Plan   *media.Plan
	Frames *media.SampledFrames
	Sounds []*sound
}

var (
	fewFrames = media.Policy{FPS: 2, MaxPixels: 64 * 48}
	someSpan  = omniscope.Span{Start: 500 * time.Millisecond, End: 2 * time.Second}
)

func resultOf(t *testing.T, c *Cache, path string, span omniscope.Span) result {
	t.Helper()
	k := clipOf(t, c, path)
	facts, err := json.Marshal(k.File)
	fixture.OK(t, err)
	r := result{Digest: k.Digest, Facts: string(facts), Video: k.File.Video, Audio: k.File.Audio}
	if k.File.Video != nil {
		if r.Frames, err = k.Frames(t.Context(), fewFrames, span); err != nil {
			t.Fatal(err)
		}
		if r.Plan, err = k.Plan(t.Context(), fewFrames, span); err != nil {
			t.Fatal(err)
		}
	}
	if k.File.Audio != nil {
		for _, p := range []SoundPolicy{{}, {Original: true}, {MaxSeconds: 1}} {
			s, err := k.Sound(t.Context(), p, span)
			fixture.OK(t, err)
			r.Sounds = append(r.Sounds, s)
		}
	}
	return r
}

func TestHitEqualsMissAndStartsNoProcess(t *testing.T) {
	paths := map[string]string{
		"picture and sound": talkie(t),
		"picture only":      clips.Made(t, "mute.mp4", picture+encoded),
		"sound only":        clips.Made(t, "song.flac", stereo+"-t 3"),
		"one frame":         clips.Made(t, "one.mp4", picture+"-frames:v 1 -c:v libx264"),
		"silent track":      clips.Made(t, "silent.mp4", picture+silence+encoded),
	}
	for name, path := range paths {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			spans := []omniscope.Span{{}, someSpan}
			if name == "one frame" {
				spans = spans[:1]
			}
			c, w := opened(t, dir, Options{})
			var misses []result
			for _, span := range spans {
				misses = append(misses, resultOf(t, c, path, span))
			}
			copied := filepath.Join(t.TempDir(), "another name"+filepath.Ext(path))
			fixture.OK(t, os.Link(path, copied))
			withoutPrograms(t)
			again, w2 := opened(t, dir, Options{})
			for i, span := range spans {
				if hit := resultOf(t, again, copied, span); !reflect.DeepEqual(hit, misses[i]) {
					t.Errorf("span %v: a hit gives\n%+v\nand the miss gave\n%+v", span, hit, misses[i])
				}
			}
			w.are(t)
			w2.are(t)
		})
	}
}

func TestFramesAndFactsAreThoseOfMedia(t *testing.T) {
	path := talkie(t)
	c, _ := opened(t, t.TempDir(), Options{})
	k := clipOf(t, c, path)
	f, err := media.Probe(t.Context(), path)
	fixture.OK(t, err)
	if k.File.Video.Index != f.Video.Index || k.File.Audio.Index != f.Audio.Index || !reflect.DeepEqual(k.File.Streams, f.Streams) {
		t.Errorf("facts %+v, want %+v", k.File, f)
	}
	digest, err := f.Digest(t.Context())
	if err != nil || digest != k.Digest {
		t.Errorf("digest %s, want %s (%v)", k.Digest, digest, err)
	}
	for _, span := range []omniscope.Span{{}, someSpan} {
		want, err := media.Frames(t.Context(), f, fewFrames, span, "")
		fixture.OK(t, err)
		got, err := k.Frames(t.Context(), fewFrames, span)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("frames of %v differ from those of media (%v)", span, err)
		}
		plan, err := k.Plan(t.Context(), fewFrames, span)
		if err != nil || !reflect.DeepEqual(plan, &want.Plan) {
			t.Errorf("plan %+v, want %+v (%v)", plan, want.Plan, err)
		}
	}
}

func TestPlanDoesNotDecode(t *testing.T) {
	path := talkie(t)
	g := newGate(t)
	dir := t.TempDir()
	c, _ := opened(t, dir, Options{})
	want, err := clipOf(t, c, path).Plan(t.Context(), fewFrames, someSpan)
	if err != nil || g.started("ffmpeg") != 0 {
		t.Fatalf("%d starts of ffmpeg (%v)", g.started("ffmpeg"), err)
	}
	withoutPrograms(t)
	c, _ = opened(t, dir, Options{})
	got, err := clipOf(t, c, path).Plan(t.Context(), fewFrames, someSpan)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("plan %+v from the cache, %+v before (%v)", got, want, err)
	}
}

func TestPoliciesAndSpansHaveEntriesOfTheirOwn(t *testing.T) {
	path := talkie(t)
	c, _ := opened(t, t.TempDir(), Options{})
	k := clipOf(t, c, path)
	seen := map[int]bool{}
	for _, p := range []media.Policy{{Frames: 2}, {Frames: 3}, {Frames: 3, Width: 32, Height: 32}} {
		for _, span := range []omniscope.Span{{}, someSpan} {
			frames, err := k.Frames(t.Context(), p, span)
			fixture.OK(t, err)
			size := 0
			for i := range frames.Frames {
				size += len(frames.Frames[i].JPEG)
			}
			if seen[size] {
				t.Errorf("policy %+v, span %v gives frames of %d bytes, as another did", p, span, size)
			}
			seen[size] = true
		}
	}
	if n := len(files(t, c, entryFolder)); n != 7 {
		t.Errorf("%d entries, want one of facts and 6 of frames", n)
	}
}

func TestErrorsAreThoseOfMediaAndAreNotKept(t *testing.T) {
	whole := clips.Made(t, "film.mp4", picture+stereo+encoded)
	content, err := os.ReadFile(whole)
	fixture.OK(t, err)
	dir := t.TempDir()
	write := func(name string, content []byte) string {
		path := filepath.Join(dir, name)
		fixture.OK(t, os.WriteFile(path, content, 0o644))
		return path
	}
	paths := []string{filepath.Join(dir, "missing.mp4"), dir, write("empty.mp4", nil), write("text.mp4", []byte("no media")), write("cut.mp4", content[:len(content)/2]), ""}
	c, w := opened(t, t.TempDir(), Options{})
	for _, path := range paths {
		_, want := media.Probe(t.Context(), path)
		_, got := c.Clip(t.Context(), path)
		if want == nil || got == nil || got.Error() != want.Error() || omniscope.KindOf(got) != omniscope.KindOf(want) {
			t.Errorf("%q: error %v, want %v", path, got, want)
		}
	}
	if list := files(t, c, entryFolder); len(list) > 0 {
		t.Errorf("kept: %v", list)
	}
	w.are(t)
}

func TestClipWithoutVideoOrAudio(t *testing.T) {
	c, _ := opened(t, t.TempDir(), Options{})
	song := clipOf(t, c, clips.Made(t, "song.flac", stereo+"-t 1"))
	if _, err := song.Frames(t.Context(), fewFrames, omniscope.Span{}); !errors.Is(err, media.ErrNoVideo) {
		t.Errorf("frames of sound: %v", err)
	}
	if _, err := song.Plan(t.Context(), fewFrames, omniscope.Span{}); !errors.Is(err, media.ErrNoVideo) {
		t.Errorf("plan of sound: %v", err)
	}
	mute := clipOf(t, c, clips.Made(t, "mute.mkv", picture+encoded))
	if _, err := mute.Sound(t.Context(), SoundPolicy{}, omniscope.Span{}); !errors.Is(err, media.ErrNoAudio) {
		t.Errorf("sound of pictures: %v", err)
	}
	_, err := mute.Frames(t.Context(), fewFrames, omniscope.Span{Start: time.Hour})
	fixture.WantError(t, err, omniscope.Invalid, "no span")
	_, err = mute.Frames(t.Context(), media.Policy{Frames: -1}, omniscope.Span{})
	fixture.WantError(t, err, omniscope.Invalid, "below zero")
	if n := len(files(t, c, entryFolder)); n != 1 {
		t.Errorf("%d entries, want the facts of the film alone", n)
	}
}

// damaged is a clip with zeros in place of its middle half, so that many frames
// are in its index and cannot be decoded.
func damaged(t *testing.T) string {
	t.Helper()
	path := clips.Made(t, "damaged.mp4", picture+"-t 3 -c:v libx264 -preset ultrafast -g 10")
	content, err := os.ReadFile(path)
	fixture.OK(t, err)
	start := bytes.Index(content, []byte("mdat"))
	size := bytes.Index(content, []byte("moov")) - start
	if start < 0 || size < 0 {
		t.Fatal("no MP4 file with its index at the end")
	}
	clear(content[start+size/4 : start+size*3/4])
	fixture.OK(t, os.WriteFile(path, content, 0o644))
	return path
}

func TestDamagedClipGivesWhatItHasEachTime(t *testing.T) {
	path := damaged(t)
	f, err := media.Probe(t.Context(), path)
	fixture.OK(t, err)
	every := media.Policy{FPS: 10}
	want, err := media.Frames(t.Context(), f, every, omniscope.Span{}, "")
	if err != nil || len(want.Warnings) == 0 || len(want.Frames) == 0 || len(want.Frames) == len(want.Plan.Indices) {
		t.Fatalf("this clip should lack some frames: %v, %v", want, err)
	}
	c, w := opened(t, t.TempDir(), Options{})
	for range 2 {
		got, err := clipOf(t, c, path).Frames(t.Context(), every, omniscope.Span{})
		if err != nil || len(got.Frames) != len(want.Frames) || !reflect.DeepEqual(got.Plan, want.Plan) || len(got.Warnings) == 0 {
			t.Fatalf("%d frames, %q, want %d, %q (%v)", len(got.Frames), got.Warnings, len(want.Frames), want.Warnings, err)
		}
		// Behind these the damage begins, which ffmpeg conceals with what its other threads
		// have decoded by then: on a busy machine, not always with the same.
		const whole = 5
		for i := range whole {
			if !bytes.Equal(got.Frames[i].JPEG, want.Frames[i].JPEG) {
				t.Errorf("frame %d differs", i)
			}
		}
	}
	if n := len(files(t, c, entryFolder)); n != 1 {
		t.Errorf("%d entries, want the facts alone", n)
	}
	w.are(t)
}

// Facts of a film that needs no ffprobe are read again: that is faster than an entry.
func TestFactsOfPlainFilmsAreNotKept(t *testing.T) {
	c, w := opened(t, t.TempDir(), Options{})
	k := clipOf(t, c, clips.Made(t, "film.mp4", picture+stereo+encoded))
	if list := files(t, c, entryFolder); len(list) > 0 || k.File.Video == nil || k.File.Audio == nil {
		t.Errorf("kept: %v", list)
	}
	w.are(t)
}
