package media

import (
	"slices"
	"testing"

	"omniscope"
	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
)

func TestSizesOfTheProfiles(t *testing.T) {
	for _, c := range []struct {
		profile       string
		width, height int
		w, h          int
	}{
		{"qwen2.5-omni", 1280, 720, 588, 336}, {"qwen2.5-omni", 640, 480, 504, 364}, {"qwen2.5-omni", 800, 332, 672, 280},
		{"qwen3-omni", 1280, 720, 672, 384}, {"qwen3-omni", 640, 480, 576, 416}, {"qwen3-omni", 800, 332, 800, 320},
		{"qwen3-vl", 1280, 720, 672, 384}, {"qwen3-vl", 640, 480, 576, 416}, {"qwen3-vl", 800, 332, 800, 320},
		{"mimo-vl", 1280, 720, 420, 224}, {"mimo-vl", 640, 480, 364, 252}, {"mimo-vl", 800, 332, 476, 196},
		{"internvl3.5", 1280, 720, 448, 448},
		{"omnivinci", 1281, 720, 1281, 720},
		{"tarsier2", 640, 360, 640, 360}, {"tarsier2", 1280, 720, 905, 509},
		// The smallest a frame may be: pictures are scaled up to it.
		{"qwen2.5-omni", 320, 180, 448, 252}, {"qwen3-omni", 320, 180, 512, 288},
	} {
		p, err := Profile(c.profile)
		fixture.OK(t, err)
		if w, h, err := p.Size(c.width, c.height, 200); w != c.w || h != c.h || err != nil {
			t.Errorf("%s shows %d×%d as %d×%d, want %d×%d (%v)", c.profile, c.width, c.height, w, h, c.w, c.h, err)
		}
	}
	_, err := Profile("qwen9")
	fixture.WantError(t, err, omniscope.Usage, "qwen3-omni")
}

func TestSmartResize(t *testing.T) {
	for _, c := range []struct {
		name                               string
		width, height, factor, least, most int
		w, h                               int
	}{
		{"half-way goes to the even multiple: 2.5 to 2, 3.5 to 4", 70, 98, 28, 0, 1 << 30, 56, 112},
		{"never less than one factor", 5, 40, 28, 0, 1 << 30, 28, 28},
		{"not less when shrinking, either", 4000, 20, 28, 0, 28 * 28, 392, 28},
		{"scaled up", 100, 50, 10, 20000, 1 << 30, 200, 100},
	} {
		if w, h, err := SmartResize(c.width, c.height, c.factor, c.least, c.most); w != c.w || h != c.h || err != nil {
			t.Errorf("%s: %d×%d (%v), want %d×%d", c.name, w, h, err, c.w, c.h)
		}
	}
	_, _, err := SmartResize(2001, 10, 28, 0, 1000)
	fixture.WantError(t, err, omniscope.Invalid, "more than 200 times")
}

func TestShareOfTotalLimitsFrame(t *testing.T) {
	// 115200 tokens for 768 frames in pairs leave 300 a pair, under the 768
	// that a frame may have by itself.
	p := Policy{Count: QwenUtils, Factor: 28}
	if w, h, _ := p.Size(1920, 1080, 768); w != 644 || h != 336 {
		t.Errorf("%d×%d", w, h)
	}
	if w, h, _ := p.Size(1920, 1080, 4); w != 1008 || h != 560 {
		t.Errorf("%d×%d of few frames", w, h)
	}
}

// transformers limits the clip: 24576·32² pixels in all.
func TestTransformersVariant(t *testing.T) {
	whole := Policy{Count: QwenTransformers, Factor: 32}
	capped := Policy{Count: QwenTransformers, Factor: 32, PerFrame: true}
	for _, c := range []struct {
		p                Policy
		width, height, n int
		w, h             int
	}{
		{whole, 1280, 720, 4, 1280, 704},
		{whole, 1280, 720, 200, 448, 256},
		{capped, 1280, 720, 4, 1152, 640},
		{whole, 20, 20, 4, 192, 192},
	} {
		if w, h, err := c.p.Size(c.width, c.height, c.n); w != c.w || h != c.h || err != nil {
			t.Errorf("%d frames of %d×%d: %d×%d (%v), want %d×%d", c.n, c.width, c.height, w, h, err, c.w, c.h)
		}
	}
}

