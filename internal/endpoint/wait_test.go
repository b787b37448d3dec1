package endpoint

import (
	"net/http"
	"testing"
	"time"
)

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)
	date := func(d time.Duration) string { return now.Add(d).Format(http.TimeFormat) }
	for _, c := range []struct {
		seconds, ms string
		want        time.Duration
	}{
		{"", "", 0},
		{"7", "", 7 * time.Second},
		{"0.5", "", 500 * time.Millisecond},
		{"7", "250", 250 * time.Millisecond},
		{"7", "soon", 7 * time.Second},
		{"7", "-1", 7 * time.Second},
		{date(90 * time.Second), "", 90 * time.Second},
		{now.Add(time.Minute).Format(time.RFC850), "", time.Minute},
		{date(-time.Hour), "", 0},
		{"0", "0", 0},
		{"-5", "", 0},
		{"soon", "", 0},
		{"7s", "", 0},
		{"NaN", "NaN", 0},
		{"Inf", "", LongestWait},
		{"99999999999999999999", "", LongestWait},
		{"", "1e300", LongestWait},
		{date(10 * 365 * 24 * time.Hour), "", LongestWait},
	} {
		h := http.Header{"Retry-After": {c.seconds}, "Retry-After-Ms": {c.ms}}
		if got := RetryAfter(h, now); got != c.want {
			t.Errorf("%q seconds and %q ms: got %s, want %s", c.seconds, c.ms, got, c.want)
		}
	}
}
