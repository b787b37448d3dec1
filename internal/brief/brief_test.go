package brief

import "testing"

func TestCut(t *testing.T) {
	for _, c := range []struct {
		text string
		most int
		want string
	}{{"robin", 5, "robin"}, {"robin", 4, "robi…"}, {"rübe", 2, "r…"}, {"rübe", 3, "rü…"}, {"", 0, ""}, {"ü", 0, "…"}} {
		if got := Cut(c.text, c.most); got != c.want {
			t.Errorf("%q at most %d: %q, want %q", c.text, c.most, got, c.want)
		}
	}
}

func TestOneLine(t *testing.T) {
	if got := OneLine(" a\n\tb  c\r\n"); got != "a b c" {
		t.Errorf("%q", got)
	}
}
