package session

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// CostOfCalls is what the calls of models cost this command, and what of that was lost, in US
// dollars; nil where a price is not known.
func CostOfCalls(models []*Model) (all, lost *float64) {
	if len(models) == 0 {
		return nil, nil
	}
	all, lost = new(float64), new(float64)
	for _, m := range models {
		if m.Price == nil {
			return nil, nil
		}
		*all += m.Meter.CostUSD()
		*lost += m.Meter.Lost().CostUSD
	}
	return all, lost
}

func Counts(m map[string]int64) map[string]int {
	out := make(map[string]int, len(m))
	for k, v := range m {
		out[k] = int(v)
	}
	return out
}

func JoinCounts(m map[string]int) string {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		parts = append(parts, fmt.Sprintf("%s (%d)", k, m[k]))
	}
	return strings.Join(parts, ", ")
}
