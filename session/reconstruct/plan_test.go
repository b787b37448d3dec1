package reconstruct

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
)

// A site is a folder with clips and captions.
type site struct {
	t   *testing.T
	dir string
}

func newSite(t *testing.T, clips int) *site {
	t.Helper()
	need.FFmpeg(t)
	s := &site{t, t.TempDir()}
	var list strings.Builder
	for i := range clips {
		film, err := fake.Film(float64(2+i%3*3), 1+i%2, false)
		fixture.OK(t, err)
		s.write(fmt.Sprintf("clips/c%02d.mp4", i), string(film))
		fmt.Fprintf(&list, `{"id": "c%02d", "path": "clips/c%02d.mp4"}`+"\n", i, i)
	}
	s.write("clips.jsonl", list.String())
	return s
}

func (s *site) write(name, text string) string {
	s.t.Helper()
	path := filepath.Join(s.dir, name)
	fixture.OK(s.t, os.MkdirAll(filepath.Dir(path), 0o755))
	fixture.OK(s.t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// captions writes a system's captions of the first n clips.
func (s *site) captions(system string, n int) Captions {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"id": "c%02d.mp4", "caption": "Clip %d as %s has it. A dog barks. Then it sleeps."}`+"\n", i, i, system)
	}
	return Captions{System: system, Path: s.write(system+".jsonl", b.String())}
}

func (s *site) options(captions ...Captions) Options {
	return Options{Captions: captions, Originals: filepath.Join(s.dir, "clips.jsonl"), Seed: 1, Generator: "g", Choices: []float64{4, 8, 12}, Threads: 2}
}

func TestPlan(t *testing.T) {
	s := newSite(t, 7)
	o := s.options(s.captions("alpha", 7), s.captions("beta", 6))
	o.Draw = 4
	p, err := NewPlan(t.Context(), o)
	fixture.OK(t, err)
	if len(p.Clips) != 4 || len(p.Jobs) != 8 || len(p.Warnings) != 1 || !strings.Contains(p.Warnings[0], "1 of 7 clips have no caption") {
		t.Errorf("%d clips, %d jobs, %q", len(p.Clips), len(p.Jobs), p.Warnings)
	}
	lengths := make(map[string]float64)
	for _, c := range p.Clips {
		lengths[c.ID] = c.Length.Seconds()
	}
	names := make(map[string]bool)
	for _, j := range p.Jobs {
		names[j.Name] = true
		want := 4.0
		if lengths[j.Clip] > 6 {
			want = 8
		}
		if j.Seconds != want {
			t.Errorf("%s has %v s and gets %v", j.Clip, lengths[j.Clip], j.Seconds)
		}
		if strings.Contains(j.Name, "alpha") || strings.Contains(j.Name, j.Clip) || len(j.Name) != 20 {
			t.Errorf("the name %s says whose it is", j.Name)
		}
	}
	if len(names) != 8 {
		t.Errorf("%d names", len(names))
	}
	again, err := NewPlan(t.Context(), o)
	if err != nil || !slices.Equal(p.Jobs, again.Jobs) {
		t.Errorf("another plan of the same: %v", err)
	}
	o.Seed = 2
	if other, err := NewPlan(t.Context(), o); err != nil || slices.Equal(p.Jobs, other.Jobs) {
		t.Errorf("another seed draws the same: %v", err)
	}
}

func TestPrompts(t *testing.T) {
	s := newSite(t, 2)
	o := s.options(s.captions("alpha", 2))
	o.MaxPrompt = 40
	if _, err := NewPlan(t.Context(), o); omniscope.KindOf(err) != omniscope.Invalid || !strings.Contains(err.Error(), "--cut-prompts") {
		t.Errorf("%v", err)
	}
	o.Cut = true
	p, err := NewPlan(t.Context(), o)
	if err != nil || p.Jobs[0].Prompt != "Clip "+p.Jobs[0].Clip[2:]+" as alpha has it. A dog barks." || !p.Jobs[0].Cut || len(p.Warnings) != 1 {
		t.Errorf("%+v, %v", p, err)
	}
	o.MaxPrompt = 5
	if _, err := NewPlan(t.Context(), o); omniscope.KindOf(err) != omniscope.Invalid || !strings.Contains(err.Error(), "not even the first sentence") {
		t.Errorf("%v", err)
	}
}

func TestLengths(t *testing.T) {
	for _, c := range []struct {
		length float64
		of     []float64
		want   float64
	}{
		{1, []float64{4, 8, 12}, 4}, {6, []float64{4, 8, 12}, 8}, {5.99, []float64{12, 8, 4}, 4}, {600, []float64{4, 8, 12}, 12}, {6.4, nil, 6}, {0.2, nil, 1}, {6, []float64{8, 4}, 8},
	} {
		if got := secondsFor(c.length, c.of); got != c.want {
			t.Errorf("%v of %v: %v, want %v", c.length, c.of, got, c.want)
		}
	}
}

func TestBadInput(t *testing.T) {
	s := newSite(t, 3)
	good := s.captions("alpha", 3)
	of := func(change func(*Options)) Options {
		o := s.options(good)
		change(&o)
		return o
	}
	for name, c := range map[string]struct {
		o    Options
		want string
	}{
		"no captions":             {of(func(o *Options) { o.Captions = nil }), "--captions"},
		"the same system twice":   {of(func(o *Options) { o.Captions = append(o.Captions, good) }), "two files are of alpha"},
		"captions without clips":  {of(func(o *Options) { o.Captions[0].Path = s.write("x.jsonl", `{"id": "other", "caption": "A dog."}`) }), "none of the 1 captions"},
		"empty captions":          {of(func(o *Options) { o.Captions[0].Path = s.write("x2.jsonl", `{"id": "c01", "caption": "  "}`) }), "none of the 1 captions"},
		"no clip has both":        {s.options(good, Captions{"beta", s.write("b.jsonl", `{"id": "c09", "caption": "A dog."}`)}), "none of the 1 captions"},
		"captions are not there":  {of(func(o *Options) { o.Captions[0].Path = "no.jsonl" }), "no.jsonl"},
		"originals are not there": {of(func(o *Options) { o.Originals = "no.jsonl" }), "no.jsonl"},
		"missing original":        {of(func(o *Options) { o.Originals = s.write("l1.jsonl", `{"id": "c01", "path": "clips/gone.mp4"}`) }), "the original of c01 is not there"},
		"original on the web": {of(func(o *Options) {
			o.Originals = s.write("l2.jsonl", `{"id": "c01", "path": "https://a.example/a.mp4"}`)
		}), "on the web"},
		"stretch of a file": {of(func(o *Options) { o.Originals = s.write("l3.jsonl", `{"id": "c01", "path": "clips/c01.mp4#t=1,2"}`) }), "a stretch of a file"},
		"two ids, one name": {of(func(o *Options) {
			o.Originals = s.write("l4.jsonl", `{"id": "a/c01", "path": "clips/c01.mp4"}`+"\n"+`{"id": "b/c01", "path": "clips/c02.mp4"}`)
		}), "cannot tell"},
		"original without picture": {of(func(o *Options) { o.Originals = s.write("l5.jsonl", `{"id": "c01", "path": "alpha.jsonl"}`) }), "alpha.jsonl"},
	} {
		if _, err := NewPlan(t.Context(), c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// TestIDsThatArePaths takes ids for names only: they choose no place for a file.
func TestIDsThatArePaths(t *testing.T) {
	s := newSite(t, 1)
	o := s.options(Captions{"../../alpha", s.write("a.jsonl", `{"id": "../../../etc/passwd", "caption": "A dog."}`)})
	o.Originals = s.write("l.jsonl", `{"id": "../../../etc/passwd", "path": "clips/c00.mp4"}`)
	p, err := NewPlan(t.Context(), o)
	if err != nil || len(p.Jobs) != 1 || strings.ContainsAny(p.Jobs[0].File(), "/\\") || p.Clips[0].Shown != "clips/c00.mp4" {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestFolderOfClips(t *testing.T) {
	dir := t.TempDir()
	in := func(names ...string) (clips []clip) {
		for _, name := range names {
			clips = append(clips, clip{Path: filepath.Join(dir, name)})
		}
		return clips
	}
	for _, c := range []struct {
		clips []clip
		want  string
	}{
		{in("lists/clips/a.mp4", "lists/b.mp4"), "lists"},
		{in("media/films/a.mp4", "media/films/more/b.mp4"), "media/films"},
		{in("media/a/a.mp4", "media/b/b.mp4"), "media"},
	} {
		got, err := folderOf(c.clips, filepath.Join(dir, "lists"))
		if want := filepath.Join(dir, c.want); err != nil || got != want {
			t.Errorf("%v: %s, %v, want %s", c.clips, got, err, want)
		}
		for _, one := range c.clips {
			if shown := shownAs(one.Path, got); filepath.Join(got, shown) != one.Path {
				t.Errorf("%s is shown as %s from %s", one.Path, shown, got)
			}
		}
	}
}
