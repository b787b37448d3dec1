package proxy

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"omniscope/internal/testing/browser"
	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/webpage"
	"omniscope/web"
)

// serve serves a page with a player for each prepared file, the first in #p0.
func serve(t testing.TB, files ...*Prepared) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/player.js", func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "player.js", time.Time{}, strings.NewReader(PlayerJS))
	})
	var players strings.Builder
	for i, p := range files {
		players.WriteString(player(t, p, i))
		mux.HandleFunc(fmt.Sprintf("/%d/{name}", i), func(w http.ResponseWriter, r *http.Request) {
			if err := web.SendFile(w, r, filepath.Join(p.Folder, r.PathValue("name"))); err != nil {
				http.NotFound(w, r)
			}
		})
	}
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", "default-src 'self'; style-src 'unsafe-inline'; img-src 'self' data:")
		fmt.Fprintf(w, `<!doctype html><html lang=en><meta charset=utf-8><title>players</title><link rel=icon href="data:,">
			<style>%s canvas { width: 100%%; height: 80px }</style>%s<script src=player.js></script>`, webpage.Style, &players)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server
}

// player is what the script needs of a file.
func player(t testing.TB, p *Prepared, i int) string {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, `<div id=p%d`, i)
	if p.Sound {
		fmt.Fprintf(&b, ` data-peaks="%d/%s"`, i, PeaksFile)
	}
	if p.Film {
		fmt.Fprintf(&b, ` data-times="%d/%s"><video muted preload=auto src="%d/%s"></video>`, i, TimesFile, i, FilmFile)
	} else {
		fmt.Fprintf(&b, `><audio preload=auto src="%d/%s"></audio>`, i, SoundFile)
	}
	b.WriteString(`<canvas></canvas>`)
	shots, err := p.Shots()
	fixture.OK(t, err)
	for _, s := range shots {
		fmt.Fprintf(&b, `<button data-shot data-seek="%.3f"><img src="%d/%s" alt="at %.1f s"></button>`, s.Time, i, s.Picture, s.Time)
	}
	return b.String() + `</div>`
}

// open opens the page of serve.
func open(t testing.TB, server *httptest.Server) *browser.Page {
	page := browser.Open(t, server.URL+"/", 800, 600)
	page.WaitFor("window.makePlayer && document.readyState === 'complete'")
	return page
}

// walk shows every frame of a film, forward and back by steps and in a mixed order by
// seeking, and compares what is presented with what should be.
const walk = `(async (root) => {
  const wrong = [];
  const video = root.querySelector('video');
  let mediaTime = -1; // known before the player hears of it; none if nothing new is presented
  const watch = () => video.requestVideoFrameCallback((_, m) => { mediaTime = m.mediaTime; watch(); });
  watch();
  const player = window.player = makePlayer(root);
  await player.ready;
  const times = new Float64Array(await (await fetch(root.dataset.times)).arrayBuffer());
  const pen = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  let checked = 0;
  const began = performance.now();
  const check = (how, i, is) => {
    checked++;
    pen.drawImage(video, 0, 0, 1, 1);
    const grey = pen.getImageData(0, 0, 1, 1).data[1], want = 20 + 4 * (i % 50);
    if (is.frame !== i || is.time !== times[i] || mediaTime >= 0 && Math.abs(mediaTime - times[i]) > 0.001 || Math.abs(grey - want) > 2.5)
      wrong.push([how, 'frame', i, 'at', times[i], 'now', is.frame, 'presented', mediaTime, 'grey', grey, 'want', want].join(' '));
  };
  if (player.frames() !== times.length) wrong.push('frames ' + player.frames());
  await player.seek(times.length > 1 ? times[1] : 0);
  check('seek', Math.min(1, times.length - 1), await player.step(0));
  for (let i = 2; i < times.length; i++) check('step', i, await player.step(1));
  for (let i = times.length - 2; i >= Math.max(0, times.length - 10); i--) check('back', i, await player.step(-1));
  for (let n = 0, i = 0; n < times.length; n++, i = (i + 7) % times.length) check('seek', i, await player.seek(times[i]));
  if (times.length > 1 && mediaTime < 0) wrong.push('nothing was presented');
  return { wrong, checked, took: (performance.now() - began) / checked };
})`

// A walked film is what came of walk.
type walked struct {
	Wrong   []string
	Checked int
	Took    float64 // milliseconds for each
}

