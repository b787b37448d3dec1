package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"omniscope/bench/mcif"
	"omniscope/catalog"
	"omniscope/internal/symptoms"
	"omniscope/perceive/asr"
)

func newList() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list [benchmarks|metrics|models|prices|symptoms|tasks|tools]",
		Short: "List what this binary holds",
		Args: func(cmd *cobra.Command, args []string) error {
			for _, name := range args {
				if !slices.Contains(cmd.ValidArgs, name) {
					return usagef("no list %q%s: %s", name, offerAmong(name, cmd.ValidArgs), strings.Join(cmd.ValidArgs, ", "))
				}
			}
			return nil
		},
		ValidArgs: []string{"benchmarks", "metrics", "models", "prices", "symptoms", "tasks", "tools"},
		RunE: func(cmd *cobra.Command, args []string) error {
			lists, err := makeLists()
			if err != nil {
				return err
			}
			if len(args) > 0 {
				lists = slices.DeleteFunc(lists, func(l list) bool { return !slices.Contains(args, l.Name) })
			}
			if asJSON {
				enc := json.NewEncoder(cmd.OutOrStdout())
				enc.SetIndent("", "  ")
				return enc.Encode(lists)
			}
			for _, l := range lists {
				l.print(cmd)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// A list is one kind of thing there is.
type list struct {
	Name    string     `json:"name"`
	Columns []string   `json:"columns"`
	Rows    [][]string `json:"rows"`
}

func makeLists() ([]list, error) {
	benchmarks := list{Name: "benchmarks", Columns: []string{"name", "title", "paper", "published judge", "step keys"}}
	metrics := list{Name: "metrics", Columns: []string{"name", "counts", "scores"}}
	for _, b := range catalog.Benchmarks {
		info := b.Info()
		benchmarks.Rows = append(benchmarks.Rows, []string{info.Name, info.Title, info.Paper, info.Judge, info.StepKeys})
		var scores []string
		for _, s := range info.Metric.Scores {
			scores = append(scores, s.Name)
		}
		metrics.Rows = append(metrics.Rows, []string{info.Metric.Name, strings.Join(info.Metric.Fields, ", "), strings.Join(scores, ", ")})
	}
	models := list{Name: "models", Columns: []string{"write", "what", "address", "key from"}}
	for _, p := range catalog.Providers {
		write := p.Name + "/NAME"
		if p.Name == "offline" {
			write = p.Name
		}
		models.Rows = append(models.Rows, []string{write, p.About, p.BaseURL, strings.Join(p.KeyEnv, " or ")})
	}
	prices, err := catalog.Prices("")
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
	for _, t := range localTools(asr.Options{}) {
		info := t.Info()
		tools.Rows = append(tools.Rows, []string{info.Name, info.About, info.Needs})
	}
	return []list{benchmarks, metrics, models, priced, signs, tasks, tools}, nil
}

func (l list) print(cmd *cobra.Command) {
	fmt.Fprintln(cmd.OutOrStdout(), l.Name)
	var header table.Row
	for _, c := range l.Columns {
		header = append(header, c)
	}
	t := newTable(cmd.OutOrStdout(), header...)
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
