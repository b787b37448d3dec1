package endpoint

import (
	"math"
	"net/http"
	"strconv"
	"time"
)

// LongestWait bounds the waits that are asked for: no one waits for days.
const LongestWait = 1e6 * time.Second

// RetryAfter reads from the headers of an answer how long the endpoint asks to wait: milliseconds, seconds
// or a date. 0 = it does not say.
func RetryAfter(h http.Header, now time.Time) time.Duration {
	value := h.Get("Retry-After")
	if wait := times(h.Get("Retry-After-Ms"), time.Millisecond); wait > 0 {
		return wait
	}
	if wait := times(value, time.Second); wait > 0 {
		return wait
	}
	if at, err := http.ParseTime(value); err == nil && at.After(now) {
		return min(at.Sub(now), LongestWait)
	}
	return 0
}

// times returns value units, 0 if value is no positive number.
func times(value string, unit time.Duration) time.Duration {
	n, err := strconv.ParseFloat(value, 64)
	if err != nil || !(n > 0) {
		return 0
	}
	return time.Duration(math.Min(n*float64(unit), float64(LongestWait)))
}
