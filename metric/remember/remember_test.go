package remember

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/runtest"
	"omniscope/run"
	"omniscope/run/journal"
	"omniscope/run/journal/sqlite"
)

// third scores a row by something with many digits, and counts the rows.
func third(calls *int) *Scorer[float64] {
	return &Scorer[float64]{Source: "third 1", Identity: "third 1, network abc", Score: func(_ context.Context, columns [][]string) ([]float64, error) {
		var scores []float64
		for i := range columns[0] {
			*calls++
			scores = append(scores, float64(len(columns[0][i]))/3-1/float64(7+len(columns[1][i])))
		}
		return scores, nil
	}}
}

// rows makes n rows of two texts, and their steps.
func rows(n int) (steps, left, right []string) {
	for i := range n {
		steps = append(steps, fmt.Sprint("unit/", i))
		left, right = append(left, strings.Repeat("a", i)), append(right, fmt.Sprint(i))
	}
	return steps, left, right
}

func TestScoresComputedOnce(t *testing.T) {
	const n = 2*most + 17
	steps, left, right := rows(n)
	calls := 0
	want, err := third(&calls).Scores(t.Context(), nil, steps, left, right)
	if err != nil || calls != n {
		t.Fatalf("%d calls, %v", calls, err)
	}
	dir := t.TempDir()
	for round, wantCalls := range []int{n, 0} {
		journal := openStore(t, dir)
		calls = 0
		got, err := third(&calls).Scores(t.Context(), &run.Once{Journal: journal}, steps, left, right)
		if err != nil || !slices.Equal(got, want) || calls != wantCalls {
			t.Errorf("round %d: %d calls, want %d; %v, equal: %t", round, calls, wantCalls, err, slices.Equal(got, want))
		}
		fixture.OK(t, journal.Close())
	}
}

func openStore(t *testing.T, dir string) journal.Journal {
	t.Helper()
	s, err := sqlite.Open(dir)
	fixture.OK(t, err)
	t.Cleanup(func() { s.Close() })
	j, err := s.Run(t.Context(), journal.Description{Name: "test", Manifest: "{}"})
	fixture.OK(t, err)
	return j
}

func TestEntryContents(t *testing.T) {
	journal := runtest.NewMemory()
	calls := 0
	if _, err := third(&calls).Scores(t.Context(), &run.Once{Journal: journal}, []string{"QA_1#0/0"}, []string{"aaaa"}, []string{"b"}); err != nil {
		t.Fatal(err)
	}
	e := journal.Entries()[0]
	if e.Kind != "metric" || e.Step != "QA_1#0/0" || e.Source != "third 1" || e.Attempt != 1 || len(e.Result) > 64 || len(e.Request) > 0 || e.Started.IsZero() {
		t.Errorf("the entry is %+v", e)
	}
}

func TestScoreKey(t *testing.T) {
	s := &Scorer[float64]{Identity: "network abc"}
	keys := map[run.Key]string{}
	for name, key := range map[string]run.Key{
		"as it is":        s.key([][]string{{"ab"}, {"c"}}, 0),
		"other texts":     s.key([][]string{{"ab"}, {"d"}}, 0),
		"cut otherwise":   s.key([][]string{{"a"}, {"bc"}}, 0),
		"turned round":    s.key([][]string{{"c"}, {"ab"}}, 0),
		"a text more":     s.key([][]string{{"ab"}, {"c"}, {""}}, 0),
		"another network": (&Scorer[float64]{Identity: "network abd"}).key([][]string{{"ab"}, {"c"}}, 0),
	} {
		if other, ok := keys[key]; ok {
			t.Errorf("%s and %s have the same key", name, other)
		}
		keys[key] = name
	}
	if s.key([][]string{{"x", "ab"}, {"y", "c"}}, 1) != s.key([][]string{{"ab"}, {"c"}}, 0) {
		t.Error("the key depends on the other rows")
	}
}

func TestScoresKeptAfterError(t *testing.T) {
	steps, left, right := rows(3 * most)
	calls := 0
	s, burnt := third(&calls), errors.New("burnt")
	score := s.Score
	s.Score = func(ctx context.Context, columns [][]string) ([]float64, error) {
		if calls >= 2*most {
			return nil, burnt
		}
		return score(ctx, columns)
	}
	once := &run.Once{Journal: runtest.NewMemory()}
	if _, err := s.Scores(t.Context(), once, steps, left, right); !errors.Is(err, burnt) {
		t.Fatalf("it ends with %v", err)
	}
	calls = 0
	if _, err := third(&calls).Scores(t.Context(), once, steps, left, right); err != nil || calls != most {
		t.Errorf("%d calls afterwards, want %d; %v", calls, most, err)
	}
}

func TestJournalErrors(t *testing.T) {
	journal := runtest.NewMemory()
	one := []string{"x"}
	bad := &Scorer[float64]{Score: func(context.Context, [][]string) ([]float64, error) { return []float64{math.NaN()}, nil }}
	if _, err := bad.Scores(t.Context(), &run.Once{Journal: journal}, one, one); err == nil || len(journal.Entries()) != 0 {
		t.Errorf("%v, %d entries", err, len(journal.Entries()))
	}
	text := &Scorer[string]{Score: func(context.Context, [][]string) ([]string, error) { return one, nil }}
	if _, err := text.Scores(t.Context(), &run.Once{Journal: journal}, one, one); err != nil {
		t.Fatal(err)
	}
	if _, err := bad.Scores(t.Context(), &run.Once{Journal: journal}, one, one); err == nil || !strings.Contains(err.Error(), "cannot be read") {
		t.Errorf("a text is read as a number: %v", err)
	}
}
