package proxy

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// hour is an hour of film that is quickly made: five a second would not do, so a minute of
// 30 a second is repeated without encoding it again.
func hour(t testing.TB) string {
	t.Helper()
	minute := made(t, "minute.mp4", "-f lavfi -i testsrc2=s=640x360:r=30 -f lavfi -i sine=440:r=44100 -t 60 -c:v libx264 -preset ultrafast -g 300")
	return made(t, "hour.mp4", "-stream_loop 59 -i file:"+minute+" -c copy")
}

// seeks seeks at random places of a film, and then steps, and returns how long each took in
// milliseconds until the frame was presented, and how many frames were wrong.
const seeks = `(async (root) => {
  const player = window.player = makePlayer(root);
  await player.ready;
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

// TestLongSeeks prints how long seeks in an hour take: below 100 ms in 95 of 100 is wanted
// on a machine that does nothing else.
func TestLongSeeks(t *testing.T) {
	source := hour(t)
	began := time.Now()
	p := prepared(t, source, t.TempDir(), Options{})
	t.Logf("%d frames prepared in %.0f s; %d MB", p.Frames, time.Since(began).Seconds(), p.Files[FilmFile].Bytes>>20)
	if !p.Exact {
		t.Errorf("warnings %q", p.Warnings)
	}
	page := open(t, serve(t, p))
	var is struct {
		Took, Steps []float64
		Wrong       int
	}
	page.Value(fmt.Sprintf("%s(document.querySelector('#p0'))", seeks), &is)
	t.Logf("seeks: median %.0f ms, p95 %.0f ms; steps back: median %.0f ms, p95 %.0f ms; %d of %d wrong",
		quantile(is.Took, 0.5), quantile(is.Took, 0.95), quantile(is.Steps, 0.5), quantile(is.Steps, 0.95), is.Wrong, len(is.Took)+len(is.Steps))
	if is.Wrong > 0 || len(is.Took) != 100 {
		t.Errorf("%d of %d frames are wrong", is.Wrong, len(is.Took)+len(is.Steps))
	}
}

func quantile(values []float64, q float64) float64 {
	slices.Sort(values)
	return values[int(q*float64(len(values)-1)+0.5)]
}

// BenchmarkMinute prepares a minute of 1280×720 with sound.
func BenchmarkMinute(b *testing.B) {
	source := made(b, "a.mp4", "-f lavfi -i testsrc2=s=1280x720:r=24 -f lavfi -i sine=440 -t 60 -c:v libx264 -preset ultrafast -crf 30")
	for b.Loop() {
		prepared(b, source, b.TempDir(), Options{})
	}
}

// BenchmarkHourOfSound makes a proxy and the peaks of an hour of stereo sound.
func BenchmarkHourOfSound(b *testing.B) {
	source := made(b, "a.wav", "-f lavfi -i sine=440:r=44100 -ac 2 -t 3600")
	for b.Loop() {
		p := prepared(b, source, b.TempDir(), Options{})
		b.ReportMetric(float64(p.Files[PeaksFile].Bytes), "peak-bytes")
	}
}

// BenchmarkOpen opens what is there of a file.
func BenchmarkOpen(b *testing.B) {
	source, dir := made(b, "a.mp4", short), filepath.Join(b.TempDir(), "prepared")
	prepared(b, source, dir, Options{})
	for b.Loop() {
		if _, err := Open(b.Context(), source, dir); err != nil {
			b.Fatal(err)
		}
	}
}
