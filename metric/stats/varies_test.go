package stats

import "testing"

func TestVaries(t *testing.T) {
	share := func(sum []float64) (float64, bool) { return sum[0] / sum[1], sum[1] > 0 }
	rows := func(values ...float64) Clusters { return Clusters{Width: 2, Rows: values} }
	for name, c := range map[string]struct {
		a, b Clusters
		want bool
	}{
		"always 0, of different numbers": {rows(0, 3, 0, 4), rows(0, 2, 0, 5), false},
		"always 1":                       {rows(3, 3, 4, 4), rows(2, 2, 5, 5), false},
		"the same in each cluster":       {rows(1, 3, 2, 4), rows(1, 3, 2, 4), false},
		"one cluster differs":            {rows(1, 3, 0, 4), rows(1, 3, 1, 4), true},
		"they differ and cancel":         {rows(1, 2, 0, 2), rows(0, 2, 1, 2), true},
		"no clusters":                    {rows(), rows(), false},
	} {
		if got := Varies(c.a, c.b, share); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
