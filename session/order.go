package session

import (
	"os"
	"slices"
	"strings"
	"time"

	"omniscope/internal/environ"
	"omniscope/internal/version"
	"omniscope/model/openai"
	"omniscope/model/wrap"
	"omniscope/perceive"
	"omniscope/session/catalog"
)

// Queues that workers serve, by what the parts in them need.
const (
	CallsQueue = "calls" // models elsewhere
	CPUQueue   = "cpu"   // tools and networks of this machine
)

// An Order says how workers do a run's units. It is kept in the journal, beside the run's
// description.
type Order struct {
	ID      string // another each time that the run is handed out
	Version string // of the program that ordered the run; workers of others refuse it

	// Folder is where relative paths of the run's description start.
	Folder string

	// Tools look at the clips of the run, each with its version. Workers with others
	// refuse it, since they would see something else. nil = whatever they have.
	Tools []string

	// Arithmetic is that of the networks that the run scores by; "" = it has none. Workers
	// with another refuse it, since their scores would not be found.
	Arithmetic string

	// Addresses are where models answer, by role and name, for workers without their own.
	// Addresses that hold a secret are left out.
	Addresses map[string]string

	// Prices has the price of each model that has one, by name, so that all processes count the same.
	Prices map[string]wrap.Price

	MaxRetries   int
	RetryWait    time.Duration
	Timeout      time.Duration
	EndpointWait time.Duration
	MaxCost      float64
	MaxTokens    int
	MaxCalls     int
	MaxRPM       int
	StopUnusable int
	AnyEndpoint  bool
	Fresh        bool
	SkipExam     bool
	AskDamaged   bool

	Blind     float64 // see Options of package predict
	MostBlind int
	MediaAs   string
}

// orderOf is the order of a command that calls models so.
func orderOf(c *Calls, models []*Model) Order {
	folder, _ := os.Getwd() // without one, paths start where the worker is
	return Order{Version: version.Program(), Folder: folder, Addresses: addressesOf(models), Prices: pricesOf(models), MaxRetries: c.MaxRetries, RetryWait: c.RetryWait, Timeout: c.Timeout, EndpointWait: c.EndpointWait,
		MaxCost: c.MaxCost, MaxTokens: c.MaxTokens, MaxCalls: c.MaxCalls, MaxRPM: c.MaxRPM, StopUnusable: c.StopUnusable,
		AnyEndpoint: c.AnyEndpoint, Fresh: c.Fresh, SkipExam: c.SkipExam, AskDamaged: c.AskDamaged}
}

func addressesOf(models []*Model) map[string]string {
	addresses := make(map[string]string)
	for _, m := range models {
		if e := m.Endpoint; e != nil && e.URL == openai.Redacted(e.URL) {
			addresses[m.Role.Name+" "+m.Role.Model] = strings.Join(append([]string{e.URL}, e.replicas...), " ")
		}
	}
	return addresses
}

func pricesOf(models []*Model) map[string]wrap.Price {
	prices := make(map[string]wrap.Price)
	for _, m := range models {
		if m.Price != nil {
			prices[m.Role.Model] = *m.Price
		}
	}
	return prices
}

// address has a role ask where the command that ordered the run asks. Where any endpoint will do,
// the environment of the worker goes first.
func (o *Order) address(r *Role) {
	ordered := o.Addresses[r.Name+" "+r.Model]
	if r.BaseURL != "" || ordered == "" {
		return
	}
	if p, _, err := catalog.SplitModel(r.Model); o.AnyEndpoint && err == nil {
		if _, own := environ.First(p.URLEnv); own != "" {
			return
		}
	}
	servers := strings.Fields(ordered)
	r.BaseURL, r.Replicas, r.BaseURLFrom = servers[0], servers[1:], environ.Source{Name: "the command that ordered the run"}
}

// Calls are how a worker with calls of its own calls models for an order.
func (o *Order) Calls(own Calls) *Calls {
	own.MaxRetries, own.RetryWait, own.Timeout, own.EndpointWait = o.MaxRetries, o.RetryWait, o.Timeout, o.EndpointWait
	own.MaxCost, own.MaxTokens, own.MaxCalls, own.MaxRPM, own.StopUnusable = o.MaxCost, o.MaxTokens, o.MaxCalls, o.MaxRPM, o.StopUnusable
	own.AnyEndpoint, own.Fresh, own.SkipExam, own.AskDamaged = o.AnyEndpoint, o.Fresh, o.SkipExam, o.AskDamaged
	own.address, own.ordered = o.address, o.Prices
	return &own
}

// namesOf are the names and versions of tools.
func namesOf(tools []perceive.Tool) (names []string) {
	for _, t := range tools {
		info := t.Info()
		names = append(names, strings.TrimSpace(info.Name+" "+info.Version))
	}
	slices.Sort(names)
	return names
}
