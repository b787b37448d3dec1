package proxy

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
	"omniscope/media"
)

// hour is an hour of film, and the times of its frames. It is a minute sixty times over without
// encoding it again: to encode an hour takes too long for a test.
func hour(t testing.TB, minute string) *Prepared {
	t.Helper()
	film := clips.Made(t, FilmFile, "-stream_loop 59 -i file:"+minute+" -c copy -movflags +faststart")
	f, err := media.Probe(t.Context(), film)
	fixture.OK(t, err)
	p := &Prepared{Folder: filepath.Dir(film), Film: true, Files: map[string]file{}}
	fixture.OK(t, p.add(FilmFile))
	began := time.Now()
	if _, err := p.addTimes(t.Context(), f, f); err != nil {
		t.Fatal(err)
	}
	t.Logf("an hour of %d×%d, %d frames, %d MB; times in %.1f s", p.Width, p.Height, p.Frames, p.Files[FilmFile].Bytes>>20, time.Since(began).Seconds())
	return p
}

// seeks seeks at random places of a film, and then steps, and returns how long each took in
// milliseconds until the frame was presented, and how many frames were wrong.
const seeks = `(async (root) => {
  const player = window.player = makePlayer(root);
  await player.ready;
  await new Promise((rest) => setTimeout(rest, 3000)); // the page and the browser are done with their start
  const took = [], steps = [];
  let wrong = 0, seed = 7;
  for (let n = 0; n < 100; n++) {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    const frame = seed % player.frames();
    let began = performance.now();
    if ((await player.seek(player.timeOf(frame))).frame !== frame) wrong++;
    took.push(performance.now() - began);
    began = performance.now();
    const back = frame > 0 ? -1 : 1;
    if ((await player.step(back)).frame !== frame + back) wrong++;
    steps.push(performance.now() - began);
  }
  return { took, steps, wrong };
})`

// BenchmarkSeeks measures seeks in an hour of film in Chromium: in a proxy, and in files that it may be made
// of, which have a key frame each five seconds, as video sites make them, and each 250 frames, as x264 does
// by itself. Below 100 ms in 95 of 100 is wanted in a proxy, below 400 in the file it is made of, on a machine
// that does nothing else. Run it once, with -benchtime 1x.
func BenchmarkSeeks(b *testing.B) {
	const made720 = "-f lavfi -i testsrc2=s=1280x720:r=30 -t 60 -c:v libx264 -preset veryfast -crf 23 -g "
	often, seldom := clips.Made(b, "often.mp4", made720+"150"), clips.Made(b, "seldom.mp4", made720+"250")
	proxy := prepared(b, often, b.TempDir(), Options{}).Path(FilmFile)
	for _, c := range []struct{ name, minute string }{{"proxy", proxy}, {"original-5s", often}, {"original-250-frames", seldom}} {
		b.Run(c.name, func(b *testing.B) { seekThrough(b, hour(b, c.minute)) })
	}
}

func seekThrough(b *testing.B, film *Prepared) {
	page := open(b, serve(b, film))
	var is struct {
		Took, Steps []float64
		Wrong       int
	}
	page.Value(fmt.Sprintf("%s(document.querySelector('#p0'))", seeks), &is)
	b.ReportMetric(quantile(is.Took, 0.5), "seek-p50-ms")
	b.ReportMetric(quantile(is.Took, 0.95), "seek-p95-ms")
	b.ReportMetric(quantile(is.Steps, 0.5), "step-p50-ms")
	b.ReportMetric(quantile(is.Steps, 0.95), "step-p95-ms")
	if is.Wrong > 0 || len(is.Took) != 100 {
		b.Errorf("%d of %d frames are wrong", is.Wrong, len(is.Took)+len(is.Steps))
	}
}

func quantile(values []float64, q float64) float64 {
	slices.Sort(values)
	return values[int(q*float64(len(values)-1)+0.5)]
}

// BenchmarkMinute prepares a minute of 1280×720 with sound.
func BenchmarkMinute(b *testing.B) {
	source := clips.Made(b, "a.mp4", "-f lavfi -i testsrc2=s=1280x720:r=24 -f lavfi -i sine=440 -t 60 -c:v libx264 -preset ultrafast -crf 30")
	for b.Loop() {
		prepared(b, source, b.TempDir(), Options{})
	}
}

// BenchmarkHourOfSound makes a proxy and the peaks of an hour of stereo sound.
func BenchmarkHourOfSound(b *testing.B) {
	source := clips.Made(b, "a.wav", "-f lavfi -i sine=440:r=44100 -ac 2 -t 3600")
	for b.Loop() {
		p := prepared(b, source, b.TempDir(), Options{})
		b.ReportMetric(float64(p.Files[PeaksFile].Bytes), "peak-bytes")
	}
}

// BenchmarkPeaksOfAnHour makes the peaks alone.
func BenchmarkPeaksOfAnHour(b *testing.B) {
	f, err := media.Probe(b.Context(), clips.Made(b, "a.wav", "-f lavfi -i sine=440:r=48000 -ac 2 -t 3600"))
	fixture.OK(b, err)
	for b.Loop() {
		var wave peakMeter
		if _, err := media.Sound(b.Context(), f, omniscope.Span{}, wave.add); err != nil || len(wave.peaks) != 3600*peaksPerSecond {
			b.Fatalf("%d peaks, %v", len(wave.peaks), err)
		}
	}
}

// BenchmarkOpen opens what is there of a file.
func BenchmarkOpen(b *testing.B) {
	source, dir := clips.Made(b, "a.mp4", short), filepath.Join(b.TempDir(), "prepared")
	prepared(b, source, dir, Options{})
	for b.Loop() {
		if _, err := Open(b.Context(), source, dir); err != nil {
			b.Fatal(err)
		}
	}
}