func TestFrameCount(t *testing.T) {
	qwen200 := Policy{Count: QwenUtils, FPS: 2, MaxFrames: 200}
	qwen768 := Policy{Count: QwenUtils}
	transformers := Policy{Count: QwenTransformers}
	for _, c := range []struct {
		name  string
		p     Policy
		total int
		rate  float64
		want  int
	}{
		{"5.055 s", qwen200, 121, 24, 10},
		{"13 s", qwen200, 312, 24, 26},
		{"33 s", qwen200, 792, 24, 66},
		{"70.5 s", qwen200, 1692, 24, 140},
		{"100 s meet the limit", qwen200, 2400, 24, 200},
		{"600 s, at most 200", qwen200, 14400, 24, 200},
		{"600 s, at most 768", qwen768, 14400, 24, 768},
		{"half a second has four", qwen768, 12, 24, 4},
		{"three frames make two", qwen768, 3, 24, 2},
		{"a slow camera", qwen768, 31, 1, 30},
		{"a number asked for is made even, half-way to the even pair", Policy{Count: QwenUtils, Frames: 5}, 100, 25, 4},
		{"and 7 is made 8", Policy{Count: QwenUtils, Frames: 7}, 100, 25, 8},
		{"transformers do not make it even", transformers, 136, 24, 11},
		{"transformers: no more than there are", transformers, 3, 24, 3},
		{"transformers: the limit", transformers, 24000, 24, 768},
		{"spread: one a second", Policy{}, 250, 25, 10},
		{"spread: at least one", Policy{}, 10, 25, 1},
		{"spread: the limit", Policy{FPS: 2, MaxFrames: 110}, 14400, 24, 110},
		{"spread: so many", Policy{Frames: 256}, 100, 25, 100},
	} {
		if got, err := c.p.FrameCount(c.total, c.rate); got != c.want || err != nil {
			t.Errorf("%s: %d frames, %v, want %d", c.name, got, err, c.want)
		}
	}
	_, err := qwen768.FrameCount(1, 24)
	fixture.WantError(t, err, omniscope.Invalid, "even number of at least 2")
}

func TestLinspace(t *testing.T) {
	for _, c := range []struct {
		first, last, n int
		want           []int
	}{
		{0, 9, 4, []int{0, 3, 6, 9}},
		{0, 5, 3, []int{0, 2, 5}}, // 2.5 goes to the even neighbour
		{2, 9, 3, []int{2, 6, 9}}, // and so does 5.5
		{0, 1, 4, []int{0, 0, 1, 1}},
		{7, 7, 2, []int{7, 7}},
		{3, 9, 1, []int{3}},
		{3, 9, 0, []int{}},
	} {
		if got := Linspace(c.first, c.last, c.n); !slices.Equal(got, c.want) {
			t.Errorf("from %d to %d by %d: %v, want %v", c.first, c.last, c.n, got, c.want)
		}
	}
	for _, n := range []int{2, 7, 64, 200, 768} {
		for _, all := range [][]int{Linspace(0, 14399, n), linspace64(0, 14399, n)} {
			if all[0] != 0 || all[n-1] != 14399 || !slices.IsSorted(all) || len(slices.Compact(all)) != n {
				t.Errorf("%d of 14400: %v", n, all)
			}
		}
	}
}

func TestPolicyHash(t *testing.T) {
	base := Policy{Count: QwenUtils, Factor: 28, FPS: 2, MaxFrames: 200}
	same := base
	same.Name, same.MinFrames, same.Quality = "by another name", 4, 3
	if base.Hash() != same.Hash() || len(base.Hash()) != 12 {
		t.Errorf("%s and %s, with defaults written out", base.Hash(), same.Hash())
	}
	seen := map[string]bool{base.Hash(): true}
	for _, change := range []func(*Policy){
		func(p *Policy) { p.FPS = 1 }, func(p *Policy) { p.MaxFrames = 100 }, func(p *Policy) { p.Factor = 32 },
		func(p *Policy) { p.Count = Spread }, func(p *Policy) { p.Quality = 5 }, func(p *Policy) { p.MaxPixels = 200704 },
	} {
		p := base
		change(&p)
		if seen[p.Hash()] {
			t.Errorf("%+v has the hash of another", p)
		}
		seen[p.Hash()] = true
	}
}

func TestInvalidPolicies(t *testing.T) {
	f := probedFile(t, clips.Made(t, "x.mp4", counting+"-t 1 "+x264))
	for says, p := range map[string]Policy{
		"no rule of counting": {Count: "even"},
		"below zero":          {MaxFrames: -1},
		"frames a second":     {FPS: -2},
		"take spans":          {Frames: 5000},
		"without a height":    {Width: 10},
		"quality":             {Quality: 99},
		"at most 10":          {MinPixels: 20, MaxPixels: 10},
	} {
		_, err := p.Plan(t.Context(), f, omniscope.Span{})
		fixture.WantError(t, err, omniscope.Invalid, says)
	}
}

func TestPlanOfSpan(t *testing.T) {
	f := probedFile(t, clips.Made(t, "x.mp4", counting+"-t 4 "+x264))
	plan, err := Policy{Count: QwenUtils, Factor: 28}.Plan(t.Context(), f, omniscope.Span{Start: 1e9, End: 3e9})
	// Frames 25 to 75: 51, of which 2 a second are 4.
	if err != nil || !slices.Equal(plan.Indices, []int{25, 42, 58, 75}) || plan.Width != 392 || plan.Height != 280 {
		t.Errorf("%+v, %v", plan, err)
	}
}
