package session

import (
	"errors"
	"sync"

	"omniscope/metric/neural/installed"
)

// SharedNetworks are the networks that the runs of a command have in common.
type SharedNetworks struct {
	mu        sync.Mutex
	installed *installed.Networks
}

// Open returns the installed networks.
func (n *SharedNetworks) Open(o installed.Options) (*installed.Networks, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	var err error
	if n.installed == nil {
		n.installed, err = installed.Open(o)
	}
	return n.installed, err
}

// CacheWarnings returns the problems with the remembered scores of this machine.
func (n *SharedNetworks) CacheWarnings() []string {
	if n.installed == nil {
		return nil
	}
	return n.installed.CacheWarnings()
}

// Warnings say also what a reader of the scores should know.
func (n *SharedNetworks) Warnings() []string {
	if n.installed == nil {
		return nil
	}
	return append(n.installed.Warnings(), n.installed.CacheWarnings()...)
}

// End closes what a command shared, and returns its error, and one of kind Budget if its calls
// passed the budget.
func (s *Shared) End(err error) error {
	return errors.Join(err, s.Close(), s.budget.Passed())
}

// Spent describes what a command spent on all its models; "" = nothing.
func (s *Shared) Spent() string { return s.budget.Spent() }

// Close closes the networks that runs have opened.
func (s *Shared) Close() error {
	if s.Networks.installed == nil {
		return nil
	}
	return s.Networks.installed.Close()
}
