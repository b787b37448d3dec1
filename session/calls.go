package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/metric/neural/installed"
	"omniscope/model/wrap"
	"omniscope/run"
)

// Calls say how models are called and what may be spent, the same for every
// command. They do not shape answers. The zero value calls as the commands do without flags.
type Calls struct {
	WorkDir        string        // of the runs, and of the journal unless that is elsewhere; "" = DefaultWorkDir
	Journal        string        // where it is: see JournalAt
	Journals       Journals      // that the program has, such as journals.All; nil = none, for runs that remember nothing
	Lease          time.Duration // how long a process that is silent keeps its calls from others; 0 = the usual
	MaxConcurrency int           // calls of one model at a time; 0 = 64, or 16 that show media
	MaxRetries     int           // further tries of a call; 0 = DefaultRetries, None = none
	RetryWait      time.Duration // before the second try; 0 = half a second
	Timeout        time.Duration // of one try; 0 = two minutes, or five with media
	EndpointWait   time.Duration // see model.Reach
	MaxCost        float64       // US dollars; 0 = no limit
	MaxTokens      int           // in and out; 0 = no limit
	MaxCalls       int           // 0 = no limit
	MaxRPM         int           // tries a minute at one endpoint; 0 = no limit
	Prices         string        // file of prices; "" = the built-in ones
	StopUnusable   int           // see model.Streak; 0 = DefaultUnusable, None = never
	AnyEndpoint    bool          // reuse answers from any address
	Fresh          bool          // only answers that the run was given since it became fresh count
	SkipExam       bool          // do not examine a judge that is a model before it judges
	AskDamaged     bool          // ask again where the remembered answer was changed
	DryRun         bool          // nothing will be asked
	ToolTimeout    time.Duration // of an answer of a tool that the user brings; 0 = the usual
	ToolProcesses  int           // of such a tool at a time; 0 = 1
	ToolHeaders    []string      // further headers of requests to the one server of tools at an address, as Role.Headers are written

	address func(*Role)           // gives a role the address of an order; nil = the process has no order
	ordered map[string]wrap.Price // the prices of an order

	Networks installed.Options // where networks are and how they compute, for benchmarks that score by them
}

// Check checks the numbers, in the words of the flags.
func (c *Calls) Check() error {
	switch {
	case c.MaxConcurrency < 1:
		return omniscope.Usagef("--concurrency must be at least 1")
	case c.MaxRetries < None || c.MaxTokens < 0 || c.MaxCalls < 0 || c.MaxCost < 0 || c.MaxRPM < 0:
		return omniscope.Usagef("--max-retries, --max-cost, --max-total-tokens, --max-calls and --max-rpm must not be negative")
	case !(c.MaxCost <= 1e9):
		return omniscope.Usagef("--max-cost must be a number of US dollars up to a billion")
	case c.Timeout <= 0 || c.RetryWait < 0:
		return omniscope.Usagef("--timeout must be more than 0, such as 90s")
	case c.EndpointWait < 0 || c.StopUnusable < None:
		return omniscope.Usagef("--endpoint-wait and --stop-after-unusable must not be negative")
	}
	return nil
}

// Models are the models of one run, on one journal and one budget.
type Models struct {
	Journal *Journal
	Shared  *Shared
	All     []*Model

	Settings *Calls
	warnings io.Writer
	Closers  []io.Closer // tools that run
	watches  []*watch
	asked    []string                 // lines for people: the models of the run
	Explains *Model                   // that refusals are of; nil = the only one, if there is one
	Told     bool                     // the results have the warnings of endpoints
	used     func(document.UsageInfo) // is called with what the run took; nil = not wanted
	closed   bool
}

// NewModels are the models of a run that is not open yet.
func NewModels(m *Machine) *Models {
	own := *cmp.Or(m, &Machine{})
	own.Ready(TextCalls())
	models := &Models{Shared: own.Shared, Settings: own.Calls, warnings: own.Warnings, used: own.Used}
	if models.Shared == nil {
		models.Shared = &Shared{}
		models.Closers = append(models.Closers, models.Shared)
	}
	return models
}

// Once remembers calls of the run, such as calls of tools; nil before the run is open, and if it has no journal.
func (m *Models) Once() *run.Once {
	return m.Journal.OnceOf(m.Settings.AnyEndpoint)
}

