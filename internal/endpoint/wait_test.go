package endpoint

import (
	"fmt"
	"net/http"
	"strings"
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
		{"7s", "", 7 * time.Second},
		{"1m30.5s", "", 90500 * time.Millisecond},
		{"1d2h", "", 26 * time.Hour},
		{"20 seconds", "", 20 * time.Second},
		{"in 20 s", "", 20 * time.Second},
		{fmt.Sprint(now.Add(20 * time.Second).Unix()), "", 20 * time.Second},
		{fmt.Sprint(now.Add(20 * time.Second).UnixMilli()), "", 20 * time.Second},
		{fmt.Sprint(now.Add(-time.Hour).Unix()), "", 0},
		{"2026-01-31T12:00:20Z", "", 20 * time.Second},
		{"NaN", "NaN", 0},
		{"Inf", "", longestWait},
		{"99999999999999999999", "", longestWait},
		{"", "1e300", longestWait},
		{date(10 * 365 * 24 * time.Hour), "", longestWait},
	} {
		h := http.Header{"Retry-After": {c.seconds}, "Retry-After-Ms": {c.ms}}
		if got := RetryAfter(h, now); got != c.want {
			t.Errorf("%q seconds and %q ms: got %s, want %s", c.seconds, c.ms, got, c.want)
		}
	}
}

func TestLimitReset(t *testing.T) {
	now := time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		headers string
		want    time.Duration
	}{
		{"", 0},
		{"Retry-After: 5", 0},
		{`RateLimit: "api";r=0;t=5`, 5 * time.Second},
		{`RateLimit: "api";r=10;t=5`, 0},
		{`RateLimit: "minute";r=3;t=7, "day";r=0;t=90`, 90 * time.Second},
		{"RateLimit: limit=100, remaining=0, reset=12", 12 * time.Second},
		{"RateLimit-Policy: \"api\";q=500;w=300", 0},
		{"RateLimit-Reset: 30", 30 * time.Second},
		{"RateLimit-Reset: 30\nRateLimit-Remaining: 2", 0},
		{"X-RateLimit-Reset: 0.5", 500 * time.Millisecond},
		{"X-RateLimit-Reset: 1769860820", 20 * time.Second},
		{"X-RateLimit-Reset: 1769860802500\nX-RateLimit-Remaining: 0", 2500 * time.Millisecond},
		{"X-RateLimit-Reset: 1769860700", 0},
		{"X-RateLimit-Reset-After: 1.5\nX-RateLimit-Remaining: 0", 1500 * time.Millisecond},
		{"X-Rate-Limit-Reset: 4", 4 * time.Second},
		{"x-ratelimit-reset-requests: 5s\nx-ratelimit-reset-tokens: 1m30.5s", 5 * time.Second},
		{"x-ratelimit-reset-requests: 5s\nx-ratelimit-reset-tokens: 1m30.5s\nx-ratelimit-remaining-requests: 9\nx-ratelimit-remaining-tokens: 0", 90500 * time.Millisecond},
		{"x-ratelimit-reset-requests: 120ms", 120 * time.Millisecond},
		{"anthropic-ratelimit-requests-reset: 2026-01-31T12:00:30Z\nanthropic-ratelimit-requests-remaining: 0", 30 * time.Second},
		{"anthropic-ratelimit-input-tokens-reset: 2026-01-31T12:00:30Z\nanthropic-ratelimit-input-tokens-remaining: 5000", 0},
		{"X-RateLimit-Reset: Sat, 31 Jan 2026 12:00:09 GMT", 9 * time.Second},
		{"X-RateLimit-Reset: soon", 0},
		{"X-RateLimit-Reset: -5", 0},
		{"X-RateLimit-Reset: 1e300", longestWait},
	} {
		h := make(http.Header)
		for line := range strings.SplitSeq(c.headers, "\n") {
			if name, value, ok := strings.Cut(line, ": "); ok {
				h.Add(name, value)
			}
		}
		if got := LimitReset(h, now); got != c.want {
			t.Errorf("%q: got %s, want %s", c.headers, got, c.want)
		}
	}
}

func TestWaitInWords(t *testing.T) {
	for words, want := range map[string]time.Duration{
		"":                      0,
		"Please retry in 6.2s.": 6200 * time.Millisecond,
		"Rate limit reached. Please try again in 1m30.5s. Go": 90500 * time.Millisecond,
		"Please try again in 120ms.":                          120 * time.Millisecond,
		"Please retry after 20 seconds.":                      20 * time.Second,
		"Please wait 41236 seconds before retrying.":          41236 * time.Second,
		"try again in 2 hours and 5 minutes":                  125 * time.Minute,
		"Try again in 7m12s":                                  432 * time.Second,
		"The limit resets in 3 min":                           3 * time.Minute,
		"try again in about 1 day":                            24 * time.Hour,
		"try again later. Limit: 30 s":                        0,
		"please retry 3 more times":                           0,
		"Limit 200, Used 200, Requested 1":                    0,
		"no healthy upstream":                                 0,
		"try again in 99999999999999999999 days":              longestWait,
	} {
		if got := WaitInWords(words); got != want {
			t.Errorf("%q: got %s, want %s", words, got, want)
		}
	}
}
