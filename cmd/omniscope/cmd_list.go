package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"omniscope/bench/mcif"
	"omniscope/catalog"
	"omniscope/internal/spelling"
	"omniscope/internal/symptoms"
	"omniscope/internal/visible"
	"omniscope/perceive/asr"
)

// The lists, and what each is about.
var listed = []struct{ name, about string }{
	{"benchmarks", "what `omniscope eval` scores"},
	{"metrics", "what is counted for each benchmark, and the scores made of it"},
	{"models", "how judges, detectives and observers are written, and whose key they take"},
	{"prices", "US dollars per million tokens, for forecasts and --max-cost"},
	{"symptoms", "signs in a text that something went wrong"},
	{"tasks", "the tasks of MCIF"},
	{"tools", "what looks at media on this machine"},
}

func newList() *cobra.Command {
	var asJSON bool
	var names []string
	for _, l := range listed {
		names = append(names, l.name)
	}
	cmd := &cobra.Command{
		Use:   "list [" + strings.Join(names, "|") + "]",
		Short: "List what this binary holds",
		Long: `List what this binary holds, one kind at a time; without a name, which kinds there are. With --json
all that are named, or all: objects with "name", "columns" and "rows".`,
		Example: "  omniscope list benchmarks\n  omniscope list models --json",
		Args: func(cmd *cobra.Command, args []string) error {
			for _, name := range args {
				if !slices.Contains(names, name) {
					if name == "judges" || name == "providers" {
						return usagef("no list %q; did you mean models?", name)
					}
					return usagef("no list %q%s: %s", name, spelling.Among(name, names), strings.Join(names, ", "))
				}
			}
			return nil
		},
		ValidArgs: names,
		RunE: func(cmd *cobra.Command, args []string) error {
			lists, err := makeLists()
			if err != nil {
				return err
			}
			if len(args) > 0 {
				lists = slices.DeleteFunc(lists, func(l list) bool { return !slices.Contains(args, l.Name) })
			}
			if asJSON {
				enc := json.NewEncoder(documentOut(cmd))
				enc.SetIndent("", "  ")
				return enc.Encode(lists)
			}
			if len(args) == 0 {
				lists = []list{overview(lists)}
			}
			for _, l := range lists {
				l.print(cmd)
			}
			if len(args) == 0 {
				fmt.Fprintln(cmd.OutOrStdout(), "`omniscope list NAME` shows one, `omniscope models` the networks of BERTScore and COMET.")
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// overview is the list of the lists.
func overview(lists []list) list {
	all := list{Columns: []string{"list", "entries", "what"}}
	for i, l := range lists {
		all.Rows = append(all.Rows, []string{l.Name, fmt.Sprint(len(l.Rows)), listed[i].about})
	}
	return all
}

// A list is one kind of thing there is.
type list struct {
	Name    string     `json:"name"`
	Columns []string   `json:"columns"`
	Rows    [][]string `json:"rows"`
	stacked bool       // the last column is printed below the one before it
}

func makeLists() ([]list, error) {
	benchmarks := list{Name: "benchmarks", Columns: []string{"name", "title", "paper", "published judge", "step keys"}}
	metrics := list{Name: "metrics", Columns: []string{"name", "counts", "scores"}}
	for _, open := range catalog.Benchmarks {
		info := open().Info()
		benchmarks.Rows = append(benchmarks.Rows, []string{info.Name, info.Title, info.Paper, info.Judge, info.StepKeys})
		var scores []string
		for _, s := range info.Metric.Scores {
			scores = append(scores, s.Name)
		}
		metrics.Rows = append(metrics.Rows, []string{info.Metric.Name, strings.Join(info.Metric.Fields, ", "), strings.Join(scores, ", ")})
	}
	models := list{Name: "models", stacked: true, Columns: []string{"write", "what", "address", "key from"}}
	for _, p := range catalog.Providers {
		models.Rows = append(models.Rows, []string{p.Write(), p.About, p.BaseURL, strings.Join(p.KeyEnv, " or ")})
	}
	prices, err := catalog.Prices(context.Background(), "")
	if err != nil {
		return nil, err
	}
	priced := list{Name: "prices", Columns: []string{"model", "USD per million tokens in", "out"}}
	for _, name := range slices.Sorted(maps.Keys(prices)) {
		priced.Rows = append(priced.Rows, []string{name, fmt.Sprint(prices[name].In), fmt.Sprint(prices[name].Out)})
	}
	signs := list{Name: "symptoms", Columns: []string{"symptom", "means", "reported when"}}
	for _, k := range symptoms.Kinds {
		signs.Rows = append(signs.Rows, []string{string(k.Kind), k.Meaning, k.Rule})
	}
	tasks := list{Name: "tasks", Columns: []string{"task of MCIF", "macro-task", "input"}}
	for _, t := range mcif.Tasks {
		tasks.Rows = append(tasks.Rows, []string{t.Name, t.Macro, t.Modality})
	}
	tools := list{Name: "tools", Columns: []string{"tool", "tells", "needs"}}
	for _, t := range catalog.OpenTools(asr.Options{}) {
		info := t.Info()
		tools.Rows = append(tools.Rows, []string{info.Name, info.About, info.Needs})
	}
	return []list{benchmarks, metrics, models, priced, signs, tasks, tools}, nil
}

func (l list) print(cmd *cobra.Command) {
	if l.Name != "" {
		fmt.Fprintln(cmd.OutOrStdout(), l.Name)
	}
	if l.stacked {
		l = l.stack()
	}
	var header table.Row
	for _, c := range l.Columns {
		header = append(header, c)
	}
	t := visible.NewTable(cmd.OutOrStdout(), header...)
	t.SetColumnConfigs(l.columns(listWidth))
	for _, r := range l.Rows {
		var row table.Row
		for _, cell := range r {
			row = append(row, cell)
		}
		t.AppendRow(row)
	}
	t.Render()
	fmt.Fprintln(cmd.OutOrStdout())
}

// stack puts the cells of the last column below those before them.
func (l list) stack() list {
	last := len(l.Columns) - 1
	join := func(row []string) []string {
		below := append(slices.Clone(row[:last-1]), row[last-1]+"\n"+row[last])
		below[last-1] = strings.TrimSpace(below[last-1])
		return below
	}
	stacked := list{Name: l.Name, Columns: join(l.Columns)}
	for _, row := range l.Rows {
		stacked.Rows = append(stacked.Rows, join(row))
	}
	return stacked
}

// listWidth is how wide a list is at most.
const listWidth = 100

// columns wraps the widest columns until all fit, none to less than its longest
// word: what is to be typed stays in one piece.
func (l list) columns(most int) []table.ColumnConfig {
	width, least := make([]int, len(l.Columns)), make([]int, len(l.Columns))
	total := 0
	for i := range l.Columns {
		for _, row := range append([][]string{l.Columns}, l.Rows...) {
			width[i] = max(width[i], text.LongestLineLen(row[i]))
			for word := range strings.FieldsSeq(row[i]) {
				least[i] = max(least[i], text.StringWidthWithoutEscSequences(word))
			}
		}
		total += width[i] + len(" │ ") - 2 // the bar is one wide and three bytes long
	}
	for total > most {
		widest := -1
		for i := range width {
			if width[i] > least[i] && (widest < 0 || width[i] > width[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			break
		}
		width[widest]--
		total--
	}
	configs := make([]table.ColumnConfig, len(width))
	for i, w := range width {
		configs[i] = table.ColumnConfig{Number: i + 1, WidthMax: w, WidthMaxEnforcer: text.WrapSoft}
	}
	return configs
}
