package main

import (
	"sync"
	"time"

	"omniscope/model"
)

// How long an endpoint that has never answered is waited for, see model.Reach.
const (
	endpointWait     = "endpoint-wait"
	endpointWaitHelp = "how long an endpoint that has not answered once is waited for, such as a server that is still\nloading, before the command stops (exit 1); 0 = 15s where no connection can be made, else 2m"
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
