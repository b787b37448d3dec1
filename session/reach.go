package session

import (
	"slices"
	"sync"
	"time"

	"omniscope/model"
)

// reaches are the endpoints of a command, each known once, however many models
// answer there.
type reaches struct {
	mu    sync.Mutex
	known map[string]*model.Reach
	all   []*model.Reach
}

// of returns what is known of the endpoint at an address.
func (r *reaches) of(address string, wait time.Duration) *model.Reach {
	if r == nil {
		return model.NewReach(address, wait)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.known == nil {
		r.known = make(map[string]*model.Reach)
	}
	if r.known[address] == nil {
		r.known[address] = model.NewReach(address, wait)
		r.all = append(r.all, r.known[address])
	}
	return r.known[address]
}

// All are the endpoints that are known.
func (r *reaches) All() []*model.Reach {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.all)
}
