package match

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestOverlap(t *testing.T) {
	for _, c := range []struct {
		a, b Span
		want float64
	}{
		{Span{0, 10}, Span{5, 15}, 5.0 / 15},
		{Span{0, 10}, Span{0, 10}, 1},
		{Span{0, 4}, Span{0, 8}, 0.5},
		{Span{0, 5}, Span{5, 9}, 0},
		{Span{0, 5}, Span{7, 9}, 0},
		{Span{3, 3}, Span{3, 3}, 1},
		{Span{3, 3}, Span{0, 9}, 0},
	} {
		if got := Overlap(c.a, c.b); got != c.want || Overlap(c.b, c.a) != got {
			t.Errorf("%v and %v share %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

func TestWords(t *testing.T) {
	for text, want := range map[string][]string{
		"<Anna> opens the DOOR, slowly.": {"anna", "opens", "door", "slowly"},
		"Das Tor öffnet sich":            {"das", "tor", "öffnet", "sich"},
		"安娜开门 and Bob":                   {"安", "娜", "开", "门", "bob"},
		"the of ...":                     nil,
	} {
		if got := Words(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestDice(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want float64
	}{
		{"anna opens door", "anna pulls door open", 4.0 / 7}, // two in common, three and four words
		{"anna", "anna", 1},
		{"anna anna", "anna", 2.0 / 3},
		{"anna", "ben", 0},
		{"", "", 0},
	} {
		if got := Dice(Words(c.a), Words(c.b)); got != c.want {
			t.Errorf("%q and %q: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

func TestF1(t *testing.T) {
	// 3 pairs of 4 and 5 things: precision 3/4, recall 3/5, harmonic mean 2/3.
	if got, ok := F1([]float64{3, 4, 5}); !ok || math.Abs(got-2.0/3) > 1e-12 {
		t.Errorf("%v %v, want 2/3", got, ok)
	}
	if _, ok := F1([]float64{0, 0, 0}); ok {
		t.Error("two empty lists have an F1")
	}
}

func table(rows ...[]float64) func(i, k int) float64 {
	return func(i, k int) float64 { return rows[i][k] }
}

func TestPairs(t *testing.T) {
	for name, c := range map[string]struct {
		a, b  int
		like  func(i, k int) float64
		least float64
		want  []pair
	}{
		// Taking the best pair first (0.9) would leave 0.1: 1.0 in all. The best sum is 0.8 + 0.8.
		"best sum, not best pair": {2, 2, table([]float64{0.9, 0.8}, []float64{0.8, 0.1}), 0, []pair{{0, 1}, {1, 0}}},
		"below least":             {2, 2, table([]float64{0.9, 0.4}, []float64{0.4, 0.3}), 0.5, []pair{{0, 0}}},
		"lists of two lengths":    {1, 3, table([]float64{0.5, 0.7, 0.6}), 0.5, []pair{{0, 1}}},
		"an empty list":           {0, 2, nil, 0.5, nil},
	} {
		if got := Pairs(c.a, c.b, c.like, c.least); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// TestPairsAreBest holds the sums against those of all ways to pair.
func TestPairsAreBest(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		a, b := random.IntN(6), random.IntN(6)
		likes := make([][]float64, a)
		for i := range likes {
			for range b {
				likes[i] = append(likes[i], random.Float64())
			}
		}
		sum, used := 0.0, make(map[int]bool)
		for _, p := range Pairs(a, b, table(likes...), 0.3) {
			if used[p.B] || likes[p.A][p.B] < 0.3 {
				t.Fatalf("%v: a pair that may not be", p)
			}
			used[p.B] = true
			sum += likes[p.A][p.B]
		}
		if want := best(likes, 0, make([]bool, b)); math.Abs(sum-want) > 1e-9 {
			t.Fatalf("the pairs come to %v, others to %v", sum, want)
		}
	}
}

// best is the greatest sum of rows from i on.
func best(likes [][]float64, i int, used []bool) float64 {
	if i == len(likes) {
		return 0
	}
	most := best(likes, i+1, used)
	for k, l := range likes[i] {
		if !used[k] && l >= 0.3 {
			used[k] = true
			most = max(most, l+best(likes, i+1, used))
			used[k] = false
		}
	}
	return most
}

func TestGroups(t *testing.T) {
	// Things 0 and 1 are of person 0, 2 and 3 of person 1, 4 of person 2.
	owners := []int{0, 0, 1, 1, 2}
	alike := map[[2]int]float64{{0, 2}: 0.9, {0, 3}: 0.8, {1, 3}: 0.6, {2, 4}: 0.7, {0, 4}: 0.5, {0, 1}: 1, {3, 4}: 0.65, {1, 4}: 0.1}
	like := func(i, k int) float64 { return alike[[2]int{i, k}] }
	// 0 and 2 (0.9) first. 0 and 1 are of one person. 3 may not join 0, 2. Then 3 and 4 (0.65) beat
	// {0, 2} and 4 (mean of 0.5 and 0.7 = 0.6). Then 1 and {3, 4}: mean of 0.6 and 0.1 is too little.
	if got, want := fmt.Sprint(Groups(owners, like, 0.5)), "[[0 2] [1] [3 4]]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := Groups(nil, like, 0.5); len(got) != 0 {
		t.Errorf("nothing makes %v", got)
	}
}
