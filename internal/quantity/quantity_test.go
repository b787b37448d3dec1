package quantity

import "testing"

func TestTexts(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Of(0, "clip", "clips"), "0 clips"},
		{Of(1, "clip", "clips"), "1 clip"},
		{Of(int64(2000), "try", "tries"), "2000 tries"},
		{Grouped(999), "999"},
		{Grouped(1000), "1,000"},
		{Grouped(-123), "-123"},
		{Grouped(-1234567), "-1,234,567"},
		{Dollars(0), "$0.00"},
		{Dollars(0.00002), "less than $0.0001"},
		{Dollars(0.0123), "$0.0123"},
		{Dollars(12.345), "$12.35"},
		{Percent(0.035), "3.5 %"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
	if If(true) != 1 || If(false) != 0 {
		t.Errorf("If(true) = %d, If(false) = %d", If(true), If(false))
	}
}
