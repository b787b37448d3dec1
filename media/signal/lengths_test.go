package signal

import (
	"math"
	"reflect"
	"testing"
)

func TestStreamLengthsAndRates(t *testing.T) {
	for _, rate := range []int{lowestRate, 8000, 11025, 22050, 32000, 44100, 96000, 192000, highestRate} {
		for _, length := range []int{1, 2, 3, 100, 441, 1000, 4097, 30000, 3 * rate} {
			for channels := 1; channels <= 2; channels++ {
				x := make([]float32, length*channels)
				for i := range x { // a saw, whatever the channels
					x[i] = float32(i%331)/331 - 0.5
				}
				f := measure(t, rate, channels, x)
				if want := float64(length) / float64(rate); math.Abs(f.Duration.Seconds()-want) > 1e-6 {
					t.Errorf("%d samples at %d Hz last %v", length, rate, f.Duration)
				}
				finite(t, reflect.ValueOf(f))
			}
		}
	}
}

// finite fails on numbers that are none, at any depth.
func finite(t *testing.T, v reflect.Value) {
	t.Helper()
	switch v.Kind() {
	case reflect.Float64:
		if math.IsNaN(v.Float()) || math.IsInf(v.Float(), 0) {
			t.Error("a fact is no number")
		}
	case reflect.Struct:
		for i := range v.NumField() {
			finite(t, v.Field(i))
		}
	case reflect.Slice:
		for i := range v.Len() {
			finite(t, v.Index(i))
		}
	}
}
