package runtest

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/run"
)

// A SharedJournal is a journal that several processes work on.
type SharedJournal interface {
	run.Journal
	run.Claimer
}

// Claimers checks that journals which open returns keep what run.Claimer promises. Those
// opened for one dir share one journal, as several processes would.
func Claimers(t *testing.T, open func(t *testing.T, dir string) SharedJournal) {
	for _, c := range []struct {
		name  string
		check func(t *testing.T, process func() SharedJournal)
	}{
		{"a call is claimed by one", claimedByOne},
		{"what was appended meanwhile is found", appendedMeanwhileIsFound},
		{"a released call can be claimed", releasedCanBeClaimed},
		{"sources are claimed apart, and any source by itself", sourcesAreClaimedApart},
		{"the failure of another is told", failureOfAnotherIsTold},
		{"an old failure is tried again", oldFailureIsTriedAgain},
		{"each call is made once", eachCallIsMadeOnce},
		{"batches in opposite orders are made once", batchesAreMadeOnce},
		{"a caller that is stopped leaves no claim", stoppedCallerLeavesNoClaim},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			c.check(t, func() SharedJournal { return open(t, dir) })
		})
	}
}

func claimedByOne(t *testing.T, process func() SharedJournal) {
	one, other := process(), process()
	key := keyOf("claimed")
	mustClaim(t, one, key, "a", true)
	mustClaim(t, other, key, "a", false)
	mustClaim(t, one, key, "a", true)
}

func appendedMeanwhileIsFound(t *testing.T, process func() SharedJournal) {
	one, other := process(), process()
	e := answer("meanwhile", "a")
	mustFind(t, other, e.Key, "a", nil)
	mustClaim(t, one, e.Key, "a", true)
	mustAppend(t, one, e)
	mustFind(t, other, e.Key, "a", e)
	for _, j := range []SharedJournal{one, other} {
		claim, err := j.Claim(t.Context(), e.Key, "a")
		if err != nil || claim.Mine || claim.Entry == nil || string(claim.Entry.Result) != string(e.Result) {
			t.Errorf("a claim of what is answered is %+v, %v, want the answer", claim, err)
		}
	}
}

func releasedCanBeClaimed(t *testing.T, process func() SharedJournal) {
	one, other := process(), process()
	key := keyOf("released")
	mustClaim(t, one, key, "a", true)
	other.Release(key, "a") // not its own
	mustClaim(t, other, key, "a", false)
	one.Release(key, "a")
	mustClaim(t, other, key, "a", true)
	mustClaim(t, one, key, "a", false)
}

func sourcesAreClaimedApart(t *testing.T, process func() SharedJournal) {
	one, other := process(), process()
	e := answer("of any source", "a")
	mustClaim(t, one, e.Key, "", true)
	mustClaim(t, other, e.Key, "", false)
	mustClaim(t, other, e.Key, "b", true)
	mustAppend(t, one, e) // made under the claim of any source
	mustClaim(t, other, e.Key, "b", true)
	claim, err := other.Claim(t.Context(), e.Key, "")
	if err != nil || claim.Entry == nil {
		t.Errorf("after the answer of a source, a claim of any is %+v, %v, want the answer", claim, err)
	}
}

func failureOfAnotherIsTold(t *testing.T, process func() SharedJournal) {
	one, other := process(), process()
	e := answer("failed", "a")
	e.Outcome = omniscope.Refused
	mustClaim(t, one, e.Key, "a", true)
	mustAppend(t, one, e)
	claim, err := other.Claim(t.Context(), e.Key, "a")
	if err != nil || claim.Entry == nil || claim.Entry.Outcome != omniscope.Refused {
		t.Errorf("a claim of what another has failed at is %+v, %v, want the failure", claim, err)
	}
	once := run.Once{Journal: other, Claimer: other}
	_, _, err = once.Do(t.Context(), answer("failed", "a"), func(context.Context, *run.Entry) error {
		t.Error("a call that another process had just given up was made again")
		return nil
	})
	if omniscope.OutcomeOf(err) != omniscope.Refused {
		t.Errorf("the failure of another process became %v", err)
	}
	mustClaim(t, one, e.Key, "a", true) // its own failure it may try again
}

