package pdac

import (
	"bufio"
	"encoding/json"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/golden"
)

// A vector is what the published program makes of frames.
type vector struct {
	ID        string
	Max, Min  float64
	Threshold float64
	NotStrict bool `json:"not_strict"`
	Segments  []Segment
	YAML      *string
	Probs     []float64
}

func vectors(t *testing.T) (list []vector) {
	t.Helper()
	f, err := os.Open(golden.Path(t, "mcif", "shas_pdac.jsonl"))
	fixture.OK(t, err)
	defer f.Close()
	for in := json.NewDecoder(bufio.NewReader(f)); in.More(); {
		var v vector
		fixture.OK(t, in.Decode(&v))
		list = append(list, v)
	}
	return list
}

func (v vector) options() Options { return Options{v.Max, v.Min, v.Threshold, v.NotStrict} }

func TestSegmentsOfPublishedProgram(t *testing.T) {
	list := vectors(t)
	if len(list) != 66 {
		t.Fatalf("%d vectors, want 66", len(list))
	}
	yamls := 0
	for _, v := range list {
		got, err := Segments(v.Probs, v.options())
		if err != nil || !reflect.DeepEqual(got, v.Segments) {
			t.Errorf("%s: %v, %v\nwant %v", v.ID, got, err, v.Segments)
		}
		if v.YAML == nil {
			continue
		}
		yamls++
		if text, err := YAML(Entries("talk.wav", got)); err != nil || string(text) != *v.YAML {
			t.Errorf("%s: %v\n%s\nwant\n%s", v.ID, err, text, *v.YAML)
		}
	}
	if yamls < 40 {
		t.Errorf("only %d of the vectors have a YAML text", yamls)
	}
}

// tried is the published algorithm word for word: it sorts the frames and tries
// each.
func tried(p []float64, o Options) (list []Segment) {
	trim := func(a, b int) (int, int) {
		first := slices.IndexFunc(p[a:b], func(v float64) bool { return v >= o.Threshold })
		if first < 0 {
			return a, a
		}
		for p[b-1] < o.Threshold {
			b--
		}
		return a + first, b
	}
	var divide func(a, b int)
	divide = func(a, b int) {
		if seconds(b-a) < o.Max {
			list = append(list, stretch{a, b}.segment())
			return
		}
		order := make([]int, b-a)
		for i := range order {
			order[i] = a + i
		}
		slices.SortStableFunc(order, func(i, j int) int {
			switch {
			case p[i] < p[j]:
				return -1
			case p[i] > p[j]:
				return 1
			}
			return 0
		})
		var la, lb, ra, rb int
		for _, k := range order {
			if o.NotStrict && p[k] > o.Threshold {
				break
			}
			la, lb = trim(a, k)
			ra, rb = trim(k+1, b)
			if seconds(lb-la) > o.Min && seconds(rb-ra) > o.Min {
				divide(la, lb)
				divide(ra, rb)
				return
			}
		}
		if o.NotStrict {
			list = append(list, stretch{a, b}.segment())
			return
		}
		if seconds(lb-la) > o.Min {
			divide(la, lb)
		}
		if seconds(rb-ra) > o.Min {
			divide(ra, rb)
		}
	}
	divide(trim(0, len(p)))
	return list
}

func TestSegmentsEqualTryingEachFrame(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	forced := 0
	for range 3000 {
		p := make([]float64, r.IntN(120))
		steps := 1 + r.IntN(20) // few steps: many equal probabilities
		for i := range p {
			p[i] = float64(r.IntN(steps+1)) / float64(steps)
		}
		o := Options{Max: 0.02 + r.Float64(), Min: r.Float64() * float64(r.IntN(2)), Threshold: float64(r.IntN(11)) / 10, NotStrict: r.IntN(2) == 0}
		got, err := Segments(p, o)
		if want := tried(p, o); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v of %v:\n%v, %v\nwant %v", o, p, got, err, want)
		}
		if len(got) == 0 {
			forced++
		}
	}
	if forced == 0 {
		t.Error("no case lost everything in forced divisions, which some should")
	}
}

func TestSegmentsRefuse(t *testing.T) {
	nan := func() float64 { var zero float64; return zero / zero }()
	for name, c := range map[string]struct {
		probs []float64
		o     Options
	}{
		"probability above 1": {[]float64{0.5, 1.5}, Default},
		"no number":           {[]float64{nan}, Default},
		"max of 0":            {nil, Options{Max: 0, Min: 0.2, Threshold: 0.5}},
		"negative min":        {nil, Options{Max: 18, Min: -1, Threshold: 0.5}},
		"threshold above 1":   {nil, Options{Max: 18, Min: 0.2, Threshold: 50}},
	} {
		if got, err := Segments(c.probs, c.o); err == nil {
			t.Errorf("%s: %v, want an error", name, got)
		}
	}
}

func TestFramesAreRoundedHalfToEven(t *testing.T) {
	for _, c := range []struct {
		samples int64
		rate    int
		want    int
	}{{0, 16000, 0}, {80000, 16000, 250}, {16000, 16000, 50}, {160000, 16000, 500}, {480000, 16000, 1498}, {1, 1000000, 0}, {4410000, 44100, 4995}} {
		if got := Frames(c.samples, c.rate); got != c.want {
			t.Errorf("%d samples at %d Hz: %d frames, want %d", c.samples, c.rate, got, c.want)
		}
	}
}

// An hour in which nobody pauses: each division takes off as little as it may.
func BenchmarkHourOfSteadySpeech(b *testing.B) { benchmarkHour(b, func(i int) float64 { return 0.9 }) }

func BenchmarkHourOfTalk(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	benchmarkHour(b, func(int) float64 { return r.Float64() })
}

// An hour with a limit that no division keeps: frame after frame is dropped.
func BenchmarkHourOfForcedDivisions(b *testing.B) {
	probs := make([]float64, 3600*FrameRate)
	for i := range probs {
		probs[i] = 1
	}
	for b.Loop() {
		if _, err := Segments(probs, Options{Max: 10, Min: 3600, Threshold: 0.5}); err != nil {
			b.Fatal(err)
		}
	}
}

func benchmarkHour(b *testing.B, prob func(i int) float64) {
	probs := make([]float64, 3600*FrameRate)
	for i := range probs {
		probs[i] = prob(i)
	}
	for b.Loop() {
		if _, err := Segments(probs, Default); err != nil {
			b.Fatal(err)
		}
	}
}
