//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
)

// A bait is a file and an address that nothing has a reason to open.
type bait struct {
	t      *testing.T
	fifo   string
	url    string
	opened atomic.Int32
	asked  atomic.Int32
	stop   chan struct{}
	done   chan struct{}
}

func newBait(t *testing.T) *bait {
	t.Helper()
	b := &bait{t: t, fifo: filepath.Join(t.TempDir(), "secret"), stop: make(chan struct{}), done: make(chan struct{})}
	if err := syscall.Mkfifo(b.fifo, 0o600); err != nil {
		t.Skipf("no named pipes here: %v", err)
	}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	server.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			b.asked.Add(1)
		}
	}
	server.Start()
	b.url = server.URL
	go b.watch()
	t.Cleanup(func() { close(b.stop); <-b.done; server.Close() })
	return b
}

// watch notices who opens the pipe for reading: only then it can be opened for
// writing without waiting.
func (b *bait) watch() {
	defer close(b.done)
	for {
		if f, err := os.OpenFile(b.fifo, os.O_WRONLY|syscall.O_NONBLOCK, 0); err == nil {
			b.opened.Add(1)
			f.Close()
		}
		select {
		case <-b.stop:
			return
		case <-time.After(2 * time.Millisecond):
		}
	}
}

func (b *bait) untouched() {
	b.t.Helper()
	if b.opened.Load() > 0 {
		b.t.Error("the file that the media name was opened")
	}
	if b.asked.Load() > 0 {
		b.t.Error("the address that the media name was asked")
	}
}

