package reconstruct

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/people/rating"
	"omniscope/results/correlate"
)

// rate are ratings of systems on clips by one person, by hand: values[clip][system].
func rate(scale string, values [][]int) (out []rating.Rating) {
	for c, row := range values {
		for s, v := range row {
			clip := string(rune('A' + c))
			out = append(out, rating.Rating{Item: clip + names[s], Clip: clip, System: names[s], Person: "ann", Scale: scale, Value: v})
		}
	}
	return out
}

var names = []string{"one", "two", "three", "four"}

func scores(t *testing.T, text string) *correlate.Values {
	t.Helper()
	path := filepath.Join(t.TempDir(), "scores.csv")
	fixture.OK(t, os.WriteFile(path, []byte(text), 0o600))
	v := &correlate.Values{}
	fixture.OK(t, v.AddTable(t.Context(), path))
	return v
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

// TestRelationByHand has two clips. Clip A alone gives r = 1, as 1, 2, 3 against 1, 2, 3; clip B alone 1/2, as
// 2, 1, 3 has the products 0 + 0 + 1 and the squares 2 and 2; both together the means 1.5, 1.5, 3: 1.5 / sqrt(2 * 1.5).
// Of two clips a quarter of the resamples is A twice, and a quarter B twice: these are the ends of the interval.
func TestRelationByHand(t *testing.T) {
	v := scores(t, "system,Acc,Cov,Ref\none,0,2,30\ntwo,1,3,20\nthree,2,4,10\n")
	columns, err := AddAccCov(v)
	if err != nil || strings.Join(columns, " ") != "Acc/Cov Ref" {
		t.Fatalf("%q, %v", columns, err)
	}
	ratings := rate("similarity", [][]int{{1, 2, 3}, {2, 1, 3}})
	ratings = append(ratings, rating.Rating{Clip: "A", System: "one", Person: "ann", Scale: "similarity", Value: 5, Control: rating.Repeat}, // no control counts
		rating.Rating{Clip: "A", Person: "ann", Scale: "similarity", Value: 5, Control: rating.HiddenOriginal})
	all, err := Relate(ratings, v, columns, 1)
	if err != nil || len(all) != 2 {
		t.Fatalf("%+v, %v", all, err)
	}
	r := all[0]
	if r.Score != accCov || r.Scale != "similarity" || len(r.Systems) != 3 || !near(r.Pearson.R, 1.5/math.Sqrt(3)) || r.Clips.Known || r.Fisher.Known {
		t.Errorf("%+v", r)
	}
	r = all[1] // Ref falls as the others rise
	if r.Score != "Ref" || !near(r.Pearson.R, -1.5/math.Sqrt(3)) || r.Clips.Known {
		t.Errorf("%+v", r)
	}
	if table := RelationTable(all); table.Rows[0][3] != "0.866" || table.Rows[0][4] != "too few clips" || table.Rows[0][5] != "–" {
		t.Errorf("%q", table.Rows)
	}
	if y := r.Pair.Y.Of["three"]; y.Value != 3 || y.Low != 3 || y.High != 3 {
		t.Errorf("a mean without variation has the interval %+v", y)
	}
	if y := r.Pair.Y.Of["one"]; !near(y.Value, 1.5) || y.Low != y.Value || y.High != y.Value {
		t.Errorf("a mean of two clips has the interval %+v", y)
	}
}

// TestFisherByHand has four systems: r = 0.8 of 1, 2, 3, 4 against 1, 3, 2, 4; atanh r = 1.0986, and its
// standard error 1/sqrt(4 - 3) = 1.
func TestFisherByHand(t *testing.T) {
	v := scores(t, "system,Ref\none,1\ntwo,2\nthree,3\nfour,4\nfive,9\n")
	all, err := Relate(rate("similarity", [][]int{{1, 3, 2, 4}, {1, 3, 2, 4}}), v, []string{"Ref"}, 1)
	fixture.OK(t, err)
	r, z := all[0], math.Atanh(0.8)
	const q = 1.959963984540054
	if !near(r.Pearson.R, 0.8) || len(r.Systems) != 4 || !near(r.Fisher.Low, math.Tanh(z-q)) || !near(r.Fisher.High, math.Tanh(z+q)) || r.Clips.Known {
		t.Errorf("%+v", r)
	}
}

func TestScoresOfOthers(t *testing.T) {
	v := scores(t, "system,Ref\nelse,1\nother,2\n")
	all, err := Relate(rate("similarity", [][]int{{1, 3}}), v, []string{"Ref"}, 1)
	if err != nil || all[0].Pearson.Known || len(all[0].Systems) != 0 {
		t.Errorf("%+v, %v", all, err)
	}
	if _, err := Relate(rate("Ref", [][]int{{1, 3}}), scores(t, "system,Ref\none,1\ntwo,2\n"), []string{"Ref"}, 1); omniscope.KindOf(err) != omniscope.Invalid {
		t.Errorf("a scale that is called as a score: %v", err)
	}
}

// TestRatingsFromFiles reads back what the exports of ratings hold.
func TestRatingsFromFiles(t *testing.T) {
	ratings := rate("similarity", [][]int{{1, 2}, {5, 4}})
	ratings[0].Control = rating.Repeat
	ratings = append(ratings, rating.Rating{Clip: "A", System: "one", Person: "ann", Scale: "similarity", Value: 2})
	for name, write := range map[string]func(*bytes.Buffer) error{
		"ratings.csv":   func(b *bytes.Buffer) error { return rating.WriteRatings(b, ratings) },
		"correlate.csv": func(b *bytes.Buffer) error { return rating.WriteCorrelate(b, ratings) },
	} {
		var b bytes.Buffer
		fixture.OK(t, write(&b))
		path := filepath.Join(t.TempDir(), name)
		fixture.OK(t, os.WriteFile(path, b.Bytes(), 0o600))
		got, err := rating.ReadRatings(t.Context(), path)
		fixture.OK(t, err)
		sum := 0
		for _, r := range got {
			if r.Control == rating.None {
				sum += r.Value
			}
		}
		if sum != 2+5+4+2 {
			t.Errorf("%s: %+v", name, got)
		}
	}
	for text, want := range map[string]string{
		"a,b\n1,2\n":                                   "the header wants",
		"system,clip,person,scale,value\n":             "no ratings",
		"system,clip,person,scale,value\nx,a,p,s,6\n":  ":2: the rating is \"6\"",
		"system,clip,person,scale,value\n,a,p,s,5\n":   "empty",
		"system,item,rater,rating\nx,a,p,1\nx,a,p,2\n": ":3: p has rated a of x on rating already",
	} {
		path := filepath.Join(t.TempDir(), "r.csv")
		fixture.OK(t, os.WriteFile(path, []byte(text), 0o600))
		if _, err := rating.ReadRatings(t.Context(), path); omniscope.KindOf(err) != omniscope.Invalid || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
