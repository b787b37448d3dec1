package main

import (
	"encoding/json"
	"fmt"
	"sync"
	"testing"

	"omniscope/internal/testing/fake"
)

// A listener is a server that notes what it was asked under.
type listener struct {
	*fake.Server
	mu           sync.Mutex
	temperatures map[string]bool
	top          map[string]bool
	longest      map[int]bool
}

func listen(t *testing.T, reply string) *listener {
	l := &listener{temperatures: make(map[string]bool), top: make(map[string]bool), longest: make(map[int]bool)}
	l.Server = serve(t, fake.Config{Reply: func(r *fake.Request) fake.Reply {
		l.note(r.Body)
		return fake.Reply{Content: reply}
	}})
	return l
}

func (l *listener) note(body []byte) {
	var asked struct {
		Temperature *float64
		TopK        int `json:"top_k"`
		MaxTokens   int `json:"max_tokens"`
		Completion  int `json:"max_completion_tokens"`
	}
	if err := json.Unmarshal(body, &asked); err != nil {
		panic(err)
	}
	temperature := "none"
	if asked.Temperature != nil {
		temperature = fmt.Sprint(*asked.Temperature)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.temperatures[temperature], l.top[fmt.Sprint(asked.TopK)], l.longest[asked.MaxTokens+asked.Completion] = true, true, true
}

// was checks that all that was asked was asked under these settings.
func (l *listener) was(t *testing.T, who, temperature, top string, longest int) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	for what, seen := range map[string]bool{
		"temperature": l.temperatures[temperature] && len(l.temperatures) == 1,
		"top_k":       l.top[top] && len(l.top) == 1,
		"tokens":      l.longest[longest] && len(l.longest) == 1,
	} {
		if !seen {
			t.Errorf("%s, %s: asked under temperatures %v, top_k %v, tokens %v; want %s, %s, %d", who, what, l.temperatures, l.top, l.longest, temperature, top, longest)
		}
	}
}

// TestRolesHaveSettingsOfTheirOwn gives detective and observer different
// addresses and settings.
func TestRolesHaveSettingsOfTheirOwn(t *testing.T) {
	t.Parallel()
	q := newInquest(t)
	clip := q.shortClip("clip.mp4")
	detective, observer := listen(t, "I look."), listen(t, "A dog.")
	q.run(clip, "--tools", "sound", "--observer", "openai/o,max-tokens=77,extra.top_k=3,temperature=0.5,base-url="+observer.URL()).must(t, exitDone)
	observer.was(t, "observer", "0.5", "3", 77)
	v := q.run(clip, "--tools", "sound", "--detective", "openai/d,max-tokens=99,extra.top_k=9,temperature=1,base-url="+detective.URL(),
		"--observer", "openai/o,base-url="+observer.URL(), "--stop-after-unusable", "2", "--out", q.path("other"))
	if n := detective.Stats().Answered; n == 0 {
		t.Fatalf("the detective was not asked: %s", v.errOut)
	}
	detective.was(t, "detective", "1", "9", 99)
}

// TestRolesShareAnAddress gives one address for all roles, and none of them
// settings: the detective is asked at temperature 0, observers at their own.
func TestRolesShareAnAddress(t *testing.T) {
	t.Parallel()
	q := newInquest(t)
	server := listen(t, "A dog.")
	q.run(q.shortClip("clip.mp4"), "--tools", "sound", "--observer", "openai/o,base-url="+server.URL()).must(t, exitDone)
	server.was(t, "observer", "none", "0", 2048)
}
