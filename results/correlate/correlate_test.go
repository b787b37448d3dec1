package correlate

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
)

// TestTableAgainstItself has the numbers of Anscombe's first and second sets: r is 0.816
// for both, and by ranks they part.
func TestTableAgainstItself(t *testing.T) {
	v := &Values{}
	err := v.AddTable(t.Context(), fixture.File(t, "values.csv", `# F. J. Anscombe, "Graphs in statistical analysis" (1973)
system,x,first,second
a,10,8.04,9.14
b,8,6.95,8.14
c,13,7.58,8.74
d,9,8.81,8.77
e,11,8.33,9.26
f,14,9.96,8.10
g,6,7.24,6.13
h,4,4.26,3.10
i,12,10.84,9.13
j,7,4.82,7.26
k,5,5.68,4.74
l,99,,
`))
	fixture.OK(t, err)
	pairs, err := v.Pairs([]string{"x"}, []string{"first", "second"})
	if err != nil || len(pairs) != 2 {
		t.Fatal(pairs, err)
	}
	for i, want := range []struct{ r, rho float64 }{{0.81642, 0.81818}, {0.81624, 0.69091}} {
		p := pairs[i]
		if len(p.Systems) != 11 || math.Abs(p.Pearson.R-want.r) > 1e-5 || math.Abs(p.Spearman.R-want.rho) > 1e-5 || !p.Interval.Known {
			t.Errorf("%s: %d systems, %+v, %+v", p.Y.Name, len(p.Systems), p.Pearson, p.Spearman)
		}
	}
	if _, err := v.Pairs([]string{"y"}, nil); err == nil || omniscope.KindOf(err) != omniscope.Usage || !strings.Contains(err.Error(), `"second"`) {
		t.Errorf("got %v", err)
	}
	if all, err := v.Pairs(nil, nil); err != nil || len(all) != 3 {
		t.Errorf("%d pairs, %v", len(all), err)
	}
}

// TestBattles has a winner by letter, one by name, and a tie. Elo by hand: after the first
// 1016 and 984; B's win against 1000 gives it 16.736; the tie of A and C takes 0.7 or so.
func TestBattles(t *testing.T) {
	v := &Values{}
	fixture.OK(t, v.AddBattles(t.Context(), fixture.File(t, "values.csv", "a,b,winner,clip\nA,B,a,1\nB,C,B,1\nA,C,tie,2\nC,A,a,3\n"), 1))
	elo, err := v.column(eloMeasure)
	fixture.OK(t, err)
	expected := func(own, other float64) float64 { return 1 / (1 + math.Pow(10, (other-own)/400)) }
	a, b, c := 1016., 984., 1000.
	move := 32 * (1 - expected(b, c))
	b, c = b+move, c-move
	move = 32 * (0.5 - expected(a, c))
	a, c = a+move, c-move
	move = 32 * (1 - expected(c, a))
	a, c = a-move, c+move
	for system, want := range map[string]float64{"A": a, "B": b, "C": c} {
		if got := elo.Of[system]; math.Abs(got.Value-want) > 1e-9 || got.Low > got.Value || got.High < got.Value {
			t.Errorf("%s: %+v, want %.3f", system, got, want)
		}
	}
	if bt, err := v.column(bradleyTerry); err != nil || len(bt.Of) != 3 {
		t.Errorf("%+v, %v", bt, err)
	}
}

func TestRatersWhoAgree(t *testing.T) {
	v := &Values{}
	err := v.AddRatings(t.Context(), fixture.File(t, "values.csv", "system,item,rater,rating,question\na,1,x,4,like\na,1,y,4,like\na,2,x,2,like\na,2,y,2,like\nb,1,x,1,like\nb,1,y,1,like\n"), 1)
	like, missing := v.column("like")
	if err != nil || missing != nil || like.Of["a"].Value != 3 || like.Of["b"].Value != 1 {
		t.Errorf("%+v, %v, %v", like, err, missing)
	}
	if len(v.Notes) != 1 || !strings.Contains(v.Notes[0], "like by 2 raters, Krippendorff's alpha (ordinal) 1.000") {
		t.Errorf("%q", v.Notes)
	}
}

