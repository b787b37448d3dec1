package suite

import (
	"fmt"
	"strconv"
	"strings"
)

// axes are short names of flags in a sweep.
var axes = map[string]string{"frames": "max-frames", "pixels": "max-pixels", "inquiries": "inquiries"}

// axisName is what a sweep calls a flag.
func axisName(flag string) string {
	for short, name := range axes {
		if name == flag {
			return short
		}
	}
	return flag
}

// ParseAxis reads what a flag --sweep was given: NAME=VALUE,VALUE... or NAME=FROM..TO.
func ParseAxis(text string) (Setting, error) {
	name, values, ok := strings.Cut(text, "=")
	if !ok || name == "" || values == "" {
		return Setting{}, fmt.Errorf("--sweep %s: write NAME=VALUE,VALUE or NAME=FROM..TO, such as frames=50,100,200 or inquiries=1..10", text)
	}
	return Setting{Name: name, Values: strings.Split(values, ",")}, nil
}

// points are the points of the sweep: each value of each axis with each of the
// others. Without a sweep there is one, which sets nothing.
func (s *Suite) points() ([]Settings, error) {
	points := []Settings{nil}
	for _, axis := range s.Sweep {
		values, err := spread(axis)
		if err != nil {
			return nil, err
		}
		name := axis.Name
		if flag, short := axes[name]; short {
			name = flag
		}
		var more []Settings
		for _, p := range points {
			for _, v := range values {
				more = append(more, append(p[:len(p):len(p)], Setting{Name: name, Values: []string{v}, Line: axis.Line}))
			}
		}
		points = more
	}
	return points, nil
}

// mostValues is how many runs a sweep may ask for by a range.
const mostValues = 1000

// spread are the values of an axis: FROM..TO stands for all whole numbers from
// one to the other.
func spread(a Setting) (values []string, err error) {
	seen := make(map[string]bool)
	for _, v := range a.Values {
		numbers := []string{strings.TrimSpace(v)}
		if from, to, ok := strings.Cut(v, ".."); ok {
			if numbers, err = wholeNumbers(from, to); err != nil {
				return nil, fmt.Errorf("sweep of %s: %q: %w", a.Name, v, err)
			}
		}
		for _, n := range numbers {
			if n == "" || seen[n] {
				return nil, fmt.Errorf("sweep of %s: %q is there twice, or empty", a.Name, n)
			}
			seen[n] = true
			values = append(values, n)
		}
	}
	return values, nil
}

func wholeNumbers(from, to string) (all []string, err error) {
	first, err1 := strconv.Atoi(strings.TrimSpace(from))
	last, err2 := strconv.Atoi(strings.TrimSpace(to))
	if err1 != nil || err2 != nil || first > last || last-first >= mostValues {
		return nil, fmt.Errorf("FROM..TO are whole numbers, the first the smaller, at most %d of them", mostValues)
	}
	for n := first; n <= last; n++ {
		all = append(all, strconv.Itoa(n))
	}
	return all, nil
}
