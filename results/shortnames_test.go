package results

import (
	"slices"
	"testing"
)

func TestShortNames(t *testing.T) {
	for _, c := range []struct{ paths, want []string }{
		{[]string{"/home/me/runs/a", "/home/me/runs/b"}, []string{"a", "b"}},
		{[]string{"/home/me/monday/a", "/home/me/tuesday/a/"}, []string{"monday/a", "tuesday/a"}},
		{[]string{"a", "x/a"}, []string{"a", "x/a"}},
		{[]string{"/home/me/a"}, []string{"a"}},
		{[]string{"/home/me/a", "/home/me/a/"}, []string{"a", "a"}},
		{nil, []string{}},
	} {
		if got := ShortNames(c.paths...); !slices.Equal(got, c.want) {
			t.Errorf("%q are %q, want %q", c.paths, got, c.want)
		}
	}
}