// TestIntervalOfMeanRatings: a mean of six items has an interval; a mean of fewer items does not.
func TestIntervalOfMeanRatings(t *testing.T) {
	rows := "system,item,rater,rating\n"
	for i := range 6 {
		rows += fmt.Sprintf("a,%d,x,%d\nb,%[1]d,x,1\n", i, 1+i%3)
	}
	v := &Values{}
	err := v.AddRatings(t.Context(), fixture.File(t, "values.csv", rows), 1)
	rating, missing := v.column("rating")
	if a, b := rating.Of["a"], rating.Of["b"]; err != nil || missing != nil || a.Value != 2 || a.Low >= 2 || a.High <= 2 || b.Low != 1 || b.High != 1 {
		t.Errorf("%+v, %v, %v", rating, err, missing)
	}
}

func TestTablesThatAreNone(t *testing.T) {
	for text, says := range map[string]string{
		"":                                      "has no rows",
		"system,x\n":                            "has no rows",
		"name,x\na,1\n":                         `values.csv:1: there is no column "system"`,
		"system,x\na,1\nb,one\n":                `values.csv:3: x is "one", which is not a number`,
		"system,x\na,1\na,2\n":                  `values.csv:3: a has two values of "x"`,
		"system,x\na,1,2\n":                     "values.csv:2: wrong number of fields: 3",
		"system,x\n,1\n":                        "values.csv:2: system is empty",
		"a,b,winner\nA,A,a\n":                   `values.csv:2: a battle of "A" and "A"`,
		"a,b,winner\nb,a,a\n":                   `values.csv:2: the winner "a" is a system as well as a column`,
		"a,b,winner\ntie,B,tie\n":               `values.csv:2: the winner "tie" is a system`,
		"a,b,winner\nA,B,C\n":                   `values.csv:2: the winner is "C": it is "A", "B" or tie`,
		"system,item,rater,rating\na,1,x,NaN\n": `rating is "NaN", which is not a number`,
		"system,item,rater,rating\na,1,x,1\na,1,x,2\n": "values.csv:3: x has rated item 1 of a already",
	} {
		v := &Values{}
		add := v.AddTable
		switch {
		case strings.HasPrefix(text, "a,b"):
			add = func(ctx context.Context, path string) error { return v.AddBattles(ctx, path, 0) }
		case strings.HasPrefix(text, "system,item"):
			add = func(ctx context.Context, path string) error { return v.AddRatings(ctx, path, 0) }
		}
		if err := add(t.Context(), fixture.File(t, "values.csv", text)); err == nil || omniscope.KindOf(err) != omniscope.Invalid || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %q", text, err, says)
		}
	}
}

// TestBattlesAloneSayWhyThereIsNothingToCorrelate reads battles without a system that Bradley-Terry can rate.
func TestBattlesAloneSayWhyThereIsNothingToCorrelate(t *testing.T) {
	for rows, says := range map[string]string{
		"A,B,a\nB,A,a\nC,D,a\nD,C,a\n": "never met, so that neither Elo nor Bradley-Terry compares them: A, B | C, D",
		"A,B,a\nB,C,a\n":               "no Bradley-Terry rating of A: undefeated",
	} {
		v := &Values{}
		fixture.OK(t, v.AddBattles(t.Context(), fixture.File(t, "values.csv", "a,b,winner\n"+rows), 0))
		if _, err := v.Pairs(nil, nil); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %q", rows, err, says)
		}
	}
}

func TestHostileNamesStayText(t *testing.T) {
	v := &Values{}
	fixture.OK(t, v.AddTable(t.Context(), fixture.File(t, "values.csv", "system,<b>x</b>,y\n<script>alert(1)</script>,1,2\n\"a\"\"&\",2,3\nc,3,1\n")))
	pairs, err := v.Pairs(nil, nil)
	fixture.OK(t, err)
	var page strings.Builder
	if err := Page(&page, "<i>", pairs); err != nil || strings.Contains(page.String(), "<script") || strings.Contains(page.String(), "<b>") || strings.Contains(page.String(), "<i>") {
		t.Errorf("%v: %s", err, page.String())
	}
}
