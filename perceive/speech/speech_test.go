package speech

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/perceive/asr"
)

// frames are probabilities: each is repeated for so many frames of 32 ms.
func frames(pairs ...float32) (list []float32) {
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, slices.Repeat([]float32{pairs[i]}, int(pairs[i+1]))...)
	}
	return list
}

func TestWhereSomebodySpeaks(t *testing.T) {
	for _, c := range []struct {
		name    string
		chances []float32
		want    []stretch // in frames
	}{
		{"nobody", frames(0.1, 100), nil},
		{"nothing", nil, nil},
		{"from one frame to another", frames(0, 10, 0.9, 20, 0, 20), []stretch{{10, 30}}},
		{"to the end", frames(0, 10, 0.9, 20), []stretch{{10, 30}}},
		{"to nearly the end", frames(0.9, 20, 0, 3), []stretch{{0, 20}}},
		{"too short", frames(0, 10, 0.9, 5, 0, 20), nil},
		{"with a short pause", frames(0.9, 20, 0, 8, 0.9, 20, 0, 20), []stretch{{0, 48}}},
		{"with a long pause", frames(0.9, 20, 0, 12, 0.9, 20, 0, 20), []stretch{{0, 20}, {32, 52}}},
		{"growing unsure", frames(0.9, 20, 0.4, 20, 0, 20), []stretch{{0, 40}}},
		{"short bursts", frames(0.1, 10, 0.9, 2, 0.2, 7, 0.9, 2, 0.2, 7, 0.9, 2, 0.4, 7, 0.9, 2, 0.1, 20), nil},
		{"unsure from the start", frames(0.4, 40), nil},
	} {
		got := spoken(c.chances)
		for i := range got {
			got[i] = stretch{got[i].from / frameSamples, got[i].to / frameSamples}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestOverlappingPhrases(t *testing.T) {
	const second = 16000
	dip := frames(0.9, 3000)
	dip[500] = 0.2 // at 16 s
	for _, c := range []struct {
		name  string
		in    []stretch
		total int
		want  []stretch
	}{
		{"nothing", nil, second, nil},
		{"one, with its edges", []stretch{{second, 3 * second}}, 10 * second, []stretch{{8000, 56000}}},
		{"within the sound", []stretch{{0, second}}, second, []stretch{{0, second}}},
		{"near ones together", []stretch{{second, 2 * second}, {3 * second, 4 * second}}, 10 * second, []stretch{{8000, 72000}}},
		{"far ones apart", []stretch{{second, 2 * second}, {5 * second, 6 * second}}, 10 * second, []stretch{{8000, 40000}, {72000, 104000}}},
		{"near ones apart if they are long together", []stretch{{0, 20 * second}, {20*second + 4000, 40 * second}}, 40 * second, []stretch{{0, 20*second + 2000}, {20*second + 2000, 40 * second}}},
		{"long ones divided where it is quiet", []stretch{{0, 34 * second}}, 34 * second, []stretch{{0, 501 * frameSamples}, {501 * frameSamples, 34 * second}}},
	} {
		got := phrases(c.in, dip, c.total)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		for _, s := range got {
			if timeOf(s.to-s.from) > 21*time.Second {
				t.Errorf("%s: %v is too long", c.name, s)
			}
		}
	}
}

func TestTokensBecomeText(t *testing.T) {
	p := &Pack{tokens: []string{"<unk>", "<s>", "</s>", "<0xC3>", "<0xA9>", "▁caf", "▁is", "▁", "open", "<0xZZ>"}}
	for _, c := range []struct {
		tokens []int
		want   string
	}{
		{nil, ""},
		{[]int{5, 3, 4, 6, 7, 8}, "café is open"},
		{[]int{1, 8, 2}, "open"},
		{[]int{8, 3}, "open\uFFFD"},
		{[]int{8, 10, 32767, 9}, "open<0xZZ>"},
	} {
		if got := p.text(c.tokens); got != c.want {
			t.Errorf("%v: %q, want %q", c.tokens, got, c.want)
		}
	}
}

func TestLikeliest(t *testing.T) {
	token, logProb := likeliest([]float32{1, 1 + float32(math.Log(3)), -1000})
	if token != 1 || math.Abs(logProb-math.Log(0.75)) > 1e-6 {
		t.Errorf("%d, %g", token, logProb)
	}
}

func TestSamples(t *testing.T) {
	if got := floats([]byte{0, 0, 0, 0x80, 0, 0x40, 7}); !slices.Equal(got, []float32{0, -1, 0.5}) {
		t.Error(got)
	}
}

func TestWithoutThePack(t *testing.T) {
	empty := t.TempDir()
	t.Setenv(folderVariable, empty)
	e := NewEngine("")
	if info := e.Info(); !strings.Contains(info.Missing, empty) || !strings.Contains(info.Missing, "omniscope data get speech") || !info.Quotes {
		t.Errorf("%+v", info)
	}
	if err := e.Check(t.Context()); omniscope.KindOf(err) != omniscope.NotFound {
		t.Error(err)
	}
	if _, err := e.Transcribe(t.Context(), asr.Sound{}); omniscope.KindOf(err) != omniscope.NotFound {
		t.Error(err)
	}
	for _, name := range []string{encoderFile, decoderFile, voiceFile, tokenFile} {
		fixture.OK(t, os.WriteFile(filepath.Join(empty, name), []byte("not it"), 0o600))
	}
	if _, err := Open(empty); omniscope.KindOf(err) != omniscope.Invalid || !strings.Contains(err.Error(), "omniscope data get speech") {
		t.Error(err)
	}
}

// The sources hold every file of the pack.
func TestSourcesHoldFiles(t *testing.T) {
	if len(digests) != Files {
		t.Errorf("%d digests of %d files", len(digests), Files)
	}
	held := map[string]bool{tokenFile: false}
	for _, s := range sources {
		for _, name := range s.files {
			if name == tokenScript {
				name = tokenFile
			}
			held[name] = true
		}
	}
	for name := range digests {
		if !held[name] {
			t.Errorf("no source holds %s", name)
		}
	}
}
