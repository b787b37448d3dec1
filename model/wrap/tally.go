package wrap

import (
	"sync"
	"sync/atomic"
)

// A Tally counts what the calls of a run did. It is safe for concurrent use.
type Tally struct {
	Asked       atomic.Int64 // calls wanted, remembered ones included
	Remembered  atomic.Int64 // answered from the journal
	Answers     atomic.Int64 // answered by the endpoint
	Failed      atomic.Int64 // given up
	Retries     atomic.Int64 // tries beyond the first
	RateLimited atomic.Int64 // tries the endpoint refused with 429
	TokensIn    atomic.Int64
	TokensOut   atomic.Int64

	mu      sync.Mutex
	costUSD float64
	sources map[string]int64
	models  map[string]int64
}

// CostUSD returns the money spent so far, in US dollars.
func (t *Tally) CostUSD() float64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.costUSD
}

func (t *Tally) spend(usd float64) {
	t.mu.Lock()
	t.costUSD += usd
	t.mu.Unlock()
}

// answered notes who answered, for the report.
func (t *Tally) answered(model, source string) {
	t.mu.Lock()
	if t.models == nil {
		t.models, t.sources = make(map[string]int64), make(map[string]int64)
	}
	t.models[model]++
	t.sources[source]++
	t.mu.Unlock()
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
