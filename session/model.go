package session

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"omniscope"
	"omniscope/model"
	"omniscope/model/exchange"
	"omniscope/model/judge"
	"omniscope/model/wrap"
	"omniscope/run"
	"omniscope/session/catalog"
)

// A Model is the model of a role, opened, with what shapes and observes its
// calls. Opening it makes no request.
type Model struct {
	Role     *Role
	Judge    *judge.Judge // asks it; nil = offline
	Source   string       // the endpoint's address, or the script's digest
	Endpoint *Endpoint    // nil = none, such as a script
	Limiter  *wrap.Limiter
	ready    *wrap.Ready // media prepared for its calls; nil = not bounded
	Reach    *model.Reach
	Meter    *wrap.Meter
	Price    *wrap.Price
	Identity string // provider, model and address, for memories that have no room for them; "" = any address will do
	ByStep   bool   // equal questions of two steps may have two answers, as in a script

	budget   *wrap.Budget
	pace     *wrap.Pace // nil = none
	retry    wrap.Policy
	provider model.Model // bare; see connect
	Local    bool
	stack    stack
}

// Shared is what all models and networks of a command have in common. The zero
// value is ready to use. Who opens a run of a benchmark with it closes it.
type Shared struct {
	Reaches  reaches
	budget   *wrap.Budget
	paces    map[string]*wrap.Pace // by endpoint
	Networks SharedNetworks
	forecast map[examCall]bool // calls of examinations that a forecast has counted
}

// An examCall identifies a call of an examination.
type examCall struct {
	source string
	key    run.Key
}

// ForecastOnce reports whether no forecast has counted a call of an examination yet.
func (s *Shared) ForecastOnce(source string, key run.Key) bool {
	call := examCall{source, key}
	if s.forecast[call] {
		return false
	}
	if s.forecast == nil {
		s.forecast = make(map[examCall]bool)
	}
	s.forecast[call] = true
	return true
}

// paceAt is the pace of all models at an endpoint; nil where there is no limit.
func (s *Shared) paceAt(endpoint string, perMinute int) *wrap.Pace {
	if perMinute == 0 {
		return nil
	}
	if s.paces == nil {
		s.paces = make(map[string]*wrap.Pace)
	}
	if s.paces[endpoint] == nil {
		s.paces[endpoint] = &wrap.Pace{Endpoint: endpoint, PerMinute: perMinute}
	}
	return s.paces[endpoint]
}

// NewModel opens a role's model. It answers nothing before connect.
func NewModel(ctx context.Context, r *Role, c *Calls, shared *Shared) (*Model, error) {
	provider, name, err := catalog.SplitModel(r.Model)
	if err != nil {
		return nil, err
	}
	if c.address != nil {
		c.address(r)
	}
	if err := r.checkRoute(); err != nil {
		return nil, err
	}
	m := &Model{Role: r, Meter: &wrap.Meter{}, retry: wrap.Policy{Tries: r.retries(c) + 1, Base: c.RetryWait}, Local: provider.Local(), ByStep: provider.ByStep}
	if provider.Open == nil {
		return m, nil
	}
	if err := m.setJudge(name); err != nil {
		return nil, err
	}
	if err := m.setPrice(ctx, c, shared); err != nil {
		return nil, err
	}
	if err := m.open(ctx, provider, name, c, shared); err != nil {
		return nil, err
	}
	r.Source = m.Source
	if !c.AnyEndpoint && !m.ByStep {
		m.Identity = r.Model + " " + m.Source
	}
	return m, nil
}

// setJudge makes the judge, whose model is called name at its endpoint.
func (m *Model) setJudge(name string) error {
	params, err := m.Role.params()
	m.Judge = &judge.Judge{Name: m.Role.Model, Request: name, Attempts: m.Role.Attempts, Schema: m.Role.Schema, Params: params, Readings: &judge.Readings{}, Reasons: &judge.Reasons{}}
	m.Judge.Model = &m.stack
	return err
}

func (m *Model) setPrice(ctx context.Context, c *Calls, shared *Shared) error {
	prices, err := catalog.Prices(ctx, c.Prices)
	if err != nil {
		return err
	}
	maps.Copy(prices, c.ordered)
	name := m.Role.Model
	transcribes := m.Role.Name == ASR
	if p, ok := prices[name]; ok && (transcribes || p.Minute == 0) {
		m.Price = &p
	}
	if own := m.Role.Transport.Price; own != nil {
		m.Price = own
	}
	if c.MaxCost > 0 && m.Price == nil {
		or := ""
		if transcribes {
			or = fmt.Sprintf(" (per million tokens) or `%s: {minute: 0.006}`", name)
		}
		return omniscope.Usagef("--max-cost needs the price of %s: write it behind the model, as ,price-in=2.50,price-out=10, or give it with --prices FILE, a line such as `%s: {in: 2.50, out: 10.00}`%s%s", name, name, or, catalog.NearPriced(name, prices))
	}
	if shared.budget == nil {
		shared.budget = &wrap.Budget{MaxUSD: c.MaxCost, MaxTokens: c.MaxTokens, MaxCalls: c.MaxCalls}
	}
	m.budget = shared.budget
	return nil
}

