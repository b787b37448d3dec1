package endpoint

import (
	"math"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// longestWait bounds the waits that are asked for: no one waits for days.
const longestWait = 1e6 * time.Second

// RetryAfter reads from the headers of an answer how long the endpoint asks to wait: milliseconds, seconds,
// a duration or a date. 0 = it does not say.
func RetryAfter(h http.Header, now time.Time) time.Duration {
	if wait := times(h.Get("Retry-After-Ms"), time.Millisecond); wait > 0 {
		return wait
	}
	return resetIn(h.Get("Retry-After"), now) // some send a time since 1970
}

// LimitReset reads from the headers of rate limits when a call may succeed again; 0 = they do not say. These are RateLimit
// and RateLimit-Reset (draft-ietf-httpapi-ratelimit-headers, several versions) and all others that have rate limit and reset
// in their names: seconds, durations, dates, or seconds and milliseconds since 1970. Limits that are not used up
// do not count. Without a limit that is known to be used up, the first to end counts.
func LimitReset(h http.Header, now time.Time) time.Duration {
	var used, unsure time.Duration
	add := func(wait time.Duration, left string) {
		n, err := strconv.ParseFloat(left, 64)
		switch {
		case wait <= 0 || err == nil && n > 0:
		case err == nil:
			used = max(used, wait)
		case unsure == 0 || wait < unsure:
			unsure = wait
		}
	}
	for name, values := range h {
		plain := strings.ToLower(name)
		switch {
		case plain == "ratelimit":
			for _, policy := range policies(strings.Join(values, ",")) {
				add(policy.wait, policy.left)
			}
		case strings.Contains(strings.ReplaceAll(plain, "-", ""), "ratelimit") && strings.Contains(plain, "reset"):
			twin := strings.Replace(strings.Replace(plain, "reset-after", "reset", 1), "reset", "remaining", 1)
			add(resetIn(values[0], now), h.Get(twin))
		}
	}
	if used > 0 {
		return used
	}
	return unsure
}

// A policy is one of the limits of a header RateLimit.
type policy struct {
	left string // calls; "" = not known
	wait time.Duration
}

// policyField finds r=0 and t=5 of the newer drafts, remaining=0 and reset=5 of the older ones.
var policyField = regexp.MustCompile(`(?i)\b(r|t|remaining|reset)\s*=\s*"?([0-9.]+)`)

// policies reads the value of the header RateLimit. The newer drafts separate limits by commas, the older ones the fields of one.
func policies(value string) (list []policy) {
	limits := []string{value}
	if strings.Contains(value, ";") {
		limits = strings.Split(value, ",")
	}
	for _, limit := range limits {
		var p policy
		for _, field := range policyField.FindAllStringSubmatch(limit, -1) {
			switch strings.ToLower(field[1]) {
			case "r", "remaining":
				p.left = field[2]
			default:
				p.wait = times(field[2], time.Second)
			}
		}
		list = append(list, p)
	}
	return list
}

// resetIn returns the time until the moment that a header names: a wait, or a time since 1970.
func resetIn(value string, now time.Time) time.Duration {
	const seconds, milliseconds = 1e9, 1e12 // from which a number is taken for a time since 1970
	n, err := strconv.ParseFloat(value, 64)
	switch {
	case err != nil || !(n >= seconds): // or NaN
		return waitIn(value, now)
	case n < milliseconds:
		return until(time.Unix(int64(n), 0), now)
	}
	return until(time.UnixMilli(int64(min(n, 1e15))), now)
}

// waitIn reads a wait: seconds, a duration such as 1m30.5s or 1d2h, a date, or "20 seconds". 0 = the value has another form.
func waitIn(value string, now time.Time) time.Duration {
	if wait := times(value, time.Second); wait > 0 {
		return wait
	}
	if wait, err := time.ParseDuration(value); err == nil {
		return min(max(wait, 0), longestWait)
	}
	for _, parse := range []func(string) (time.Time, error){http.ParseTime, func(s string) (time.Time, error) { return time.Parse(time.RFC3339, s) }} {
		if at, err := parse(value); err == nil {
			return until(at, now)
		}
	}
	if strings.ContainsAny(value, " d") { // ParseDuration reads neither words nor days
		return WaitInWords("retry " + value)
	}
	return 0
}

func until(at, now time.Time) time.Duration { return min(max(at.Sub(now), 0), longestWait) }

// times returns value units, 0 if value is no positive number.
func times(value string, unit time.Duration) time.Duration {
	n, err := strconv.ParseFloat(value, 64)
	if err != nil || !(n > 0) {
		return 0
	}
	return time.Duration(math.Min(n*float64(unit), float64(longestWait)))
}

// A wait in words: "try again in 1m30.5s", "retry after 20 seconds", "Please wait 41236 seconds".
var (
	waitCue   = regexp.MustCompile(`(?i)\b(?:again|retry|retrying|wait|available|resets?)\b[^0-9.;]{0,24}`)
	waitPiece = regexp.MustCompile(`^(?:\s|,|and\b)*([0-9]+(?:\.[0-9]+)?)\s*([a-zA-Z]+)`)
	waitUnits = map[string]time.Duration{"ms": time.Millisecond, "millisecond": time.Millisecond, "s": time.Second, "sec": time.Second, "second": time.Second,
		"m": time.Minute, "min": time.Minute, "minute": time.Minute, "h": time.Hour, "hr": time.Hour, "hour": time.Hour, "d": 24 * time.Hour, "day": 24 * time.Hour}
)

// WaitInWords reads how long an endpoint's words ask to wait; 0 = they do not say.
func WaitInWords(words string) time.Duration {
	for _, cue := range waitCue.FindAllStringIndex(words, -1) {
		wait, rest := time.Duration(0), words[cue[1]:]
		for m := waitPiece.FindStringSubmatch(rest); m != nil; m = waitPiece.FindStringSubmatch(rest) {
			name := strings.ToLower(m[2])
			unit := waitUnits[name]
			if unit == 0 {
				unit = waitUnits[strings.TrimSuffix(name, "s")]
			}
			if unit == 0 {
				break
			}
			wait, rest = min(wait+times(m[1], unit), longestWait), rest[len(m[0]):]
		}
		if wait > 0 {
			return wait
		}
	}
	return 0
}
