package annotate_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"omniscope/internal/sha256hex"
	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
	"omniscope/people"
)

// filmOf makes a short film with so many frames a second below the clips of the site.
func (s *site) filmOf(name string, fps int) (digest string) {
	s.t.Helper()
	return s.clip(name, fmt.Sprintf("-f lavfi -i testsrc=s=64x48:r=%d -f lavfi -i sine=440 -t 1 -c:v libx264 -preset ultrafast -c:a aac", fps))
}

func (s *site) clip(name, args string) (digest string) {
	s.t.Helper()
	path := filepath.Join(s.clips, filepath.FromSlash(name))
	_ = os.Remove(path) // else it may be a link to a clip that is kept
	clips.Make(s.t, path, clips.Fields(args)...)
	return s.digest(name)
}

func (s *site) digest(name string) string {
	s.t.Helper()
	digest, err := sha256hex.File(filepath.Join(s.clips, filepath.FromSlash(name)))
	if err != nil {
		s.t.Fatal(err)
	}
	return digest
}

// prepare has the clips prepared until the test ends, or stop is called. said are the warnings so far.
func (s *site) prepare() (said func() string, stop func()) {
	s.t.Helper()
	ctx, cancel := context.WithCancel(s.t.Context())
	var mu sync.Mutex
	var all []string
	var running sync.WaitGroup
	running.Go(func() {
		s.media.PrepareAll(ctx, s.w, func(text string) {
			mu.Lock()
			defer mu.Unlock()
			all = append(all, text)
		})
	})
	stop = func() { cancel(); running.Wait() }
	s.t.Cleanup(stop)
	return func() string {
		mu.Lock()
		defer mu.Unlock()
		return strings.Join(all, "\n")
	}, stop
}

// A shownClip is the server's response about a clip.
type shownClip struct {
	Ready                         bool
	Address, Player, Times, Peaks string
	Film                          bool
	Shots                         []struct{ Picture string }
}

