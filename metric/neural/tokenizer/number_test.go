package tokenizer

import (
	"math"
	"testing"
)

// The right side is what huggingface/tokenizers 0.23.2 wrote back (saved) for the
// left side; the first five are not what IEEE rounding gives.
func TestScoreNumbers(t *testing.T) {
	for number, want := range map[string]float64{
		"-14.521993637084961":          -14.52199363708496,
		"-13.617406845092773":          -13.617406845092772,
		"-10.546065330505371":          -10.546065330505373,
		"-13.593408584594727":          -13.593408584594728,
		"-10.944361686706543":          -10.944361686706545,
		"-10.944361686706542999999999": -10.944361686706543,
		"-0.00001":                     -1e-5,
		"-1e-5":                        -1e-5,
		"-5":                           -5,
		"0.0":                          0,
		"12E+1":                        120,
		"1e-400":                       0,
		"3e-99999999999999999999":      0,
		"0e99999999999999999999":       0,
		"1e400":                        math.Inf(1),
		"-1e99999999999999999999":      math.Inf(-1),
		"100000000000000000000000.5":   1e23,
	} {
		if got := serdeFloat(number); got != want {
			t.Errorf("%s: got %v, want %v", number, got, want)
		}
	}
}
