package score

import (
	"context"
	"errors"
	"slices"
	"testing"
)

func TestInterruptLongSegment(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	end := make(chan struct{})
	defer close(end)
	err := EachSegment(ctx, 1, func(int) error {
		cancel()
		<-end
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestRowsOfOneCluster(t *testing.T) {
	rows := [][]float64{{1, 10}, {2, 20}, {4, 40}, {8, 80}}
	for _, test := range []struct {
		of   []string
		want []float64
	}{
		{nil, []float64{1, 10, 2, 20, 4, 40, 8, 80}},
		{[]string{"b", "a", "b", "a"}, []float64{5, 50, 10, 100}},
		{[]string{"a", "a", "a", "a"}, []float64{15, 150}},
	} {
		if got := clustered(rows, test.of, make([]bool, len(rows))); !slices.Equal(got.Rows, test.want) || got.Width != 2 {
			t.Errorf("%v: got %v, want %v", test.of, got.Rows, test.want)
		}
	}
}
