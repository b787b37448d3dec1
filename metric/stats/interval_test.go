package stats

import (
	"encoding/json"
	"math"
	"testing"
)

func TestIntervalJSON(t *testing.T) {
	tests := []struct {
		name string
		in   Interval
		want string
	}{
		{"known", known(0.25, 0.5, 0.95, "Wilson score"),
			`{"low":0.25,"high":0.5,"level":0.95,"method":"Wilson score"}`},
		{"unavailable", unavailable(0.95, "fewer than 2 clusters"), `null`},
		{"zero value", Interval{}, `null`},
		{"infinite end", known(0, math.Inf(1), 0.95, "Wilson score"), `null`},
		{"NaN end", known(math.NaN(), 1, 0.95, "Wilson score"), `null`},
	}
	for _, test := range tests {
		got, err := json.Marshal(test.in)
		if err != nil || string(got) != test.want {
			t.Errorf("%s: got %s, %v; want %s", test.name, got, err, test.want)
		}
	}
}
