package wrap

import (
	"sync"
	"sync/atomic"

	"omniscope/model"
)

// A Tally counts what the calls of a run did. It is safe for concurrent use.
type Tally struct {
	Asked       atomic.Int64 // calls wanted, remembered ones included
	Remembered  atomic.Int64 // answered from the journal
	Answers     atomic.Int64 // answered by the endpoint
	Failed      atomic.Int64 // given up
	Retries     atomic.Int64 // tries beyond the first
	RateLimited atomic.Int64 // tries the endpoint refused with 429
	TokensIn    atomic.Int64 // of answers
	TokensOut   atomic.Int64
	LostTries   atomic.Int64 // tries that brought nothing usable and may have to be paid for

	mu        sync.Mutex
	costUSD   float64
	lost      model.Lost
	sources   map[string]int64
	models    map[string]int64
	estimated int    // answers whose tokens are estimates, remembered ones included
	reported  string // what the endpoint said of the first of them
	streamed  int    // answers that came as streams of events
}

// CostUSD returns the money spent so far, in US dollars, lost tries included.
func (t *Tally) CostUSD() float64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.costUSD + t.lost.CostUSD
}

// Lost returns what was spent so far on tries that brought nothing usable.
func (t *Tally) Lost() model.Lost {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.lost
}

// Estimated returns how many answers' tokens are estimates, and what the
// endpoint reported of the first of them.
func (t *Tally) Estimated() (answers int, reported string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.estimated, t.reported
}

// Streamed returns how many answers came as streams of events.
func (t *Tally) Streamed() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.streamed
}

func (t *Tally) spend(usd float64) {
	t.mu.Lock()
	t.costUSD += usd
	t.mu.Unlock()
}

func (t *Tally) lose(lost model.Lost) {
	t.LostTries.Add(int64(lost.Tries))
	t.mu.Lock()
	t.lost = t.lost.Plus(lost)
	t.mu.Unlock()
}

// answered notes who answered and what is to be told of it, for the report.
func (t *Tally) answered(resp *model.Response, source string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.models == nil {
		t.models, t.sources = make(map[string]int64), make(map[string]int64)
	}
	t.models[resp.Model]++
	t.sources[source]++
	if resp.Streamed {
		t.streamed++
	}
	if resp.Usage.Estimated {
		if t.estimated++; t.reported == "" {
			t.reported = resp.Usage.Reported
		}
	}
}

// Models returns the answering models' own names and how often each answered.
func (t *Tally) Models() map[string]int64 { return t.copyOf(&t.models) }

// Sources returns the endpoints that answered and how often.
func (t *Tally) Sources() map[string]int64 { return t.copyOf(&t.sources) }

func (t *Tally) copyOf(m *map[string]int64) map[string]int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := make(map[string]int64, len(*m))
	for k, v := range *m {
		out[k] = v
	}
	return out
}
