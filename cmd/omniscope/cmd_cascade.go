package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/internal/spelling"
	"omniscope/results"
	"omniscope/results/leaderboard"
	"omniscope/results/report"
	"omniscope/session"
	"omniscope/session/catalog"
	"omniscope/session/eval"
)

// cascadeOptions are the flags of eval cascade. All others are those of the benchmarks.
type cascadeOptions struct {
	tablesOut
	Benches  []string
	Data     []string // BENCH=FILE
	Captions []string // [BENCH=]FILE
}

// ofCascades are flags that mean something else for several benchmarks, or nothing.
var ofCascades = []string{"data", "predictions", "captions", "out", "json", "force", "shard", "engine", "sample-id"}

func newEvalCascade() *cobra.Command {
	o := &cascadeOptions{}
	cmd := &cobra.Command{
		Use:   "cascade --benches NAMES --data BENCH=FILE --captions FILE --answerer MODEL",
		Short: "Score captions on several multiple-choice benchmarks, beside the published rows",
		Long: `Score captions on several multiple-choice benchmarks: one model answers all questions from the captions alone
(a cascade; arXiv 2510.12720, table 3). Each benchmark is a run of its own, as 'eval BENCHMARK' does it and
with the same flags; what was answered is remembered, and the same command goes on after any interruption.
At the end a table shows all of them beside the systems that the paper published.

--captions FILE is for all benchmarks, --captions BENCH=FILE for one; several files are several systems.
--captions none has the model answer without captions: the floor that captions have to rise above.
Limits such as --max-cost hold for each benchmark.`,
		Example: `  omniscope eval cascade --benches mmau,mmar --data mmau=mmau-test-mini.json --data mmar=MMAR-meta.jsonl \
    --captions captions.jsonl --answerer openai/gpt-4o --dry-run
  omniscope eval cascade --benches mmau,mmar --data mmau=mmau-test-mini.json --data mmar=MMAR-meta.jsonl \
    --captions captions.jsonl --captions none --answerer openai/gpt-4o --out cascade`,
		Args: noFiles,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd) },
	}
	f := cmd.Flags()
	f.StringSliceVar(&o.Benches, "benches", nil, "benchmarks, with commas between: "+strings.Join(cascades(), ", "))
	f.StringArrayVarP(&o.Data, "data", "d", nil, "BENCH=FILE: the file of a benchmark; one for each")
	f.StringArrayVarP(&o.Captions, "captions", "p", nil, "FILE or BENCH=FILE: captions by recording, or none; several files for several systems")
	o.addFlags(f, "tables.md", "tables.json")
	shared := pflag.NewFlagSet("", pflag.ContinueOnError)
	b, _ := catalog.Benchmark(cascades()[0])
	newEvalOptions(shared, b)
	shared.VisitAll(func(flag *pflag.Flag) {
		if !slices.Contains(ofCascades, flag.Name) {
			f.AddFlag(flag)
		}
	})
	return cmd
}

// cascades are the benchmarks that a model can answer from captions.
func cascades() (names []string) {
	for _, open := range catalog.Benchmarks {
		info := open().Info()
		if info.JudgeOptional && slices.ContainsFunc(info.Aliases, func(a bench.Alias) bool { return a.Of == "judge" && a.Name == "answerer" }) {
			names = append(names, info.Name)
		}
	}
	return names
}

// A cascadeRun is the command of one benchmark.
type cascadeRun struct {
	cmd *cobra.Command
	o   *evalOptions
}

func (o *cascadeOptions) run(cmd *cobra.Command) (err error) {
	runs, err := o.commands(cmd)
	if err != nil {
		return err
	}
	if o.Out != "" && !o.Force {
		if err := eval.CheckTablesFolder(o.Out, nil, o.Benches); err != nil {
			return err
		}
	}
	shared := &session.Shared{}
	defer func() { err = shared.End(err) }()
	var failures error
	for _, r := range runs {
		fmt.Fprintln(cmd.OutOrStdout())
		if err := r.o.run(r.cmd, shared); err != nil {
			if !errors.Is(err, session.ErrTooManyFailures) {
				return fmt.Errorf("%s: %w", r.o.info.Name, err)
			}
			failures = errors.Join(failures, fmt.Errorf("%s: %w", r.o.info.Name, err))
		}
	}
	if runs[0].o.DryRun {
		return errors.Join(failures, o.total(cmd, runs))
	}
	return errors.Join(o.table(cmd, runs), failures)
}

// commands are those of the benchmarks, with the flags that were given.
func (o *cascadeOptions) commands(cmd *cobra.Command) (runs []cascadeRun, err error) {
	if len(o.Benches) == 0 || len(o.Captions) == 0 || firstGiven(cmd.Flags(), "answerer", "judge") == "" {
		return nil, omniscope.Usagef("name benchmarks with --benches, their files with --data BENCH=FILE, captions with --captions, and the model that answers with --answerer")
	}
	data, err := o.byBench(o.Data, "data", false)
	if err != nil {
		return nil, err
	}
	captions, err := o.byBench(o.Captions, "captions", true)
	if err != nil {
		return nil, err
	}
	for i, name := range o.Benches {
		if err := spelling.CheckChoice("benches", name, cascades()); err != nil {
			return nil, err
		}
		if slices.Contains(o.Benches[:i], name) {
			return nil, omniscope.Usagef("--benches names %s twice", name)
		}
		if len(data[name]) != 1 || len(captions[name]) == 0 {
			return nil, omniscope.Usagef("%s needs one file of its own and captions: --data %[1]s=FILE --captions FILE", name)
		}
		r, err := o.command(cmd, name, data[name][0], captions[name])
		if err != nil {
			return nil, err
		}
		runs = append(runs, r)
	}
	return runs, nil
}