// until asks for a clip until an answer is as wanted.
func (c *client) until(path, what string, is func(status int, page string, clip *shownClip) bool) *shownClip {
	c.site.t.Helper()
	deadline := time.Now().Add(time.Minute)
	for {
		clip := &shownClip{}
		status, page := c.get(path + "ready")
		if status == 200 {
			if err := json.Unmarshal([]byte(page), clip); err != nil {
				c.site.t.Fatal(err)
			}
		}
		if is(status, page, clip) {
			return clip
		}
		if time.Now().After(deadline) {
			c.site.t.Fatalf("%s is never %s: %d %s", path, what, status, page)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func (c *client) ready(path string) *shownClip {
	c.site.t.Helper()
	return c.until(path, "ready", func(_ int, _ string, clip *shownClip) bool { return clip.Ready })
}

func (c *client) troubled(path, says string) {
	c.site.t.Helper()
	c.until(path, "in trouble with "+says, func(status int, page string, _ *shownClip) bool {
		return status >= 400 && status < 500 && strings.Contains(page, says)
	})
}

// fetch gets a file with headers, and returns the answer without its body.
func (c *client) fetch(method, path string, headers ...string) *http.Response {
	c.site.t.Helper()
	r := c.request(method, path, "", nil)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	answer, err := c.http.Do(r)
	if err != nil {
		c.site.t.Fatal(err)
	}
	answer.Body.Close()
	return answer
}

func item(id string, files ...people.Media) *people.Item {
	return &people.Item{ID: id, Media: files, Payload: []byte("{}")}
}

const at = "/clip/say/i0/0/"

// TestFilesOfClipsAreAddressedByWhatTheyAre serves two projects that both call an item and its clip the
// same, as one after the other at one port. No address of a file that browsers keep is that of another clip.
func TestFilesOfClipsAreAddressedByWhatTheyAre(t *testing.T) {
	var seen []*shownClip
	var times []string
	var callers []*client
	for _, fps := range []int{24, 30} {
		s := serve(t, item("i0", people.Media{File: "one.mp4"}))
		digest := s.filmOf("one.mp4", fps)
		s.prepare()
		ann := s.signIn("ann")
		ann.post("/next/say", "", nil)
		clip := ann.ready(at)
		if !strings.HasPrefix(clip.Address, at+digest) || len(clip.Shots) == 0 || clip.Peaks == "" {
			t.Fatalf("%+v, want the digest %s", clip, digest)
		}
		for _, name := range []string{clip.Player, clip.Times, clip.Peaks, clip.Shots[0].Picture} {
			answer := ann.fetch("GET", clip.Address+name)
			cache := answer.Header.Get("Cache-Control")
			if answer.StatusCode != 200 || !strings.Contains(cache, "private") || strings.Contains(cache, "max-age") == strings.Contains(cache, "no-cache") {
				t.Errorf("%s: %d, %s", name, answer.StatusCode, cache)
			}
			status, _ := ann.get(at + name)
			if status != 404 {
				t.Errorf("%s without a digest: %d", name, status)
			}
		}
		_, text := ann.get(clip.Address + clip.Times)
		seen, times, callers = append(seen, clip), append(times, text), append(callers, ann)
	}
	if seen[0].Address == seen[1].Address || times[0] == times[1] {
		t.Errorf("two clips have the address %s, or the same frame times", seen[0].Address)
	}
	status, page := callers[1].get(seen[0].Address + seen[0].Times)
	wants(t, "the clip of the other project", status, 404, page, "load the page again")
}

// TestTheServerNotesWhatItShowed has somebody ask for everything but the clip itself, then for the clip;
// and another person in the same browser, which has the clip in its cache.
func TestTheServerNotesWhatItShowed(t *testing.T) {
	s := serve(t, item("i0", people.Media{File: "one.mp4"}))
	digest := s.filmOf("one.mp4", 25)
	s.prepare()
	ann, ben, olga := s.signIn("ann"), s.signIn("ben"), s.signIn("olga")
	for _, c := range []*client{ann, ben} {
		c.post("/next/say", "", nil)
		c.save("say/i0", event("set", "word", map[string]any{"colour": "red"}))
	}
	clip := ann.ready(at)
	refused := func(after string, c *client) {
		t.Helper()
		status, page := c.save("say/i0", event("submit", "", nil))
		wants(t, after, status, 200, page, "the clip of i0 was not shown to you", "give the item back")
	}
	refused("after ready", ann)
	for _, name := range []string{clip.Times, clip.Peaks, clip.Shots[0].Picture, "none.mp4"} {
		ann.fetch("GET", clip.Address+name)
		refused("after "+name, ann)
	}
	ann.fetch("HEAD", clip.Address+clip.Player)
	refused("after HEAD", ann)
	olga.fetch("GET", clip.Address+clip.Player)
	refused("after the owner looked", ann)
	ann.fetch("GET", at+"other-digest/"+clip.Player)
	refused("after another address", ann)

	answer := ann.fetch("GET", clip.Address+clip.Player, "Range", "bytes=0-")
	if answer.StatusCode != http.StatusPartialContent {
		t.Errorf("the clip: %d", answer.StatusCode)
	}
	status, page := ann.save("say/i0", event("submit", "", nil))
	wants(t, "shown", status, 200, page, `"seq":`)

	refused("what another person was shown", ben)
	if again := ben.fetch("GET", clip.Address+clip.Player, "If-None-Match", answer.Header.Get("ETag")); again.StatusCode != http.StatusNotModified {
		t.Errorf("from the cache: %d", again.StatusCode)
	}
	status, page = ben.save("say/i0", event("submit", "", nil))
	wants(t, "shown from the cache", status, 200, page, `"seq":`)
	status, page = olga.get("/export/events")
	wants(t, "the log", status, 200, page, `"kind":"shown"`, `{"n":0,"sha256":"`+digest+`"}`, `"kind":"clip"`)
}

// TestAClipThatFailedIsTriedAgain has a clip that is not a film at first. It is listed with the reason, and work
// on it is refused; once it is a film, it is shown without a restart.
func TestAClipThatFailedIsTriedAgain(t *testing.T) {
	need.FFmpeg(t)
	for _, how := range []string{"by itself", "when asked for"} {
		t.Run(how, func(t *testing.T) {
			s := serve(t, item("i0", people.Media{File: "one.mp4"}))
			fixture.OK(t, os.WriteFile(filepath.Join(s.clips, "one.mp4"), []byte("this is text"), 0o600))
			s.media.RetryAfter(time.Hour)
			if how == "by itself" {
				s.media.RetryAfter(50 * time.Millisecond)
			}
			said, _ := s.prepare()
			ann, olga, lea := s.signIn("ann"), s.signIn("olga"), s.signIn("lea")
			olga.troubled(at, "text")
			ann.post("/next/say", "", nil)
			ann.troubled(at, "clip 1 of i0 cannot be shown")
			status, page := lea.get("/overview")
			wants(t, "overview", status, 200, page, "one.mp4", "text", "/retry")
			if !strings.Contains(said(), "the clip one.mp4 cannot be shown and is tried again") || strings.Count(said(), "\n") > 0 {
				t.Errorf("the server says %q", said())
			}
			ann.save("say/i0", event("set", "word", map[string]any{"colour": "red"}))
			status, page = ann.save("say/i0", event("submit", "", nil))
			wants(t, "work on it", status, 200, page, "cannot be shown now")
			status, page = ann.post("/retry", "", nil)
			wants(t, "an annotator", status, 403, page)

			s.filmOf("one.mp4", 25)
			if how != "by itself" {
				status, page = lea.post("/retry", "", nil)
				wants(t, "asked for", status, 200, page)
			}
			clip := ann.ready(at)
			ann.fetch("GET", clip.Address+clip.Player)
			status, page = ann.save("say/i0", event("submit", "", nil))
			wants(t, "shown", status, 200, page, `"seq":`)
			if _, page = lea.get("/overview"); strings.Contains(page, "/retry") {
				t.Errorf("it is still listed: %s", page)
			}
		})
	}
}

// TestAClipIsReplaced replaces a clip while it is served, and while it is not.
func TestAClipIsReplaced(t *testing.T) {
	s := serve(t, item("i0", people.Media{File: "one.mp4"}))
	s.filmOf("one.mp4", 24)
	ann, ben := s.signIn("ann"), s.signIn("ben")
	counted := func() int {
		done, err := s.w.Done(t.Context(), "i0", "say")
		fixture.OK(t, err)
		return len(done)
	}
	work := func(c *client) *shownClip {
		c.post("/next/say", "", nil)
		clip := c.ready(at)
		c.fetch("GET", clip.Address+clip.Player)
		c.save("say/i0", event("set", "word", map[string]any{"colour": "red"}))
		c.save("say/i0", event("submit", "", nil))
		return clip
	}
	s.media.RetryAfter(50 * time.Millisecond)
	said, stop := s.prepare()
	before := work(ann)
	if counted() != 1 {
		t.Fatal("ann's work does not count")
	}
	s.filmOf("one.mp4", 30) // while it is served
	after := ben.until("/clip/say/i0/0/", "another", func(int, string, *shownClip) bool {
		ben.post("/next/say", "", nil)
		_, page := ben.get(at + "ready")
		clip := &shownClip{}
		return json.Unmarshal([]byte(page), clip) == nil && clip.Ready && clip.Address != before.Address
	})
	if !strings.Contains(said(), "one.mp4 has been replaced by another file: 1 submitted tasks") || counted() != 0 || after.Address == before.Address {
		t.Errorf("the server says %q, %d count", said(), counted())
	}
	work(ben)
	if counted() != 1 {
		t.Errorf("%d tasks on the new file count", counted())
	}
	stop()
	s.server.Close()
	s.filmOf("one.mp4", 24) // while it is not: the first file again
	s.start()
	warnings, err := s.media.Check(t.Context(), s.w)
	if err != nil || len(warnings) != 1 || !strings.Contains(warnings[0], "one.mp4 has been replaced by another file: 1 submitted tasks") {
		t.Errorf("at the start: %q (%v)", warnings, err)
	}
	done, err := s.w.Done(t.Context(), "i0", "say")
	if err != nil || len(done) != 1 || done[0].Person != "ann" {
		t.Errorf("%+v (%v)", done, err)
	}
	if warnings, err := s.media.Check(t.Context(), s.w); err != nil || len(warnings) != 0 {
		t.Errorf("nothing changed since, and it says %q (%v)", warnings, err)
	}
}

// TestClipsNamedByTheirDigest: if items name a clip by path and SHA-256, no other file is shown.
func TestClipsNamedByTheirDigest(t *testing.T) {
	other := serve(t)
	digest := other.filmOf("clips/kitchen.mp4", 24) // the film that the items are about
	data, err := os.ReadFile(filepath.Join(other.clips, "clips", "kitchen.mp4"))
	fixture.OK(t, err)
	for name, c := range map[string]struct {
		file  string // as the item names it
		has   string // the file with the right content; "" = no such file
		wrong string // a file with another content
		says  string // "" = it is shown
	}{
		"at its path":           {"clips/kitchen.mp4", "clips/kitchen.mp4", "kitchen.mp4", ""},
		"moved":                 {"clips/kitchen.mp4", "deep/below/kitchen.mp4", "kitchen.mp4", ""},
		"renamed":               {"clips/kitchen.mp4", "0001.mp4", "kitchen.mp4", ""},
		"another at its path":   {"clips/kitchen.mp4", "copies/kitchen.mp4", "clips/kitchen.mp4", ""},
		"not there":             {"clips/kitchen.mp4", "", "kitchen.mp4", "is another file than the clip clips/kitchen.mp4 of this project"},
		"only its sound":        {"clips/kitchen.mp4", "", "kitchen.wav", "is not below the folders of --media, and no file there has its SHA-256"},
		"only its sound, by id": {"kitchen", "", "kitchen.wav", "is another file than the clip kitchen of this project"},
		"and its sound, by id":  {"kitchen", "clips/kitchen.mp4", "kitchen.wav", ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, item("i0", people.Media{File: c.file, SHA256: digest}))
			for path, text := range map[string][]byte{c.has: data, c.wrong: []byte("another file")} {
				if path == "" {
					continue
				}
				path = filepath.Join(s.clips, filepath.FromSlash(path))
				fixture.OK(t, os.MkdirAll(filepath.Dir(path), 0o755))
				fixture.OK(t, os.WriteFile(path, text, 0o600))
			}
			said, _ := s.prepare()
			olga := s.signIn("olga")
			if c.says == "" {
				clip := olga.ready(at)
				if !clip.Film || !strings.HasPrefix(clip.Address, at+digest) {
					t.Errorf("%+v is shown", clip)
				}
				return
			}
			olga.troubled(at, c.says)
			if !strings.Contains(said(), c.says) {
				t.Errorf("the server says %q", said())
			}
		})
	}
}

// TestClipsAtAStageWithoutSound has a film, a film that has no sound, and a sound.
func TestClipsAtAStageWithoutSound(t *testing.T) {
	s := serve(t, item("i0", people.Media{File: "film.mp4"}), item("i1", people.Media{File: "silent.mp4"}), item("i2", people.Media{File: "sound.wav"}))
	s.filmOf("film.mp4", 25)
	s.clip("silent.mp4", "-f lavfi -i testsrc=s=64x48:r=25 -t 1 -c:v libx264 -preset ultrafast")
	s.clip("sound.wav", "-f lavfi -i sine=440 -t 1")
	s.prepare()
	sue := s.signIn("sue")
	for i, player := range []string{"muted.mp4", "proxy.mp4", ""} {
		address := fmt.Sprintf("/clip/muted/i%d/0/", i)
		sue.post("/next/muted", "", nil)
		sue.save(fmt.Sprintf("muted/i%d", i), event("set", "word", map[string]any{"colour": "red"}))
		if player == "" {
			sue.troubled(address, "has no picture")
			status, page := sue.save("muted/i2", event("submit", "", nil))
			wants(t, "a sound", status, 200, page, "was not shown to you")
			continue
		}
		clip := sue.ready(address)
		if clip.Player != player || clip.Peaks != "" {
			t.Errorf("%s shows %+v", address, clip)
		}
		if answer := sue.fetch("GET", clip.Address+clip.Player); answer.StatusCode != 200 {
			t.Errorf("%s: %d", clip.Player, answer.StatusCode)
		}
		status, page := sue.save(fmt.Sprintf("muted/i%d", i), event("submit", "", nil))
		wants(t, clip.Player, status, 200, page, `"seq":`)
		if answer := sue.fetch("GET", clip.Address+"proxy.mp4"); player == "muted.mp4" && answer.StatusCode != 404 {
			t.Errorf("the film with its sound: %d", answer.StatusCode)
		}
	}
}
