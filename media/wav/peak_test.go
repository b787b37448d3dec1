package wav

import "testing"

func TestPeak(t *testing.T) {
	for samples, want := range map[string]float64{
		"": 0, "\x00\x00": 0, "\x00\x40\x00\x20": 0.5, "\xff\x7f": 32767. / 32768, "\x00\x80\xff\x7f": 1, "\xff\xff\x01": 1. / 32768,
	} {
		if got := Peak([]byte(samples)); got != want {
			t.Errorf("%x: %v, want %v", samples, got, want)
		}
	}
}