func oldFailureIsTriedAgain(t *testing.T, process func() SharedJournal) {
	e := answer("failed long ago", "a")
	e.Outcome = omniscope.Failed
	mustAppend(t, process(), e)
	mustClaim(t, process(), e.Key, "a", true)
}

// made counts calls.
type made struct {
	mu    sync.Mutex
	times map[string]int
}

func (m *made) call(_ context.Context, e *run.Entry) error {
	m.mu.Lock()
	m.times[e.Step]++
	m.mu.Unlock()
	time.Sleep(time.Millisecond)
	e.Outcome, e.Result = omniscope.OK, []byte(`"done"`)
	return nil
}

func (m *made) mustBeOnce(t *testing.T, calls int) {
	t.Helper()
	for step, n := range m.times {
		if n != 1 {
			t.Errorf("%s was made %d times", step, n)
		}
	}
	if len(m.times) != calls {
		t.Errorf("%d calls were made, want %d", len(m.times), calls)
	}
}

func eachCallIsMadeOnce(t *testing.T, process func() SharedJournal) {
	const calls, processes, workers = 300, 3, 40
	m := made{times: make(map[string]int)}
	var all sync.WaitGroup
	for p := range processes {
		j := process()
		once := &run.Once{Journal: j, Claimer: j}
		for w := range workers {
			all.Go(func() {
				for i := w; i < calls; i += workers {
					e := answer(fmt.Sprint("each ", (i+p*calls/processes)%calls), "a")
					if found, _, err := once.Do(t.Context(), e, m.call); err != nil || string(found.Result) != `"done"` {
						t.Errorf("process %d, %s: %v", p, e.Step, err)
					}
				}
			})
		}
	}
	all.Wait()
	m.mustBeOnce(t, calls)
}

func batchesAreMadeOnce(t *testing.T, process func() SharedJournal) {
	const calls, processes = 100, 3
	m := made{times: make(map[string]int)}
	var all sync.WaitGroup
	for p := range processes {
		j := process()
		once := &run.Once{Journal: j, Claimer: j}
		var asked []*run.Entry
		for i := range calls {
			asked = append(asked, answer(fmt.Sprint("batch ", i), "a"))
		}
		if p%2 == 1 {
			slices.Reverse(asked)
		}
		all.Go(func() {
			for part := range slices.Chunk(asked, 30) {
				found, err := once.DoAll(t.Context(), part, func(ctx context.Context, missing []*run.Entry) error {
					for _, e := range missing {
						if err := m.call(ctx, e); err != nil {
							return err
						}
					}
					return nil
				})
				if err != nil || slices.Contains(found, nil) {
					t.Errorf("process %d: %v", p, err)
				}
			}
		})
	}
	all.Wait()
	m.mustBeOnce(t, calls)
}

func stoppedCallerLeavesNoClaim(t *testing.T, process func() SharedJournal) {
	one, other := process(), process()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for i := range 50 {
		key := keyOf(fmt.Sprint("stopped ", i))
		if claim, err := one.Claim(ctx, key, "a"); err == nil && claim.Mine {
			one.Release(key, "a")
		}
	}
	soft, stop := context.WithCancel(t.Context())
	once := run.Once{Journal: one, Claimer: one}
	_, _, err := once.Do(run.WithStop(soft), answer("stopped within", "a"), func(ctx context.Context, _ *run.Entry) error {
		stop()
		return run.Stopping(ctx).Err()
	})
	if err == nil {
		t.Error("a stopped call ended well")
	}
	deadline := time.Now().Add(10 * time.Second)
	for i := range 51 {
		key := keyOf(fmt.Sprint("stopped ", i))
		if i == 50 {
			key = keyOf("stopped within")
		}
		for {
			claim, err := other.Claim(t.Context(), key, "a")
			fixture.OK(t, err)
			if claim.Mine {
				break
			}
			if time.Now().After(deadline) {
				t.Fatalf("call %d is still claimed", i)
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
}

func mustClaim(t *testing.T, j run.Claimer, key run.Key, source string, mine bool) {
	t.Helper()
	claim, err := j.Claim(t.Context(), key, source)
	if err != nil || claim.Mine != mine || claim.Entry != nil {
		t.Fatalf("Claim(%s, %q) = %+v, %v, want mine %v", key, source, claim, err, mine)
	}
}
