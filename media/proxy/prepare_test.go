package proxy

import (
	"math"
	"testing"

	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/need"
)

func TestTimesAndPictures(t *testing.T) {
	t.Parallel()
	need.FFmpeg(t)
	checkFilm(t, prepared(t, clips.Made(t, plainClips[0].file, plainClips[0].args), t.TempDir(), Options{}))
}

func TestLongTimesAndPictures(t *testing.T) {
	t.Parallel()
	for i, p := range preparedClips(t) {
		t.Run(plainClips[i].name, func(t *testing.T) { checkFilm(t, p) })
	}
}

func TestLongOddFilms(t *testing.T) {
	var films []*Prepared
	for _, c := range oddClips {
		films = append(films, prepared(t, clips.Made(t, c.file, c.args), t.TempDir(), Options{}))
		t.Run(c.name, func(t *testing.T) { checkFilm(t, films[len(films)-1]) })
	}
	page := open(t, serve(t, films...))
	for i, film := range films {
		testEveryFrame(t, page, i, film)
	}
}

func checkFilm(t *testing.T, p *Prepared) {
	t.Helper()
	if !p.Exact || len(p.Warnings) > 0 {
		t.Errorf("exact %t, warnings %q", p.Exact, p.Warnings)
	}
	film := ffprobe(t, p.Path(FilmFile))
	checkTimes(t, p, film, ffprobe(t, p.Source))
	checkCoding(t, film)
	checkPictures(t, p)
}

// checkTimes compares the times with what ffprobe says of the proxy and of the source.
func checkTimes(t *testing.T, p *Prepared, film, source probed) {
	t.Helper()
	times := timesOf(t, p)
	if len(times) != p.Frames || len(film.times) != len(times) || len(source.times) != len(times) {
		t.Fatalf("%d times, %d frames; ffprobe lists %d frames of the proxy and %d of the source", len(times), p.Frames, len(film.times), len(source.times))
	}
	for i, at := range times {
		if v := number(t, film.times[i]); math.Abs(v-at) > 0.6e-6 { // ffprobe rounds to microseconds
			t.Errorf("frame %d at %v, ffprobe says %v", i, at, v)
		}
		if v := number(t, source.times[i]) - p.Offset; math.Abs(v-at) > source.tick/2+1.2e-6 {
			t.Errorf("frame %d at %v, in the source at %v", i, at, v)
		}
	}
}

// checkCoding looks for B frames and key frames that are far apart.
func checkCoding(t *testing.T, film probed) {
	t.Helper()
	if film.stream != "h264 yuv420p 0 " && film.stream != "h264 0 yuv420p " {
		t.Errorf("the proxy's stream is %q", film.stream)
	}
	last := number(t, film.times[0])
	for _, packet := range film.packets {
		at := number(t, packet[:len(packet)-1])
		if packet[len(packet)-1] == 'K' {
			last = at
		}
		if at-last > 1 {
			t.Errorf("no key frame between %v and %v", last, at)
		}
	}
}

// checkPictures compares each frame of the proxy with the same frame of the source.
func checkPictures(t *testing.T, p *Prepared) {
	t.Helper()
	is, want := levels(t, p.Path(FilmFile)), levels(t, p.Source)
	if len(is) != len(want) {
		t.Fatalf("%d pictures, want %d", len(is), len(want))
	}
	for i := range is {
		if math.Abs(float64(is[i])-float64(want[i])) > 1.5 {
			t.Errorf("the picture of frame %d is that of another one: %d, want %d", i, is[i], want[i])
		}
		if i > 0 && math.Abs(float64(want[i])-float64(want[i-1])) < 3 {
			t.Errorf("frames %d and %d of the source look the same: the test sees nothing", i-1, i)
		}
	}
}
