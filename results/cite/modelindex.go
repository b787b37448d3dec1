package cite

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
)

// The form is that of the hub's model cards: "model-index" in hub-docs/modelcard.md, as
// huggingface_hub reads it (repocard_data.py, model_index_to_eval_results): task.type,
// dataset.type, dataset.name, and type and value of each metric must be there.
type modelIndex struct {
	Models []model `yaml:"model-index"`
}

type model struct {
	Name    string   `yaml:"name"`
	Results []result `yaml:"results"`
}

type result struct {
	Task struct {
		Type string `yaml:"type"`
	} `yaml:"task"`
	Dataset struct {
		Name string `yaml:"name"`
		Type string `yaml:"type"`
	} `yaml:"dataset"`
	Metrics []metricValue `yaml:"metrics"`
	Source  struct {
		Name string `yaml:"name"`
	} `yaml:"source"`
}

type metricValue struct {
	Name  string  `yaml:"name"`
	Type  string  `yaml:"type"`
	Value float64 `yaml:"value"`
}

// writeModelIndex writes the boards as YAML for the header of model cards: an entry for each
// system. A score that does not exist is left out. Values are as they are shown; the
// interval, n and judge stand in the metric's name, as the form has no place for them.
func writeModelIndex(w io.Writer, boards []*board) error {
	var index modelIndex
	for _, b := range boards {
		for _, r := range b.Rows {
			one := b.result(r)
			if len(one.Metrics) == 0 {
				continue
			}
			i := slices.IndexFunc(index.Models, func(m model) bool { return m.Name == r.System })
			if i < 0 {
				i = len(index.Models)
				index.Models = append(index.Models, model{Name: r.System})
			}
			index.Models[i].Results = append(index.Models[i].Results, one)
		}
	}
	text, err := yaml.MarshalWithOptions(index, yaml.Indent(2), yaml.IndentSequence(false))
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

func (b *board) result(r row) (out result) {
	p, ok := PaperOf(b.Benchmark)
	if out.Task.Type = p.Task; !ok {
		out.Task.Type = "other"
	}
	out.Dataset.Name, out.Dataset.Type = b.Title, b.Dataset
	if out.Dataset.Type == "" {
		out.Dataset.Type = b.Benchmark
	}
	out.Source.Name = "omniscope " + b.Version + ", " + r.Signature
	for i, c := range r.Cells {
		v, err := strconv.ParseFloat(c.Shown, 64)
		if err != nil {
			continue
		}
		name := strings.TrimSuffix(b.Scores[i], " ↓") + ", scoring " + b.Scoring
		if c.Interval != "" {
			name += ", 95 % interval [" + c.Interval + "]"
		}
		if name += ", n " + r.N; r.Judge != "" {
			name += ", judge " + r.Judge
		}
		if r.Baseline {
			name += ", baseline (compares with no published scores)"
		}
		if r.Marks != "" {
			name += ", marked as " + r.Marks
		}
		out.Metrics = append(out.Metrics, metricValue{Name: name, Type: c.Score, Value: v})
	}
	return out
}