// open opens the model at its provider.
func (m *Model) open(ctx context.Context, p catalog.Provider, name string, c *Calls, shared *Shared) (err error) {
	access := exchange.Options{Name: name, Timeout: cmp.Or(m.Role.Transport.Timeout, c.Timeout), Conns: m.Role.concurrency(c)}
	if !m.Local {
		e := EndpointOf(p, m.Role)
		if err := e.Check(); err != nil {
			return err
		}
		access.BaseURL, access.Key, m.Endpoint = e.URL, e.Key, &e
		access.Headers, access.Query = e.Headers, e.Query
	}
	if p.People && c.Journals != nil {
		m.provider, m.Source, err = c.Journals.OpenPeople(name)
		return err
	}
	if m.provider, m.Source, err = m.openAll(ctx, p, access); err != nil || m.Local {
		return err
	}
	if err := m.Endpoint.Given(); err != nil && !c.DryRun {
		return err
	}
	if e := m.Endpoint; !c.DryRun && !e.Key.IsSet() && e.URL == p.BaseURL && p.NeedsKey {
		return &omniscope.Error{Kind: omniscope.Denied, Err: fmt.Errorf("no key for %s: set %s, or write another address behind the model: --%s …,base-url=URL (`omniscope doctor` shows what will be used)", p.Name, p.KeyEnv[0], e.Flag)}
	}
	m.Limiter, m.ready = wrap.NewLimiter(m.Role.concurrency(c)), wrap.NewReady()
	m.Reach = shared.Reaches.of(m.Source, c.EndpointWait)
	m.pace = shared.paceAt(m.Source, cmp.Or(m.Role.Transport.RPM, c.MaxRPM))
	return nil
}

// openAll opens the model at its address, and at those of further servers of it, which share its calls.
func (m *Model) openAll(ctx context.Context, p catalog.Provider, access exchange.Options) (model.Model, string, error) {
	opened, source, err := p.Open(ctx, access)
	if err != nil {
		return nil, "", err
	}
	servers, sources := []model.Model{opened}, []string{source}
	for _, address := range m.Role.Replicas {
		access.BaseURL = address
		opened, source, err := p.Open(ctx, access)
		if err != nil {
			return nil, "", err
		}
		servers, sources = append(servers, opened), append(sources, source)
	}
	if id := m.Role.ID; id != "" && !m.Local {
		return wrap.Spread(servers), "id " + id, nil
	}
	slices.Sort(sources)
	return wrap.Spread(servers), strings.Join(sources, " "), nil
}

// concurrency is how many calls of the role's model are made at a time.
func (r *Role) concurrency(c *Calls) int { return cmp.Or(r.Transport.Concurrency, c.MaxConcurrency) }

// retries are the further tries of a call of the role's model.
func (r *Role) retries(c *Calls) int {
	if r.Transport.Retries != nil {
		return *r.Transport.Retries
	}
	return c.retries()
}

// A stack is what answers for a model: the provider in its wrappers, once the model is connected.
type stack struct{ model.Model }

// watchedBy counts the model's first answers. Those of a script cost nothing.
func (m *Model) watchedBy(w *watch) (err error) {
	if !m.Local {
		if m.Judge.Streak == nil {
			m.Judge.Streak = &model.Streak{}
		}
		err = w.start(m.Judge.Streak)
	}
	return err
}

// Connect puts the wrappers around the provider; once is that of the run's journal.
func (m *Model) Connect(once *run.Once) {
	if m.Judge == nil {
		return
	}
	options := wrap.Options{
		Name: m.Role.Model, Source: m.Source, ByStep: m.ByStep, Limiter: m.Limiter, Ready: m.ready, Pace: m.pace, Reach: m.Reach, Budget: m.budget, Price: m.Price, Meter: m.Meter,
		Once: once,
	}
	if !m.Local {
		options.Retry = &m.retry
	}
	m.stack.Model = wrap.Stack(m.provider, options)
}

// spelledBefore returns the model's source as earlier versions wrote it; "" = in the same way.
func (m *Model) spelledBefore() string {
	if m.Endpoint == nil {
		return ""
	}
	return m.Endpoint.spelledBefore(m.Source)
}

// Explain adds to a refusal who refused, and which key was shown.
func (m *Model) Explain(err error) error {
	if omniscope.KindOf(err) != omniscope.Denied || m == nil || m.Local {
		return err
	}
	key := "without a key"
	if m.Endpoint != nil && m.Endpoint.Key.IsSet() {
		key = "with the key from " + m.Endpoint.KeyFrom.String()
	}
	return &omniscope.Error{Kind: omniscope.Denied, Op: fmt.Sprintf("%s %s at %s, %s", m.Role.Name, m.Role.Model, m.Source, key), Err: err}
}

// explain adds to a refusal who refused, and which key was shown, where the run asks one model that needs a key.
func (m *Models) explain(err error) error {
	if m.Explains != nil {
		return m.Explains.Explain(err)
	}
	var asked []*Model
	for _, one := range m.All {
		if !one.Local {
			asked = append(asked, one)
		}
	}
	if len(asked) != 1 {
		return err
	}
	return asked[0].Explain(err)
}

// announcement says whom the role will ask and with whose key; nothing where that
// costs nothing.
func (m *Model) announcement(role string) []string {
	if m.Endpoint == nil {
		return nil
	}
	return m.Endpoint.Announcement(role + " " + m.Role.Model)
}