// command makes the command of a benchmark, and checks its flags.
func (o *cascadeOptions) command(cmd *cobra.Command, name, data string, captions []string) (r cascadeRun, err error) {
	b, err := catalog.Benchmark(name)
	if err != nil {
		return r, err
	}
	r.cmd, r.o = newEvalBenchmark(b)
	r.cmd.SetContext(cmd.Context())
	r.cmd.SetOut(cmd.OutOrStdout())
	r.cmd.SetErr(cmd.ErrOrStderr())
	if err := copyFlags(cmd.Flags(), r.cmd.Flags()); err != nil {
		return r, err
	}
	r.o.spec.Data, r.o.Predictions, r.o.Force = data, captions, o.Force
	if o.Out != "" {
		r.o.Out = filepath.Join(o.Out, name) + string(filepath.Separator)
	}
	if err := r.o.check(); err != nil {
		return r, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}

// byBench sorts values of BENCH=FILE; one without a benchmark is for all, where that is
// allowed.
func (o *cascadeOptions) byBench(values []string, flag string, forAll bool) (map[string][]string, error) {
	files := make(map[string][]string)
	for _, v := range values {
		name, file, named := strings.Cut(v, "=")
		switch {
		case named && slices.Contains(o.Benches, name):
			files[name] = append(files[name], file)
		case named && slices.Contains(cascades(), name):
			return nil, omniscope.Usagef("--%s %s: %s is not among --benches %s", flag, v, name, strings.Join(o.Benches, ","))
		case !forAll:
			return nil, omniscope.Usagef("--%s %s: write BENCH=FILE, of the benchmarks %s", flag, v, strings.Join(o.Benches, ", "))
		default:
			for _, name := range o.Benches {
				files[name] = append(files[name], v)
			}
		}
	}
	return files, nil
}

// copyFlags sets the flags of a benchmark's command as they are set here.
func copyFlags(from, to *pflag.FlagSet) (err error) {
	from.Visit(func(f *pflag.Flag) {
		if slices.Contains(ofCascades, f.Name) || to.Lookup(f.Name) == nil || err != nil {
			return
		}
		value := f.Value
		if a, ok := value.(*aliasFlag); ok {
			value = a.Value
		}
		for _, v := range valuesOf(value) {
			if err = to.Set(f.Name, v); err != nil {
				return
			}
		}
	})
	return err
}

// valuesOf returns the values of a flag; a list may have several.
func valuesOf(v pflag.Value) []string {
	if list, ok := v.(pflag.SliceValue); ok {
		return list.GetSlice()
	}
	return []string{v.String()}
}

// total says what all benchmarks would cost together.
func (o *cascadeOptions) total(cmd *cobra.Command, runs []cascadeRun) error {
	calls, cost, known := 0, 0.0, true
	for _, r := range runs {
		for _, f := range r.o.forecasts {
			if f == nil {
				continue
			}
			calls += f.Calls
			if known = known && f.CostUSD != nil; known {
				cost += *f.CostUSD
			}
		}
	}
	price := "a cost that is not known (--prices FILE)"
	if known {
		price = fmt.Sprintf("about $%.2f", cost)
	}
	_, err := fmt.Fprintf(cmd.OutOrStdout(), "\nall of it: %d calls, %s\n", calls, price)
	return err
}

// table shows the results of all benchmarks beside the published rows.
func (o *cascadeOptions) table(cmd *cobra.Command, runs []cascadeRun) error {
	var infos []bench.Info
	var rows []leaderboard.CascadeRow
	for _, r := range runs {
		infos = append(infos, r.o.info)
		for _, done := range r.o.done {
			run, err := results.Open(cmd.Context(), done.Dir)
			if err != nil {
				return err
			}
			rows = add(rows, o.system(r.o, done.Spec.Predictions, run.Results), run.Results)
		}
	}
	var tables []omniscope.Table
	profile, _ := bench.ParseScoring(runs[0].o.spec.Profile)
	for _, p := range []bench.Scoring{profile, 1 - profile} {
		t, err := leaderboard.CascadeTable(infos, rows, p)
		if err != nil {
			return err
		}
		if len(tables) == 0 || !reflect.DeepEqual(t.Rows, tables[0].Rows) {
			tables = append(tables, t)
		}
	}
	shown := report.Comparison{Schema: report.ComparisonSchema, Title: "Captions on " + strings.Join(o.Benches, ", "), Tables: tables, Warnings: []string{}}
	fmt.Fprintln(cmd.OutOrStdout())
	return o.show(cmd, shown, []tableFile{{"tables.md", shown.Markdown}, {"tables.json", shown.JSON}})
}

// system names the captions of a run: a file that is for all benchmarks by itself, files that
// are for one each by their place among those of their benchmark.
func (o *cascadeOptions) system(of *evalOptions, file string, r *document.Results) string {
	if of.spec.System != "" || slices.Contains(o.Captions, file) {
		return r.System
	}
	if place := slices.Index(of.Predictions, file); place > 0 {
		return fmt.Sprintf("captions %d", place+1)
	}
	return "captions"
}

// add puts results into the row of their system and answerer.
func add(rows []leaderboard.CascadeRow, system string, r *document.Results) []leaderboard.CascadeRow {
	i := slices.IndexFunc(rows, func(row leaderboard.CascadeRow) bool { return row.System == system && row.Answerer == r.Judge.Name })
	if i < 0 {
		i = len(rows)
		rows = append(rows, leaderboard.CascadeRow{System: system, Answerer: r.Judge.Name, Results: make(map[string]*document.Results)})
	}
	rows[i].Results[r.Benchmark.Name] = r
	return rows
}
