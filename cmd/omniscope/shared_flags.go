package main

import (
	"strconv"
	"time"

	"github.com/spf13/pflag"

	"omniscope/internal/input"
	"omniscope/session"
	"omniscope/session/journals"
)

// addCallFlags adds the flags that say how models are called and what may be
// spent. They are the same for every command; the values that are there are the
// defaults.
func addCallFlags(f *pflag.FlagSet, c *session.Calls) {
	addWorkDir(f, &c.WorkDir)
	addJournal(f, &c.Journal)
	addLease(f, &c.Lease)
	c.MaxRetries, c.StopUnusable = session.DefaultRetries, session.DefaultUnusable
	f.Var((*orNone)(&c.MaxRetries), "max-retries", "further tries of a call that fails for a passing reason")
	f.DurationVar(&c.RetryWait, "retry-wait", 0, "wait before the second try, doubled for each further; 0 = half a second")
	f.MarkHidden("retry-wait") // for tests, which cannot wait as long as people
	f.DurationVar(&c.Timeout, "timeout", c.Timeout, "longest wait for one try")
	f.DurationVar(&c.EndpointWait, "endpoint-wait", 0, "how long an endpoint that has not answered once is waited for, such as a server that is still\nloading, before the command stops (exit 1); 0 = 15s where no connection can be made, else 2m")
	addBudgetFlags(f, c)
	f.Var((*orNone)(&c.StopUnusable), "stop-after-unusable", "stop (exit 1) when this many of a model's answers, and none before them was usable, are of no use for\none reason, such as being cut off; 0 = never")
	f.BoolVar(&c.AnyEndpoint, "any-endpoint", false, "reuse answers of the same model from any address, such as a cluster that moved")
	f.BoolVar(&c.Fresh, "fresh", false, "ask again what was answered before this run; interrupted, the same command goes on, and\nonce it has come to its end it starts anew")
	f.Bool("ask-failed", false, "ask again where the remembered answers cannot be used: refused, cut off or unreadable ones; all others stay")
	addOtel(f)
	f.BoolVar(&c.AskDamaged, "ask-damaged", false, "ask again where a remembered answer was changed after it was written, which else stops the run")
}

func addWorkDir(f *pflag.FlagSet, workDir *string) {
	f.StringVar(workDir, "work-dir", session.DefaultWorkDir, "folder of the journal and the runs")
}

// addJournal adds the flag that says where the journal is, if it is not in the working
// folder.
func addJournal(f *pflag.FlagSet, at *string) {
	f.StringVar(at, "journal", "", "where the journal is, if not in --work-dir: a PostgreSQL database that machines share, such as\npostgres://user@host/database, or a folder (default: OMNISCOPE_JOURNAL, else WORK-DIR/journal)")
}

// addLease adds a flag for tests, which cannot wait as long as people.
func addLease(f *pflag.FlagSet, lease *time.Duration) {
	f.DurationVar(lease, "journal-lease", 0, "how long a silent process keeps its calls from others; 0 = a minute")
	f.MarkHidden("journal-lease")
}

// addOtel adds the flag that startSpans reads.
func addOtel(f *pflag.FlagSet) {
	f.String("otel", "", "send a span of each call, without its texts, to this OpenTelemetry collector, such as http://localhost:4318")
}

// addBudgetFlags adds the flags that say what a command may spend.
func addBudgetFlags(f *pflag.FlagSet, c *session.Calls) {
	f.Float64Var(&c.MaxCost, "max-cost", 0, "most US dollars this command may spend, on answers and on tries that brought nothing usable but may be\ncharged (unreadable answers, time-outs). What calls may take is reserved, so that few are made at a time where little\nis left and the length of answers has no limit (max-tokens= behind a model); the command stops resumably\n(exit 4). 0 = no limit")
	f.IntVar(&c.MaxTokens, "max-total-tokens", 0, "most tokens, in and out, this command may use, counted likewise; 0 = no limit")
	f.IntVar(&c.MaxCalls, "max-calls", 0, "most calls of models this command may have to pay for: answers, and tries that brought nothing usable but\nmay be charged; refused ones (429, other 4xx, no connection) do not count. 0 = no limit")
	f.IntVar(&c.MaxRPM, "max-rpm", 0, "most calls and further tries a minute at one endpoint, evenly spaced, over all processes on the same --journal;\n0 = no limit")
	f.StringVar(&c.Prices, "prices", "", "YAML file of prices: PROVIDER/NAME: {in: USD, out: USD} per million tokens (cached: USD of prompts that the\nprovider has cached), {minute: USD} of sound for --asr")
}

// addInputFlags adds the bounds of what is read of a file that the user names.
// All commands have them.
func addInputFlags(f *pflag.FlagSet, limits *input.Limits) {
	f.Var(&limits.Size, "max-input-size", "most that a packed file or a pipe may hold, such as 8GiB (default: 2 GiB of rows, 256 MiB of text\nthat is held in memory, 32 MiB of XML)")
	f.IntVar(&limits.Rows, "max-input-rows", 0, "most rows or lines of one file, or elements and attributes of XML (default: 4,000,000 rows that are\nread one at a time, 1,000,000 of text, 500,000 of XML)")
	f.Var(&limits.Row, "max-row-size", "longest row or line, such as 64MiB (default: 16 MiB of JSON, 1 MiB of text that is held in memory,\n9 MiB of an element of XML)")
}

func addQuiet(f *pflag.FlagSet, quiet *bool) {
	f.BoolVarP(quiet, "quiet", "q", false, "show no progress")
}

func addForce(f *pflag.FlagSet, force *bool) {
	f.BoolVar(force, "force", false, "write to --out even if that holds something else than results of this run, which is then lost")
}

// evalCalls and clipCalls are the defaults of commands that judge texts, and of
// those that show media.
func evalCalls() session.Calls {
	return withJournals(session.TextCalls())
}

func clipCalls() session.Calls {
	return withJournals(session.ClipCalls())
}

func withJournals(c session.Calls) session.Calls {
	c.Journals = journals.All
	return c
}

// orNone is a flag for a number of session.Calls. On the command line 0 means "none"; in session.Calls 0 means the default.
type orNone int

// Set implements pflag.Value.
func (n *orNone) Set(text string) error {
	given, err := strconv.ParseInt(text, 0, 32)
	if *n = orNone(given); given <= 0 {
		*n = orNone(given) + session.None
	}
	return err
}

func (n *orNone) String() string {
	if *n < 0 {
		return strconv.Itoa(int(*n) - session.None)
	}
	return strconv.Itoa(int(*n))
}

// Type implements pflag.Value.
func (*orNone) Type() string { return "int" }

// inverse is a flag that is true where a field is false.
type inverse struct{ of *bool }

// Set implements pflag.Value.
func (i inverse) Set(text string) error {
	given, err := strconv.ParseBool(text)
	*i.of = !given
	return err
}

func (i inverse) String() string { return strconv.FormatBool(i.of == nil || !*i.of) }

// Type implements pflag.Value.
func (inverse) Type() string { return "bool" }
