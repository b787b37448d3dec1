package memory

import (
	"runtime/debug"
	"testing"
)

func TestRoomFor(t *testing.T) {
	for _, c := range []struct {
		live, headroom uint64
		want           int // percent
	}{
		{0, 1 << 20, 100},
		{10 << 20, 10 << 20, 100},
		{10 << 20, 13 << 20, 130},
		{100 << 20, 14 << 20, 50}, // at least
		{1 << 20, 14 << 20, 400},  // at most
		{3 << 20, 4 << 20, 130},   // in steps of ten
	} {
		if got := roomFor(c.live, c.headroom); got != c.want {
			t.Errorf("%d bytes live, %d headroom: %d %%, want %d", c.live, c.headroom, got, c.want)
		}
	}
}

func TestUserSettingsKept(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	t.Cleanup(func() { debug.SetMemoryLimit(before) })
	t.Setenv("GOMEMLIMIT", "")
	t.Setenv("GOGC", "100")
	CollectEarlier()
	if got := debug.SetMemoryLimit(-1); got != before {
		t.Errorf("the limit is %d with GOGC set, was %d", got, before)
	}
	t.Setenv("GOGC", "")
	CollectEarlier()
	if got := debug.SetMemoryLimit(-1); got != 700<<20 {
		t.Errorf("the limit is %d", got)
	}
}
