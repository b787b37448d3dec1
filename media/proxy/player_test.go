package proxy

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"omniscope/internal/browser"
	"omniscope/internal/webpage"
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
		mux.Handle(fmt.Sprintf("/%d/", i), http.StripPrefix(fmt.Sprintf("/%d/", i), http.FileServer(http.Dir(p.Folder))))
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
	if err != nil {
		t.Fatal(err)
	}
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
  let mediaTime = -1; // known before the player hears of it
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
    if (is.frame !== i || is.time !== times[i] || Math.abs(mediaTime - times[i]) > 0.001 || Math.abs(grey - want) > 2.5)
      wrong.push([how, 'frame', i, 'at', times[i], 'now', is.frame, 'presented', mediaTime, 'grey', grey, 'want', want].join(' '));
  };
  if (player.frames() !== times.length) wrong.push('frames ' + player.frames());
  await player.seek(times.length > 1 ? times[1] : 0);
  check('seek', Math.min(1, times.length - 1), await player.step(0));
  for (let i = 2; i < times.length; i++) check('step', i, await player.step(1));
  for (let i = times.length - 2; i >= Math.max(0, times.length - 10); i--) check('back', i, await player.step(-1));
  for (let n = 0, i = 0; n < times.length; n++, i = (i + 7) % times.length) check('seek', i, await player.seek(times[i]));
  return { wrong, checked, took: (performance.now() - began) / checked };
})`

// A walked film is what came of walk.
type walked struct {
	Wrong   []string
	Checked int
	Took    float64 // milliseconds for each
}

func TestEveryFrameInABrowser(t *testing.T) {
	files := preparedClips(t)
	server := serve(t, files...)
	page := open(t, server)
	for i, p := range files {
		var is walked
		page.Value(fmt.Sprintf("%s(document.querySelector('#p%d'))", walk, i), &is)
		if is.Checked < 2*p.Frames || len(is.Wrong) > 0 {
			t.Errorf("%s: %d frames, %d checks, %d wrong: %s", clips[i].name, p.Frames, is.Checked, len(is.Wrong), strings.Join(is.Wrong[:min(5, len(is.Wrong))], "\n"))
		}
		t.Logf("%s: %d frames, %d checks, %.0f ms each", clips[i].name, p.Frames, is.Checked, is.Took)
	}
	page.Quiet(server.URL)
}
