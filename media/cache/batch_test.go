package cache

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
	"omniscope/media"
)

// What one program extracts is what two do.
func TestFramesAndSoundTogether(t *testing.T) {
	policy := media.Policy{FPS: 2}
	for name, source := range map[string]string{
		"film.mp4":  "-f lavfi -i testsrc2=s=96x64:r=10:d=2 -f lavfi -i sine=500:r=44100:d=2 -c:v libx264 -c:a aac",
		"late.mkv":  "-f lavfi -i testsrc2=s=96x64:r=10:d=2 -itsoffset 0.5 -f lavfi -i sine=500:r=44100:d=1 -c:v libx264 -c:a aac",
		"quiet.mp4": "-f lavfi -i testsrc2=s=96x64:r=10:d=2 -f lavfi -i anullsrc=r=44100:d=2 -c:v libx264 -c:a aac",
	} {
		path := clips.Made(t, name, source)
		together, apart := alone(t, path), alone(t, path)
		got, err := together.FramesBeforeSound(t.Context(), policy, SoundPolicy{})
		fixture.OK(t, err)
		k, err := together.soundKey(SoundPolicy{}, omniscope.Span{})
		fixture.OK(t, err)
		if _, err := together.cache.read(k, 1); (err == nil) != (name == "film.mp4") {
			t.Errorf("%s: sound is kept after its frames: %v", name, err)
		}
		want, err := apart.Frames(t.Context(), policy, omniscope.Span{})
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: frames %+v, want %+v, %v", name, got, want, err)
		}
		sound, err1 := together.Sound(t.Context(), SoundPolicy{}, omniscope.Span{})
		other, err2 := apart.Sound(t.Context(), SoundPolicy{}, omniscope.Span{})
		if err := errors.Join(err1, err2); err != nil || !reflect.DeepEqual(sound, other) {
			t.Errorf("%s: sound of %d bytes, want %d, %v", name, len(sound.Data), len(other.Data), err)
		}
	}
}

func alone(t *testing.T, path string) *Clip {
	t.Helper()
	c, err := Open(t.TempDir(), Options{})
	fixture.OK(t, err)
	clip, err := c.Clip(t.Context(), path)
	fixture.OK(t, err)
	return clip
}

// openTogether opens clips that one program at a time reads.
func openTogether(t *testing.T, paths []string) []*Clip {
	t.Helper()
	c, err := Open(t.TempDir(), Options{})
	fixture.OK(t, err)
	c.takes.programs = 1
	open := make([]*Clip, len(paths))
	for i, path := range paths {
		if open[i], err = c.Clip(t.Context(), path); err != nil {
			t.Fatal(err)
		}
	}
	return open
}

// wantSoundAlone checks that a clip's sound is that of a program which reads its file alone.
func wantSoundAlone(t *testing.T, k *Clip) {
	t.Helper()
	got, err := k.Sound(t.Context(), SoundPolicy{}, omniscope.Span{})
	if err != nil {
		t.Error(err)
		return
	}
	var single bytes.Buffer
	heard, err := media.Speech(t.Context(), k.File, omniscope.Span{}, &single)
	if err != nil || !strings.HasSuffix(string(got.Data), single.String()) || !reflect.DeepEqual(got.Warnings, heard.Warnings) {
		t.Errorf("%s: sound of %d bytes, %v; alone %d bytes, %v, %v", k.Path, len(got.Data), got.Warnings, single.Len(), heard.Warnings, err)
	}
}

// Files that are asked for at the same time are read together, and a damaged one
// among them takes nothing from the others.
func TestShortSoundsAtTheSameTime(t *testing.T) {
	var paths []string
	for i := range 6 {
		paths = append(paths, clips.Made(t, fmt.Sprintf("%d.m4a", i), fmt.Sprintf("-f lavfi -i sine=%d:r=44100:d=1 -c:a aac", 300+100*i)))
	}
	damaged, err := os.ReadFile(paths[3])
	fixture.OK(t, err)
	copy(damaged[len(damaged)/3:], bytes.Repeat([]byte{0x55}, 300))
	fixture.OK(t, os.WriteFile(paths[3], damaged, 0o600))
	open := openTogether(t, paths)
	var group sync.WaitGroup
	for _, k := range open {
		group.Go(func() { wantSoundAlone(t, k) })
	}
	group.Wait()
}

// Short films that are asked for at the same time are read together, and one that is cut
// off takes nothing from the others.
func TestShortFilmsAtTheSameTime(t *testing.T) {
	policy := media.Policy{FPS: 2}
	var paths []string
	for i := range 5 {
		paths = append(paths, clips.Made(t, fmt.Sprintf("%d.mkv", i), fmt.Sprintf("-f lavfi -i testsrc2=s=96x64:r=10:d=%d -f lavfi -i sine=%d:r=44100:d=2 -c:v libx264 -g 5 -c:a aac", 2+i, 300+100*i)))
	}
	data, err := os.ReadFile(paths[2])
	fixture.OK(t, err)
	fixture.OK(t, os.WriteFile(paths[2], data[:len(data)*2/3], 0o600))
	open := openTogether(t, paths)
	var group sync.WaitGroup
	for i, path := range paths {
		group.Go(func() {
			frames := func() (*media.SampledFrames, error) {
				return open[i].FramesBeforeSound(t.Context(), policy, SoundPolicy{})
			}
			if i%2 == 1 {
				frames = func() (*media.SampledFrames, error) { return open[i].Frames(t.Context(), policy, omniscope.Span{}) }
			}
			got, err := frames()
			if err != nil {
				t.Error(err)
				return
			}
			want, err := media.Frames(t.Context(), open[i].File, policy, omniscope.Span{}, "")
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %d frames, %v, alone %d, %v, %v", path, len(got.Frames), got.Warnings, len(want.Frames), want.Warnings, err)
			}
			wantSoundAlone(t, open[i])
		})
	}
	group.Wait()
}

// A program gets the queue's share of what waits, up to its work.
func TestTakesOfOneProgram(t *testing.T) {
	sound := &media.File{Duration: 5 * time.Second}
	long := &media.File{Duration: time.Minute}
	for _, c := range []struct {
		programs, short, long int
		want                  []int
	}{
		{2, 70, 0, []int{32, 19, 10, 8, 1}},
		{2, 6, 0, []int{6}},
		{64, 40, 0, []int{8, 8, 8, 8, 8}},
		{1, 0, 20, []int{8, 8, 4}},
	} {
		q := &takeQueue{programs: c.programs}
		for i := range c.short + c.long {
			f := sound
			if i >= c.short {
				f = long
			}
			q.waiting = append(q.waiting, &takeJob{ctx: t.Context(), take: &media.Take{File: f, Sound: true}})
		}
		var got []int
		for jobs := q.next(); jobs != nil; jobs = q.next() {
			got = append(got, len(jobs))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%d programs, %d short and %d long files: %v, want %v", c.programs, c.short, c.long, got, c.want)
		}
	}
}

func TestSoundThatIsNoLongerWanted(t *testing.T) {
	clip := alone(t, clips.Made(t, "a.m4a", "-f lavfi -i sine=300:r=44100:d=1 -c:a aac"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := clip.Sound(ctx, SoundPolicy{}, omniscope.Span{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := clip.Sound(t.Context(), SoundPolicy{}, omniscope.Span{}); err != nil {
		t.Error(err)
	}
}
