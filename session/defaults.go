package session

import (
	"cmp"
	"os"
	"time"
)

// The defaults of what a Machine and its Calls leave open. The flags of the commands have the same.
const (
	DefaultWorkDir     = "omniscope-work"
	DefaultRetries     = 9
	DefaultUnusable    = 20
	DefaultMaxFailures = 0.05 // share of units that may fail before a run counts as failed
)

// None switches off a limit or a number for which 0 means the default.
const None = -1

// TextCalls are the usual calls of runs that ask about texts.
func TextCalls() Calls { return usualCalls(64, 2*time.Minute) }

// ClipCalls are the usual calls of runs that show media.
func ClipCalls() Calls { return usualCalls(16, 5*time.Minute) }

func usualCalls(atOnce int, timeout time.Duration) Calls {
	return Calls{WorkDir: DefaultWorkDir, MaxConcurrency: atOnce, Timeout: timeout, MaxRetries: DefaultRetries, StopUnusable: DefaultUnusable}
}

// Ready fills in what a Machine leaves open. usual are the calls of its kind of runs. The Calls are then a copy.
func (m *Machine) Ready(usual Calls) {
	c := usual
	if m.Calls != nil {
		c = *m.Calls
		c.WorkDir = cmp.Or(c.WorkDir, usual.WorkDir)
		c.MaxConcurrency = cmp.Or(c.MaxConcurrency, usual.MaxConcurrency)
		c.Timeout = cmp.Or(c.Timeout, usual.Timeout)
		c.MaxRetries = cmp.Or(c.MaxRetries, usual.MaxRetries)
		c.StopUnusable = cmp.Or(c.StopUnusable, usual.StopUnusable)
	}
	m.Calls = &c
	if m.Warnings == nil {
		m.Warnings = os.Stderr
	}
}

// retries are the further tries of a call.
func (c *Calls) retries() int { return max(c.MaxRetries, 0) }

// MostUnusable is how many first answers of no use stop a run; 0 = however many.
func (c *Calls) MostUnusable() int { return max(c.StopUnusable, 0) }

// At gives every role the address of one endpoint, such as http://localhost:8000/v1, for Machine.Address.
func At(baseURL string) func(*Role) {
	return func(r *Role) { r.BaseURL = baseURL }
}
