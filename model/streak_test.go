package model

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"omniscope/internal/testing/fixture"
)

var errStopped = errors.New("stopped")

func newStreak(limit int) *Streak {
	return &Streak{Limit: limit, Stop: func(Reason, int, string) error { return errStopped }}
}

// come has n answers come.
func come(t *testing.T, s *Streak, n int) {
	t.Helper()
	for range n {
		fixture.OK(t, s.Begin(t.Context()))
		if !s.Came() {
			t.Fatal("an answer is not awaited")
		}
	}
}

func TestStreakStopsAtItsLimit(t *testing.T) {
	s := newStreak(3)
	for i, want := range []error{nil, nil, errStopped} {
		come(t, s, 1)
		if err := s.Unusable(Empty, true, "s"); err != want {
			t.Errorf("answer %d: %v, want %v", i+1, err, want)
		}
	}
	if err := s.Begin(t.Context()); err != errStopped {
		t.Errorf("another call: %v", err)
	}
	if reason, n, step := s.Most(); reason != Empty || n != 3 || step != "s" {
		t.Errorf("most: %v, %d, %q", reason, n, step)
	}
}

func TestStreakCountsEachReasonApart(t *testing.T) {
	s := newStreak(3)
	for _, reason := range []Reason{Empty, CutOff, Empty, CutOff} {
		come(t, s, 1)
		fixture.OK(t, s.Unusable(reason, true, ""))
	}
}

// TestStreakReadOutOfOrder reads the answers of the first call last: the run
// stops only where that one is of no use either.
func TestStreakReadOutOfOrder(t *testing.T) {
	for _, c := range []struct {
		name string
		last func(*Streak) error
		want error
	}{
		{"usable", func(s *Streak) error { s.Usable(); return nil }, nil},
		{"unusable", func(s *Streak) error { return s.Unusable(CutOff, true, "") }, errStopped},
		{"usable after a late one", func(s *Streak) error {
			if s.Came() {
				t.Error("an answer that came late is awaited")
			}
			if err := s.Unusable(Empty, false, ""); err != nil {
				return err
			}
			s.Usable()
			return nil
		}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newStreak(20)
				come(t, s, 1+20)
				for range 20 {
					if err := s.Unusable(Empty, true, ""); err != nil {
						t.Fatal("stopped before every call was read")
					}
				}
				next := make(chan error, 1)
				go func() { next <- s.Begin(t.Context()) }()
				synctest.Wait()
				select {
				case err := <-next:
					t.Fatalf("a call began before it was known whether the run goes on: %v", err)
				default:
				}
				if err := c.last(s); err != c.want {
					t.Errorf("last answer: %v, want %v", err, c.want)
				}
				if err := <-next; err != c.want {
					t.Errorf("next call: %v, want %v", err, c.want)
				}
			})
		})
	}
}

func TestStreakWaitsNoLongerThanTheRun(t *testing.T) {
	s := newStreak(1)
	come(t, s, 2)
	_ = s.Unusable(Empty, true, "")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Begin(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestStreakGoesOnCounting(t *testing.T) {
	s := newStreak(3)
	s.Before(Empty, 2, "")
	come(t, s, 1)
	if err := s.Unusable(Empty, true, ""); err != errStopped {
		t.Errorf("%v", err)
	}
}

func TestStreakWithoutLimit(t *testing.T) {
	for _, s := range []*Streak{nil, newStreak(0)} {
		for range 100 {
			fixture.OK(t, s.Begin(t.Context()))
			s.Came()
			fixture.OK(t, s.Unusable(Empty, true, ""))
		}
	}
}
