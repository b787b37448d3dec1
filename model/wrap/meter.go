package wrap

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"omniscope/model"
)

// A Meter counts what the calls of a run did. It is safe for concurrent use.
type Meter struct {
	Asked       atomic.Int64 // calls wanted, remembered ones included
	Remembered  atomic.Int64 // answered from the journal
	Answers     atomic.Int64 // answered by the endpoint
	Failed      atomic.Int64 // given up
	Retries     atomic.Int64 // tries beyond the first
	RateLimited atomic.Int64 // tries the endpoint refused with 429
	TokensIn    atomic.Int64 // of answers
	Cached      atomic.Int64 // of TokensIn, read from the provider's cache of prompts
	TokensOut   atomic.Int64
	LostTries   atomic.Int64 // tries that brought nothing usable and may have to be paid for

	mu        sync.Mutex
	costUSD   float64
	lost      model.Lost
	sources   map[string]int64
	models    map[string]int64
	dropped   map[string]bool  // options that endpoints refused
	estimated int              // answers with estimated tokens, remembered ones included
	reported  string           // what the endpoint said of the first of them
	streamed  int              // answers that came as streams of events
	unknown   map[string]int64 // answers by their finish reasons that have no known meaning, remembered ones included
}

// CostUSD returns the money spent so far, in US dollars, lost tries included.
func (m *Meter) CostUSD() float64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.costUSD + m.lost.CostUSD
}

// Lost returns what was spent so far on tries that brought nothing usable.
func (m *Meter) Lost() model.Lost {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.lost
}

// Estimated returns how many answers' tokens are estimates, and what the
// endpoint reported of the first of them.
func (m *Meter) Estimated() (answers int, reported string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.estimated, m.reported
}

// Streamed returns how many answers came as streams of events.
func (m *Meter) Streamed() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.streamed
}

func (m *Meter) spend(usd float64) {
	m.mu.Lock()
	m.costUSD += usd
	m.mu.Unlock()
}

func (m *Meter) lose(lost model.Lost) {
	m.LostTries.Add(int64(lost.Tries))
	m.mu.Lock()
	m.lost = m.lost.Plus(lost)
	m.mu.Unlock()
}

// answered records which model and source answered, and its usage, for the report.
func (m *Meter) answered(resp *model.Response, source string) {
	m.Note(resp.Model, resp.DroppedOptions)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.sources == nil {
		m.sources = make(map[string]int64)
	}
	m.sources[source]++
	if resp.Streamed {
		m.streamed++
	}
	if !resp.Finish.IsKnown() {
		if m.unknown == nil {
			m.unknown = make(map[string]int64)
		}
		m.unknown[string(resp.Finish)]++
	}
	if resp.Usage.Estimated {
		if m.estimated++; m.reported == "" {
			m.reported = resp.Usage.Reported
		}
	}
}

// Note records the name that a model answered under, and the options that its endpoint refused.
func (m *Meter) Note(model string, dropped []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.models == nil {
		m.models, m.dropped = make(map[string]int64), make(map[string]bool)
	}
	m.models[model]++
	for _, option := range dropped {
		m.dropped[option] = true
	}
}

// Dropped returns the options that the endpoint refused, such as temperature, so that requests went without them.
func (m *Meter) Dropped() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Sorted(maps.Keys(m.dropped))
}

// Models returns the answering models' own names and how often each answered.
func (m *Meter) Models() map[string]int64 { return m.copyOf(&m.models) }

// Sources returns the endpoints that answered and how often.
func (m *Meter) Sources() map[string]int64 { return m.copyOf(&m.sources) }

// UnknownFinishes returns the finish reasons without a known meaning, and how many answers had each.
func (m *Meter) UnknownFinishes() map[string]int64 { return m.copyOf(&m.unknown) }

func (m *Meter) copyOf(from *map[string]int64) map[string]int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := make(map[string]int64, len(*from))
	for k, v := range *from {
		out[k] = v
	}
	return out
}