// lists are media that name other media.
func (b *bait) lists(other string) map[string]string {
	lists := make(map[string]string)
	for what, target := range map[string]string{"a file": b.fifo, "a file beside it": filepath.Base(b.fifo), "an address": b.url + "/a.ts", "a clip": other} {

		for form, text := range map[string]string{
			"HLS":          "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n%s\n#EXT-X-ENDLIST\n",
			"HLS with key": "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-KEY:METHOD=AES-128,URI=\"%[1]s\"\n#EXT-X-MAP:URI=\"%[1]s\"\n#EXTINF:2,\n%[1]s\n#EXT-X-ENDLIST\n",
			"master HLS":   "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n%s\n",
			"concat":       "ffconcat version 1.0\nfile '%s'\n",
			"DASH": `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT2S"><Period><AdaptationSet mimeType="video/mp4">` +
				`<Representation id="1" bandwidth="1"><BaseURL>%s</BaseURL><SegmentBase/></Representation></AdaptationSet></Period></MPD>`,
			"XSPF": `<?xml version="1.0"?><playlist version="1" xmlns="http://xspf.org/ns/0/"><trackList><track><location>%s</location></track></trackList></playlist>`,
			"SDP":  "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=%s\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 96\na=rtpmap:96 H264/90000\n",
			"PLS":  "[playlist]\nFile1=%s\nNumberOfEntries=1\nVersion=2\n",
			"SVG":  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="64" height="64"><image xlink:href="%s" width="64" height="64"/></svg>`,
			"IMF":  `<?xml version="1.0"?><CompositionPlaylist xmlns="http://www.smpte-ra.org/schemas/2067-3/2016"><Id>%s</Id></CompositionPlaylist>`,
			"AVS":  "AviSource(\"%s\")\n",
			"ASX":  `<asx version="3.0"><entry><ref href="%s"/></entry></asx>`,
		} {
			if what == "a file" || what == "an address" || form == "HLS" || form == "concat" {
				lists[form+" of "+what] = fmt.Sprintf(text, target)
			}
		}
	}
	return lists
}

// TestMediaNamingOtherFiles are refused for what they are, under any ending,
// and what they name is not opened.
func TestMediaNamingOtherFiles(t *testing.T) { mediaThatNameOtherMedia(t, true) }

// TestLongMediaNamingOtherFiles has lists of every other form, and of anything.
func TestLongMediaNamingOtherFiles(t *testing.T) { mediaThatNameOtherMedia(t, false) }

func mediaThatNameOtherMedia(t *testing.T, usual bool) {
	t.Parallel()
	need.FFmpeg(t)
	q, b := newInquest(t), newBait(t)
	clip, caption := q.shortClip("clip.mp4"), q.write("caption.txt", "There is no sound.")
	fixture.OK(t, os.Symlink(b.fifo, q.path(filepath.Base(b.fifo))))
	for name, text := range b.lists(clip) {
		if (name == "HLS of a file" || name == "concat of a file" || name == "SVG of a file") != usual {
			continue
		}
		for _, ending := range []string{"mp4", "m3u8", "svg"} {
			if _, isText := map[string]bool{"m3u8": true, "svg": true}[ending]; isText && !strings.HasPrefix(strings.ToLower(name), map[string]string{"m3u8": "hls", "svg": "svg"}[ending]) {
				continue
			}
			t.Run(name+" as "+ending, func(t *testing.T) {
				list := q.write("list."+ending, text)
				began := time.Now()
				verdicts := []verdict{q.run(list, "--tools", "sound,scene")}
				if strings.HasPrefix(name, "HLS") {
					verdicts = append(verdicts, q.command("audit", caption, list, "--tools", "sound", "--work-dir", q.path("work")))
				}
				for i, v := range verdicts {
					v.ends(t, []int{exitFailed, exitFailures}[i]).says(t, list+": ").saysNo(t, "made nothing of it")
				}
				if took := time.Since(began); took > time.Minute {
					t.Errorf("it took %v", took)
				}
				b.t = t
				b.untouched()
				b.opened.Store(0)
				b.asked.Store(0)
			})
		}
	}
}

// TestPlaylists tells what kind of list it is.
func TestPlaylists(t *testing.T) {
	t.Parallel()
	need.Programs(t, "ffprobe")
	q := newInquest(t)
	for text, says := range map[string]string{
		"#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\na.ts\n#EXT-X-ENDLIST\n":   "a playlist (HLS)",
		"ffconcat version 1.0\nfile a.mp4\n":                                     "a list of files (concat)",
		`<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011"></MPD>`: "a playlist (DASH)",
		"v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nm=video 5004 RTP/AVP 96\n":          "a session description (SDP)",
	} {
		v := q.run(q.write("list.mp4", text), "--tools", "sound")
		if v.code != exitFailed || !strings.Contains(v.errOut, says) || !strings.Contains(v.errOut, "name the media files themselves") {
			t.Errorf("exit code %d, want %q: %s", v.code, says, v.errOut)
		}
	}
}

// TestNamesNotFiles are taken for names of files all the same: not for
// addresses, protocols, patterns or flags.
func TestNamesNotFiles(t *testing.T) {
	t.Parallel()
	need.FFmpeg(t)
	q, b := newInquest(t), newBait(t)
	q.shortClip("clip.mp4")
	names := []string{
		b.url + "/clip.mp4", "concat:clip.mp4|" + b.fifo, "concatf:" + b.fifo, "file:clip.mp4", "file:" + b.fifo, "pipe:0", "pipe:", "-", "fd:0",
		"subfile,,start,0,end,100,,:" + b.fifo, "async:" + b.fifo, "cache:" + b.url, "crypto:" + b.fifo, "data:text/plain,x", "lavfi:testsrc", "testsrc", "tcp" + strings.TrimPrefix(b.url, "http"),
		"udp://127.0.0.1:1234", "md5:" + b.fifo, "tee:" + b.fifo, "unix:" + b.fifo, "rtmp" + strings.TrimPrefix(b.url, "http"),
	}
	var out bytes.Buffer
	cmd := exec.Command("omniscope", q.args(append([]string{"--tools", "sound,scene", "--"}, names...)...)...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = q.dir, &out, &out
	if code := exitCodeOf(cmd.Run()); code != exitFailed || strings.Count(out.String(), "no such file") != len(names)+1 { // each, and the commonest reason
		t.Errorf("%d names, exit code %d: %s", len(names), code, &out)
	}
	b.untouched()
}

// TestPicturesWithPatternsInTheirNames are no sequences: the pictures beside
// them stay closed.
func TestPicturesWithPatternsInTheirNames(t *testing.T) {
	t.Parallel()
	need.FFmpeg(t)
	q, b := newInquest(t), newBait(t)
	picture := q.path("picture.jpg")
	clips.Make(t, picture, clips.Fields("-f lavfi -i testsrc2=s=64x48:d=1 -frames:v 1")...)
	for _, name := range []string{"p%d.jpg", "p%03d.jpg", "p*.jpg", "p[0-9].jpg"} {
		fixture.OK(t, os.Link(picture, q.path(name)))
	}
	for _, other := range []string{"p0.jpg", "p1.jpg", "p000.jpg", "p001.jpg"} {
		fixture.OK(t, os.Symlink(b.fifo, q.path(other)))
	}
	for _, name := range []string{"p%d.jpg", "p%03d.jpg", "p*.jpg", "p[0-9].jpg"} {
		if v := q.run(q.path(name), "--tools", "scene"); v.code == exitFailed && !strings.Contains(v.errOut, "rename it") {
			t.Errorf("%s: exit code %d: %s", name, v.code, v.errOut)
		}
	}
	q.run(picture, "--tools", "scene").ends(t, exitDone)
	b.untouched()
}

// TestMediaNotFiles are refused at once, also through a link.
func TestMediaNotFiles(t *testing.T) {
	t.Parallel()
	need.FFmpeg(t)
	q, b := newInquest(t), newBait(t)
	socket, err := net.Listen("unix", q.path("socket.mp4"))
	if err != nil {
		t.Skip(err)
	}
	defer socket.Close()
	link := q.path("link.mp4")
	fixture.OK(t, errors.Join(os.Symlink(b.fifo, link), os.Symlink("/dev/zero", q.path("zero.mp4"))))
	for _, path := range []string{b.fifo, link, q.path("zero.mp4"), "/dev/zero", q.path("socket.mp4")} {
		if v := q.run(path, "--tools", "sound"); v.code != exitFailed || !strings.Contains(v.errOut, "not a regular file") {
			t.Errorf("%s: exit code %d: %s", path, v.code, v.errOut)
		}
	}
	b.untouched()
}
