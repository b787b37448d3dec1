package session

import (
	"omniscope/model/wrap"
)

func MetersOf(models []*Model) (meters []*wrap.Meter) {
	for _, m := range models {
		meters = append(meters, m.Meter)
	}
	return meters
}
