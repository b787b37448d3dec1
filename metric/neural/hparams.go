package neural

import (
	"fmt"

	"github.com/goccy/go-yaml"

	"omniscope"
	"omniscope/metric/neural/encoder"
)

// hparams are what COMET's hparams.yaml says that shapes a score.
type hparams struct {
	hiddenSizes [2]int // of the estimator
}

// readHParams reads the hparams.yaml of a COMET model, and what its checkpoint
// says of the same, which is what counts for the original: there the file tells
// the class only. What this package would compute wrongly is Invalid.
func readHParams(path string, checkpoint map[string]any) (hparams, error) {
	text, err := encoder.ReadHParams(path)
	if err != nil {
		return hparams{}, err
	}
	var fields map[string]any
	if err := yaml.Unmarshal(text, &fields); err != nil {
		return hparams{}, omniscope.Invalidf("%s is no YAML: %w", path, err)
	}
	h, err := parseHParams(fields)
	if err != nil {
		return hparams{}, omniscope.Invalidf("%s: %w", path, err)
	}
	if len(checkpoint) == 0 {
		return h, nil
	}
	for field, value := range checkpoint {
		if field != "class_identifier" {
			fields[field] = value
		}
	}
	if h, err = parseHParams(fields); err != nil {
		return hparams{}, omniscope.Invalidf("%s: the checkpoint says otherwise: %w", path, err)
	}
	return h, nil
}

func parseHParams(fields map[string]any) (h hparams, err error) {
	for _, want := range []struct {
		field string
		value any
		other string // what another value would mean
	}{
		{"class_identifier", "regression_metric", "a metric of another make, such as one without references"},
		{"encoder_model", "XLM-RoBERTa", "another encoder"},
		{"pool", "avg", "another vector of the sentence"},
		{"layer", "mix", "a single layer"},
		{"layer_transformation", "sparsemax", "other weights of the layers"},
		{"layer_norm", false, "layers that are normalised before they are mixed"},
		{"activations", "Tanh", "another estimator"},
		{"final_activation", nil, "scores on another scale"},
	} {
		have, ok := fields[want.field]
		if !ok && want.value != nil {
			return h, fmt.Errorf("%s is missing, want %v", want.field, want.value)
		}
		if have != want.value {
			return h, fmt.Errorf("%s is %v, want %v: that is %s, which omniscope does not compute; use wmt22-comet-da or a model built like it",
				want.field, shown(have), shown(want.value), want.other)
		}
	}
	sizes, ok := fields["hidden_sizes"].([]any)
	if !ok || len(sizes) != len(h.hiddenSizes) {
		return h, fmt.Errorf("hidden_sizes is %v, want two sizes, such as [3072, 1024]", shown(fields["hidden_sizes"]))
	}
	for i, size := range sizes {
		n := whole(size)
		if n < 1 || n > 1<<20 {
			return h, fmt.Errorf("hidden_sizes is %v, want two sizes, such as [3072, 1024]", sizes)
		}
		h.hiddenSizes[i] = n
	}
	return h, nil
}

// shown is a value as YAML has it.
func shown(v any) any {
	if v == nil {
		return "null"
	}
	return v
}

// whole is a number as YAML or a checkpoint has it, 0 if it is none.
func whole(v any) int {
	switch n := v.(type) {
	case uint64:
		return int(min(n, 1<<31-1))
	case int64:
		return int(min(max(n, 0), 1<<31-1))
	}
	return 0
}