// use does with a player what people do, and says what went wrong.
const use = `(async (root) => {
  const wrong = [];
  const want = (what, is, should) => { if (is !== should) wrong.push(what + ': ' + is + ', want ' + should); };
  const player = window.player = makePlayer(root);
  await player.ready;
  const film = root.querySelector('video'), events = [];
  root.addEventListener('presented', (event) => events.push(event.detail.frame));
  const [start, end] = [player.timeOf(9), player.timeOf(20)];
  let is = await player.playSpan(start, end);
  want('frame after a span', is.frame, 19);
  want('paused after a span', film.paused, true);
  if (events.length < 3 || Math.max(...events) > 24) wrong.push('frames presented: ' + events);
  // Several steps at once add up, and stop at the ends.
  await player.seek(player.timeOf(10));
  is = (await Promise.all([player.step(1), player.step(1), player.step(1)]))[2];
  want('frame after three steps', is.frame, 13);
  want('frame before the first', (await player.step(-1000)).frame, 0);
  want('frame after the last', (await player.step(1000)).frame, player.frames() - 1);
  want('frame at a written time', (await player.seek(Number(player.timeOf(17).toFixed(3)))).frame, 17);
  // A pause ends a span.
  const playing = player.playSpan(0, player.duration());
  await new Promise((done) => film.addEventListener('playing', done, { once: true }));
  player.pause();
  want('paused', (await playing).playing, false);
  player.setSpans([{ start: 0.2, end: 0.6, label: 'A & B' }]);
  player.setView(0.1, 1); player.setView();
  const canvas = root.querySelector('canvas'), pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
  if (!pixels.some((v) => v > 0)) wrong.push('nothing is drawn');
  return wrong;
})`

// listen does the same with a sound.
const listen = `(async (root) => {
  const wrong = [];
  const near = (what, is, should) => { if (!(Math.abs(is - should) < 0.001)) wrong.push(what + ': ' + is + ', want ' + should); };
  const player = window.player = makePlayer(root);
  await player.ready;
  near('frame', player.now().frame, -1);
  near('seek', (await player.seek(0.4)).time, 0.4);
  near('step', (await player.step(1)).time, 0.45);
  near('back', (await player.step(-3)).time, 0.3);
  near('three steps', (await Promise.all([player.step(1), player.step(1), player.step(1)]))[2].time, 0.45);
  near('span', (await player.playSpan(0.1, 0.3)).time, 0.3);
  near('before the start', (await player.step(-100)).time, 0);
  return wrong;
})`

// TestLongPlayerInABrowser needs one browser for all of it: to start one takes seconds.
func TestLongPlayerInABrowser(t *testing.T) {
	t.Parallel()
	films := preparedClips(t)
	sound := prepared(t, clips.Made(t, "a.wav", tone), t.TempDir(), Options{})
	server := serve(t, append(films, sound)...)
	page := open(t, server)
	for i, film := range films {
		testEveryFrame(t, page, i, film)
	}
	page.Click("body") // without which no browser plays a sound
	testUse(t, page, use, 1)
	testUse(t, page, listen, len(films))
	testStrip(t, page)
	page.Quiet(server.URL)
}

// testEveryFrame walks through a film: all frames have to be the right ones.
func testEveryFrame(t *testing.T, page *browser.Page, i int, film *Prepared) {
	t.Helper()
	var is walked
	page.Value(fmt.Sprintf("%s(document.querySelector('#p%d'))", walk, i), &is)
	if is.Checked < 2*film.Frames || len(is.Wrong) > 0 {
		t.Errorf("%s: %d frames, %d checks, %d wrong: %s", film.Source, film.Frames, is.Checked, len(is.Wrong), strings.Join(is.Wrong[:min(5, len(is.Wrong))], "\n"))
	}
	t.Logf("%v frames a second: %d frames, %d checks, %d wrong, %.0f ms each", film.FrameRate, film.Frames, is.Checked, len(is.Wrong), is.Took)
	page.Value("player.close()", nil)
}

func testUse(t *testing.T, page *browser.Page, script string, i int) {
	t.Helper()
	var wrong []string
	page.Value(fmt.Sprintf("%s(document.querySelector('#p%d'))", script, i), &wrong)
	for _, w := range wrong {
		t.Error(w)
	}
	page.Click(fmt.Sprintf("#p%d canvas", i)) // in its middle
	page.WaitFor("Math.abs(player.now().time - player.duration() / 2) < 0.03")
	page.Value("player.close()", nil)
}

// testStrip clicks on a shot.
func testStrip(t *testing.T, page *browser.Page) {
	t.Helper()
	page.Value("(window.player = makePlayer(document.querySelector('#p0'))).ready.then(() => player.seek(player.timeOf(5))).then((is) => is.frame)", new(int))
	page.WaitFor("player.now().frame === 5")
	page.Click("#p0 [data-shot]")
	page.WaitFor("player.now().frame === 0 && document.querySelector('#p0 [aria-current]')")
	if folder := os.Getenv("PROXY_PICTURES"); folder != "" { // to look at
		page.Value("player.setSpans([{start: 0.2, end: 0.6, label: 'a span'}])", nil)
		if err := os.WriteFile(filepath.Join(folder, "player.png"), page.Screenshot(), 0o600); err != nil {
			t.Error(err)
		}
	}
	page.Value("player.close()", nil)
}
