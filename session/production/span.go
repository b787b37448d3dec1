package production

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"omniscope"
)

// splitSpan takes the stretch off a path or an address that ends in one: file#t=12.5,40,
// #t=,40 or #t=12.5, in seconds or as 1:02:03.5 (Media Fragments, section 4.2.1).
func splitSpan(where string) (path string, span omniscope.Span, err error) {
	path, text, found := cutLast(where, "#t=")
	if !found {
		return where, span, nil
	}
	text = strings.TrimPrefix(text, "npt:")
	start, end, two := strings.Cut(text, ",")
	if start != "" {
		span.Start, err = clock(start)
	}
	if err == nil && two {
		span.End, err = clock(end)
	}
	if err == nil {
		err = checkSpan(span, two)
	}
	if err != nil {
		return "", span, fmt.Errorf("%q: %w: write #t=START,END in seconds, such as #t=12.5,40", "#t="+text, err)
	}
	return path, span, nil
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

func checkSpan(span omniscope.Span, ends bool) error {
	if ends && span.End <= span.Start {
		return fmt.Errorf("it ends at %v, and begins at %v", span.End, span.Start)
	}
	return nil
}

// longestClip is beyond what any file has, and far from where durations overflow.
const longestClip = 1000 * time.Hour

// clock reads seconds, or minutes and hours before them, as 1:02:03.5.
func clock(text string) (time.Duration, error) {
	parts := strings.Split(text, ":")
	if len(parts) > 3 {
		return 0, fmt.Errorf("%q is no time", text)
	}
	total := 0.0
	for i, part := range parts {
		v, err := strconv.ParseFloat(part, 64)
		if err != nil || !(v >= 0) || i > 0 && v >= 60 {
			return 0, fmt.Errorf("%q is no time", text)
		}
		total = total*60 + v
	}
	if total > longestClip.Seconds() {
		return 0, fmt.Errorf("%q is longer than any clip", text)
	}
	return time.Duration(total * float64(time.Second)), nil
}

// columnsOf reads the columns start and end of a row, in seconds.
func columnsOf(text []byte, span omniscope.Span) (omniscope.Span, error) {
	start, end := gjson.GetBytes(text, "start"), gjson.GetBytes(text, "end")
	if empty(start) && empty(end) {
		return span, nil
	}
	if span != (omniscope.Span{}) {
		return span, fmt.Errorf("a stretch stands in it twice: behind #t= and in the columns start and end")
	}
	var err error
	if !empty(start) {
		span.Start, err = clock(start.String())
	}
	if err == nil && !empty(end) {
		span.End, err = clock(end.String())
	}
	if err == nil {
		err = checkSpan(span, !empty(end))
	}
	if err != nil {
		return span, fmt.Errorf("start and end: %w", err)
	}
	return span, nil
}

func empty(v gjson.Result) bool {
	return !v.Exists() || v.Type == gjson.Null || v.Type == gjson.String && v.String() == ""
}
