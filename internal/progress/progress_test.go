package progress

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"
)

func TestLines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		parts := []string{"0 of 8 calls"}
		p := Start(&log, 200, func() []string { return parts })
		time.Sleep(5 * time.Second)
		p.Done(50)
		time.Sleep(6 * time.Second)
		parts = []string{"7 remembered", "0 of 8 calls"}
		p.Done(100)
		time.Sleep(10 * time.Second)
		p.Stop()
		want := "50/200 (25%) 5/s, ETA 30s, 0 of 8 calls\n" +
			"100/200 (50%) 5/s, ETA 20s, 7 remembered, 0 of 8 calls\n"
		if log.String() != want {
			t.Errorf("got\n%swant\n%s", log.String(), want)
		}
	})
}

func TestLinesWithoutState(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		p, silent := Start(&log, 10, nil), Silent(10)
		time.Sleep(every + time.Second)
		p.Stop()
		silent.Stop()
		if want := "0/10 (0%) 0/s\n"; log.String() != want {
			t.Errorf("got %q, want %q", log.String(), want)
		}
	})
}

func TestNote(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		p := Start(&log, 2, nil)
		p.Note("clip turn 2: ocr")
		time.Sleep(every + time.Second)
		p.Note("")
		time.Sleep(every)
		p.Stop()
		if want := "0/2 (0%) clip turn 2: ocr\n0/2 (0%) 0/s\n"; log.String() != want {
			t.Errorf("got %q, want %q", log.String(), want)
		}
	})
}

func TestRatesBelowOneASecond(t *testing.T) {
	for rate, want := range map[float64]string{0: "0/s", 0.04: "0.04/s", 0.4: "0.4/s", 0.99: "1/s", 5: "5/s"} {
		if got := perSecond(rate); got != want {
			t.Errorf("%g: %s, want %s", rate, got, want)
		}
	}
}