// Open opens the model of a role. It answers when the run is open.
func (m *Models) Open(ctx context.Context, r *Role) (*Model, error) {
	opened, err := NewModel(ctx, r, m.Settings, m.Shared)
	if err != nil {
		return nil, err
	}
	if opened.Judge == nil {
		return nil, omniscope.Usagef("%s is no model: write PROVIDER/NAME (`omniscope docs models`)", r.Model)
	}
	m.Add(opened, "model")
	return opened, nil
}

// Add adds an opened model, which is announced as who.
func (m *Models) Add(opened *Model, who string) {
	m.Asks(opened.announcement(who)...)
	m.All = append(m.All, opened)
}

// Begin opens the journal of the run, and connects the models to it.
func (m *Models) Begin(ctx context.Context, p *Plan) (err error) {
	switch p.Memory {
	case Answers:
		m.Journal, err = openRun(ctx, m.Settings, cmp.Or(p.Waiting, 2*m.Settings.MaxConcurrency), p.Description, m.warnings)
	case Scores:
		m.Journal, err = OpenScores(ctx, m.Settings, p.Description, m.warnings)
	}
	if err != nil || m.Journal == nil {
		m.Journal = nil
		return err
	}
	for _, one := range m.All {
		one.Connect(m.Once())
		m.Journal.share(one)
	}
	return nil
}

// Watch watches the first answers of each model.
func (m *Models) Watch() error {
	if m.Journal == nil {
		return nil
	}
	for _, one := range m.All {
		if one.Judge == nil {
			continue
		}
		w := m.Journal.watch(m.Settings, one.Role)
		if err := one.watchedBy(w); err != nil {
			return err
		}
		m.watches = append(m.watches, w)
	}
	return nil
}

// Sources are the models at endpoints with their addresses, in order. Results of another one of them are not continued.
func (m *Models) Sources() (list []string) {
	for _, one := range m.All {
		if one.Endpoint == nil {
			continue
		}
		text := fmt.Sprintf("%s %s at %s", one.Role.Name, one.Role.Model, one.Source)
		if one.Role.Route != "" {
			text += ", route " + one.Role.Route
		}
		list = append(list, text)
	}
	slices.Sort(list)
	return list
}

// Asks adds lines to the announcement, such as the address of a tool.
func (m *Models) Asks(announcement ...string) { m.asked = append(m.asked, announcement...) }

// LeftOut prints warnings about what is left out, such as a tool that does not work here.
func (m *Models) LeftOut(lines ...string) {
	for _, line := range lines {
		fmt.Fprintln(m.warnings, line)
	}
}

// Announce says, before anything is paid for, whom the run will ask and with
// whose keys, each once.
func (m *Models) Announce(w io.Writer) {
	for i, line := range m.asked {
		if !slices.Contains(m.asked[:i], line) {
			fmt.Fprintln(w, line)
		}
	}
}

// Close reports what the run took and what endpoints did, and closes the journal.
func (m *Models) Close() error {
	if m.closed {
		return nil
	}
	m.closed = true
	if !m.Told {
		m.Warn(m.warnings)
	}
	err := m.reportUsage()
	for _, c := range m.Closers {
		err = errors.Join(err, c.Close())
	}
	for _, w := range m.watches {
		err = errors.Join(err, w.end())
	}
	return errors.Join(err, m.Journal.Close())
}

// reportUsage reports what the run took, over all its commands.
func (m *Models) reportUsage() error {
	if m.used == nil || len(m.All) == 0 || m.Journal == nil {
		return nil
	}
	u, err := m.Usage(context.Background())
	if err == nil {
		m.used(u)
	}
	return err
}

// Usage is what the run took, over all its commands.
func (m *Models) Usage(ctx context.Context) (document.UsageInfo, error) {
	u, err := m.Journal.Usage(ctx, wrap.CostOf)
	if err != nil {
		return document.UsageInfo{}, err
	}
	var price *wrap.Price
	if len(m.All) == 1 {
		price = m.All[0].Price
	}
	share := bench.UsageOf(MetersOf(m.All))
	share.CostUSD, share.Lost.CostUSD = CostOfCalls(m.All)
	return UsageOf(u, price, share), nil
}

// Warn prints what endpoints did that their user should know of.
func (m *Models) Warn(w io.Writer) { warnOf(w, m.All...) }
