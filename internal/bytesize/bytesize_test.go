package bytesize

import "testing"

func TestFormat(t *testing.T) {
	for n, want := range map[int64]string{0: "0.0 kB", 1250: "1.2 kB", 999_949: "999.9 kB", 1_000_000: "1 MB", 412_000_000: "412 MB", 2_323_000_000: "2.32 GB"} {
		if got := Format(n); got != want {
			t.Errorf("%d: got %s, want %s", n, got, want)
		}
	}
}
