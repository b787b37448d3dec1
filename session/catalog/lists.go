package catalog

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"omniscope/bench/mcif"
	"omniscope/bench/predict"
	"omniscope/model/ref"
	"omniscope/model/symptoms"
	"omniscope/perceive/all"
	"omniscope/perceive/asr"
)

// A List is one kind of thing that this binary holds, as a table.
type List struct {
	Name    string     `json:"name"`
	About   string     `json:"-"`
	Columns []string   `json:"columns"`
	Rows    [][]string `json:"rows"`
}

// ProfileList is the name of the list of profiles.
const ProfileList = "profile"

// SettingsList is the name of the list of settings that a model reference may have.
const SettingsList = "model-settings"

// ListNames are the names of the lists.
var ListNames = []string{"benchmarks", "metrics", "models", "prices", ProfileList, SettingsList, "symptoms", "tasks", "tools"}

// Lists are all that this binary holds, by kind, in the order of their names.
func Lists(ctx context.Context) ([]List, error) {
	prices, err := listPrices(ctx)
	if err != nil {
		return nil, err
	}
	profiles, err := listProfiles()
	if err != nil {
		return nil, err
	}
	return []List{listBenchmarks(), listMetrics(), listModels(), prices, profiles, listSettings(), listSymptoms(), listTasks(), listTools()}, nil
}

func listBenchmarks() List {
	l := List{Name: "benchmarks", About: "what `omniscope eval` scores", Columns: []string{"name", "title", "paper", "published judge"}}
	for _, open := range Benchmarks {
		info := open().Info()
		l.Rows = append(l.Rows, []string{info.Name, info.Title, info.Paper, info.Judge})
	}
	return l
}

func listMetrics() List {
	l := List{Name: "metrics", About: "what is counted for each benchmark, and the scores made of it", Columns: []string{"name", "counts", "scores"}}
	for _, open := range Benchmarks {
		m := open().Info().Metric
		var scores []string
		for _, s := range m.Scores {
			scores = append(scores, s.Name)
		}
		l.Rows = append(l.Rows, []string{m.Name, strings.Join(m.Fields, ", "), strings.Join(scores, ", ")})
	}
	return l
}

func listModels() List {
	l := List{Name: "models", About: "how models are written, and whose key they take; how each is asked: docs profile", Columns: []string{"write", "what", "address", "key from"}}
	for _, p := range Providers {
		l.Rows = append(l.Rows, []string{p.Write(), p.About, p.BaseURL, strings.Join(p.KeyEnv, " or ")})
	}
	return l
}

func listSettings() List {
	l := List{Name: SettingsList, About: "settings behind a model, such as --model vllm/NAME,fps=2; name: part of the name of a run, so that other values ask again", Columns: []string{"setting", "name", "what"}}
	for _, k := range ref.Keys {
		name := k.Name
		if strings.HasSuffix(name, ".") {
			name += "NAME"
		}
		shapes := map[bool]string{true: "yes", false: "no"}[k.Use != ref.Calls]
		l.Rows = append(l.Rows, []string{name + "=" + k.Value, shapes, k.About})
	}
	return l
}

func listPrices(ctx context.Context) (List, error) {
	l := List{Name: "prices", About: "US dollars per million tokens, for forecasts and --max-cost", Columns: []string{"model", "USD per million tokens in", "out"}}
	prices, err := Prices(ctx, "")
	for _, name := range slices.Sorted(maps.Keys(prices)) {
		l.Rows = append(l.Rows, []string{name, fmt.Sprint(prices[name].In), fmt.Sprint(prices[name].Out)})
	}
	return l, err
}

func listSymptoms() List {
	l := List{Name: "symptoms", About: "signs in a text that something went wrong", Columns: []string{"symptom", "means", "reported when"}}
	for _, k := range symptoms.Kinds {
		l.Rows = append(l.Rows, []string{string(k.Kind), k.Meaning, k.Rule})
	}
	return l
}

func listTasks() List {
	l := List{Name: "tasks", About: "the tasks of MCIF", Columns: []string{"task of MCIF", "macro-task", "input"}}
	for _, t := range mcif.Tasks {
		l.Rows = append(l.Rows, []string{t.Name, t.Macro, t.Modality})
	}
	return l
}

func listTools() List {
	l := List{Name: "tools", About: "what looks at media on this machine", Columns: []string{"tool", "tells", "needs"}}
	for _, t := range all.Open(asr.Options{}) {
		info := t.Info()
		l.Rows = append(l.Rows, []string{info.Name, info.About, info.Needs})
	}
	return l
}

func listProfiles() (List, error) {
	l := List{Name: ProfileList, About: "ways in which models are asked, for predict", Columns: []string{"profile", "for", "asked by", "figures from"}}
	all, err := predict.Profiles()
	for _, p := range all {
		var senses []string
		for _, s := range p.Senses {
			senses = append(senses, string(s))
		}
		l.Rows = append(l.Rows, []string{p.Name, p.About, strings.Join(senses, " "), p.Source})
	}
	return l, err
}
