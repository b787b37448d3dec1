package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/internal/ondisk"
	"omniscope/internal/outfile"
	"omniscope/internal/quantity"
	"omniscope/model"
	"omniscope/model/judge"
	"omniscope/results/report"
	"omniscope/run"
	"omniscope/run/local"
	"omniscope/session"
	"omniscope/session/rows"
)

// rowAsking is what commands have in common that ask one model about many rows, such as curate cloze draft and curate questions test.
type rowAsking struct {
	Out         string
	Prompts     string
	role        *chainFlags
	roleName    string
	roleAbout   string   // such as: the model that answers
	about       string   // what a row is, in the plural; "" = rows
	files       []string // of results
	shared      session.Shared
	calls       session.Calls
	MaxFailures float64
	Force       bool
	NoProgress  bool
}

func (o *rowAsking) addFlags(cmd *cobra.Command, role bench.RoleInfo, files, prompts string) {
	o.calls = evalCalls()
	o.roleName = role.Name
	o.roleAbout, _, _ = strings.Cut(role.Help, ":")
	f := cmd.Flags()
	o.role = addChainFlags(f, role)
	f.StringVarP(&o.Out, "out", "o", "", "folder for "+files)
	f.StringVar(&o.Prompts, "prompts", "", "folder with "+prompts+" that replace the built-in prompts")
	f.Float64Var(&o.MaxFailures, "max-failures", session.DefaultMaxFailures, "share of "+o.rowsAre()+" that may fail before the exit code is 3")
	f.BoolVar(&o.calls.DryRun, "dry-run", false, "print how many calls, tokens and dollars the first askings take at least, and stop")
	addQuiet(f, &o.NoProgress)
	f.IntVarP(&o.calls.MaxConcurrency, "concurrency", "j", o.calls.MaxConcurrency, "most calls at a time; fewer while the endpoint complains")
	addCallFlags(f, &o.calls)
	addForce(f, &o.Force)
}

func (o *rowAsking) rowsAre() string { return cmp.Or(o.about, "rows") }

func (o *rowAsking) check() error {
	if err := checkRules([]rule{
		{o.role.model() == "" || o.role.model() == session.Offline, fmt.Sprintf("name %s with --%s, such as openai/gpt-4.1", o.roleAbout, o.roleName)},
		{o.Out == "" && !o.calls.DryRun, "name the folder for the results with --out"},
		{!isShare(o.MaxFailures), "--max-failures is a share from 0 to 1, such as 0.05"},
	}); err != nil {
		return err
	}
	return errors.Join(o.role.check(), o.calls.Check())
}

// folder is the user's folder of prompts; nil = there is none.
func (o *rowAsking) folder() (fs.FS, error) {
	if o.Prompts == "" {
		return nil, nil
	}
	if !ondisk.IsFolder(o.Prompts) {
		return nil, omniscope.Usagef("--prompts %s is no folder", o.Prompts)
	}
	return os.DirFS(o.Prompts), nil
}

// load loads the prompts of a drafter or tester.
func (o *rowAsking) load(prompts interface {
	LoadPrompts(folder fs.FS, name string) error
}) error {
	folder, err := o.folder()
	if err != nil {
		return err
	}
	return prompts.LoadPrompts(folder, o.Prompts)
}

// modelRun is the run of a command about a file. spec is all that shapes it beside the model.
func (o *rowAsking) modelRun(cmd *cobra.Command, file string, spec any) *rows.Run {
	return &rows.Run{Command: strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" "), Files: filepath.Clean(file), Spec: spec, Role: o.role.one(), Calls: &o.calls, Shared: &o.shared, Warnings: cmd.ErrOrStderr()}
}

// A rowWork is the work of a run on items of type T, with a result of type R for each.
type rowWork[T, R any] struct {
	about    string // of the forecast
	items    []T
	requests func(ctx context.Context, item T) ([]*model.Request, error) // the likely first requests
	ask      func(ctx context.Context, asker *judge.Judge, item T) (R, error)
	write    func(results []R) (failed int, err error)

	all              int    // rows; --max-failures is a share of them. 0 = the items
	failing, reasons string // a word for failed rows, and the file in the folder of results with the reasons
}

// askRows does a run, or prints its forecast. spec is all that shapes it next to the model and file, its input.
func askRows[T, R any](o *rowAsking, cmd *cobra.Command, file string, spec any, w rowWork[T, R]) (err error) {
	r := o.modelRun(cmd, file, spec)
	if o.calls.DryRun {
		return printForecast(cmd, r, w.about, func(yield func(*model.Request, error) bool) {
			for _, item := range w.items {
				requests, err := w.requests(cmd.Context(), item)
				if err != nil {
					yield(nil, err)
					return
				}
				for _, req := range requests {
					if !yield(req, nil) {
						return
					}
				}
			}
		})
	}
	defer func() { err = o.shared.End(err) }()
	results, failed := make([]R, len(w.items)), 0
	folder := rows.Folder{Dir: o.Out, Files: o.files, Force: o.Force}
	used, err := folder.Do(cmd.Context(), r, func(asker *judge.Judge) error {
		return o.each(cmd, len(w.items), func(ctx context.Context, i int) (err error) {
			results[i], err = w.ask(ctx, asker, w.items[i])
			return err
		})
	}, func() (err error) { failed, err = w.write(results); return err })
	if err != nil {
		return err
	}
	showUsed(cmd.OutOrStdout(), used)
	fmt.Fprintf(cmd.OutOrStdout(), "written to %s\n", printable(o.Out))
	return o.tooMany(failed, cmp.Or(w.all, len(w.items)), w.failing, w.reasons)
}

// printForecast prints what a run would take.
func printForecast(cmd *cobra.Command, r *rows.Run, about string, requests iter.Seq2[*model.Request, error]) error {
	f, err := r.Forecast(cmd.Context(), requests)
	if err != nil {
		return err
	}
	fmt.Fprintln(cmd.OutOrStdout(), about)
	return f.Write(cmd.OutOrStdout())
}

// each calls do for each of n rows, several at a time, and shows how far it is.
func (o *rowAsking) each(cmd *cobra.Command, n int, do func(ctx context.Context, i int) error) error {
	display := startProgress(cmd.ErrOrStderr(), o.NoProgress, n, nil)
	defer display.Stop()
	var finished atomic.Int64
	engine := &local.Engine{Workers: o.calls.MaxConcurrency}
	return engine.Run(cmd.Context(), func(yield func(run.Job) bool) {
		for i := range n {
			if !yield(run.Job{ID: fmt.Sprint(i), Seq: i}) {
				return
			}
		}
	}, func(ctx context.Context, job run.Job) error {
		err := do(ctx, job.Seq)
		if err == nil {
			display.Done(int(finished.Add(1)))
		}
		return err
	})
}

// showUsed prints what a run took and, where other commands worked on it, what this one took.
func showUsed(w io.Writer, used document.UsageInfo) { fmt.Fprintln(w, usedText(used)) }

// usedText is what a run took, and what of it this command did.
func usedText(used document.UsageInfo) string {
	text := usageText(used.Sums())
	if now := used.ThisCommand; now != nil && now.Calls != used.Calls {
		text += "; this command: " + usageText(*now)
	}
	return text
}

func usageText(u document.CommandUsage) string {
	cost := "cost not known"
	if u.CostUSD != nil {
		cost = fmt.Sprintf("$%.4f", *u.CostUSD)
	}
	tokens := fmt.Sprintf("%d tokens in, %d out", u.TokensIn, u.TokensOut)
	if u.TokensIn+u.TokensOut == 0 && u.Calls > u.Failed {
		tokens = "tokens not known"
	}
	return fmt.Sprintf("%s, %s, %s", quantity.Of(u.Calls, "call", "calls"), tokens, cost)
}

// writeLines writes a file of lines of JSON to the folder of results.
func writeLines[T any](o *rowAsking, name string, lines []T) error {
	return outfile.WriteIn(o.Out, name, func(w io.Writer) error { return jsonLines(w, slices.Values(lines)) })
}

// writeTables writes tables to the folder of results, for people and for programs, and shows them.
func (o *rowAsking) writeTables(cmd *cobra.Command, name string, tables report.Comparison) error {
	if err := outfile.WriteIn(o.Out, name+".md", tables.Markdown); err != nil {
		return err
	}
	if err := outfile.WriteIn(o.Out, name+".json", tables.JSON); err != nil {
		return err
	}
	return printTables(cmd, tables)
}

// tooMany is the error of a run in which more rows failed than allowed, nil otherwise. file, in the folder of results, holds the
// reasons.
func (o *rowAsking) tooMany(failed, all int, what, file string) error {
	if all == 0 || failed < all && float64(failed) <= o.MaxFailures*float64(all) {
		return nil
	}
	return fmt.Errorf("%w: %d of %d %s, more than --max-failures %g allows: %s says why", session.ErrTooManyFailures, failed, all, what, o.MaxFailures, filepath.Join(o.Out, file))
}
